// What only the open tab shows: momentum and angular momentum, and the residuals of the solver, over the whole run.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { type Series, seriesOf } from "../plots/series.ts";
import type { Known } from "./state.ts";
import { qualityFormulas } from "./quality.ts";

export interface Details {
  readonly momentum: readonly Series[];
  readonly angularMomentum: readonly Series[];
  readonly residuals: readonly { readonly name: string; readonly series: Series }[];
}

const NOTHING: Details = { momentum: [], angularMomentum: [], residuals: [] };

/** Details of a run, read again whenever more of it is known. */
export function useDetails(lab: Lab, known: Known | null): Details {
  const details = useSignal<Details>(NOTHING);
  useEffect(() => {
    let isOver = false;
    if (known === null) {
      details.value = NOTHING;
      return undefined;
    }
    const { run, history } = known;
    const vectors = [history?.accounts.momentum ?? null, history?.accounts.angularMomentum ?? null];
    const quality = qualityFormulas(run.scene);
    const asked = [...vectors.filter((it): it is string => it !== null), ...quality.map((it) => it.formula)];
    if (asked.length === 0) {
      details.value = NOTHING;
      return undefined;
    }
    lab
      .columns(asked, { run, events: false })
      .then((chunk) => {
        const all = seriesOf(chunk);
        const of = (formula: string | null) => (formula === null ? [] : all.filter((it) => it.formula === asked.indexOf(formula)));
        const residuals = quality.flatMap(({ name, formula }) => of(formula).slice(0, 1).map((series) => ({ name, series })));
        if (!isOver) details.value = { momentum: of(vectors[0] ?? null), angularMomentum: of(vectors[1] ?? null), residuals };
      })
      .catch(() => {
        // The run has gone from the engine: the next one brings its own.
      });
    return () => {
      isOver = true;
    };
  }, [lab, known]);
  return details.value;
}
