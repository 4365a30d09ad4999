/** Colours for the canvas, read off the theme's tokens. */

import { colour } from "../../app/themes";
import type { Constellation } from "./pictures";

const HUES = ["project", "organization", "place", "concept", "person", "event", "tool", "document"];
const TOKENS = ["ground", "text", "text-soft", "text-faint", "accent", "good", "warn", ...[...HUES, "other"].map((hue) => `type-${hue}`)];

/** The tokens by name, and mixtures of any with the ground. */
export class Palette {
  private readonly values: ReadonlyMap<string, string>;
  private readonly mixed = new Map<string, string>();

  constructor() {
    this.values = new Map(TOKENS.map((token) => [token, colour(token)]));
  }

  of(token: string): string {
    return this.values.get(token) ?? this.values.get("type-other") ?? "#888888";
  }

  /** A token faded into the ground: 1 is the token, 0 the ground. */
  faded(token: string, share: number): string {
    if (share >= 1) return this.of(token);
    const key = `${token} ${share.toFixed(2)}`;
    let found = this.mixed.get(key);
    if (!found) this.mixed.set(key, (found = mix(this.of(token), this.of("ground"), share)));
    return found;
  }
}

function mix(one: string, other: string, share: number): string {
  const [a, b] = [parts(one), parts(other)];
  return `#${a.map((value, at) => Math.round(value * share + (b[at] ?? 0) * (1 - share)).toString(16).padStart(2, "0")).join("")}`;
}

function parts(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** The token of each community: the largest get colours of their own, the rest share one. */
export function communityTokens(constellation: Constellation): Map<string, string> {
  const largest = [...constellation.communities].sort((a, b) => b.memberCount - a.memberCount || a.name.localeCompare(b.name));
  return new Map(largest.map(({ id }, at) => [id, `type-${HUES[at] ?? "other"}`]));
}
