/** A quote in its place: the words before and after it, and a link to the conversation. */

import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge } from "../../ui/controls";
import { Time } from "../../ui/times";
import { speakerOf, type Turn } from "./turns";
import "./sessions.css";

interface Evidence {
  id: string;
  quote: string;
  start: number;
  end: number;
  session: string | null;
  speaker: string | null;
  role: string | null;
  ref: string | null;
  flags: string[];
}

/** Quotes of older turns than these are shown alone; the link leads to them all the same. */
const READ = 200;

export function InContext({ evidence }: { evidence: Evidence }) {
  const scope = useScope();
  const { session } = evidence;
  const read = useRead(
    "GET /v1/agents/{agent}/sessions/{session}/turns",
    { path: { ...scope.path, session: session ?? "" }, query: { ...scope.query, limit: READ } },
    { enabled: session !== null },
  );
  const turns = session ? (read.data?.turns ?? []) : [];
  const at = turns.findIndex((turn) => turn.id === evidence.id);
  const said = turns[at];
  return (
    <figure className="quote">
      <Beside turn={turns[at - 1]} />
      <blockquote>{said ? <Quoted text={said.text} evidence={evidence} /> : evidence.quote}</blockquote>
      <Beside turn={at < 0 ? undefined : turns[at + 1]} />
      <figcaption>
        {evidence.speaker ?? evidence.role ?? "A note"}
        {said && <Time at={said.at} />}
        {session && <a href={to("sessions", session, { turn: evidence.id })}>in {session}</a>}
        {evidence.ref && <span>{evidence.ref}</span>}
        {evidence.flags.map((flag) => (
          <Badge key={flag} tone="warn">
            {flag}
          </Badge>
        ))}
      </figcaption>
    </figure>
  );
}

/** The whole of a turn with the quote marked, unless the quote is the whole of it. Places count characters, not UTF-16 units. */
function Quoted({ text, evidence }: { text: string; evidence: Evidence }) {
  const characters = [...text];
  const quote = characters.slice(evidence.start, evidence.end).join("");
  if (quote !== evidence.quote || quote === text) return <>{text}</>;
  return (
    <>
      {characters.slice(0, evidence.start).join("")}
      <mark>{quote}</mark>
      {characters.slice(evidence.end).join("")}
    </>
  );
}

function Beside({ turn }: { turn: Turn | undefined }) {
  if (!turn) return null;
  return (
    <p className="quote-beside">
      {speakerOf(turn)}: {turn.text}
    </p>
  );
}
