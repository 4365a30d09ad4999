/** Where nothing is known yet: say something, load the demo, or send the first turn from a program. */

import { useQueryClient } from "@tanstack/react-query";
import { useRead } from "../../api/queries";
import { go, to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { SayForm } from "../playground/SayForm";
import { say } from "../playground/talking";
import "../playground/playground.css";
import { Copy } from "../recall/Copy";
import { onThisMachine, overHttp } from "./commands";
import { useDemo } from "./demo";
import "./start.css";

const EXAMPLES = ["My name is Ana and I live in Porto.", "Maya founded Larkspur in Utrecht. Tom works there.", "Pebble launches on June 16."];

export function Start() {
  const scope = useScope();
  const queries = useQueryClient();
  const begin = (text: string) => {
    void say(scope, queries, text);
    go(to("playground"));
  };
  return (
    <div className="start">
      <div className="start-head">
        <img src="./nacre.svg" alt="" width="52" height="52" />
        <h2>Nothing is known here yet</h2>
        <p>
          An agent tells Nacre what was said. Nacre keeps every word, learns who and what it was about, and hands the right part back when it matters. Say
          something and watch the graph grow.
        </p>
      </div>
      <div className="start-say">
        <SayForm say={begin} placeholder="Tell it about yourself, your work, your plans …" />
        <p className="start-examples">
          <span>Or try</span>
          {EXAMPLES.map((text) => (
            <Button key={text} look="quiet" onClick={() => begin(text)}>
              {text}
            </Button>
          ))}
        </p>
      </div>
      <div className="start-ways">
        <Demo />
        <Commands />
      </div>
    </div>
  );
}

function Demo() {
  const { share, failure, load } = useDemo();
  const busy = share !== null;
  const percent = Math.round((share ?? 0) * 100);
  return (
    <Panel title="Look at a memory that has grown">
      <p>Half a year of a team that builds a soil sensor: dates that move, people who come and go, and what was believed when. It has an agent of its own.</p>
      <div className="start-demo">
        <Button look="primary" busy={busy} onClick={load}>
          {busy ? `Loading … ${percent} %` : "Load the demo"}
        </Button>
        {busy && <progress max={100} value={percent} aria-label="Loading the demo" />}
      </div>
      {failure && (
        <p className="start-failed" role="alert">
          {failure.message}
        </p>
      )}
    </Panel>
  );
}

function Commands() {
  const scope = useScope();
  const me = useRead("GET /v1/me", {});
  const may = me.data?.permissions.includes("admin") ?? false;
  const settings = useRead("GET /v1/settings", {}, { enabled: may });
  const database = settings.data?.settings["database"];
  const here = me.data?.local && typeof database === "string" && !database.includes("://") && database !== ":memory:";
  return (
    <Panel title="Or tell it from your own program">
      <Command title="From anywhere that reaches this server" text={overHttp(scope, me.data?.local ?? true)} />
      {here && <Command title="On the server’s machine" text={onThisMachine(scope, database)} />}
      <p className="start-more">
        <a href="./docs">The whole API</a>, and <code>{new URL("mcp", window.location.href).href}</code> for clients that speak MCP.
      </p>
    </Panel>
  );
}

function Command({ title, text }: { title: string; text: string }) {
  return (
    <div className="start-command">
      <p>
        {title} <Copy text={text} what="The command" />
      </p>
      <pre tabIndex={0} aria-label={title}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
