/** What the ids in payloads stand for: all are asked for at once. */

import { useCallback, useMemo } from "react";
import type { LabelReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { quoted, spaced, verb, type Naming, type Payload } from "./words";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ENTITIES = ["entity", "source", "target", "interface"];
const CLAIMS = ["attribute_id", "superseded_by"];
/** So many ids the server names at once. */
const MOST = 1_000;

export function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}

type What = "entity" | "claim" | "link" | "assertion";

/** The ids in payloads and what each is an id of. */
function idsIn(payloads: readonly Payload[]): Map<string, What> {
  const found = new Map<string, What>();
  const note = (payload: Payload, fields: readonly string[], what: What) => {
    for (const field of fields) if (isId(payload[field])) found.set(String(payload[field]), what);
  };
  for (const payload of payloads) {
    // Mentions name a source that is a text, and no entity.
    if (!("places" in payload)) note(payload, ENTITIES, "entity");
    note(payload, CLAIMS, "claim");
    note(payload, ["link"], "link");
    note(payload, ["assertion"], "assertion");
  }
  return found;
}

/** A function that puts names in the place of ids. What is archived or superseded has a name as well. */
export function useNames(payloads: readonly Payload[]): Naming {
  const scope = useScope();
  const wanted = idsIn(payloads);
  const ids = [...wanted.keys()].sort().slice(0, MOST);
  const asked = { agentId: scope.agent, userId: scope.user, chatId: scope.chat, ids };
  const { data } = useRead("POST /api/knowledge/labels", { body: asked }, { enabled: ids.length > 0 });
  const labels = useMemo(() => new Map(data?.items.map((label) => [label.id, worded(label)])), [data]);
  return useCallback(
    (selector: string) => {
      const what = wanted.get(selector);
      return labels.get(selector) ?? (what ? `${a(what)} …${selector.slice(-6)}` : selector);
    },
    [labels, ids.join()],
  );
}

const a = (what: What): string => (what === "entity" || what === "assertion" ? `an ${what}` : `a ${what}`);

function worded({ kind, name, key, text }: LabelReply): string {
  switch (kind) {
    case "entity":
      return name;
    case "claim":
      return `${name}’s ${spaced(key ?? "claim")}, ${quoted(text, 60)}`;
    case "link":
      return quoted(`${name} ${verb(key ?? "")} ${text ?? ""}`);
    case "assertion":
      return quoted(text, 60);
  }
}
