/** What each channel of recall gave to a hit. */

import type { Hit } from "./asking";

interface Channel {
  /** How much it counts: of channels as in `recall/fusion.py`, of the second look beside them as in `recall/reranking.py`. */
  weight: number;
  evidence: string;
  colour: string;
}

const CHANNELS: Record<string, Channel> = {
  lexical: { weight: 1, evidence: "the words of the passage itself", colour: "type-person" },
  window: { weight: 1, evidence: "the words of the passage and its neighbours", colour: "type-project" },
  talk: { weight: 1, evidence: "the words of the talk around it", colour: "type-person" },
  session: { weight: 0.8, evidence: "the words of the whole conversation", colour: "type-place" },
  vector: { weight: 0.7, evidence: "closeness in meaning", colour: "type-organization" },
  speaker: { weight: 0.3, evidence: "said by the person the question names", colour: "type-event" },
  time: { weight: 0.5, evidence: "from the days the question speaks of", colour: "type-other" },
  entity: { weight: 0.1, evidence: "speaks of whom the question names, by whatever name", colour: "type-tool" },
  hop: { weight: 0.15, evidence: "speaks of what the first passages speak of", colour: "type-document" },
  about: { weight: 0.35, evidence: "begins with whom the first passages speak of", colour: "type-person" },
  graph: { weight: 0.2, evidence: "bears out what the graph knows of them", colour: "accent" },
  tokens: { weight: 0.4, evidence: "compared with the question token by token", colour: "type-concept" },
  rerank: { weight: 0.35, evidence: "read once more, together with the question", colour: "type-concept" },
};

export interface Part {
  channel: string;
  /** As the channel gave it; only comparable within the channel. */
  raw: number;
  /** Beside the best hit of this answer, from 0 to 1. */
  scaled: number;
  /** Its part of the hit's score. */
  given: number;
}

type Range = Record<string, { low: number; high: number }>;

/** How the score of each hit came about: channels are scaled by their best here, weighted, and share the score. */
export function partsOf(hits: readonly Hit[]): Map<string, Part[]> {
  const range: Range = {};
  for (const channel of Object.keys(CHANNELS)) {
    const found = hits.flatMap((hit) => hit.channels[channel] ?? []);
    // What a second look says has no zero of its own: the last of those it read is.
    if (found.length) range[channel] = { low: channel === "rerank" ? Math.min(...found) : 0, high: Math.max(...found) };
  }
  return new Map(hits.map((hit) => [hit.id, split(hit, range)]));
}

function split(hit: Hit, range: Range): Part[] {
  const seen = Object.entries(range).filter(([channel]) => hit.channels[channel] !== undefined);
  const parts = seen.map(([channel, { low, high }]) => {
    const raw = hit.channels[channel] ?? 0;
    const scaled = high > low ? (raw - low) / (high - low) : 1;
    return { channel, raw, scaled, given: scaled * shareOf(channel, range) };
  });
  const whole = parts.reduce((sum, part) => sum + part.given, 0) || 1;
  return parts.map((part) => ({ ...part, given: (part.given / whole) * hit.score }));
}

/** The part of a whole score that a channel can give. */
function shareOf(channel: string, range: Range): number {
  const weight = (name: string) => CHANNELS[name]?.weight ?? 0;
  if (channel === "rerank") return weight("rerank");
  const all = Object.keys(range).reduce((sum, name) => (name === "rerank" ? sum : sum + weight(name)), 0) || 1;
  return (weight(channel) / all) * (range.rerank ? 1 - weight("rerank") : 1);
}

function colourOf(channel: string): string {
  return `var(--${CHANNELS[channel]?.colour ?? "type-other"})`;
}

/** The score as a bar, each channel's part in its colour. */
export function ChannelBar({ parts, score }: { parts: readonly Part[]; score: number }) {
  const told = parts.map((part) => `${part.channel} ${part.given.toFixed(2)}`).join(", ");
  return (
    <span className="recall-bar" role="img" aria-label={`Score ${score.toFixed(2)}: ${told}`} title={told}>
      {parts.map((part) => (
        <span key={part.channel} style={{ width: `${part.given * 100}%`, background: colourOf(part.channel) }} />
      ))}
    </span>
  );
}

/** Which colour is which channel; only those that found something. */
export function Legend({ parts }: { parts: Iterable<readonly Part[]> }) {
  const there = new Set([...parts].flat().map((part) => part.channel));
  return (
    <ul className="recall-legend" aria-label="Channels">
      {Object.entries(CHANNELS)
        .filter(([channel]) => there.has(channel))
        .map(([channel, { evidence }]) => (
          <li key={channel} title={evidence}>
            <span className="recall-swatch" style={{ background: colourOf(channel) }} aria-hidden="true" />
            {channel}
          </li>
        ))}
    </ul>
  );
}

/** The numbers behind the bar. */
export function ChannelNumbers({ parts, score }: { parts: readonly Part[]; score: number }) {
  return (
    <table className="recall-numbers">
      <caption>How the score came about</caption>
      <thead>
        <tr>
          <th scope="col">Channel</th>
          <th scope="col">Raw</th>
          <th scope="col">Of best here</th>
          <th scope="col">Gives</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.channel}>
            <th scope="row">
              <span className="recall-swatch" style={{ background: colourOf(part.channel) }} aria-hidden="true" />
              {part.channel}
              <small>{CHANNELS[part.channel]?.evidence}</small>
            </th>
            <td>{part.raw.toFixed(2)}</td>
            <td>{Math.round(part.scaled * 100)} %</td>
            <td>{part.given.toFixed(2)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Score</th>
          <td />
          <td />
          <td>{score.toFixed(2)}</td>
        </tr>
      </tbody>
    </table>
  );
}
