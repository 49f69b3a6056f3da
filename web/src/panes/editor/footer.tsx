// Under the text: undo, redo, and the laws of the block at the cursor as mathematics, which can be shut.
import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { lawTab } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { Icon } from "../../ui/icon.tsx";
import { remember, remembered } from "../../ui/storage.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { Formulas, InForce, useInForce } from "./mathematics/formulas.tsx";
import { type Group, grouped, groupAt } from "./mathematics/laws.ts";
import type { ExperimentDocument } from "./document.ts";

const KEY = "gedanken.strip";

export function Footer({ experiment }: { experiment: ExperimentDocument }) {
  const open = useSignal(remembered(KEY) !== "shut");
  const force = useInForce(experiment.lab);
  const before = useRef("");
  // Between blocks the last one stays, so that the strip does not flicker while the cursor goes through the text.
  const group = useComputed<Group | null>(() => {
    const formulas = experiment.formulas.value;
    const here = groupAt(experiment, formulas, experiment.cursor.value);
    const groups = grouped(formulas);
    const found = here ?? groups.find((it) => it.block === before.current) ?? groups[0] ?? null;
    before.current = found?.block ?? "";
    return found;
  }).value;
  if (lawTab.value !== "text") return null;
  const toggle = () => {
    open.value = !open.value;
    remember(KEY, open.value ? "open" : "shut");
  };
  return (
    <section class="strip" aria-label={t("editor.strip")}>
      <div class="strip-bar">
        {group !== null && (
          <button type="button" class="strip-title" aria-expanded={open.value} onClick={toggle}>
            <Icon name={open.value ? "minus" : "plus"} />
            <span>{t("editor.strip_of", { kind: group.kind, name: group.block })}</span>
            {group.kind === "context" && force.includes(group.block) && <InForce lab={experiment.lab} />}
          </button>
        )}
        <Steps experiment={experiment} />
      </div>
      {open.value && group !== null && (
        <div class="strip-body">
          <Formulas experiment={experiment} formulas={group.formulas} titled={false} />
        </div>
      )}
    </section>
  );
}

function Steps({ experiment }: { experiment: ExperimentDocument }) {
  const { back, forth } = experiment.steps.value;
  return (
    <div class="strip-steps">
      <IconButton icon="undo" label={t("editor.undo")} disabled={back === 0} onClick={() => experiment.undo()} />
      <IconButton class="mirrored" icon="undo" label={t("editor.redo")} disabled={forth === 0} onClick={() => experiment.redo()} />
    </div>
  );
}
