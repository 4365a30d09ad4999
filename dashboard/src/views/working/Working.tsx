import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Working() {
  return (
    <Page title="Working memory">
      <Waiting />
    </Page>
  );
}
