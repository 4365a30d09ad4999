/** Operations in the words of a log: what was done, or what is proposed. */

type Payload = Record<string, unknown>;
type Words = (payload: Payload) => string;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The first of these fields that says something; an id that nobody gave a name is cut short. */
function said(payload: Payload, ...names: string[]): string {
  const value = names.map((name) => payload[name]).find((each) => each !== undefined && each !== null && each !== "");
  if (value === undefined) return "…";
  if (typeof value !== "string") return JSON.stringify(value);
  return ID.test(value) ? value.slice(-6) : value;
}

function count(value: unknown, one: string, many: string): string {
  const size = Array.isArray(value) ? value.length : 0;
  return `${size} ${size === 1 ? one : many}`;
}

/** A predicate or a key as people write it. */
const plain = (name: string): string => name.replaceAll("_", " ");

function claim(payload: Payload): string {
  const parts = [payload.aspect, payload.group ?? payload.group_key, payload.claim ?? payload.claim_key];
  return parts.filter((part) => part && part !== "general").map(String).map(plain).join(" / ") || "a claim";
}

const entity: (verb: string) => Words = (verb) => (payload) => `${verb} ${said(payload, "entity", "name")}`;
const memory: (verb: string) => Words = (verb) => () => `${verb} a memory`;
const value: (verb: string) => Words = (verb) => (payload) => `${verb} ${claim(payload)} of ${said(payload, "entity")}: ${said(payload, "value", "new_value")}`;
const link: (verb: string) => Words = (verb) => (payload) =>
  `${verb}: ${said(payload, "source")} ${plain(said(payload, "predicate"))} ${said(payload, "target", "value")}`;
const told: Words = (payload) => `${payload.retracted ? "No longer said" : "Heard"} ${claim(payload)} of ${said(payload, "entity")}: ${said(payload, "value", "said")}`;

const WORDS: Record<string, Words> = {
  create_entity: (payload) => `Create ${said(payload, "name")}`,
  archive_entity: entity("Archive"),
  restore_entity: entity("Bring back"),
  rename_entity: (payload) => `Rename ${said(payload, "entity")} to ${said(payload, "new_name", "name")}`,
  pin_entity: entity("Pin"),
  unpin_entity: entity("Unpin"),
  add_alias: (payload) => `Know ${said(payload, "entity")} as ${said(payload, "alias")}, too`,
  remove_alias: (payload) => `Know ${said(payload, "entity")} as ${said(payload, "alias")} no longer`,
  merge_entities: (payload) => `Merge ${said(payload, "source")} into ${said(payload, "target")}`,
  create_link: link("Link"),
  record_link: (payload) => link(payload.retracted ? "No longer said" : "Heard")(payload),
  update_link: () => "Change a link",
  archive_link: () => "Archive a link",
  prune_graph: (payload) => `Archive what is less sure than ${said(payload, "min_confidence")}`,
  clean_up_graph: () => "Archive what nothing has touched for long",
  create_aspect: (payload) => `Open the aspect ${said(payload, "name")} of ${said(payload, "entity")}`,
  rename_aspect: (payload) => `Rename the aspect ${said(payload, "aspect")} of ${said(payload, "entity")} to ${said(payload, "new_name")}`,
  archive_aspect: (payload) => `Archive the aspect ${said(payload, "aspect")} of ${said(payload, "entity")}`,
  merge_aspects: (payload) => `Merge the aspect ${said(payload, "source")} of ${said(payload, "entity")} into ${said(payload, "target")}`,
  add_claim_value: value("Add to"),
  set_claim_value: value("Set"),
  record_claim: told,
  supersede_claim_value: (payload) => (payload.entity ? value("Replace")(payload) : "Replace a value of a claim"),
  archive_claim_value: () => "Archive a value of a claim",
  restore_claim_version: () => "Bring back an earlier value of a claim",
  declare_cardinality: (payload) => `Let ${plain(said(payload, "key"))} hold ${said(payload, "cardinality")} values`,
  note_entities: (payload) => `Note ${count(payload.entities, "name", "names")} in a text`,
  note_mentions: (payload) => `Note ${count(payload.places, "mention", "mentions")} in a text`,
  create_assertion: (payload) => `Note a view on ${said(payload, "entity")}: ${said(payload, "content")}`,
  supersede_assertion: (payload) => `Replace a view: ${said(payload, "content")}`,
  archive_assertion: () => "Archive a view",
  link_assertion: () => "Tie a view to a claim",
  set_task: entity("Change the task"),
  attach_interface: (payload) => `Give ${said(payload, "entity")} the interface ${said(payload, "interface")}`,
  weigh_aspects: (payload) => `Weigh ${count(payload.aspects, "aspect", "aspects")} anew`,
  weigh_paths: (payload) => `Weigh what was recalled as ${payload.useful === false ? "not useful" : "useful"}`,
  decay_aspects: () => "Let aspects fade that nothing has touched",
  remember: memory("Remember"),
  expand_memory: memory("Split up"),
  refine_memory: memory("Put better"),
  forget: (payload) => (payload.memory_id ? "Forget a memory" : "Forget"),
  set_importance: (payload) => `Set the importance of a memory to ${said(payload, "importance")}`,
  set_pinned: (payload) => `${payload.pinned ? "Pin" : "Unpin"} a memory`,
  merge_memories: () => "Merge memories that say the same",
  infer_preference: () => "Learn a preference from what was said",
  decay_importance: (payload) => `Let ${count(payload.memory_ids, "memory", "memories")} fade`,
  save_document: () => "Save a document",
  archive_document: () => "Archive a document",
  undo: () => "Take back a change",
};

/** An operation as a short sentence. An operation without words of its own is named as it is. */
export function worded(operation: string, payload: unknown): string {
  const held = typeof payload === "object" && payload !== null ? (payload as Payload) : {};
  const words = WORDS[operation];
  if (words) return words(held);
  const named = said(held, "entity", "name");
  const [first = "", ...rest] = plain(operation);
  return `${first.toUpperCase()}${rest.join("")}${named === "…" ? "" : ` ${named}`}`;
}
