// The laws: as text, as mathematics, as sliders. They fold to a strip at the left border, and their right border is dragged.
import type { Lab } from "../lab/lab.ts";
import { changeLayout, isNarrow, lawsWidth, layout, showLaws } from "../lab/layout.ts";
import { lawTab } from "../lab/panels.ts";
import { MathematicsPane } from "../panes/editor/mathematics/mathematics.tsx";
import { EditorPane } from "../panes/editor/pane.tsx";
import { ParametersPane } from "../panes/parameters/pane.tsx";
import { t } from "../strings/index.ts";
import { Icon } from "../ui/icon.tsx";
import { rem } from "../ui/rem.ts";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { IconButton } from "../ui/widgets.tsx";

/** Bounds of their width, in rem. */
const [MIN, MAX] = [16, 56];

export function Laws({ lab }: { lab: Lab }) {
  const tabs = [
    { name: "text", label: t("shell.text") },
    { name: "mathematics", label: t("shell.mathematics") },
    { name: "parameters", label: t("shell.parameters") },
  ] as const;
  const folded = layout.value.lawsFolded && !isNarrow.value;
  const fold = <IconButton class="fold-laws" icon="back" label={t("shell.fold_laws")} onClick={() => changeLayout({ lawsFolded: true })} />;
  // The editor keeps its history and its cursor while another tab is in front, or while the laws are folded.
  return (
    <>
      {folded && (
        <button type="button" class="unfold-laws" aria-label={t("shell.unfold_laws")} title={t("shell.unfold_laws")} onClick={() => showLaws()}>
          <Icon name="forward" />
          <span aria-hidden="true">{t("shell.laws")}</span>
        </button>
      )}
      <div class="kept" hidden={folded}>
        <Tabs label={t("shell.laws")} tabs={tabs} chosen={lawTab.value} choose={(name) => (lawTab.value = name)} tools={isNarrow.value ? null : fold}>
          <div class="kept" hidden={lawTab.value !== "text"}>
            <EditorPane lab={lab} />
          </div>
          {lawTab.value === "mathematics" && <MathematicsPane lab={lab} />}
          {lawTab.value === "parameters" && <ParametersPane lab={lab} />}
        </Tabs>
        <Splitter edge="right" label={t("shell.resize_laws")} size={lawsWidth.value * rem()} min={MIN * rem()} max={MAX * rem()} resize={(size) => changeLayout({ laws: size / rem() })} />
      </div>
    </>
  );
}
