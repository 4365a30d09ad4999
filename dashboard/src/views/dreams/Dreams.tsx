import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Dreams() {
  return (
    <Page title="Dreams">
      <Waiting />
    </Page>
  );
}
