// Every frame around the time that is shown, where poses came by themselves only for some: asked for in windows, one at a time.
import { effect, signal } from "@preact/signals";
import type { Lab } from "./lab.ts";
import { POSE } from "./poses.ts";
import type { Run } from "./run.ts";

/** A window has at most about so many numbers. */
const MAX_NUMBERS = 1 << 20;
const MAX_FRAMES = 1200;

/** Counts windows that have arrived: whoever draws reads it. */
export const details = signal(0);

/** Asks for frames around the shown time as long as the page lives; gives back how to stop. */
export function followPoseWindows(lab: Lab): () => void {
  let asking = false;
  /** The last window that was asked for: the same one is not asked for again, whatever the answer was. */
  let asked = "";
  const look = () => {
    const [run, time] = [lab.run.value, lab.clock.time.value];
    if (run === null || asking || run.scene.stride === 1) return;
    // While time passes, the next window comes before it is needed.
    const ahead = lab.clock.playing.value ? Math.min(run.poses.end, time + 0.5 * lab.clock.rate.value) : time;
    const wanted = [time, ahead].find((it) => !run.poses.isDetailed(it));
    if (wanted === undefined) return;
    const [first, last] = windowAt(run, wanted);
    const key = `${run.id} ${first} ${last}`;
    if (last < first || key === asked) return;
    asking = true;
    asked = key;
    lab.client
      .request({ type: "poses", run: run.id, first, last, stride: 1 })
      .then((answer) => {
        if (!("head" in answer) || answer.head.chunk !== "poses") return;
        run.poses.addDetail(answer.head.first, answer.head.frames, new Float32Array(answer.buffer, answer.start));
        if (lab.run.value === run) details.value += 1;
      })
      // Without an answer everything is shown as it came.
      .catch(() => undefined)
      .finally(() => {
        asking = false;
        look();
      });
  };
  return effect(() => {
    // What `look` reads is what it shall follow.
    look();
  });
}

/** The frames around a time, more of them after it than before. */
function windowAt(run: Run, time: number): [first: number, last: number] {
  const { scene, poses } = run;
  const moving = Math.max(1, scene.bodies.filter((body) => body.moves !== null).length);
  const frames = Math.max(8, Math.min(MAX_FRAMES, Math.floor(MAX_NUMBERS / (POSE * moving))));
  const middle = Math.floor((time - scene.initial_time) * scene.frame_rate);
  const first = Math.max(0, Math.min(middle - Math.floor(frames / 4), poses.lastFrame - frames + 1));
  return [first, Math.min(first + frames - 1, poses.lastFrame)];
}
