// What a conserved quantity is worth now, and by how much it has changed since the start of the run: how well the method keeps it.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { short } from "../../../lab/format.ts";
import type { Lab } from "../../../lab/lab.ts";
import { plot } from "../../../lab/layout.ts";
import type { Run } from "../../../lab/run.ts";
import { t } from "../../../strings/index.ts";
import { IconButton } from "../../../ui/widgets.tsx";
import type { Reply } from "../../../wire/types.ts";
import { follow } from "./symbol_values.ts";

/** `simulations` are those that watch it: a run of another one may call something else so. */
export function ConservedValue({ lab, name, simulations }: { lab: Lab; name: string; simulations: readonly string[] }) {
  const value = useRef<HTMLSpanElement>(null);
  const change = useRef<HTMLSpanElement>(null);
  const run = lab.run.value;
  const formula = run?.scene.quantities.find((it) => it.owner === "world" && it.name === name && !it.constant)?.formula;
  const isWatched = run !== null && formula !== undefined && simulations.includes(run.scene.simulation);
  useEffect(() => {
    if (!isWatched || run === null) return undefined;
    let start: number | null = null;
    let stop: (() => void) | null = null;
    // Frame 0 may not have come yet.
    const wait = effect(() => {
      if (stop !== null || run.reached.value < run.scene.initial_time) return;
      stop = follow(lab, async () => {
        start ??= await scalar(lab, run, name, run.scene.initial_time);
        return scalar(lab, run, name, lab.clock.time.peek());
      }, (now) => show(value.current, change.current, start, now));
    });
    return () => {
      wait();
      stop?.();
    };
  }, [lab, run, name, isWatched]);
  if (!isWatched) return null;
  return (
    <p class="watched">
      <span class="number" ref={value} />
      <span class="quiet" ref={change} />
      <IconButton icon="plot" label={t("inspector.plot", { name })} onClick={() => plot(formula)} />
    </p>
  );
}

function show(value: HTMLElement | null, change: HTMLElement | null, start: number | null, now: number | null): void {
  if (value === null || change === null) return;
  value.textContent = now === null ? "" : t("editor.watched", { value: short(now) });
  value.title = now === null ? "" : String(now);
  const by = now === null || start === null ? null : now - start;
  change.textContent = by === null ? "" : by === 0 ? t("editor.no_drift") : t("editor.drift", { change: short(by) });
}

/** The value of something of the world; `null` where it has none, or the run has gone. */
async function scalar(lab: Lab, run: Run, name: string, time: number): Promise<number | null> {
  try {
    const { rows } = (await lab.client.request({ type: "values", run: run.id, moment: { at: "time", time }, object: null })) as Extract<Reply, { type: "values" }>;
    return rows.find((row) => row.owner === "world" && row.name === name)?.after?.scalars[0] ?? null;
  } catch {
    return null;
  }
}
