// Everything before and after the chosen event, as the engine tells it.
import { effect, type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import type { Reply } from "../../wire/types.ts";

export type EventTable = Extract<Reply, { type: "table" }>;

/** The table of the chosen event; `null` as long as there is none, and why. */
export function useEventTable(lab: Lab): { table: Signal<EventTable | null>; why: Signal<string> } {
  const table = useSignal<EventTable | null>(null);
  const why = useSignal("");
  useEffect(
    () =>
      effect(() => {
        const run = lab.run.value;
        const index = lab.event.value;
        if (run === null || index === null) {
          table.value = null;
          return;
        }
        lab
          .table(index)
          .then((answer) => {
            if (lab.event.value === index && answer.run === lab.run.value?.id) [table.value, why.value] = [answer, ""];
          })
          .catch((error: Error) => (why.value = error.message));
      }),
    [lab],
  );
  return { table, why };
}
