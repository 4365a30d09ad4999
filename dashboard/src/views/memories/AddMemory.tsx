/** A dialog to keep a text as a memory. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { useCategories } from "./Categories";
import { useSaying } from "./changes";
import { Slider } from "./Slider";

const OUTCOMES = {
  created: "Remembered.",
  reinforced: "That was known already; it counts for more now.",
  extended: "That was known in part; the memory says more now.",
};

export function AddMemory({ close }: { close: () => void }) {
  const scope = useScope();
  const say = useSaying();
  const categories = useCategories();
  const [text, setText] = useState("");
  const [category, setCategory] = useState("");
  const [tags, setTags] = useState("");
  const [importance, setImportance] = useState(0.5);
  const remember = useChange("POST /v1/agents/{agent}/remember", ({ memory, outcome }) => {
    close();
    say(memory.id, OUTCOMES[outcome]);
  });
  const submit = () =>
    remember.mutate({
      path: scope.path,
      body: {
        ...scope.query,
        text,
        category: category.trim() || "general",
        tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean),
        importance,
      },
    });
  return (
    <Dialog title="Add a memory" close={close} confirm="Remember" busy={remember.isPending} failure={remember.error} submit={submit}>
      <label className="field">
        <span className="label">What to remember</span>
        <textarea rows={4} required autoFocus value={text} onChange={(event) => setText(event.target.value)} placeholder="One thing, in a sentence that stands alone" />
      </label>
      <Field label="Category" list="memory-categories" value={category} placeholder="general" onChange={(event) => setCategory(event.target.value)} />
      <datalist id="memory-categories">
        {Object.keys(categories).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <Field label="Tags, with commas between them" value={tags} onChange={(event) => setTags(event.target.value)} />
      <Slider label="Importance" value={importance} change={setImportance} />
    </Dialog>
  );
}
