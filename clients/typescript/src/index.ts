/**
 * The client of a Nacre server: memory and a knowledge graph for AI agents.
 *
 * `new Nacre({ url }).scope("assistant", { user: "ana" })` is a memory; its verbs are those of the Python package.
 * Nothing but `fetch` is needed, so it runs in Node, Deno, Bun and browsers.
 */

import type {
  ContextBody,
  ContextReply,
  DocumentReply,
  ForgetBody,
  ForgottenReply,
  KgConnectedReply,
  KgEntityReply,
  KgStepReply,
  LearningReply,
  ObservationReply,
  OperationBody,
  OperationReply,
  Operations,
  RecallBody,
  RecallReply,
  RememberBody,
  RememberReply,
  SavedReply,
  TurnBody,
  UndoReply,
  VaultFoundReply,
  VaultSearchBody,
  VersionsReply,
} from "./contracts.js";

export type * from "./contracts.js";

/** How to reach a server. */
export interface Options {
  /** Its address; `http://127.0.0.1:8765` if left out. */
  url?: string;
  /** A token, for servers that ask for one. */
  token?: string;
  /** How long one try may take, in milliseconds; 30,000 if left out. */
  timeout?: number;
  /** How often a call is tried again that a server was too busy for or that never reached it; 2 if left out. */
  retries?: number;
  /** What sends requests, instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** What may be said of a single call. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
}

type Given<K extends keyof Operations> = {
  path?: Operations[K]["path"];
  query?: Operations[K]["query"];
  body?: Operations[K]["body"];
} & CallOptions;

/** A moment: a `Date`, or a time such as `2026-05-03T10:00:00Z`. */
export type Moment = Date | string;

/** The fields of a request, without whose memory is meant; moments may be dates. */
export type Fields<T> = {
  [K in keyof Omit<T, "user" | "chat" | "user_id" | "chat_id" | "agent_id">]: K extends
    | "at"
    | "as_of"
    | "since"
    | "until"
    | "before"
    ? Moment | null
    : T[K];
};

/** An answer that is an error. `code` never changes its meaning; match on it. */
export class NacreError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(message: string, code: string, status: number, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "NacreError";
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

const DEFAULT_URL = "http://127.0.0.1:8765";
const BUSY = new Set([429, 502, 503, 504]);
const LONGEST_WAIT = 10_000;

/** A Nacre server. */
export class Nacre {
  readonly url: string;
  readonly #options: Options;

  constructor(options: Options = {}) {
    this.url = (options.url ?? DEFAULT_URL).replace(/\/+$/, "");
    this.#options = options;
  }

  /** The memory of an agent, or of one of its users, or of a chat with one. */
  scope(agent: string, who: { user?: string; chat?: string } = {}): Scope {
    return new Scope(this, agent, who.user, who.chat);
  }

  /** Call an operation of the HTTP API by its method and path, as `contracts` lists them. */
  async request<K extends keyof Operations>(operation: K, given: Given<K> = {}): Promise<Operations[K]["reply"]> {
    const [method, template] = (operation as string).split(" ") as [string, string];
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given.query ?? {})) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== undefined && each !== null) query.append(name, written(each));
      }
    }
    const asked = query.size ? `?${query}` : "";
    const target = `${this.url}${filled(template, (given.path ?? {}) as Record<string, unknown>)}${asked}`;
    const reply = await this.#tried(method, target, given.body, given.signal);
    const text = await reply.text();
    if (!reply.ok) throw failure(reply.status, text);
    return (text ? JSON.parse(text) : undefined) as Operations[K]["reply"];
  }

  /** Send a request, and again while the server is busy. A call that changes something has a key, so it happens once. */
  async #tried(method: string, target: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json", ...this.#options.headers };
    if (this.#options.token) headers["authorization"] = `Bearer ${this.#options.token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    if (method !== "GET") headers["idempotency-key"] = crypto.randomUUID();
    const sent: RequestInit = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const send = this.#options.fetch ?? fetch;
    for (let left = this.#options.retries ?? 2; ; left -= 1) {
      const limit = AbortSignal.timeout(this.#options.timeout ?? 30_000);
      try {
        const reply = await send(target, { ...sent, signal: signal ? AbortSignal.any([signal, limit]) : limit });
        if (left <= 0 || !BUSY.has(reply.status)) return reply;
        await reply.body?.cancel();
        await pause(Number(reply.headers.get("retry-after")) * 1_000 || 250, signal);
      } catch (error) {
        if (left <= 0 || signal?.aborted) throw error;
        await pause(250, signal);
      }
    }
  }
}

/** The memory of an agent, a user or a chat. */
export class Scope {
  readonly agent: string;
  readonly user: string | undefined;
  readonly chat: string | undefined;
  /** The knowledge graph. */
  readonly graph: Graph;
  /** What is believed, and why. */
  readonly ontology: Ontology;
  /** Documents. */
  readonly vault: Vault;
  readonly #nacre: Nacre;

