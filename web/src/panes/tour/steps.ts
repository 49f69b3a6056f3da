// The five steps of the tour. Each is done by the visitor, and none by the page: a step looks at the lab and says whether it is done.
import type { Lab } from "../../lab/lab.ts";
import { plots } from "../../lab/panels.ts";

export type StepName = "number" | "bounce" | "plot" | "slider" | "law";

export interface Step {
  name: StepName;
  /** Where the hint points to: the first of these that is on the page. */
  targets: readonly string[];
  /** Begins to look; the function that it gives back says whether the step is done now. */
  begin: (lab: Lab) => () => boolean;
}

const valueOf = (text: string, name: string) => new RegExp(`^\\s*${name} = (.*)$`, "m").exec(text)?.[1];
/** Whether the text as it is runs. */
const runs = (lab: Lab) => lab.run.value?.revision === lab.revision && lab.run.value.ended.value !== null;

export const STEPS: readonly Step[] = [
  {
    name: "number",
    targets: [".try-mark", ".laws"],
    begin: (lab) => {
      const before = valueOf(lab.text.peek(), "g");
      return () => valueOf(lab.text.value, "g") !== before && lab.checked.value?.sound === true && runs(lab);
    },
  },
  {
    name: "bounce",
    targets: [".timeline .lanes"],
    begin: (lab) => () => lab.event.value !== null && lab.eventAt(lab.event.value)?.kind === "collision",
  },
  {
    name: "plot",
    targets: [".view-pane"],
    begin: () => () => plots.value.some((plot) => plot.ys.some((formula) => /\bv\b/.test(formula))),
  },
  {
    name: "slider",
    targets: [".parameters input[type=range]", ".laws [role=tab]:nth-child(3)", ".unfold-laws"],
    begin: (lab) => {
      const before = valueOf(lab.text.peek(), "restitution");
      return () => valueOf(lab.text.value, "restitution") !== before && runs(lab);
    },
  },
  {
    name: "law",
    targets: [".editor-host", ".laws"],
    begin: (lab) => {
      let broken = false;
      return () => {
        if (lab.checked.value?.sound === false) broken = true;
        return broken && lab.checked.value?.sound === true;
      };
    },
  },
];
