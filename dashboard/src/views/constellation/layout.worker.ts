/** Moves stars to their places, away from the page's own thread: ForceAtlas2, then stars that overlap move apart. */

import iterate from "graphology-layout-forceatlas2/iterate";
import type { LayoutAnswer, LayoutTask } from "./layouts";

// What ForceAtlas2 keeps of a node: its place, four speeds, mass, convergence, size, and whether it stays.
const WIDTH = 10;
const [X, Y, MASS, CONVERGENCE, SIZE, FIXED] = [0, 1, 6, 7, 8, 9] as const;
/** The page is told where the stars are so often, in milliseconds. */
const EVERY = 150;
/** Moving overlapping stars apart may take a tenth as long as the forces. */
const PARTING = 0.1;
const LIGHTEST = 3;
/** With more stars than this, those far away are taken together. */
const CROWD = 400;

self.onmessage = ({ data }: MessageEvent<LayoutTask>) => {
  const began = performance.now();
  const count = data.places.length / 2;
  const nodes = nodeMatrix(data);
  const edges = new Float32Array(data.ends.length * 1.5);
  for (let at = 0; at < data.ends.length / 2; at++) {
    edges[at * 3] = (data.ends[at * 2] ?? 0) * WIDTH;
    edges[at * 3 + 1] = (data.ends[at * 2 + 1] ?? 0) * WIDTH;
    edges[at * 3 + 2] = data.strengths[at] ?? 1;
  }
  const settings = forces(count);
  const rounds = Math.round(Math.min(700, Math.max(250, 60_000 / count)));
  let told = began;
  let done = 0;
  for (; done < rounds && performance.now() - began < data.most; done++) {
    iterate(settings, nodes, edges);
    pull(nodes, data.masses);
    if (performance.now() - told < EVERY) continue;
    told = performance.now();
    tell(nodes, data.stretch, false, told - began, done);
  }
  for (let node = X; node < nodes.length; node += WIDTH) nodes[node]! *= data.stretch;
  part(nodes, data.radii, Math.max(extent(nodes), data.frame) / data.room, performance.now() + data.most * PARTING);
  tell(nodes, 1, true, performance.now() - began, done);
};

function nodeMatrix({ places, masses, radii, fixed, ends }: LayoutTask): Float32Array {
  const nodes = new Float32Array(masses.length * WIDTH);
  for (let at = 0; at < masses.length; at++) {
    const node = at * WIDTH;
    nodes[node + X] = places[at * 2] ?? 0;
    nodes[node + Y] = places[at * 2 + 1] ?? 0;
    nodes[node + MASS] = 1;
    nodes[node + CONVERGENCE] = 1;
    nodes[node + SIZE] = radii[at] ?? 1;
    nodes[node + FIXED] = fixed[at] ?? 0;
  }
  for (const end of ends) nodes[end * WIDTH + MASS]! += 1;
  return nodes;
}

/** Forces by the number of stars: small graphs stand close, large ones spread. */
function forces(count: number) {
  return {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 0.5,
    scalingRatio: 4 + 1.6 * Math.log2(1 + count),
    strongGravityMode: true,
    gravity: 1.2 / Math.sqrt(1 + count),
    slowDown: 1 + Math.log(1 + count),
    barnesHutOptimize: count > CROWD,
    barnesHutTheta: 0.9,
  };
}

/** Heavy kinds are drawn to the centre. */
function pull(nodes: Float32Array, masses: Float32Array): void {
  for (let at = 0; at < masses.length; at++) {
    const node = at * WIDTH;
    if (nodes[node + FIXED]) continue;
    const keep = 1 - 0.003 * ((masses[at] ?? LIGHTEST) - LIGHTEST);
    nodes[node + X]! *= keep;
    nodes[node + Y]! *= keep;
  }
}

/** Move stars apart that would overlap when a pixel is so many units. Neighbours are found in a grid. */
function part(nodes: Float32Array, radii: Float32Array, unit: number, until: number): void {
  const largest = Math.max(...radii) * 2 * unit || 1;
  for (let round = 0; round < 24 && performance.now() < until; round++) if (!partOnce(nodes, radii, unit, largest)) return;
}

function partOnce(nodes: Float32Array, radii: Float32Array, unit: number, cell: number): boolean {
  const grid = new Map<number, number[]>();
  const place = (value: number) => Math.floor(value / cell);
  const keyOf = (column: number, row: number) => column * 65_536 + row;
  for (let at = 0; at < radii.length; at++) {
    const key = keyOf(place(nodes[at * WIDTH + X]!), place(nodes[at * WIDTH + Y]!));
    const held = grid.get(key);
    if (held) held.push(at);
    else grid.set(key, [at]);
  }
  let moved = false;
  for (let at = 0; at < radii.length; at++) {
    const [column, row] = [place(nodes[at * WIDTH + X]!), place(nodes[at * WIDTH + Y]!)];
    for (let c = column - 1; c <= column + 1; c++)
      for (let r = row - 1; r <= row + 1; r++)
        for (const other of grid.get(keyOf(c, r)) ?? [])
          if (other > at) moved = separate(nodes, at, other, (radii[at]! + radii[other]!) * unit) || moved;
  }
  return moved;
}

function separate(nodes: Float32Array, one: number, other: number, wanted: number): boolean {
  const [a, b] = [one * WIDTH, other * WIDTH];
  let [dx, dy] = [nodes[b + X]! - nodes[a + X]!, nodes[b + Y]! - nodes[a + Y]!];
  let distance = Math.hypot(dx, dy);
  if (distance >= wanted || (nodes[a + FIXED] && nodes[b + FIXED])) return false;
  if (distance < 1e-6) [dx, dy, distance] = [Math.cos(one + other) * 1e-3, Math.sin(one + other) * 1e-3, 1e-3];
  const share = nodes[a + FIXED] || nodes[b + FIXED] ? 1 : 0.5;
  const step = ((wanted - distance) / distance) * share;
  if (!nodes[a + FIXED]) {
    nodes[a + X]! -= dx * step;
    nodes[a + Y]! -= dy * step;
  }
  if (!nodes[b + FIXED]) {
    nodes[b + X]! += dx * step;
    nodes[b + Y]! += dy * step;
  }
  return true;
}

function extent(nodes: Float32Array): number {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < nodes.length; node += WIDTH) {
    left = Math.min(left, nodes[node + X]!);
    right = Math.max(right, nodes[node + X]!);
    low = Math.min(low, nodes[node + Y]!);
    high = Math.max(high, nodes[node + Y]!);
  }
  return Math.max(right - left, high - low) || 1;
}

function tell(nodes: Float32Array, stretch: number, done: boolean, took: number, rounds: number): void {
  const places = new Float32Array((nodes.length / WIDTH) * 2);
  for (let at = 0; at < places.length / 2; at++) {
    places[at * 2] = nodes[at * WIDTH + X]! * stretch;
    places[at * 2 + 1] = nodes[at * WIDTH + Y]!;
  }
  const answer: LayoutAnswer = { places, done, took, rounds };
  postMessage(answer, { transfer: [places.buffer] });
}
