/** Who or what an entity is: now, or as it was. */

import type { Reply } from "../../api/client";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import type { Entity } from "./replies";

/** Read an entity as it is, or with a moment as it was then. */
export function useHead(id: string, asOf: string | null) {
  const scope = useScope();
  const now = useRead("GET /api/knowledge/entities/{entity}", { path: { entity: id }, query: scope.api }, { enabled: asOf === null });
  const past = useRead(
    "GET /v1/agents/{agent}/kg/entities/{entity}",
    { path: { ...scope.path, entity: id }, query: { ...scope.graph, as_of: asOf } },
    { enabled: asOf !== null },
  );
  const entity: Entity | undefined = asOf === null ? now.data && { ...now.data.entity, lastMentionedAt: now.data.lastMentionedAt } : past.data && then(past.data.entity);
  const { error, refetch, isPlaceholderData } = asOf === null ? now : past;
  return { entity, error, refetch, isPlaceholderData };
}

/** An entity of the past, whose moments count in seconds. */
function then(known: Reply<"GET /v1/agents/{agent}/kg/entities/{entity}">["entity"]): Entity {
  const moment = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    id: known.id,
    name: known.name,
    slug: known.external_id,
    entityType: known.entity_type,
    description: known.description,
    properties: known.properties,
    confidence: known.confidence,
    pinned: false,
    createdAt: moment(known.created_at),
    updatedAt: moment(known.updated_at),
    lastMentionedAt: null,
    aliases: null,
    mentions: null,
  };
}
