// The model of the page: one text, the run on screen, the run before it, the shared time, what is selected. No pane knows another;
// all of them know the lab.
//
// The text is the truth: a slider changes a number in it, undo undoes it, saving saves it. Every change of the text is a revision,
// checked at once; a revision that is sound is run, one run at a time: while one goes on, only the newest text waits. What answers a
// question about an earlier revision is dropped.
import { batch, computed, signal } from "@preact/signals";
import { type Access, showSecret } from "../wire/access.ts";
import { type Chunk, Client, type Message } from "../wire/client.ts";
import type { EventInfo, Origin, Problem, TableRow, Reply, Word } from "../wire/types.ts";
import { Clock } from "./clock.ts";
import { assignColors } from "./colors.ts";
import { EditInProgress } from "./edit_in_progress.ts";
import type { Checked, InitialExperiment, Opening, Place } from "./experiment.ts";
import { Readout } from "./readout.ts";
import { Run } from "./run.ts";
import { Drafts } from "./saving/drafts.ts";
import { LabFile } from "./saving/file.ts";
import { tooLong } from "./too_long.ts";

type Of<T extends Reply["type"]> = Extract<Reply, { type: T }>;

export class Lab {
  readonly client: Client;
  readonly connected = signal(false);
  /** What this browser may do. */
  readonly access = signal<Access>("owner");
  /** The folder of the server, if there is one. */
  readonly folder = signal<string | null>(null);
  /** What tells this folder from others, at every start of the server. */
  readonly folderId = signal("");
  readonly version = signal("");
  readonly words = signal<readonly Word[]>([]);

  readonly origin = signal<Origin>({ from: "page" });
  readonly text = signal("");
  /** Counts what was opened: an editor begins a new history. */
  readonly openings = signal(0);
  /** The text as it was opened or saved last. */
  readonly saved = signal("");
  readonly file = new LabFile();
  readonly drafts = new Drafts();
  /** Takes in what was typed in the last moments; the editor says how. */
  takeTyped: () => void = () => {};
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

  /** How many errors and warnings there are, listed or not. */
  readonly problemCounts = computed(() => {
    const listed = this.problems.value;
    const errors = listed.filter((problem) => problem.is_error).length;
    const { more_errors, more_warnings } = this.checked.value ?? { more_errors: 0, more_warnings: 0 };
    return { errors: errors + more_errors, warnings: listed.length - errors + more_warnings, more: more_errors + more_warnings };
  });

  /** The run on screen. */
  readonly run = signal<Run | null>(null);
  /** The run before it, shown in grey. */
  readonly ghost = signal<Run | null>(null);
  /** Whether the text is being checked or run. */
  readonly busy = signal(false);
  readonly clock = new Clock();
  /** The numbers at the moment that is shown. */
  readonly readout: Readout;

  /** The name of the selected body. */
  readonly selection = signal<string | null>(null);
  /** The chosen event, by its number. */
  readonly event = signal<number | null>(null);
  /** Where the editor shall go. */
  readonly place = signal<Place | null>(null);
  /** Something to be said by a screen reader; `shown` for a moment, where it is not to be seen anyhow. */
  readonly announcement = signal({ text: "", shown: false });

  #revision = 0;
  #runCount = 0;
  #initial: InitialExperiment | null;
  /** What the engine said when the page first found it. */
  #welcomed: Of<"welcome"> | null = null;
  /** The run that goes on, and what shall run after it. */
  #activeRun: { run: number; revision: number } | null = null;
  #queuedRun: { coarse: boolean } | null = null;
  #dragging = false;
  #forces = false;
  readonly #editing = new EditInProgress();
  /** Runs by number: the one on screen, and those that have not shown anything yet. */
  readonly #runs = new Map<number, Run>();
  /** How many runs were started. */
  started = 0;

