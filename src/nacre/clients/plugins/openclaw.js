// Nacre's memory for OpenClaw. Written by `nacre install openclaw`; `nacre uninstall openclaw` takes it out.
import { spawn } from "node:child_process";

const COMMAND = ["nacre", "hook"];
// Milliseconds that OpenClaw waits for each event at most; a hook ends by itself sooner, but has to be started.
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

/** The words of a message, whose content may come in parts; tool calls and their results are none. */
function words(message) {
  if (typeof message?.content === "string") return message.content;
  const parts = Array.isArray(message?.content) ? message.content : [];
  return parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
}

export default {
  id: "nacre",
  name: "Nacre",
  description: "Memory that is shared with other agents, in a file on this machine.",
  kind: "memory",
  register(api) {
    const started = new Set();
    const about = (event, ctx, more = {}) =>
      tell({ event, session: ctx?.sessionId ?? ctx?.sessionKey ?? "default", cwd: ctx?.workspaceDir, ...more });

    api.on("before_prompt_build", async (event, ctx) => {
      // What automations and other sessions ask, no person asked.
      if (ctx?.trigger && ctx.trigger !== "user") return undefined;
      if (ctx?.inputProvenance && ctx.inputProvenance.kind !== "external_user") return undefined;
      const session = ctx?.sessionId ?? ctx?.sessionKey ?? "default";
      const prompt = event.currentUserMessage ?? event.prompt ?? "";
      const profile = started.has(session) ? "" : await about("start", ctx);
      started.add(session);
      const context = prompt.trim() ? await about("prompt", ctx, { prompt }) : "";
      const told = [profile, context].filter(Boolean).join("\n\n");
      return told ? { prependContext: told } : undefined;
    });
    api.on("agent_end", async (event, ctx) => {
      if (ctx?.trigger && ctx.trigger !== "user") return;
      const last = (event.messages ?? []).filter((message) => message?.role === "assistant").at(-1);
      const reply = words(last);
      if (event.success !== false && reply.trim()) await about("turn", ctx, { reply });
    });
    api.on("before_compaction", async (_event, ctx) => void (await about("flush", ctx)));
    api.on("session_end", async (_event, ctx) => void (await about("flush", ctx)));
  },
};
