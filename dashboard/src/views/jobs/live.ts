/** How far background work has come, as the server tells it: over a stream, or by asking where there is none. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { open } from "../../api/client";
import type { ProgressReply } from "../../api/contracts";
import { useScope } from "../../app/scopes";

/** `live` while the server tells of every change; `asking` where the page has to ask. */
export type Link = "opening" | "live" | "asking";

/** How many jobs there are by status, and how many passages have a vector. */
export interface Work {
  waiting: number;
  running: number;
  done: number;
  dead: number;
  embeddings: ProgressReply;
}

export interface Live {
  work: Work | null;
  link: Link;
}

const SECONDS = 300;
/** The stream ends when nothing is under way; so often it is opened again to see whether that still holds. */
const IDLE_MS = 3_000;
const AWAY_MS = 5_000;

/** Listen as long as the view is open. Each piece of news makes it read its jobs again. */
export function useLive(): Live {
  const { agent, user, chat, path, query } = useScope();
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ work: null, link: "opening" });
  useEffect(() => {
    const ended = new AbortController();
    let last = "";
    const heard = (data: string) => {
      setLive({ work: JSON.parse(data) as Work, link: "live" });
      if (last && last !== data) void queries.invalidateQueries({ queryKey: ["GET /v1/agents/{agent}/jobs"] });
      last = data;
    };
    const listen = async () => {
      while (!ended.signal.aborted) {
        try {
          const reply = await open("GET /v1/agents/{agent}/jobs/events", { path, query: { ...query, seconds: SECONDS } }, ended.signal);
          for await (const { event, data } of events(reply)) if (event === "progress") heard(data);
          await rest(IDLE_MS, ended.signal);
        } catch {
          if (ended.signal.aborted) return;
          setLive(({ work }) => ({ work, link: "asking" }));
          await rest(AWAY_MS, ended.signal);
        }
      }
    };
    void listen();
    return () => ended.abort();
    // `path` and `query` are new objects for the same scope.
  }, [agent, user, chat, queries]);
  return live;
}

/** The events of a reply as they come in. */
async function* events(reply: Response): AsyncGenerator<{ event: string; data: string }> {
  let rest = "";
  const text = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await text?.read(); piece && !piece.done; piece = await text?.read()) {
    const parts = (rest + piece.value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield { event: field(part, "event"), data: field(part, "data") };
  }
}

function field(event: string, name: string): string {
  const line = event.split("\n").find((each) => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2) ?? "";
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = window.setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      done();
    });
  });
}
