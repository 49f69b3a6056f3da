// The model of the page: one text, the run on screen, the run before it, the shared time, what is selected. No pane knows another;
// all of them know the lab.
//
// The text is the truth: a slider changes a number in it, undo undoes it, saving saves it. Every change of the text is a revision,
// checked at once; a revision that is sound is run, one run at a time: while one goes on, only the newest text waits. What answers a
// question about an earlier revision is dropped.
import { batch, computed, signal } from "@preact/signals";
import { type Chunk, Client, type News } from "../wire/client.ts";
import type { Formula, Happening, Number as TextNumber, Origin, Problem, Row, Tell, Word } from "../wire/types.ts";
import { Clock } from "./clock.ts";
import { assignColors } from "./colors.ts";
import { Run } from "./run.ts";

/** What is known about the text of a revision. */
export interface Checked {
  revision: number;
  sound: boolean;
  problems: Problem[];
  formulas: Formula[];
  numbers: TextNumber[];
  simulations: string[];
}

/** What is chosen of the text: tells the editor where to put its cursor. */
export interface Place {
  start: number;
  end: number;
}

type Of<T extends Tell["tell"]> = Extract<Tell, { tell: T }>;

/** What the page begins with, if it brings something itself, as from a link. */
export interface Beginning {
  origin?: Origin;
  text?: string;
  settings?: string[];
  simulation?: string;
  /** The text as it was opened or saved, where `text` has changed since. */
  saved?: string;
}

export class Lab {
  readonly client: Client;
  readonly token: string;
  readonly connected = signal(false);
  /** The folder of the server, if there is one. */
  readonly folder = signal<string | null>(null);
  readonly version = signal("");
  readonly words = signal<readonly Word[]>([]);

  readonly origin = signal<Origin>({ from: "page" });
  readonly text = signal("");
  /** Counts what was opened: an editor begins a new history. */
  readonly openings = signal(0);
  /** The text as it was opened or saved last. */
  readonly saved = signal("");
  readonly settings = signal<readonly string[]>([]);
  readonly simulation = signal<string | null>(null);
  /** What the checker says of the text as it is; of an earlier one, while it is being looked at. */
  readonly checked = signal<Checked | null>(null);
  /** What is wrong with the text, and why the run on screen ended early. */
  readonly problems = computed<readonly Problem[]>(() => {
    const found = this.checked.value?.problems ?? [];
    const ending = this.run.value?.ended.value?.ending;
    const current = this.run.value?.revision === this.checked.value?.revision;
    return ending?.how === "failed" && current ? [...found, ending.problem] : found;
  });

  /** The run on screen. */
  readonly run = signal<Run | null>(null);
  /** The run before it, shown in grey. */
  readonly ghost = signal<Run | null>(null);
  /** Whether the text is being checked or run. */
  readonly busy = signal(false);
  readonly clock = new Clock();

  /** The name of the selected body. */
  readonly selection = signal<string | null>(null);
  /** The chosen event, by its number. */
  readonly event = signal<number | null>(null);
  /** Where the editor shall go. */
  readonly place = signal<Place | null>(null);
  /** Something to be said by a screen reader; `shown` for a moment, where it is not to be seen anyhow. */
  readonly announcement = signal({ text: "", shown: false });

  #revision = 0;
  #runs = 0;
  #beginning: Beginning | null;
  /** The run that goes on, and what shall run after it. */
  #flight: { run: number; revision: number } | null = null;
  #next: { coarse: boolean } | null = null;
  #dragging = false;
  /** Runs by number: the one on screen, and those that have not shown anything yet. */
  readonly #known = new Map<number, Run>();
  /** How many runs were started. */
  started = 0;

