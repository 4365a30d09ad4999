// Run against a server at NACRE_URL; the package is the one that `npm pack` makes.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { Nacre, NacreError } from "nacre-client";

const nacre = new Nacre({ url: process.env.NACRE_URL });
const ana = nacre.scope("assistant", { user: "ana" });

test("what was said is recalled, in a context too", async () => {
  const at = new Date("2026-05-03T10:00:00Z");
  const seen = await ana.observe("user", "My boat is called Brisa.", { session: "s1", at });
  await ana.observeMany([{ role: "user", text: "I live in Łódź." }, { role: "assistant", text: "A fine town." }]);

  const { hits } = await ana.recall("What is the boat called?", { limit: 3, since: at });
  const context = await ana.context("What is my boat called?", { budget: 500 });

  assert.equal(hits[0].text, "My boat is called Brisa.");
  assert.equal(hits[0].id, seen.id);
  assert.match(context.text, /Brisa/);
  assert.equal((await ana.learned()).unread, 0);
});

test("a memory is kept and forgotten", async () => {
  const kept = await ana.remember("Ana drinks green tea.", { category: "user-preferences", tags: ["tea"] });

  const gone = await ana.forget(kept.memory.id);

  assert.equal(kept.outcome, "created");
  assert.equal(gone.memories, 1);
});

test("a claim is set, its versions are told, and an undo takes it back", async () => {
  await ana.ontology.set("Brisa", "hull/colour", "white");
  const { proposal } = await ana.ontology.set("Brisa", "hull/colour", "blue", { reason: "painted" });

  const before = await ana.ontology.versions("Brisa", "hull/colour");
  await ana.undo(proposal.batch);
  const [entity] = await ana.graph.search("Brisa");
  const found = await ana.graph.get(entity.id);

  assert.deepEqual(before.items.map((each) => each.content ?? each.value).sort(), ["blue", "white"]);
  assert.equal(found.entity.name, "Brisa");
  assert.ok(Array.isArray(await ana.graph.walk(entity.id, { max_depth: 1 })));
});

test("a document is kept and searched", async () => {
  await ana.vault.save("notes/launch.md", "# Launch\n\nThe ferry leaves on May 3.");
  await ana.vault.addFile("notes/crew.txt", new TextEncoder().encode("# Crew\n\nŁucja steers the ferry."));

  const found = await ana.vault.search("ferry", { origins: ["vault"] });

  assert.deepEqual(found.items.map((item) => item.path).sort(), ["notes/crew.txt", "notes/launch.md"]);
  assert.match((await ana.vault.get("notes/crew.txt")).content, /Łucja/);
});

test("one user does not see what another said", async () => {
  assert.deepEqual((await nacre.scope("assistant", { user: "ben" }).recall("boat")).hits, []);
});

test("an error has the server's code and words", async () => {
  await assert.rejects(ana.recall(""), (error) => error instanceof NacreError && error.status === 400 && error.code === "invalid");
  await assert.rejects(ana.vault.get("nowhere.md"), { code: "not_found", status: 404 });
  await assert.rejects(ana.ontology.set("Ana", "city", "Paris"), TypeError);
});

test("a busy server is asked again with the same key, and a caller can give up", async () => {
  const keys = [];
  const busy = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    response.writeHead(keys.length < 3 ? 503 : 200, { "retry-after": "0.01" });
    response.end(keys.length < 3 ? "" : '{"outcome": "created"}');
  });
  await new Promise((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const there = new Nacre({ url: `http://127.0.0.1:${busy.address().port}/` }).scope("a");

  assert.equal((await there.remember("tea")).outcome, "created");
  assert.deepEqual(new Set(keys).size, 1);
  await assert.rejects(there.remember("tea", { signal: AbortSignal.abort() }), { name: "AbortError" });
  busy.close();
});
