// The scene in words, for those who do not see it: who is there, and where the selected body is.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { momentText } from "../../lab/format.ts";
import type { Lab } from "../../lab/lab.ts";
import { POSE } from "../../lab/poses.ts";
import { t } from "../../strings/index.ts";

const MAX_NAMES = 8;
/** While time passes, words follow it this often, in milliseconds. */
const UPDATE_INTERVAL_MS = 1000;

function describe(lab: Lab): string {
  const run = lab.run.value;
  if (run === null) return t("view.nothing");
  const { bodies, simulation } = run.scene;
  const names = bodies.slice(0, MAX_NAMES).map((it) => (it.is_static ? t("view.static", { name: it.name }) : it.name));
  const others = bodies.length - names.length;
  if (others > 0) names.push(t("view.others", { count: others }));
  const time = lab.clock.time.peek();
  const said = [t("view.scene", { simulation, count: bodies.length, names: names.join(", ") })];
  said.push(t("view.at", { time: momentText(time, lab.clock.end.value - lab.clock.start.value) }));
  const selected = lab.selection.value === null ? -1 : run.body(lab.selection.value);
  if (selected >= 0) {
    const place = [...run.poses.at(selected, time, new Float64Array(POSE))].slice(0, 3).map((it) => Number(it.toPrecision(4)));
    said.push(t("view.place", { name: lab.selection.value ?? "", place: place.join(", ") }));
  }
  return said.join(" ");
}

export function Description({ lab, id }: { lab: Lab; id: string }) {
  const words = useSignal("");
  const update = () => {
    words.value = describe(lab);
  };
  useSignalEffect(() => {
    void [lab.run.value, lab.run.value?.ended.value, lab.selection.value, lab.clock.playing.value];
    update();
  });
  useEffect(() => {
    const timer = setInterval(update, UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [lab]);
  return (
    <p id={id} class="view-words">
      {words.value}
    </p>
  );
}