  constructor(nacre: Nacre, agent: string, user?: string, chat?: string) {
    this.#nacre = nacre;
    this.agent = agent;
    this.user = user;
    this.chat = chat;
    this.graph = new Graph(nacre, this);
    this.ontology = new Ontology(nacre, this);
    this.vault = new Vault(nacre, this);
  }

  /** Keep one message as evidence; it can be recalled when the call returns. */
  async observe(
    role: TurnBody["role"],
    text: string,
    options: Fields<Omit<TurnBody, "role" | "text">> & CallOptions = {},
  ): Promise<ObservationReply> {
    const { signal, ...turn } = options;
    const [observation] = await this.observeMany([{ role, text, ...turn }], { signal });
    return observation as ObservationReply;
  }

  /** Keep many messages, all or none. */
  async observeMany(turns: Fields<TurnBody>[], options: CallOptions = {}): Promise<ObservationReply[]> {
    const body = { ...this.who, turns: turns.map((turn) => plain(turn) as unknown as TurnBody) };
    const reply = await this.#nacre.request("POST /v1/agents/{agent}/observe", { ...this.at, body, ...options });
    return reply.observations;
  }

  /** Recall what bears on a question, best first. */
  recall(query: string, options: Fields<Omit<RecallBody, "query">> & CallOptions = {}): Promise<RecallReply> {
    return this.#post("POST /v1/agents/{agent}/recall", { query, ...options });
  }

  /** What an agent should read before it answers a message. */
  context(message: string, options: Fields<Omit<ContextBody, "message">> & CallOptions = {}): Promise<ContextReply> {
    return this.#post("POST /v1/agents/{agent}/context", { message, ...options });
  }

  /** Keep a text as a long-term memory, or add it to the one that says the same; the outcome says which. */
  remember(text: string, options: Fields<Omit<RememberBody, "text">> & CallOptions = {}): Promise<RememberReply> {
    return this.#post("POST /v1/agents/{agent}/remember", { text, ...options });
  }

  /** Forget one memory by its id, all from before a moment, or everything. */
  forget(what: string | (Fields<ForgetBody> & CallOptions)): Promise<ForgottenReply> {
    return this.#post("POST /v1/agents/{agent}/forget", typeof what === "string" ? { memory: what } : { ...what });
  }

  /** Take back an operation, or a batch of them. */
  undo(operation: string, options: CallOptions = {}): Promise<UndoReply> {
    return this.#post("POST /v1/agents/{agent}/undo", { operation, ...options });
  }

  /** Wait, for at most so many seconds, until the graph has learned what was said; how many turns are left. */
  learned(seconds = 10, options: CallOptions = {}): Promise<LearningReply> {
    const query = { ...this.who, seconds };
    return this.#nacre.request("GET /v1/agents/{agent}/learning", { ...this.at, query, ...options });
  }

  /** Whose memory is meant, as most requests say it. */
  get who(): { user?: string; chat?: string } {
    return { ...(this.user && { user: this.user }), ...(this.chat && { chat: this.chat }) };
  }

  /** Where the agent is in a path. */
  get at(): { path: { agent: string } } {
    return { path: { agent: this.agent } };
  }

  #post<K extends keyof Operations>(operation: K, given: Record<string, unknown> & CallOptions): Promise<Operations[K]["reply"]> {
    const { signal, ...fields } = given;
    const body = { ...this.who, ...plain(fields) } as Operations[K]["body"];
    return this.#nacre.request(operation, { ...this.at, body, ...(signal && { signal }) } as Given<K>);
  }
}

/** The entities of a memory and the links between them. */
export class Graph {
  readonly #nacre: Nacre;
  readonly #scope: Scope;

  constructor(nacre: Nacre, scope: Scope) {
    this.#nacre = nacre;
    this.#scope = scope;
  }

