/** Evidence: the quote, marked, with the words around it, who said them and when. */

import { to } from "../../app/routes";
import { Badge } from "../../ui/controls";
import { Time } from "../../ui/times";
import type { Citation } from "./replies";

export function Quote({ of }: { of: Citation }) {
  return (
    <figure className="entities-quote">
      <blockquote>
        {of.before}
        <mark>{of.quote}</mark>
        {of.after}
      </blockquote>
      <figcaption>
        <b>{of.speaker ?? of.role ?? of.kind}</b>
        <Time at={of.at} />
        {of.session && <a href={to("sessions", of.session)}>{of.session}</a>}
        {of.ref && <span>{of.ref}</span>}
        {of.flags.map((flag) => (
          <Badge key={flag} tone="warn">
            {flag}
          </Badge>
        ))}
      </figcaption>
    </figure>
  );
}
