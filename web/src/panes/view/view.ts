// The 3D view without its buttons: it holds the scene, listens to the lab, and draws only when something has changed.
import { effect, signal } from "@preact/signals";
import { Scene, Vector3, WebGLRenderer } from "three";
import { details } from "../../lab/pose_windows.ts";
import type { Lab } from "../../lab/lab.ts";
import { theme } from "../../ui/theme.ts";
import { anyShown } from "../vectors/state.ts";
import { roundUp, uprightOf } from "./up_frame.ts";
import type { Drawn } from "./scene/bodies.ts";
import { RunObjects, Paints } from "./scene/run_objects.ts";
import { SmallBodyDots } from "./scene/small_body_dots.ts";
import { Ground } from "./scene/ground.ts";
import { Labels } from "./scene/labels.ts";
import type { Layer, MakeLayer, Stage } from "./layer.ts";
import { Lighting } from "./scene/lighting.ts";
import type { Lines } from "./scene/lines.ts";
import { type Ball, MotionBounds } from "./motion_bounds.ts";
import { Outline } from "./scene/outline.ts";
import { type Palette, readPalette } from "./scene/palette.ts";
import { type Axis, CameraControl } from "./camera.ts";
import { allTrails, follows, hasTrail, showsGhost, trailOf } from "./state.ts";
import { Trails } from "./scene/trails.ts";
import { HidingWalls } from "./scene/hiding_walls.ts";
import { Wireframes } from "./scene/wireframes.ts";

/** While a run goes on, trails and bounds follow it this often, in milliseconds. */
const IDLE_DELAY_MS = 200;
/** Finer than so many pixels for each of the page nobody sees. */
const MAX_PIXEL_RATIO = 2;

/** What has to be made anew before the next picture. */
type Stale = "cast" | "ghost" | "paint" | "bounds" | "trails" | "manners" | "moment";

const NOTHING: readonly Drawn[] = [];

export class View implements Stage {
  readonly lab: Lab;
  readonly rig: CameraControl;
  readonly labels: HTMLElement;
  readonly renderer: WebGLRenderer;
  /** Whether the graphics card has gone away. */
  readonly lost = signal(false);
  /** Counts pictures in which the camera may have moved. */
  readonly pictures = signal(0);
  readonly trails = new Trails({ width: 2.5, strong: 0.95, faint: 0.3 });
  extent = 1;
  cast: RunObjects | null = null;
  width = 1;
  height = 1;

  readonly #canvas: HTMLCanvasElement;
  readonly #scene = new Scene();
  readonly #paints = new Paints();
  readonly #lighting = new Lighting();
  readonly #outline = new Outline();
  readonly #wires = new Wireframes(1);
  /** The edges of walls that would hide the motion. */
  readonly #edges = new Wireframes(0.55);
  readonly #dots = new SmallBodyDots();
  readonly #ghostTrails = new Trails({ width: 2, strong: 0.6, faint: 0.25 });
  readonly #lines: readonly Lines[];
  readonly #labels: Labels;
  readonly #layers: Layer[];
  readonly #stops: (() => void)[] = [];
  readonly #stale = new Set<Stale>(["paint"]);
  #palette: Palette;
  #ground: Ground;
  #ghost: RunObjects | null = null;
  #motion: MotionBounds | null = null;
  #hidingWalls: HidingWalls | null = null;
  /** What the camera frames, and of which run. */
  #framed: { balls: Ball[]; run: number; everything: boolean } = { balls: [], run: -1, everything: false };
  /** What tells one experiment from another: frames stay when only numbers change. */
  #experiment: string | null = null;
  #request = 0;
  #timer = 0;
  #followed: Vector3 | null = null;

