/** The tree of categories. A category counts what it holds itself and what those below it hold. */

import { useRead } from "../../api/queries";
import { setParameter } from "../../app/routes";
import { useScope } from "../../app/scopes";

interface Branch {
  path: string;
  count: number;
}

/** Every category and every one above it, each before those below it. */
function branches(held: Record<string, number>): Branch[] {
  const counts = new Map<string, number>();
  for (const [path, count] of Object.entries(held)) {
    const parts = path.split("/");
    parts.forEach((_, at) => {
      const above = parts.slice(0, at + 1).join("/");
      counts.set(above, (counts.get(above) ?? 0) + count);
    });
  }
  return [...counts].map(([path, count]) => ({ path, count })).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The names of all categories, those with most memories first. */
export function useCategories(): Record<string, number> {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/memories/categories", { path: scope.path, query: scope.query });
  return read.data?.categories ?? {};
}

export function Categories({ chosen }: { chosen: string }) {
  const held = useCategories();
  const all = Object.values(held).reduce((sum, count) => sum + count, 0);
  return (
    <nav className="memories-categories" aria-label="Categories">
      <Choose name="All" count={all} chosen={!chosen} choose={() => setParameter("category", null)} />
      {branches(held).map(({ path, count }) => {
        const at = path.lastIndexOf("/") + 1;
        return (
          <Choose
            key={path}
            above={path.slice(0, at)}
            name={path.slice(at)}
            count={count}
            chosen={path === chosen}
            choose={() => setParameter("category", path === chosen ? null : path)}
          />
        );
      })}
    </nav>
  );
}

interface ChooseProps {
  above?: string;
  name: string;
  count: number;
  chosen: boolean;
  choose: () => void;
}

function Choose({ above = "", name, count, chosen, choose }: ChooseProps) {
  const depth = above.split("/").length - 1;
  return (
    <button type="button" aria-pressed={chosen} onClick={choose} style={{ "--depth": depth } as React.CSSProperties}>
      <span className="memories-name">
        <span className="memories-above">{above}</span>
        {name}
      </span>
      <small>{count}</small>
    </button>
  );
}
