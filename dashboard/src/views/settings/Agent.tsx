/** The agent in view: what it shares, how far its vectors are, its memory as a file, and forgetting somebody. */

import { useState } from "react";
import type { ProgressReply, SharingBody, SharingReply } from "../../api/contracts";
import { useChange, useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Dialog } from "../../ui/dialogs";
import { Panel } from "../../ui/pages";
import { Read } from "../../ui/states";
import { useToasts } from "../../ui/toasts";
import { Export } from "./Export";
import { ForgetUser } from "./ForgetUser";

export function Agent() {
  const scope = useScope();
  const sharing = useRead("GET /v1/agents/{agent}/sharing", { path: scope.path });
  const embeddings = useRead("GET /v1/agents/{agent}/embeddings", { path: scope.path, query: scope.query }, { every: 5_000 });
  return (
    <>
      <Panel title={`What ${scope.agent} shares`}>
        <Read from={sharing}>{(held) => <Sharing of={held} />}</Read>
      </Panel>
      <Panel title="Vectors">
        <Read from={embeddings}>{(progress) => <Vectors of={progress} />}</Read>
      </Panel>
      <Export />
      <ForgetUser />
    </>
  );
}

interface Step {
  title: string;
  does: string;
  on: boolean;
  change: SharingBody;
  /** What changes for people, before they say yes. */
  warning: string;
}

function steps(held: SharingReply): Step[] {
  const open = held.read_policy === "shared";
  return [
    {
      title: "One graph for all users and chats",
      does: "What is learned about people and things in one chat is known in all.",
      on: held.share_knowledge_graph,
      change: { share_knowledge_graph: !held.share_knowledge_graph },
      warning: held.share_knowledge_graph
        ? "Each user and chat will read and write a graph of its own again. Nothing is moved: what was learned together stays with the agent."
        : "Every user and chat will read and write the agent’s own graph. Graphs that users have now are kept, and are not read.",
    },
    {
      title: "One long-term memory for all users and chats",
      does: "What is remembered for one user is recalled for every other.",
      on: held.share_memory,
      change: { share_memory: !held.share_memory },
      warning: held.share_memory
        ? "Each user and chat will have long-term memories of its own again. Nothing is moved: what was remembered together stays with the agent."
        : "Whatever is remembered from now on can be recalled by every user of this agent. Memories that users have now are kept, and are not read.",
    },
    {
      title: "Other agents may read its graph",
      does: "Their dashboards show it beside their own. They cannot change it.",
      on: open,
      change: { read_policy: open ? "isolated" : "shared" },
      warning: open ? "Other agents will no longer see its graph." : "Every other agent on this server will be able to read its graph.",
    },
  ];
}

function Sharing({ of }: { of: SharingReply }) {
  const [asked, setAsked] = useState<Step | null>(null);
  return (
    <ul className="settings-switches">
      {steps(of).map((step) => (
        <li key={step.title}>
          <span>
            <b>{step.title}</b>
            <small>{step.does}</small>
          </span>
          <button type="button" role="switch" aria-checked={step.on} aria-label={step.title} className="settings-switch" onClick={() => setAsked(step)}>
            <span aria-hidden="true" />
          </button>
        </li>
      ))}
      {asked && <Confirm step={asked} close={() => setAsked(null)} />}
    </ul>
  );
}

function Confirm({ step, close }: { step: Step; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const share = useChange("PATCH /v1/agents/{agent}/sharing", () => {
    toasts.done(`${step.title}: ${step.on ? "off" : "on"}.`);
    close();
  });
  return (
    <Dialog
      title={`${step.title}: turn it ${step.on ? "off" : "on"}?`}
      close={close}
      confirm={step.on ? "Turn it off" : "Turn it on"}
      busy={share.isPending}
      failure={share.error}
      submit={() => share.mutate({ path: scope.path, body: step.change })}
    >
      <p>{step.warning}</p>
    </Dialog>
  );
}

function Vectors({ of }: { of: ProgressReply }) {
  if (!of.total) return <p className="settings-note">There are no passages that need a vector, or the embedder is switched off.</p>;
  const words = `${of.done.toLocaleString()} of ${of.total.toLocaleString()} passages have a vector of the embedder in use`;
  return (
    <label className="settings-progress">
      {of.complete ? `All ${of.total.toLocaleString()} passages have a vector of the embedder in use.` : `${words}; the rest follows in the background.`}
      <progress value={of.done} max={of.total} />
    </label>
  );
}
