/** Commands that work with this server as it stands, to be copied into a shell. */

import type { Scope } from "../../app/scopes";

const SAID = "We launch Pebble on April 14.";

/** A text as one word of a shell. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Observe a turn over HTTP; a server that asks for tokens is given the one in the environment. */
export function overHttp(scope: Scope, local: boolean): string {
  const address = new URL(`v1/agents/${encodeURIComponent(scope.agent)}/observe`, window.location.href).href;
  const body = JSON.stringify({ role: "user", text: SAID, ...scope.query });
  const token = local ? "" : ` -H "Authorization: Bearer $NACRE_TOKEN"`;
  return `curl --fail ${word(address)}${token} -H "Content-Type: application/json" -d ${word(body)}`;
}

/** Observe a turn with the command line, in the database that this server has. */
export function onThisMachine(scope: Scope, database: string): string {
  const user = scope.user ? ` --user ${word(scope.user)}` : "";
  return `nacre observe "${SAID}" --agent ${word(scope.agent)}${user} --database ${word(database)}`;
}
