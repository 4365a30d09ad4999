/** Short messages at the edge of the page. A change that can be taken back says so here, with a button to do it. */

import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { Failure } from "../api/client";
import { useChange } from "../api/queries";
import { useScope } from "../app/scopes";
import { Button } from "./controls";
import "./toasts.css";

interface Message {
  id: number;
  text: string;
  tone: "plain" | "bad";
  /** The ids of the changes in the audit log, the first first. */
  undo: readonly string[];
}

interface Toasts {
  /** Say that something was done; with the id of the change, or of each of several, offer to take it back. */
  done: (text: string, undo?: string | readonly string[] | null) => void;
  failed: (failure: Failure) => void;
}

const Current = createContext<Toasts | null>(null);
// What can be taken back stays longer: one has to see it, think, and reach for the button.
const SECONDS = { told: 9, undoable: 20 };

/** Ways to say that something was done, or that it failed. */
export function useToasts(): Toasts {
  const toasts = use(Current);
  if (!toasts) throw new Error("useToasts is used outside of ToastProvider");
  return toasts;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const last = useRef(0);
  const drop = useCallback((id: number) => setMessages((all) => all.filter((each) => each.id !== id)), []);
  const add = useCallback(
    (message: Omit<Message, "id">) => {
      const id = ++last.current;
      setMessages((all) => [...all.slice(-3), { ...message, id }]);
      window.setTimeout(() => drop(id), 1000 * (message.undo.length ? SECONDS.undoable : SECONDS.told));
    },
    [drop],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      done: (text, undo = []) => add({ text, tone: "plain", undo: typeof undo === "string" ? [undo] : (undo ?? []) }),
      failed: (failure) => add({ text: failure.message, tone: "bad", undo: [] }),
    }),
    [add],
  );
  return (
    <Current value={toasts}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {messages.map((message) => (
          <Toast key={message.id} message={message} close={() => drop(message.id)} />
        ))}
      </div>
    </Current>
  );
}

function Toast({ message, close }: { message: Message; close: () => void }) {
  return (
    <div className={`toast ${message.tone}`}>
      <span>{message.text}</span>
      {message.undo.length > 0 && <Undo operations={message.undo} close={close} />}
      <Button look="quiet" aria-label="Dismiss" onClick={close}>
        ×
      </Button>
    </div>
  );
}

function Undo({ operations, close }: { operations: readonly string[]; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const undo = useChange("POST /v1/agents/{agent}/undo");
  const clicked = async () => {
    try {
      // The last first: a later change may rest on an earlier one.
      for (const operation of operations.toReversed()) await undo.mutateAsync({ path: scope.path, body: { operation, ...scope.query } });
      close();
      toasts.done("Taken back.");
    } catch (error) {
      toasts.failed(error as Failure);
    }
  };
  return (
    <Button busy={undo.isPending} onClick={() => void clicked()}>
      Undo
    </Button>
  );
}
