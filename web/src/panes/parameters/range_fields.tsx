// From where to where a slider goes, to be typed.
import { useSignal } from "@preact/signals";
import { t } from "../../strings/index.ts";
import { type Range, read, stepOf, written } from "./range.ts";

export function RangeFields({ range, label, change }: { range: Range; label: string; change: (range: Range) => void }) {
  const wrong = useSignal("");
  const set = (low: number | null, high: number | null, logarithmic: boolean) => {
    if (low === null || high === null) wrong.value = t("parameters.no_number");
    else if (low >= high) wrong.value = t("parameters.low_over_high");
    else if (logarithmic && low <= 0) wrong.value = t("parameters.log_positive");
    else {
      wrong.value = "";
      change({ low, high, step: logarithmic ? 0 : stepOf(low, high), logarithmic });
    }
  };
  // A logarithmic slider has no zero: it begins at a hundredth.
  const toggle = (logarithmic: boolean) => set(logarithmic && range.low <= 0 && range.high > 0 ? range.high / 100 : range.low, range.high, logarithmic);
  return (
    <div class="slider-limits" role="group" aria-label={t("parameters.range", { name: label })}>
      <label>
        {t("parameters.from")}
        <input class="number" type="text" inputMode="decimal" value={written(range.low)} onChange={(event) => set(read(event.currentTarget.value), range.high, range.logarithmic)} />
      </label>
      <label>
        {t("parameters.to")}
        <input class="number" type="text" inputMode="decimal" value={written(range.high)} onChange={(event) => set(range.low, read(event.currentTarget.value), range.logarithmic)} />
      </label>
      <label>
        <input type="checkbox" checked={range.logarithmic} onChange={(event) => toggle(event.currentTarget.checked)} />
        {t("parameters.logarithmic")}
      </label>
      {wrong.value !== "" && <p role="alert">{wrong.value}</p>}
    </div>
  );
}
