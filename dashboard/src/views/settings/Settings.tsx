/** Settings: what the server runs on, what the agent in view shares, and who may come in. */

import { to, useRoute } from "../../app/routes";
import { Page } from "../../ui/pages";
import { Agent } from "./Agent";
import { Server } from "./Server";
import { Tokens } from "./Tokens";
import "./Settings.css";

const PARTS = [
  ["server", "Server", Server],
  ["agent", "This agent", Agent],
  ["tokens", "Tokens", Tokens],
] as const;

export default function Settings() {
  const { argument } = useRoute();
  const [at, , Part] = PARTS.find(([each]) => each === argument) ?? PARTS[0];
  return (
    <Page title="Settings">
      <nav className="settings-parts" aria-label="Settings">
        {PARTS.map(([each, title]) => (
          <a key={each} href={to("settings", each)} aria-current={each === at ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Part />
    </Page>
  );
}
