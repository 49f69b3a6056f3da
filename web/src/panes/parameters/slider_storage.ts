// What the page remembers about the numbers of an experiment: which are sliders, how far those go, and what was opened.
import { effect, signal, untracked } from "@preact/signals";
import type { ExperimentDocument } from "../editor/document.ts";
import { siblingsOf, type Parameter, parametersOf } from "./number_keys.ts";
import { including, type Range, rangeAround } from "./range.ts";

/** At most so many numbers are sliders from the start, where an experiment has no world attributes. */
const MAX_INITIAL_SLIDERS = 6;

export class SliderStorage {
  readonly #experiment: ExperimentDocument;
  /** Keys that the user put in or took out. */
  readonly #chosen = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #ranges = signal<ReadonlyMap<string, Range>>(new Map());
  /** Numbers as they were opened, by key. */
  readonly #first = signal<ReadonlyMap<string, number>>(new Map());
  /** The key of the slider that stands in the text. */
  readonly inText = signal<string | null>(null);

  constructor(experiment: ExperimentDocument) {
    this.#experiment = experiment;
    let opened = -1;
    effect(() => {
      const now = experiment.lab.openings.value;
      const numbers = experiment.numbers.value;
      if (now === opened || numbers.length === 0) return;
      opened = now;
      untracked(() => {
        this.#chosen.value = new Map();
        this.#ranges.value = new Map();
        this.#first.value = new Map(parametersOf(numbers).map((it) => [it.key, it.number.value]));
        this.inText.value = null;
      });
    });
  }

  get all(): Parameter[] {
    return parametersOf(this.#experiment.numbers.value);
  }

  /** Those that are sliders: the world's, unless the user said otherwise. */
  pinned(all: readonly Parameter[]): Parameter[] {
    const world = all.some((it) => it.world && it.direct);
    const few = world ? [] : all.filter((it) => it.direct && it.number.owned !== null && it.number.value !== 0).slice(0, MAX_INITIAL_SLIDERS);
    return all.filter((it) => this.#chosen.value.get(it.key) ?? (it.world ? it.direct : few.includes(it)));
  }

  pin(key: string, pinned: boolean): void {
    this.#chosen.value = new Map(this.#chosen.value).set(key, pinned);
  }

  /** What a number was when the experiment was opened; one that was written since has none. */
  first(key: string): number | undefined {
    return this.#first.value.get(key);
  }

  /** How far a slider goes. It stays as it is while the number is turned. */
  range(parameter: Parameter, all: readonly Parameter[]): Range {
    const kept = this.#ranges.value.get(parameter.key);
    const { value } = parameter.number;
    return including(kept ?? rangeAround(this.first(parameter.key) ?? value, siblingsOf(parameter, all)), value);
  }

  setRange(key: string, range: Range): void {
    this.#ranges.value = new Map(this.#ranges.value).set(key, range);
  }

  parameter(key: string): Parameter | undefined {
    return this.all.find((it) => it.key === key);
  }
}

const known = new WeakMap<ExperimentDocument, SliderStorage>();

export function sliderStorageOf(experiment: ExperimentDocument): SliderStorage {
  let storage = known.get(experiment);
  if (storage === undefined) {
    storage = new SliderStorage(experiment);
    known.set(experiment, storage);
  }
  return storage;
}
