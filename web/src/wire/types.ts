// The protocol between page and engine. Made from crates/app/src/wire by a test; do not edit by hand.

/**
 * A message from the page.
 */
export type Request = { "type": "edit", 
/**
 * Counts upwards.
 */
revision: number, 
/**
 * Where the text comes from: imports are looked for beside it.
 */
origin: Origin, 
/**
 * The experiment.
 */
text: string, 
/**
 * Values set from outside: `restitution=0.5`, `ball.v=[0, 0, 1]`.
 */
settings: Array<string>, } | { "type": "run", 
/**
 * Counts upwards.
 */
run: number, 
/**
 * Which text; if it is not the last one that was edited, the question is stale and nothing happens.
 */
revision: number, 
/**
 * Which simulation; the first, if none is named.
 */
simulation: string | null, 
/**
 * Whether fewer frames will do, as while a slider is dragged. Events are the same.
 */
coarse: boolean, } | { "type": "cancel", 
/**
 * Which.
 */
run: number, } | { "type": "read", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * `ball.position`, `norm(ball.v)`, `t`, any expression over what is recorded.
 */
formulas: Array<string>, 
/**
 * From this time; the point before it is also given, so that a line goes on to the edge.
 */
from: number, 
/**
 * To this time, and the point after it.
 */
to: number, 
/**
 * At most about so many points for each; extremes are kept.
 */
most: number, 
/**
 * Whether both sides of events are among the points.
 */
events: boolean, } | { "type": "poses", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * From this frame.
 */
first: number, 
/**
 * To this frame, itself included.
 */
last: number, 
/**
 * Every so many frames.
 */
stride: number, } | { "type": "values", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * When.
 */
moment: Moment, 
/**
 * An object's name; the world and the measures, if `None`.
 */
object: string | null, } | { "type": "event", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Which event.
 */
index: number, } | { "type": "events", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Which.
 */
filter: Filter, 
/**
 * Leave out so many.
 */
skip: number, 
/**
 * Give at most so many.
 */
most: number, } | { "type": "evaluate", 
/**
 * Comes back.
 */
id: number, 
/**
 * What was typed.
 */
input: string, } | { "type": "complete", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * Where.
 */
at: number, } | { "type": "hover", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * Where.
 */
at: number, } | { "type": "derive", 
/**
 * Comes back.
 */
id: number, 
/**
 * Of which text.
 */
revision: number, } | { "type": "library", 
/**
 * Comes back.
 */
id: number, } | { "type": "preview", 
/**
 * Comes back.
 */
id: number, 
/**
 * Which.
 */
origin: Origin, } | { "type": "open", 
/**
 * Comes back.
 */
id: number, 
/**
 * Which.
 */
origin: Origin, } | { "type": "save", 
/**
 * Comes back.
 */
id: number, 
/**
 * The token that the page was served with.
 */
token: string, 
/**
 * The name of the file.
 */
name: string, 
/**
 * What to write.
 */
text: string, 
/**
 * Whether a file of this name may be replaced.
 */
replace: boolean, };

/**
 * Where an experiment comes from.
 */
export type Origin = { "from": "gallery", 
/**
 * `bouncing_ball`.
 */
name: string, } | { "from": "folder", 
/**
 * A path below it: `week1/drop.lab`.
 */
name: string, } | { "from": "page", };

/**
 * A moment of a recording.
 */
export type Moment = { "at": "time", 
/**
 * The time.
 */
time: number, } | { "at": "before", 
/**
 * Its number.
 */
event: number, } | { "at": "after", 
/**
 * Its number.
 */
event: number, };

/**
 * Which events.
 */
export type Filter = { 
/**
 * `free fall`, `collision`, `contact`, `phenomenon`; all, if empty.
 */
kinds: Array<string>, 
/**
 * Not before this time.
 */
from: number | null, 
/**
 * Not after this time.
 */
to: number | null, 
/**
 * All of these objects took part.
 */
objects: Array<string>, };

/**
 * A message to the page.
 */
