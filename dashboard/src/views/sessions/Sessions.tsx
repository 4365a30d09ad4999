import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Sessions() {
  return (
    <Page title="Sessions">
      <Waiting />
    </Page>
  );
}
