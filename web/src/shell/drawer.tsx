// The drawer of results: a row of tabs at the lower border of the page. A tab opens it, and puts it away again.
import { useEffect } from "preact/hooks";
import { bestTab } from "../lab/best_tab.ts";
import { complaints } from "../lab/complaints.ts";
import type { Lab } from "../lab/lab.ts";
import { changeLayout, drawerHeight, hideResults, isNarrow, layout, resultsShown, showResults } from "../lab/layout.ts";
import { type ResultTab, resultTab } from "../lab/panels.ts";
import { CalculatorPane } from "../panes/calculator/pane.tsx";
import { EnergyPane } from "../panes/energy/pane.tsx";
import { EventsPane } from "../panes/events/pane.tsx";
import { MeasuresPane } from "../panes/plots/measures.tsx";
import { PlotsPane } from "../panes/plots/pane.tsx";
import { TablePane } from "../panes/plots/table.tsx";
import { ProblemsPane } from "../panes/problems/pane.tsx";
import { t } from "../strings/index.ts";
import { rem } from "../ui/rem.ts";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { IconButton } from "../ui/widgets.tsx";

/** Height of the row of tabs, and bounds of the open drawer, in rem. */
const TABS = 2.5;
const [MIN, MAX] = [10, 60];

export function Drawer({ lab }: { lab: Lab }) {
  const { failures, notices } = complaints(lab);
  const events = lab.run.value?.eventCount.value ?? 0;
  const open = resultsShown.value;
  // Until a tab was chosen, the one in front is the one that fits the experiment.
  const chosen = resultTab.value ?? bestTab(lab.run.value);
  const tabs = [
    { name: "events", label: t("shell.events"), badge: events > 0 ? String(events) : "" },
    { name: "plots", label: t("shell.plots") },
    { name: "energy", label: t("shell.energy") },
    { name: "measures", label: t("shell.measures") },
    { name: "table", label: t("shell.table") },
    { name: "calculator", label: t("shell.calculator") },
    { name: "problems", label: t("shell.problems"), badge: failures + notices > 0 ? String(failures + notices) : "", alarm: failures > 0 },
  ] as const;
  const choose = (name: ResultTab) => {
    if (open && name === chosen) hideResults();
    else showResults(name);
  };
  // Pulled up from the closed row it opens; pushed down below its least height it closes.
  const resize = (size: number) => {
    const height = size / rem();
    if (height < (open ? MIN : MIN / 2 + TABS)) hideResults();
    else changeLayout({ drawerOpen: true, drawer: Math.max(MIN, height) });
  };
  useEffect(() => {
    if (open) resultTab.value = chosen;
  }, [open, chosen]);
  const toggle = <IconButton class="toggle-drawer" icon={open ? "down" : "up"} label={t(open ? "shell.close_results" : "shell.open_results")} onClick={() => (open ? hideResults() : showResults())} />;
  return (
    <>
      <Tabs label={t("shell.results")} tabs={tabs} chosen={chosen} choose={choose} open={open} tools={toggle}>
        {chosen === "events" && <EventsPane lab={lab} />}
        {chosen === "plots" && <PlotsPane lab={lab} />}
        {chosen === "energy" && <EnergyPane lab={lab} />}
        {chosen === "measures" && <MeasuresPane lab={lab} />}
        {chosen === "table" && <TablePane lab={lab} />}
        {chosen === "calculator" && <CalculatorPane lab={lab} />}
        {chosen === "problems" && <ProblemsPane lab={lab} />}
      </Tabs>
      {!isNarrow.value && <Splitter edge="top" label={t("shell.resize_results")} size={(layout.value.drawerOpen ? drawerHeight.value : TABS) * rem()} min={TABS * rem()} max={MAX * rem()} resize={resize} />}
    </>
  );
}
