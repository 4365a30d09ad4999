/** The turns of a session, read backwards page by page. */

import { useInfiniteQuery, type InfiniteData } from "@tanstack/react-query";
import { useEffect } from "react";
import { call, type Failure, type Reply } from "../../api/client";
import { useScope } from "../../app/scopes";

type Page = Reply<"GET /v1/agents/{agent}/sessions/{session}/turns">;
export type Turn = Page["turns"][number];

const PAGE = 50;

/** The last turns, oldest first, and a way to read earlier ones. Goes back by itself until `wanted` is there. */
export function useTurns(session: string, wanted: string | null) {
  const scope = useScope();
  const read = useInfiniteQuery<Page, Failure, InfiniteData<Page>, unknown[], number | null>({
    queryKey: ["turns", scope.path, scope.query, session],
    queryFn: ({ pageParam, signal }) =>
      call(
        "GET /v1/agents/{agent}/sessions/{session}/turns",
        { path: { ...scope.path, session }, query: { ...scope.query, limit: PAGE, before: pageParam } },
        signal,
      ),
    initialPageParam: null,
    getNextPageParam: (page) => page.before,
  });
  const turns = [...(read.data?.pages ?? [])].reverse().flatMap((page) => page.turns);
  const found = !wanted || turns.some((turn) => turn.id === wanted);
  const seeking = read.isSuccess && !found && read.hasNextPage;
  useEffect(() => {
    if (seeking && !read.isFetching) void read.fetchNextPage();
  }, [seeking, read.isFetching]);
  return { read, turns, found, seeking };
}

/** Who spoke, in the order of their first words. */
export function speakersOf(turns: readonly Turn[]): string[] {
  return [...new Set(turns.map(speakerOf))];
}

export function speakerOf(turn: Turn): string {
  return turn.speaker ?? turn.role;
}
