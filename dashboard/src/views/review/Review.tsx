import { Page } from "../../ui/pages";
import { Waiting } from "../../ui/states";

export default function Review() {
  return (
    <Page title="Review">
      <Waiting />
    </Page>
  );
}
