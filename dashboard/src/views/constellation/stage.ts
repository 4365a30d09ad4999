/** The stage: sigma draws a graphology graph on it, and everything that moves there is moved from here. */

import Graph from "graphology";
import Sigma from "sigma";
import { EdgeArrowProgram, EdgeLineProgram, EdgeRectangleProgram } from "sigma/rendering";
import type { CameraState } from "sigma/types";
import { graphExtent } from "sigma/utils";
import { kindShape, SHAPES } from "../../ui/kinds";
import { closeTo, framed, over, still, unit, WHOLE } from "./cameras";
import { layOut, settle, type LayoutAnswer, type Places } from "./layouts";
import { radiusOf, rayLook, starLook, type Attention, type Ray, type Star } from "./looks";
import { density, Names, type Box } from "./names";
import { Palette } from "./palettes";
import { painting } from "./painting";
import type { Drawn, Picture } from "./pictures";
import { Presence } from "./presence";
import { satellitesOf, type Around, type Satellite } from "./satellites";
import { sceneOf, type Scene } from "./saving";
import { StarProgram, type StarData } from "./stars";

export interface StageEvents {
  chosen: (id: string | null) => void;
  /** A layout began, went on or ended. */
  layout: (state: "running" | "done", answer?: LayoutAnswer) => void;
  /** The picture was drawn anew. */
  drawn: () => void;
  /** What the line under the pointer says; nothing where none is. */
  pointed: (label: string) => void;
}

const LARGE = 2_000;
/** With more stars than this, another picture stands there at once. */
const SOFT = 400;
/** The first so many are named from afar. */
const HUBS = 12;
const NOBODY: ReadonlySet<string> = new Set();

export class Stage {
  private graph = new Graph<Star, Ray>({ type: "directed" });
  private readonly sigma: Sigma<Star, Ray>;
  private readonly names: Names;
  private readonly presence: Presence;
  private attention: Attention;
  private picture: Picture | null = null;
  private around: Around = { aspects: [], proposals: [] };
  private satellites: readonly Satellite[] = [];
  private stopLayout: (() => void) | null = null;
  /** Whether something has changed that is not drawn yet. */
  private stale = false;

  constructor(
    container: HTMLElement,
    private readonly events: StageEvents,
  ) {
    this.presence = new Presence((ids) => this.repaint(ids));
    this.attention = {
      selected: null,
      centre: 0,
      marked: null,
      near: NOBODY,
      lit: NOBODY,
      fresh: NOBODY,
      hovered: null,
      hoveredLine: null,
      waiting: NOBODY,
      presence: this.presence.shares,
      palette: new Palette(),
      large: false,
    };
    this.names = new Names(
      () => this.sigma.getDimensions(),
      () => this.outstanding(),
    );
    const { label, hover, edgeLabel } = painting(() => this.attention, this.names);
    this.sigma = new Sigma<Star, Ray>(this.graph, container, {
      allowInvalidContainer: true,
      defaultNodeType: "star",
      nodeProgramClasses: { star: StarProgram },
      nodeHoverProgramClasses: { star: StarProgram },
      edgeProgramClasses: { line: EdgeRectangleProgram, thin: EdgeLineProgram, arrow: EdgeArrowProgram },
      nodeReducer: (id, star) => starLook(id, star, this.attention),
      edgeReducer: (key, ray) => rayLook(ray, this.graph.source(key), this.graph.target(key), this.attention),
      defaultDrawNodeLabel: label,
      defaultDrawNodeHover: hover,
      defaultDrawEdgeLabel: edgeLabel,
      renderEdgeLabels: true,
      enableEdgeEvents: true,
      zIndex: true,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
    });
    this.listen(container);
  }

  private listen(container: HTMLElement): void {
    this.sigma.on("clickNode", ({ node }) => {
      const entity = this.picture?.stars.has(node) ? node : this.attention.selected;
      this.events.chosen(entity);
    });
    this.sigma.on("clickStage", () => this.events.chosen(null));
    const point = (star: string | null) => {
      container.style.cursor = star ? "pointer" : "";
      this.point(star, null);
    };
    this.sigma.on("enterNode", ({ node }) => point(node));
    this.sigma.on("leaveNode", () => point(null));
    this.sigma.on("enterEdge", ({ edge }) => this.point(null, edge));
    this.sigma.on("leaveEdge", () => this.point(null, null));
    // Another size leaves nothing on a canvas.
    this.sigma.on("resize", () => this.draw());
    this.sigma.on("beforeRender", () => this.names.begin());
    this.sigma.on("afterRender", () => this.events.drawn());
  }

