// What follows from the energies of the text: asked for whenever a text is sound, one question at a time, so that whoever types or
// pulls a slider always gets what follows from the newest text, and nothing waits in a line.
import { effect, untracked, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../../lab/lab.ts";
import type { Derived, Reply } from "../../../wire/types.ts";

/** What is known to follow. */
export interface DerivationState {
  systems: readonly Derived[];
  /** Why nothing is known, in a sentence. */
  why: string;
}

/** What follows from the text as it is; from an earlier one while that is found out, `null` if nothing was found out yet. */
export function useDerivation(lab: Lab): DerivationState | null {
  const known = useSignal<DerivationState | null>(null);
  useEffect(() => {
    let [isAsking, isOver] = [false, false];
    let done = -1;
    const ask = async (): Promise<void> => {
      const checked = lab.checked.peek();
      const states = checked?.formulas.some((it) => it.block_kind === "lagrangian") === true;
      if (isAsking || isOver || checked === null || !checked.sound || !states || checked.revision === done) return;
      const { revision } = checked;
      isAsking = true;
      const answer = await question(lab, revision);
      isAsking = false;
      done = revision;
      if (isOver) return;
      // What follows from a text that has gone is worth nothing: the one that has come is asked next.
      if (lab.revision === revision) known.value = answer;
      else void ask();
    };
    const stop = effect(() => {
      void lab.checked.value;
      untracked(() => void ask());
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [lab]);
  return known.value;
}

async function question(lab: Lab, revision: number): Promise<DerivationState> {
  try {
    const { systems } = (await lab.client.request({ type: "derive", revision })) as Extract<Reply, { type: "derived" }>;
    return { systems, why: "" };
  } catch (error) {
    return { systems: [], why: error instanceof Error ? error.message : String(error) };
  }
}
