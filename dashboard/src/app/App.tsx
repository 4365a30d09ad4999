/** The page: navigation, whose memory is in view, and the view itself. */

import { Suspense, useState } from "react";
import { Button, Key } from "../ui/controls";
import { Dialog } from "../ui/dialogs";
import { Icon } from "../ui/icons";
import { Empty, Waiting } from "../ui/states";
import { ToastProvider } from "../ui/toasts";
import { useQueue } from "../views/review/queue";
import { Boundary } from "./Boundary";
import { useKeys } from "./keys";
import { go, to, useRoute } from "./routes";
import { ScopePicker } from "./ScopePicker";
import { ScopeProvider } from "./scopes";
import { Search } from "./Search";
import { SignIn } from "./SignIn";
import { switchTheme, useTheme } from "./themes";
import { VIEWS, type View } from "./views";
import "./App.css";

export function App() {
  return (
    <SignIn>
      <ScopeProvider>
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
  const [open, setOpen] = useState(false);
  const behind = VIEWS.findIndex(({ at }) => at === current) >= AT_HAND;
  return (
    <nav className={`navigation ${open ? "open" : ""}`} aria-label="Views" onClick={({ target }) => (target as Element).closest("a") && setOpen(false)}>
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
        <li className="navigation-more">
          <button type="button" aria-expanded={open} data-behind={behind} onClick={() => setOpen(!open)}>
            <Icon name="more" />
            <span>{open ? "Less" : "More"}</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}

/** So many views stand at the foot of a small screen; App.css knows it too. The others are behind the button. */
const AT_HAND = 4;

/** How much waits for somebody: as much as the review lists. */
function Pending() {
  const { queue } = useQueue();
  if (!queue?.items.length) return null;
  return (
    <span className="count" title="Waiting for a decision">
      {queue.items.length.toLocaleString()}
      {queue.more && "+"}
    </span>
  );
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
