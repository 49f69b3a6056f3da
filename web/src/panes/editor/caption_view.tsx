// The caption over the text: what the experiment is about, in words that are set and not typed.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { t } from "../../strings/index.ts";
import type { Lab } from "../../lab/lab.ts";
import { captionOf } from "./caption.ts";

export function CaptionView({ lab }: { lab: Lab }) {
  const isOpen = useSignal(false);
  const caption = captionOf(lab.text.value);
  if (caption === null) return null;
  return (
    <div class="caption">
      <p>{typeset(caption.lead)}</p>
      {caption.rest.length > 0 && (
        <>
          <button type="button" class="caption-more" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {typeset(caption.question ?? t("editor.theory"))} <span aria-hidden="true">{isOpen.value ? "▾" : "▸"}</span>
          </button>
          {isOpen.value && (
            <div class="caption-rest" tabIndex={0} role="region" aria-label={t("editor.theory")}>
              {caption.rest.map(({ text, isFormula }, k) => (isFormula ? <pre key={k}>{text}</pre> : <p key={k}>{typeset(text)}</p>))}
            </div>
          )}
        </>
      )}
    </div>
  );
}

/** Powers are raised, and minus signs are real. */
function typeset(text: string): ComponentChildren[] {
  return text.split(/\^(\([^()]*\)|-?\w+)/).map((part, k) => (k % 2 === 0 ? part.replace(/(^|[\s(=])-(?=[\d\w(])/g, "$1−") : <sup key={k}>{part.replace(/^\((.*)\)$/, "$1")}</sup>));
}
