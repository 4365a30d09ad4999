/** The frame of a view: its title, what can be done with all of it, and the view itself. */

import { useEffect, type ReactNode } from "react";
import "./pages.css";

export function Page({ title, lead, tools, children }: { title: string; lead?: ReactNode; tools?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Nacre`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {tools && <div className="page-tools">{tools}</div>}
      </header>
      {children}
    </div>
  );
}

export function Panel({ title, tools, children }: { title?: string; tools?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      {(title || tools) && (
        <header className="panel-head">
          {title && <h2>{title}</h2>}
          {tools && <div className="page-tools">{tools}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
