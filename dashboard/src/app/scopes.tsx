/** Whose memory is in view: an agent, and where chosen one user and one chat. It stands in the address. */

import { createContext, use, useMemo, type ReactNode } from "react";
import { useRead } from "../api/queries";
import { useRoute } from "./routes";

export interface Scope {
  agent: string;
  user: string | null;
  chat: string | null;
  /** For `/v1/agents/{agent}/…`. */
  path: { agent: string };
  query: { user?: string; chat?: string };
  /** For `/v1/agents/{agent}/kg/…`. */
  graph: { user_id?: string };
  /** For `/api/…`, in a query or in a body. */
  api: { agent_id: string; user_id?: string; chat_id?: string };
}

const Current = createContext<Scope | null>(null);

/** The scope in view. */
export function useScope(): Scope {
  const scope = use(Current);
  if (!scope) throw new Error("useScope is used outside of ScopeProvider");
  return scope;
}

function named(agent: string, user: string | null, chat: string | null): Scope {
  return {
    agent,
    user,
    chat,
    path: { agent },
    query: { ...(user ? { user } : {}), ...(chat ? { chat } : {}) },
    graph: user ? { user_id: user } : {},
    api: { agent_id: agent, ...(user ? { user_id: user } : {}), ...(chat ? { chat_id: chat } : {}) },
  };
}

/** The agents there are. Only administrators may ask; everybody else has their own. */
export function useAgents() {
  const me = useRead("GET /v1/me", {});
  return useRead("GET /v1/agents", { query: { limit: 200 } }, { enabled: me.data?.permissions.includes("admin") ?? false });
}

/** Everything below sees the scope of the address, or the first agent there is; where there is none, that of the server. */
export function ScopeProvider({ children }: { children: ReactNode }) {
  const { query } = useRoute();
  const me = useRead("GET /v1/me", {});
  const agents = useAgents();
  const known = agents.data?.agents;
  const own = me.data?.agent ?? null;
  const first = known && !(own && known.includes(own)) ? (known[0] ?? own) : own;
  const agent = me.data?.bound_agent ?? query.get("agent") ?? first;
  const [user, chat] = [me.data?.bound_user ?? query.get("user"), query.get("chat")];
  const scope = useMemo(() => (agent ? named(agent, user, chat) : null), [agent, user, chat]);
  if (agents.isEnabled && !agents.isFetched && !query.has("agent")) return null;
  return scope && <Current value={scope}>{children}</Current>;
}
