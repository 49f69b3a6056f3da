// The few buttons over the picture.
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { toggleFollow, trailsOn } from "./keys.ts";
import { AXES, type Axis } from "./camera.ts";
import { follows, setTrails, showsGhost } from "./state.ts";
import type { View } from "./view.ts";

export function Toolbar({ lab, view }: { lab: Lab; view: View }) {
  const keyed = (label: string, key: string) => t("view.keyed", { label, key });
  return (
    <div class="view-tools" role="toolbar" aria-label={t("view.tools")}>
      <IconButton icon="frame" label={keyed(t("view.frame"), "F")} onClick={() => view.frame()} />
      <IconButton icon="target" label={keyed(t("view.follow"), "C")} pressed={follows.value} onClick={() => toggleFollow(lab)} />
      <span class="view-gap" />
      {(Object.keys(AXES) as Axis[]).map((axis) => {
        const label = keyed(t("view.along", { axis: axis.toUpperCase() }), axis.toUpperCase());
        return (
          <button key={axis} type="button" class="icon-button" aria-label={label} title={label} onClick={() => view.look(axis)}>
            {axis.toUpperCase()}
          </button>
        );
      })}
      <span class="view-gap" />
      <IconButton icon="trail" label={keyed(t("view.trails"), "T")} pressed={trailsOn(lab)} onClick={() => setTrails(!trailsOn(lab))} />
      <IconButton
        icon="eye"
        label={keyed(t("view.ghost"), "G")}
        pressed={showsGhost.value && lab.ghost.value !== null}
        disabled={lab.ghost.value === null}
        onClick={() => (showsGhost.value = !showsGhost.value)}
      />
    </div>
  );
}
