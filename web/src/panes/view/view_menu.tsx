// A menu of what one can look from, and of what lies over the world.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { SIDES } from "./camera.ts";
import { menuOpen, OVERLAYS, overlays, toggleOverlay } from "./state.ts";
import type { View } from "./view.ts";

const KEYS: Partial<Record<(typeof SIDES)[number], string>> = { front: "Y", back: "Shift+Y", right: "X", left: "Shift+X", top: "Z", bottom: "Shift+Z" };

export function ViewMenu({ view }: { view: View }) {
  const root = useRef<HTMLDivElement>(null);
  const flat = useSignal(view.cameraControl.flat);
  useEffect(() => {
    if (!menuOpen.value) return undefined;
    root.current?.querySelector<HTMLElement>("button, input")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Element && event.target.closest(".view-menu, .view-menu-button") === null) menuOpen.value = false;
    };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [menuOpen.value]);
  if (!menuOpen.value) return null;
  const close = () => {
    menuOpen.value = false;
    document.querySelector<HTMLElement>(".view-menu-button")?.focus();
  };
  const turn = (run: () => void) => {
    run();
    flat.value = view.cameraControl.flat;
  };
  return (
    <div
      ref={root}
      class="view-menu"
      role="dialog"
      aria-label={t("view.menu")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h3>{t("view.sides")}</h3>
        <IconButton icon="close" label={t("shell.close")} onClick={close} />
      </header>
      <div class="view-sides">
        {SIDES.map((side) => (
          <button key={side} type="button" title={t("view.keyed", { label: t(`view.side_${side}`), key: KEYS[side] ?? "" })} onClick={() => turn(() => view.lookFrom(side))}>
            {t(`view.side_${side}`)}
          </button>
        ))}
      </div>
      <label>
        <input type="checkbox" checked={!flat.value} onChange={(event) => turn(() => view.setPerspective(event.currentTarget.checked))} />
        {t("view.perspective")}
      </label>
      <h3>{t("view.overlays")}</h3>
      {OVERLAYS.map((overlay) => (
        <label key={overlay}>
          <input type="checkbox" checked={overlays.value.has(overlay)} onChange={() => toggleOverlay(overlay)} />
          {t(`view.overlay_${overlay}`)}
        </label>
      ))}
    </div>
  );
}
