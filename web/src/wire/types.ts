// The protocol between page and engine. Made from crates/app/src/wire by a test; do not edit by hand.

/** Maximum size in bytes of an experiment. */
export const MAX_TEXT_BYTES = 1048576;

/** Maximum size in bytes of a request; a longer one ends the connection. */
export const MAX_REQUEST_BYTES = 4194304;

/**
 * A message from the page.
 */
export type Request = { "type": "edit", 
/**
 * Revision of the text; counts upwards.
 */
revision: number, 
/**
 * Origin of the text; imports are searched beside it.
 */
origin: Origin, 
/**
 * Text of the experiment.
 */
text: string, 
/**
 * Values set from outside: `restitution=0.5`, `ball.v=[0, 0, 1]`.
 */
settings: Array<string>, } | { "type": "run", 
/**
 * Number of the run; counts upwards.
 */
run: number, 
/**
 * Revision of the text. If it is not the newest one, the request is stale and nothing happens.
 */
revision: number, 
/**
 * Name of the simulation; `None` for the first.
 */
simulation: string | null, 
/**
 * `true` if fewer frames will do, as while a slider is dragged. Events are the same.
 */
coarse: boolean, 
/**
 * `true` if contacts, and forces of joints, are recorded though the experiment does not ask for them.
 */
forces: boolean, } | { "type": "cancel", 
/**
 * Number of the run.
 */
run: number, } | { "type": "read", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * `ball.position`, `norm(ball.v)`, `t`, any expression over what is recorded.
 */
formulas: Array<string>, 
/**
 * Start of the time range. The point before it is included, so that a line reaches the edge.
 */
from: number, 
/**
 * End of the time range. The point after it is included.
 */
to: number, 
/**
 * Approximate maximum number of points per series; extremes are kept.
 */
most: number, 
/**
 * `true` to include the points on both sides of events.
 */
events: boolean, } | { "type": "poses", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * First frame.
 */
first: number, 
/**
 * Last frame, included.
 */
last: number, 
/**
 * Number of frames from one to the next.
 */
stride: number, } | { "type": "values", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Moment of the values.
 */
moment: Moment, 
/**
 * Name of the object; `None` for the world and the measures.
 */
object: string | null, } | { "type": "contacts", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * The time.
 */
time: number, } | { "type": "event", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Index of the event.
 */
index: number, } | { "type": "events", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Filter that the events pass.
 */
filter: Filter, 
/**
 * Number of events to skip.
 */
skip: number, 
/**
 * Maximum number of events.
 */
most: number, } | { "type": "evaluate", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Typed text.
 */
input: string, } | { "type": "complete", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Position in the text.
 */
at: number, } | { "type": "hover", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Position in the text.
 */
at: number, } | { "type": "derive", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Revision of the text.
 */
revision: number, } | { "type": "library", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, } | { "type": "preview", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Origin of the experiment.
 */
origin: Origin, } | { "type": "open", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Origin of the experiment.
 */
origin: Origin, } | { "type": "save", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * The name of the file.
 */
name: string, 
/**
 * Text to write.
 */
text: string, 
/**
 * Version of the file that the text began from. It is written only over this version; for `None`,
 * only if there is no file of this name. Otherwise answered by `conflict`.
 */
base: string | null, } | { "type": "disk", 
/**
 * Number of the request; the reply carries it too.
 */
id: number, 
/**
 * Name of the file.
 */
name: string, 
/**
 * Version that the page knows; `None` if it knows of no file.
 */
known: string | null, };

/**
 * Origin of an experiment.
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
 * Index of the event.
 */
event: number, } | { "at": "after", 
/**
 * Index of the event.
 */
event: number, };

/**
 * Filter of events.
 */
export type Filter = { 
/**
 * `free fall`, `collision`, `contact`, `phenomenon`; all, if empty.
 */
kinds: Array<string>, 
/**
 * Earliest time.
 */
from: number | null, 
/**
 * Latest time.
 */
to: number | null, 
/**
 * Names of objects that all took part.
 */
objects: Array<string>, };

/**
 * A message to the page.
 */
