/** The stage in the page. What it shows stands in its attributes too, for tests and for the curious. */

import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { useTheme } from "../../app/themes";
import { Button } from "../../ui/controls";
import { Empty } from "../../ui/states";
import { kindToken } from "../../ui/kinds";
import type { Filters } from "./filters";
import { placesOf } from "./layouts";
import { communityTokens } from "./palettes";
import type { Constellation, Drawn, Picture, Proposal } from "./pictures";
import type { Around } from "./satellites";
import { SavePicture } from "./SavePicture";
import { Stage } from "./stage";

const KEYS =
  "Arrow keys move, plus and minus zoom; with one selected, left and right choose a neighbour and Enter goes there. " +
  "The list shows the same in words.";

interface CanvasProps {
  scope: string;
  constellation: Constellation;
  picture: Picture;
  waiting: ReadonlyMap<string, Proposal[]>;
  around: Around;
  filters: Filters;
  /** What is singled out, and what of it has only just come. */
  lit?: ReadonlySet<string>;
  fresh?: ReadonlySet<string>;
  choose: (id: string | null) => void;
  children?: ReactNode;
}

const NOBODY: ReadonlySet<string> = new Set();

export function Canvas({ scope, constellation, picture, waiting, around, filters, lit = NOBODY, fresh = NOBODY, choose, children }: CanvasProps) {
  const { selected, colourBy, marks } = filters;
  const theme = useTheme();
  const frame = useRef<HTMLDivElement>(null);
  const [stage, failed] = useStage(frame, choose);
  const [marked, setMarked] = useState<string | null>(null);
  const token = useMemo(() => colouring(colourBy, constellation), [colourBy, constellation]);
  const marking = useMemo(() => new Set(marks ? waiting.keys() : []), [marks, waiting]);

  useEffect(() => stage?.show(picture, placesOf(scope), token), [stage, picture]);
  useEffect(() => stage?.recolour(token), [stage, token, theme]);
  useEffect(() => stage?.wait(marking), [stage, marking]);
  useEffect(() => {
    setMarked(null);
    stage?.select(selected, around);
  }, [stage, selected, around, picture]);
  useEffect(() => stage?.mark(marked), [stage, marked]);
  useEffect(() => stage?.light(lit, fresh), [stage, lit, fresh]);

  const near = (selected && picture.near.get(selected)) || new Set<string>();
  const pressed = useStageKeys({ stage, near: [...near], marked, setMarked, selected, choose });
  return (
    <div className="constellation-stage">
      <div
        ref={frame}
        className="constellation-canvas"
        role="application"
        tabIndex={0}
        aria-label={`Graph of ${picture.stars.size} entities. ${KEYS}`}
        data-nodes={picture.stars.size}
        data-edges={picture.links.length}
        data-selected={selected ?? ""}
        data-highlighted={near.size}
        data-lit={lit.size}
        data-as-of={constellation.asOf ?? "now"}
        data-theme={theme}
        onKeyDown={pressed}
      />
      {failed && (
        <div className="constellation-none">
          <Empty title="This browser cannot draw the graph">
            It needs WebGL, which is switched off or missing here. The list shows the same in words.
          </Empty>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {marked ? `Enter goes to ${picture.stars.get(marked)?.entity.name}` : ""}
      </p>
      <div className="constellation-camera">
        <Button aria-label="Zoom in" onClick={() => stage?.move(0, 0, 0.67)}>
          +
        </Button>
        <Button aria-label="Zoom out" onClick={() => stage?.move(0, 0, 1.5)}>
          −
        </Button>
        <Button aria-label="Show all of it" title="Show all of it" onClick={() => stage?.fit()}>
          ⤢
        </Button>
        <SavePicture stage={stage} />
      </div>
      {children}
    </div>
  );
}

function colouring(by: Filters["colourBy"], constellation: Constellation): (drawn: Drawn) => string {
  if (by === "type") return ({ entity }) => kindToken(entity.entityType);
  const tokens = communityTokens(constellation);
  return ({ communityId }) => tokens.get(communityId ?? "") ?? "type-other";
}

/** A stage in an element, as long as the element is there. */
function useStage(frame: RefObject<HTMLDivElement | null>, choose: (id: string | null) => void): [Stage | null, boolean] {
  const [stage, setStage] = useState<Stage | null>(null);
  const [failed, setFailed] = useState(false);
  const chosen = useRef(choose);
  chosen.current = choose;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let made: Stage;
    try {
      made = new Stage(element, {
        chosen: (id) => chosen.current(id),
        layout: (state, answer) => {
          element.dataset.layout = state;
          if (answer) element.dataset.layoutSeconds = (answer.took / 1000).toFixed(2);
          if (state === "running") element.dataset.layouts = String(Number(element.dataset.layouts ?? 0) + 1);
        },
        pointed: (label) => (element.dataset.pointed = label),
        drawn: () => {
          const look = element.dataset.selected ? made.look(element.dataset.selected) : null;
          element.dataset.satellites = String(made.unfolded);
          element.dataset.at = look ? `${Math.round(look.x)},${Math.round(look.y)}` : "";
          element.dataset.colour = look?.colour ?? "";
          element.dataset.size = look?.size.toFixed(1) ?? "";
          element.dataset.glow = look?.glow.toFixed(1) ?? "";
        },
      });
    } catch {
      setFailed(true);
      return;
    }
    setStage(made);
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.kill();
      setStage(null);
    };
  }, [frame]);
  return [stage, failed];
}

interface StageKeys {
  stage: Stage | null;
  near: readonly string[];
  marked: string | null;
  setMarked: (id: string | null) => void;
  selected: string | null;
  choose: (id: string | null) => void;
}

const STEP = 0.12;

function useStageKeys({ stage, near, marked, setMarked, selected, choose }: StageKeys) {
  const walk = (by: number) => {
    const at = marked ? near.indexOf(marked) + by : by > 0 ? 0 : near.length - 1;
    setMarked(near[(at + near.length) % near.length] ?? null);
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => (selected && near.length ? walk(-1) : stage?.move(-STEP, 0, 1)),
    ArrowRight: () => (selected && near.length ? walk(1) : stage?.move(STEP, 0, 1)),
    ArrowUp: () => stage?.move(0, STEP, 1),
    ArrowDown: () => stage?.move(0, -STEP, 1),
    Enter: () => marked && choose(marked),
    Escape: () => choose(null),
    "+": () => stage?.move(0, 0, 0.8),
    "-": () => stage?.move(0, 0, 1.25),
    "0": () => stage?.fit(),
  };
  return (event: KeyboardEvent) => {
    const run = keys[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
}
