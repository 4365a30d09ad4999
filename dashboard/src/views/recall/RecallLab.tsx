import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function RecallLab() {
  return (
    <Page title="Recall lab">
      <Waiting />
    </Page>
  );
}
