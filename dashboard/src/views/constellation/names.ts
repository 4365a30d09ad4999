/** Where the words of a picture stand: beside their star or on their line, inside the stage, and not on each other. */

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A place for words: the middle of their height, where they begin, end or have their centre, and how they are turned. */
export interface Spot {
  x: number;
  y: number;
  align: "left" | "right" | "center";
  turn: number;
  ofLine: boolean;
}

export interface Placed extends Spot {
  text: string;
}

/** Half the height of a line of words. */
const HALF = 7;
const FEW = 60;

export class Names {
  private words: Box[] = [];
  private stars: readonly Box[] | null = null;
  readonly placed = new Map<string, Placed>();

  constructor(
    private readonly stage: () => { width: number; height: number },
    /** The stars that no words should cover. */
    private readonly shown: () => readonly Box[],
  ) {}

  /** A picture is drawn anew. */
  begin(): void {
    this.words = [];
    this.stars = null;
    this.placed.clear();
  }

  /** The first spot that is free; without one, words that must be there take the first all the same. */
  place(key: string, text: string, width: number, spots: readonly Spot[], must: boolean): Placed | null {
    const known = this.placed.get(key);
    if (known) return known;
    this.stars ??= this.shown();
    const taken = [...this.stars, ...this.words];
    const free = spots.find((each) => {
      const boxes = boxesOf(each, width);
      return this.holds(boxes) && !meet(boxes, taken);
    });
    const spot = free ?? (must ? spots[0] : undefined);
    if (!spot) return null;
    const placed = { ...spot, text };
    this.placed.set(key, placed);
    this.words.push(...boxesOf(spot, width));
    return placed;
  }

  /** The first spot where words are inside the stage, whatever they cover. */
  inside(spots: readonly [Spot, ...Spot[]], width: number): Spot {
    return spots.find((each) => this.holds(boxesOf(each, width))) ?? spots[0];
  }

  private holds(boxes: readonly Box[]): boolean {
    const { width, height } = this.stage();
    return boxes.every(({ left, right, top, bottom }) => left >= 0 && right <= width && top >= 0 && bottom <= height);
  }
}

/** What words cover: one box, or a row of small ones where they are turned. */
function boxesOf({ x, y, align, turn }: Spot, width: number): Box[] {
  const from = align === "left" ? 0 : align === "right" ? -width : -width / 2;
  if (!turn) return [{ left: x + from, right: x + from + width, top: y - HALF, bottom: y + HALF }];
  const count = Math.max(1, Math.ceil(width / (2 * HALF)));
  return Array.from({ length: count }, (_, at) => {
    const along = from + ((at + 0.5) * width) / count;
    const [centre, middle] = [x + along * Math.cos(turn), y + along * Math.sin(turn)];
    return { left: centre - HALF, right: centre + HALF, top: middle - HALF, bottom: middle + HALF };
  });
}

function meet(some: readonly Box[], others: readonly Box[]): boolean {
  return some.some((one) => others.some((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
}

/** Few stars are all named; of many, the large ones, and the rest as one comes closer. */
export function density(count: number, width: number) {
  if (count <= Math.min(FEW, width / 20)) return { labelDensity: 4, labelGridCellSize: 80, labelRenderedSizeThreshold: 0 };
  return { labelDensity: 0.9, labelGridCellSize: 110, labelRenderedSizeThreshold: 5 };
}
