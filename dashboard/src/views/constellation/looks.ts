/** How each star and each line looks: its colour, its size, and whether it stands out or is dimmed. */

import type { EdgeDisplayData } from "sigma/types";
import { kindMass } from "../../ui/kinds";
import type { Palette } from "./palettes";
import type { Drawn, Line } from "./pictures";
import type { Satellite } from "./satellites";
import type { StarData } from "./stars";

/** A node of the drawing. */
export interface Star {
  x: number;
  y: number;
  label: string;
  token: string;
  shape: number;
  size: number;
  degree: number;
  /** Whether its name is always there. */
  named: boolean;
  role: "entity" | Satellite["role"];
  /** Satellites on the left have their label on the left. */
  side: "left" | "right";
}

export interface Ray {
  line: Line | null;
  size: number;
}

/** What the reader points at, and what follows from it. */
export interface Attention {
  selected: string | null;
  /** How far to the right the selected one stands. */
  centre: number;
  /** The neighbour that Enter would go to. */
  marked: string | null;
  near: ReadonlySet<string>;
  /** Entities that stand out together, with the lines between them; none means that nothing is singled out. */
  lit: ReadonlySet<string>;
  /** Those of them that have only just come. */
  fresh: ReadonlySet<string>;
  /** The star under the pointer, and the line under it. */
  hovered: string | null;
  hoveredLine: string | null;
  /** Entities that a proposal waits for, where they are marked. */
  waiting: ReadonlySet<string>;
  /** How much of a star is there while it comes or goes, from 0 to 1. */
  presence: ReadonlyMap<string, number>;
  palette: Palette;
  /** Whether there is so much that lines are drawn thin and plain. */
  large: boolean;
}

const GLOWING = 4;
const DIM = 0.2;
/** More neighbours than this are not all named at once. */
const NAMED = 40;
const ROLES = { aspect: "text-soft", claim: "accent", proposal: "warn" } as const;

/** The radius of an entity in pixels: by its kind, and a little by its links; smaller where there are many. */
export function radiusOf({ entity, degree }: Drawn, count: number): number {
  const crowd = Math.min(1, Math.max(0.38, (160 / count) ** 0.28));
  return (3 + kindMass(entity.entityType) * 1.05 + Math.min(3, Math.sqrt(degree) * 0.6)) * crowd;
}

/** Whether a star stands out, is as it is, or is dimmed. */
export function standing(id: string, { selected, near, lit }: Pick<Attention, "selected" | "near" | "lit">): "selected" | "near" | "plain" | "dimmed" {
  if (id === selected) return "selected";
  if (lit.size) return lit.has(id) ? "near" : "dimmed";
  if (selected === null) return "plain";
  return near.has(id) ? "near" : "dimmed";
}

export function starLook(id: string, star: Star, attention: Attention): Partial<StarData & Star> {
  const there = attention.presence.get(id) ?? 1;
  if (star.role !== "entity") return satelliteLook(star, there, attention.palette);
  const how = standing(id, attention);
  const dimmed = how === "dimmed";
  const few = (attention.lit.size || attention.near.size) <= NAMED;
  const ring = ringOf(id, how === "selected", attention);
  return {
    ...star,
    ...(how === "near" ? { side: star.x < attention.centre ? "left" : "right" } : {}),
    label: dimmed ? "" : star.label,
    color: attention.palette.faded(star.token, (dimmed ? DIM : 1) * there),
    size: star.size * (how === "selected" ? 1.25 : 1) * (0.3 + 0.7 * there),
    glow: star.degree >= GLOWING && !dimmed ? there * (how === "selected" ? 1 : attention.large ? 0.4 : 0.85) : 0,
    ring: ring && attention.palette.faded(ring, (dimmed ? 0.45 : 1) * there),
    forceLabel: (how === "plain" && star.named && there > 0.5) || how === "selected" || id === attention.marked || (how === "near" && few),
    zIndex: { dimmed: 0, plain: 1, near: 2, selected: 3 }[how],
  };
}

function ringOf(id: string, selected: boolean, { marked, lit, fresh, waiting }: Attention): string | null {
  if (selected) return "text";
  if (fresh.has(id)) return "good";
  if (id === marked || lit.has(id)) return "accent";
  return waiting.has(id) ? "warn" : null;
}

function satelliteLook(star: Star, there: number, palette: Palette): Partial<StarData & Star> {
  const token = star.role === "entity" ? star.token : ROLES[star.role];
  return { ...star, color: palette.faded(token, there), size: star.size * there, glow: 0, ring: null, forceLabel: there > 0.5, zIndex: 2 };
}

export function rayLook(ray: Ray, source: string, target: string, attention: Attention): Partial<EdgeDisplayData> {
  const { palette, selected, lit, presence, large } = attention;
  const there = Math.min(presence.get(source) ?? 1, presence.get(target) ?? 1);
  if (!ray.line) return { color: palette.faded("text-faint", 0.7 * there), size: 1, zIndex: 1, type: "line" };
  const ends = [source, target];
  if (!standsOut(ray.line, ends, attention)) {
    const share = lit.size || selected !== null ? 0.14 : 0.42;
    return { color: palette.faded("text-faint", share * there), size: ray.size, zIndex: 0, type: large ? "thin" : "line" };
  }
  const along = lit.size > 0 && ends.every((id) => lit.has(id));
  const marked = ends.includes(attention.marked ?? "") || ray.line.key === attention.hoveredLine;
  return {
    color: palette.faded(along || marked ? "accent" : "text-faint", there),
    size: ray.size + 0.8,
    label: ray.line.labels.join(", "),
    forceLabel: marked || (lit.size || attention.near.size) <= NAMED,
    zIndex: 1,
    type: ray.line.directed ? "arrow" : "line",
  };
}

/** Lines stand out between those that are lit, at the selected star, and under the pointer. */
function standsOut({ key }: Line, ends: readonly string[], { selected, lit, hovered, hoveredLine }: Attention): boolean {
  if (key === hoveredLine || (hovered !== null && ends.includes(hovered))) return true;
  if (lit.size) return ends.every((id) => lit.has(id));
  return selected !== null && ends.includes(selected);
}
