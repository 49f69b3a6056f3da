// A bar of a round length, as large as that length is in the middle of the picture.
import { useSignal, useSignalEffect } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { short } from "../../lab/format.ts";
import { t } from "../../strings/index.ts";
import { overlays } from "./state.ts";
import { roundUp } from "./up_frame.ts";
import type { View } from "./view.ts";

/** Least width of the bar, in pixels. */
const LEAST = 56;

export function ScaleBar({ lab, view }: { lab: Lab; view: View }) {
  const shown = useSignal({ length: 1, width: LEAST, halo: false, force: 0 });
  useSignalEffect(() => {
    void view.pictures.value;
    const pixels = view.cameraControl.pixelsPerLength;
    if (!(pixels > 0) || !Number.isFinite(pixels)) return;
    const length = roundUp(LEAST / pixels);
    const width = Math.round(length * pixels);
    const halo = view.hasHalo;
    const force = overlays.value.has("forces") ? view.forceOf(width) : 0;
    const { value } = shown;
    if (value.length !== length || value.width !== width || value.halo !== halo || value.force !== force) shown.value = { length, width, halo, force };
  });
  if (!(overlays.value.has("scale") || overlays.value.has("forces")) || lab.run.value === null) return null;
  const { length, width, halo, force } = shown.value;
  const text = t(lab.run.value.scene.in_metres ? "view.metres" : "view.length", { length: short(Number(length.toPrecision(12))) });
  return (
    <div class="view-scale">
      {halo && <span class="view-halo">{t("view.halo")}</span>}
      {force > 0 && <span class="view-force number">{t("view.newtons", { force: short(Number(force.toPrecision(2))) })}</span>}
      <span class="number">{text}</span>
      <span class="view-bar" style={{ width: `${width}px` }} />
    </div>
  );
}
