/** Changes of memories. The log tells under which id each can be taken back, and the toast offers to. */

import { call, type Failure, type Reply } from "../../api/client";
import { useChange } from "../../api/queries";
import { useScope, type Scope } from "../../app/scopes";
import { useToasts } from "../../ui/toasts";

export type Memory = Reply<"GET /v1/agents/{agent}/memories/{memory}">;

/** Whether a memory is kept from fading. */
export function isPinned(memory: Memory): boolean {
  return memory.metadata.pinned === "true";
}

/** The id of the last change of a memory, or null when its history is gone with it. */
async function lastChange(scope: Scope, memory: string): Promise<string | null> {
  const history = await call("GET /v1/agents/{agent}/memories/{memory}/history", { path: { ...scope.path, memory }, query: scope.query });
  return history.changes[0]?.record.id ?? null;
}

/** Say what was done to a memory, and offer to take it back. */
export function useSaying(): (memory: string, text: string) => void {
  const scope = useScope();
  const toasts = useToasts();
  return (memory, text) =>
    void lastChange(scope, memory).then(
      (id) => toasts.done(text, id),
      () => toasts.done(text),
    );
}

/** Ways to change one memory. */
export function useMemoryChanges(memory: Memory) {
  const scope = useScope();
  const toasts = useToasts();
  const say = useSaying();
  const importance = useChange("PATCH /v1/agents/{agent}/memories/{memory}");
  const pin = useChange("POST /api/memory/{memory}/pin");
  const unpin = useChange("DELETE /api/memory/{memory}/pin");
  const told = (text: string) => ({ onSuccess: () => say(memory.id, text), onError: (failure: Failure) => toasts.failed(failure) });
  return {
    weigh: (value: number) =>
      importance.mutate({ path: { ...scope.path, memory: memory.id }, body: { ...scope.query, importance: value } }, told("The importance is set.")),
    togglePin: () =>
      isPinned(memory)
        ? unpin.mutate({ path: { memory: memory.id }, query: scope.api }, told("Unpinned: it ages as any other."))
        : pin.mutate({ path: { memory: memory.id }, query: scope.api }, told("Pinned: it will not fade.")),
    busy: importance.isPending || pin.isPending || unpin.isPending,
  };
}