  constructor(url: string, token: string, beginning: Beginning | null) {
    this.token = token;
    this.#beginning = beginning;
    this.client = new Client(url, (news) => this.#take(news), (connected) => {
      this.connected.value = connected;
      if (!connected) this.#flight = null;
    });
  }

  // The text.

  /** The number of the text as it is: what a question about a place in it must carry. */
  get revision(): number {
    return this.#revision;
  }

  /** Shows another experiment. */
  open(origin: Origin, text: string, settings: readonly string[] = [], simulation: string | null = null, saved = text): void {
    batch(() => {
      this.openings.value = this.openings.peek() + 1;
      this.origin.value = origin;
      this.text.value = text;
      this.saved.value = saved;
      this.settings.value = settings;
      this.simulation.value = simulation;
      this.selection.value = null;
      this.event.value = null;
      this.ghost.value = null;
      this.clock.playing.value = true;
      this.clock.time.value = 0;
    });
    this.#known.clear();
    this.run.value = null;
    this.#edit();
  }

  /** The text has changed. While something is dragged, runs are coarse. */
  edit(text: string, dragging = false): void {
    this.#dragging = dragging;
    if (text === this.text.value) return;
    this.text.value = text;
    this.#edit();
  }

  /** Whatever was dragged is let go: now the run shall be whole. */
  settle(): void {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.rerun();
  }

  set(settings: readonly string[]): void {
    this.settings.value = settings;
    this.#edit();
  }

  choose(simulation: string): void {
    this.simulation.value = simulation;
    this.rerun();
  }

  /** Runs the text again. */
  rerun(): void {
    if (this.checked.value?.sound !== true || this.checked.value.revision !== this.#revision) return;
    this.#want(this.#dragging);
  }

  cancel(): void {
    if (this.#flight !== null) this.client.say({ ask: "cancel", run: this.#flight.run });
  }

  // The moment.

  /** Chooses an event: everything goes there. */
  chooseEvent(index: number): void {
    const happening = this.happening(index);
    if (happening === undefined) return;
    batch(() => {
      this.event.value = index;
      this.clock.show(happening.time);
    });
  }

  /** An event of the run on screen that the page knows. */
  happening(index: number): Happening | undefined {
    return this.run.value?.happenings.value[index];
  }

  /** Goes to the event before or after the moment. */
  stepEvent(direction: -1 | 1): void {
    const run = this.run.value;
    if (run === null) return;
    const all = run.happenings.value;
    const now = this.clock.time.value;
    // Several events may be at one time: from a chosen one the way goes by number.
    const chosen = this.event.value;
    if (chosen !== null && all[chosen]?.time === now && all[chosen + direction] !== undefined) {
      this.chooseEvent(chosen + direction);
      return;
    }
    const next = direction > 0 ? all.find((it) => it.time > now) : all.findLast((it) => it.time < now);
    if (next !== undefined) this.chooseEvent(next.index);
  }

  stepFrame(direction: -1 | 1): void {
    const run = this.run.value;
    if (run === null) return;
    const { initial_time, frame_rate } = run.scene;
    const frame = Math.round((this.clock.time.value - initial_time) * frame_rate) + direction;
    this.event.value = null;
    this.clock.show(run.poses.timeOf(Math.max(0, frame)));
  }

  /** Tells something to who does not see it. */
  say(text: string): void {
    this.announcement.value = { text, shown: false };
  }

  /** Tells something to everybody. */
  notify(text: string): void {
    this.announcement.value = { text, shown: true };
  }

  // Questions about the run on screen. They fail with `Refused`.

  /** Formulas over time. */
  async read(formulas: string[], options: { from?: number; to?: number; most?: number; events?: boolean; run?: Run } = {}): Promise<Chunk> {
    const run = options.run ?? this.#shown();
    const { from = run.scene.initial_time, to = run.scene.end, most = 4000, events = true } = options;
    return (await this.client.ask({ ask: "read", run: run.id, formulas, from, to, most, events })) as Chunk;
  }

  /** All values of an object, or of the world and the measures, at the moment that is shown. */
  async look(object: string | null): Promise<Row[]> {
    const event = this.event.value;
    const at = event !== null && this.happening(event)?.time === this.clock.time.value;
    const moment = at ? ({ at: "after", event } as const) : ({ at: "time", time: this.clock.time.value } as const);
    return ((await this.client.ask({ ask: "look", run: this.#shown().id, moment, object })) as Of<"values">).rows;
  }

  /** Everything before and after an event. */
  async table(index: number): Promise<Of<"table">> {
    return (await this.client.ask({ ask: "event", run: this.#shown().id, index })) as Of<"table">;
  }

  #shown(): Run {
    if (this.run.value === null) throw new Error("nothing runs");
    return this.run.value;
  }

  // What arrives.

  #edit(): void {
    this.#revision += 1;
    this.busy.value = true;
    this.#say();
  }

  #say(): void {
    const { origin, text, settings } = this;
    this.client.say({ ask: "edit", revision: this.#revision, origin: origin.value, text: text.value, settings: [...settings.value] });
  }

  #want(coarse: boolean): void {
    if (this.#flight !== null) {
      // A coarse run is short, and shows what the hand does: it may end. A whole one is not worth waiting for.
      this.#next = { coarse };
      const flying = this.#known.get(this.#flight.run);
      if (flying?.coarse !== true) this.cancel();
      return;
    }
    this.#runs += 1;
    this.started += 1;
    this.#flight = { run: this.#runs, revision: this.#revision };
    this.busy.value = true;
    this.client.say({ ask: "run", run: this.#runs, revision: this.#revision, simulation: this.simulation.value, coarse });
  }

  #landed(run: number): void {
    if (this.#flight?.run !== run) return;
    this.#flight = null;
    const next = this.#next;
    this.#next = null;
    if (next !== null && this.checked.value?.revision === this.#revision && this.checked.value.sound) this.#want(next.coarse);
    else this.busy.value = false;
  }

  #take(news: News): void {
    if (news.kind === "chunk") this.#poses(news.chunk);
    else batch(() => this.#told(news.tell));
  }

  #told(tell: Tell): void {
    switch (tell.tell) {
      case "welcome":
        this.#welcome(tell);
        break;
      case "checked":
        if (tell.revision !== this.#revision) break;
        this.checked.value = tell;
        if (this.simulation.value !== null && tell.sound && !tell.simulations.includes(this.simulation.value)) this.simulation.value = null;
        if (tell.sound) this.#want(this.#dragging);
        else this.busy.value = this.#flight !== null;
        break;
      case "started":
        assignColors(tell.scene.quantities);
        this.#known.set(tell.run, new Run(tell.run, tell.revision, tell.coarse, tell.scene));
        break;
      case "happened": {
        const run = this.#known.get(tell.run);
        if (run === undefined) break;
        run.poses.addEvents(tell.events);
        run.happenings.value = [...run.happenings.value, ...tell.events];
        break;
      }
      case "progress": {
        const run = this.#known.get(tell.run);
        if (run === undefined) break;
        run.events.value = tell.events;
        run.told = tell.time;
        this.#show(run);
        break;
      }
      case "ended": {
        const run = this.#known.get(tell.run);
        if (run !== undefined) {
          run.events.value = tell.events;
          run.told = tell.time;
          run.ended.value = tell;
          if (tell.ending.how !== "cancelled" || this.run.value === null) this.#show(run);
        }
        if (tell.ending.how === "failed") this.notify(tell.ending.problem.message);
        if (tell.ending.how === "bounded") this.notify(tell.ending.why);
        this.#landed(tell.run);
        break;
      }
      case "fault":
        this.notify(tell.why);
        break;
      default:
    }
  }

  #welcome(tell: Of<"welcome">): void {
    this.version.value = tell.version;
    this.folder.value = tell.folder;
    this.words.value = tell.words;
    if (this.#revision > 0) {
      // The connection was lost: the engine knows nothing any more, and the text is here.
      this.#edit();
      return;
    }
    const { origin, text, settings, simulation, saved } = this.#beginning ?? {};
    if (text !== undefined) this.open(origin ?? { from: "page" }, text, settings, simulation ?? null, saved);
    else if (origin !== undefined) {
      this.client
        .ask({ ask: "open", origin })
        .then((answer) => this.open(origin, (answer as Of<"opened">).text, settings, simulation ?? null))
        .catch((why: Error) => {
          this.notify(why.message);
          this.open(tell.origin, tell.text, tell.settings);
        });
    } else this.open(tell.origin, tell.text, tell.settings);
    this.#beginning = null;
  }

  #poses(chunk: Chunk): void {
    if (chunk.head.chunk !== "poses") return;
    const { run: id, first, stride, frames } = chunk.head;
    const run = this.#known.get(id);
    if (run === undefined) return;
    run.poses.add(first, stride, frames, new Float32Array(chunk.buffer, chunk.start));
    this.#show(run);
  }

  /** Puts a run on screen as soon as there is something to see; the one before becomes its ghost. */
  #show(run: Run): void {
    batch(() => {
      run.reached.value = run.known;
      const shown = this.run.value;
      if (shown !== run) {
        if (run.known <= run.scene.initial_time && run.ended.value === null) return;
        if (shown !== null && run.id < shown.id) return;
        // While a slider is dragged, the ghost stays the last whole run.
        if (shown !== null && !shown.coarse && shown.revision !== run.revision) this.ghost.value = shown;
        for (const id of [...this.#known.keys()]) if (id < run.id) this.#known.delete(id);
        this.event.value = null;
        this.run.value = run;
      }
      const { clock } = this;
      const ended = run.ended.value;
      clock.start.value = run.scene.initial_time;
      clock.reached.value = run.known;
      clock.end.value = ended === null ? run.scene.end : run.known;
      clock.rest.value = ended === null ? Infinity : run.poses.restTime();
      if (clock.time.value < clock.start.value) clock.time.value = clock.start.value;
      if (ended !== null && clock.time.value > clock.end.value) clock.time.value = clock.end.value;
    });
  }
}
