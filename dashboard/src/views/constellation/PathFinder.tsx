/** Find the way from the selected entity to another one, and say it in words. */

import { useState } from "react";
import { TypeAhead } from "../../app/Search";
import { Button } from "../../ui/controls";
import { change } from "./filters";
import { stepsOf } from "./paths";
import type { Picture } from "./pictures";

interface PathFinderProps {
  /** Where the way is to end; null where nobody asked. */
  until: string | null;
  way: readonly string[] | null;
  picture: Picture;
  choose: (id: string) => void;
}

export function PathFinder({ until, way, picture, choose }: PathFinderProps) {
  const [text, setText] = useState("");
  return (
    <section className="constellation-path" aria-label="Path">
      <h3>Path to another entity</h3>
      {until ? (
        <>
          {way ? (
            <ol>
              {stepsOf(picture, way).map(({ id, name, by }) => (
                <li key={id}>
                  {by && <span className="constellation-predicate">{by}</span>}
                  <button type="button" onClick={() => choose(id)}>
                    {name}
                  </button>
                </li>
              ))}
            </ol>
          ) : (
            <p className="constellation-soft">No links that are drawn lead to {picture.stars.get(until)?.entity.name ?? "it"}.</p>
          )}
          <Button look="quiet" onClick={() => change({ path: null })}>
            Forget the path
          </Button>
        </>
      ) : (
        <TypeAhead id="constellation-path" label="Find a path to" text={text} change={setText} chosen={({ id }) => change({ path: id })} />
      )}
    </section>
  );
}
