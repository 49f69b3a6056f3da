// Which laws belong together, and which are at a place of the text.
import type { Formula } from "../../../wire/types.ts";
import { blockAt, blocksOf } from "../blocks.ts";
import type { ExperimentDocument } from "../document.ts";

/** The laws of one block. */
export interface Group {
  block: string;
  kind: string;
  formulas: Formula[];
}

/** Laws by block, in the order of the text. */
export function grouped(formulas: readonly Formula[]): Group[] {
  const groups: Group[] = [];
  for (const formula of formulas) {
    let group = groups.find((it) => it.block === formula.block && it.kind === formula.block_kind);
    if (group === undefined) {
      group = { block: formula.block, kind: formula.block_kind, formulas: [] };
      groups.push(group);
    }
    group.formulas.push(formula);
  }
  return groups;
}

/** The laws of the block around a place. */
export function groupAt(experiment: ExperimentDocument, formulas: readonly Formula[], place: number): Group | null {
  const block = blockAt(blocksOf(experiment.text), place);
  if (block === null) return null;
  return grouped(formulas.filter((it) => block.from <= it.start && it.end <= block.to))[0] ?? null;
}

/** The name of the block around a place, if it has laws. */
export function blockNameAt(experiment: ExperimentDocument, place: number): string | null {
  return groupAt(experiment, experiment.formulas.peek(), place)?.block ?? null;
}
