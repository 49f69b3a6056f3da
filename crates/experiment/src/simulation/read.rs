//! From a `simulation` block to a simulation.

use super::model::{
    ContextSettings, DEFAULT_FRAME_RATE, DEFAULT_TOLERANCE, LagrangianSettings, Mechanics, Record, Simulation,
};
use super::{record, time_grid};
use crate::environment::Environment;
use crate::lagrangian::settings as lagrangian;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::read::blocks::BlockNames;
use crate::read::fields::{BlockForm, Fields, no_such};
use crate::read::numbers::Numbers;
use crate::rigid::settings as rigid;
use crate::rigid::settings::RigidSettings;
use crate::rule::flow;
use crate::rule::flow::Flow;
use gedanken_dynamics::integrate::ode;
use gedanken_lang::check::{guess, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Name};
use gedanken_lang::value::Value;
use std::collections::BTreeMap;

/// Largest frame rate, in frames per unit of time.
const MAX_FRAME_RATE: f64 = 1e6;
/// Largest number of frames of a simulation.
const MAX_FRAMES: f64 = 1e8;

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a simulation",
    keys: &[
        ("name", "a name"),
        ("initial_time", "a real"),
        ("duration", "a real greater than 0"),
        ("frame_rate", "a real greater than 0"),
        ("objects_involved", "names of objects in braces: `{ball, floor}`"),
        ("contexts_involved", "names of contexts in braces: `{falling}`"),
        ("mechanics", "`contexts`, `workflow`, `rigid` or `lagrangian`"),
        ("lagrangian", "the name of a `lagrangian` block"),
        ("workflow", "rules put together: `seq(kick, par(drift, cool))`"),
        ("time_step", "a real greater than 0"),
        (
            "integrator",
            "the name of a method: `dormand_prince`, `rk4` or `implicit_midpoint`; for rigid bodies `leapfrog` or `symplectic_euler`; with `solver = soft` `semi-implicit`, `euler`, `implicit`, `implicit fast` or `rk4`",
        ),
        ("tolerance", "a small real greater than 0"),
        ("touching_tolerance", "a small real greater than 0"),
        ("record", "names in braces, `{position, v}`, or one of the words `all` and `attributes`"),
        ("record_forces", "`true` or `false`: contacts and forces of joints in every frame"),
        ("up", "a vector of 3"),
        ("gravity", "a vector of 3: `[0, 0, -9.81]`"),
        ("solver", "`gauss-seidel`, `jacobi`, `variational` or `soft`"),
        ("substeps", "a whole number"),
        ("iterations", "a whole number"),
        ("slop", "a small real that is not negative"),
        ("correction", "a real from 0 to 1"),
        ("combination", "how coefficients combine: `geometric mean`"),
        ("rest_speed", "a small real that is not negative"),
        ("order", "1 or 2, the order of the solver `variational`"),
        ("kinetic", "`exact` or `seed`, the kinetic term of the solver `variational`"),
        (
            "friction_iteration",
            "`coupled` or `lagged`, the way in which the solver `variational` finds friction",
        ),
        ("algorithm", "`newton` or `conjugate gradient`, by which the solver `soft` minimises its cost"),
        ("line_search", "`exact` or `armijo`, the search of the solver `soft` along a direction"),
        (
            "stopping",
            "`certificate` or `improvement`, the quantity of the solver `soft` that `tolerance` is compared with",
        ),
        ("cone", "`pyramid` or `elliptic`, the friction cone of the solver `soft`"),
        ("cone_edges", "4, 8 or 16, the edges of `cone = pyramid`"),
        (
            "impedance_ratio",
            "a real greater than 0, how much firmer friction is than the normal force with the solver `soft`",
        ),
        ("no_slip_iterations", "a whole number, the passes of the solver `soft` that take slip away"),
        ("defaults", "`mujoco` or `genesis`, the numbers of the solver `soft` that a file leaves out"),
    ],
};

/// The mechanics that a simulation names, before its settings are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MechanicsKind {
    Contexts,
    Workflow,
    Rigid,
    Lagrangian,
}

