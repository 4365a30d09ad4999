/** What looks wrong in the graph: what that means, and what can be done about it. */

import { useState } from "react";
import type { MentionReply, Reason, SuspiciousReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useKeys } from "../../app/keys";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Choice, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Failed } from "../../ui/states";
import type { Decisions } from "./decisions";
import { MergeChoice } from "./DuplicateDetail";
import { TYPES } from "./fields";
import { Action, Part } from "./parts";
import type { Finding } from "./queue";
import { RejectDialog } from "./RejectDialog";
import { Sides } from "./Sides";
import { a, quoted, several, spaced } from "./words";

const REASONS: Record<Reason, readonly [short: string, meaning: string]> = {
  numeric_only: ["is only a number", "A number by itself names nothing. It was probably a value, such as a price or a date, that was taken for a thing."],
  generic_or_scaffolding_name: ["has a name that names nothing", "“User”, “system” or “example” stand for anybody. What is said of it belongs to somebody with a name."],
  metadata_role: ["is the name of a field", "“Title” or “status” are labels of data. They were probably read out of a form or a log."],
  discourse_fragment: ["is part of a sentence", "The name is long, breaks off or begins like a sentence. It was probably cut out of one."],
  role_prefixed_scaffolding: ["still has a speaker before it", "The name begins with who was speaking. The part after that may be a real name."],
  section_heading: ["is a heading", "“Summary” or “Next steps” head a section of a text; they are no things."],
  too_short: ["has a very short name", "So few letters can mean many things, so everything that has them may be tied to it."],
  non_concrete_entity_type: ["has a type that is no kind of thing", "Preferences, facts and moments are claims about things. It had better be a claim of somebody."],
  unknown_entity_type: ["has no known type", "Nobody said what kind of thing it is. With a type it is found, drawn and compared better."],
  event_without_time_or_event_signal: ["is an event without a time", "The name says neither when nor what happens, so it may be no event."],
  generic_word: ["is a common word", "A word like “team” or “plan” means another thing each time. What is said of it gets mixed up."],
  zero_mentions: ["was never mentioned", "Nothing that was said speaks of it, and nothing is known of it."],
};

const KNOWN_TYPES = TYPES.filter((each) => each !== "unknown").map((each) => [each, spaced(each)] as const);

/** A finding in words. */
export function findingWords(finding: Finding): string {
  if (finding.is === "suspicious") return `${quoted(finding.entity.name, 60)} ${REASONS[finding.entity.reason]?.[0] ?? spaced(finding.entity.reason)}`;
  if (finding.is === "twins") return `${several(finding.twins.count, "entity has", "entities have")} the name ${quoted(finding.twins.names[0], 60)}`;
  return `A memory speaks of ${finding.mention.entityName}, unnoted: ${quoted(finding.mention.snippet, 70)}`;
}

export function HygieneDetail({ finding, decisions }: { finding: Finding; decisions: Decisions }) {
  if (finding.is === "suspicious") return <Suspect entity={finding.entity} decisions={decisions} />;
  if (finding.is === "mention") return <Unnoted mention={finding.mention} decisions={decisions} />;
  const sides = finding.twins.ids.map((id, at) => ({ id, name: finding.twins.names[at] ?? id }));
  return (
    <MergeChoice
      question={`${findingWords(finding)}. Are they the same?`}
      why="Whoever says the name may mean any of them. Merge them if they are one thing; if not, open one and rename it."
      sides={sides}
      decisions={decisions}
    />
  );
}

