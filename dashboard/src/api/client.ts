/** Calls to the HTTP API, typed by the contract that script/generate reads off it. */

import type { FailureReply, Operations } from "./contracts";

export type Operation = keyof Operations;
export type Reply<K extends Operation> = Operations[K]["reply"];

type Part<Name extends string, T> = T extends undefined
  ? { [N in Name]?: undefined }
  : Record<never, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

// One step for each operation: three apart would have the compiler try every path with every query and every body.
type Parts<O> = O extends { path: infer P; query: infer Q; body: infer B } ? Part<"path", P> & Part<"query", Q> & Part<"body", B> : never;

/** What an operation must be given: its path and query parameters and its body, where it has them. */
export type Input<K extends Operation> = Parts<Operations[K]>;

/** A call the server refused, or one that never reached it (`unreachable`). */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

const TOKEN = "nacre.token";

/** The caller's token. It is kept for this tab only. */
export const token = {
  get: (): string | null => sessionStorage.getItem(TOKEN),
  set: (value: string | null): void => (value ? sessionStorage.setItem(TOKEN, value) : sessionStorage.removeItem(TOKEN)),
};

/** Make one call; a refusal is thrown as a `Failure`. */
export async function call<K extends Operation>(operation: K, input: Input<K>, signal?: AbortSignal): Promise<Reply<K>> {
  const response = await open(operation, input, signal);
  return (response.status === 204 ? undefined : await response.json()) as Reply<K>;
}

/** Make one call and leave its reply to be read: a stream or a file. */
export async function open<K extends Operation>(operation: K, input: Input<K>, signal?: AbortSignal): Promise<Response> {
  const [method, template] = operation.split(" ") as [string, string];
  const { path, query, body } = input as unknown as { path?: object; query?: object; body?: unknown };
  const headers = new Headers();
  const held = token.get();
  if (held) headers.set("Authorization", `Bearer ${held}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const request: RequestInit = { method, headers };
  if (body !== undefined) request.body = JSON.stringify(body);
  if (signal) request.signal = signal;
  const response = await fetch(address(template, path, query), request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Failure(0, "unreachable", "The server does not answer. Is `nacre serve` running?");
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

function address(template: string, path: object = {}, query: object = {}): string {
  const names = path as Record<string, string>;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) asked.append(name, String(each));
  }
  return asked.size ? `${filled}?${asked}` : filled;
}

async function refusal(response: Response): Promise<Failure> {
  const reply = (await response.json().catch(() => null)) as FailureReply | null;
  if (!reply?.error) return new Failure(response.status, "unreadable", `The server answered ${response.status}.`);
  return new Failure(response.status, reply.error.code, reply.error.message, reply.error.details as Record<string, unknown>);
}