/// Reads a simulation. Every mistake is reported and replaced by a value that is none, so that the laws can
/// still be checked for the objects that take part.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Simulation) {
    let &Environment { experiment, names, evaluator, .. } = environment;
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.name(diagnostics);
    fields.require("duration", "10", diagnostics);
    let numbers = Numbers { fields: &fields, evaluator };
    let world_time = experiment.world.iter().find(|attribute| attribute.name == "t");
    let written_time = numbers.real("initial_time", diagnostics);
    let initial_time = initial_time(&fields, written_time, world_time, diagnostics);
    let duration = numbers.within("duration", 0.0, f64::MAX, diagnostics).unwrap_or(1.0);
    let kind = mechanics_kind(&fields, diagnostics);
    let time_step = numbers.within("time_step", 0.0, f64::MAX, diagnostics);
    let frame_rate = numbers.within("frame_rate", 0.0, MAX_FRAME_RATE, diagnostics);
    let frame_rate = match (kind, time_step) {
        // Contexts find events between frames, and need no whole number of steps in a frame.
        (MechanicsKind::Contexts, _) | (_, None) => frame_rate.unwrap_or(DEFAULT_FRAME_RATE),
        (_, Some(step)) => time_grid::frame_rate(&fields, step, frame_rate, diagnostics),
    };
    if duration * frame_rate > MAX_FRAMES {
        let frames = Value::Real(duration * frame_rate);
        let message = format!("{duration} at {frame_rate} frames per unit of time are {frames} frames");
        diagnostics.push(
            Diagnostic::new(Code::E723, fields.span_of("duration"), message)
                .label(format!("more than {MAX_FRAMES} frames"))
                .help("simulate less, or lower the `frame rate`: events are found between frames too"),
        );
    }
    let up = numbers.direction("up", diagnostics).unwrap_or([0.0, 0.0, 1.0]);
    let objects = involved(&fields, "objects_involved", "object", &names.objects, diagnostics);
    let objects = without_parts(objects, &experiment.objects, diagnostics);
    let mechanics = mechanics(kind, &numbers, environment, diagnostics);
    // Only now the integrator is known, which decides whether steps have one length.
    let time_step =
        time_step.or_else(|| needs_time_step(&mechanics).then(|| time_grid::default_step(frame_rate)));
    let record = record::read(&fields, environment, &objects, &mechanics, diagnostics);
    let simulation = Simulation {
        name: name.text.clone(),
        initial_time,
        duration,
        frame_rate,
        time_step,
        objects,
        mechanics,
        record,
        up,
        span: name.span,
    };
    (name, simulation)
}

/// A simulation of everything there is by contexts, for a file that has none.
pub(crate) fn of_all(environment: &Environment<'_>, span: Span) -> Simulation {
    let &Environment { experiment, names, .. } = environment;
    let objects = names.objects.values().flatten().map(|&index| (index, None)).collect();
    let contexts = names.contexts.values().flatten().copied().collect();
    Simulation {
        name: String::new(),
        initial_time: 0.0,
        duration: 1.0,
        frame_rate: DEFAULT_FRAME_RATE,
        time_step: None,
        objects: without_parts(objects, &experiment.objects, &mut Vec::new()),
        mechanics: Mechanics::Contexts(ContextSettings { contexts, ..ContextSettings::default() }),
        record: Record::default(),
        up: [0.0, 0.0, 1.0],
        span,
    }
}

/// Reads the settings of the mechanics. Lines that belong to another one are mistakes; the numbers of all
/// are looked at in any case, so that no mistake in them goes unreported.
fn mechanics(
    kind: MechanicsKind,
    numbers: &Numbers<'_>,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Mechanics {
    let (fields, names) = (numbers.fields, environment.names);
    let written_tolerance = numbers.within("tolerance", 0.0, 1.0, diagnostics);
    let tolerance = written_tolerance.unwrap_or(DEFAULT_TOLERANCE);
    let touching_tolerance = numbers.within("touching_tolerance", 0.0, 1.0, diagnostics);
    let contexts = involved(fields, "contexts_involved", "context", &names.contexts, diagnostics);
    refuse_contexts(fields, kind, diagnostics);
    refuse_workflow(fields, kind, diagnostics);
    if kind != MechanicsKind::Rigid {
        rigid::refuse(fields, diagnostics);
    }
    if kind != MechanicsKind::Lagrangian {
        lagrangian::refuse(fields, diagnostics);
    }
    match kind {
        MechanicsKind::Contexts => Mechanics::Contexts(ContextSettings {
            contexts: contexts.into_iter().map(|(index, _)| index).collect(),
            integrator: integrator(fields, diagnostics),
            tolerance,
            touching_tolerance,
        }),
        MechanicsKind::Workflow => {
            integrator(fields, diagnostics);
            fields.require("workflow", "seq(kick, drift)", diagnostics);
            // A workflow of no rules stands in for one with a mistake, which has been reported.
            let flow = flow::read(fields, &names.rules, diagnostics);
            Mechanics::Workflow(flow.unwrap_or_else(|| Flow::Seq(Vec::new())))
        }
        MechanicsKind::Rigid => Mechanics::Rigid(RigidSettings {
            touching_tolerance,
            ..rigid::read(numbers, written_tolerance, diagnostics)
        }),
        MechanicsKind::Lagrangian => Mechanics::Lagrangian(LagrangianSettings {
            system: lagrangian::system(fields, &names.lagrangians, diagnostics),
            integrator: lagrangian::integrator(fields, diagnostics),
            tolerance,
        }),
    }
}

