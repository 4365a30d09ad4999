/** What is believed of an entity, by aspect and group. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { Read } from "../../ui/states";
import { AddClaim } from "./AddClaim";
import { ClaimRow } from "./ClaimRow";
import { isBy } from "./moments";
import { plain, type Beliefs, type Version } from "./replies";
import type { Shown } from "./shown";

/** What is believed of an entity now, or was at a moment, with earlier versions. */
export function useClaims({ entity, asOf }: Shown) {
  const scope = useScope();
  return useRead("GET /api/knowledge/entities/{entity}/beliefs", {
    path: { entity: entity.id },
    query: { ...scope.api, as_of: asOf, versions: 20 },
  });
}

/** Only what had been said by a moment. */
function knownBy(aspects: Beliefs["aspects"], asOf: string | null): Beliefs["aspects"] {
  if (!asOf) return aspects;
  const said = ({ holds, attribute }: Version) => holds || isBy(attribute.createdAt, asOf);
  return aspects
    .map(({ aspect, groups }) => ({
      aspect,
      groups: groups
        .map(({ groupKey, claims }) => ({
          groupKey,
          claims: claims.map((claim) => ({ ...claim, versions: claim.versions.filter(said) })).filter(({ versions }) => versions.length),
        }))
        .filter(({ claims }) => claims.length),
    }))
    .filter(({ groups }) => groups.length);
}

export function Claims({ shown }: { shown: Shown }) {
  const claims = useClaims(shown);
  const [adding, setAdding] = useState(false);
  const tools = !shown.fixed && <Button onClick={() => setAdding(true)}>Add a claim …</Button>;
  return (
    <Panel title="Claims" tools={tools}>
      <Read from={claims} what="Reading the claims">
        {(beliefs) => {
          const aspects = knownBy(beliefs.aspects, shown.asOf);
          return aspects.length ? <Aspects aspects={aspects} shown={shown} /> : <None shown={shown} />;
        }}
      </Read>
      {adding && <AddClaim entity={shown.entity} aspects={(claims.data?.aspects ?? []).map(({ aspect }) => aspect.name)} close={() => setAdding(false)} />}
    </Panel>
  );
}

function Aspects({ aspects, shown }: { aspects: Beliefs["aspects"]; shown: Shown }) {
  return aspects.map(({ aspect, groups }) => (
    <section key={aspect.id} className="entities-aspect" aria-label={aspect.name}>
      <h3>
        {plain(aspect.name)}
        {groups.length === 1 && groups[0] && groups[0].groupKey !== "general" && <span> · {plain(groups[0].groupKey)}</span>}
      </h3>
      {groups.map(({ groupKey, claims }) => (
        <div key={groupKey} className="entities-group">
          {groups.length > 1 && <h4>{plain(groupKey)}</h4>}
          {claims.map((claim) => (
            <ClaimRow key={claim.path} claim={claim} aspect={aspect.name} group={groupKey} shown={shown} />
          ))}
        </div>
      ))}
    </section>
  ));
}

function None({ shown: { entity, asOf, fixed } }: { shown: Shown }) {
  return (
    <p className="entities-none">
      {asOf ? "Nothing was believed of it then." : `Nothing is believed of ${entity.name} yet.`}
      {!fixed && " Claims come from what is said about it; you can also add one yourself."}
    </p>
  );
}