  /** Draw anew, once for everything that changes together: drawing is most of the work. */
  private draw(): void {
    this.stale = true;
    queueMicrotask(() => this.stale && this.drawNow());
  }

  /** Draw at once. The camera goes by where stars were when they were last drawn. */
  private drawNow(): void {
    this.stale = false;
    this.sigma.refresh();
  }

  /** What lies under the pointer is named: a line, or all lines of a star. */
  private point(star: string | null, line: string | null): void {
    const before = this.attention;
    if (before.hovered === star && before.hoveredLine === line) return;
    this.attention = { ...before, hovered: star, hoveredLine: line };
    const keys = [before.hovered, star].flatMap((id) => (id && this.graph.hasNode(id) ? this.graph.edges(id) : []));
    const edges = [...new Set([...keys, before.hoveredLine, line])].filter((key): key is string => key !== null && this.graph.hasEdge(key));
    this.sigma.refresh({ partialGraph: { nodes: [], edges }, schedule: true });
    this.events.pointed(line ? (this.graph.getEdgeAttribute(line, "line")?.labels.join(", ") ?? "") : "");
  }

  /** Single out some stars and the lines between them; those in `fresh` have only just come. */
  light(lit: ReadonlySet<string>, fresh: ReadonlySet<string> = NOBODY): void {
    const places = [...lit].flatMap((id) => (this.graph.hasNode(id) ? this.graph.getNodeAttribute(id, "x") : []));
    const centre = places.length ? places.reduce((sum, x) => sum + x, 0) / places.length : this.attention.centre;
    const changed = lit.size > 0 && lit !== this.attention.lit;
    this.attention = { ...this.attention, lit, fresh, centre };
    this.unfold();
    if (changed) this.attend();
    this.draw();
  }

  /** What the reader's attention is on, in view. */
  private attend(): void {
    const { lit, selected } = this.attention;
    if (lit.size) this.glide(over(this.sigma, [...lit]), 350);
    else if (selected) this.focus(selected);
  }

  /** The room that stars take which stand out. */
  private outstanding(): Box[] {
    const { lit, near, selected } = this.attention;
    const ids = lit.size ? [...lit] : [...near, ...(selected ? [selected] : [])];
    return ids.flatMap((id) => {
      const look = this.look(id);
      const radius = look ? this.sigma.scaleSize(look.size) + 4 : 0;
      return look ? [{ left: look.x - radius, right: look.x + radius, top: look.y - radius, bottom: look.y + radius }] : [];
    });
  }

  /** Draw another picture. Stars that stay keep their places; others come and go softly. */
  show(picture: Picture, places: Places, token: (drawn: Drawn) => string): void {
    this.stopLayout?.();
    const first = this.graph.order === 0;
    const strangers = settle(picture, places);
    this.picture = picture;
    const large = picture.stars.size > LARGE;
    this.attention = { ...this.attention, large, near: this.nearOf(this.attention.selected) };
    this.sigma.setSettings({ enableEdgeEvents: !large, hideEdgesOnMove: large, hideLabelsOnMove: large, stagePadding: 48 * this.scale(), ...density(picture.stars.size, this.sigma.getDimensions().width) });
    if (first || still() || picture.stars.size > SOFT) this.redraw(picture, places, token);
    else this.dissolve(picture, places, token);
    if (strangers.length) this.layOut(picture, places, new Set(strangers));
    else if (first) this.frame();
    this.draw();
  }

  /** All at once: sigma reads a whole graph much faster than each change to one. */
  private redraw(picture: Picture, places: Places, token: (drawn: Drawn) => string): void {
    this.graph = new Graph<Star, Ray>({ type: "directed" });
    this.satellites = [];
    this.addStars(picture, places, token);
    this.replaceRays(picture, NOBODY);
    this.sigma.setGraph(this.graph);
  }

