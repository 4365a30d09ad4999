/** Operations of the log in words: those on the graph as the review words them, and those on memories and documents. */

import { GRAPH_OPERATIONS } from "../api/contracts";
import { sentence, several, type Naming, type Payload } from "../views/review/words";

type Wording = (payload: Payload) => string;

const amount = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const MEMORIES: Record<string, Wording> = {
  remember: () => "Remember something",
  expand_memory: () => "Split a long memory into parts",
  refine_memory: () => "Put a memory better",
  forget: (payload) => (payload["memory_id"] ? "Forget a memory" : "Forget what was known"),
  set_importance: (payload) => `Set the importance of a memory to ${String(payload["importance"])}`,
  set_pinned: (payload) => (payload["pinned"] ? "Pin a memory" : "Unpin a memory"),
  merge_memories: () => "Merge memories that say the same",
  infer_preference: () => "Learn a preference from what was said",
  decay_importance: (payload) => `Let ${several(amount(payload["memory_ids"]), "memory", "memories")} fade`,
  save_document: () => "Save a document",
  archive_document: () => "Archive a document",
  undo: () => "Take back a change",
};

/** Every operation that a log can hold. */
export const OPERATIONS: readonly string[] = [...Object.keys(MEMORIES), ...GRAPH_OPERATIONS];

const unnamed: Naming = (selector) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(selector) ? `…${selector.slice(-6)}` : selector);

/** An operation as a sentence without its full stop; `naming` puts names in the place of ids. */
export function worded(operation: string, payload: unknown, naming: Naming = unnamed): string {
  const held = typeof payload === "object" && payload !== null ? (payload as Payload) : {};
  return MEMORIES[operation]?.(held) ?? sentence(operation, held, naming);
}
