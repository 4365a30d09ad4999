import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Constellation() {
  return (
    <Page title="Constellation">
      <Waiting />
    </Page>
  );
}
