/** The parts of the API's replies that the view of documents is made of. */

import type { Reply } from "../../api/client";
import type { Visibility } from "../../api/contracts";

export type Document = Reply<"GET /v1/agents/{agent}/vault/document">;
export type Listed = Reply<"GET /v1/agents/{agent}/vault/documents">["documents"][number];
export type Links = Reply<"GET /v1/agents/{agent}/vault/links">;

/** For whom a document is, in words. */
export const READERS: Record<Visibility, string> = { personal: "one user", team: "a team", shared: "everybody" };
