import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Memories() {
  return (
    <Page title="Memories">
      <Waiting />
    </Page>
  );
}