/// Returns `true` if the mechanics takes steps of one length that must be known.
fn needs_time_step(mechanics: &Mechanics) -> bool {
    match mechanics {
        Mechanics::Contexts(_) | Mechanics::Workflow(_) => false,
        Mechanics::Rigid(_) | Mechanics::Mechanism(_) => true,
        Mechanics::Lagrangian(settings) => lagrangian::steps_evenly(settings.integrator.as_deref()),
    }
}

/// The first time, from the simulation or from the world, which must not contradict each other.
fn initial_time(
    fields: &Fields<'_>,
    written: Option<f64>,
    world: Option<&Attribute>,
    diagnostics: &mut Vec<Diagnostic>,
) -> f64 {
    let in_world = world.and_then(|attribute| match attribute.value {
        Value::Real(time) => Some((time, attribute.span)),
        _ => None,
    });
    match (written, in_world) {
        (Some(time), Some((other, span))) if time != other => {
            let (time_text, other) = (Value::Real(time), Value::Real(other));
            let message = format!("the time begins at {time_text} here, but at {other} in the world");
            diagnostics.push(
                Diagnostic::new(Code::E716, fields.span_of("initial_time"), message)
                    .label(format!("{time_text} here"))
                    .also(span, format!("{other} here"))
                    .help("remove `t` from the world attributes: `initial time` is enough"),
            );
            time
        }
        (Some(time), _) | (None, Some((time, _))) => time,
        (None, None) => 0.0,
    }
}

