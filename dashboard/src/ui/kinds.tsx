/** Kinds of entity: the colour and the size of each. */

const COLOURS: Record<string, string> = {
  person: "person",
  organization: "organization",
  team: "organization",
  company: "organization",
  project: "project",
  product: "project",
  task: "project",
  location: "place",
  place: "place",
  event: "event",
  date: "event",
  tool: "tool",
  technology: "tool",
  skill: "tool",
  agent: "tool",
  concept: "concept",
  topic: "concept",
  asset: "concept",
  document: "document",
  url: "document",
};

/** How heavy a kind is: heavy ones are drawn large and drawn to the centre. */
const MASSES: Record<string, number> = {
  organization: 8,
  company: 8,
  team: 7,
  project: 6,
  product: 6,
  event: 5,
  document: 4,
  person: 4,
  tool: 4,
  technology: 4,
  location: 4,
  place: 4,
  task: 3,
};

/** The colour token of a kind, without its dashes. */
export function kindToken(kind: string): string {
  return `type-${COLOURS[kind.toLowerCase()] ?? "other"}`;
}

/** The mass of a kind, from 3 to 8. */
export function kindMass(kind: string): number {
  return MASSES[kind.toLowerCase()] ?? 3;
}

export function Kind({ of }: { of: string }) {
  return (
    <span className="badge" style={{ color: `var(--${kindToken(of)})` }}>
      <span aria-hidden="true">●</span> {of}
    </span>
  );
}
