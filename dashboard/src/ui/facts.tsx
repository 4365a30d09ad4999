/** A list of facts: what each is called, and what it is. */

import type { ReactNode } from "react";
import "./facts.css";

/** Facts in two columns; a view that lays them out otherwise has a `dl` of its own. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
