// The shared time cursor and the transport: play, pause, rate, loop. Everything that shows a moment reads `time`.
import { computed, signal } from "@preact/signals";

export const MIN_RATE = 0.01;
export const MAX_RATE = 10;

export class Clock {
  /** The moment that everything shows. */
  readonly time = signal(0);
  readonly playing = signal(true);
  /** Simulated seconds for each second. */
  readonly rate = signal(1);
  /** At the end, go on from the start. */
  readonly loop = signal(true);
  /** Go on from the start as soon as nothing moves any more. */
  readonly restartAtRest = signal(false);
  /** The first moment there is. */
  readonly start = signal(0);
  /** The last moment that is known so far. */
  readonly reached = signal(0);
  /** The last moment there will be; `reached` grows towards it while a run goes on. */
  readonly end = signal(1);
  /** From here on nobody moves; `end` if somebody does to the end, or as long as it is not known. */
  readonly rest = signal(Infinity);
  /** Whether the time waits for the engine. */
  readonly waiting = computed(() => this.playing.value && this.time.value >= this.reached.value && this.reached.value < this.end.value);

  /** Goes on by so many seconds of the wall. */
  advance(seconds: number): void {
    if (!this.playing.value) return;
    const next = this.time.value + seconds * this.rate.value;
    const end = this.restartAtRest.value ? Math.min(this.end.value, this.rest.value + 0.5) : this.end.value;
    if (next >= end && this.reached.value >= Math.min(end, this.end.value)) {
      if (this.loop.value || this.restartAtRest.value) this.time.value = this.start.value;
      else {
        this.time.value = end;
        this.playing.value = false;
      }
      return;
    }
    this.time.value = Math.min(next, this.reached.value);
  }

  /** Shows a moment, and stops there. */
  show(time: number): void {
    this.playing.value = false;
    this.seek(time);
  }

  /** Goes to a moment; goes on playing if it played. */
  seek(time: number): void {
    this.time.value = Math.min(Math.max(time, this.start.value), Math.max(this.reached.value, this.start.value));
  }

  toggle(): void {
    if (!this.playing.value && this.time.value >= this.end.value) this.time.value = this.start.value;
    this.playing.value = !this.playing.value;
  }

  setRate(rate: number): void {
    this.rate.value = Math.min(MAX_RATE, Math.max(MIN_RATE, rate));
  }
}
