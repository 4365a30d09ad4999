/** The parts of the API's replies that the entity page is made of. */

import type { Reply } from "../../api/client";

type Detail = Reply<"GET /api/knowledge/entities/{entity}">;

/** An entity now or at a moment; what is not told of the past is null. */
export type Entity = Pick<
  Detail["entity"],
  "id" | "name" | "slug" | "entityType" | "description" | "properties" | "confidence" | "pinned" | "createdAt" | "updatedAt"
> & { aliases: readonly string[] | null; mentions: number | null; lastMentionedAt: string | null };

export type Listed = Reply<"GET /api/knowledge/entities">["items"][number];
export type Beliefs = Reply<"GET /api/knowledge/entities/{entity}/beliefs">;
export type Claim = Beliefs["aspects"][number]["groups"][number]["claims"][number];
export type Version = Claim["versions"][number];
export type Citation = NonNullable<Version["citation"]>;
export type Link = Reply<"GET /api/knowledge/entities/{entity}/links">["items"][number];
export type Change = Reply<"GET /api/knowledge/entities/{entity}/timeline">["items"][number]["record"];

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

/** A link as a sentence: "Tom works on Pebble". */
export function inWords({ link }: Link): string {
  return `${link.source.name} ${plain(link.dependencyType)} ${link.target?.name ?? link.value}`;
}
