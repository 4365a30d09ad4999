/** Every view there is: its address, its name, its key, and the code for it, which is fetched when it is first opened. */

import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import type { IconName } from "../ui/icons";

export interface View {
  /** In the address. */
  at: string;
  title: string;
  icon: IconName;
  /** Pressed after `g`. */
  key: string;
  component: LazyExoticComponent<ComponentType>;
}

const view = (at: string, title: string, icon: IconName, key: string, load: () => Promise<{ default: ComponentType }>): View => ({
  at,
  title,
  icon,
  key,
  component: lazy(load),
});

export const VIEWS: readonly View[] = [
  view("", "Constellation", "constellation", "c", () => import("../views/constellation/Constellation")),
  view("playground", "Playground", "playground", "p", () => import("../views/playground/Playground")),
  view("entities", "Entities", "entities", "e", () => import("../views/entities/Entities")),
  view("review", "Review", "review", "r", () => import("../views/review/Review")),
  view("recall", "Recall lab", "recall", "l", () => import("../views/recall/RecallLab")),
  view("memories", "Memories", "memories", "m", () => import("../views/memories/Memories")),
  view("documents", "Documents", "documents", "o", () => import("../views/documents/Documents")),
  view("working", "Working memory", "working", "w", () => import("../views/working/Working")),
  view("sessions", "Sessions", "sessions", "s", () => import("../views/sessions/Sessions")),
  view("dreams", "Dreams", "dreams", "d", () => import("../views/dreams/Dreams")),
  view("jobs", "Jobs", "jobs", "j", () => import("../views/jobs/Jobs")),
  view("audit", "Audit log", "audit", "a", () => import("../views/audit/Audit")),
  view("settings", "Settings", "settings", "t", () => import("../views/settings/Settings")),
];
