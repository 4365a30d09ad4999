/** Tokens: who may come in and as what, and who was turned away. */

import { useState } from "react";
import type { DenialReply, TokenReply } from "../../api/contracts";
import { useChange, useRead } from "../../api/queries";
import { Badge, Button } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Panel } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { IssueToken } from "./IssueToken";

export function Tokens() {
  const tokens = useRead("GET /v1/tokens", { query: { limit: 200 } });
  const denials = useRead("GET /v1/denials", { query: { limit: 50 } });
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<TokenReply | null>(null);
  return (
    <>
      <Panel
        title="Tokens"
        tools={
          <Button look="primary" onClick={() => setIssuing(true)}>
            Issue a token
          </Button>
        }
      >
        <Read from={tokens}>
          {({ tokens: rows }) =>
            rows.length ? (
              <Table label="Tokens" rows={rows} columns={columns(setRevoking)} keyOf={(token) => token.id} />
            ) : (
              <Empty title="There are no tokens">
                On this machine none is needed while <code>NACRE_AUTH</code> is <code>local</code>. Issue one for each program that calls from elsewhere.
              </Empty>
            )
          }
        </Read>
      </Panel>
      <Panel title="Turned away in the last 30 days">
        <Read from={denials}>
          {({ denials: rows }) =>
            rows.length ? (
              <Table label="Turned away" rows={rows} columns={DENIALS} keyOf={(denial) => denial.id} />
            ) : (
              <Empty title="Nobody was turned away">Calls with a wrong token, or one that may not do what it asked for, are listed here.</Empty>
            )
          }
        </Read>
      </Panel>
      {issuing && <IssueToken close={() => setIssuing(false)} />}
      {revoking && <Revoke token={revoking} close={() => setRevoking(null)} />}
    </>
  );
}

const columns = (revoke: (token: TokenReply) => void): Column<TokenReply>[] => [
  { title: "Name", look: "wide", cell: (token) => <b className="settings-name">{token.name}</b> },
  { title: "Begins with", cell: (token) => <code>{token.prefix}…</code> },
  { title: "Role", cell: (token) => <Badge>{token.role}</Badge> },
  { title: "For", cell: (token) => [token.agent ?? "every agent", token.user].filter(Boolean).join(" · ") },
  { title: "Last used", cell: (token) => (token.last_used_at ? <Time at={token.last_used_at} look="ago" /> : "never") },
  { title: "State", cell: (token) => <State of={token} /> },
  { title: "", look: "end", cell: (token) => (over(token) ? null : <Button onClick={() => revoke(token)} aria-label={`Revoke ${token.name}`}>Revoke</Button>) },
];

function over(token: TokenReply): boolean {
  return token.revoked_at !== null || (token.expires_at !== null && new Date(token.expires_at) <= new Date());
}

function State({ of }: { of: TokenReply }) {
  if (of.revoked_at) return <Badge tone="bad">revoked</Badge>;
  if (over(of)) return <Badge tone="warn">expired</Badge>;
  return <Badge tone="good">{of.expires_at ? <>until <Time at={of.expires_at} look="day" /></> : "valid"}</Badge>;
}

const DENIALS: readonly Column<DenialReply>[] = [
  { title: "When", cell: (denial) => <Time at={denial.at} /> },
  { title: "Called", cell: (denial) => <code className="settings-value">{denial.called}</code> },
  { title: "Why", look: "wide", cell: (denial) => denial.reason },
  { title: "Where", cell: (denial) => [denial.agent, denial.user].filter(Boolean).join(" · ") || "–" },
];

function Revoke({ token, close }: { token: TokenReply; close: () => void }) {
  const toasts = useToasts();
  const revoke = useChange("DELETE /v1/tokens/{token}", () => {
    toasts.done(`${token.name} opens nothing any more.`);
    close();
  });
  return (
    <Dialog
      title={`Revoke ${token.name}?`}
      close={close}
      confirm="Revoke"
      look="danger"
      busy={revoke.isPending}
      failure={revoke.error}
      submit={() => revoke.mutate({ path: { token: token.id } })}
    >
      <p>Whoever uses it is turned away from now on. A token cannot be brought back; issue another one instead.</p>
    </Dialog>
  );
}
