// What is selected, and what can be done with it.
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { IconButton } from "../../ui/widgets.tsx";
import { toggleFollow } from "./keys.ts";
import { follows, hasTrail, setTrail } from "./state.ts";

export function SelectionBar({ lab }: { lab: Lab }) {
  const name = lab.selection.value;
  const bodies = lab.run.value?.scene.bodies ?? [];
  const body = bodies.find((it) => it.name === name);
  if (name === null || body === undefined) return null;
  const trail = hasTrail(name, bodies.length);
  return (
    <div class="view-chip" role="group" aria-label={t("view.selection", { name })}>
      <span class="view-name">{name}</span>
      {body.moves !== null && (
        <>
          <IconButton icon="target" label={t("view.follow_one", { name })} pressed={follows.value} onClick={() => toggleFollow(lab)} />
          <IconButton icon="trail" label={t("view.trail_one", { name })} pressed={trail} onClick={() => setTrail(name, !trail)} />
        </>
      )}
      <IconButton icon="close" label={t("view.deselect")} onClick={() => (lab.selection.value = null)} />
    </div>
  );
}
