/** A dialog over the page: the browser's own, so Escape, focus and screen readers work. */

import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import type { Failure } from "../api/client";
import { Button } from "./controls";
import "./dialogs.css";

interface DialogProps {
  title: string;
  close: () => void;
  children: ReactNode;
  /** What the main button says; without it there is only a button to close. */
  confirm?: string;
  look?: "primary" | "danger";
  busy?: boolean;
  failure?: Failure | null;
  submit?: () => void;
}

export function Dialog({ title, close, children, confirm, look = "primary", busy = false, failure = null, submit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    submit?.();
  };
  return (
    <dialog ref={element} className="dialog" onClose={close} aria-label={title}>
      <form onSubmit={submitted}>
        <h2>{title}</h2>
        <div className="dialog-body">{children}</div>
        {failure && (
          <p className="dialog-failure" role="alert">
            {failure.message}
          </p>
        )}
        <footer>
          <Button onClick={close}>{confirm ? "Cancel" : "Close"}</Button>
          {confirm && (
            <Button look={look} type="submit" busy={busy}>
              {confirm}
            </Button>
          )}
        </footer>
      </form>
    </dialog>
  );
}
