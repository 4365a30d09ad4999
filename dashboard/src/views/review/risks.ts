/** What should give a reader pause before accepting an operation. */

import type { ProposalReply } from "../../api/contracts";
import type { Tone } from "../../ui/controls";
import type { Facts, Trial } from "./facts";
import { quoted } from "./words";

export interface Risk {
  tone: Tone;
  text: string;
}

const SAID: Record<string, Risk> = {
  low: { tone: "good", text: "The proposer sees little risk in it." },
  medium: { tone: "warn", text: "The proposer sees some risk in it." },
  high: { tone: "bad", text: "The proposer sees a high risk in it." },
  review_required: { tone: "warn", text: "The proposer asks for a careful look: the two may not be of one kind." },
  blocked: { tone: "bad", text: "The proposer holds that this must not be done as things are." },
};

/** Everything to mind about a proposal, the gravest first. */
export function risksOf(proposal: ProposalReply, facts: Facts, trial: Trial | null): Risk[] {
  const { payload, risk } = proposal;
  const found: Risk[] = [];
  if (trial?.refusal) found.push({ tone: "bad", text: `It would be refused as things are: ${trial.refusal}` });
  if (risk && SAID[risk]) found.push(SAID[risk]);
  if (payload["force"] === true) found.push({ tone: "warn", text: "It is forced: a constraint, a pin or a difference in kind does not stop it." });
  const held = facts.values.find((each) => each.kind === "constraint");
  if (held) found.push({ tone: "warn", text: `A constraint holds this claim: ${quoted(held.content)}.` });
  if (payload["kind"] === "constraint") found.push({ tone: "warn", text: "It becomes a constraint: from then on the value only gives way to force." });
  if (facts.entity?.pinned) found.push({ tone: "warn", text: `${facts.entity.name} is pinned.` });
  found.push(...(trial?.warnings ?? []).map((text): Risk => ({ tone: "warn", text })));
  return found;
}
