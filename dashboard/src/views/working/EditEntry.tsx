/** A dialog to write an entry: a new one, or another value for one that is there. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Choice, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { useToasts } from "../../ui/toasts";
import { nameOf, namespaceOf, READER, span, type Entry } from "./entries";

const LIFETIMES: [string, string][] = [
  ["300", "5 minutes"],
  ["3600", "an hour"],
  ["86400", "a day"],
  ["604800", "a week"],
  ["2592000", "30 days"],
];

export function EditEntry({ entry, close }: { entry?: Entry; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  // An entry that is edited keeps the time it has left, unless it is given another.
  const [left] = useState(() => (entry ? Math.max(1, Math.round((Date.parse(entry.expires_at) - Date.now()) / 1000)) : null));
  const [namespace, setNamespace] = useState(entry ? namespaceOf(entry) : READER);
  const [key, setKey] = useState(entry ? nameOf(entry) : "");
  const [value, setValue] = useState(entry?.value ?? "");
  const [ttl, setTtl] = useState(String(left ?? 3600));
  const [category, setCategory] = useState(entry?.category ?? "");
  const [tags, setTags] = useState(entry?.tags.join(", ") ?? "");
  const save = useChange("PUT /v1/agents/{agent}/working", () => {
    close();
    toasts.done("Saved.");
  });
  const submit = () =>
    save.mutate({
      path: scope.path,
      body: {
        ...scope.query,
        namespace: namespace.trim(),
        key: entry?.key ?? key.trim(),
        data: value,
        ttl: Number(ttl),
        category: category.trim() || null,
        tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean),
      },
    });
  return (
    <Dialog title={entry ? `Edit ${entry.key}` : "Add an entry"} close={close} confirm="Save" busy={save.isPending} failure={save.error} submit={submit}>
      {!entry && (
        <>
          <Field
            label="Namespace"
            required
            pattern="[^\/]+\/[^\/]+"
            title="Two parts with a slash between them, such as session/s1"
            value={namespace}
            onChange={(event) => setNamespace(event.target.value)}
          />
          <Field label="Key" required autoFocus placeholder="draft" value={key} onChange={(event) => setKey(event.target.value)} />
        </>
      )}
      <label className="field">
        <span className="label">Value</span>
        <textarea rows={5} required value={value} onChange={(event) => setValue(event.target.value)} />
      </label>
      <Choice
        label="Keep it for"
        value={ttl}
        options={left === null ? LIFETIMES : [[String(left), `the ${span(left)} it has left`], ...LIFETIMES]}
        onChange={(event) => setTtl(event.target.value)}
      />
      <Field label="Category" value={category} onChange={(event) => setCategory(event.target.value)} />
      <Field label="Tags, with commas between them" value={tags} onChange={(event) => setTags(event.target.value)} />
    </Dialog>
  );
}
