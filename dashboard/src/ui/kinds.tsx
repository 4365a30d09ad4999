/** Kinds of entity: the colour, the shape and the size of each. No two kinds look alike. */

/** In the order of the numbers that the canvas knows them by. */
export const SHAPES = ["circle", "diamond", "square", "triangle"] as const;
export type Shape = (typeof SHAPES)[number];

/** Kinds of one colour are akin; their shapes tell them apart, so nobody has to tell colours apart. */
const LOOKS: Record<string, readonly [kinds: string, ...string[]]> = {
  person: ["person", "agent"],
  organization: ["organization", "policy", "source", "object_type"],
  project: ["project", "product", "task", "workflow"],
  place: ["place", "location"],
  event: ["event", "time", "action", "observation"],
  tool: ["tool", "technology", "system", "skill"],
  concept: ["concept", "topic", "preference", "fact"],
  document: ["document", "artifact", "asset", "claim_value"],
  other: ["unknown", "claim_slot", "interface"],
};

const KNOWN = new Map(
  Object.entries(LOOKS).flatMap(([colour, kinds]) => kinds.map((kind, at): [string, [string, Shape]] => [kind, [colour, SHAPES[at] ?? "circle"]])),
);

/** How heavy a kind is: heavy ones are drawn large and drawn to the centre. */
const MASSES: Record<string, number> = {
  organization: 8,
  project: 6,
  product: 6,
  event: 5,
  document: 4,
  person: 4,
  tool: 4,
  technology: 4,
  location: 4,
  place: 4,
};

function lookOf(kind: string): [colour: string, shape: Shape] {
  return KNOWN.get(kind.toLowerCase().replaceAll(" ", "_")) ?? ["other", "circle"];
}

/** The colour token of a kind, without its dashes. */
export function kindToken(kind: string): string {
  return `type-${lookOf(kind)[0]}`;
}

/** The shape that a kind is drawn with. */
export function kindShape(kind: string): Shape {
  return lookOf(kind)[1];
}

/** The mass of a kind, from 3 to 8. */
export function kindMass(kind: string): number {
  return MASSES[kind.toLowerCase()] ?? 3;
}

const OUTLINES: Record<Shape, string> = {
  circle: "M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z",
  diamond: "M6 .5 11.5 6 6 11.5.5 6Z",
  square: "M1.8 1.8h8.4v8.4H1.8Z",
  triangle: "M6 1 11.4 10.4H.6Z",
};

/** A small sign of a colour and a shape, as the constellation draws them. */
export function Sign({ token, shape = "circle" }: { token: string; shape?: Shape }) {
  return (
    <svg className="sign" width="11" height="11" viewBox="0 0 12 12" aria-hidden="true" data-shape={shape} style={{ color: `var(--${token})` }}>
      <path d={OUTLINES[shape]} fill="currentColor" />
    </svg>
  );
}

export function Kind({ of }: { of: string }) {
  return (
    <span className="badge" style={{ color: `var(--${kindToken(of)})` }}>
      <Sign token={kindToken(of)} shape={kindShape(of)} /> {of}
    </span>
  );
}
