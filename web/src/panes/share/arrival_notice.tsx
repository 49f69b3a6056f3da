// Says that the experiment came with the link, or why it did not.
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { MAX_TEXT_BYTES } from "../../wire/types.ts";
import { arrival, guard, release, UNASKED_SECONDS } from "./arrival.ts";

export function ArrivalNotice({ lab }: { lab: Lab }) {
  useEffect(() => guard(lab), [lab]);
  const came = arrival.value;
  if (came === null) return null;
  return (
    <p class="arrival" role="status">
      <span>{t(`share.${came.how}`, { seconds: UNASKED_SECONDS, size: MAX_TEXT_BYTES >> 20 })}</span>
      {came.how === "stopped" && (
        <button type="button" onClick={() => release(lab)}>
          {t("share.run_whole")}
        </button>
      )}
      <IconButton icon="close" label={t("shell.close")} onClick={() => (arrival.value = null)} />
    </p>
  );
}
