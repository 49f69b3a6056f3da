// The axes in the corner: they turn with the camera, and a click looks along one. Keys and the toolbar do the same, so that
// screen readers need not hear of it.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Vector3 } from "three";
import { t } from "../../strings/index.ts";
import { AXES, type Axis } from "./camera.ts";
import type { View } from "./view.ts";

const SIZE = 92;
const ARM = 32;
const ENDS = (Object.keys(AXES) as Axis[]).flatMap((axis) => [
  { axis, backwards: false },
  { axis, backwards: true },
]);

export function AxesGizmo({ view }: { view: View }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      effect(() => {
        void view.pictures.value;
        if (root.current !== null) turn(root.current, view);
      }),
    [view],
  );
  return (
    <div ref={root} class="view-gizmo" aria-hidden="true" style={{ width: `${SIZE}px`, height: `${SIZE}px` }}>
      <svg viewBox={`${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`}>
        {(Object.keys(AXES) as Axis[]).map((axis) => (
          <line key={axis} class={`axis-${axis}`} x1="0" y1="0" />
        ))}
      </svg>
      {ENDS.map(({ axis, backwards }) => (
        <button
          key={`${axis}${backwards}`}
          type="button"
          tabIndex={-1}
          class={`axis-${axis} ${backwards ? "backwards" : ""}`}
          title={t(backwards ? "view.against" : "view.along", { axis: axis.toUpperCase() })}
          onClick={() => view.look(axis, backwards)}
        >
          {backwards ? "" : axis.toUpperCase()}
        </button>
      ))}
    </div>
  );
}

/** Puts the ends of the axes where the camera sees them. */
function turn(root: HTMLElement, view: View): void {
  const lines = root.querySelectorAll("line");
  const buttons = root.querySelectorAll("button");
  ENDS.forEach(({ axis, backwards }, k) => {
    const end = new Vector3().copy(AXES[axis]).multiplyScalar(backwards ? -ARM : ARM).transformDirection(view.camera.matrixWorldInverse).multiplyScalar(ARM);
    const button = buttons[k];
    if (button !== undefined) {
      button.style.transform = `translate(${end.x.toFixed(1)}px, ${(-end.y).toFixed(1)}px)`;
      button.style.zIndex = String(Math.round(end.z + 2 * ARM));
    }
    const line = backwards ? undefined : lines[k / 2];
    line?.setAttribute("x2", end.x.toFixed(1));
    line?.setAttribute("y2", (-end.y).toFixed(1));
  });
}
