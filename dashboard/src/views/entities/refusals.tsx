/** Changes that were refused: why, beside what was asked, and a second yes where force would carry them out. */

import type { ReactNode } from "react";

export function Refusal({ children }: { children: string }) {
  return (
    <p className="entities-refusal" role="alert">
      {children}
    </p>
  );
}

export function Force({ chosen, choose, children }: { chosen: boolean; choose: (chosen: boolean) => void; children: ReactNode }) {
  return (
    <label className="entities-force">
      <input type="checkbox" required checked={chosen} onChange={(event) => choose(event.target.checked)} />
      <span>{children}</span>
    </label>
  );
}