  /** One picture into the other. */
  private dissolve(picture: Picture, places: Places, token: (drawn: Drawn) => string): void {
    this.fold();
    const came = this.addStars(picture, places, token);
    const gone = this.graph.filterNodes((id) => !picture.stars.has(id));
    this.replaceRays(picture, new Set(gone));
    this.presence.come(came);
    this.presence.go(gone, () => this.drop(gone));
    this.drawNow();
  }

  /** On a small stage things are drawn smaller. */
  private scale(): number {
    const { width, height } = this.sigma.getDimensions();
    return Math.min(1, Math.max(0.6, Math.min(width, height) / 600));
  }

  private addStars(picture: Picture, places: Places, token: (drawn: Drawn) => string): string[] {
    const came: string[] = [];
    let rank = 0;
    for (const [id, drawn] of picture.stars) {
      const star: Star = {
        x: places.get(id)?.x ?? 0,
        y: places.get(id)?.y ?? 0,
        label: drawn.entity.name,
        token: token(drawn),
        shape: SHAPES.indexOf(kindShape(drawn.entity.entityType)),
        size: radiusOf(drawn, picture.stars.size) * this.scale(),
        degree: drawn.degree,
        named: drawn.degree > 0 && rank++ < HUBS,
        role: "entity",
        side: "right",
      };
      if (this.graph.hasNode(id)) {
        this.graph.replaceNodeAttributes(id, star);
        continue;
      }
      this.graph.addNode(id, star);
      came.push(id);
    }
    return came;
  }

  /** New lines for old; those of stars that are going stay until they have gone. */
  private replaceRays(picture: Picture, going: ReadonlySet<string>): void {
    const lines = new Map(picture.lines.map((line) => [line.key, line]));
    const over = this.graph.filterEdges((key, _ray, source, target) => !going.has(source) && !going.has(target) && lines.get(key)?.source !== source);
    for (const key of over) this.graph.dropEdge(key);
    for (const line of picture.lines) {
      const ray: Ray = { line, size: 0.7 + Math.min(1, line.strength) * 0.8 };
      if (this.graph.hasEdge(line.key)) this.graph.replaceEdgeAttributes(line.key, ray);
      else this.graph.addEdgeWithKey(line.key, line.source, line.target, ray);
    }
  }

  private drop(ids: readonly string[]): void {
    for (const id of ids) if (this.graph.hasNode(id) && !this.picture?.stars.has(id)) this.graph.dropNode(id);
  }

  private layOut(picture: Picture, places: Places, moving: ReadonlySet<string>): void {
    this.events.layout("running");
    const { width, height } = this.sigma.getDimensions();
    const whole = moving.size === picture.stars.size;
    const radius = (id: string) => (this.graph.hasNode(id) ? this.graph.getNodeAttribute(id, "size") + 5 : 5);
    const moved = (answer: LayoutAnswer) => {
      if (whole) this.sigma.setCustomBBox(null);
      this.graph.updateEachNodeAttributes((id, star) => ({ ...star, ...places.get(id) }), { attributes: ["x", "y"] });
      if (!answer.done) return;
      this.stopLayout = null;
      this.frame();
      this.attend();
      this.unfold();
      this.events.layout("done", answer);
    };
    const stretch = whole ? Math.min(1.7, Math.max(0.6, width / (height || 1))) : 1;
    const stop = layOut({ picture, places, moving, radius, stretch, room: Math.max(240, Math.max(width, height) - 112), moved });
    this.stopLayout = () => {
      stop();
      this.stopLayout = null;
      for (const id of moving) places.delete(id);
    };
  }

  /** Hold the frame still, so that what comes and goes does not move the rest. It only grows. */
  private frame(): void {
    const held = this.sigma.getCustomBBox();
    const { x, y } = graphExtent(this.graph);
    this.sigma.setCustomBBox({ x: framed(x, held?.x), y: framed(y, held?.y) });
    this.drawNow();
  }

  /** Turn the reader's attention to an entity; null to all of it. */
  select(id: string | null, around: Around): void {
    const selected = id && this.picture?.stars.has(id) ? id : null;
    const moved = selected !== this.attention.selected;
    this.attention = { ...this.attention, selected, marked: null, near: this.nearOf(selected) };
    this.around = around;
    if (selected && moved) this.focus(selected);
    this.unfold();
    this.draw();
  }

