// Formulas over the run on screen, at the moment that is shown: `ball.v`, `norm(ball.v)^2`.
import { momentText, short } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { seriesOf, valueAt } from "../plots/series.ts";

/** Whether a text speaks of an object of the run, and defines nothing. */
export function asksRun(lab: Lab, input: string): boolean {
  const bodies = lab.run.value?.scene.bodies ?? [];
  return !/=/.test(input) && bodies.some(({ name }) => new RegExp(`\\b${name}\\.[A-Za-z_]`).test(input));
}

/** The value of a formula now, in words. Fails with why. */
export async function valueNow(lab: Lab, formula: string): Promise<string> {
  const run = lab.run.value;
  if (run === null) throw new Error(t("view.nothing"));
  const time = lab.clock.time.value;
  // Two frames around the moment; between them the line is straight, as in the picture.
  const reach = 1.5 / run.scene.frame_rate;
  const series = seriesOf(await lab.columns([formula], { run, from: Math.max(run.scene.initial_time, time - reach), to: Math.min(run.scene.end, time + reach) }));
  const problem = series.find((it) => it.problem !== null)?.problem;
  if (problem != null) throw new Error(problem);
  const numbers = series.map((it) => short(valueAt(it, time)));
  const value = numbers.length === 1 ? (numbers[0] ?? "") : `[${numbers.join(", ")}]`;
  return t("calculator.at", { value, time: momentText(time, run.scene.end - run.scene.initial_time) });
}
