// The value of the symbol that is pointed at, beside it, for as long as it is pointed at. It follows the time.
import type { Lab } from "../../../lab/lab.ts";
import { t } from "../../../strings/index.ts";
import { followValue, sentence } from "./symbol_values.ts";

export class ValueBubble {
  readonly #lab: Lab;
  readonly #bubble: HTMLElement;
  /** What a screen reader says, once for each symbol: it would not come to an end while time goes on. */
  readonly #said: HTMLElement;
  #stop: (() => void) | null = null;
  #symbol: MathMLElement | null = null;

  constructor(lab: Lab, bubble: HTMLElement, said: HTMLElement) {
    this.#lab = lab;
    this.#bubble = bubble;
    this.#said = said;
  }

  /** Shows the value of a symbol of a block; `null` hides it. */
  point(symbol: MathMLElement | null, block: string): void {
    if (symbol === this.#symbol) return;
    this.hide();
    const name = symbol?.dataset["name"];
    if (symbol === null || name === undefined) return;
    this.#symbol = symbol;
    this.#mark(symbol, name, true);
    let first = true;
    this.#stop = followValue(this.#lab, name, block, (found) => {
      const text = found === null ? t("editor.no_value", { name }) : sentence(name, found);
      this.#bubble.textContent = text;
      this.#bubble.title = found?.exact ?? "";
      this.#bubble.hidden = false;
      this.#stand(symbol);
      if (first && symbol === document.activeElement) this.#said.textContent = text;
      first = false;
    });
  }

  hide(): void {
    this.#stop?.();
    this.#stop = null;
    if (this.#symbol !== null) this.#mark(this.#symbol, this.#symbol.dataset["name"] ?? "", false);
    this.#symbol = null;
    this.#bubble.hidden = true;
  }

  /** Marks all symbols of this name in the list. */
  #mark(symbol: MathMLElement, name: string, marked: boolean): void {
    const list = symbol.closest(".law-list");
    for (const same of list?.querySelectorAll(`[data-name="${CSS.escape(name)}"]`) ?? []) same.classList.toggle("pointed", marked);
  }

  #stand(symbol: MathMLElement): void {
    const place = symbol.getBoundingClientRect();
    const { width, height } = this.#bubble.getBoundingClientRect();
    const left = Math.min(Math.max(4, place.left), innerWidth - width - 4);
    const above = place.top - height - 6;
    this.#bubble.style.left = `${left}px`;
    this.#bubble.style.top = `${above >= 4 ? above : place.bottom + 6}px`;
  }
}
