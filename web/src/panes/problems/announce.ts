// Says aloud that something is wrong, once it has been wrong for a moment: nobody wants to hear about every half-typed word.
import { effect } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";

const ANNOUNCE_DELAY_MS = 1200;

/** Gives back how to stop. */
export function announceProblems(lab: Lab): () => void {
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = effect(() => {
    const first = lab.problems.value.find((problem) => problem.is_error);
    const { errors } = lab.problemCounts.value;
    const text = first === undefined ? "" : t("problems.announce", { count: errors, line: first.place.line, message: first.message });
    clearTimeout(timer);
    if (text === said) return;
    timer = setTimeout(() => {
      said = text;
      // What is mended need not be said: whoever mended it knows.
      if (text !== "") lab.announce(text);
    }, ANNOUNCE_DELAY_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}