export type Reply = { "type": "welcome", 
/**
 * Version of the program.
 */
version: string, 
/**
 * The folder, if there is one; experiments can be saved in it.
 */
folder: string | null, 
/**
 * Identifier of the folder, the same at every start; empty without folder.
 */
folder_id: string, 
/**
 * Experiment that the server was started with; shown unless the page brings its own.
 */
origin: Origin, 
/**
 * Text of the experiment.
 */
text: string, 
/**
 * Version of its file; `None` if it is not in the folder.
 */
file_version: string | null, 
/**
 * Settings that the server was started with.
 */
settings: Array<string>, 
/**
 * Words of the language, for syntax colours.
 */
words: Array<Word>, } | { "type": "checked", 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * `true` if it can run.
 */
sound: boolean, 
/**
 * The first errors and warnings, in the order of the text.
 */
problems: Array<Problem>, 
/**
 * Number of further errors.
 */
more_errors: number, 
/**
 * Number of further warnings.
 */
more_warnings: number, 
/**
 * Laws and measures as formulas.
 */
formulas: Array<Formula>, 
/**
 * Numbers in the text.
 */
numbers: Array<Number>, 
/**
 * The names of its simulations; empty unless it is sound.
 */
simulations: Array<string>, } | { "type": "started", 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * `true` if it has fewer frames than the experiment says.
 */
coarse: boolean, 
/**
 * Scene of the run.
 */
scene: Scene, } | { "type": "happened", 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * The next events. After a limit no more are sent; the request `events` returns them.
 */
events: Array<EventInfo>, } | { "type": "progress", 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Number of frames so far, frame 0 included.
 */
frames: number, 
/**
 * Time of the last frame.
 */
time: number, 
/**
 * Number of events so far.
 */
events: number, } | { "type": "warned", 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * One sentence, with the remedy.
 */
message: string, } | { "type": "ended", 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Reason of the end.
 */
ending: Ending, 
/**
 * Number of frames, frame 0 included.
 */
frames: number, 
/**
 * Time of the last frame.
 */
time: number, 
/**
 * Number of events.
 */
events: number, 
/**
 * Notices of the run, each once.
 */
notices: Array<string>, 
/**
 * Measured values beside the expected ones.
 */
verdicts: Array<Verdict>, 
/**
 * The fingerprint of the last frame: 16 hexadecimal digits.
 */
hash: string, 
/**
 * Wall time in seconds.
 */
took: number, } | { "type": "values", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Time of the frame or of the event; of the frame before the event, if the object takes no part in
 * it.
 */
time: number, 
/**
 * Values, one per row.
 */
rows: Array<TableRow>, } | { "type": "contacts", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Time of the frame.
 */
time: number, 
/**
 * `true` if contacts are recorded in this run.
 */
recorded: boolean, 
/**
 * The contacts.
 */
contacts: Array<ContactPoint>, } | { "type": "table", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * The event.
 */
event: EventInfo, 
/**
 * Quantities that the engine measured (contact point, each object's normal), and those that the
 * context of a collision keeps.
 */
given: Array<TableRow>, 
/**
 * The world, the objects, their context attributes, the measures.
 */
rows: Array<TableRow>, } | { "type": "list", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Number of events that pass the filter.
 */
total: number, 
/**
 * Requested part of them.
 */
events: Array<EventInfo>, } | { "type": "evaluated", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The number of the input; `None` if it is not complete, and goes on in the next line.
 */
input: number | null, 
/**
 * Outputs of the input.
 */
replies: Array<SessionOutput>, } | { "type": "completions", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Start of the typed prefix.
 */
start: number, 
/**
 * End of the typed prefix.
 */
end: number, 
/**
 * Best first.
 */
items: Array<Completion>, } | { "type": "hovered", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Start, in UTF-16 code units.
 */
start: number, 
/**
 * End, in UTF-16 code units.
 */
end: number, 
/**
 * Description; empty if there is none.
 */
text: string, } | { "type": "derived", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * One for each `lagrangian` block, in the order of the text; none if the text is not sound.
 */
systems: Array<Derived>, } | { "type": "library", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Entries by name: those of the folder, then those of the gallery.
 */
entries: Array<LibraryEntry>, } | { "type": "previewed", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Scene without quantities.
 */
scene: Scene, 
/**
 * Path of each body of the scene: x, y, z at a few moments.
 */
paths: Array<Array<number>>, } | { "type": "opened", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Origin of the experiment.
 */
origin: Origin, 
/**
 * Text of the experiment.
 */
text: string, 
/**
 * Version of its file; `None` if it is not in the folder.
 */
file_version: string | null, } | { "type": "saved", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Origin of the saved experiment.
 */
origin: Origin, 
/**
 * Version of its file.
 */
file_version: string, } | { "type": "conflict", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Name of the file, with its ending.
 */
origin: Origin, 
/**
 * The file as it is.
 */
disk: OnDisk, } | { "type": "disk", 
/**
 * Number of the request.
 */
id: number, 
/**
 * The file as it is; `None` if the page knows it.
 */
disk: OnDisk | null, } | { "type": "refused", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Reason, in a sentence.
 */
why: string, } | { "type": "fault", 
/**
 * Reason, in a sentence.
 */
why: string, };

