/** The slider that moves the graph through time. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/controls";
import { dayOf } from "../../ui/times";
import { change } from "./filters";
import { stopsOf, type Stops } from "./moments";

interface TimelineProps {
  range: { earliest: string | null; latest: string | null };
  at: string | null;
  /** What differs from the moment that was in view before. */
  changes: { since: string | null; lines: string[] } | null;
  reading: boolean;
}

const SETTLES = 160;
const BEAT = 1300;

export function Timeline({ range, at, changes, reading }: TimelineProps) {
  const stops = stopsOf(range.earliest, Date.parse(range.latest ?? "") || Date.now());
  return stops && <Slider stops={stops} at={at} changes={changes} reading={reading} />;
}

function Slider({ stops, at, changes, reading }: Omit<TimelineProps, "range"> & { stops: Stops }) {
  const [moving, setMoving] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const timer = useRef(0);
  const stop = moving ?? stops.of(at);
  const shown = moving === null ? at : stops.at(moving);
  const move = (next: number, after: number) => {
    setMoving(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      change({ at: stops.at(next) });
      setMoving(null);
    }, after);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (!playing || reading || moving !== null) return;
    const beat = window.setTimeout(() => {
      if (stop >= stops.last) setPlaying(false);
      else change({ at: stops.at(stops.later(stop)) });
    }, BEAT);
    return () => window.clearTimeout(beat);
  }, [playing, reading, moving, stop, stops]);
  const play = () => {
    if (!playing && stop >= stops.last) change({ at: stops.at(0) });
    setPlaying(!playing);
  };
  return (
    <footer className="constellation-time" aria-label="Time">
      <Button aria-label={playing ? "Pause" : "Play month by month"} title={playing ? "Pause" : "Play month by month"} onClick={play}>
        {playing ? "❚❚" : "▶"}
      </Button>
      <input
        type="range"
        aria-label="Moment in view"
        aria-valuetext={named(shown)}
        min={0}
        max={stops.last}
        value={stop}
        onChange={(event) => {
          setPlaying(false);
          move(Number(event.target.value), SETTLES);
        }}
      />
      <strong className="constellation-date">{named(shown)}</strong>
      <Button
        className="constellation-now"
        disabled={at === null && moving === null}
        onClick={() => {
          setPlaying(false);
          move(stops.last, 0);
        }}
      >
        Now
      </Button>
      <p className="constellation-changes" role="status" title={changes?.lines.join("\n")}>
        {reading || moving !== null ? "Looking back …" : changes ? told(changes) : "Move back in time to see what was known then."}
      </p>
    </footer>
  );
}

function named(moment: string | null): string {
  return moment === null ? "Now" : dayOf(moment);
}

function told({ since, lines }: { since: string | null; lines: string[] }) {
  const from = since === null ? "now" : dayOf(since);
  return (
    <>
      <span className="constellation-since">Compared with {from}:</span> {lines.length ? lines.join(" · ") : "nothing changed"}
    </>
  );
}
