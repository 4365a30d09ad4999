/** A read about an entity that is in force; looked at as of earlier it may not be so today, and that is no failure. */

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Failure } from "../../api/client";
import { Read } from "../../ui/states";
import type { Shown } from "./shown";

interface InForceProps<T> {
  from: UseQueryResult<T, Failure>;
  shown: Shown;
  what: string;
  children: (data: T) => ReactNode;
}

export function InForce<T>({ from, shown, what, children }: InForceProps<T>) {
  if (shown.asOf && from.error?.status === 404) return <p className="entities-none">It is out of force today, so there is nothing to show here.</p>;
  return (
    <Read from={from} what={what}>
      {children}
    </Read>
  );
}
