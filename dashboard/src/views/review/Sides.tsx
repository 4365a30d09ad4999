/** Entities side by side, to see whether they are one thing, and to choose the one that stays. */

import type { AspectOutlineReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button, Key } from "../../ui/controls";
import { Fact, Facts } from "../../ui/facts";
import { Kind } from "../../ui/kinds";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { percent, several, spaced, verb } from "./words";

interface SidesProps {
  ids: readonly string[];
  /** The one that stays; null where nothing is to be merged. */
  survivor: string | null;
  /** Without it the choice is not the reader's. */
  choose?: (id: string) => void;
}

export function Sides({ ids, survivor, choose }: SidesProps) {
  return (
    <div className="review-sides">
      {ids.map((id, at) => (
        <Side key={id} id={id} place={at + 1} survives={survivor === null ? null : id === survivor} choose={choose && (() => choose(id))} />
      ))}
    </div>
  );
}

interface SideProps {
  id: string;
  place: number;
  survives: boolean | null;
  choose: (() => void) | undefined;
}

function Side({ id, place, survives, choose }: SideProps) {
  const scope = useScope();
  const tree = useRead("GET /api/knowledge/navigation/tree", { query: { ...scope.api, entity: id, depth: 3, max_aspects: 8, max_groups: 6, max_claims: 6 } });
  return (
    <section className="review-side" data-survives={survives || undefined} aria-label={`Side ${place}`}>
      <Read from={tree}>
        {({ entity, items }) => (
          <>
            <header>
              <h3>
                <a href={to("entities", id)}>{entity.name}</a>
              </h3>
              {choose ? (
                <Button look={survives ? "primary" : "plain"} aria-pressed={survives ?? false} aria-keyshortcuts={String(place)} onClick={choose}>
                  {survives ? "Stays" : "Keep this one"}
                  <span aria-hidden="true" className="review-key">
                    <Key>{place}</Key>
                  </span>
                </Button>
              ) : (
                survives !== null && <Badge tone={survives ? "good" : "plain"}>{survives ? "stays" : "is merged"}</Badge>
              )}
            </header>
            <p className="review-badges">
              <Kind of={entity.entityType} />
              {entity.pinned && <Badge tone="accent">pinned</Badge>}
              <Badge>{several(entity.mentions, "mention")}</Badge>
              <Badge>{percent(entity.confidence)} sure</Badge>
            </p>
            {entity.description && <p>{entity.description}</p>}
            <Facts>
              <Fact name="Also called">{entity.aliases.join(", ") || "–"}</Fact>
              <Fact name="Known since">
                <Time at={entity.createdAt} look="day" />
              </Fact>
              <Fact name="Claims">
                <Claims aspects={items} />
              </Fact>
              <Fact name="Links">
                <Links id={id} />
              </Fact>
            </Facts>
          </>
        )}
      </Read>
    </section>
  );
}

function Claims({ aspects }: { aspects: readonly AspectOutlineReply[] }) {
  const claims = aspects.flatMap(({ aspect, groups }) =>
    groups.flatMap(({ groupKey, claims: held }) =>
      held.map(({ claimKey, preview }) => ({ key: `${aspect.id}/${groupKey}/${claimKey}`, name: spaced(claimKey ?? aspect.name), value: preview })),
    ),
  );
  if (!claims.length) return <>–</>;
  return (
    <ul>
      {claims.slice(0, 8).map((each) => (
        <li key={each.key}>
          {each.name}: <strong>{each.value}</strong>
        </li>
      ))}
      {claims.length > 8 && <li>and {claims.length - 8} more</li>}
    </ul>
  );
}

function Links({ id }: { id: string }) {
  const scope = useScope();
  const links = useRead("GET /api/knowledge/entities/{entity}/dependencies", { path: { entity: id }, query: { ...scope.api, limit: 8 } });
  const items = links.data?.items ?? [];
  if (!items.length) return <>–</>;
  return (
    <ul>
      {items.map((each) => (
        <li key={each.id}>
          {each.direction === "outgoing" ? `${verb(each.dependencyType)} ${each.targetEntityName}` : `${each.sourceEntityName} ${verb(each.dependencyType)} it`}
        </li>
      ))}
    </ul>
  );
}
