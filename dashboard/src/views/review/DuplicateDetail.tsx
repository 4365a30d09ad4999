/** Two entities that may be one: merge them, or say that they are two. */

import { useState } from "react";
import type { KgCandidateReply, KgEntityReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useKeys } from "../../app/keys";
import { useScope } from "../../app/scopes";
import type { Decisions } from "./decisions";
import { Action, Risks } from "./parts";
import type { DuplicateItem } from "./queue";
import type { Risk } from "./risks";
import { Sides } from "./Sides";
import { a, percent, several } from "./words";

export function duplicateWords({ entity_a, entity_b }: KgCandidateReply): string {
  return `Are ${entity_a.name} and ${entity_b.name} the same?`;
}

/** Why the pair was put up, as far as it can be seen from the two. */
function why({ entity_a: one, entity_b: other, similarity }: KgCandidateReply): string {
  const [a, b] = [one.name.toLocaleLowerCase(), other.name.toLocaleLowerCase()];
  const within = a.includes(b) || b.includes(a) ? "One name is part of the other" : "Their names or what is said of them are close";
  const names = a === b ? "They have the same name" : within;
  const kinds = one.entity_type === other.entity_type ? "and both are of one kind" : "and the kind of one is not known";
  return `${names}, ${kinds}: ${percent(similarity)} alike.`;
}

export function DuplicateDetail({ item, decisions }: { item: DuplicateItem; decisions: Decisions }) {
  const { pair } = item;
  const sides = [pair.entity_a, pair.entity_b];
  return <MergeChoice question={duplicateWords(pair)} why={why(pair)} sides={sides} decisions={decisions} dismiss={() => decisions.dismiss(pair)} />;
}

type Mergeable = Pick<KgEntityReply, "id" | "name">;

interface MergeChoiceProps {
  question: string;
  why: string;
  sides: readonly Mergeable[];
  decisions: Decisions;
  dismiss?: () => void;
}

/** Choose which of several entities stays, and see what the merge would move. */
export function MergeChoice({ question, why: reason, sides, decisions, dismiss }: MergeChoiceProps) {
  const scope = useScope();
  const ids = sides.map((each) => each.id);
  const advised = useAdvised(ids);
  const [picked, setPicked] = useState<string | null>(null);
  const survivor = picked ?? advised;
  const sources = ids.filter((id) => id !== survivor);
  const planned = useRead("POST /api/ontology/proposals/repair/merge-plan", { body: { ...scope.api, target_entity: survivor, source_entities: sources } });
  const plan = planned.isPlaceholderData ? undefined : planned.data;
  const forced = plan !== undefined && plan.risk !== "low";
  const nameOf = (id: string) => sides.find((each) => each.id === id)?.name ?? id;
  const merge = () => {
    if (plan) decisions.merge(survivor, sources, forced, `Merged ${sources.map(nameOf).join(", ")} into ${nameOf(survivor)}`);
  };
  const places = Object.fromEntries(ids.slice(0, 9).map((id, at) => [String(at + 1), () => setPicked(id)]));
  useKeys({ ...places, m: merge, ...(dismiss && { d: dismiss }) });
  return (
    <>
      <h2>{question}</h2>
      <p className="review-soft">{reason}</p>
      <div className="review-actions">
        <Action look="primary" at="m" busy={decisions.busy} disabled={!plan} onClick={merge}>
          {forced ? "Merge all the same" : "Merge"}
        </Action>
        {dismiss && (
          <Action at="d" busy={decisions.busy} onClick={dismiss}>
            Dismiss: they differ
          </Action>
        )}
      </div>
      {plan && <Risks risks={mergeRisks(plan)} />}
      <Sides ids={ids} survivor={survivor} choose={setPicked} />
      {plan && (
        <p className="review-soft">
          {nameOf(survivor)} stays, takes over the other’s names, and gets {moved(plan.impact)}.
        </p>
      )}
    </>
  );
}

/** The one that had better stay: pinned, else the most spoken of. */
function useAdvised(ids: readonly string[]): string {
  const scope = useScope();
  const [first = "", ...others] = ids;
  const plan = useRead("POST /api/ontology/proposals/repair/merge-plan", { body: { ...scope.api, target_entity: first, source_entities: others } });
  const known = plan.data && !plan.isPlaceholderData ? [plan.data.target, ...plan.data.sources] : [];
  const best = known.toSorted((one, other) => Number(other.pinned) - Number(one.pinned) || other.mentions - one.mentions)[0];
  return best?.id ?? first;
}

interface Plan {
  target: { name: string; type: string };
  sources: readonly { name: string; type: string; pinned: boolean }[];
}

function mergeRisks({ target, sources }: Plan): Risk[] {
  return sources.flatMap((source): Risk[] => [
    ...(source.pinned ? [{ tone: "bad" as const, text: `${source.name} is pinned, and would be merged all the same.` }] : []),
    ...(source.type !== target.type && ![source.type, target.type].includes("unknown")
      ? [{ tone: "warn" as const, text: `${source.name} is ${a(source.type)} and ${target.name} ${a(target.type)}.` }]
      : []),
  ]);
}

interface Impact {
  sourceMentions: number;
  memoryMentions: number;
  attributes: number;
  dependencies: number;
}

function moved({ sourceMentions, memoryMentions, attributes, dependencies }: Impact): string {
  const parts = [
    attributes && several(attributes, "claim"),
    dependencies && several(dependencies, "link"),
    sourceMentions + memoryMentions && several(sourceMentions + memoryMentions, "mention"),
  ].filter(Boolean);
  return parts.length ? parts.join(", ") : "nothing else, for the other has nothing";
}
