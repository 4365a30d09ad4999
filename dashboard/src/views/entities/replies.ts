/** The parts of the API's replies that the entity page is made of. */

import type { Reply } from "../../api/client";

export type Detail = Reply<"GET /api/knowledge/entities/{entity}">;
export type Entity = Detail["entity"];
export type Listed = Reply<"GET /api/knowledge/entities">["items"][number];
export type Claims = Reply<"GET /api/knowledge/entities/{entity}/claims">;
export type Claim = Claims["aspects"][number]["groups"][number]["claims"][number];
export type Version = Claim["versions"][number];
export type Citation = NonNullable<Version["citation"]>;
export type Link = Reply<"GET /api/knowledge/entities/{entity}/dependencies">["items"][number];
export type Change = Reply<"GET /api/knowledge/entities/{entity}/timeline">["records"][number];

/** Every kind of entity that the server knows. */
export const KINDS = [
  "person", "organization", "project", "product", "technology", "tool", "system", "skill", "task", "event", "document", "concept", "topic",
  "location", "place", "asset", "preference", "fact", "time", "source", "artifact", "agent", "policy", "action", "workflow", "object_type",
  "interface", "observation", "claim_slot", "claim_value", "unknown",
] as const;

export type KindName = (typeof KINDS)[number];

/** A kind that an address names, if there is such a kind. */
export function asKind(value: string | null): KindName | undefined {
  return KINDS.find((kind) => kind === value);
}

/** `works_on` as people write it. */
export function plain(key: string): string {
  return key.replaceAll("_", " ");
}
