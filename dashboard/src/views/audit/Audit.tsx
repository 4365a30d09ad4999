import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Audit() {
  return (
    <Page title="Audit log">
      <Waiting />
    </Page>
  );
}
