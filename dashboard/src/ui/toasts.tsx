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
  /** The id of the change in the audit log. */
  undo: string | null;
}

interface Toasts {
  /** Say that something was done; with the id of the change, offer to take it back. */
  done: (text: string, undo?: string | null) => void;
  failed: (failure: Failure) => void;
}

const Current = createContext<Toasts | null>(null);
const SECONDS = 9;

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
      window.setTimeout(() => drop(id), SECONDS * 1000);
    },
    [drop],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      done: (text, undo = null) => add({ text, tone: "plain", undo }),
      failed: (failure) => add({ text: failure.message, tone: "bad", undo: null }),
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
      {message.undo && <Undo operation={message.undo} close={close} />}
      <Button look="quiet" aria-label="Dismiss" onClick={close}>
        ×
      </Button>
    </div>
  );
}

function Undo({ operation, close }: { operation: string; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const undo = useChange("POST /v1/agents/{agent}/undo", () => {
    close();
    toasts.done("Taken back.");
  });
  const clicked = () => undo.mutate({ path: scope.path, body: { operation, ...scope.query } }, { onError: toasts.failed });
  return (
    <Button busy={undo.isPending} onClick={clicked}>
      Undo
    </Button>
  );
}