export type Reply = { "type": "welcome", 
/**
 * Of the program.
 */
version: string, 
/**
 * The folder, if there is one; experiments can be saved in it.
 */
folder: string | null, 
/**
 * What the server was started with, to be shown unless the page has something itself.
 */
origin: Origin, 
/**
 * Its text.
 */
text: string, 
/**
 * Settings that the server was started with.
 */
settings: Array<string>, 
/**
 * The words of the language, for colours.
 */
words: Array<Word>, } | { "type": "checked", 
/**
 * Which.
 */
revision: number, 
/**
 * Whether it can run.
 */
sound: boolean, 
/**
 * Errors and warnings, in the order of the text.
 */
problems: Array<Problem>, 
/**
 * Laws and measures.
 */
formulas: Array<Formula>, 
/**
 * Numbers.
 */
numbers: Array<Number>, 
/**
 * The names of its simulations; empty unless it is sound.
 */
simulations: Array<string>, } | { "type": "started", 
/**
 * Which.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * Whether it has fewer frames than was written.
 */
coarse: boolean, 
/**
 * What there is to see.
 */
scene: Scene, } | { "type": "happened", 
/**
 * In which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * The next events; after the first so many none are told, and `events` asks for them.
 */
events: Array<EventInfo>, } | { "type": "progress", 
/**
 * Which.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * Frames so far, frame 0 among them.
 */
frames: number, 
/**
 * The time of the last one.
 */
time: number, 
/**
 * Events so far.
 */
events: number, } | { "type": "ended", 
/**
 * Which.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * How.
 */
ending: Ending, 
/**
 * Frames, frame 0 among them.
 */
frames: number, 
/**
 * The time of the last one.
 */
time: number, 
/**
 * Events.
 */
events: number, 
/**
 * What the run had to say, each thing once.
 */
notices: Array<string>, 
/**
 * What was measured, beside what was expected.
 */
verdicts: Array<Verdict>, 
/**
 * The fingerprint of the last frame: 16 hexadecimal digits.
 */
hash: string, 
/**
 * How long it took, in seconds.
 */
took: number, } | { "type": "values", 
/**
 * Of the question.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * When: of the frame, or of the event; of the frame before it, if the object takes no part in the
 * event.
 */
time: number, 
/**
 * What.
 */
rows: Array<TableRow>, } | { "type": "table", 
/**
 * Of the question.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * Which event.
 */
event: EventInfo, 
/**
 * What the engine measured: where they met, and each object's normal; and what a collision's context
 * keeps.
 */
given: Array<TableRow>, 
/**
 * The world, the objects, their context attributes, the measures.
 */
rows: Array<TableRow>, } | { "type": "list", 
/**
 * Of the question.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * How many pass.
 */
total: number, 
/**
 * Those that were asked for.
 */
events: Array<EventInfo>, } | { "type": "evaluated", 
/**
 * Of the question.
 */
id: number, 
/**
 * The number of the input; `None` if it is not complete, and goes on in the next line.
 */
input: number | null, 
/**
 * Its answers.
 */
replies: Array<SessionOutput>, } | { "type": "completions", 
/**
 * Of the question.
 */
id: number, 
/**
 * What is typed already begins here.
 */
start: number, 
/**
 * And ends here.
 */
end: number, 
/**
 * Best first.
 */
items: Array<Completion>, } | { "type": "hovered", 
/**
 * Of the question.
 */
id: number, 
/**
 * From here.
 */
start: number, 
/**
 * To here.
 */
end: number, 
/**
 * About it; empty if there is nothing to say.
 */
text: string, } | { "type": "derived", 
/**
 * Of the question.
 */
id: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * One for each `lagrangian` block, in the order of the text; none if the text is not sound.
 */
systems: Array<Derived>, } | { "type": "library", 
/**
 * Of the question.
 */
id: number, 
/**
 * By name: those of the folder, then those of the gallery.
 */
entries: Array<LibraryEntry>, } | { "type": "previewed", 
/**
 * Of the question.
 */
id: number, 
/**
 * What there is to see, without quantities.
 */
scene: Scene, 
/**
 * For each body of the scene, where it goes: x, y, z of a few moments.
 */
paths: Array<Array<number>>, } | { "type": "opened", 
/**
 * Of the question.
 */
id: number, 
/**
 * Which.
 */
origin: Origin, 
/**
 * What it says.
 */
text: string, } | { "type": "saved", 
/**
 * Of the question.
 */
id: number, 
/**
 * Where.
 */
origin: Origin, } | { "type": "refused", 
/**
 * Of the question.
 */
id: number, 
/**
 * Why, in a sentence.
 */
why: string, } | { "type": "fault", 
/**
 * Why, in a sentence.
 */
why: string, };

