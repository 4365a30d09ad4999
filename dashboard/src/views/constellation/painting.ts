/** Words on the canvas: names of stars and of lines, legible over whatever lies beneath. */

import type { EdgeLabelDrawingFunction, NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";
import type { Ray, Star } from "./looks";
import type { Palette } from "./palettes";
import type { StarData } from "./stars";

const FONT = "Inter, ui-sans-serif, system-ui, sans-serif";

export function painting(palette: () => Palette) {
  const write = (context: CanvasRenderingContext2D, text: string, x: number, y: number, token: string) => {
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = palette().of("ground");
    context.strokeText(text, x, y);
    context.fillStyle = palette().of(token);
    context.fillText(text, x, y);
  };

  const label: NodeLabelDrawingFunction<Star, Ray> = (context, data) => {
    if (!data.label) return;
    const { role, side, ring } = data as unknown as Star & StarData;
    const own = role === "entity";
    context.font = own ? `${data.forceLabel ? 600 : 500} 12.5px ${FONT}` : `${role === "aspect" ? 600 : 400} 11.5px ${FONT}`;
    const left = side === "left";
    context.textAlign = left ? "right" : "left";
    const token = own ? "text" : role === "proposal" ? "warn" : role === "aspect" ? "text" : "text-soft";
    write(context, data.label, data.x + (left ? -1 : 1) * (data.size + (ring ? 10 : 5)), data.y + 4, token);
    context.textAlign = "left";
  };

  const hover: NodeHoverDrawingFunction<Star, Ray> = (context, data, settings) => {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, Math.PI * 2);
    context.lineWidth = 1.5;
    context.strokeStyle = palette().of("text");
    context.stroke();
    label(context, { ...data, forceLabel: true }, settings);
  };

  const edgeLabel: EdgeLabelDrawingFunction<Star, Ray> = (context, edge, source, target) => {
    if (!edge.label) return;
    context.font = `500 11px ${FONT}`;
    const [dx, dy] = [target.x - source.x, target.y - source.y];
    const room = Math.hypot(dx, dy) - source.size - target.size - 14;
    const text = fitted(context, edge.label, room);
    if (!text) return;
    const turn = Math.atan2(dy, dx);
    context.save();
    context.translate((source.x + target.x) / 2, (source.y + target.y) / 2);
    context.rotate(Math.abs(turn) > Math.PI / 2 ? turn + Math.PI : turn);
    context.textAlign = "center";
    write(context, text, 0, 4, "text-soft");
    context.restore();
  };

  return { label, hover, edgeLabel };
}

/** A text cut to fit; nothing where not even a few letters would. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string | null {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const letters = [...text];
  const most = Math.floor((letters.length * room) / width) - 1;
  return most < 4 ? null : `${letters.slice(0, most).join("")}…`;
}
