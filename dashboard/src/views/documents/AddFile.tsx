/** Keep a file of this machine as a document. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { go, to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";

const KINDS = ".md,.markdown,.txt,.html,.htm,.pdf,.docx";

export function AddFile({ close }: { close: () => void }) {
  const scope = useScope();
  const [file, setFile] = useState<File | null>(null);
  const [path, setPath] = useState("");
  const add = useChange("POST /v1/agents/{agent}/vault/files", ({ document }) => {
    close();
    go(to("documents", document.id));
  });
  const submit = async () => {
    if (!file) return;
    add.mutate({ path: scope.path, body: { ...scope.query, path: path.trim() || file.name, name: file.name, data: await encoded(file) } });
  };
  return (
    <Dialog title="Add a file" close={close} confirm={add.isPending ? "Reading …" : "Add it"} busy={add.isPending} failure={add.error} submit={() => void submit()}>
      <p>Markdown, text, HTML, PDF or Word. What the path held before stays readable as of before.</p>
      <label className="field">
        <span className="label">File</span>
        <input type="file" accept={KINDS} required onChange={({ target }) => setFile(target.files?.[0] ?? null)} />
      </label>
      <Field label="Keep it as" placeholder={file?.name ?? "notes/launch.md"} value={path} onChange={(event) => setPath(event.target.value)} />
    </Dialog>
  );
}

/** The bytes of a file as base64, which is what follows the comma of a data address. */
function encoded(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error as Error);
    reader.readAsDataURL(file);
  });
}