function Suspect({ entity, decisions }: { entity: SuspiciousReply; decisions: Decisions }) {
  const [doing, setDoing] = useState<"nothing" | "renaming" | "typing" | "archiving">("nothing");
  const finding: Finding = { is: "suspicious", entity };
  const untyped = entity.entityType === "unknown";
  const archive = (reason: string) =>
    decisions.carryOut("archive_entity", { entity: entity.id, reason: reason || spaced(entity.reason) }, `Archived ${entity.name}.`);
  const rest = () => setDoing("nothing");
  const keep = () => decisions.carryOut("pin_entity", { entity: entity.id }, `Pinned ${entity.name}: it is right as it is.`);
  useKeys({ r: () => setDoing("archiving"), e: () => setDoing(untyped ? "typing" : "renaming"), d: keep });
  return (
    <>
      <h2>{findingWords(finding)}</h2>
      <p className="review-soft">{REASONS[entity.reason]?.[1]}</p>
      <div className="review-actions">
        {untyped && (
          <Action look="primary" at="e" busy={decisions.busy} onClick={() => setDoing("typing")}>
            Give it a type
          </Action>
        )}
        <Action at={untyped ? undefined : "e"} busy={decisions.busy} onClick={() => setDoing("renaming")}>
          Rename
        </Action>
        <Action look="danger" at="r" busy={decisions.busy} onClick={() => setDoing("archiving")}>
          Archive
        </Action>
        <Action at="d" busy={decisions.busy} onClick={keep}>
          It is right: pin it
        </Action>
      </div>
      <Part title="What is known of it">
        <Sides ids={[entity.id]} survivor={null} />
      </Part>
      {doing === "renaming" && <Rename entity={entity} decisions={decisions} close={rest} />}
      {doing === "typing" && <Retype entity={entity} decisions={decisions} close={rest} />}
      {doing === "archiving" && <RejectDialog verb="Archive" what={`${entity.name} goes out of force, with its links and claims.`} close={rest} reject={archive} />}
    </>
  );
}

interface MendProps {
  entity: SuspiciousReply;
  decisions: Decisions;
  close: () => void;
}

function Rename({ entity, decisions, close }: MendProps) {
  const [name, setName] = useState(entity.name);
  const submit = () => {
    close();
    decisions.carryOut("rename_entity", { entity: entity.id, new_name: name.trim() }, `${entity.name} is called ${name.trim()} now.`);
  };
  return (
    <Dialog title={`Rename ${entity.name}`} confirm="Rename" close={close} submit={submit}>
      <Field label="New name" value={name} required autoFocus onChange={(event) => setName(event.target.value)} />
    </Dialog>
  );
}

function Retype({ entity, decisions, close }: MendProps) {
  const scope = useScope();
  const [type, setType] = useState("person");
  const known = useRead("GET /api/knowledge/entities/{entity}", { path: { entity: entity.id }, query: scope.api });
  const submit = () => {
    if (!known.data) return;
    close();
    // Said again with the slug, so that it is this one that is meant, and not another of the name.
    const { name, slug, confidence } = known.data.entity;
    decisions.carryOut("create_entity", { name, slug, type, confidence }, `${name} is ${a(type)} now.`);
  };
  return (
    <Dialog title={`What kind of thing is ${entity.name}?`} confirm="Set the type" close={close} submit={submit} busy={!known.data}>
      <Choice label="Type" value={type} autoFocus options={KNOWN_TYPES} onChange={(event) => setType(event.target.value)} />
    </Dialog>
  );
}

function Unnoted({ mention, decisions }: { mention: MentionReply; decisions: Decisions }) {
  const scope = useScope();
  const evidence = useRead("GET /v1/agents/{agent}/memories/{memory}/evidence", { path: { ...scope.path, memory: mention.memoryId }, query: scope.query });
  const place = evidence.data?.evidence.flatMap((each) => {
    const start = each.quote.indexOf(mention.mentionText);
    return start < 0 ? [] : [{ source: each.id, start: each.start + start, end: each.start + start + mention.mentionText.length }];
  })[0];
  const note = () => {
    if (!place) return;
    const payload = { source: place.source, places: [[mention.entityId, place.start, place.end]] };
    decisions.carryOut("note_mentions", payload, `Noted that the memory speaks of ${mention.entityName}.`);
  };
  useKeys({ a: note });
  const [before, ...after] = mention.snippet.split(mention.mentionText);
  return (
    <>
      <h2>A memory speaks of {mention.entityName}, and nobody noted it</h2>
      <p className="review-soft">Once it is noted, the memory is found through the entity, and counts as something that is known of it.</p>
      <div className="review-actions">
        <Action look="primary" at="a" busy={decisions.busy} disabled={!place} onClick={note}>
          Note the mention
        </Action>
        <a className="button plain" href={to("entities", mention.entityId)}>
          Open {mention.entityName}
        </a>
      </div>
      {evidence.error && <Failed failure={evidence.error} />}
      <Part title="The memory">
        <blockquote className="review-snippet">
          {before}
          <mark>{mention.mentionText}</mark>
          {after.join(mention.mentionText)}
        </blockquote>
      </Part>
    </>
  );
}
