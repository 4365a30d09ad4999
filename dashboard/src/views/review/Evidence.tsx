/** The words that a proposal rests on, in their context: who said them, when, and where. */

import type { CitedReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";

export function Evidence({ proposal }: { proposal: string }) {
  const scope = useScope();
  const evidence = useRead("GET /api/ontology/proposals/{proposal}/evidence", { path: { proposal }, query: scope.api });
  return (
    <Read from={evidence}>
      {({ items }) =>
        items.length ? (
          <ul className="review-evidence">
            {items.map((each, at) => (
              <li key={at}>
                <Quotation cited={each} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="review-soft">Nothing is quoted for it.</p>
        )
      }
    </Read>
  );
}

function Quotation({ cited }: { cited: CitedReply }) {
  return (
    <figure>
      <blockquote>
        {cited.before}
        <mark>{cited.quote}</mark>
        {cited.after}
      </blockquote>
      <figcaption>
        {cited.source ? (
          <>
            {(cited.speaker ?? cited.role) && <span>{cited.speaker ?? cited.role}</span>}
            <Time at={cited.at} />
            {cited.session ? <a href={to("sessions", cited.session)}>session {cited.session}</a> : <span>{cited.ref ?? cited.kind}</span>}
          </>
        ) : (
          <span>In the proposer’s words; what they were taken from is not kept.</span>
        )}
      </figcaption>
    </figure>
  );
}
