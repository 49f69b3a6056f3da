// The border of a pane that is dragged, or moved by arrows, to make the pane larger or smaller. It lies inside the pane.

/** Pixels that one press of an arrow moves it by. */
const STEP = 20;

/** `edge` is the border of the pane that moves; sizes are in pixels. */
export function Splitter(props: { edge: "left" | "right" | "top"; label: string; size: number; min: number; max: number; resize: (size: number) => void }) {
  const { edge, size, min, max, resize } = props;
  const isRow = edge !== "top";
  const sign = edge === "right" ? 1 : -1;
  const limit = (value: number) => resize(Math.min(max, Math.max(min, value)));
  const drag = (event: PointerEvent) => {
    const target = event.currentTarget as HTMLElement;
    const begin = isRow ? event.clientX : event.clientY;
    target.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => limit(size + sign * ((isRow ? moved.clientX : moved.clientY) - begin));
    const end = () => {
      target.removeEventListener("pointermove", move);
      target.removeEventListener("pointerup", end);
    };
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", end);
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    limit(size + sign * step * STEP);
  };
  return (
    <div
      class={`splitter ${edge}`}
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={isRow ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(size)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      onPointerDown={drag}
      onKeyDown={key}
    />
  );
}
