/** What an operation changes, line by line: what is there now, and what would be. */

import type { Facts } from "./facts";
import { claimOf, percent, several, spaced, verb, type Naming, type Payload } from "./words";

export interface Line {
  label: string;
  /** Null where there is nothing. */
  before: string | null;
  after: string | null;
}

const GONE = "archived";

function text(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

/** Where a claim stands: `price / retail / amount`. */
function pathOf(payload: Payload): string {
  return ["aspect", "group", "claim"].map((field) => text(payload[field])).filter(Boolean).map(spaced).join(" / ");
}

function valueLines(operation: string, payload: Payload, facts: Facts, naming: Naming): Line[] {
  const held = facts.values.map((each) => each.content);
  const before = facts.known ? held.join(" · ") || null : "…";
  const said = text(payload["value"]);
  const label = payload["claim"] ? pathOf(payload) : claimOf(payload);
  if (operation === "add_claim_value") return [{ label, before, after: [...held.filter((each) => each !== said), said].join(" · ") }];
  if (operation === "record_claim" && payload["retracted"]) return [{ label, before: said, after: GONE }];
  if (operation === "supersede_claim_value") {
    const old = payload["attribute_id"] ? naming(text(payload["attribute_id"])) : text(payload["old_value"]);
    return [{ label, before: old, after: text(payload["new_value"]) || naming(text(payload["superseded_by"])) }];
  }
  return [{ label, before, after: said }];
}

function entityLines(payload: Payload, { entity }: Facts): Line[] {
  const aliases = (payload["aliases"] as string[] | undefined) ?? [];
  const type = text(payload["type"]);
  const lines: Line[] = [
    { label: "Name", before: entity?.name ?? null, after: entity?.name ?? text(payload["name"]) },
    { label: "Type", before: entity?.entityType ?? null, after: entity && entity.entityType !== "unknown" ? entity.entityType : type },
  ];
  if (payload["description"]) lines.push({ label: "Description", before: entity?.description ?? null, after: text(payload["description"]) });
  if (aliases.length)
    lines.push({ label: "Also called", before: entity?.aliases.join(", ") || null, after: [...new Set([...(entity?.aliases ?? []), ...aliases])].join(", ") });
  return lines;
}

function aliasLines(operation: string, payload: Payload, { entity }: Facts): Line[] {
  const held = entity?.aliases ?? [];
  const alias = text(payload["alias"]);
  const after = operation === "add_alias" ? [...held, alias] : held.filter((each) => each !== alias);
  return [{ label: "Also called", before: held.join(", ") || null, after: after.join(", ") || null }];
}

function linkLine(payload: Payload, naming: Naming): string {
  const end = payload["target"] ? naming(text(payload["target"])) : text(payload["value"]);
  return `${naming(text(payload["source"]))} → ${verb(text(payload["predicate"]))} → ${end}`;
}

/** The lines of an operation; none where numbers tell more (see `Trial`). */
export function changes(operation: string, payload: Payload, facts: Facts, naming: Naming): Line[] {
  const named = (field: string) => naming(text(payload[field]));
  const name = facts.entity?.name ?? named("entity");
  switch (operation) {
    case "add_claim_value":
    case "set_claim_value":
    case "record_claim":
    case "supersede_claim_value":
      return valueLines(operation, payload, facts, naming);
    case "archive_claim_value":
      return [{ label: "Claim", before: named("attribute_id"), after: GONE }];
    case "restore_claim_version":
      return [{ label: "Claim", before: null, after: named("attribute_id") }];
    case "create_entity":
      return entityLines(payload, facts);
    case "rename_entity":
      return [{ label: "Name", before: name, after: text(payload["new_name"]) }];
    case "retype_entity":
      return [{ label: "Type", before: facts.entity?.entityType ?? null, after: text(payload["type"]) }];
    case "archive_entity":
      return [{ label: name, before: "in force", after: GONE }];
    case "restore_entity":
      return [{ label: name, before: GONE, after: "in force" }];
    case "pin_entity":
      return [{ label: name, before: facts.entity?.pinned ? "pinned" : "not pinned", after: "pinned" }];
    case "unpin_entity":
      return [{ label: name, before: facts.entity?.pinned === false ? "not pinned" : "pinned", after: "not pinned" }];
    case "add_alias":
    case "remove_alias":
      return aliasLines(operation, payload, facts);
    case "create_link":
      return [{ label: "Link", before: null, after: linkLine(payload, naming) }];
    case "record_link":
      return [{ label: "Link", ...(payload["retracted"] ? { before: linkLine(payload, naming), after: GONE } : { before: null, after: linkLine(payload, naming) }) }];
    case "archive_link":
      return [{ label: "Link", before: named("link"), after: GONE }];
    case "create_aspect":
      return [{ label: "Aspect", before: null, after: text(payload["name"]) }];
    case "rename_aspect":
      return [{ label: "Aspect", before: text(payload["aspect"]), after: text(payload["new_name"]) }];
    case "merge_aspects":
      return [{ label: "Aspect", before: text(payload["source"]), after: `part of ${text(payload["target"])}` }];
    case "archive_aspect":
      return [{ label: "Aspect", before: text(payload["aspect"]), after: GONE }];
    case "replace_memory":
      return [{ label: "Memory", before: text(payload["value"]) || "in force", after: GONE }];
    case "declare_cardinality":
      return [{ label: text(payload["key"]), before: null, after: payload["cardinality"] === "multi" ? "several values at once" : "one value at a time" }];
    case "create_policy":
    case "create_action_type":
    case "create_interface":
      return [{ label: text(payload["name"]), before: null, after: text(payload["definition"]) }];
    case "set_task":
      return payload["status"] ? [{ label: name, before: null, after: spaced(text(payload["status"])) }] : [];
    case "create_assertion":
      return [{ label: text(payload["speaker"]) || "Somebody", before: null, after: text(payload["content"]) }];
    case "supersede_assertion":
      return [{ label: "What was said", before: named("assertion"), after: text(payload["content"]) }];
    case "archive_assertion":
      return [{ label: "What was said", before: named("assertion"), after: GONE }];
    default:
      return [];
  }
}

const INSTANTS = [["valid_from", "holds from"], ["valid_to", "holds until"], ["asserted_at", "said"], ["expires_at", "expires"]] as const;

/** What else a payload says that a reader should know, in a few words each. */
export function remarks(payload: Payload): string[] {
  const times = INSTANTS.flatMap(([field, word]) => (payload[field] ? [`${word} ${new Date(text(payload[field])).toLocaleDateString()}`] : []));
  const strength = typeof payload["strength"] === "number" && payload["strength"] < 1 ? [`${percent(payload["strength"])} strong`] : [];
  const properties = Object.keys((payload["properties"] as object | null | undefined) ?? {});
  return [...times, ...strength, ...(properties.length ? [several(properties.length, "property", "properties")] : [])];
}
