/** Reading and changing through React Query: one key for each call, and one way to say that something changed. */

import { keepPreviousData, useMutation, useQuery, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import { call, type Failure, type Input, type Operation, type Reply } from "./client";

export interface ReadOptions {
  /** False while what the call needs is not there yet. */
  enabled?: boolean;
  /** Ask again so often, in milliseconds. */
  every?: number;
}

/** Read through a call. What was there stays in view while new parameters are asked for. */
export function useRead<K extends Operation>(operation: K, input: Input<K>, options: ReadOptions = {}): UseQueryResult<Reply<K>, Failure> {
  return useQuery<Reply<K>, Failure, Reply<K>>({
    queryKey: [operation, input],
    queryFn: ({ signal }) => call(operation, input, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    placeholderData: keepPreviousData,
  });
}

/** Read again whatever is in view. A first read under way would be waited for, and may tell what was so before a change. */
export async function readAgain(queries: QueryClient): Promise<void> {
  await queries.cancelQueries();
  await queries.invalidateQueries();
}

/** A call that changes something; whatever is in view is read again afterwards. */
export function useChange<K extends Operation>(operation: K, done?: (reply: Reply<K>, input: Input<K>) => void) {
  const queries = useQueryClient();
  return useMutation<Reply<K>, Failure, Input<K>>({
    mutationFn: (input) => call(operation, input),
    onSuccess: (reply, input) => {
      done?.(reply, input);
      return readAgain(queries);
    },
  });
}
