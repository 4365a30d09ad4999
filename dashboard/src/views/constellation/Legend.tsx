/** What the colours mean. Kinds can be chosen here, so the legend is the filter by type as well. */

import { Button } from "../../ui/controls";
import { kindShape, kindToken, Sign } from "../../ui/kinds";
import { change, type Filters } from "./filters";
import { communityTokens } from "./palettes";
import { words, type Constellation } from "./pictures";

export function Legend({ constellation, filters }: { constellation: Constellation; filters: Filters }) {
  const grouped = constellation.communities.length > 0;
  return (
    <section className="constellation-legend" aria-label="Legend">
      {grouped && (
        <div className="constellation-switch" role="group" aria-label="Colour by">
          {(["type", "community"] as const).map((by) => (
            <Button key={by} look="quiet" aria-pressed={filters.colourBy === by} onClick={() => change({ colour: by === "type" ? null : by })}>
              {by === "type" ? "Type" : "Community"}
            </Button>
          ))}
        </div>
      )}
      {filters.colourBy === "community" && grouped ? (
        <Communities constellation={constellation} />
      ) : (
        <Types constellation={constellation} chosen={filters.types} />
      )}
    </section>
  );
}

function Types({ constellation, chosen }: { constellation: Constellation; chosen: readonly string[] }) {
  const counts = new Map<string, number>(chosen.map((type) => [type, 0]));
  for (const { entity } of constellation.entities) counts.set(entity.entityType, (counts.get(entity.entityType) ?? 0) + 1);
  const toggle = (type: string) => {
    const next = chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type];
    change({ types: next.join() || null });
  };
  return (
    <ul className="constellation-chips" aria-label="Types">
      {[...counts].sort((a, b) => b[1] - a[1]).map(([type, count]) => (
        <li key={type}>
          <button
            type="button"
            className={`constellation-chip ${chosen.length && !chosen.includes(type) ? "off" : ""}`}
            aria-pressed={chosen.includes(type)}
            onClick={() => toggle(type)}
          >
            <Sign token={kindToken(type)} shape={kindShape(type)} /> {words(type)} <small>{count}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

const MOST = 8;

function Communities({ constellation }: { constellation: Constellation }) {
  const tokens = communityTokens(constellation);
  const named = [...tokens].slice(0, MOST);
  const rest = tokens.size - named.length;
  const names = new Map(constellation.communities.map((community) => [community.id, community]));
  return (
    <ul className="constellation-chips" aria-label="Communities">
      {named.map(([id, token]) => (
        <li key={id} className="constellation-chip">
          <Sign token={token} /> <span>{names.get(id)?.name}</span> <small>{names.get(id)?.memberCount}</small>
        </li>
      ))}
      <li className="constellation-chip">
        <Sign token="type-other" /> {rest > 0 ? `${rest} smaller ones, or none` : "in none"}
      </li>
    </ul>
  );
}