/**
 * A point at which two bodies push each other.
 */
export type ContactPoint = { 
/**
 * Indices of the bodies; `None` for the world.
 */
bodies: [number | null, number | null], 
/**
 * The point.
 */
point: [number, number, number], 
/**
 * The unit normal, from the first to the second.
 */
normal: [number, number, number], 
/**
 * The force on the second, N.
 */
force: [number, number, number], };

/**
 * Reason why a run ended.
 */
export type Ending = { "how": "complete", } | { "how": "cancelled", } | { "how": "failed", 
/**
 * Reason and place.
 */
problem: Problem, } | { "how": "bounded", 
/**
 * Limit that was exceeded, and a remedy.
 */
why: string, };

/**
 * An event of a run.
 */
export type EventInfo = { 
/**
 * Index of the event, from 0.
 */
index: number, 
/**
 * Time of the event.
 */
time: number, 
/**
 * `free fall`, `collision`, `contact` or `phenomenon`.
 */
kind: string, 
/**
 * Context that was applied.
 */
context: string | null, 
/**
 * Participants: indices of bodies of the scene.
 */
bodies: Array<number>, 
/**
 * Pose of each participant at the event: position, then quaternion w, x, y, z.
 */
poses: Array<[number, number, number, number, number, number, number]>, 
/**
 * Contact point of a collision.
 */
point: [number, number, number] | null, };

/**
 * A measure at the time it is meant for.
 */
export type Verdict = { 
/**
 * Name.
 */
name: string, 
/**
 * Time of the measurement.
 */
time: number, 
/**
 * Measured value; `None` if the run did not reach that time.
 */
value: string | null, 
/**
 * Expected value, if there is one.
 */
expected: string | null, 
/**
 * Largest difference that is allowed; `None` without expectation.
 */
tolerance: number | null, 
/**
 * Difference, in the component where it is largest; `None` without expectation, or if there is none.
 */
miss: number | null, 
/**
 * `true` if the value is within the tolerance; `None` without expectation.
 */
ok: boolean | null, };

/**
 * An experiment that can be opened.
 */
export type LibraryEntry = { 
/**
 * Origin of the experiment.
 */
origin: Origin, 
/**
 * Name of the experiment, without ending.
 */
name: string, 
/**
 * Summary: the first sentence of the comment.
 */
summary: string, 
/**
 * Theory: the comment that the text begins with.
 */
theory: string, 
/**
 * Names of its measures.
 */
measures: Array<string>, };

/**
 * State of a file of the folder.
 */
export type OnDisk = { "is": "text", 
/**
 * The text, its lines ended by line feeds, without byte order mark.
 */
text: string, 
/**
 * Version of the file.
 */
version: string, } | { "is": "unreadable", 
/**
 * Reason, in a few words.
 */
why: string, 
/**
 * Version of the file.
 */
version: string, } | { "is": "absent", };

/**
 * The facts about a run that are known before it starts.
 */