  private nearOf(id: string | null): ReadonlySet<string> {
    return (id && this.picture?.near.get(id)) || NOBODY;
  }

  /** Mark the neighbour that Enter would go to. */
  mark(id: string | null): void {
    this.attention = { ...this.attention, marked: id };
    this.draw();
  }

  /** Mark the entities that something waits for. */
  wait(waiting: ReadonlySet<string>): void {
    this.attention = { ...this.attention, waiting };
    this.draw();
  }

  /** The theme or the meaning of colours has changed: nothing moves. */
  recolour(token: (drawn: Drawn) => string): void {
    this.attention = { ...this.attention, palette: new Palette() };
    for (const [id, drawn] of this.picture?.stars ?? []) if (this.graph.hasNode(id)) this.graph.setNodeAttribute(id, "token", token(drawn));
    this.draw();
  }

  private fold(): void {
    for (const { id } of this.satellites) if (this.graph.hasNode(id)) this.graph.dropNode(id);
    this.satellites = [];
  }

  /** How many satellites are out. */
  get unfolded(): number {
    return this.satellites.length;
  }

  private unfold(): void {
    this.fold();
    const { selected } = this.attention;
    if (!selected || this.attention.lit.size || this.stopLayout) return;
    const centre = this.graph.getNodeAttributes(selected);
    this.attention = { ...this.attention, centre: centre.x };
    this.draw();
    const directions = [...this.attention.near].map((id) => {
      const { x, y } = this.graph.getNodeAttributes(id);
      return Math.atan2(y - centre.y, x - centre.x);
    });
    this.satellites = satellitesOf(selected, this.around, directions);
    const pixel = unit(this.sigma, closeTo(this.sigma, selected, this.attention.near)) * this.scale();
    for (const { id, role, label, x, y } of this.satellites) {
      const size = role === "aspect" ? 4.5 : 3.2;
      const side = x < 0 ? "left" : "right";
      const place = { x: centre.x + x * pixel, y: centre.y + y * pixel };
      this.graph.addNode(id, { ...place, label, token: "text-soft", shape: 0, size, degree: 0, named: true, role, side });
    }
    for (const { id, on } of this.satellites) this.graph.addEdge(on, id, { line: null, size: 1 });
    if (!this.attention.large && !still()) this.presence.come(this.satellites.map(({ id }) => id));
  }

  focus(id: string): void {
    this.glide(closeTo(this.sigma, id, this.attention.near), 450);
  }

  /** Move the camera by shares of the view, and zoom by a factor. */
  move(x: number, y: number, zoom: number): void {
    const camera = this.sigma.getCamera().getState();
    const ratio = Math.min(4, Math.max(0.01, camera.ratio * zoom));
    this.glide({ ...camera, x: camera.x + x * ratio, y: camera.y + y * ratio, ratio }, 160);
  }

  fit(): void {
    this.glide(WHOLE, 350);
  }

  private glide(state: CameraState, duration: number): void {
    if (still()) this.sigma.getCamera().setState(state);
    else void this.sigma.getCamera().animate(state, { duration });
  }

  resize(): void {
    this.sigma.resize();
  }

  /** Where a star is on the stage, in pixels, and how it is drawn. */
  look(id: string): { x: number; y: number; colour: string; size: number; glow: number } | null {
    const shown = this.graph.hasNode(id) ? (this.sigma.getNodeDisplayData(id) as StarData | undefined) : undefined;
    if (!shown) return null;
    const { x, y } = this.sigma.graphToViewport(this.graph.getNodeAttributes(id));
    return { x, y, colour: shown.color, size: shown.size, glow: shown.glow };
  }

  /** What is in view, to be saved as a picture. */
  scene(): Scene {
    return sceneOf(this.sigma, this.graph, this.names.placed, this.attention.palette);
  }

  private repaint(ids: readonly string[]): void {
    const nodes = ids.filter((id) => this.graph.hasNode(id));
    const edges = nodes.flatMap((id) => this.graph.edges(id));
    this.sigma.refresh({ partialGraph: { nodes, edges }, schedule: true });
  }

  kill(): void {
    this.stopLayout?.();
    this.presence.stop();
    this.stale = false;
    this.sigma.kill();
  }
}
