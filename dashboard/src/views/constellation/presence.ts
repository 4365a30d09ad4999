/** Stars that come and go do so softly: how much of each is there, over a short while. */

const LASTS = 420;

export class Presence {
  /** From 0, gone, to 1; what is not in here is there. */
  readonly shares = new Map<string, number>();
  private readonly moving = new Map<string, { from: number; to: number; began: number; after?: () => void }>();
  private frame = 0;

  constructor(private readonly changed: (ids: readonly string[]) => void) {}

  come(ids: readonly string[]): void {
    this.start(ids, 0, 1);
  }

  /** Let stars go; `after` runs once they have. */
  go(ids: readonly string[], after: () => void): void {
    this.start(ids, 1, 0, after);
  }

  private start(ids: readonly string[], from: number, to: number, after?: () => void): void {
    const began = performance.now();
    for (const id of ids) {
      this.shares.set(id, from);
      this.moving.set(id, { from, to, began, after });
    }
    if (ids.length && !this.frame) this.frame = requestAnimationFrame(this.step);
  }

  private readonly step = (now: number): void => {
    const ids = [...this.moving.keys()];
    const ended = new Set<() => void>();
    for (const [id, { from, to, began, after }] of this.moving) {
      const done = Math.min(1, Math.max(0, (now - began) / LASTS));
      this.shares.set(id, from + (to - from) * done * (2 - done));
      if (done < 1) continue;
      this.moving.delete(id);
      this.shares.delete(id);
      if (after) ended.add(after);
    }
    for (const after of ended) after();
    this.changed(ids);
    this.frame = this.moving.size ? requestAnimationFrame(this.step) : 0;
  };

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}
