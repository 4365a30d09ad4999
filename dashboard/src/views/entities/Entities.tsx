/** What the agent knows about: the list of it all, or the page of one. */

import { useRoute } from "../../app/routes";
import { EntityList } from "./EntityList";
import { EntityPage } from "./EntityPage";
import "./entities.css";
import "./beliefs.css";
import "./dialogs.css";

export default function Entities() {
  const { argument } = useRoute();
  return argument ? <EntityPage key={argument} id={argument} /> : <EntityList />;
}
