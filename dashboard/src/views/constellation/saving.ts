/** The picture in view as a file: SVG, and PNG made of it. */

import type Graph from "graphology";
import type Sigma from "sigma";
import { SHAPES, type Shape } from "../../ui/kinds";
import type { Ray, Star } from "./looks";
import type { Placed } from "./names";
import type { Palette } from "./palettes";
import type { StarData } from "./stars";

interface DrawnStar {
  x: number;
  y: number;
  size: number;
  colour: string;
  shape: Shape;
  ring: string | null;
}

interface DrawnLine {
  from: [number, number];
  until: [number, number];
  size: number;
  colour: string;
}

/** What is in view, in pixels. */
export interface Scene {
  width: number;
  height: number;
  ground: string;
  ink: string;
  stars: readonly DrawnStar[];
  lines: readonly DrawnLine[];
  names: readonly Placed[];
}

/** What a stage shows. */
export function sceneOf(sigma: Sigma<Star, Ray>, graph: Graph<Star, Ray>, names: ReadonlyMap<string, Placed>, palette: Palette): Scene {
  const { width, height } = sigma.getDimensions();
  const place = (id: string) => sigma.graphToViewport(graph.getNodeAttributes(id));
  const stars = graph.mapNodes((id): DrawnStar => {
    const { size, color, shape, ring } = sigma.getNodeDisplayData(id) as StarData;
    return { ...place(id), size: sigma.scaleSize(size), colour: color, shape: SHAPES[shape] ?? "circle", ring };
  });
  const lines = graph.mapEdges((key, _ray, source, target): DrawnLine => {
    const { size, color } = sigma.getEdgeDisplayData(key)!;
    const [one, other] = [place(source), place(target)];
    return { from: [one.x, one.y], until: [other.x, other.y], size, colour: color };
  });
  return { width, height, ground: palette.of("ground"), ink: palette.of("text"), stars, lines, names: [...names.values()] };
}

/** A scene as an SVG document of its own. */
export function svgOf({ width, height, ground, ink, stars, lines, names }: Scene): string {
  const halo = `stroke="${ground}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, system-ui, sans-serif">`,
    `<rect width="100%" height="100%" fill="${ground}"/>`,
    ...lines.map(({ from, until, size, colour }) => `<path d="M${point(from)}L${point(until)}" stroke="${colour}" stroke-width="${size.toFixed(1)}"/>`),
    ...stars.map(starOf),
    ...names.map((name) => nameOf(name, ink, halo)),
    "</svg>",
  ].join("\n");
}

function starOf({ x, y, size, colour, shape, ring }: DrawnStar): string {
  const body = shape === "circle" ? `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${size.toFixed(1)}" fill="${colour}"/>` : `<path d="${corners(shape, x, y, size)}" fill="${colour}"/>`;
  return ring ? `${body}<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(size + 5).toFixed(1)}" fill="none" stroke="${ring}" stroke-width="1.8"/>` : body;
}

function corners(shape: Shape, x: number, y: number, size: number): string {
  const turns = shape === "diamond" ? [0, 1, 2, 3].map((at) => at * 90) : shape === "square" ? [45, 135, 225, 315] : [-90, 30, 150];
  const points = turns.map((turn): [number, number] => {
    const angle = (turn / 180) * Math.PI;
    return [x + size * 1.24 * Math.cos(angle), y + size * 1.24 * Math.sin(angle)];
  });
  return `M${points.map(point).join("L")}Z`;
}

const ANCHORS = { left: "start", center: "middle", right: "end" } as const;

function nameOf({ x, y, align, turn, text, ofLine }: Placed, ink: string, halo: string): string {
  const look = ofLine ? 'font-size="11" opacity="0.8"' : 'font-size="12.5" font-weight="600"';
  const place = `translate(${point([x, y])}) rotate(${((turn * 180) / Math.PI).toFixed(1)})`;
  return `<text transform="${place}" y="4" text-anchor="${ANCHORS[align]}" ${look} fill="${ink}" ${halo}>${escaped(text)}</text>`;
}

function point([x, y]: [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An SVG document as a PNG, twice as fine as the screen. */
export async function pngOf(svg: string, { width, height }: Scene): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * 2, height * 2];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png"));
}
