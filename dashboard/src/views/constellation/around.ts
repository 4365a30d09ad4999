/** The claims of the selected entity, and what is proposed for it. */

import { useMemo } from "react";
import type { Reply } from "../../api/client";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { bare, type Filters } from "./filters";
import type { Drawn, Proposal } from "./pictures";
import type { Around } from "./satellites";

type Beliefs = Reply<"GET /api/knowledge/entities/{entity}/beliefs">;

/** A large picture comes without claims; then those of the selected entity are read by themselves. */
export function useAround(drawn: Drawn | undefined, filters: Filters, waiting: ReadonlyMap<string, Proposal[]>): Around {
  const scope = useScope();
  const id = drawn?.entity.id ?? "";
  const alone = bare(filters) && drawn?.agentId === scope.agent;
  const input = { path: { entity: id }, query: { ...scope.api, as_of: filters.at, versions: 1 } };
  const beliefs = useRead("GET /api/knowledge/entities/{entity}/beliefs", input, { enabled: alone });
  const read = alone && !beliefs.isPlaceholderData ? beliefs.data : undefined;
  return useMemo(
    () => ({ aspects: read ? aspectsOf(read) : (drawn?.aspects ?? []), proposals: waiting.get(id) ?? [] }),
    [read, drawn, waiting, id],
  );
}

function aspectsOf({ aspects }: Beliefs): Around["aspects"] {
  return aspects.map(({ aspect, groups }) => ({
    aspect,
    attributes: groups
      .flatMap(({ claims }) => claims.flatMap(({ versions }) => versions))
      .filter(({ holds }) => holds)
      .map(({ attribute }) => attribute),
  }));
}
