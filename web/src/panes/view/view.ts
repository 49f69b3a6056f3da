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
import { type Axis, CameraControl, type Side, SIDES } from "./camera.ts";
import { allTrails, follows, hasTrail, type Overlay, overlays, showsGhost, type Stand, standOf, trailOf, wantedStand } from "./state.ts";
import { Axes } from "./scene/axes.ts";
import { ContactOverlay } from "./scene/contact_overlay.ts";
import { Joinery } from "./scene/joinery/joinery.ts";
import { Strobe } from "./scene/strobe.ts";
import { Trails } from "./scene/trails.ts";
import { HidingWalls } from "./scene/hiding_walls.ts";
import { Wireframes } from "./scene/wireframes.ts";

/** While a run goes on, trails and bounds follow it this often, in milliseconds. */
const IDLE_DELAY_MS = 200;
/** Finer than so many pixels for each of the page nobody sees. */
const MAX_PIXEL_RATIO = 2;

/** What has to be made anew before the next picture. */
type Stale = "objects" | "ghost" | "paint" | "bounds" | "trails" | "manners" | "moment";

/** Opacity of what is to come: of trails, where it is asked for, and of the ghost. */
const FUTURE = 0.3;
const GHOST_FUTURE = 0.25;

const NOTHING: readonly Drawn[] = [];