  constructor(url: string, initial: InitialExperiment | null) {
    this.#initial = initial;
    this.readout = new Readout(this);
    const onConnection = (connected: boolean) => {
      this.connected.value = connected;
      if (!connected) this.#activeRun = null;
    };
    this.client = new Client(url, (message) => this.#receive(message), onConnection, (access) => (this.access.value = access));
  }

  /** Shows the secret to the engine. `null` if it is the right one, else what the engine says. */
  async enter(secret: string): Promise<string | null> {
    const why = await showSecret(secret);
    if (why === null) this.client.reconnect();
    return why;
  }

  // The text.

  /** The number of the text as it is: what a question about a place in it must carry. */
  get revision(): number {
    return this.#revision;
  }

  /** Shows another experiment. */
  open(origin: Origin, text: string, { settings = [], simulation = null, saved = text, version = null }: Opening = {}): void {
    batch(() => {
      this.openings.value = this.openings.peek() + 1;
      this.origin.value = origin;
      this.text.value = withLineFeeds(text);
      this.saved.value = withLineFeeds(saved);
      this.file.adopt(version);
      this.settings.value = settings;
      this.simulation.value = simulation;
      this.selection.value = null;
      this.event.value = null;
      this.ghost.value = null;
      this.clock.playing.value = true;
      this.clock.time.value = 0;
    });
    this.#runs.clear();
    this.run.value = null;
    this.#editing.forget();
    this.#textChanged();
  }

  /** Shows what the lab was started with. */
  openAsStarted(): void {
    if (this.#welcomed !== null) this.#openWelcomed(this.#welcomed);
  }

  /** Shows an experiment of the gallery or of the folder. Fails with why, in words. */
  async openFrom(origin: Origin, more: Opening = {}): Promise<void> {
    const { text, file_version: version } = (await this.client.request({ type: "open", origin })) as Of<"opened">;
    this.open(origin, text, { ...more, version });
  }

  /** The text has changed. While something is dragged, runs are coarse. */
  edit(text: string, dragging = false): void {
    this.#dragging = dragging;
    if (text === this.text.value) return;
    this.#editing.change(this.text.value, text, this.run.value, dragging, performance.now());
    this.text.value = text;
    this.#textChanged();
  }

  /** Whatever was dragged is let go: now the run shall be whole. */
  endDrag(): void {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.#editing.end();
    this.rerun();
  }

  set(settings: readonly string[]): void {
    this.#editing.set(this.run.value);
    this.settings.value = settings;
    this.#textChanged();
  }

  choose(simulation: string): void {
    this.simulation.value = simulation;
    this.rerun();
  }

  /** Runs the text again. */
  rerun(): void {
    if (this.checked.value?.sound !== true || this.checked.value.revision !== this.#revision) return;
    this.#startRun(this.#dragging);
  }

  /** Whether runs record contacts and forces of joints though the experiment does not ask for them; a run without them is made again. */
  recordForces(on: boolean): void {
    if (on === this.#forces) return;
    this.#forces = on;
    if (on) this.rerun();
  }

  cancel(): void {
    if (this.#activeRun !== null) this.client.send({ type: "cancel", run: this.#activeRun.run });
  }

  // The moment.

  /** Chooses an event: everything goes there. */
  chooseEvent(index: number): void {
    const event = this.eventAt(index);
    if (event === undefined) return;
    batch(() => {
      this.event.value = index;
      this.clock.show(event.time);
    });
  }

  /** An event of the run on screen that the page knows. */
  eventAt(index: number): EventInfo | undefined {
    return this.run.value?.events.value[index];
  }

  /** Goes to the event before or after the moment. */
  stepEvent(direction: -1 | 1): void {
    const run = this.run.value;
    if (run === null) return;
    const all = run.events.value;
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
  announce(text: string): void {
    this.announcement.value = { text, shown: false };
  }

  /** Tells something to everybody. */
  notify(text: string): void {
    this.announcement.value = { text, shown: true };
  }

  // Questions about the run on screen. They fail with `Refused`.

  /** Formulas over time. */
  async columns(formulas: string[], options: { from?: number; to?: number; most?: number; events?: boolean; run?: Run } = {}): Promise<Chunk> {
    const run = options.run ?? this.#shownRun();
    const { from = run.scene.initial_time, to = run.scene.end, most = 4000, events = true } = options;
    return (await this.client.request({ type: "read", run: run.id, formulas, from, to, most, events })) as Chunk;
  }

  /** All values of an object, or of the world and the measures, at the moment that is shown. */
  async values(object: string | null): Promise<TableRow[]> {
    const event = this.event.value;
    const at = event !== null && this.eventAt(event)?.time === this.clock.time.value;
    const moment = at ? ({ at: "after", event } as const) : ({ at: "time", time: this.clock.time.value } as const);
    return ((await this.client.request({ type: "values", run: this.#shownRun().id, moment, object })) as Of<"values">).rows;
  }

  /** Everything before and after an event. */
  async table(index: number): Promise<Of<"table">> {
    return (await this.client.request({ type: "event", run: this.#shownRun().id, index })) as Of<"table">;
  }

  #shownRun(): Run {
    if (this.run.value === null) throw new Error("nothing runs");
    return this.run.value;
  }

  // What arrives.

  #textChanged(): void {
    this.#revision += 1;
    this.busy.value = true;
    this.#sendText();
  }

  #sendText(): void {
    const { origin, text, settings } = this;
    const sent = this.client.send({ type: "edit", revision: this.#revision, origin: origin.value, text: text.value, settings: [...settings.value] });
    if (sent !== "too long") return;
    this.checked.value = tooLong(this.#revision);
    this.busy.value = this.#activeRun !== null;
  }

  #startRun(coarse: boolean): void {
    if (this.#activeRun !== null) {
      // A coarse run is short, and shows what the hand does: it may end. A whole one is not worth waiting for.
      this.#queuedRun = { coarse };
      const active = this.#runs.get(this.#activeRun.run);
      if (active?.coarse !== true) this.cancel();
      return;
    }
    this.#runCount += 1;
    this.started += 1;
    this.#activeRun = { run: this.#runCount, revision: this.#revision };
    this.busy.value = true;
    this.client.send({ type: "run", run: this.#runCount, revision: this.#revision, simulation: this.simulation.value, coarse, forces: this.#forces });
  }

  #runEnded(run: number): void {
    if (this.#activeRun?.run !== run) return;
    this.#activeRun = null;
    const next = this.#queuedRun;
    this.#queuedRun = null;
    if (next !== null && this.checked.value?.revision === this.#revision && this.checked.value.sound) this.#startRun(next.coarse);
    else this.busy.value = false;
  }

  #receive(message: Message): void {
    if (message.kind === "chunk") this.#receivePoses(message.chunk);
    else batch(() => this.#handleReply(message.reply));
  }

  #handleReply(reply: Reply): void {
    switch (reply.type) {
      case "welcome":
        this.#welcome(reply);
        break;
      case "checked":
        if (reply.revision !== this.#revision) break;
        this.checked.value = reply;
        if (this.simulation.value !== null && reply.sound && !reply.simulations.includes(this.simulation.value)) this.simulation.value = null;
        if (reply.sound) this.#startRun(this.#dragging);
        else this.busy.value = this.#activeRun !== null;
        break;
      case "started":
        assignColors(reply.scene.quantities);
        this.#runs.set(reply.run, new Run(reply.run, reply.revision, reply.coarse, reply.scene));
        break;
      case "happened": {
        const run = this.#runs.get(reply.run);
        if (run === undefined) break;
        run.poses.addEvents(reply.events);
        run.events.value = [...run.events.value, ...reply.events];
        break;
      }
      case "progress": {
        const run = this.#runs.get(reply.run);
        if (run === undefined) break;
        run.eventCount.value = reply.events;
        run.computedTime = reply.time;
        this.#showRun(run);
        break;
      }
      case "warned":
        this.notify(reply.message);
        break;
      case "ended": {
        const run = this.#runs.get(reply.run);
        if (run !== undefined) {
          run.eventCount.value = reply.events;
          run.computedTime = reply.time;
          run.ended.value = reply;
          if (reply.ending.how !== "cancelled" || this.run.value === null) this.#showRun(run);
        }
        if (reply.ending.how === "failed") this.notify(reply.ending.problem.message);
        if (reply.ending.how === "bounded") this.notify(reply.ending.why);
        this.#runEnded(reply.run);
        break;
      }
      case "fault":
        this.notify(reply.why);
        break;
      default:
    }
  }

  #welcome(reply: Of<"welcome">): void {
    this.version.value = reply.version;
    this.folder.value = reply.folder;
    this.folderId.value = reply.folder_id;
    this.words.value = reply.words;
    if (this.#revision > 0) {
      // The connection was lost: the engine knows nothing any more, and the text is here.
      this.#textChanged();
      return;
    }
    this.#welcomed = reply;
    const asStarted = () => this.#openWelcomed(reply);
    const { origin, text, folder = reply.folder_id, ...more } = this.#initial ?? {};
    // A file of the same name in another folder is another file.
    if (text !== undefined) this.open(folder === reply.folder_id && origin !== undefined ? origin : { from: "page" }, text, more);
    else if (origin !== undefined) {
      this.openFrom(origin, more).catch((why: Error) => {
        this.notify(why.message);
        asStarted();
      });
    } else asStarted();
    this.#initial = null;
  }

  #openWelcomed({ origin, text, settings, file_version }: Of<"welcome">): void {
    this.open(origin, text, { settings, version: file_version });
  }

  #receivePoses(chunk: Chunk): void {
    if (chunk.head.chunk !== "poses") return;
    const { run: id, first, stride, frames } = chunk.head;
    const run = this.#runs.get(id);
    if (run === undefined) return;
    run.poses.add(first, stride, frames, new Float32Array(chunk.buffer, chunk.start));
    this.#showRun(run);
  }

  /** Puts a run on screen as soon as there is something to see; the one before becomes its ghost. */
  #showRun(run: Run): void {
    batch(() => {
      run.reached.value = run.shownUntil;
      const shown = this.run.value;
      if (shown !== run) {
        if (run.shownUntil <= run.scene.initial_time && run.ended.value === null) return;
        if (shown !== null && run.id < shown.id) return;
        if (shown !== null && shown.revision !== run.revision) this.ghost.value = this.#editing.before(this.text.value);
        for (const id of [...this.#runs.keys()]) if (id < run.id) this.#runs.delete(id);
        this.event.value = null;
        this.run.value = run;
      }
      const { clock } = this;
      const ended = run.ended.value;
      clock.start.value = run.scene.initial_time;
      clock.reached.value = run.shownUntil;
      clock.end.value = ended === null ? run.scene.end : run.shownUntil;
      clock.rest.value = ended === null ? Infinity : run.poses.restTime();
      if (clock.time.value < clock.start.value) clock.time.value = clock.start.value;
      if (ended !== null && clock.time.value > clock.end.value) clock.time.value = clock.end.value;
    });
  }
}

/** A text with the line breaks that editors know, so that opening it does not count as a change. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
