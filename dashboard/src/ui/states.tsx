/** What a view shows when there is nothing, when it waits and when something went wrong. */

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Failure } from "../api/client";
import { Button } from "./controls";
import "./states.css";

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children && <div className="words">{children}</div>}
    </div>
  );
}

export function Waiting({ what = "Reading" }: { what?: string }) {
  return (
    <div className="state" role="status">
      <span className="pearl" aria-hidden="true" />
      <span className="words">{what} …</span>
    </div>
  );
}

export function Failed({ failure, again }: { failure: Failure; again?: () => void }) {
  return (
    <div className="state" role="alert">
      <h2>{titled(failure)}</h2>
      <div className="words">{failure.message}</div>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

function titled({ code, status }: Failure): string {
  if (code === "unreachable") return "The server does not answer";
  return status === 403 ? "This is not for your token" : "That did not work";
}

/** The data of a read once it is there; until then what it waits for, or why it failed. */
export function Read<T>({ from, children, what }: { from: UseQueryResult<T, Failure>; children: (data: T) => ReactNode; what?: string }) {
  if (from.data !== undefined) return <>{children(from.data)}</>;
  if (from.error) return <Failed failure={from.error} again={() => void from.refetch()} />;
  return <Waiting what={what} />;
}
