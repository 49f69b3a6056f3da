// The column of tools at the right border of the world.
import type { Lab } from "../../lab/lab.ts";
import { hideValues, showValues, valuesShown } from "../../lab/layout.ts";
import { valueTab } from "../../lab/panels.ts";
import { t } from "../../strings/index.ts";
import { toggleFullScreen } from "../../ui/full_screen.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { AXES, type Axis } from "./camera.ts";
import { toggleFollow, trailsOn } from "./keys.ts";
import { follows, menuOpen, setTrails, showsGhost } from "./state.ts";
import type { View } from "./view.ts";

export function Toolbar({ lab, view }: { lab: Lab; view: View }) {
  const keyed = (label: string, key: string) => t("view.keyed", { label, key });
  const values = (tab: "inspector" | "vectors") => {
    const isShown = valuesShown.value && valueTab.value === tab;
    return { pressed: isShown, onClick: () => (isShown ? hideValues() : showValues(tab)) };
  };
  return (
    <div class="view-tools" role="toolbar" aria-orientation="vertical" aria-label={t("view.tools")}>
      <IconButton icon="frame" label={keyed(t("view.frame"), "F")} onClick={() => view.frame()} />
      <IconButton icon="target" label={keyed(t("view.follow"), "C")} pressed={follows.value} onClick={() => toggleFollow(lab)} />
      <span class="view-axes">
        {(Object.keys(AXES) as Axis[]).map((axis) => {
          const label = keyed(t("view.along", { axis: axis.toUpperCase() }), axis.toUpperCase());
          return (
            <button key={axis} type="button" class="icon-button" aria-label={label} title={label} onClick={() => view.look(axis)}>
              {axis.toUpperCase()}
            </button>
          );
        })}
      </span>
      <IconButton icon="layers" class="view-menu-button" label={keyed(t("view.menu"), "V")} pressed={menuOpen.value} onClick={() => (menuOpen.value = !menuOpen.value)} />
      <IconButton icon="trail" label={keyed(t("view.trails"), "T")} pressed={trailsOn(lab)} onClick={() => setTrails(!trailsOn(lab))} />
      <IconButton
        icon="eye"
        label={keyed(t("view.ghost"), "G")}
        pressed={showsGhost.value && lab.ghost.value !== null}
        disabled={lab.ghost.value === null}
        onClick={() => (showsGhost.value = !showsGhost.value)}
      />
      <IconButton icon="arrow" label={keyed(t("shell.vectors"), "A")} {...values("vectors")} />
      <IconButton icon="list" label={keyed(t("shell.inspector"), "I")} {...values("inspector")} />
      <IconButton icon="full" label={keyed(t("shell.full_screen"), "W")} onClick={toggleFullScreen} />
    </div>
  );
}