/**
 * How a run ended.
 */
export type Ending = { "how": "complete", } | { "how": "cancelled", } | { "how": "failed", 
/**
 * Why and where.
 */
problem: Problem, } | { "how": "bounded", 
/**
 * Which bound, and the way out.
 */
why: string, };

/**
 * Something that happened.
 */
export type EventInfo = { 
/**
 * Counts from 0.
 */
index: number, 
/**
 * When.
 */
time: number, 
/**
 * `free fall`, `collision`, `contact` or `phenomenon`.
 */
kind: string, 
/**
 * The context that was applied.
 */
context: string | null, 
/**
 * Who took part: indices into the bodies of the scene.
 */
bodies: Array<number>, 
/**
 * Where each of them was then: position, then quaternion w, x, y, z.
 */
poses: Array<[number, number, number, number, number, number, number]>, 
/**
 * Where they met, in a collision.
 */
point: [number, number, number] | null, };

/**
 * A measure at the time it is meant for.
 */
export type Verdict = { 
/**
 * Its name.
 */
name: string, 
/**
 * When it was looked at.
 */
time: number, 
/**
 * What it was; `None` if the run did not come that far.
 */
value: string | null, 
/**
 * What was expected, if anything was.
 */
expected: string | null, 
/**
 * Whether it is as expected.
 */
ok: boolean | null, };

/**
 * An experiment that can be opened.
 */
export type LibraryEntry = { 
/**
 * Which.
 */
origin: Origin, 
/**
 * Its name, without ending.
 */
name: string, 
/**
 * What it is about: its first sentence.
 */
summary: string, 
/**
 * The comment that it begins with: the theory.
 */
theory: string, 
/**
 * The measures it ends in.
 */
measures: Array<string>, };

/**
 * Everything about a run that is known before it begins.
 */
export type Scene = { 
/**
 * The simulation that runs.
 */
simulation: string, 
/**
 * The time of frame 0.
 */
initial_time: number, 
/**
 * The time of the last frame there will be.
 */
end: number, 
/**
 * Frame k is at `initial_time + k / frame_rate`, the last one at `end`.
 */
frame_rate: number, 
/**
 * The number of the last frame there will be.
 */
frames: number, 
/**
 * Which way is up for the eye.
 */
up: [number, number, number], 
/**
 * All objects that take part, by name.
 */
bodies: Array<Body>, 
/**
 * The contexts, or events of a workflow.
 */
contexts: Array<ContextInfo>, 
/**
 * What is recorded and what is constant.
 */
quantities: Array<QuantityInfo>, 
/**
 * Poses come by themselves for every so many frames; for the others the page asks.
 */
stride: number, };

/**
 * An object.
 */
export type Body = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is static.
 */
is_static: boolean, 
/**
 * Its place in every frame of a chunk of poses; `None` if its pose never changes.
 */
moves: number | null, 
/**
 * What it looks like.
 */
shape: BodyShape, 
/**
 * Whether its size changes: its column `size` (or `radius`, …) says how.
 */
resizes: boolean, 
/**
 * Its colour, and the second one where it has two: red, green, blue, from 0 to 1.
 */
colors: Array<[number, number, number]>, 
/**
 * Where it begins: position, then quaternion w, x, y, z.
 */
pose: [number, number, number, number, number, number, number], };

/**
 * A shape, in the body's own coordinates.
 */
export type BodyShape = { "kind": "sphere", 
/**
 * Its radius.
 */
radius: number, } | { "kind": "cuboid", 
/**
 * Full lengths of its edges.
 */
size: [number, number, number], } | { "kind": "capsule", 
/**
 * Its radius.
 */
radius: number, 
/**
 * The length of its straight part.
 */
length: number, } | { "kind": "cylinder", 
/**
 * Its radius.
 */
radius: number, 
/**
 * Its height.
 */
height: number, } | { "kind": "cone", 
/**
 * Of its base.
 */
radius: number, 
/**
 * Its height.
 */
height: number, } | { "kind": "half_space", } | { "kind": "mesh", 
/**
 * Three reals for each corner.
 */
corners: Array<number>, 
/**
 * Three corners for each triangle, counter-clockwise seen from outside.
 */
triangles: Array<number>, } | { "kind": "compound", 
/**
 * Its parts, none of them a compound.
 */
parts: Array<BodyPart>, };