  constructor(lab: Lab, canvas: HTMLCanvasElement, context: WebGL2RenderingContext, labels: HTMLElement, layers: readonly MakeLayer[]) {
    this.lab = lab;
    this.#canvas = canvas;
    this.labels = labels;
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true, stencil: true });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.shadowMap.enabled = true;
    this.rig = new CameraControl(canvas, () => this.draw());
    this.#labels = new Labels(labels, this.rig.camera);
    this.#palette = readPalette(canvas);
    this.#ground = new Ground(this.#paints.tile, this.#palette.tileA, this.#palette.tileB);
    this.#ground.mesh.visible = false;
    this.#layers = layers.map((make) => make(this));
    // In this order they lie over each other.
    this.#lines = [this.#edges.lines, this.#ghostTrails.lines, this.trails.lines, this.#wires.lines];
    this.#lines.forEach((it, k) => (it.object.renderOrder = k + 1));
    this.#scene.add(this.#lighting.object, this.#ground.mesh, ...this.#lines.map((it) => it.object), this.#dots.object, this.#outline.object);
    for (const layer of this.#layers) this.#scene.add(layer.object);
    canvas.addEventListener("webglcontextlost", this.#lose);
    canvas.addEventListener("webglcontextrestored", this.#restore);
    this.#listen();
  }

  get camera() {
    return this.rig.camera;
  }

  /** Bodies that are only hinted at, so that what is behind them is seen. */
  get veiled(): ReadonlySet<number> {
    return this.#hidingWalls?.hidden ?? new Set();
  }

  place(label: HTMLElement, point: readonly [number, number, number]): void {
    this.#labels.place(label, point);
  }

  refresh(): void {
    this.draw("moment");
  }

  /** Draws soon. */
  draw(...stale: Stale[]): void {
    for (const it of stale) this.#stale.add(it);
    if (this.#request === 0) this.#request = requestAnimationFrame((now) => this.#picture(now));
  }

  /** Everything in the picture; from the first direction, if `oblique`. */
  frame(oblique = false): void {
    this.#frame(oblique ? this.rig.oblique() : null, false, true);
  }

  look(axis: Axis, backwards = false): void {
    this.#frame(this.rig.along(axis, backwards), false, this.#framed.everything);
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height);
    for (const lines of this.#lines) lines.set({ width, height });
    this.#dots.resize(height, this.renderer.getPixelRatio());
    this.#outline.resize(width, height);
    if (!this.rig.touched && this.#framed.balls.length > 0) this.rig.frame(this.#framed.balls, null, true);
    // At once: a canvas of another size is empty.
    this.#picture(performance.now());
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    this.#canvas.removeEventListener("webglcontextlost", this.#lose);
    this.#canvas.removeEventListener("webglcontextrestored", this.#restore);
    for (const it of [this.cast, this.#ghost, this.#ground, this.trails, this.#ghostTrails, this.#wires, this.#edges, this.#dots]) it?.dispose();
    for (const it of [this.#outline, this.#lighting, this.#paints, this.rig]) it.dispose();
    for (const layer of this.#layers) layer.dispose();
    this.renderer.dispose();
  }

  readonly #lose = (event: Event): void => {
    event.preventDefault();
    this.lost.value = true;
  };

  readonly #restore = (): void => {
    this.lost.value = false;
    this.draw("moment");
  };

  #listen(): void {
    const { lab } = this;
    const on = (run: () => void) => this.#stops.push(effect(run));
    on(() => {
      void lab.run.value;
      this.draw("cast");
    });
    on(() => {
      void [lab.ghost.value, showsGhost.value];
      this.draw("ghost");
    });
    on(() => {
      // More of the run is known.
      const run = lab.run.value;
      void [run?.reached.value, run?.events.value];
      const ended = run?.ended.value != null;
      if (ended) {
        clearTimeout(this.#timer);
        this.#more();
      } else if (this.#timer === 0) this.#timer = window.setTimeout(() => this.#more(), IDLE_DELAY_MS);
    });
    on(() => {
      void [lab.clock.time.value, details.value, lab.selection.value, follows.value];
      if (lab.selection.value === null) follows.value = false;
      this.draw("moment");
    });
    on(() => {
      void [lab.event.value, anyShown.value];
      this.draw("manners", "moment");
    });
    on(() => {
      void [allTrails.value, trailOf.value];
      this.draw("trails");
    });
    on(() => {
      void theme.value;
      this.draw("paint", "trails", "manners", "moment");
    });
  }

  #more(): void {
    this.#timer = 0;
    this.cast?.sizes.read();
    this.draw("bounds", "trails", "moment");
  }

  #picture(now: number): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    const take = (it: Stale) => this.#stale.delete(it);
    if (take("paint")) this.#paint();
    if (take("cast")) this.#recast();
    if (take("ghost")) this.#reghost();
    if (take("bounds")) this.#measure();
    if (take("trails")) this.#retrail();
    if (take("manners")) this.#judge();
    if (take("moment")) this.#show(this.lab.clock.time.value);
    const more = this.rig.step(now);
    if (this.#hidingWalls?.look(this.camera.position) === true) {
      this.#judge();
      this.#show(this.lab.clock.time.value);
    }
    const focus = this.#motion?.box.getCenter(new Vector3()) ?? this.rig.target;
    const reach = Math.max(8 * this.extent, 5 * this.camera.position.distanceTo(focus));
    for (const plane of [this.#ground, ...(this.cast?.planes.values() ?? [])]) plane.spread(focus, reach);
    for (const lines of this.#lines) lines.set({ near: this.camera.near });
    this.#labels.update();
    if (!this.lost.value) this.renderer.render(this.#scene, this.camera);
    this.#canvas.dataset["calls"] = String(this.renderer.info.render.calls);
    this.pictures.value += 1;
    if (more) this.draw();
  }

  #paint(): void {
    this.#palette = readPalette(this.#canvas);
    this.cast?.paint(this.#palette);
    this.#dots.paint(this.#palette);
    this.#ground.paint(this.#palette.tileA, this.#palette.tileB);
    this.#paints.ghost.color.copy(this.#palette.ghost);
    this.#outline.paint(this.#palette.accent);
  }

  #recast(): void {
    const run = this.lab.run.value;
    this.cast?.dispose();
    this.#wires.clear();
    this.#edges.clear();
    this.#outline.show(NOTHING);
    this.cast = run === null ? null : new RunObjects(this.lab, run, this.#paints, this.#palette, false, () => this.#resized());
    if (this.cast !== null) {
      this.#scene.add(this.cast.object);
      this.rig.setUp(this.cast.run.scene.up);
    }
    this.#dots.show(this.cast);
    this.#dots.paint(this.#palette);
    this.cast?.update(this.lab.clock.time.value);
    this.#hidingWalls = this.cast === null ? null : new HidingWalls(this.cast.bodies);
    this.#motion = this.cast === null ? null : new MotionBounds(this.cast.run, this.rig.basis, this.cast.lookAt);
    this.#ground.mesh.visible = run !== null;
    if (run === null) this.#experiment = null;
    for (const layer of this.#layers) layer.show(run);
    for (const it of ["bounds", "trails", "manners", "moment"] as const) this.#stale.add(it);
  }

  /** Sizes are known, or known for longer: everything may take other room. */
  #resized(): void {
    if (this.cast !== null) this.#motion = new MotionBounds(this.cast.run, this.rig.basis, this.cast.lookAt);
    this.draw("bounds", "moment");
  }

  #reghost(): void {
    this.#ghost?.dispose();
    const run = showsGhost.value ? this.lab.ghost.value : null;
    this.#ghost = run === null ? null : new RunObjects(this.lab, run, this.#paints, this.#palette, true, () => this.refresh());
    if (this.#ghost !== null) this.#scene.add(this.#ghost.object);
    for (const it of ["trails", "moment"] as const) this.#stale.add(it);
  }

  /** How large everything is, and what follows from that. */
  #measure(): void {
    const [motion, cast] = [this.#motion, this.cast];
    if (motion === null || cast === null) return;
    motion.grow();
    this.#hidingWalls?.watch(motion.places());
    this.extent = motion.extent;
    this.#paints.tile.value = roundUp(this.extent / 12);
    const { basis } = this.rig;
    this.#ground.lay(basis.up.clone().multiplyScalar(motion.groundLevel()), uprightOf(basis), basis.straight);
    this.#ground.mesh.visible = cast.planes.size === 0;
    this.#lighting.shadows = cast.hasShadows;
    this.#lighting.light(motion.box, basis);
    this.rig.setExtent(this.extent);
    const { scene, id } = cast.run;
    const experiment = [scene.simulation, ...scene.bodies.map((it) => it.name)].join("\n");
    if (experiment !== this.#experiment) {
      this.#experiment = experiment;
      this.#frame(this.rig.oblique(), true, false);
    } else if (id === this.#framed.run && !this.rig.touched) this.#frame(null, true, this.#framed.everything);
  }

  #frame(from: Vector3 | null, jump: boolean, everything: boolean): void {
    if (this.#motion === null || this.cast === null) return;
    follows.value = false;
    this.#framed = { balls: this.#motion.balls(everything), run: this.cast.run.id, everything };
    this.rig.frame(this.#framed.balls, from, jump);
  }

  #retrail(): void {
    const [cast, ghost] = [this.cast, this.#ghost];
    const wanted = (it: RunObjects) => (body: number) => hasTrail(it.run.scene.bodies[body]?.name ?? "", it.run.scene.bodies.length);
    this.trails.draw(cast?.run ?? null, cast === null ? () => false : wanted(cast), (body) => cast?.tones(body, this.#palette).first ?? this.#palette.ghost);
    this.#ghostTrails.draw(ghost?.run ?? null, ghost === null ? () => false : wanted(ghost), () => this.#palette.ghost);
  }

  /** Who takes part in the chosen event, while arrows are shown. */
  #participants(): readonly number[] | null {
    const event = this.lab.event.value;
    return event === null || !anyShown.value ? null : (this.lab.eventAt(event)?.bodies ?? null);
  }

  /** Says how everybody is drawn. */
  #judge(): void {
    const cast = this.cast;
    const participants = this.#participants();
    const hidden = this.veiled;
    cast?.bodies.setManners((body) => {
      if (participants?.includes(body) === true || hidden.has(body)) return "absent";
      return participants === null ? "plain" : "grey";
    });
    if (participants === null) this.#wires.clear();
    if (cast === null || hidden.size === 0) this.#edges.clear();
    else this.#edges.draw(cast.bodies, hidden, this.#palette, this.#palette.ghost);
  }

  /** A moment. */
  #show(time: number): void {
    const cast = this.cast;
    cast?.update(time);
    this.#ghost?.update(time);
    this.#dots.update(time);
    this.trails.show(time);
    this.#ghostTrails.show(time);
    const name = this.lab.selection.value;
    const selected = cast === null || name === null ? -1 : cast.run.body(name);
    this.#outline.show(cast?.bodies.drawn[selected] ?? NOTHING);
    this.#outline.update();
    const participants = this.#participants();
    if (cast !== null && participants !== null) this.#wires.draw(cast.bodies, participants, this.#palette);
    this.#follow(selected, time);
    for (const layer of this.#layers) layer.update(time);
  }

  #follow(selected: number, time: number): void {
    if (!follows.value || selected < 0 || this.cast === null) {
      this.#followed = null;
      return;
    }
    const place = new Vector3(...this.cast.place(selected, time));
    if (this.#followed === null) this.rig.lookAt(place);
    else this.rig.carry(place.clone().sub(this.#followed));
    this.#followed = place;
  }
}