export type Scene = { 
/**
 * Name of the simulation.
 */
simulation: string, 
/**
 * Time of frame 0.
 */
initial_time: number, 
/**
 * Time of the last frame.
 */
end: number, 
/**
 * Frame k is at `initial_time + k / frame_rate`, the last one at `end`.
 */
frame_rate: number, 
/**
 * Index of the last frame.
 */
frames: number, 
/**
 * Upward direction of the view.
 */
up: [number, number, number], 
/**
 * Objects that take part, by name.
 */
bodies: Array<Body>, 
/**
 * The contexts, or events of a workflow.
 */
contexts: Array<ContextInfo>, 
/**
 * Recorded and constant quantities.
 */
quantities: Array<QuantityInfo>, 
/**
 * `true` if things fall, so that there is a floor below them; space has a sky and no floor.
 */
has_ground: boolean, 
/**
 * `true` if lengths are metres.
 */
in_metres: boolean, 
/**
 * What is drawn beside the bodies: joints of rigid bodies, and what a view draws.
 */
drawings: Array<Drawing>, 
/**
 * What the file wants to be shown at first.
 */
view: ViewInfo | null, 
/**
 * Poses are sent unrequested for every `stride`-th frame; the page requests the others.
 */
stride: number, };

/**
 * An object.
 */
export type Body = { 
/**
 * Name.
 */
name: string, 
/**
 * `true` if it is static.
 */
is_static: boolean, 
/**
 * Position in every frame of a chunk of poses; `None` if its pose never changes.
 */
moves: number | null, 
/**
 * Shape.
 */
shape: BodyShape, 
/**
 * `true` if its size changes; its column `size` (or `radius`, …) has the values.
 */
resizes: boolean, 
/**
 * Colours, one or two: red, green, blue, from 0 to 1.
 */
colors: Array<[number, number, number]>, 
/**
 * Initial pose: position, then quaternion w, x, y, z.
 */
pose: [number, number, number, number, number, number, number], };

/**
 * A shape, in the body's own coordinates.
 */
export type BodyShape = { "kind": "sphere", 
/**
 * Radius.
 */
radius: number, } | { "kind": "cuboid", 
/**
 * Full lengths of its edges.
 */
size: [number, number, number], } | { "kind": "capsule", 
/**
 * Radius.
 */
radius: number, 
/**
 * The length of its straight part.
 */
length: number, } | { "kind": "cylinder", 
/**
 * Radius.
 */
radius: number, 
/**
 * Height.
 */
height: number, } | { "kind": "cone", 
/**
 * Radius of the base.
 */
radius: number, 
/**
 * Height.
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
 * Parts, none of them a compound.
 */
parts: Array<BodyPart>, };

/**
 * A part of a compound.
 */
export type BodyPart = { 
/**
 * Shape.
 */
shape: BodyShape, 
/**
 * Pose in the compound: position, then quaternion w, x, y, z.
 */
pose: [number, number, number, number, number, number, number], 
/**
 * Own colours, if it has any.
 */
colors: Array<[number, number, number]>, };

/**
 * Something that is drawn beside the bodies.
 */
export type Drawing = { 
/**
 * Name of the joint or constraint; empty for a drawing of a view.
 */
name: string, 
/**
 * `spring`, `rod`, `rope`, `line`, `circle`, `axle`, `wall` or `track` of a view or a joint; `hinge`, `slider`, `ball`,
 * `universal` or `weld` of a joint; `tie` of a constraint between two bodies.
 */
kind: string, 
/**
 * Places: the two ends of what has ends.
 */
places: Array<Spot>, 
/**
 * Direction of an axle, a hinge or a rail, across a circle or a wall.
 */
direction: Spot | null, 
/**
 * Length of a rope, a rod, or a spring at rest; radius of a circle.
 */
length: Amount | null, 
/**
 * Range of the motion of a slider.
 */
limits: [number, number] | null, };

/**
 * A place or a direction.
 */
export type Spot = { "how": "fixed", 
/**
 * Index of the body; the world, if `None`.
 */
body: number | null, 
/**
 * Its coordinates there.
 */
at: [number, number, number], } | { "how": "formula", 
/**
 * Its text.
 */
text: string, };

/**
 * A length.
 */
export type Amount = { "how": "fixed", 
/**
 * The length.
 */
value: number, } | { "how": "formula", 
/**
 * Its text.
 */
text: string, };

/**
 * What a file wants to be shown at first.
 */
