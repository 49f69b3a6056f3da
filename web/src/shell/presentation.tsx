// Presenting: the world fills the screen, letters are larger, and of the laws only those in force are left. Escape ends it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { presenting } from "../lab/layout.ts";
import { documentOf } from "../panes/editor/document.ts";
import { Formulas, useInForce } from "../panes/editor/mathematics/formulas.tsx";
import { t } from "../strings/index.ts";
import { Icon } from "../ui/icon.tsx";
import { bind } from "../ui/keys.ts";
import { leaveFullScreen, toggleFullScreen } from "../ui/full_screen.ts";
import { IconButton } from "../ui/widgets.tsx";

function present(on: boolean): void {
  presenting.value = on;
  document.documentElement.classList.toggle("presenting", on);
  if (on !== (document.fullscreenElement !== null)) {
    if (on) toggleFullScreen();
    else leaveFullScreen();
  }
}

export function PresentButton() {
  useEffect(() => {
    const group = t("help.group");
    // The browser takes Escape for itself while the page fills the screen.
    const ended = () => {
      if (document.fullscreenElement === null && presenting.value) present(false);
    };
    document.addEventListener("fullscreenchange", ended);
    const unbind = bind(
      { key: "p", does: t("shell.present"), group, run: () => present(!presenting.value) },
      { key: "w", does: t("shell.full_screen"), group, run: toggleFullScreen },
      { key: "Escape", does: t("shell.present_end"), group, run: () => present(false) },
    );
    return () => {
      document.removeEventListener("fullscreenchange", ended);
      unbind();
    };
  }, []);
  return (
    <button type="button" class="present" title={`${t("shell.present")} (P)`} onClick={() => present(true)}>
      <Icon name="screen" /> <span class="word">{t("shell.present")}</span>
    </button>
  );
}

/** The laws in force at the moment, over the world. */
export function PresentedLaws({ lab }: { lab: Lab }) {
  const shown = useSignal(true);
  const experiment = documentOf(lab);
  const force = useInForce(lab);
  const formulas = experiment.formulas.value.filter((it) => it.block_kind === "context" && force.includes(it.block));
  return (
    <div class="presented">
      {shown.value && formulas.length > 0 && (
        <section class="presented-laws" aria-label={t("shell.in_force")}>
          <Formulas experiment={experiment} formulas={formulas} titled />
        </section>
      )}
      <div class="presented-tools">
        <button type="button" aria-pressed={shown.value} onClick={() => (shown.value = !shown.value)}>
          {t("shell.in_force")}
        </button>
        <IconButton icon="close" label={`${t("shell.present_end")} (Esc)`} onClick={() => present(false)} />
      </div>
    </div>
  );
}
