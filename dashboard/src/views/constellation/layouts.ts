/** Where the stars are. Places are kept for each scope, so that coming back, or another moment, moves nothing. */

import { kindMass } from "../../ui/kinds";
import type { Drawn, Line, Picture } from "./pictures";

/** What the worker is given: two numbers for each place and for the ends of each line. */
export interface LayoutTask {
  places: Float32Array;
  masses: Float32Array;
  /** How far each star keeps others off, in pixels. */
  radii: Float32Array;
  fixed: Uint8Array;
  ends: Uint32Array;
  strengths: Float32Array;
  /** The side of the square that all of it is to fit into, in pixels. */
  room: number;
  /** The least that is in view, in units of the layout: few stars do not fill all of it. */
  frame: number;
  /** How much wider than high the picture is to be. */
  stretch: number;
  /** At most so many milliseconds. */
  most: number;
}

export interface LayoutAnswer {
  places: Float32Array;
  done: boolean;
  took: number;
  rounds: number;
}

export interface Place {
  x: number;
  y: number;
}

export type Places = Map<string, Place>;

/** Of the frame, in units of the layout. */
export const SHORTEST = 26;
const kept = new Map<string, Places>();
const MOST = 8_000;
/** With more newcomers than this share, all is laid out anew. */
const STRANGERS = 0.5;
const CROWD = 400;

/** The places of a scope's stars, which outlive the view. */
export function placesOf(scope: string): Places {
  const places = kept.get(scope) ?? new Map<string, Place>();
  kept.set(scope, places);
  return places;
}

/** Give a place to every star that has none, and say which these were. */
export function settle(picture: Picture, places: Places): string[] {
  const strangers = [...picture.stars.keys()].filter((id) => !places.has(id));
  if (strangers.length > picture.stars.size * STRANGERS) {
    const together = picture.stars.size > CROWD ? (one: Drawn, other: Drawn) => group(one).localeCompare(group(other)) : () => 0;
    const ordered = [...picture.stars.values()].sort((a, b) => together(a, b) || weight(b) - weight(a));
    ordered.forEach(({ entity }, at) => places.set(entity.id, spiral(at)));
    return [...picture.stars.keys()];
  }
  for (const id of strangers) places.set(id, beside(id, picture, places));
  return strangers;
}

/** Where there are many, those of a community start side by side, and those of none at the rim. */
function group({ communityId }: Drawn): string {
  return communityId ?? "~";
}

function weight({ degree, entity }: Drawn): number {
  return kindMass(entity.entityType) + degree;
}

/** Places on a sunflower: the first in the centre. */
function spiral(at: number): Place {
  const [distance, angle] = [14 * Math.sqrt(at + 0.5), at * 2.399963];
  return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) };
}

/** A place between the neighbours that have one; each star a little to its own side. */
function beside(id: string, picture: Picture, places: Places): Place {
  const known = [...(picture.near.get(id) ?? [])].flatMap((each) => places.get(each) ?? []);
  const angle = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 6283, 7) / 1000;
  const off = known.length ? 12 : 60;
  const mean = (axis: "x" | "y") => known.reduce((sum, place) => sum + place[axis], 0) / (known.length || 1);
  return { x: mean("x") + off * Math.cos(angle), y: mean("y") + off * Math.sin(angle) };
}

interface Run {
  picture: Picture;
  places: Places;
  moving: ReadonlySet<string>;
  radius: (id: string) => number;
  room: number;
  stretch: number;
  moved: (answer: LayoutAnswer) => void;
}

/** Lay out in a worker; only stars in `moving` move. Returns a way to stop it. */
export function layOut({ moved, ...run }: Run): () => void {
  const { picture, places } = run;
  const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  const ids = [...picture.stars.keys()];
  // Only the last answer before a frame is drawn: a slow page does not fall behind.
  let last: LayoutAnswer | null = null;
  let frame = 0;
  const draw = () => {
    frame = 0;
    if (!last) return;
    const { places: found } = last;
    ids.forEach((id, at) => places.set(id, { x: found[at * 2] ?? 0, y: found[at * 2 + 1] ?? 0 }));
    moved(last);
  };
  worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
    last = data;
    if (data.done) worker.terminate();
    frame ||= requestAnimationFrame(draw);
  };
  worker.postMessage(task(ids, run));
  return () => {
    worker.terminate();
    cancelAnimationFrame(frame);
  };
}

function task(ids: readonly string[], { picture, places, moving, radius, room, stretch }: Omit<Run, "moved">): LayoutTask {
  const index = new Map(ids.map((id, at) => [id, at]));
  return {
    places: Float32Array.from(ids.flatMap((id) => [places.get(id)?.x ?? 0, places.get(id)?.y ?? 0])),
    masses: Float32Array.from(ids, (id) => kindMass(picture.stars.get(id)?.entity.entityType ?? "")),
    radii: Float32Array.from(ids, radius),
    fixed: Uint8Array.from(ids, (id) => (moving.has(id) ? 0 : 1)),
    ends: Uint32Array.from(picture.lines.flatMap((line: Line) => [index.get(line.source) ?? 0, index.get(line.target) ?? 0])),
    strengths: Float32Array.from(picture.lines, (line) => line.strength),
    room,
    frame: SHORTEST,
    stretch,
    most: MOST,
  };
}