export type ViewInfo = { 
/**
 * Curves, a plot each.
 */
plots: Array<CurveInfo>, 
/**
 * Vectors that are drawn as arrows: formulas.
 */
arrows: Array<string>, 
/**
 * Position of the camera; the page chooses, if `None`.
 */
camera: CameraInfo | null, 
/**
 * Object that the camera follows.
 */
follow: string | null, 
/**
 * Time that is shown first; then nothing plays.
 */
moment: number | null, 
/**
 * Speed of playing.
 */
speed: number | null, 
/**
 * Tab of the results; `closed` for none.
 */
drawer: string | null, 
/**
 * What lies over the world; the page chooses, if `None`.
 */
overlays: Array<string> | null, 
/**
 * Objects whose trails are drawn; the page chooses, if `None`.
 */
trails: Array<string> | null, 
/**
 * Label of the number that a visitor is asked to change: `g`, `ball.v`, `g#3`.
 */
tried: string | null, 
/**
 * Title for people.
 */
title: string | null, 
/**
 * Group of the gallery.
 */
group: string | null, 
/**
 * 1 to begin with, 2 for school, 3 for university.
 */
level: number | null, };

/**
 * A curve of a plot.
 */
export type CurveInfo = { 
/**
 * Formula upwards.
 */
value: string, 
/**
 * Formula to the right; `t` for time.
 */
against: string, };

/**
 * Position of the camera.
 */
export type CameraInfo = { "how": "at", 
/**
 * The eye.
 */
eye: [number, number, number], 
/**
 * The point that it looks at.
 */
target: [number, number, number], } | { "how": "side", 
/**
 * `front`, `back`, `left`, `right`, `top` or `bottom`.
 */
side: string, };

/**
 * A context, or an event of a workflow.
 */
export type ContextInfo = { 
/**
 * Name.
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
 * Owner: the name of an object, `world` or `measure`.
 */
owner: string, 
/**
 * Name of the attribute, such as `v`.
 */
name: string, 
/**
 * Name in formulas: `ball.v`; `ball.v@rolling` where several contexts have one.
 */
formula: string, 
/**
 * Type as the language writes it: `real`, `boolean`, `vector(3)`.
 */
ty: string, 
/**
 * Numbers of rows and columns: `[]` for reals and booleans, `[3]` for a vector of 3, `[2, 3]` for a
 * matrix.
 */
shape: Array<number>, 
/**
 * Context outside which it has no value.
 */
context: string | null, 
/**
 * `true` if it never changes.
 */
constant: boolean, };

/**
 * A value to be shown.
 */
export type ValueInfo = { 
/**
 * Value as the language writes it: `[0, 0, 1.5]`.
 */
text: string, 
/**
 * Scalars, row by row; booleans are 0 and 1.
 */
scalars: Array<number>, };

/**
 * A quantity and its value; before and after, in the table of an event.
 */
export type TableRow = { 
/**
 * Owner: the name of an object, `world` or `measure`.
 */
owner: string, 
/**
 * Name of the attribute, such as `v`.
 */
name: string, 
/**
 * Name in formulas.
 */
formula: string, 
/**
 * Type as the language writes it.
 */
ty: string, 
/**
 * Context outside which it has no value.
 */
context: string | null, 
/**
 * Value before the event; always `None` for context attributes and in the values of one moment.
 */
before: ValueInfo | null, 
/**
 * Value after the event, or at the moment; `None` where there is none.
 */
after: ValueInfo | null, 
/**
 * `true` if before and after differ.
 */
changed: boolean, };

/**
 * One output of the session of the language.
 */
export type SessionOutput = { "kind": "value", 
/**
 * Value as the language writes it.
 */
text: string, } | { "kind": "text", 
/**
 * Text of one or more lines.
 */
text: string, } | { "kind": "problem", 
/**
 * Message as on a terminal, without colours.
 */
text: string, };

/**
 * An error or a warning about a text.
 */
