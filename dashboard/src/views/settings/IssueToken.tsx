/** Issue a token. Its secret is shown once, here, and kept nowhere. */

import { useRef, useState } from "react";
import type { TokenReply } from "../../api/contracts";
import { useChange, useRead } from "../../api/queries";
import { Button, Choice, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";

type Role = TokenReply["role"];

const ROLES: readonly (readonly [role: Role, does: string])[] = [
  ["agent", "Remembers, recalls, changes and forgets: what an agent needs."],
  ["readonly", "Looks, and changes nothing."],
  ["operator", "Everything but settings and tokens."],
  ["admin", "Everything, tokens included."],
];

const ENDS: readonly (readonly [days: string, text: string])[] = [
  ["", "never"],
  ["7", "in a week"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
];

export function IssueToken({ close }: { close: () => void }) {
  const agents = useRead("GET /v1/agents", { query: { limit: 200 } });
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const [agent, setAgent] = useState("");
  const [user, setUser] = useState("");
  const [days, setDays] = useState("");
  const issue = useChange("POST /v1/tokens");
  if (issue.data) return <Secret name={issue.data.token.name} secret={issue.data.secret} close={close} />;
  const submit = () => {
    const expires_at = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
    issue.mutate({ body: { name: name.trim(), role, agent: agent || null, user: (agent && user.trim()) || null, expires_at } });
  };
  return (
    <Dialog title="Issue a token" close={close} confirm="Issue" busy={issue.isPending} failure={issue.error} submit={submit}>
      <Field label="Name" required value={name} autoComplete="off" placeholder="laptop of Ana" onChange={(event) => setName(event.target.value)} />
      <div>
        <Choice label="Role" value={role} options={ROLES.map(([each]) => [each, each])} onChange={(event) => setRole(event.target.value as Role)} />
        <p className="settings-note">{ROLES.find(([each]) => each === role)?.[1]}</p>
      </div>
      <Choice
        label="For the agent"
        value={agent}
        options={[["", "every agent"], ...(agents.data?.agents ?? []).map((each) => [each, each] as const)]}
        onChange={(event) => setAgent(event.target.value)}
      />
      {agent && <Field label="For the user (any, if left empty)" value={user} autoComplete="off" onChange={(event) => setUser(event.target.value)} />}
      <Choice label="It ends" value={days} options={ENDS} onChange={(event) => setDays(event.target.value)} />
    </Dialog>
  );
}

function Secret({ name, secret, close }: { name: string; secret: string; close: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    // Without a secure context there is no clipboard; what is selected can still be copied by hand.
    await navigator.clipboard?.writeText(secret);
    setCopied(Boolean(navigator.clipboard));
  };
  return (
    <Dialog title={`The token of ${name}`} close={close}>
      <p>Copy it now: it is shown here once, and kept nowhere. Callers send it as <code>Authorization: Bearer …</code>.</p>
      <div className="settings-secret">
        <label>
          <span className="visually-hidden">Secret</span>
          <input ref={field} className="mono" readOnly value={secret} onFocus={(event) => event.target.select()} />
        </label>
        <Button look="primary" onClick={() => void copy()}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
    </Dialog>
  );
}
