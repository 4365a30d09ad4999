/** Look for more to review: duplicates in the graph, and proposals that say the same. */

import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { useToasts } from "../../ui/toasts";
import { several } from "./words";

export function Sweeps() {
  const scope = useScope();
  const toasts = useToasts();
  const scan = useChange("POST /v1/agents/{agent}/kg/dedup/scan", ({ candidates_found: found }) =>
    toasts.done(found ? `Found ${several(found, "pair")} that may be the same.` : "No new duplicates were found."),
  );
  const consolidate = useChange("POST /api/ontology/consolidate", ({ examined, repeated, conflicts }) => {
    const rejected = repeated.reduce((sum, each) => sum + each.rejected.length, 0);
    const same = rejected ? `${several(rejected, "that repeats another was", "that repeat others were")} rejected` : "none says the same as another";
    toasts.done(`Went through ${several(examined, "proposal")}: ${same}; ${conflicts.length ? several(conflicts.length, "conflict") : "no conflicts"}.`);
  });
  return (
    <>
      <Button
        busy={scan.isPending}
        title="Compare all entities and put up pairs that may be one thing"
        onClick={() => scan.mutate({ path: scope.path, query: scope.graph, body: {} }, { onError: toasts.failed })}
      >
        Scan for duplicates
      </Button>
      <Button
        busy={consolidate.isPending}
        title="Of proposals that say the same, keep the surest and reject the others"
        onClick={() => consolidate.mutate({ body: scope.api }, { onError: toasts.failed })}
      >
        Consolidate proposals
      </Button>
    </>
  );
}
