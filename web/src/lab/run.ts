// A run of the experiment, as far as the page knows it: what there is to see, where everybody is, what happened.
import { signal } from "@preact/signals";
import type { Ending, EventInfo, Scene, Verdict } from "../wire/types.ts";
import { Poses } from "./poses.ts";

/** How a run ended, and what came of it. */
export interface Ended {
  ending: Ending;
  frames: number;
  time: number;
  events: number;
  notices: string[];
  verdicts: Verdict[];
  hash: string;
  took: number;
}

export class Run {
  readonly id: number;
  readonly revision: number;
  readonly coarse: boolean;
  readonly scene: Scene;
  readonly poses: Poses;
  /** What happened so far, in order of time. */
  readonly events = signal<readonly EventInfo[]>([]);
  /** How many events there are; more than `events` holds, if there are very many. */
  readonly eventCount = signal(0);
  /** The time of the last frame so far. */
  readonly reached = signal(0);
  readonly ended = signal<Ended | null>(null);
  /** The time of the last frame that the engine has computedTime of. */
  computedTime: number;

  constructor(id: number, revision: number, coarse: boolean, scene: Scene) {
    this.id = id;
    this.revision = revision;
    this.coarse = coarse;
    this.scene = scene;
    this.poses = new Poses(scene);
    this.computedTime = scene.initial_time;
    this.reached.value = scene.initial_time;
  }

  /** The time up to which it can be shown: while it goes on, as far as poses have come, if anybody moves at all. */
  get shownUntil(): number {
    const waits = this.ended.value === null && this.scene.bodies.some((body) => body.moves !== null);
    return waits ? this.poses.end : this.computedTime;
  }

  /** The index of a body in the scene. */
  body(name: string): number {
    return this.scene.bodies.findIndex((body) => body.name === name);
  }
}
