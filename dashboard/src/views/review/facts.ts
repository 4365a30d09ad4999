/** What is believed now about what an operation would change. */

import type { Reply } from "../../api/client";
import type { KnownEntityReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { isId } from "./names";
import type { Payload } from "./words";

const CLAIMS = ["add_claim_value", "set_claim_value", "record_claim", "supersede_claim_value"];

export interface Facts {
  /** The entity that is spoken of; null where nothing has that name yet, undefined until it is known. */
  entity: KnownEntityReply | null | undefined;
  /** The values that the claim has now; none while `known` is false. */
  values: Reply<"GET /api/ontology/claims/versions">["items"];
  known: boolean;
}

/** An entity by its id or one of its names. A name that nobody has is no failure. */
function useEntity(selector: string | null): KnownEntityReply | null | undefined {
  const scope = useScope();
  const byId = isId(selector);
  const one = useRead("GET /api/knowledge/entities/{entity}", { path: { entity: selector ?? "" }, query: scope.api }, { enabled: byId });
  const named = useRead("GET /api/knowledge/entities", { query: { ...scope.api, q: selector, limit: 20 } }, { enabled: selector !== null && !byId });
  if (selector === null) return null;
  if (byId) return one.isPlaceholderData ? undefined : one.data?.entity;
  if (!named.data || named.isPlaceholderData) return undefined;
  const wanted = selector.toLocaleLowerCase();
  const goesBy = (entity: KnownEntityReply) => [entity.name, entity.slug, ...entity.aliases].some((each) => each.toLocaleLowerCase() === wanted);
  return named.data.items.map(({ entity }) => entity).find(goesBy) ?? null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}

/** What is believed now about what an operation speaks of. */
export function useFacts(operation: string, payload: Payload): Facts {
  const scope = useScope();
  const about = operation === "create_entity" ? text(payload["name"]) : text(payload["entity"]);
  const entity = useEntity(about);
  const [aspect, claim, group] = [text(payload["aspect"]), text(payload["claim"]), text(payload["group"])];
  const asked = CLAIMS.includes(operation) && Boolean(entity && aspect && claim);
  const held = useRead(
    "GET /api/ontology/claims/versions",
    { query: { ...scope.api, entity: entity?.id ?? "", aspect: aspect ?? "", claim: claim ?? "", group, status: "active" } },
    { enabled: asked },
  );
  const values = asked && held.data && !held.isPlaceholderData ? held.data.items : null;
  return { entity, values: values ?? [], known: asked ? values !== null : entity !== undefined };
}

export interface Trial {
  touches: { entities: number; links: number; claims: number };
  warnings: string[];
  /** Why it would be refused as things are. */
  refusal: string | null;
}

/** What would come of an operation now: the server carries it out and takes it back. */
export function useTrial(operation: string, payload: Payload): Trial | null {
  const scope = useScope();
  const trial = useRead("POST /api/ontology/operations/batch", { body: { ...scope.api, dry_run: true, operations: [{ operation, payload }] } });
  if (!trial.data || trial.isPlaceholderData) return null;
  const result = trial.data.items[0]?.result;
  const counted = (what: string) => Number(result?.[what] ?? 0);
  return {
    touches: { entities: counted("entities"), links: counted("links"), claims: counted("claims") },
    warnings: (result?.["warnings"] as string[] | undefined) ?? [],
    refusal: trial.data.errors[0]?.error ?? null,
  };
}
