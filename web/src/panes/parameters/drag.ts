// When a pull at a slider ends. With the pointer it ends when the pointer lets go; with keys, when none was pressed for a while:
// ten presses are one pull and one step of undoing. The whole run need not wait for that: it comes after a short pause.
import { useEffect, useRef } from "preact/hooks";
import type { ExperimentDocument } from "../editor/document.ts";

const RUN_DELAY_MS = 500;
const UNDO_DELAY_MS = 2000;

export interface Drag {
  /** The number gets another value. */
  turn: (text: string) => void;
  /** The pointer is down on the slider. */
  hold: () => void;
  /** The slider says that it is done. */
  done: () => void;
  /** Whatever was going on ends now. */
  end: () => void;
}

/** `place` says where the number stands now. */
export function useDrag(experiment: ExperimentDocument, place: () => { start: number; end: number } | undefined): Drag {
  const held = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const end = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    held.current = false;
    experiment.release();
  };
  useEffect(() => end, []);
  return {
    turn: (text) => {
      const at = place();
      if (at === undefined) return;
      clearTimeout(timer.current);
      experiment.turn(at.start, at.end, text);
    },
    hold: () => {
      held.current = true;
    },
    done: () => {
      clearTimeout(timer.current);
      if (held.current) end();
      else {
        timer.current = setTimeout(() => {
          experiment.lab.endDrag();
          timer.current = setTimeout(end, UNDO_DELAY_MS - RUN_DELAY_MS);
        }, RUN_DELAY_MS);
      }
    },
    end,
  };
}
