import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Jobs() {
  return (
    <Page title="Jobs">
      <Waiting />
    </Page>
  );
}
