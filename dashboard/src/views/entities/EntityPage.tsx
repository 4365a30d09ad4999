/** One entity: who or what it is, what is believed of it and why, and the ways to set it right. */

import { setParameter, useRoute } from "../../app/routes";
import { Button } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { Time } from "../../ui/times";
import { Claims } from "./Claims";
import { Gone } from "./Gone";
import { Actions, AsOf, Facts } from "./Head";
import { useHead } from "./heads";
import { Links } from "./Links";
import { Memories, Mentions } from "./Memories";
import { momentOf } from "./moments";
import type { Shown } from "./shown";
import { Timeline } from "./Timeline";

export function EntityPage({ id }: { id: string }) {
  const asOf = momentOf(useRoute().query.get("as_of"));
  const { entity, error, refetch, isPlaceholderData } = useHead(id, asOf);
  if (error?.status === 404) return asOf ? <NotYet asOf={asOf} /> : <Gone id={id} />;
  if (error && !entity) return <Failed failure={error} again={() => void refetch()} />;
  if (!entity) return <Waiting what="Reading what is known" />;
  const shown: Shown = { entity, asOf, fixed: asOf !== null };
  return (
    <Page title={entity.name} lead={entity.description} tools={<AsOf asOf={asOf} />}>
      {asOf && <Past at={asOf} />}
      <div className="entities-top">
        <Facts shown={shown} />
        {!shown.fixed && <Actions entity={entity} />}
      </div>
      <div className={isPlaceholderData ? "entities-columns waits" : "entities-columns"}>
        <div>
          <Claims shown={shown} />
          <Timeline shown={shown} />
        </div>
        <div>
          <Links shown={shown} />
          <Memories shown={shown} />
          <Mentions shown={shown} />
        </div>
      </div>
    </Page>
  );
}

function Past({ at }: { at: string }) {
  return (
    <p className="entities-notice past" role="status">
      <span>
        This is what was believed on <Time at={at} />. It can be read, not changed.
      </span>
      <Button onClick={() => setParameter("as_of", null)}>Back to now</Button>
    </p>
  );
}

function NotYet({ asOf }: { asOf: string }) {
  return (
    <Page title="Not known then" tools={<AsOf asOf={asOf} />}>
      <Empty title="Nothing was known of this then">
        <p>
          On <Time at={asOf} /> the agent had not heard of it, or it was out of force.
        </p>
        <Button onClick={() => setParameter("as_of", null)}>Back to now</Button>
      </Empty>
    </Page>
  );
}
