// Holds a conversation with a Nacre server over stdio or HTTP, and prints what it was told as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { command, args, env, url, headers } = JSON.parse(process.argv[2]);
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  : new StdioClientTransport({ command, args, env, stderr: "inherit" });

const client = new Client({ name: "nacre-tests", version: "1.0.0" });
await client.connect(transport);

const call = async (name, given) => {
  const reply = await client.callTool({ name, arguments: given });
  return { text: reply.content[0].text, failed: reply.isError ?? false };
};

const told = {
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  hints: Object.fromEntries((await client.listTools()).tools.map((tool) => [tool.name, tool.annotations])),
  observed: await call("observe", { text: "My favourite colour is blue.", session: "s1" }),
  remembered: await call("remember", { text: "Ana paints her kitchen in May.", category: "project-context/home" }),
  recalled: await call("recall", { query: "When does Ana paint?" }),
  corrected: await call("correct", {
    entity: "user", what: "favourite colour", value: "green", said: "No, my favourite colour is green.",
  }),
  explained: await call("explain", { subject: "user", what: "favourite colour" }),
  refused: await call("forget", { memory: "000000000000" }),
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  entity: (await client.readResource({ uri: "nacre://entity/ana" })).contents[0].text,
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  prompt: (await client.getPrompt({ name: "what_do_you_know", arguments: { about: "ana" } })).messages[0].content.text,
};
await client.close();
console.log(JSON.stringify(told));
