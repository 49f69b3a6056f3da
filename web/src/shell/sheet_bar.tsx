// The row of buttons at the lower border of a narrow window: which sheet is below the world. A second press gives its room to the world.
import { changeLayout, isNarrow, layout, type Sheet } from "../lab/layout.ts";
import { t } from "../strings/index.ts";

const SHEETS: readonly Sheet[] = ["laws", "values", "results"];

export function SheetBar() {
  if (!isNarrow.value) return null;
  const { sheet } = layout.value;
  return (
    <nav class="sheets" aria-label={t("shell.sheets")}>
      {SHEETS.map((name) => (
        <button key={name} type="button" aria-pressed={sheet === name} onClick={() => changeLayout({ sheet: sheet === name ? null : name })}>
          {t(`shell.${name}`)}
        </button>
      ))}
    </nav>
  );
}
