// The experiment as text, and under it the laws at the cursor as mathematics.
import { EditorView } from "@codemirror/view";
import { effect, untracked } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { showLaws } from "../../lab/layout.ts";
import { t } from "../../strings/index.ts";
import { bind } from "../../ui/keys.ts";
import { announceProblems } from "../problems/announce.ts";
import { CaptionView } from "./caption_view.tsx";
import { markProblems } from "./diagnostics.ts";
import "./pane.css";
import { setup } from "./setup.ts";
import { markTried } from "./try_mark.ts";
import { Footer } from "./footer.tsx";
import { type ExperimentDocument, documentOf } from "./document.ts";

export function EditorPane({ lab }: { lab: Lab }) {
  const host = useRef<HTMLDivElement>(null);
  const description = useId();
  const experiment = documentOf(lab);
  useEffect(() => {
    if (host.current === null) return undefined;
    const ends = [
      experiment.mount(host.current, setup(experiment, description)),
      markProblems(experiment),
      announceProblems(lab),
      followPlaces(experiment),
      markTried(experiment),
      bind(
        { key: "Ctrl+z", does: t("editor.undo"), group: t("editor.keys"), run: () => experiment.undo() },
        { key: "Ctrl+Shift+Z", does: t("editor.redo"), group: t("editor.keys"), run: () => experiment.redo() },
        { key: "Ctrl+y", does: t("editor.redo"), group: t("editor.keys"), run: () => experiment.redo() },
      ),
    ];
    return () => {
      for (const end of ends.reverse()) end();
    };
  }, [lab]);
  return (
    <div class="editor-pane">
      <CaptionView lab={lab} />
      <div class="editor-host" ref={host} />
      <p class="unseen" id={description}>
        {t("editor.description")}
      </p>
      <Footer experiment={experiment} />
    </div>
  );
}

/** Goes wherever somebody wants the editor to go, and brings it to the front. */
function followPlaces(experiment: ExperimentDocument): () => void {
  const { lab } = experiment;
  return effect(() => {
    const place = lab.place.value;
    if (place === null) return;
    untracked(() => {
      lab.place.value = null;
      showLaws("text");
    });
    // A tab that was hidden has no size before it is drawn.
    requestAnimationFrame(() => {
      const { view } = experiment;
      if (view === null) return;
      const { length } = view.state.doc;
      const [anchor, head] = [Math.min(place.start, length), Math.min(place.end, length)];
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    });
  });
}
