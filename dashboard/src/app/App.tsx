/** The page: navigation, whose memory is in view, and the view itself. */

import { Suspense, useState } from "react";
import { useRead } from "../api/queries";
import { Button, Key } from "../ui/controls";
import { Dialog } from "../ui/dialogs";
import { Icon } from "../ui/icons";
import { Empty, Waiting } from "../ui/states";
import { ToastProvider } from "../ui/toasts";
import { Boundary } from "./Boundary";
import { useKeys } from "./keys";
import { go, to, useRoute } from "./routes";
import { ScopePicker } from "./ScopePicker";
import { ScopeProvider, useScope } from "./scopes";
import { Search } from "./Search";
import { SignIn } from "./SignIn";
import { switchTheme, useTheme } from "./themes";
import { VIEWS, type View } from "./views";
import "./App.css";

export function App() {
  return (
    <SignIn>
      <ScopeProvider nobody={<Nobody />}>
        <ToastProvider>
          <Shell />
        </ToastProvider>
      </ScopeProvider>
    </SignIn>
  );
}

function Shell() {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const view = VIEWS.find((each) => each.at === route.view);
  useKeys({
    ...Object.fromEntries(VIEWS.map((each) => [`g ${each.key}`, () => go(to(each.at))])),
    "/": () => document.querySelector<HTMLInputElement>("#search")?.focus(),
    "?": () => setHelp(true),
  });
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={skip}>
        Skip to the view
      </a>
      <Navigation current={route.view} />
      <TopBar help={() => setHelp(true)} />
      <main id="main" tabIndex={-1}>
        {view ? (
          <Boundary key={view.at}>
            <Suspense fallback={<Waiting />}>
              <view.component />
            </Suspense>
          </Boundary>
        ) : (
          <Empty title="There is no such page">
            <a href={to("")}>Go to the constellation</a>
          </Empty>
        )}
      </main>
      {help && <Help close={() => setHelp(false)} />}
    </div>
  );
}

/** The address after `#` is ours, so the link cannot use it. */
function skip(event: { preventDefault: () => void }) {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}

function Navigation({ current }: { current: string }) {
  return (
    <nav className="navigation" aria-label="Views">
      <a className="brand" href={to("")}>
        <img src="./nacre.svg" alt="" width="26" height="26" />
        <span>Nacre</span>
      </a>
      <ul>
        {VIEWS.map((each) => (
          <li key={each.at}>
            <a href={to(each.at)} aria-current={each.at === current ? "page" : undefined} title={each.title}>
              <Icon name={each.icon} />
              <span>{each.title}</span>
              {each.at === "review" && <Pending />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many proposals wait for somebody. */
function Pending() {
  const scope = useScope();
  const proposals = useRead("GET /api/ontology/proposals", { query: { ...scope.api, status: "pending", limit: 50 } });
  const count = proposals.data?.items.length ?? 0;
  return count ? <span className="count">{count >= 50 ? "50+" : count}</span> : null;
}

function TopBar({ help }: { help: () => void }) {
  const theme = useTheme();
  return (
    <header className="topbar">
      <ScopePicker />
      <Search />
      <Button look="quiet" onClick={help} aria-label="Keyboard shortcuts" title="Keyboard shortcuts">
        ?
      </Button>
      <Button look="quiet" onClick={switchTheme} aria-label={theme === "dark" ? "Light theme" : "Dark theme"} title="Switch theme">
        <Icon name={theme === "dark" ? "sun" : "moon"} />
      </Button>
    </header>
  );
}

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["/"], "Find an entity"],
  [["?"], "This list"],
  [["j"], "In a queue: the next one"],
  [["k"], "In a queue: the one before"],
  [["Esc"], "Close what is open"],
];

function Help({ close }: { close: () => void }) {
  const pages = VIEWS.map((each: View) => [["g", each.key], `Go to ${each.title}`] as const);
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl className="keys">
        {[...KEYS, ...pages].map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function Nobody() {
  return (
    <Empty title="No agent has been here yet">
      This page shows what agents know. It fills when one observes its first turn, for instance with{" "}
      <code>nacre observe "We launch on April 14." --agent assistant</code>.
    </Empty>
  );
}
