import type { Entity } from "./replies";

/** What every part of the page needs: the entity, the moment it is looked at, and whether it may be changed. */
export interface Shown {
  entity: Entity;
  asOf: string | null;
  /** The past is only read. */
  fixed: boolean;
}
