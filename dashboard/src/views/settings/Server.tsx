/** What the server runs on, and how it was set up. Both are read only: a server is set up where it is started. */

import type { ReactNode } from "react";
import { SETTINGS, type DiagnosticsReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { Badge } from "../../ui/controls";
import { Fact, Facts } from "../../ui/facts";
import { Panel } from "../../ui/pages";
import { Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";

export function Server() {
  const health = useRead("GET /health", {}, { every: 15_000 });
  const diagnostics = useRead("GET /api/diagnostics", {});
  const settings = useRead("GET /v1/settings", {});
  return (
    <>
      <Panel
        title="What it runs on"
        tools={<Badge tone={health.error ? "bad" : "good"}>{health.error ? "does not answer" : health.data ? "healthy" : "asking …"}</Badge>}
      >
        <Read from={diagnostics}>{(found) => <Diagnostics of={found} />}</Read>
      </Panel>
      <Panel title="How it was set up">
        <p className="settings-note">
          Settings come from the environment of <code>nacre serve</code>, and are read when it starts.
        </p>
        <Read from={settings}>{({ settings: held }) => <Settings of={held} />}</Read>
      </Panel>
    </>
  );
}

function Diagnostics({ of }: { of: DiagnosticsReply }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Version", of.version],
    ["Database", of.database],
    ["Embedder", of.embedder ?? "none: recall ranks by words alone"],
    ["Language model", of.languageModel ?? "none: no text is sent to one"],
    ["Knowledge graph", of.graph.enabled ? "used by recall and contexts" : "switched off"],
    ["Extraction", of.graph.extractionWritesEnabled ? "writes to the graph" : "switched off"],
    ["Jobs", `${of.jobs.waiting.toLocaleString()} waiting, ${of.jobs.dead.toLocaleString()} given up`],
  ];
  return (
    <Facts>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

type Setting = readonly [name: string, value: unknown];

const COLUMNS: readonly Column<Setting>[] = [
  { title: "Variable", cell: ([name]) => <code>NACRE_{name.toUpperCase()}</code> },
  { title: "Value", cell: ([, value]) => <Value of={value} /> },
  { title: "Meaning", look: "wide", cell: ([name]) => <Words of={SETTINGS[name] ?? "–"} /> },
];

function Settings({ of }: { of: Record<string, unknown> }) {
  return <Table label="Settings" rows={Object.entries(of)} columns={COLUMNS} keyOf={([name]) => name} />;
}

function Value({ of }: { of: unknown }) {
  if (of === null) return <span className="settings-none">none</span>;
  if (typeof of === "boolean") return <code>{of ? "yes" : "no"}</code>;
  return <code className="settings-value">{typeof of === "string" ? of : JSON.stringify(of)}</code>;
}

/** A sentence whose words between backticks are code. */
function Words({ of }: { of: string }) {
  return <span className="settings-meaning">{of.split("`").map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</span>;
}