  /** Entities whose name fits, or the first of all. */
  search(
    query?: string,
    options: Fields<Omit<Operations["GET /v1/agents/{agent}/kg/entities"]["query"], "q">> & CallOptions = {},
  ): Promise<KgEntityReply[]> {
    const { signal, ...fields } = options;
    const asked = { ...this.#who, ...plain(fields), ...(query && { q: query }) };
    return this.#nacre.request("GET /v1/agents/{agent}/kg/entities", { ...this.#scope.at, query: asked, ...(signal && { signal }) });
  }

  /** An entity by its id, with its links. */
  get(entity: string, options: { as_of?: Moment } & CallOptions = {}): Promise<KgConnectedReply> {
    const { signal, ...fields } = options;
    const path = { ...this.#scope.at.path, entity };
    const query = { ...this.#who, ...plain(fields) };
    return this.#nacre.request("GET /v1/agents/{agent}/kg/entities/{entity}", { path, query, ...(signal && { signal }) });
  }

  /** What is reached from an entity, step by step. */
  walk(entity: string, options: { max_depth?: number; as_of?: Moment } & CallOptions = {}): Promise<KgStepReply[]> {
    const { signal, ...fields } = options;
    const body = { ...this.#who, entity_id: entity, ...plain(fields) };
    return this.#nacre.request("POST /v1/agents/{agent}/kg/traverse", { ...this.#scope.at, body, ...(signal && { signal }) });
  }

  get #who(): { user_id?: string } {
    return this.#scope.user ? { user_id: this.#scope.user } : {};
  }
}

/** What is believed of entities, changed by operations that are logged and undoable. */
export class Ontology {
  readonly #nacre: Nacre;
  readonly #scope: Scope;

  constructor(nacre: Nacre, scope: Scope) {
    this.#nacre = nacre;
    this.#scope = scope;
  }

  /** Carry out an operation, only try it, or propose it for review. */
  apply(
    operation: string,
    payload: Record<string, unknown>,
    options: Fields<Omit<OperationBody, "operation" | "payload">> & CallOptions = {},
  ): Promise<OperationReply> {
    const { signal, ...fields } = options;
    const body = { ...this.#who, operation, payload, ...plain(fields) } as OperationBody;
    return this.#nacre.request("POST /api/ontology/operations/apply", { body, ...(signal && { signal }) });
  }

  /** Give a claim such as `home/city` of an entity a new value; the old value stays in its history. */
  async set(entity: string, claim: string, value: string, options: Parameters<Ontology["apply"]>[2] = {}): Promise<OperationReply> {
    const { claim: claim_key, ...place } = parted(claim);
    return this.apply("set_claim_value", { entity, ...place, claim_key, value }, options);
  }

  /** Every version of a claim such as `home/city` of an entity. */
  versions(entity: string, claim: string, options: CallOptions = {}): Promise<VersionsReply> {
    const query = { ...this.#who, entity, ...parted(claim), status: "all" as const };
    return this.#nacre.request("GET /api/ontology/claims/versions", { query, ...options });
  }

  get #who(): { agent_id: string; user_id?: string; chat_id?: string } {
    const { agent, user, chat } = this.#scope;
    return { agent_id: agent, ...(user && { user_id: user }), ...(chat && { chat_id: chat }) };
  }
}

/** The documents of a memory. */
export class Vault {
  readonly #nacre: Nacre;
  readonly #scope: Scope;

  constructor(nacre: Nacre, scope: Scope) {
    this.#nacre = nacre;
    this.#scope = scope;
  }

  /** Keep a Markdown document under a path, in place of what was there. */
  save(path: string, content: string, options: CallOptions = {}): Promise<SavedReply> {
    const body = { ...this.#scope.who, path, content };
    return this.#nacre.request("POST /v1/agents/{agent}/vault/documents", { ...this.#scope.at, body, ...options });
  }

  /** Keep what a PDF, Word, HTML or text file says, under a path whose end tells its kind. */
  addFile(path: string, data: Uint8Array, options: CallOptions = {}): Promise<SavedReply> {
    const body = { ...this.#scope.who, path, data: base64(data) };
    return this.#nacre.request("POST /v1/agents/{agent}/vault/files", { ...this.#scope.at, body, ...options });
  }

  /** A document by its path or its id. */
  get(document: string, options: CallOptions = {}): Promise<DocumentReply> {
    const query = { ...this.#scope.who, document };
    return this.#nacre.request("GET /v1/agents/{agent}/vault/document", { ...this.#scope.at, query, ...options });
  }

  /** Search documents, episodes and the graph at once. */
  search(query: string, options: Fields<Omit<VaultSearchBody, "query">> & CallOptions = {}): Promise<VaultFoundReply> {
    const { signal, ...fields } = options;
    const body = { ...this.#scope.who, query, ...plain(fields) };
    return this.#nacre.request("POST /v1/agents/{agent}/vault/search", { ...this.#scope.at, body, ...(signal && { signal }) });
  }
}

function written(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Fields as JSON holds them: moments as text, and what was left out left out. */
function plain(fields: object): Record<string, never> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value instanceof Date ? written(value) : value])) as Record<string, never>;
}

function filled(template: string, path: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(written(path[name])));
}

/** `home/city` or `home/general/city` as aspect, group and claim. */
function parted(claim: string): { aspect: string; group?: string; claim: string } {
  const [aspect = "", ...rest] = claim.split("/");
  if (rest.length === 0 || rest.length > 2) throw new TypeError(`A claim is such as home/city, not ${claim}.`);
  return rest.length === 1 ? { aspect, claim: rest[0] as string } : { aspect, group: rest[0] as string, claim: rest[1] as string };
}

function base64(data: Uint8Array): string {
  let text = "";
  for (let start = 0; start < data.length; start += 0x8000) {
    text += String.fromCharCode(...data.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

function failure(status: number, text: string): NacreError {
  try {
    const { code, message, details } = JSON.parse(text).error;
    return new NacreError(message, code, status, details);
  } catch {
    return new NacreError(`The server answered ${status}: ${text.slice(0, 200)}`, "unreadable", status);
  }
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_WAIT));
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