export type Problem = { 
/**
 * Code, such as `E201`.
 */
code: string, 
/**
 * `true` for an error: nothing runs.
 */
is_error: boolean, 
/**
 * Message in one sentence.
 */
message: string, 
/**
 * Primary place and its label.
 */
place: Label, 
/**
 * Secondary places.
 */
labels: Array<Label>, 
/**
 * Notes, such as the values that went in.
 */
notes: Array<string>, 
/**
 * Remedy.
 */
help: string | null, 
/**
 * Remedy as a change of the text.
 */
edit: Edit | null, 
/**
 * Explanation of the code, as `gedanken explain` prints it.
 */
explanation: string, };

/**
 * A labelled range of a text.
 */
export type Label = { 
/**
 * Name of the imported file or the setting; `None` for the text itself.
 */
source: string | null, 
/**
 * Start, in UTF-16 code units.
 */
start: number, 
/**
 * End, in UTF-16 code units.
 */
end: number, 
/**
 * Line, from 1.
 */
line: number, 
/**
 * Column in characters, from 1.
 */
column: number, 
/**
 * Label; may be empty.
 */
text: string, };

/**
 * A change of the text.
 */
export type Edit = { 
/**
 * Start, in UTF-16 code units.
 */
start: number, 
/**
 * End, in UTF-16 code units.
 */
end: number, 
/**
 * New text of the range.
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
 * Name that it defines.
 */
name: string, 
/**
 * Start of the definition.
 */
start: number, 
/**
 * End of the range.
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
 * Start of the number, its sign included.
 */
start: number, 
/**
 * End of the range.
 */
end: number, 
/**
 * Value.
 */
value: number, 
/**
 * Label of a slider for it: `restitution`, `ball.v#1`, `drop.duration`.
 */
label: string, 
/**
 * `true` if only whole numbers are allowed there, as in `v # 1`.
 */
counts: boolean, 
/**
 * Attribute whose value contains it, if a setting can replace that.
 */
owned: OwnerAttribute | null, };

/**
 * An attribute that a setting can replace.
 */
export type OwnerAttribute = { 
/**
 * Name: `restitution`, `ball.v`.
 */
name: string, 
/**
 * Start of its value.
 */
start: number, 
/**
 * End of its value.
 */
end: number, };

/**
 * A completion.
 */
export type Completion = { 
/**
 * Text in the list.
 */
label: string, 
/**
 * `key`, `value`, `attribute`, `function`, `native`, `object`, `context`, `keyword` or `file`.
 */
kind: string, 
/**
 * Short description.
 */
detail: string, 
/**
 * Text to insert.
 */
insert: string, };

/**
 * A word of the language.
 */
export type Word = { 
/**
 * The word, such as `norm`.
 */
name: string, 
/**
 * `native` or `keyword`.
 */
kind: string, 
/**
 * Description in a sentence.
 */
summary: string, };

/**
 * Equations that follow from a `lagrangian` block.
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
 * Sections in the order of a derivation by hand; empty if nothing follows.
 */
sections: Array<DerivedSection>, 
/**
 * Reason why nothing follows, in a sentence.
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
 * `true` if it is an intermediate step and no result.
 */
step: boolean, 
/**
 * Note on the whole section.
 */
note: string | null, 
/**
 * Lines; may be empty, and the note gives the reason then.
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
 * Reason why it holds, in words.
 */
why: string | null, 
/**
 * Name under which runs record it, for conserved quantities.
 */
watched: string | null, };

/**
 * Header of a binary message.
 */
export type ChunkHead = { "chunk": "poses", 
/**
 * Number of the request; 0 if there was none.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Index of the first frame.
 */
first: number, 
/**
 * Number of frames from one to the next.
 */
stride: number, 
/**
 * Number of frames.
 */
frames: number, 
/**
 * Number of moving bodies.
 */
bodies: number, } | { "chunk": "columns", 
/**
 * Number of the request.
 */
id: number, 
/**
 * Number of the run.
 */
run: number, 
/**
 * Revision of the text.
 */
revision: number, 
/**
 * Series that follow, in this order.
 */
series: Array<SeriesHead>, };

/**
 * One series.
 */
export type SeriesHead = { 
/**
 * Index of the formula in the request.
 */
formula: number, 
/**
 * Label in a legend: `ball.v#1`.
 */
label: string, 
/**
 * Number of points.
 */
points: number, 
/**
 * Reason why values are missing.
 */
problem: string | null, };
