/** What a change did to the rows of the database: each before and after. */

import type { RowReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Badge, type Tone } from "../../ui/controls";
import { Read } from "../../ui/states";

const FIRST = 20;

export function Rows({ of }: { of: string }) {
  const scope = useScope();
  const found = useRead("GET /v1/agents/{agent}/audit/{operation}", { path: { ...scope.path, operation: of }, query: { ...scope.query, limit: FIRST } });
  return (
    <Read from={found} what="Looking at the rows">
      {({ changes, rows }) => (
        <ul className="audit-rows">
          {changes.map((change, at) => (
            <li key={at}>
              <Row of={change} />
            </li>
          ))}
          {rows > changes.length && <li>and {rows - changes.length} more rows</li>}
          {!rows && <li>It changed no row.</li>}
        </ul>
      )}
    </Read>
  );
}

function Row({ of }: { of: RowReply }) {
  const [words, tone]: [string, Tone] = of.before === null ? ["new", "good"] : of.after === null ? ["removed", "bad"] : ["changed", "accent"];
  const named = of.after ?? of.before ?? {};
  return (
    <>
      <div className="audit-row-head">
        <Badge tone={tone}>{words}</Badge> <b>{titles[of.table] ?? of.table.replaceAll("_", " ")}</b> {shown(named["name"] ?? named["content"] ?? named["value"] ?? named["tag"])}
      </div>
      <table>
        <caption className="visually-hidden">Before and after</caption>
        <tbody>
          {differences(of).map(([field, before, after]) => (
            <tr key={field}>
              <th scope="row">{field.replaceAll("_", " ")}</th>
              {of.before && of.after && (
                <td>
                  <del>{shown(before)}</del>
                </td>
              )}
              <td>{of.after ? <ins>{shown(after)}</ins> : <del>{shown(before)}</del>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const titles: Record<string, string> = {
  attributes: "claim",
  entities: "entity",
  links: "link",
  aspects: "aspect",
  aliases: "name",
  memories: "memory",
  memory_tags: "tag of a memory",
  memory_sources: "source of a memory",
  mentions: "mention",
  tasks: "task",
  assertions: "assertion",
  cardinalities: "rule for a claim",
};

/** Kept for the database, or the same as another field. */
const QUIET = new Set(["id", "metadata", "short", "normalized", "key", "slug", "created_at", "updated_at"]);

/** The fields that differ; of a row that came or went, those that say something. */
function differences({ before, after }: RowReply): [field: string, before: unknown, after: unknown][] {
  const fields = Object.keys(after ?? before ?? {}).filter((field) => !QUIET.has(field));
  const pairs = fields.map((field) => [field, before?.[field] ?? null, after?.[field] ?? null] as [string, unknown, unknown]);
  return pairs.filter(([, from, until]) => JSON.stringify(from) !== JSON.stringify(until) && !(isBlank(from) && isBlank(until)));
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
