/** The fields of an operation as a form shows them. What is rare or has parts is left to the JSON. */

import { spaced, type Naming, type Payload } from "./words";

export const TYPES = (
  "person organization project product technology tool system skill task event document concept topic location place asset preference fact time source " +
  "artifact agent policy action workflow object_type interface observation claim_slot claim_value unknown"
).split(" ");
const STANCES = "claims believes observed decided prefers denies questions".split(" ");
const STATUSES = "open in_progress blocked done cancelled".split(" ");

export type Input = "text" | "long" | "fraction" | "choice" | "moment" | "flag" | "names";

export interface FormField {
  name: string;
  label: string;
  input: Input;
  options?: readonly string[];
}

const LONG = ["value", "new_value", "content", "definition", "description"];
const FRACTIONS = ["confidence", "importance", "strength", "weight", "min_confidence"];
const MOMENTS = ["valid_from", "valid_to", "asserted_at", "expires_at", "retention_until", "untouched_since"];
const FLAGS = ["force", "retracted", "useful"];
const SELECTORS = ["entity", "source", "target", "interface"];
const LABELS: Record<string, string> = { force: "By force", valid_to: "Valid until", retracted: "No longer holds" };
/** Fields that belong to the machine: ids, and what the proposal itself says. */
const HIDDEN = ["reason", "evidence", "memory", "attribute_id", "link", "assertion", "superseded_by", "said"];
const RARE = [...MOMENTS, "importance", "strength", "slug", "force", "kind", "source_type", "target_type", "entity_type", "weight", "group"];

function choices(operation: string, name: string): readonly string[] | null {
  if (["type", "entity_type", "source_type", "target_type"].includes(name)) return TYPES;
  if (name === "kind") return ["attribute", "constraint"];
  if (name === "cardinality") return ["single", "multi"];
  if (name === "status") return STATUSES;
  return name === "predicate" && operation.endsWith("_assertion") ? STANCES : null;
}

function inputOf(operation: string, name: string, value: unknown): FormField | null {
  const label = LABELS[name] ?? spaced(name).replace(/^./, (letter) => letter.toUpperCase());
  const field = (input: Input): FormField => ({ name, label, input });
  const options = choices(operation, name);
  if (HIDDEN.includes(name) || (operation === "note_mentions" && name === "source")) return null;
  if (options) return { ...field("choice"), options };
  if (FRACTIONS.includes(name)) return field("fraction");
  if (MOMENTS.includes(name)) return field("moment");
  if (FLAGS.includes(name)) return field("flag");
  if (name === "aliases") return field("names");
  if (LONG.includes(name)) return field("long");
  return value === null || typeof value === "string" ? field("text") : null;
}

/** The fields of a payload, those that matter first, and apart from them the rare ones. */
export function fieldsOf(operation: string, payload: Payload): { main: FormField[]; rare: FormField[] } {
  const fields = Object.entries(payload).flatMap(([name, value]) => inputOf(operation, name, value) ?? []);
  // Of `target` and `value`, a link has one.
  const shown = fields.filter(({ name }) => !(name === "value" && payload["target"]) && !(name === "target" && payload["value"]));
  return { main: shown.filter(({ name }) => !RARE.includes(name)), rare: shown.filter(({ name }) => RARE.includes(name)) };
}

/** What a field shows at first: an entity by its name, a moment as the clock here tells it. */
export function shown({ name, input }: FormField, value: unknown, naming: Naming): string {
  if (value === null || value === undefined) return "";
  if (input === "names") return (value as string[]).join(", ");
  if (input === "moment") return local(String(value));
  return SELECTORS.includes(name) ? naming(String(value)) : String(value);
}

/** What a field means once it is written in. */
export function meant(field: FormField, text: string): unknown {
  if (field.input === "names") return text.split(",").map((each) => each.trim()).filter(Boolean);
  if (field.input === "flag") return text === "true";
  if (!text.trim()) return null;
  if (field.input === "fraction") return Number(text);
  return field.input === "moment" ? new Date(text).toISOString() : text;
}

function local(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
