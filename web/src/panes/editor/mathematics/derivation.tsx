// What follows from the energies of a block: the Lagrangian, the equations of motion, what is conserved, and on request every step on
// the way. Where nothing follows, it is said why.
import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import { remember, remembered } from "../../../ui/storage.ts";
import type { Derived, DerivedLine, DerivedSection } from "../../../wire/types.ts";
import { ProblemItem } from "../../problems/problem.tsx";
import { Markup } from "../../problems/markup.tsx";
import { blockAt, blocksOf } from "../blocks.ts";
import type { DerivationState } from "./derivation_state.ts";
import "./derivation.css";
import { MathLine, type Point } from "./math_line.tsx";
import { ConservedValue } from "./conserved_value.tsx";

const KEY = "gedanken.steps";
/** Whether steps are shown, of all systems: who wants them here wants them there. */
const steps = signal(remembered(KEY) === "shown");

interface Props {
  lab: Lab;
  /** Of the block. */
  name: string;
  derived: DerivationState | null;
  point: Point;
}

export function DerivedSystem({ lab, name, derived, point }: Props) {
  const title = useId();
  return (
    <section class="derivation" aria-labelledby={title}>
      <h3 class="unseen" id={title}>
        {t("editor.derived_of", { name })}
      </h3>
      {lab.checked.value?.sound === false ? <NotSound lab={lab} name={name} /> : <Found lab={lab} name={name} derived={derived} point={point} />}
    </section>
  );
}

function Found({ lab, name, derived, point }: Props) {
  const system = derived?.systems.find((it) => it.name === name);
  const why = system?.problem ?? derived?.why ?? "";
  if (why !== "") {
    return (
      <p class="derivation-problem" role="status">
        <Markup text={t("editor.cannot_derive", { why })} />
      </p>
    );
  }
  if (system === undefined) {
    return (
      <p class="quiet" role="status">
        {t("editor.deriving")}
      </p>
    );
  }
  return <Sections lab={lab} system={system} point={point} />;
}

function Sections({ lab, system, point }: { lab: Lab; system: Derived; point: Point }) {
  const toggle = () => {
    steps.value = !steps.value;
    remember(KEY, steps.value ? "shown" : "hidden");
  };
  const shown = system.sections.filter((it) => steps.value || !it.step);
  return (
    <>
      <div class="derivation-bar">
        <span class="law-kind" aria-hidden="true">
          {t("editor.derived")}
        </span>
        {system.sections.some((it) => it.step) && (
          <label>
            <input type="checkbox" checked={steps.value} onChange={toggle} />
            {t("editor.steps")}
          </label>
        )}
      </div>
      {shown.map((section) => (
        <Section key={section.title} lab={lab} system={system} section={section} point={point} />
      ))}
    </>
  );
}

function Section({ lab, system, section, point }: { lab: Lab; system: Derived; section: DerivedSection; point: Point }) {
  const { title, note, lines, step } = section;
  return (
    <div class={step ? "derived-section step" : "derived-section"}>
      <div class="derived-head">
        <h4>{title}</h4>
        {note !== null && <p class="quiet">{note}</p>}
      </div>
      {lines.map((line, k) => (
        <Line key={k} lab={lab} system={system} title={title} line={line} point={point} />
      ))}
    </div>
  );
}

function Line({ lab, system, title, line, point }: { lab: Lab; system: Derived; title: string; line: DerivedLine; point: Point }) {
  const { mathml, text, why, watched } = line;
  return (
    <>
      <MathLine mathml={mathml} text={text} breaks="terms" label={t("editor.derived_line", { title, text })} block={system.name} point={point} />
      {why !== null && <p class="derived-why">{why}</p>}
      {watched !== null && <ConservedValue lab={lab} name={watched} simulations={system.simulations} />}
    </>
  );
}

/** What is wrong with the block, or that something is wrong elsewhere. */
function NotSound({ lab, name }: { lab: Lab; name: string }) {
  const text = lab.text.value;
  const blocks = blocksOf(text);
  const own = (lab.checked.value?.problems ?? []).filter(({ is_error, place }) => {
    const block = is_error && place.source === null ? blockAt(blocks, place.start) : null;
    return block !== null && opens(text.slice(block.from, block.open), name);
  });
  return (
    <div class="derivation-problem">
      <p role="status">{t(own.length > 0 ? "editor.not_derived" : "editor.not_derived_elsewhere")}</p>
      {own.length > 0 && (
        <ul class="problem-list">
          {own.map((problem, k) => (
            <ProblemItem key={`${k} ${problem.code} ${problem.message}`} lab={lab} problem={problem} failedAt={null} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether the words before a brace open the block of this name; the name may stand inside. */
function opens(words: string, name: string): boolean {
  const [keyword, own] = words.trim().split(/\s+/);
  return keyword === "lagrangian" && (own === undefined || own === name);
}
