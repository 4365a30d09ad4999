/** Choose the agent, and one of its users and chats. */

import { useRead } from "../api/queries";
import { Choice } from "../ui/controls";
import { go, to, useRoute } from "./routes";
import { useAgents, useScope } from "./scopes";

export function ScopePicker() {
  const scope = useScope();
  const { view } = useRoute();
  const agents = useAgents();
  const scopes = useRead("GET /v1/agents/{agent}/scopes", { path: scope.path, query: { limit: 200 } });
  const names = [...new Set([scope.agent, ...(agents.data?.agents ?? [])])].sort();
  const parts = (scopes.data?.scopes ?? []).map(({ user, chat }) => [user ?? "", chat ?? ""] as const);
  const here = JSON.stringify([scope.user ?? "", scope.chat ?? ""]);
  const options = [...new Set([JSON.stringify(["", ""]), here, ...parts.map((part) => JSON.stringify(part))])];
  const chosen = (value: string) => {
    const [user, chat] = JSON.parse(value) as [string, string];
    go(to(view, null, { user, chat }));
  };
  return (
    <div className="scope-picker">
      <Choice
        label="Agent"
        bare
        value={scope.agent}
        options={names.map((name) => [name, name])}
        onChange={(event) => go(to(view, null, { agent: event.target.value, user: null, chat: null }))}
      />
      {options.length > 1 && (
        <Choice
          label="User and chat"
          bare
          title="“Shared, no user” is what the agent knows whoever it speaks with. What it knows of one user is in that user’s own memory, and not in it."
          value={here}
          options={options.map((each) => [each, described(each)])}
          onChange={(event) => chosen(event.target.value)}
        />
      )}
    </div>
  );
}

/** What belongs to no user is known to the agent whoever it speaks with; what belongs to one is not in it. */
function described(option: string): string {
  const [user, chat] = JSON.parse(option) as [string, string];
  return [user || "shared, no user", chat].filter(Boolean).join(" · ");
}