/**
 * A part of a compound.
 */
export type BodyPart = { 
/**
 * Its shape.
 */
shape: BodyShape, 
/**
 * Where it is in the compound: position, then quaternion w, x, y, z.
 */
pose: [number, number, number, number, number, number, number], 
/**
 * Its own colours, if it has any.
 */
colors: Array<[number, number, number]>, };

/**
 * A context, or an event of a workflow.
 */
export type ContextInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * `free fall`, `collision`, `contact` or `phenomenon`.
 */
kind: string, };

/**
 * A quantity that is recorded, or constant.
 */
export type QuantityInfo = { 
/**
 * Whose: an object's name, `world` or `measure`.
 */
owner: string, 
/**
 * `v`.
 */
name: string, 
/**
 * What a formula calls it: `ball.v`; `ball.v@rolling` where several contexts have one.
 */
formula: string, 
/**
 * `real`, `boolean`, `vector(3)`, as the language says it.
 */
ty: string, 
/**
 * Rows and columns: `[]` for reals and booleans, `[3]` for a vector of 3, `[2, 3]` for a matrix.
 */
shape: Array<number>, 
/**
 * The context outside which it has no value.
 */
context: string | null, 
/**
 * Whether it never changes.
 */
constant: boolean, };

/**
 * A value to be shown.
 */
export type ValueInfo = { 
/**
 * As the language writes it: `[0, 0, 1.5]`.
 */
text: string, 
/**
 * Its scalars, row by row; booleans are 0 and 1.
 */
scalars: Array<number>, };

/**
 * A quantity and what it is; before and after, where it stands in the table of an event.
 */
export type TableRow = { 
/**
 * Whose: an object's name, `world` or `measure`.
 */
owner: string, 
/**
 * `v`.
 */
name: string, 
/**
 * What a formula calls it.
 */
formula: string, 
/**
 * As the language says it.
 */
ty: string, 
/**
 * The context outside which it has no value.
 */
context: string | null, 
/**
 * Before; always `None` for context attributes, which have no before, and in the values of one moment.
 */
before: ValueInfo | null, 
/**
 * After, or now; `None` where it has no value.
 */
after: ValueInfo | null, 
/**
 * Whether before and after differ.
 */
changed: boolean, };

/**
 * An answer of the session of the language.
 */
export type SessionOutput = { "kind": "value", 
/**
 * As the language writes it.
 */
text: string, } | { "kind": "text", 
/**
 * Lines.
 */
text: string, } | { "kind": "problem", 
/**
 * Drawn as on a terminal, without colours.
 */
text: string, };

/**
 * Something wrong, or probably not meant.
 */
export type Problem = { 
/**
 * `E201`.
 */
code: string, 
/**
 * Whether nothing runs because of it.
 */
is_error: boolean, 
/**
 * One sentence.
 */
message: string, 
/**
 * Where it begins, and what is there.
 */
place: Label, 
/**
 * Further places.
 */
labels: Array<Label>, 
/**
 * Facts, such as the values that went in.
 */
notes: Array<string>, 
/**
 * The way out.
 */
help: string | null, 
/**
 * The way out as a change of the text.
 */
edit: Edit | null, 
/**
 * More about the code, as `gedanken explain` tells it.
 */
explanation: string, };

/**
 * A place.
 */
export type Label = { 
/**
 * The imported file it is in, or the setting; `None` for the text itself.
 */
source: string | null, 
/**
 * From here.
 */
start: number, 
/**
 * To here.
 */
end: number, 
/**
 * From 1.
 */
line: number, 
/**
 * From 1, in characters.
 */
column: number, 
/**
 * A few words; may be empty.
 */
text: string, };

/**
 * A change of the text.
 */
export type Edit = { 
/**
 * From here.
 */
start: number, 
/**
 * To here.
 */
end: number, 
/**
 * What stands there then.
 */
replacement: string, };

