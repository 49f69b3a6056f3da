// The calculator, a session of the language: what is typed is evaluated by the engine, line by line, and what was typed comes back with the arrows.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import type { SessionOutput, Reply } from "../../wire/types.ts";
import { asksRun, valueNow } from "./run_values.ts";
import { exchanges } from "./state.ts";
import "./pane.css";

export function CalculatorPane({ lab }: { lab: Lab }) {
  const text = useSignal("");
  /** How many inputs back the one in the field is. */
  const back = useSignal(0);
  const end = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const number = (exchanges.value.findLast((it) => it.number !== null)?.number ?? 0) + 1;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [exchanges.value]);

  const take = (given: number | null, input: string, replies: readonly SessionOutput[]) => {
    exchanges.value = [...exchanges.value, { number: given, input, replies }];
    // What is typed while the engine answers stays.
    if (text.value === input) text.value = "";
    back.value = 0;
  };
  const submit = async () => {
    const input = text.value;
    if (input.trim() === "") return;
    let replies: readonly SessionOutput[];
    let given: number | null = number;
    try {
      if (asksRun(lab, input)) {
        take(null, input, [{ kind: "value", text: await valueNow(lab, input.trim()) }]);
        return;
      }
      const answer = (await lab.client.request({ type: "evaluate", input })) as Extract<Reply, { type: "evaluated" }>;
      if (answer.input === null) {
        // It goes on: a bracket is open, an operator dangles.
        text.value = `${input}\n`;
        return;
      }
      [replies, given] = [answer.replies, answer.input];
    } catch (why) {
      replies = [{ kind: "problem", text: (why as Error).message }];
    }
    take(given, input, replies);
  };
  const recall = (step: number) => {
    const inputs = exchanges.value.map((it) => it.input);
    back.value = Math.min(inputs.length, Math.max(0, back.value + step));
    text.value = back.value === 0 ? "" : (inputs.at(-back.value) ?? "");
  };
  const keys = (event: KeyboardEvent) => {
    const element = event.currentTarget as HTMLTextAreaElement;
    const isOneLine = !element.value.includes("\n");
    if (event.key === "Enter" && !event.shiftKey) void submit();
    else if (event.key === "ArrowUp" && isOneLine) recall(1);
    else if (event.key === "ArrowDown" && isOneLine) recall(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div class="calculator">
      <div class="said-so-far" role="log" aria-label={t("calculator.said")} tabIndex={0}>
        {exchanges.value.length === 0 && <p class="quiet">{t("calculator.hint")}</p>}
        {exchanges.value.map((it, k) => (
          <div key={k} class="exchange">
            <pre class="asked">
              <span class="quiet">[{it.number ?? "t"}]</span> {it.input}
            </pre>
            {it.replies.map((reply, k) => (
              <pre key={k} class={reply.kind}>
                {reply.text}
              </pre>
            ))}
          </div>
        ))}
        <div ref={end} />
      </div>
      <div class="typed">
        <span class="quiet number">[{number}]</span>
        <textarea
          ref={field}
          class="number"
          rows={Math.min(8, text.value.split("\n").length)}
          aria-label={t("calculator.input", { number })}
          value={text.value}
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={keys}
        />
      </div>
    </div>
  );
}
