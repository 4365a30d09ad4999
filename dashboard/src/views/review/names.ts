/** What the ids in payloads stand for: each is read once, and kept. */

import { useQueries } from "@tanstack/react-query";
import { useCallback } from "react";
import { call, type Input, type Operation, type Reply } from "../../api/client";
import { useScope, type Scope } from "../../app/scopes";
import { quoted, spaced, verb, type Naming, type Payload } from "./words";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ENTITIES = ["entity", "source", "target", "interface"];
const CLAIMS = ["attribute_id", "superseded_by"];

export function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}

type What = "entity" | "claim" | "link" | "assertion";

/** The ids in payloads and what each is an id of. */
function idsIn(payloads: readonly Payload[]): Map<string, What> {
  const found = new Map<string, What>();
  const note = (payload: Payload, fields: readonly string[], what: What) => {
    for (const field of fields) if (isId(payload[field])) found.set(String(payload[field]), what);
  };
  for (const payload of payloads) {
    // Mentions name a source that is a text, and no entity.
    if (!("places" in payload)) note(payload, ENTITIES, "entity");
    note(payload, CLAIMS, "claim");
    note(payload, ["link"], "link");
    note(payload, ["assertion"], "assertion");
  }
  return found;
}

/** A function that puts names in the place of ids. */
export function useNames(payloads: readonly Payload[]): Naming {
  const scope = useScope();
  const wanted = [...idsIn(payloads)];
  const labels = useQueries({
    queries: wanted.map(([id, what]) => ({ ...reading(scope, id, what), staleTime: 60_000, retry: false })),
    combine: (results) => new Map(wanted.map(([id, what], at) => [id, results[at]?.data ?? `${a(what)} …${id.slice(-6)}`])),
  });
  return useCallback((selector: string) => labels.get(selector) ?? selector, [labels]);
}

const a = (what: What): string => (what === "entity" || what === "assertion" ? `an ${what}` : `a ${what}`);

function reading(scope: Scope, id: string, what: What) {
  switch (what) {
    case "entity":
      return read("GET /api/knowledge/entities/{entity}", { path: { entity: id }, query: scope.api }, (reply) => reply.entity.name);
    case "claim":
      return read("GET /api/ontology/claims/explain", { query: { ...scope.api, attribute_id: id } }, (reply) => {
        const found = reply.items[0];
        if (!found) return null;
        const { claimKey, aspect, content } = found.attribute;
        return `${found.entity.name}’s ${spaced(claimKey ?? aspect)}, ${quoted(content, 60)}`;
      });
    case "link":
      return read("GET /api/ontology/links/{link}/evidence", { path: { link: id }, query: scope.api }, ({ link }) =>
        quoted(`${link.source.name} ${verb(link.dependencyType)} ${link.target?.name ?? link.value ?? ""}`),
      );
    case "assertion":
      return read("GET /api/ontology/assertions/{assertion}", { path: { assertion: id }, query: scope.api }, (reply) => quoted(reply.content, 60));
  }
}

/** The options of one read, and the part of its reply that is wanted; the key is that of `useRead`. */
function read<K extends Operation>(operation: K, input: Input<K>, pick: (reply: Reply<K>) => string | null) {
  return {
    queryKey: [operation, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<unknown> => call(operation, input, signal),
    select: (reply: unknown) => pick(reply as Reply<K>),
  };
}