/**
 * A law, a helper or a measure, rendered.
 */
export type Formula = { 
/**
 * The name of its context, rule or measure.
 */
block: string, 
/**
 * `context`, `rule`, `event`, `lagrangian` or `measure`.
 */
block_kind: string, 
/**
 * What it defines.
 */
name: string, 
/**
 * Where its definition begins.
 */
start: number, 
/**
 * Where it ends.
 */
end: number, 
/**
 * A `math` element; every symbol carries `data-name`.
 */
mathml: string, };

/**
 * A number that stands in the text, and can become a slider.
 */
export type Number = { 
/**
 * Where it begins; a sign before it belongs to it.
 */
start: number, 
/**
 * Where it ends.
 */
end: number, 
/**
 * What it is.
 */
value: number, 
/**
 * What a slider would be called: `restitution`, `ball.v#1`, `drop.duration`.
 */
label: string, 
/**
 * Whether only whole numbers can stand there, as in `v # 1`.
 */
counts: boolean, 
/**
 * The attribute whose value it stands in, if a setting can replace it.
 */
owned: OwnerAttribute | null, };

/**
 * An attribute that a setting can replace.
 */
export type OwnerAttribute = { 
/**
 * `restitution`, `ball.v`.
 */
name: string, 
/**
 * Where its value begins.
 */
start: number, 
/**
 * Where its value ends.
 */
end: number, };

/**
 * Something that can stand at a place.
 */
export type Completion = { 
/**
 * What is listed.
 */
label: string, 
/**
 * `key`, `value`, `attribute`, `function`, `native`, `object`, `context`, `keyword` or `file`.
 */
kind: string, 
/**
 * A few words about it.
 */
detail: string, 
/**
 * What is typed.
 */
insert: string, };

/**
 * A word of the language.
 */
export type Word = { 
/**
 * `norm`.
 */
name: string, 
/**
 * `native` or `keyword`.
 */
kind: string, 
/**
 * What it does, in a sentence.
 */
summary: string, };

/**
 * What follows from a `lagrangian` block.
 */
export type Derived = { 
/**
 * The name of the block.
 */
name: string, 
/**
 * The names of the simulations that move by it.
 */
simulations: Array<string>, 
/**
 * In the order in which one would write them down; empty if nothing follows.
 */
sections: Array<DerivedSection>, 
/**
 * Why nothing follows, in a sentence.
 */
problem: string | null, };

/**
 * Equalities that belong together.
 */
export type DerivedSection = { 
/**
 * `Equations of motion`.
 */
title: string, 
/**
 * Whether it is a step on the way and no result.
 */
step: boolean, 
/**
 * What is to be said of all of it.
 */
note: string | null, 
/**
 * May be none, where the note says why.
 */
lines: Array<DerivedLine>, };

/**
 * One equality.
 */
export type DerivedLine = { 
/**
 * A `math` element; every symbol carries `data-name`.
 */
mathml: string, 
/**
 * The same in plain letters: `l θ̈ + g sin(θ) = 0`.
 */
text: string, 
/**
 * Why it holds, in words.
 */
why: string | null, 
/**
 * The name under which runs record its value: of what is conserved.
 */
watched: string | null, };

/**
 * What a binary message holds.
 */
export type ChunkHead = { "chunk": "poses", 
/**
 * Of the question; 0 if nobody asked.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * The number of the first frame.
 */
first: number, 
/**
 * From frame to frame.
 */
stride: number, 
/**
 * How many frames.
 */
frames: number, 
/**
 * How many bodies move.
 */
bodies: number, } | { "chunk": "columns", 
/**
 * Of the question.
 */
id: number, 
/**
 * Of which run.
 */
run: number, 
/**
 * Of which text.
 */
revision: number, 
/**
 * What follows, in this order.
 */
series: Array<SeriesHead>, };

/**
 * One series.
 */
export type SeriesHead = { 
/**
 * Which of the formulas that were asked for.
 */
formula: number, 
/**
 * As in a legend: `ball.v#1`.
 */
label: string, 
/**
 * How many points.
 */
points: number, 
/**
 * Why there is nothing, or why values are missing.
 */
problem: string | null, };
