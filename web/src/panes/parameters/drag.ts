// When a pull at a slider ends. With the pointer it ends when the pointer lets go; with keys, when none was pressed for a while:
// ten presses are one pull and one step of undoing. The whole run need not wait for that: it comes after a short pause.
import { useEffect, useRef } from "preact/hooks";
import type { Writing } from "../editor/document.ts";

const SHORT_PAUSE = 500;
const PAUSE = 2000;

export interface Pull {
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
export function usePull(writing: Writing, place: () => { start: number; end: number } | undefined): Pull {
  const held = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const end = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    held.current = false;
    writing.release();
  };
  useEffect(() => end, []);
  return {
    turn: (text) => {
      const at = place();
      if (at === undefined) return;
      clearTimeout(timer.current);
      writing.turn(at.start, at.end, text);
    },
    hold: () => {
      held.current = true;
    },
    done: () => {
      clearTimeout(timer.current);
      if (held.current) end();
      else {
        timer.current = setTimeout(() => {
          writing.lab.endDrag();
          timer.current = setTimeout(end, PAUSE - SHORT_PAUSE);
        }, SHORT_PAUSE);
      }
    },
    end,
  };
}
