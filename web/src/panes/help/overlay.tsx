// All keys, on one sheet; light or dark; keys that lead from pane to pane.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Lab } from "../../lab/lab.ts";
import { changeLayout, layout, showLaws, showResults, showValues } from "../../lab/layout.ts";
import type { ResultTab } from "../../lab/panels.ts";
import { replaceText } from "../../lab/saving/unsaved.ts";
import { t } from "../../strings/index.ts";
import { bind, bindings, keyName } from "../../ui/keys.ts";
import { theme, toggleTheme } from "../../ui/theme.ts";
import { Dialog, IconButton } from "../../ui/widgets.tsx";
import { beginTour } from "../tour/state.ts";
import "./overlay.css";

const RESULTS: readonly ResultTab[] = ["events", "plots", "energy", "measures", "table", "calculator", "problems"];

/** Brings a tab to the front, and the focus into it. */
function goTo(tab: ResultTab): void {
  showResults(tab);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".results [role=tab][aria-selected=true]")?.focus());
}

export function HelpOverlay({ lab }: { lab: Lab }) {
  const isOpen = useSignal(false);
  const tour = () => {
    isOpen.value = false;
    replaceText(lab, () => beginTour(lab)).catch((why: Error) => lab.notify(why.message));
  };
  useEffect(() => {
    const group = t("help.group");
    return bind(
      { key: "?", does: t("help.open"), group, run: () => (isOpen.value = true) },
      { key: "d", does: t("help.theme"), group, run: toggleTheme },
      {
        key: "e",
        does: t("help.focus_editor"),
        group,
        run: () => {
          showLaws("text");
          requestAnimationFrame(() => document.querySelector<HTMLElement>(".laws [contenteditable=true]")?.focus());
        },
      },
      {
        key: "v",
        does: t("help.focus_view"),
        group,
        run: () => document.querySelector<HTMLElement>(".view [tabindex]")?.focus(),
      },
      { key: "b", does: t("help.fold_laws"), group, run: () => changeLayout({ lawsFolded: !layout.value.lawsFolded }) },
      { key: "i", does: t("help.inspector"), group, run: () => showValues("inspector") },
      { key: "a", does: t("help.arrows"), group, run: () => showValues("vectors") },
      ...RESULTS.map((tab, k) => ({ key: String(k + 1), does: t("help.tab", { name: t(`shell.${tab}`) }), group, run: () => goTo(tab) })),
    );
  }, []);
  const groups = [...new Set(bindings.value.map((it) => it.group))];
  return (
    <>
      <IconButton
        class="to-the-end"
        icon={theme.value === "dark" ? "sun" : "moon"}
        label={t(theme.value === "dark" ? "help.theme_light" : "help.theme_dark")}
        onClick={toggleTheme}
      />
      <IconButton icon="help" label={`${t("help.open")} (?)`} onClick={() => (isOpen.value = true)} />
      {isOpen.value && (
        <Dialog title={t("help.title")} close={() => (isOpen.value = false)} class="help">
          <p>{t("help.text")}</p>
          <button type="button" class="primary" onClick={tour}>
            {t("tour.take")}
          </button>
          <div class="groups">
            {groups.map((group) => (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {bindings.value
                    .filter((it) => it.group === group)
                    .map((it) => (
                      <div key={it.key}>
                        <dt>
                          <kbd>{keyName(it.key)}</kbd>
                        </dt>
                        <dd>{it.does}</dd>
                      </div>
                    ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}
