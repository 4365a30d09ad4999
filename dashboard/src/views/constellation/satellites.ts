/** What unfolds around a selected entity: its aspects, their claims, and what is proposed for it. */

import { worded } from "../../app/wording";
import { claimName, type Drawn, type Proposal } from "./pictures";

/** What is known of an entity beyond its links. */
export interface Around {
  aspects: Drawn["aspects"];
  proposals: readonly Proposal[];
}

export interface Satellite {
  id: string;
  role: "aspect" | "claim" | "proposal";
  label: string;
  /** What it hangs on: the entity or an aspect. */
  on: string;
  /** Where, in pixels from the entity. */
  x: number;
  y: number;
}

const NEAR = 84;
const FAR = 146;
const STEP = 30;
const MOST = 18;
const LONGEST = 34;

interface Leaf {
  id: string;
  role: Satellite["role"];
  label: string;
  aspect: string | null;
}

/** The satellites of an entity, around it where its neighbours leave room; `taken` are the directions of those. */
export function satellitesOf(entity: string, { aspects, proposals }: Around, taken: readonly number[]): Satellite[] {
  const leaves = [...claimsOf(aspects), ...proposals.map(proposed)].slice(0, MOST);
  const free = room(taken);
  const angle = (at: number) => free[Math.floor(((at + 0.5) / leaves.length) * free.length)] ?? 0;
  const angles = new Map<string, number[]>();
  const around = leaves.map((leaf, at): Satellite => {
    if (leaf.aspect) angles.set(leaf.aspect, [...(angles.get(leaf.aspect) ?? []), angle(at)]);
    const distance = leaf.aspect ? FAR + (at % 2) * STEP : NEAR;
    return { id: leaf.id, role: leaf.role, label: leaf.label, on: leaf.aspect ?? entity, ...polar(distance, angle(at)) };
  });
  const between = aspects.flatMap(({ aspect }): Satellite[] => {
    const own = angles.get(aspect.id);
    if (!own) return [];
    const middle = own.reduce((sum, each) => sum + each, 0) / own.length;
    return [{ id: aspect.id, role: "aspect", label: aspect.name, on: entity, ...polar(NEAR, middle) }];
  });
  return [...between, ...around];
}

function claimsOf(aspects: Around["aspects"]): Leaf[] {
  return aspects.flatMap(({ aspect, attributes }) =>
    attributes.map((claim) => ({
      id: claim.id,
      role: "claim" as const,
      label: short(`${claimName(claim)}: ${claim.content}`),
      aspect: aspect.id,
    })),
  );
}

function proposed({ id, operation, payload }: Proposal): Leaf {
  return { id, role: "proposal", label: short(`Proposed: ${worded(operation, payload)}`), aspect: null };
}

function polar(distance: number, angle: number): { x: number; y: number } {
  return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) };
}

function short(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : text;
}

/** Directions, one for each degree, that are not close to one that is taken; all of them where none is left. */
function room(taken: readonly number[]): number[] {
  const all = Array.from({ length: 360 }, (_, degree) => (degree / 180) * Math.PI);
  const clear = Math.min(0.24, Math.PI / (taken.length * 2.5 || 1));
  const free = all.filter((angle) => taken.every((each) => Math.cos(angle - each) < Math.cos(clear)));
  return free.length ? free : all;
}
