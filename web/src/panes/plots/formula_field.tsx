// A field for a formula: everything that is recorded is offered, and any expression over it may be typed.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";

export function FormulaField(props: { lab: Lab; label: string; hint?: string; value?: string; accept: (formula: string) => void; clears?: boolean }) {
  const id = useId();
  const typed = useSignal<string | null>(null);
  const names = props.lab.run.value?.scene.quantities.filter((it) => !it.constant).map((it) => it.formula) ?? [];
  const accept = (text: string) => {
    const formula = text.trim();
    if (formula !== "") props.accept(formula);
    typed.value = props.clears === true ? "" : null;
  };
  return (
    <>
      <input
        class="formula number"
        list={id}
        aria-label={props.label}
        placeholder={props.hint}
        value={typed.value ?? props.value ?? ""}
        spellcheck={false}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          // Choosing from the list is one input of the whole name.
          if (event instanceof InputEvent ? event.inputType === "insertReplacementText" : true) accept(event.currentTarget.value);
        }}
        onChange={(event) => accept(event.currentTarget.value)}
      />
      <datalist id={id}>
        <option value="t" />
        {[...new Set(names)].slice(0, 400).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
