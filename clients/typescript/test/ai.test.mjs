// The tools in the hands of the Vercel AI SDK, whose model is a small fake that follows a script.

import assert from "node:assert/strict";
import { test } from "node:test";

import { generateText, stepCountIs } from "ai";
import * as fakes from "ai/test";
import { Nacre } from "nacre-client";
import { tools } from "nacre-client/ai";

const SCRIPT = [
  ["remember", { text: "Bea plays the oboe." }],
  ["recall", { query: "oboe" }],
  ["correct", { entity: "Bea", claim: "home/city", value: "Paris" }],
  ["correct", { entity: "Bea", claim: "city", value: "Paris" }],
  ["forget", { memory: "000000000000" }],
];

test("a model remembers, recalls, corrects and is told what it cannot do", async () => {
  const bea = new Nacre({ url: process.env.NACRE_URL }).scope("assistant", { user: "bea" });
  const Model = fakes.MockLanguageModelV4 ?? fakes.MockLanguageModelV3 ?? fakes.MockLanguageModelV2;
  let step = 0;
  const model = new Model({
    doGenerate: async () => {
      const [toolName, input] = SCRIPT[step] ?? [];
      step += 1;
      return {
        content: toolName
          ? [{ type: "tool-call", toolCallId: String(step), toolName, input: JSON.stringify(input) }]
          : [{ type: "text", text: "Done." }],
        finishReason: toolName ? { unified: "tool-calls" } : { unified: "stop" },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      };
    },
  });

  const done = await generateText({ model, prompt: "Hello", tools: tools(bea), stopWhen: stepCountIs(10) });

  const replies = done.steps.flatMap((each) => each.toolResults.map((result) => result.output));
  assert.equal(done.text, "Done.");
  assert.match(replies[0], /^created: \[/);
  assert.match(replies[1], /Bea plays the oboe\./);
  assert.equal(replies[2], "Bea: home/city is now Paris.");
  assert.match(replies[3], /^invalid: A claim is such as home\/city/);
  assert.match(replies[4], /^not_found: /);
});
