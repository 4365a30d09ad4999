/** Words on the canvas: names of stars and of lines, legible over whatever lies beneath. */

import type { EdgeLabelDrawingFunction, NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";
import type { Attention, Ray, Star } from "./looks";
import type { Names, Placed, Spot } from "./names";
import type { StarData } from "./stars";

const FONT = "Inter, ui-sans-serif, system-ui, sans-serif";
/** So many letters of a name are enough to know it by. */
const SHORT = 9;
/** How far along a line its words may stand. */
const ALONG = [0.5, 0.36, 0.64];

type NamedStar = Star & StarData & { key: string };

export function painting(attention: () => Attention, names: Names) {
  const write = (context: CanvasRenderingContext2D, { text, x, y, align, turn }: Placed, token: string) => {
    const { palette } = attention();
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    context.textAlign = align;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = palette.of("ground");
    context.strokeText(text, 0, 4);
    context.fillStyle = palette.of(token);
    context.fillText(text, 0, 4);
    context.restore();
  };

  const label: NodeLabelDrawingFunction<Star, Ray> = (context, data) => {
    if (!data.label) return;
    const star = data as unknown as NamedStar;
    context.font = fontOf(star);
    const { selected, marked } = attention();
    const must = star.key === selected || star.key === marked;
    const place = (text: string, last: boolean) => names.place(star.key, text, context.measureText(text).width, around(star), last);
    const brief = must ? null : shortened(data.label);
    const placed = place(data.label, must) ?? (brief && place(brief, false));
    if (placed) write(context, placed, tokenOf(star));
  };

  const hover: NodeHoverDrawingFunction<Star, Ray> = (context, data) => {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, Math.PI * 2);
    context.lineWidth = 1.5;
    context.strokeStyle = attention().palette.of("text");
    context.stroke();
    if (!data.label) return;
    const star = { ...(data as unknown as NamedStar), forceLabel: true };
    context.font = fontOf(star);
    const spots = around(star);
    const known = names.placed.get(star.key);
    const spot = known?.text === data.label ? known : names.inside(spots, context.measureText(data.label).width);
    write(context, { ...spot, text: data.label }, tokenOf(star));
  };

  const edgeLabel: EdgeLabelDrawingFunction<Star, Ray> = (context, edge, source, target) => {
    if (!edge.label) return;
    const { key } = edge as unknown as { key: string };
    context.font = `500 11px ${FONT}`;
    const [dx, dy] = [target.x - source.x, target.y - source.y];
    const text = fitted(context, edge.label, Math.hypot(dx, dy) - source.size - target.size - 14);
    if (!text) return;
    const angle = Math.atan2(dy, dx);
    const turn = Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle;
    const spots = ALONG.map((share): Spot => ({ x: source.x + dx * share, y: source.y + dy * share, align: "center", turn, ofLine: true }));
    const placed = names.place(key, text, context.measureText(text).width, spots, key === attention().hoveredLine);
    if (placed) write(context, placed, "text-soft");
  };

  return { label, hover, edgeLabel };
}

function fontOf({ role, forceLabel }: NamedStar): string {
  return role === "entity" ? `${forceLabel ? 600 : 500} 12.5px ${FONT}` : `${role === "aspect" ? 600 : 400} 11.5px ${FONT}`;
}

function tokenOf({ role }: NamedStar): string {
  return role === "proposal" ? "warn" : role === "claim" ? "text-soft" : "text";
}

/** The spots around a star, its own side first. */
function around({ x, y, size, side, ring }: NamedStar): [Spot, ...Spot[]] {
  const off = size + (ring ? 10 : 5);
  const right: Spot = { x: x + off, y, align: "left", turn: 0, ofLine: false };
  const left: Spot = { x: x - off, y, align: "right", turn: 0, ofLine: false };
  const below: Spot = { x, y: y + off + 6, align: "center", turn: 0, ofLine: false };
  const above: Spot = { x, y: y - off - 6, align: "center", turn: 0, ofLine: false };
  return side === "left" ? [left, right, below, above] : [right, left, below, above];
}

/** The beginning of a long name, for where all of it finds no room. */
function shortened(name: string): string | null {
  const letters = [...name];
  return letters.length > SHORT + 2 ? `${letters.slice(0, SHORT).join("").trimEnd()}…` : null;
}

/** A text cut to fit; nothing where not even a few letters would. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string | null {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const letters = [...text];
  const most = Math.floor((letters.length * room) / width) - 1;
  return most < 4 ? null : `${letters.slice(0, most).join("")}…`;
}
