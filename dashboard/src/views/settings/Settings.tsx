import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Settings() {
  return (
    <Page title="Settings">
      <Waiting />
    </Page>
  );
}
