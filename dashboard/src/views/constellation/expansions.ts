/** Entities whose neighbours are drawn as well, though they have too few links to be among the first. */

import { useQueries } from "@tanstack/react-query";
import { call, type Reply } from "../../api/client";
import { useScope } from "../../app/scopes";
import type { Constellation, Drawn } from "./pictures";

type Links = Reply<"GET /api/knowledge/entities/{entity}/links">;
type Link = Links["items"][number]["link"];

const MOST = 100;

/** A constellation with the neighbours of some entities in it. */
export function useExpanded(constellation: Constellation | undefined, ids: readonly string[], at: string | null): Constellation | undefined {
  const scope = useScope();
  return useQueries({
    queries: ids.map((entity) => ({
      queryKey: ["expansion", entity, scope.api, at],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call("GET /api/knowledge/entities/{entity}/links", { path: { entity }, query: { ...scope.api, as_of: at, limit: MOST } }, signal),
    })),
    combine: (replies) => {
      const links = replies.flatMap(({ data }) => data?.items.map(({ link }) => link) ?? []);
      return constellation && links.length ? grown(constellation, links, scope.agent) : constellation;
    },
  });
}

function grown(constellation: Constellation, links: readonly Link[], agent: string): Constellation {
  const entities = new Map(constellation.entities.map((drawn) => [drawn.entity.id, drawn]));
  const dependencies = new Map(constellation.dependencies.map((each) => [each.id, each]));
  for (const { id, source, target, dependencyType, strength, confidence, validFrom, validUntil, createdAt } of links) {
    if (!target || dependencies.has(id)) continue;
    for (const end of [source, target]) if (!entities.has(end.id)) entities.set(end.id, newcomer(end, createdAt, agent));
    dependencies.set(id, { id, sourceEntityId: source.id, targetEntityId: target.id, dependencyType, strength, confidence, validFrom, validUntil, createdAt });
  }
  return { ...constellation, entities: [...entities.values()], dependencies: [...dependencies.values()] };
}

/** An entity of which no more is known here than that something leads to it. */
function newcomer({ id, name, slug, type }: Link["source"], at: string, agentId: string): Drawn {
  const entity = {
    ...{ id, name, slug, entityType: type as Drawn["entity"]["entityType"], description: null, confidence: 1, mentions: 0 },
    ...{ pinned: false, pinnedAt: null, createdAt: at, updatedAt: at, lastReferencedAt: null },
  };
  return { agentId, entity, lastMentionedAt: null, degree: 1, aliases: [], communityId: null, aspects: [] };
}
