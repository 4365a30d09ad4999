/** One document: its words, where it leads, what leads to it, and a way to take it out of force or put it back. */

import { useMemo } from "react";
import { useChange, useRead } from "../../api/queries";
import { setParameter, to, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button, Field } from "../../ui/controls";
import { dayEnd } from "../../ui/days";
import { Fact, Facts } from "../../ui/facts";
import { Markdown, type Wiki } from "../../ui/markdown";
import { Page, Panel } from "../../ui/pages";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { READERS, type Document, type Links, type Listed } from "./replies";

export function DocumentPage({ id }: { id: string }) {
  const scope = useScope();
  const asOf = useRoute().query.get("as_of");
  const one = { path: scope.path, query: { ...scope.query, document: id } };
  const read = useRead("GET /v1/agents/{agent}/vault/document", { ...one, query: { ...one.query, as_of: dayEnd(asOf ?? "") } });
  const links = useRead("GET /v1/agents/{agent}/vault/links", one, { enabled: read.data?.status === "active" });
  return (
    <Read from={read} what="Reading the document">
      {(document) => (
        <Page
          title={document.title}
          lead={<span className="documents-path">{document.path}</span>}
          tools={
            <>
              <Field label="As of" type="date" value={asOf ?? ""} onChange={(event) => setParameter("as_of", event.target.value || null)} />
              {!asOf && <Standing of={document} />}
            </>
          }
        >
          <div className="documents-columns">
            <Words document={document} links={links.data} />
            <Beside document={document} links={links.data} />
          </div>
        </Page>
      )}
    </Read>
  );
}

function Words({ document, links }: { document: Document; links: Links | undefined }) {
  const wiki = useMemo((): Wiki => {
    const known = new Map(links?.outgoing.map(({ target, document: leads }) => [target.trim(), leads]));
    return (target) => {
      const leads = known.get(target.trim());
      return leads ? to("documents", leads.id) : null;
    };
  }, [links]);
  // Its first heading is the title, which stands above.
  const text = document.content.replace(new RegExp(`^(---\\n[\\s\\S]*?\\n---\\n)?\\s*# ${escaped(document.title)}\\s*\\n`), "$1");
  return (
    <Panel>
      <Markdown text={text} wiki={wiki} />
    </Panel>
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function Beside({ document, links }: { document: Document; links: Links | undefined }) {
  const properties = Object.entries(document.properties);
  const leads = links?.outgoing.flatMap(({ document: target }) => target ?? []) ?? [];
  const broken = links?.outgoing.filter(({ document: target }) => !target) ?? [];
  return (
    <aside className="documents-beside">
      <Panel title="About it">
        <Facts>
          <Fact name="For">{document.team ?? READERS[document.visibility]}</Fact>
          <Fact name="First saved">
            <Time at={document.created_at} look="day" />
          </Fact>
          <Fact name="Last changed">
            <Time at={document.updated_at} look="day" />
          </Fact>
          {properties.map(([name, value]) => (
            <Fact key={name} name={name}>
              {Array.isArray(value) ? <Tags of={value} /> : value}
            </Fact>
          ))}
        </Facts>
      </Panel>
      {links && (
        <Panel title="Links">
          <Others title="Leads to" of={leads} />
          <Others title="Linked from" of={links.backlinks.map(({ source }) => source)} />
          {broken.length > 0 && <p className="documents-broken">No document goes by {[...new Set(broken.map(({ target }) => `“${target}”`))].join(", ")}.</p>}
          {!links.outgoing.length && !links.backlinks.length && <p>It stands alone: no other document leads here, and it leads to none.</p>}
        </Panel>
      )}
    </aside>
  );
}

function Tags({ of }: { of: readonly string[] }) {
  return (
    <span className="documents-tags">
      {of.map((each) => (
        <Badge key={each}>{each}</Badge>
      ))}
    </span>
  );
}

function Others({ title, of }: { title: string; of: readonly Listed[] }) {
  if (!of.length) return null;
  const once = [...new Map(of.map((each) => [each.id, each])).values()];
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {once.map((each) => (
          <li key={each.id}>
            <a href={to("documents", each.id)}>{each.title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether it is in force, and the way to the other. */
function Standing({ of }: { of: Document }) {
  const scope = useScope();
  const toasts = useToasts();
  const archive = useChange("POST /v1/agents/{agent}/vault/archive", () => toasts.done(`Archived ${of.title}.`));
  const restore = useChange("POST /v1/agents/{agent}/vault/restore", () => toasts.done(`${of.title} is in force again.`));
  const one = { path: scope.path, body: { ...scope.query, document: of.id } };
  if (of.status === "active")
    return (
      <Button look="danger" busy={archive.isPending} onClick={() => archive.mutate(one, { onError: toasts.failed })}>
        Archive
      </Button>
    );
  return (
    <>
      <Badge tone="warn">archived</Badge>
      <Button busy={restore.isPending} onClick={() => restore.mutate(one, { onError: toasts.failed })}>
        Put back
      </Button>
    </>
  );
}