fn mechanics_kind(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> MechanicsKind {
    let Some(words) = fields.words("mechanics", diagnostics) else { return MechanicsKind::Contexts };
    match words.text.as_str() {
        "contexts" => {}
        "workflow" => return MechanicsKind::Workflow,
        "rigid" => return MechanicsKind::Rigid,
        "lagrangian" => return MechanicsKind::Lagrangian,
        _ => diagnostics.push(no_such(
            words,
            "mechanics",
            ["contexts", "workflow", "rigid", "lagrangian"],
            "write `mechanics = rigid` for rigid bodies, `mechanics = lagrangian` for energies, `mechanics = workflow` for rules, or nothing for contexts",
        )),
    }
    MechanicsKind::Contexts
}

/// Reports a list of contexts where other laws hold.
fn refuse_contexts(fields: &Fields<'_>, kind: MechanicsKind, diagnostics: &mut Vec<Diagnostic>) {
    let (message, line) = match kind {
        MechanicsKind::Contexts => return,
        MechanicsKind::Workflow => ("contexts do not hold here: the mechanics is a workflow", "workflow"),
        MechanicsKind::Rigid => {
            ("contexts do not hold here: the bodies are rigid, and move by Newton's laws", "rigid")
        }
        MechanicsKind::Lagrangian => {
            ("contexts do not hold here: the motion follows from a Lagrangian", "lagrangian")
        }
    };
    if fields.has("contexts_involved") {
        diagnostics.push(
            Diagnostic::new(Code::E740, fields.span_of("contexts_involved"), message)
                .help(format!("remove this line, or the line `mechanics = {line}`")),
        );
    }
}

/// Reports a workflow where other laws hold.
fn refuse_workflow(fields: &Fields<'_>, kind: MechanicsKind, diagnostics: &mut Vec<Diagnostic>) {
    let message = match kind {
        MechanicsKind::Workflow => return,
        MechanicsKind::Rigid => {
            "this `workflow` has no effect: the bodies are rigid, and their step is built in"
        }
        MechanicsKind::Lagrangian => "this `workflow` has no effect: the motion follows from a Lagrangian",
        MechanicsKind::Contexts => "this `workflow` has no effect: the laws stand in contexts here",
    };
    if fields.has("workflow") {
        diagnostics.push(
            Diagnostic::new(Code::E740, fields.span_of("workflow"), message)
                .help("add `mechanics = workflow`, or remove the workflow"),
        );
    }
}

/// The method that integrates rates, as the registry calls it: `dormand prince` and `dormand_prince` are
/// dormand-prince.
fn integrator(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let words = fields.words("integrator", diagnostics)?;
    let name = words.text.replace([' ', '_'], "-");
    let Err(misfit) = ode::Method::by_name(&name) else { return Some(name) };
    let known: Vec<String> = ode::Method::all().map(|it| it.replace('-', "_")).collect();
    let diagnostic =
        Diagnostic::new(Code::E735, words.span, misfit.to_string()).label("cannot integrate rates");
    let begun = known.iter().find(|it| it.starts_with(&words.text));
    diagnostics.push(match (begun, similar(&words.text, known.iter().map(String::as_str))) {
        // Half a name, such as `dormand`.
        (Some(meant), _) => diagnostic.help(format!("did you mean `{meant}`?")),
        (None, Some(meant)) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
        (None, None) => {
            let known: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
            diagnostic.help(format!("rates can be integrated by {}", known.join(", ")))
        }
    });
    None
}

/// The indices of what a list names, increasing; of everything, if there is no list.
fn involved(
    fields: &Fields<'_>,
    key: &str,
    what: &str,
    known: &BlockNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(usize, Option<Span>)> {
    if !fields.has(key) {
        return known.values().flatten().map(|&index| (index, None)).collect();
    }
    let mut found = Vec::new();
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in fields.names(key, diagnostics) {
        if let Some(&first) = seen.get(name.text.as_str()) {
            diagnostics.push(
                Diagnostic::new(
                    Code::E722,
                    name.span,
                    format!("the {what} `{}` takes part twice", name.text),
                )
                .label("again here")
                .also(first, "first here")
                .help("remove one of the two"),
            );
            continue;
        }
        seen.insert(&name.text, name.span);
        match known.get(&name.text) {
            Some(index) => found.extend(index.map(|index| (index, Some(name.span)))),
            None => {
                let message = format!("there is no {what} called `{}`", name.text);
                let diagnostic = Diagnostic::new(Code::E721, name.span, message)
                    .label(format!("not the name of any {what}"));
                diagnostics.push(
                    match guess(diagnostics.len(), &name.text, known.keys().map(String::as_str)) {
                        Some(meant) => {
                            diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant)
                        }
                        None => {
                            diagnostic.help(format!("add `{what} {{ name = {} … }}` to the file", name.text))
                        }
                    },
                );
            }
        }
    }
    found.sort_unstable();
    found
}

/// The objects without those that are parts of others. A part that a list names beside its whole is a
/// mistake.
fn without_parts(
    involved: Vec<(usize, Option<Span>)>,
    objects: &[Object],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let mut whole_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut queue: Vec<usize> = involved.iter().map(|(index, _)| *index).collect();
    while let Some(whole) = queue.pop() {
        for part in &objects[whole].parts {
            if whole_of.insert(&part.text, whole).is_none()
                && let Ok(index) = objects.binary_search_by(|object| object.name.cmp(&part.text))
            {
                queue.push(index);
            }
        }
    }
    let mut free = Vec::new();
    for (index, listed) in involved {
        let name = objects[index].name.as_str();
        match (whole_of.get(name), listed) {
            (None, _) => free.push(index),
            (Some(_), None) => {}
            (Some(&whole), Some(span)) => {
                let whole = &objects[whole];
                let message = format!("`{name}` takes part as a part of `{}` already", whole.name);
                diagnostics.push(
                    Diagnostic::new(Code::E722, span, message)
                        .label("it cannot also be free")
                        .also(whole.shape_span, "glued here")
                        .help(format!("remove `{name}` here, or from the parts of `{}`", whole.name)),
                );
            }
        }
    }
    free
}
