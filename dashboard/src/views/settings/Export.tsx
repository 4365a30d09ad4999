/** The scope in view as a file. */

import { useState } from "react";
import { open, type Failure } from "../../api/client";
import { useScope } from "../../app/scopes";
import { Button, Choice } from "../../ui/controls";
import { save } from "../../ui/files";
import { Panel } from "../../ui/pages";
import { useToasts } from "../../ui/toasts";

const FORMATS = [
  ["jsonl", "JSON lines: everything, can be restored", "jsonl"],
  ["markdown", "Markdown: the graph as pages", "md"],
  ["graphml", "GraphML: the graph for other tools", "graphml"],
  ["turtle", "Turtle: the graph as RDF", "ttl"],
  ["mcp", "The MCP memory server’s format", "mcp.jsonl"],
] as const;

type Format = (typeof FORMATS)[number][0];

export function Export() {
  const scope = useScope();
  const toasts = useToasts();
  const [format, setFormat] = useState<Format>("jsonl");
  const [busy, setBusy] = useState(false);
  const whose = [scope.agent, scope.user, scope.chat].filter((each) => each !== null);
  const download = async () => {
    setBusy(true);
    try {
      const reply = await open("GET /v1/agents/{agent}/export", { path: scope.path, query: { ...scope.query, format } });
      save(await reply.blob(), `${whose.join("-")}.${FORMATS.find(([each]) => each === format)?.[2]}`);
    } catch (error) {
      toasts.failed(error as Failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Take it with you">
      <p className="settings-note">All that is kept of {whose.join(" · ")}, as a file.</p>
      <div className="settings-row">
        <Choice
          label="Format"
          value={format}
          options={FORMATS.map(([value, title]) => [value, title])}
          onChange={(event) => setFormat(event.target.value as Format)}
        />
        <Button busy={busy} onClick={() => void download()}>
          {busy ? "Writing …" : "Download"}
        </Button>
      </div>
    </Panel>
  );
}
