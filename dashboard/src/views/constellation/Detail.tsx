/** What is known of the selected entity. */

import type { ReactNode } from "react";
import { useChange } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { worded } from "../../app/wording";
import { Badge, Button, Meter } from "../../ui/controls";
import { Fact, Facts } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { Kind } from "../../ui/kinds";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { arrows } from "./Drawers";
import { claimName, words, type Constellation, type Drawn, type Picture } from "./pictures";
import type { Around } from "./satellites";

interface DetailProps {
  drawn: Drawn;
  constellation: Constellation;
  picture: Picture;
  around: Around;
  choose: (id: string | null) => void;
  /** Draw all that an entity is linked with. */
  expand: (id: string) => void;
  children: ReactNode;
}

export function Detail({ drawn, constellation, picture, around, choose, expand, children }: DetailProps) {
  const { entity, agentId } = drawn;
  const scope = useScope();
  const own = agentId === scope.agent;
  return (
    <aside className="constellation-detail" aria-label={entity.name}>
      <header>
        <h2>{entity.name}</h2>
        <Button look="quiet" aria-label="Close" onClick={() => choose(null)}>
          ✕
        </Button>
      </header>
      <p className="constellation-badges">
        <Kind of={words(entity.entityType)} />
        {entity.pinned && <Badge tone="accent">pinned</Badge>}
        {!own && <Badge title="This agent lets others read what it knows">shared by {agentId}</Badge>}
      </p>
      {entity.description && <p>{entity.description}</p>}
      {drawn.aliases.length > 0 && <p className="constellation-soft">Also called {drawn.aliases.join(", ")}</p>}
      <Figures drawn={drawn} constellation={constellation} />
      {own && (
        <div className="constellation-actions">
          <a className="button primary" href={to("entities", entity.id, { at: constellation.asOf })}>
            Open page
          </a>
          {constellation.asOf === null && <Pin drawn={drawn} />}
        </div>
      )}
      <Claims around={around} />
      <Links drawn={drawn} picture={picture} choose={choose} expand={own ? expand : null} />
      {children}
    </aside>
  );
}

function Figures({ drawn, constellation }: { drawn: Drawn; constellation: Constellation }) {
  const { entity, degree, communityId } = drawn;
  const community = constellation.communities.find(({ id }) => id === communityId);
  return (
    <Facts>
      <Fact name="Confidence">
        <Meter value={entity.confidence} label="Confidence" /> {Math.round(entity.confidence * 100)} %
      </Fact>
      <Fact name="Mentions">{entity.mentions.toLocaleString()}</Fact>
      <Fact name="Links">{degree.toLocaleString()}</Fact>
      <Fact name="First seen">
        <Time at={entity.createdAt} look="day" />
      </Fact>
      <Fact name="Last mentioned">
        <Time at={drawn.lastMentionedAt} look="day" />
      </Fact>
      {community && <Fact name="Community">{community.name}</Fact>}
    </Facts>
  );
}

function Pin({ drawn: { entity } }: { drawn: Drawn }) {
  const scope = useScope();
  const toasts = useToasts();
  const apply = useChange("POST /api/ontology/operations/apply", ({ proposal }) =>
    toasts.done(`${entity.pinned ? "Unpinned" : "Pinned"} ${entity.name}.`, proposal?.audit),
  );
  const operation = entity.pinned ? "unpin_entity" : "pin_entity";
  const clicked = () => apply.mutate({ body: { ...scope.api, operation, payload: { entity: entity.id } } }, { onError: toasts.failed });
  return (
    <Button busy={apply.isPending} onClick={clicked}>
      <Icon name="pin" size={16} /> {entity.pinned ? "Unpin" : "Pin"}
    </Button>
  );
}

function Claims({ around: { aspects, proposals } }: { around: Around }) {
  return (
    <>
      {aspects.map(({ aspect, attributes }) => (
        <section key={aspect.id} className="constellation-facts">
          <h3>{words(aspect.name)}</h3>
          <dl>
            {attributes.map((claim) => (
              <Fact key={claim.id} name={claimName(claim)}>
                {claim.content} {claim.kind === "constraint" && <Badge tone="warn">rule</Badge>}
              </Fact>
            ))}
          </dl>
        </section>
      ))}
      {proposals.length > 0 && (
        <section className="constellation-facts">
          <h3>Waiting for review</h3>
          <ul>
            {proposals.map((proposal) => (
              <li key={proposal.id}>
                <a href={to("review", `proposal-${proposal.id}`)}>{worded(proposal.operation, proposal.payload)}</a>{" "}
                {proposal.rationale && <span className="constellation-soft">{proposal.rationale}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface LinksProps {
  drawn: Drawn;
  picture: Picture;
  choose: (id: string) => void;
  expand: ((id: string) => void) | null;
}

function Links({ drawn, picture, choose, expand }: LinksProps) {
  const { id } = drawn.entity;
  const out = picture.links.filter((link) => link.sourceEntityId === id);
  const into = picture.links.filter((link) => link.targetEntityId === id && link.sourceEntityId !== id);
  const hidden = drawn.degree - out.length - into.length;
  const item = (key: string, other: string, predicate: string, arrow: string) => (
    <li key={key}>
      <button type="button" onClick={() => choose(other)}>
        <span className="constellation-predicate">
          <span aria-hidden="true">{arrow}</span> {words(predicate)}
        </span>
        <span>{picture.stars.get(other)?.entity.name}</span>
      </button>
    </li>
  );
  return (
    <section className="constellation-links" aria-label="Links">
      <h3>Links</h3>
      <ul onKeyDown={arrows}>
        {out.map((link) => item(link.id, link.targetEntityId, link.dependencyType, "→"))}
        {into.map((link) => item(link.id, link.sourceEntityId, link.dependencyType, "←"))}
      </ul>
      {hidden > 0 && (
        <p className="constellation-soft">
          {hidden} more {hidden === 1 ? "leads" : "lead"} to entities that are not drawn. {expand && <Button onClick={() => expand(id)}>Draw them</Button>}
        </p>
      )}
      {drawn.degree === 0 && <p className="constellation-soft">Nothing is linked with it yet.</p>}
    </section>
  );
}

/** An entity that was asked for and is not in the picture. */
export function Undrawn({ id, constellation, close }: { id: string; constellation: Constellation; close: () => void }) {
  const known = constellation.entities.find(({ entity }) => entity.id === id);
  return (
    <aside className="constellation-detail" aria-label="Not drawn">
      <header>
        <h2>{known?.entity.name ?? "Not in this picture"}</h2>
        <Button look="quiet" aria-label="Close" onClick={close}>
          ✕
        </Button>
      </header>
      <p>
        {known
          ? "The filters leave it out."
          : constellation.asOf
            ? "It was not known at this moment, or has fewer links than those drawn."
            : "It has fewer links than those drawn. Draw more of them under Filters."}
      </p>
      <div className="constellation-actions">
        <a className="button" href={to("entities", id)}>
          Open page
        </a>
      </div>
    </aside>
  );
}
