// The frame of the page: laws on the left, the view in the middle, values on the right, time and results below. A narrow window
// shows one of them at a time.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "./lab/lab.ts";
import { fold, type Fold, lawTab, resultTab, valueTab } from "./lab/panels.ts";
import { SecretNotice } from "./panes/access/dialog.tsx";
import { MathematicsPane } from "./panes/editor/mathematics/mathematics.tsx";
import { EditorPane } from "./panes/editor/pane.tsx";
import { EventsPane } from "./panes/events/pane.tsx";
import { GalleryMenu } from "./panes/gallery/menu.tsx";
import { HelpOverlay } from "./panes/help/overlay.tsx";
import { InspectorPane } from "./panes/inspector/pane.tsx";
import { ParametersPane } from "./panes/parameters/pane.tsx";
import { MeasuresPane } from "./panes/plots/measures.tsx";
import { PlotsPane } from "./panes/plots/pane.tsx";
import { TablePane } from "./panes/plots/table.tsx";
import { ProblemsPane } from "./panes/problems/pane.tsx";
import { ReplPane } from "./panes/repl/pane.tsx";
import { SavingDialogs } from "./panes/saving/dialogs.tsx";
import { FileNotice } from "./panes/saving/notice.tsx";
import { ArrivalNotice } from "./panes/share/arrival_notice.tsx";
import { ShareMenu } from "./panes/share/menu.tsx";
import { Timeline } from "./panes/timeline/timeline.tsx";
import { Transport } from "./panes/timeline/transport.tsx";
import { arrows } from "./panes/vectors/layer.ts";
import { VectorsPane } from "./panes/vectors/pane.tsx";
import { ViewPane } from "./panes/view/pane.tsx";
import { t } from "./strings/index.ts";
import { Splitter, Tabs } from "./ui/widgets.tsx";

const LAYERS = [arrows];

export function App({ lab }: { lab: Lab }) {
  const left = useSignal(Math.min(440, innerWidth * 0.3));
  const right = useSignal(Math.min(320, innerWidth * 0.22));
  const bottom = useSignal(Math.min(340, innerHeight * 0.34));
  useEffect(() => {
    let before = performance.now();
    let request = requestAnimationFrame(function tick(now) {
      lab.clock.advance(Math.min(0.1, (now - before) / 1000));
      before = now;
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  }, [lab]);
  const sizes = { "--left": `${left.value}px`, "--right": `${right.value}px`, "--bottom": `${bottom.value}px` };
  return (
    <div class="shell" data-fold={fold.value} style={sizes}>
      <header class="top">
        <h1>{t("shell.title")}</h1>
        <GalleryMenu lab={lab} />
        <ShareMenu lab={lab} />
        <HelpOverlay lab={lab} />
      </header>
      <div class="notices">
        {!lab.connected.value && lab.access.value !== "stranger" && <p class="offline" role="alert">{t("shell.offline")}</p>}
        <SecretNotice lab={lab} />
        <ArrivalNotice lab={lab} />
        <FileNotice lab={lab} />
      </div>
      <Folds />
      <section class="laws" aria-label={t("shell.laws")}>
        <Laws lab={lab} />
      </section>
      <Splitter direction="row" size={left.value} min={220} max={900} resize={(size) => (left.value = size)} />
      <main class="view" aria-label={t("shell.view")}>
        <ViewPane lab={lab} layers={LAYERS} />
      </main>
      <Splitter direction="row" from="end" size={right.value} min={200} max={700} resize={(size) => (right.value = size)} />
      <section class="values" aria-label={t("shell.values")}>
        <Values lab={lab} />
      </section>
      <section class="time">
        <Transport lab={lab} />
        <Timeline lab={lab} />
      </section>
      <Splitter direction="column" from="end" size={bottom.value} min={120} max={900} resize={(size) => (bottom.value = size)} />
      <section class="results" aria-label={t("shell.results")}>
        <Results lab={lab} />
      </section>
      <Announcement lab={lab} />
      <SavingDialogs lab={lab} />
    </div>
  );
}

/** How long something is shown, in milliseconds. */
const NOTICE_MS = 5000;

function Announcement({ lab }: { lab: Lab }) {
  const { text, shown } = lab.announcement.value;
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => lab.announce(""), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [lab.announcement.value]);
  return (
    <div class={shown ? "said" : "unseen"} role="status" aria-live="polite">
      {text}
    </div>
  );
}

function Folds() {
  const folds: readonly Fold[] = ["laws", "view", "values", "results"];
  return (
    <nav class="folds" aria-label={t("shell.title")}>
      {folds.map((name) => (
        <button key={name} type="button" aria-pressed={fold.value === name} onClick={() => (fold.value = name)}>
          {t(`shell.${name}`)}
        </button>
      ))}
    </nav>
  );
}

function Laws({ lab }: { lab: Lab }) {
  const tabs = [
    { name: "text", label: t("shell.text") },
    { name: "mathematics", label: t("shell.mathematics") },
    { name: "parameters", label: t("shell.parameters") },
  ] as const;
  // The editor keeps its history and its cursor while another tab is in front.
  return (
    <Tabs label={t("shell.laws")} tabs={tabs} chosen={lawTab.value} choose={(name) => (lawTab.value = name)}>
      <div class="kept" hidden={lawTab.value !== "text"}>
        <EditorPane lab={lab} />
      </div>
      {lawTab.value === "mathematics" && <MathematicsPane lab={lab} />}
      {lawTab.value === "parameters" && <ParametersPane lab={lab} />}
    </Tabs>
  );
}

function Values({ lab }: { lab: Lab }) {
  const tabs = [
    { name: "inspector", label: t("shell.inspector") },
    { name: "vectors", label: t("shell.vectors") },
  ] as const;
  return (
    <Tabs label={t("shell.values")} tabs={tabs} chosen={valueTab.value} choose={(name) => (valueTab.value = name)}>
      {valueTab.value === "inspector" ? <InspectorPane lab={lab} /> : <VectorsPane lab={lab} />}
    </Tabs>
  );
}

function Results({ lab }: { lab: Lab }) {
  const problems = lab.problems.value.length;
  const tabs = [
    { name: "events", label: t("shell.events"), badge: String(lab.run.value?.eventCount.value ?? "") },
    { name: "plots", label: t("shell.plots") },
    { name: "energy", label: t("shell.energy") },
    { name: "table", label: t("shell.table") },
    { name: "repl", label: t("shell.repl") },
    { name: "problems", label: t("shell.problems"), badge: problems > 0 ? String(problems) : "" },
  ] as const;
  return (
    <Tabs label={t("shell.results")} tabs={tabs} chosen={resultTab.value} choose={(name) => (resultTab.value = name)}>
      {resultTab.value === "events" && <EventsPane lab={lab} />}
      {resultTab.value === "plots" && <PlotsPane lab={lab} />}
      {resultTab.value === "energy" && <MeasuresPane lab={lab} />}
      {resultTab.value === "table" && <TablePane lab={lab} />}
      <div class="kept" hidden={resultTab.value !== "repl"}>
        <ReplPane lab={lab} />
      </div>
      {resultTab.value === "problems" && <ProblemsPane lab={lab} />}
    </Tabs>
  );
}
