// The tab of results that fits an experiment: events where something happens, measures where something is measured, else plots.
import type { ResultTab } from "./panels.ts";
import type { Run } from "./run.ts";

export function bestTab(run: Run | null): ResultTab {
  if (run === null || run.eventCount.value > 0 || run.scene.contexts.length > 0) return "events";
  return run.scene.quantities.some((it) => it.owner === "measure") ? "measures" : "plots";
}
