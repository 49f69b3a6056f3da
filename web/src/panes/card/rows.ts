// Which values of an object stand on its card: the six that matter most.
import type { QuantityInfo, TableRow } from "../../wire/types.ts";

const MAX_ROWS = 6;
/** What describes looks, which nobody measures. */
const LOOKS = /^(?:color|colour)/i;

/** What changes comes before constants, and constants that are zero are left out. A place and a velocity come before other vectors, and these before numbers. Matrices are for the inspector. */
export function cardRows(rows: readonly TableRow[], quantities: readonly QuantityInfo[]): TableRow[] {
  const known = new Map(quantities.map((it) => [it.formula, it]));
  const fits = (row: TableRow) => {
    const count = row.after?.scalars.length ?? 0;
    const isNothing = known.get(row.formula)?.constant === true && row.after?.scalars.every((it) => it === 0) === true;
    return count >= 1 && count <= 3 && row.context === null && !isNothing && !LOOKS.test(row.name);
  };
  const rank = (row: TableRow) => {
    const kind = row.name === "position" ? 0 : row.name === "v" || row.name === "velocity" ? 1 : row.after?.scalars.length === 3 ? 2 : 3;
    return (known.get(row.formula)?.constant === true ? 10 : 0) + kind;
  };
  return rows
    .filter(fits)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_ROWS);
}
