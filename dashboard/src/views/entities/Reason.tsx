/** Why somebody changes something: kept in the audit log beside the change. */

import { Field } from "../../ui/controls";

export function Reason({ value, change }: { value: string; change: (value: string) => void }) {
  return <Field label="Reason, for the log" placeholder="Optional" maxLength={200} value={value} onChange={(event) => change(event.target.value)} />;
}
