// All values of an object, and the arrows: docked to the right of the world on request.
import type { Lab } from "../lab/lab.ts";
import { changeLayout, hideValues, layout } from "../lab/layout.ts";
import { valueTab } from "../lab/panels.ts";
import { InspectorPane } from "../panes/inspector/pane.tsx";
import { VectorsPane } from "../panes/vectors/pane.tsx";
import { t } from "../strings/index.ts";
import { rem } from "../ui/rem.ts";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { IconButton } from "../ui/widgets.tsx";

/** Bounds of its width, in rem. */
const [MIN, MAX] = [16, 44];

export function Values({ lab }: { lab: Lab }) {
  const tabs = [
    { name: "inspector", label: t("shell.inspector") },
    { name: "vectors", label: t("shell.vectors") },
  ] as const;
  const close = <IconButton icon="close" label={t("shell.close_values")} onClick={hideValues} />;
  return (
    <>
      <Tabs label={t("shell.values")} tabs={tabs} chosen={valueTab.value} choose={(name) => (valueTab.value = name)} tools={close}>
        {valueTab.value === "inspector" ? <InspectorPane lab={lab} /> : <VectorsPane lab={lab} />}
      </Tabs>
      <Splitter edge="left" label={t("shell.resize_values")} size={layout.value.inspector * rem()} min={MIN * rem()} max={MAX * rem()} resize={(size) => changeLayout({ inspector: size / rem() })} />
    </>
  );
}