export class View implements Stage {
  readonly lab: Lab;
  readonly cameraControl: CameraControl;
  readonly labels: HTMLElement;
  readonly renderer: WebGLRenderer;
  /** Whether the graphics card has gone away. */
  readonly lost = signal(false);
  /** Counts pictures in which the camera may have moved. */
  readonly pictures = signal(0);
  readonly trails = new Trails({ width: 2.5, strong: 0.95, faint: 0, old: 0.4 });
  readonly joinery = new Joinery();
  readonly strobe = new Strobe();
  readonly contacts: ContactOverlay;
  readonly axes: Axes;
  extent = 1;
  objects: RunObjects | null = null;
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
  readonly #ghostTrails = new Trails({ width: 2, strong: 0.6, faint: 0.25, old: 0.6 });
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
    this.cameraControl = new CameraControl(canvas, () => this.draw());
    this.#labels = new Labels(labels, this.cameraControl.camera);
    this.axes = new Axes(this.#labels);
    this.contacts = new ContactOverlay(lab, () => this.draw("moment"));
    this.#palette = readPalette(canvas);
    this.#ground = new Ground(this.#paints.tile, this.#palette.tileA, this.#palette.tileB);
    this.#ground.mesh.visible = false;
    this.#layers = layers.map((make) => make(this));
    // In this order they lie over each other.
    this.#lines = [this.axes.lines, this.joinery.lines, this.#edges.lines, this.#ghostTrails.lines, this.trails.lines, this.contacts.lines, this.#wires.lines];
    this.#lines.forEach((it, k) => (it.object.renderOrder = k + 1));
    this.#scene.add(this.#lighting.object, this.#ground.mesh, ...this.#lines.map((it) => it.object), this.joinery.object, this.contacts.parts.object, this.strobe.object, this.#dots.object, this.#outline.object);
    for (const layer of this.#layers) this.#scene.add(layer.object);
    canvas.addEventListener("webglcontextlost", this.#lose);
    canvas.addEventListener("webglcontextrestored", this.#restore);
    this.#listen();
    standOf.read = () => this.stand;
  }

  /** Where the camera stands, if somebody has moved it. */
  get stand(): Stand | null {
    const { cameraControl } = this;
    if (!cameraControl.touched && !cameraControl.flat) return null;
    return { eye: cameraControl.camera.position.toArray(), target: cameraControl.target.toArray(), flat: cameraControl.flat };
  }

  get camera() {
    return this.cameraControl.camera;
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
    if (oblique) this.cameraControl.setFlat(false);
    this.#frame(oblique ? this.cameraControl.oblique() : null, false, true);
  }

  /** Looks along an axis, without perspective. */
  look(axis: Axis, backwards = false): void {
    this.cameraControl.setFlat(true);
    this.#frame(this.cameraControl.along(axis, backwards), false, this.#framed.everything);
  }

  /** Sees with perspective, or without, from where the eye is. */
  setPerspective(on: boolean): void {
    this.cameraControl.setFlat(!on);
    this.draw();
  }

  /** The force, in N, that is drawn as so many pixels in the middle of the picture; 0 if none is drawn. */
  forceOf(pixels: number): number {
    return this.contacts.forceOf(pixels / this.cameraControl.pixelsPerLength, this.extent);
  }

  /** Whether there is a floor. */
  get hasGround(): boolean {
    return this.#ground.mesh.visible || (this.objects?.planes.size ?? 0) > 0;
  }

  /** Whether a body is so small that a ring marks where it is. */
  get hasHalo(): boolean {
    return this.#dots.marks(this.cameraControl.pixelsPerLength);
  }

  /** Looks from a side, without perspective. */
  lookFrom(side: Side): void {
    this.cameraControl.setFlat(true);
    this.#frame(this.cameraControl.from(side), false, this.#framed.everything);
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    this.renderer.setSize(width, height, false);
    this.cameraControl.resize(width, height);
    for (const lines of this.#lines) lines.set({ width, height });
    this.#dots.resize(height, this.renderer.getPixelRatio());
    this.strobe.resize(this.renderer.getPixelRatio());
    this.#outline.resize(width, height);
    if (!this.cameraControl.touched && this.#framed.balls.length > 0) this.cameraControl.frame(this.#framed.balls, null, true);
    // At once: a canvas of another size is empty.
    this.#picture(performance.now());
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    standOf.read = null;
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    this.#canvas.removeEventListener("webglcontextlost", this.#lose);
    this.#canvas.removeEventListener("webglcontextrestored", this.#restore);
    for (const it of [this.objects, this.#ghost, this.#ground, this.trails, this.#ghostTrails, this.#wires, this.#edges, this.#dots]) it?.dispose();
    for (const it of [this.axes, this.contacts, this.joinery, this.strobe, this.#outline, this.#lighting, this.#paints, this.cameraControl]) it.dispose();
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
      this.draw("objects");
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
      if (wantedStand.value !== null) this.draw("bounds");
    });
    on(() => {
      const wanted = this.#wantedContacts();
      lab.recordForces(wanted.contacts || wanted.normals || wanted.forces);
    });
    on(() => {
      void overlays.value;
      this.draw("trails", "moment");
    });
    on(() => {
      void theme.value;
      this.draw("paint", "trails", "manners", "moment");
    });
  }

  #more(): void {
    this.#timer = 0;
    this.objects?.sizes.read();
    this.joinery.grow();
    this.contacts.grow(this.#wantedContacts());
    this.draw("bounds", "trails", "moment");
  }

  #picture(now: number): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    const take = (it: Stale) => this.#stale.delete(it);
    if (take("paint")) this.#paint();
    if (take("objects")) this.#rebuildObjects();
    if (take("ghost")) this.#reghost();
    if (take("bounds")) this.#measure();
    if (take("trails")) this.#retrail();
    if (take("manners")) this.#judge();
    if (take("moment")) this.#show(this.lab.clock.time.value);
    const more = this.cameraControl.step(now);
    if (this.#hidingWalls?.look(this.camera.position) === true) {
      this.#judge();
      this.#show(this.lab.clock.time.value);
    }
    const focus = this.#motion?.box.getCenter(new Vector3()) ?? this.cameraControl.target;
    const reach = Math.max(8 * this.extent, 5 * this.camera.position.distanceTo(focus));
    for (const plane of [this.#ground, ...(this.objects?.planes.values() ?? [])]) plane.spread(focus, reach);
    this.axes.look(this.camera);
    for (const lines of this.#lines) lines.set({ near: this.camera.near });
    this.#labels.update();
    if (!this.lost.value) this.renderer.render(this.#scene, this.camera);
    this.#canvas.dataset["calls"] = String(this.renderer.info.render.calls);
    this.pictures.value += 1;
    if (more) this.draw();
  }

  #paint(): void {
    this.#palette = readPalette(this.#canvas);
    this.objects?.paint(this.#palette);
    this.#dots.paint(this.#palette);
    this.#ground.paint(this.#palette.tileA, this.#palette.tileB);
    this.#paints.ghost.color.copy(this.#palette.ghost);
    this.#outline.paint(this.#palette.accent);
    this.joinery.paint(this.#palette);
    this.contacts.paint(this.#palette);
    this.axes.paint(this.#palette.joint);
  }

  #rebuildObjects(): void {
    const run = this.lab.run.value;
    this.objects?.dispose();
    this.#wires.clear();
    this.#edges.clear();
    this.#outline.show(NOTHING);
    this.objects = run === null ? null : new RunObjects(this.lab, run, this.#paints, this.#palette, false, () => this.#resized());
    if (this.objects !== null) {
      this.#scene.add(this.objects.object);
      this.cameraControl.setUp(this.objects.run.scene.up);
    }
    this.#dots.show(this.objects);
    this.#dots.paint(this.#palette);
    this.objects?.update(this.lab.clock.time.value);
    this.#hidingWalls = this.objects === null ? null : new HidingWalls(this.objects.bodies);
    this.#motion = this.objects === null ? null : new MotionBounds(this.objects.run, this.cameraControl.basis, this.objects.shapeAt);
    this.contacts.show(run);
    this.joinery.show(this.lab, run, () => this.draw("moment"));
    this.#ground.mesh.visible = run?.scene.has_ground === true;
    if (run === null) this.#experiment = null;
    for (const layer of this.#layers) layer.show(run);
    for (const it of ["bounds", "trails", "manners", "moment"] as const) this.#stale.add(it);
  }

  /** Sizes are known, or known for longer: everything may take other room. */
  #resized(): void {
    if (this.objects !== null) this.#motion = new MotionBounds(this.objects.run, this.cameraControl.basis, this.objects.shapeAt);
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
    const [motion, objects] = [this.#motion, this.objects];
    if (motion === null || objects === null) return;
    motion.grow();
    this.#hidingWalls?.watch(motion.places());
    this.extent = motion.extent;
    this.#paints.tile.value = roundUp(this.extent / 12);
    const { basis } = this.cameraControl;
    const level = motion.groundLevel();
    this.#ground.lay(basis.up.clone().multiplyScalar(level), uprightOf(basis), basis.straight);
    this.#ground.mesh.visible = objects.planes.size === 0 && (objects.run.scene.has_ground || motion.hasFloor);
    this.axes.lay(motion.box, basis, level, this.extent);
    this.#lighting.shadows = objects.hasShadows;
    this.#lighting.light(motion.box, basis);
    this.cameraControl.setExtent(this.extent);
    const { scene, id } = objects.run;
    const experiment = [scene.simulation, ...scene.bodies.map((it) => it.name)].join("\n");
    if (experiment !== this.#experiment) {
      this.#experiment = experiment;
      this.#frame(this.cameraControl.oblique(), true, false);
    } else if (id === this.#framed.run && !this.cameraControl.touched) this.#frame(null, true, this.#framed.everything);
    this.#adopt();
  }

  /** Stands where somebody wants to. */
  #adopt(): void {
    const wanted = wantedStand.peek();
    if (wanted === null || this.objects === null) return;
    wantedStand.value = null;
    const side = "side" in wanted ? SIDES.find((it) => it === wanted.side) : undefined;
    if (side !== undefined) this.lookFrom(side);
    else if ("eye" in wanted) this.cameraControl.stand(wanted.eye, wanted.target, wanted.flat);
  }

  #frame(from: Vector3 | null, jump: boolean, everything: boolean): void {
    if (this.#motion === null || this.objects === null) return;
    follows.value = false;
    this.#framed = { balls: this.#motion.balls(everything), run: this.objects.run.id, everything };
    this.cameraControl.frame(this.#framed.balls, from, jump);
  }

  #retrail(): void {
    const [objects, ghost] = [this.objects, this.#ghost];
    const wanted = (it: RunObjects) => (body: number) => hasTrail(it.run.scene.bodies[body]?.name ?? "", it.run.scene.bodies.length);
    this.trails.draw(objects?.run ?? null, objects === null ? () => false : wanted(objects), (body) => objects?.tones(body, this.#palette).first ?? this.#palette.ghost);
    this.strobe.draw(objects?.run ?? null, overlays.value.has("strobe"), objects === null ? () => false : wanted(objects), (body) => objects?.tones(body, this.#palette).first ?? this.#palette.ghost);
    this.#ghostTrails.draw(ghost?.run ?? null, ghost === null ? () => false : wanted(ghost), () => this.#palette.ghost);
  }

  /** Who takes part in the chosen event, while arrows are shown. */
  #participants(): readonly number[] | null {
    const event = this.lab.event.value;
    return event === null || !anyShown.value ? null : (this.lab.eventAt(event)?.bodies ?? null);
  }

  #wantedContacts(): { contacts: boolean; normals: boolean; forces: boolean } {
    const has = (it: Overlay) => overlays.value.has(it);
    return { contacts: has("contacts"), normals: has("normals"), forces: has("forces") };
  }

  /** Says how everybody is drawn. */
  #judge(): void {
    const objects = this.objects;
    const participants = this.#participants();
    const hidden = this.veiled;
    objects?.bodies.setManners((body) => {
      if (participants?.includes(body) === true || hidden.has(body)) return "absent";
      return participants === null ? "plain" : "grey";
    });
    if (participants === null) this.#wires.clear();
    if (objects === null || hidden.size === 0) this.#edges.clear();
    else this.#edges.draw(objects.bodies, hidden, this.#palette, this.#palette.ghost);
  }

  /** A moment. */
  #show(time: number): void {
    const objects = this.objects;
    objects?.update(time);
    this.#ghost?.update(time);
    this.#dots.update(time);
    const future = overlays.value.has("future") ? FUTURE : 0;
    this.trails.show(time, future);
    this.strobe.show(time, future);
    this.#ghostTrails.show(time, GHOST_FUTURE);
    const middle = this.#motion?.box.getCenter(new Vector3()) ?? new Vector3();
    this.joinery.update(time, { extent: this.extent, middle, up: this.cameraControl.basis.up }, overlays.value.has("joints"));
    const wanted = this.#wantedContacts();
    this.contacts.grow(wanted);
    this.contacts.update(time, this.extent, wanted);
    this.axes.show(overlays.value.has("axes") && objects !== null);
    const name = this.lab.selection.value;
    const selected = objects === null || name === null ? -1 : objects.run.body(name);
    this.#outline.show(objects?.bodies.drawn[selected] ?? NOTHING);
    this.#outline.update();
    const participants = this.#participants();
    if (objects !== null && participants !== null) this.#wires.draw(objects.bodies, participants, this.#palette);
    this.#follow(selected, time);
    for (const layer of this.#layers) layer.update(time);
  }

  #follow(selected: number, time: number): void {
    if (!follows.value || selected < 0 || this.objects === null) {
      this.#followed = null;
      return;
    }
    const place = new Vector3(...this.objects.place(selected, time));
    if (this.#followed === null) this.cameraControl.lookAt(place);
    else this.cameraControl.carry(place.clone().sub(this.#followed));
    this.#followed = place;
  }
}
