/** Where the camera stands: over all of it, close to one star, or so that some stars fill the view. */

import type Sigma from "sigma";
import type { CameraState, Extent } from "sigma/types";
import { SHORTEST } from "./layouts";
import type { Ray, Star } from "./looks";

type Stars = Sigma<Star, Ray>;

export const WHOLE: CameraState = { x: 0.5, y: 0.5, angle: 0, ratio: 1 };
/** Stars that are singled out are brought no closer than this. */
const CLOSEST = 0.5;
/** What names need beside and above the stars, as shares of the stage; at most so many pixels. */
const MARGIN = { x: 0.2, y: 0.16, most: 110 };

/** How many units of the graph a pixel is, as a camera sees it. */
export function unit(sigma: Stars, cameraState: CameraState): number {
  const [one, other] = [0, 100].map((x) => sigma.viewportToGraph({ x, y: 0 }, { cameraState }));
  return one && other ? distance(one, other) / 100 : 1;
}

/** The camera close to a star: half of its neighbours stand within a third of the view. */
export function closeTo(sigma: Stars, id: string, neighbours: Iterable<string>): CameraState {
  const graph = sigma.getGraph();
  const { x, y } = sigma.getNodeDisplayData(id) ?? WHOLE;
  const centre = graph.getNodeAttributes(id);
  const far = [...neighbours].map((each) => distance(centre, graph.getNodeAttributes(each))).sort((a, b) => a - b);
  const middle = far[Math.floor(far.length / 2)];
  const { width, height } = sigma.getDimensions();
  const wanted = Math.min(width, height) * 0.36;
  const ratio = middle ? middle / unit(sigma, WHOLE) / wanted : 0.5;
  return { x, y, angle: 0, ratio: Math.min(1, Math.max(0.02, ratio)) };
}

/** The camera that has some stars and their names in view. */
export function over(sigma: Stars, ids: readonly string[]): CameraState {
  const graph = sigma.getGraph();
  const places = ids.filter((id) => graph.hasNode(id)).map((id) => sigma.graphToViewport(graph.getNodeAttributes(id), { cameraState: WHOLE }));
  if (!places.length) return WHOLE;
  const { width, height } = sigma.getDimensions();
  const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))];
  const across = (right - left) / (width - 2 * Math.min(MARGIN.most, width * MARGIN.x));
  const down = (bottom - top) / (height - 2 * Math.min(MARGIN.most, height * MARGIN.y));
  const { x, y } = sigma.viewportToFramedGraph({ x: (left + right) / 2, y: (top + bottom) / 2 }, { cameraState: WHOLE });
  return { x, y, angle: 0, ratio: Math.min(1, Math.max(CLOSEST, across, down)) };
}

/** A stretch that holds both, and is never so short that two stars fill the stage. */
export function framed([low, high]: Extent, held: Extent = [low, high]): Extent {
  const stretch: Extent = [Math.min(low, held[0]), Math.max(high, held[1])];
  const short = Math.max(0, SHORTEST - (stretch[1] - stretch[0])) / 2;
  return [stretch[0] - short, stretch[1] + short];
}

/** Whether the reader asked for less motion. */
export function still(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
