// The 3D view: the picture, and what lies over it.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { followPoseWindows } from "../../lab/pose_windows.ts";
import type { Lab } from "../../lab/lab.ts";
import { t } from "../../strings/index.ts";
import { ClockFace } from "./clock_face.tsx";
import { contextOf } from "./webgl.ts";
import { Description } from "./description.tsx";
import { AxesGizmo } from "./axes_gizmo.tsx";
import { bindKeys, takeKey } from "./keys.ts";
import type { MakeLayer } from "./layer.ts";
import "./pane.css";
import { listenToPointer, type Pointed } from "./pointer.ts";
import { ScaleBar } from "./scale_bar.tsx";
import { Tooltip } from "./tooltip.tsx";
import { Toolbar } from "./toolbar.tsx";
import { View } from "./view.ts";
import { ViewMenu } from "./view_menu.tsx";

export function ViewPane({ lab, layers }: { lab: Lab; layers: readonly MakeLayer[] }) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  const view = useSignal<View | null>(null);
  const pointed = useSignal<Pointed | null>(null);
  const absent = useSignal(false);
  const description = useId();

  useEffect(() => followPoseWindows(lab), [lab]);
  useEffect(() => {
    if (host.current === null || canvas.current === null || labels.current === null) return undefined;
    const context = contextOf(canvas.current);
    if (context === null) {
      absent.value = true;
      return undefined;
    }
    const made = new View(lab, canvas.current, context, labels.current, layers);
    const deaf = listenToPointer(made, canvas.current, pointed);
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) made.resize(Math.floor(entry.contentRect.width), Math.floor(entry.contentRect.height));
    });
    observer.observe(host.current);
    const unbind = bindKeys(lab, made);
    view.value = made;
    // For tests, and for the curious at the console.
    Object.assign(window, { view: made });
    return () => {
      unbind();
      observer.disconnect();
      deaf();
      made.dispose();
      view.value = null;
    };
  }, [lab, layers]);

  const lost = useSignal(false);
  useSignalEffect(() => {
    lost.value = view.value?.lost.value ?? false;
  });
  const trouble = absent.value ? t("view.absent") : lost.value ? t("view.lost") : null;
  const key = (event: KeyboardEvent) => {
    if (view.value !== null && takeKey(event, lab, view.value)) event.preventDefault();
  };
  return (
    <div class="view-pane">
      <div
        ref={host}
        class="view-host"
        role="application"
        aria-roledescription={t("view.role")}
        aria-label={t("view.label")}
        aria-describedby={description}
        tabIndex={0}
        data-keys="own"
        onKeyDown={key}
      >
        <canvas ref={canvas} role="img" aria-label={t("view.picture")} hidden={absent.value} />
        <div ref={labels} class="view-labels" aria-hidden="true" />
      </div>
      {trouble !== null && (
        <p class="view-trouble" role="alert">
          {trouble}
        </p>
      )}
      <Description lab={lab} id={description} />
      {view.value !== null && <Toolbar lab={lab} view={view.value} />}
      <ClockFace lab={lab} />
      {view.value !== null && <AxesGizmo view={view.value} />}
      {view.value !== null && <ScaleBar lab={lab} view={view.value} />}
      {view.value !== null && <ViewMenu view={view.value} />}
      <Tooltip lab={lab} pointed={pointed} />
    </div>
  );
}
