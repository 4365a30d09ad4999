// Nacre's memory for opencode. Written by `nacre install opencode`; `nacre uninstall opencode` takes it out.
import { spawn } from "node:child_process";

const COMMAND = ["nacre", "hook"];
// Milliseconds that opencode waits for each event at most; a hook ends by itself sooner, but has to be started.
const WAIT = { start: 4500, prompt: 700, turn: 2500, flush: 2500 };

/** Tell Nacre of an event; what it says back, or nothing where it is late or missing. */
function tell(event) {
  return new Promise((resolve) => {
    let said = "";
    const [program, ...rest] = COMMAND;
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => finish(""), WAIT[event.event]);
    function finish(text) {
      clearTimeout(timer);
      child.kill();
      resolve(text);
    }
    child.on("error", () => finish(""));
    child.stdin.on("error", () => finish(""));
    child.stdout.on("data", (part) => (said += part));
    child.on("close", () => {
      try {
        finish(said ? JSON.parse(said).context : "");
      } catch {
        finish("");
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

export const NacrePlugin = async ({ directory }) => {
  const profiles = new Map();
  const contexts = new Map();
  const replies = new Map();
  // Sessions of subagents: what is asked there, no person asked.
  const children = new Set();
  const about = (event, session, more = {}) => tell({ event, session, cwd: directory, ...more });

  return {
    event: async ({ event }) => {
      const info = event.properties?.info;
      if (event.type === "session.created" && info?.parentID) children.add(info.id);
      const session = event.properties?.sessionID;
      if (event.type === "session.idle" && replies.has(session)) {
        const reply = replies.get(session);
        replies.delete(session);
        await about("turn", session, { reply });
      }
      if (event.type === "session.deleted" && info) {
        for (const each of [profiles, contexts, replies]) each.delete(info.id);
      }
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (children.has(sessionID)) return;
      const prompt = parts
        .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
        .map((part) => part.text)
        .join("\n");
      if (!prompt.trim()) return;
      if (!profiles.has(sessionID)) profiles.set(sessionID, await about("start", sessionID));
      contexts.set(sessionID, await about("prompt", sessionID, { prompt }));
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      for (const each of [profiles.get(sessionID), contexts.get(sessionID)]) if (each) system.push(each);
    },
    "experimental.text.complete": async ({ sessionID }, { text }) => {
      if (!children.has(sessionID) && text.trim()) replies.set(sessionID, text);
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await about("flush", sessionID);
    },
  };
};
