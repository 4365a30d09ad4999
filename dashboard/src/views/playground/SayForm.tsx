/** The box in which one says something. Enter says it, Shift+Enter begins a new line. */

import { useState, type FormEvent, type KeyboardEvent } from "react";
import { Button, Key } from "../../ui/controls";

interface SayFormProps {
  say: (text: string) => void;
  busy?: boolean;
  placeholder?: string;
}

export function SayForm({ say, busy = false, placeholder = "Tom leads Pebble and reports to Maya." }: SayFormProps) {
  const [text, setText] = useState("");
  const submitted = (event?: FormEvent) => {
    event?.preventDefault();
    if (!text.trim() || busy) return;
    say(text.trim());
    setText("");
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submitted();
  };
  return (
    <form className="say" onSubmit={submitted}>
      <label className="field">
        <span className="visually-hidden">Say something</span>
        <textarea rows={2} maxLength={100_000} placeholder={placeholder} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={pressed} autoFocus />
      </label>
      <Button type="submit" look="primary" busy={busy} disabled={!text.trim()}>
        Say it <Key>↵</Key>
      </Button>
    </form>
  );
}
