// The address of the page follows what is open, so that *back* and *forward* lead from one experiment to another.
import { effect } from "@preact/signals";
import type { Lab } from "../../lab/lab.ts";
import { replaceText } from "../../lab/saving/unsaved.ts";
import { originOf, searchOf } from "./link.ts";

/** Gives back how to stop. `next` takes what the history keeps beside an address, for the experiment that is opened next. */
export function followAddress(lab: Lab, next: (kept: unknown) => void): () => void {
  let openings = 0;
  /** Whether the address has changed already, and the lab follows it. */
  let isFollowing = false;
  const stop = effect(() => {
    const search = searchOf(lab.origin.value);
    const opened = lab.openings.value !== openings;
    openings = lab.openings.value;
    // What the page began with is what its address says.
    if (openings <= 1 || isFollowing || search === null || location.search === search) return;
    const address = `${location.pathname}${search}`;
    // A text that was saved under another name is the same text.
    if (opened) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  });
  const go = async (kept: unknown) => {
    next(kept);
    const origin = originOf(location);
    isFollowing = true;
    try {
      await replaceText(lab, () => (origin === null ? lab.openAsStarted() : lab.openFrom(origin)));
    } catch (why) {
      lab.notify((why as Error).message);
    } finally {
      isFollowing = false;
    }
  };
  const onPop = (event: PopStateEvent) => void go(event.state);
  addEventListener("popstate", onPop);
  return () => {
    stop();
    removeEventListener("popstate", onPop);
  };
}
