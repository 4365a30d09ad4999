/** All that the log holds of one change. */

import type { ReactNode } from "react";
import { to } from "../../app/routes";
import { Fact, Facts } from "../../ui/facts";
import { Time } from "../../ui/times";
import type { Naming } from "../review/words";
import { Rows } from "./Rows";
import type { Change } from "./records";

export function Details({ of, naming }: { of: Change; naming: Naming }) {
  return (
    <div className="audit-details">
      <Rows of={of.id} />
      <Given of={of} naming={naming} />
    </div>
  );
}

function Given({ of, naming }: { of: Change; naming: Naming }) {
  const given = Object.entries(of.payload).filter(([, value]) => value !== null && value !== "" && !isBare(value));
  return (
    <Facts>
      <Fact name="When">
        <Time at={of.at} />
      </Fact>
      <Fact name="Operation">
        <code>{of.operation}</code> by <code>{of.actor}</code>
      </Fact>
      {of.reason && <Fact name="Why">{of.reason}</Fact>}
      {given.map(([name, value]) => (
        <Fact key={name} name={name.replaceAll("_", " ")}>
          {shown(value, naming)}
        </Fact>
      ))}
      {of.grounds && (
        <Fact name="Grounds">
          <pre>{JSON.stringify(of.grounds, null, 2)}</pre>
        </Fact>
      )}
      {of.proposal && (
        <Fact name="Proposal">
          <a href={to("review", of.proposal)}>{of.proposal}</a>
        </Fact>
      )}
      {of.undoes && (
        <Fact name="Takes back">
          <a href={to("audit", null, { about: of.undoes })}>{of.undoes}</a>
        </Fact>
      )}
      {of.undone_by && (
        <Fact name="Taken back by">
          <a href={to("audit", null, { about: of.undone_by })}>{of.undone_by}</a>
        </Fact>
      )}
      <Fact name="Id">
        <code>{of.id}</code>
      </Fact>
      <Fact name="Batch">
        <a href={to("audit", null, { about: of.batch })}>{of.batch}</a>
      </Fact>
    </Facts>
  );
}

function isBare(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function shown(value: unknown, naming: Naming): ReactNode {
  if (typeof value === "string") return naming(value);
  if (typeof value === "object") return <pre>{JSON.stringify(value, null, 2)}</pre>;
  return String(value);
}
