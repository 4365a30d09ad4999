/** Operations in words: one sentence for each kind in the catalogue, and a readable line for those to come. */

import { dayOf } from "../../ui/times";

export type Payload = Record<string, unknown>;
/** What an id in a payload stands for; a name that is no id stays as it is. */
export type Naming = (selector: string) => string;

const QUOTED = 90;

/** A key such as `favourite_colour` as words. */
export function spaced(key: string): string {
  return key.replaceAll("_", " ");
}

/** A text between quotation marks, cut where it is long. */
export function quoted(value: unknown, most = QUOTED): string {
  const text = said(value);
  return `“${text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text}”`;
}

/** A thing and the kind it is of: "an organization". */
export function a(kind: string): string {
  return `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${spaced(kind)}`;
}

export function percent(value: unknown): string {
  return typeof value === "number" ? `${Math.round(value * 100)} %` : "?";
}

/** How many of something: "1 link", "3 links". */
export function several(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

// Predicates that need a verb before them: "is part of", "is owned by".
const STATES = /^(part|friend|colleague|family|partner|member)_of$|_by$|^(related|assigned)_to$|^scheduled_for$|^(located|hosted|based)_/;

/** A predicate as it stands between two names. */
export function verb(predicate: string): string {
  if (predicate.startsWith("has_")) return `has the ${spaced(predicate.slice(4))}`;
  return STATES.test(predicate) ? `is ${spaced(predicate)}` : spaced(predicate);
}

function said(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a claim is about, such as "favourite colour" or "favourite (drinks)"; where it has no key, its aspect. */
export function claimOf({ claim, group, aspect }: Payload): string {
  const what = spaced(said(claim) || said(aspect) || "claim");
  return group && group !== "general" && claim ? `${what} (${spaced(said(group))})` : what;
}

function day(value: unknown): string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? dayOf(value) : said(value);
}

type Wording = (payload: Payload, named: (field: string) => string) => string;

const owned = (payload: Payload, named: (field: string) => string): string => `${named("entity")}’s ${claimOf(payload)}`;
const link: Wording = (payload, named) =>
  `${named("source")} ${verb(said(payload["predicate"]))} ${payload["target"] ? named("target") : said(payload["value"])}`;
const about = (payload: Payload, named: (field: string) => string, word: string): string =>
  payload["entity"] ? ` ${word} ${named("entity")}` : "";
const defined =
  (what: string, word: string): Wording =>
  (payload, named) =>
    `Write down the ${what} ${quoted(payload["name"])}${about(payload, named, word)}`;

const WORDINGS: Record<string, Wording> = {
  create_entity: ({ name, type }) => `Add ${said(name)}${type && type !== "unknown" ? `, ${a(said(type))}` : ""}`,
  rename_entity: (payload, named) => `Rename ${named("entity")} to ${said(payload["new_name"])}`,
  retype_entity: (payload, named) => `${named("entity")} is ${a(said(payload["type"]))}`,
  archive_entity: (_, named) => `Archive ${named("entity")} with its links and claims`,
  restore_entity: (_, named) => `Bring ${named("entity")} back`,
  pin_entity: (_, named) => `Pin ${named("entity")}`,
  unpin_entity: (_, named) => `Unpin ${named("entity")}`,
  add_alias: (payload, named) => `Let ${named("entity")} also go by ${quoted(payload["alias"])}`,
  remove_alias: (payload, named) => `Take the name ${quoted(payload["alias"])} from ${named("entity")}`,
  merge_entities: (_, named) => `Merge ${named("source")} into ${named("target")}`,
  dismiss_duplicate: () => "Tell two entities apart that looked alike",
  create_link: (payload, named) => `Link: ${link(payload, named)}`,
  record_link: (payload, named) => `${payload["retracted"] ? "No longer true" : "Said"}: ${link(payload, named)}`,
  update_link: (payload, named) => `Change the link ${named("link")}${linkChanges(payload)}`,
  archive_link: (_, named) => `End the link ${named("link")}`,
  prune_graph: ({ min_confidence }) => `Archive everything that is less than ${percent(min_confidence)} sure`,
  clean_up_graph: ({ untouched_since }) => `Archive what nobody has spoken of since ${day(untouched_since)}`,
  note_entities: ({ entities }) => `Add ${several(list(entities).length, "entity", "entities")}: ${names(entities)}`,
  note_mentions: ({ places }) => `Note ${several(list(places).length, "mention")} in something that was said`,
  create_aspect: (payload, named) => `Give ${named("entity")} the aspect ${quoted(payload["name"])}`,
  rename_aspect: (payload, named) => `Rename ${named("entity")}’s aspect ${quoted(payload["aspect"])} to ${quoted(payload["new_name"])}`,
  archive_aspect: (payload, named) => `Archive ${named("entity")}’s aspect ${quoted(payload["aspect"])} with its claims`,
  merge_aspects: (payload, named) => `Merge ${named("entity")}’s aspect ${quoted(payload["source"])} into ${quoted(payload["target"])}`,
  add_claim_value: (payload, named) => `Add ${quoted(payload["value"])} to ${owned(payload, named)}`,
  set_claim_value: (payload, named) => `Set ${owned(payload, named)} to ${quoted(payload["value"])}`,
  record_claim: (payload, named) => `${owned(payload, named)} is ${payload["retracted"] ? "no longer " : ""}${quoted(payload["value"])}`,
  supersede_claim_value: (payload, named) => {
    const old = payload["attribute_id"] ? named("attribute_id") : `${quoted(payload["old_value"])} as ${owned(payload, named)}`;
    return `Replace ${old} with ${payload["superseded_by"] ? named("superseded_by") : quoted(payload["new_value"])}`;
  },
  archive_claim_value: (_, named) => `Archive the claim ${named("attribute_id")}`,
  restore_claim_version: (_, named) => `Go back to the claim ${named("attribute_id")}`,
  replace_memory: ({ value }) => (value ? `Let a newer memory take the place of the one that says ${quoted(value)}` : "Let a newer memory take the place of an older one"),
  mark_outdated: ({ value, new_value }) => `Mark ${quoted(value)} as outdated: it is ${quoted(new_value)} now`,
  declare_cardinality: ({ key, cardinality }) => `Let ${quoted(key)} hold ${cardinality === "multi" ? "several values at once" : "one value at a time"}`,
  create_policy: defined("policy", "for"),
  create_action_type: defined("kind of action", "that belongs to"),
  create_interface: defined("interface", "of"),
  attach_interface: (_, named) => `Say that ${named("entity")} implements ${named("interface")}`,
  set_task: ({ status }, named) =>
    status ? `Make ${named("entity")} a task that is ${spaced(said(status))}` : `Change the task ${named("entity")}`,
  create_assertion: (payload, named) =>
    `Write down that ${said(payload["speaker"]) || "somebody"} ${said(payload["predicate"])}, of ${named("entity")}: ${quoted(payload["content"])}`,
  link_assertion: (_, named) => `Say that ${named("assertion")} speaks of the claim ${named("attribute_id")}`,
  archive_assertion: (_, named) => `Archive what was said: ${named("assertion")}`,
  supersede_assertion: (payload, named) => `Replace what was said, ${named("assertion")}, with ${quoted(payload["content"])}`,
  weigh_aspects: ({ aspects }) => `Let ${several(list(aspects).length, "aspect")} count for more`,
  weigh_paths: ({ aspects, links, useful }) =>
    `Let ${several(list(aspects).length, "aspect")} and ${several(list(links).length, "link")} count for ${useful === false ? "less" : "more"}`,
  decay_aspects: ({ untouched_since }) => `Let aspects of no use since ${day(untouched_since)} count for less`,
};

function names(entities: unknown): string {
  return list(entities)
    .map((each) => said((each as Payload)["name"]))
    .slice(0, 5)
    .join(", ");
}

function linkChanges({ confidence, strength, valid_from, valid_to }: Payload): string {
  const parts = [
    typeof confidence === "number" && `${percent(confidence)} sure`,
    typeof strength === "number" && `${percent(strength)} strong`,
    valid_from && `from ${day(valid_from)}`,
    valid_to && `until ${day(valid_to)}`,
  ].filter(Boolean);
  return parts.length ? `: ${parts.join(", ")}` : "";
}

/** What an operation would do, as one sentence without its full stop. */
export function sentence(operation: string, payload: Payload, naming: Naming): string {
  const wording = WORDINGS[operation];
  return wording ? wording(payload, (field) => naming(said(payload[field]))) : plainly(operation, payload, naming);
}

/** An operation that has no words here yet: its name, and what it was given. */
function plainly(operation: string, payload: Payload, naming: Naming): string {
  const given = Object.entries(payload).filter(([, value]) => value !== null && value !== "" && typeof value !== "object");
  const parts = given.slice(0, 4).map(([field, value]) => `${spaced(field)} ${typeof value === "string" ? quoted(naming(value), 40) : said(value)}`);
  const what = spaced(operation);
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${parts.length ? `: ${parts.join(", ")}` : ""}`;
}
