/** Save what is in view as a picture. */

import { useState } from "react";
import { Button } from "../../ui/controls";
import { save } from "../../ui/files";
import { pngOf, svgOf } from "./saving";
import type { Stage } from "./stage";

export function SavePicture({ stage }: { stage: Stage | null }) {
  const [open, setOpen] = useState(false);
  const write = async (kind: "png" | "svg") => {
    setOpen(false);
    if (!stage) return;
    const scene = stage.scene();
    const svg = svgOf(scene);
    save(kind === "png" ? await pngOf(svg, scene) : new Blob([svg], { type: "image/svg+xml" }), `constellation.${kind}`);
  };
  return (
    <div className="constellation-save">
      {open && (
        <div role="group" aria-label="Save as">
          <Button onClick={() => void write("png")}>PNG</Button>
          <Button onClick={() => void write("svg")}>SVG</Button>
        </div>
      )}
      <Button aria-label="Save the picture" title="Save the picture" aria-expanded={open} onClick={() => setOpen(!open)}>
        ⤓
      </Button>
    </div>
  );
}
