//! Simulations: who takes part, from when, for how long.

pub(crate) mod record;
pub(crate) mod time_grid;

use super::context::Context;
use super::lagrangian::{self, Lagrangian};
use super::object::attribute::Attribute;
use super::object::{Object, no_such};
use super::read::evaluate::Evaluator;
use super::read::fields::{BlockForm, Fields};
use super::read::numbers::Numbers;
use super::rigid::settings;
use super::rigid::settings::RigidSettings;
use super::rule::flow;
use super::rule::flow::{Flow, RuleNames};
use gedanken_dynamics::integrate::ode;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Name};
use gedanken_lang::value::Value;
use record::Record;
use std::collections::BTreeMap;

/// One simulation of the experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// Its name; no two simulations have the same.
    pub name: String,
    /// The time at which it begins.
    pub initial_time: f64,
    /// How long it lasts; positive.
    pub duration: f64,
    /// Frames per unit of time.
    pub frame_rate: f64,
    /// Who takes part: indices into the objects of the experiment, increasing, hence by name. Parts are not
    /// among them.
    pub objects: Vec<usize>,
    /// Which laws hold: indices into the contexts of the experiment, increasing.
    pub contexts: Vec<usize>,
    /// Who states the laws.
    pub mechanics: Mechanics,
    /// How exactly rates are integrated.
    pub tolerance: f64,
    /// How close surfaces must be to touch; chosen by the engine if `None`.
    pub touching_tolerance: Option<f64>,
    /// The method that integrates rates; chosen by the engine if `None`.
    pub integrator: Option<String>,
    /// What is recorded.
    pub record: Record,
    /// How long a step is; one step for each frame, if `None`.
    pub time_step: Option<f64>,
    /// How rules make a step, where the mechanics is a workflow.
    pub workflow: Option<Flow>,
    /// How rigid bodies are computed, where the mechanics is theirs.
    pub rigid: Option<RigidSettings>,
    /// Which system moves, where the mechanics is Lagrange's: an index into those of the experiment.
    pub lagrangian: Option<usize>,
    /// Which way is up for the eye. No law knows it.
    pub up: [f64; 3],
    /// Where its name is written.
    pub span: Span,
}

/// Who states the laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mechanics {
    /// The user, in contexts.
    #[default]
    Contexts,
    /// The user, in rules that a workflow puts together.
    Workflow,
    /// Newton and Euler; the user adds forces, potentials, constraints and joints.
    Rigid,
    /// Lagrange and Hamilton; the user states energies.
    Lagrangian,
}

/// Frames per unit of time, unless the simulation says otherwise.
pub const FRAME_RATE: f64 = 60.0;
/// How exactly rates are integrated, unless the simulation says otherwise.
pub const TOLERANCE: f64 = 1e-10;

const FASTEST: f64 = 1e6;
const MOST_FRAMES: f64 = 1e8;

pub(super) const FORM: BlockForm = BlockForm {
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
            "the name of a method: `dormand_prince`, `rk4` or `implicit_midpoint`; for rigid bodies `leapfrog` or `symplectic_euler`",
        ),
        ("tolerance", "a small real greater than 0"),
        ("touching_tolerance", "a small real greater than 0"),
        ("record", "names in braces, `{position, v}`, or one of the words `all` and `attributes`"),
        ("up", "a vector of 3"),
        ("gravity", "a vector of 3: `[0, 0, -9.81]`"),
        ("solver", "`gauss-seidel` or `jacobi`"),
        ("substeps", "a whole number"),
        ("iterations", "a whole number"),
        ("slop", "a small real that is not negative"),
        ("correction", "a real from 0 to 1"),
        ("combination", "how coefficients combine: `geometric mean`"),
        ("rest_speed", "a small real that is not negative"),
    ],
};

/// What a simulation can name.
pub(super) struct Cast<'c> {
    pub(super) world: &'c [Attribute],
    pub(super) objects: &'c [Object],
    /// Every object that was written, with its index unless something is wrong with it.
    pub(super) object_names: &'c BTreeMap<String, Option<usize>>,
    pub(super) contexts: &'c [Context],
    /// The same for contexts.
    pub(super) context_names: &'c BTreeMap<String, Option<usize>>,
    /// The same for rules and events.
    pub(super) rule_names: &'c RuleNames,
    /// The names of all laws of rigid bodies.
    pub(super) laws: &'c [&'c str],
    /// Systems that are stated by their energies, those without a mistake.
    pub(super) lagrangians: &'c [Lagrangian],
    /// Every one that was written, with its index unless something is wrong with it.
    pub(super) lagrangian_names: &'c BTreeMap<String, Option<usize>>,
    /// The names of all measures.
    pub(super) measures: &'c [&'c str],
    /// Whether every attribute of the world has a value.
    pub(super) whole_world: bool,
}

impl Cast<'_> {
    /// Whether nothing was left out that has been reported.
    pub(super) fn is_whole(&self) -> bool {
        self.whole_world && self.object_names.values().chain(self.context_names.values()).all(Option::is_some)
    }
}

/// Reads a simulation. What is wrong has been reported, and is replaced by something that is not, so that the
/// laws can still be checked for those who take part.
pub(super) fn read(
    block: &Block,
    cast: &Cast<'_>,
    evaluator: &Evaluator<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Simulation) {
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.name(diagnostics);
    fields.require("duration", "10", diagnostics);
    let numbers = Numbers { fields: &fields, evaluator };
    let world_time = cast.world.iter().find(|attribute| attribute.name == "t");
    let written_time = numbers.real("initial_time", diagnostics);
    let initial_time = initial_time(&fields, written_time, world_time, diagnostics);
    let duration = numbers.within("duration", 0.0, f64::MAX, diagnostics).unwrap_or(1.0);
    let mechanics = mechanics(&fields, diagnostics);
    let time_step = numbers.within("time_step", 0.0, f64::MAX, diagnostics);
    let frame_rate = numbers.within("frame_rate", 0.0, FASTEST, diagnostics);
    let frame_rate = match (mechanics, time_step) {
        (Mechanics::Workflow | Mechanics::Rigid | Mechanics::Lagrangian, Some(step)) => {
            time_grid::frame_rate(&fields, step, frame_rate, diagnostics)
        }
        _ => frame_rate.unwrap_or(FRAME_RATE),
    };
    if duration * frame_rate > MOST_FRAMES {
        let frames = Value::Real(duration * frame_rate);
        let message = format!("{duration} at {frame_rate} frames per unit of time are {frames} frames");
        diagnostics.push(
            Diagnostic::new(Code::E723, fields.place("duration"), message)
                .label(format!("more than {MOST_FRAMES} frames"))
                .help("simulate less, or lower the `frame rate`: events are found between frames too"),
        );
    }
    let tolerance = numbers.within("tolerance", 0.0, 1.0, diagnostics).unwrap_or(TOLERANCE);
    let touching_tolerance = numbers.within("touching_tolerance", 0.0, 1.0, diagnostics);
    let up = numbers.direction("up", diagnostics).unwrap_or([0.0, 0.0, 1.0]);
    let workflow = workflow(&fields, mechanics, cast.rule_names, diagnostics);
    let integrator = match mechanics {
        Mechanics::Rigid => settings::integrator(&fields, diagnostics),
        Mechanics::Lagrangian => lagrangian::integrator(&fields, diagnostics),
        _ => integrator(&fields, diagnostics),
    };
    let time_step = match mechanics {
        Mechanics::Rigid => time_step.or_else(|| Some(settings::usual_step(frame_rate))),
        Mechanics::Lagrangian if lagrangian::steps_evenly(integrator.as_deref()) => {
            time_step.or_else(|| Some(settings::usual_step(frame_rate)))
        }
        _ => time_step,
    };
    let lagrangian = lagrangian::named(&fields, mechanics, cast.lagrangian_names, diagnostics);
    let rigid = settings::read(&numbers, mechanics, diagnostics);
    let objects = involved(&fields, "objects_involved", "object", cast.object_names, diagnostics);
    let contexts = involved(&fields, "contexts_involved", "context", cast.context_names, diagnostics);
    let objects = without_parts(objects, cast.objects, diagnostics);
    let contexts: Vec<usize> = match mechanics {
        Mechanics::Contexts => contexts.into_iter().map(|(index, _)| index).collect(),
        Mechanics::Workflow | Mechanics::Rigid | Mechanics::Lagrangian => Vec::new(),
    };
    let system = lagrangian.map(|index| &cast.lagrangians[index]);
    let record = record::read(&fields, cast, &objects, &contexts, system, diagnostics);
    let simulation = Simulation {
        name: name.text.clone(),
        initial_time,
        duration,
        frame_rate,
        objects,
        contexts,
        mechanics,
        tolerance,
        touching_tolerance,
        integrator,
        record,
        time_step,
        workflow,
        rigid,
        lagrangian,
        up,
        span: name.span,
    };
    (name, simulation)
}

/// A simulation of everything there is, for a file that has none.
pub(super) fn of_all(cast: &Cast<'_>, span: Span) -> Simulation {
    let everybody = cast.object_names.values().flatten().map(|&index| (index, None)).collect();
    Simulation {
        name: String::new(),
        initial_time: 0.0,
        duration: 1.0,
        frame_rate: FRAME_RATE,
        objects: without_parts(everybody, cast.objects, &mut Vec::new()),
        contexts: cast.context_names.values().flatten().copied().collect(),
        mechanics: Mechanics::default(),
        tolerance: TOLERANCE,
        touching_tolerance: None,
        integrator: None,
        record: Record::default(),
        time_step: None,
        workflow: None,
        rigid: None,
        lagrangian: None,
        up: [0.0, 0.0, 1.0],
        span,
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
                Diagnostic::new(Code::E716, fields.place("initial_time"), message)
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

fn mechanics(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Mechanics {
    let Some(words) = fields.words("mechanics", diagnostics) else { return Mechanics::default() };
    match words.text.as_str() {
        "contexts" => {}
        "workflow" => return Mechanics::Workflow,
        "rigid" => return Mechanics::Rigid,
        "lagrangian" => return Mechanics::Lagrangian,
        _ => diagnostics.push(no_such(
            words,
            "mechanics",
            ["contexts", "workflow", "rigid", "lagrangian"],
            "write `mechanics = rigid` for rigid bodies, `mechanics = lagrangian` for energies, `mechanics = workflow` for rules, or nothing for contexts",
        )),
    }
    Mechanics::Contexts
}

/// The workflow, which belongs to its mechanics and to no other.
fn workflow(
    fields: &Fields<'_>,
    mechanics: Mechanics,
    rules: &RuleNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Flow> {
    if mechanics == Mechanics::Workflow {
        if fields.has("contexts_involved") {
            let message = "contexts do not hold here: the mechanics is a workflow";
            diagnostics.push(
                Diagnostic::new(Code::E740, fields.place("contexts_involved"), message)
                    .help("remove this line, or the line `mechanics = workflow`"),
            );
        }
        fields.require("workflow", "seq(kick, drift)", diagnostics);
        return flow::read(fields, rules, diagnostics);
    }
    if matches!(mechanics, Mechanics::Rigid | Mechanics::Lagrangian) && fields.has("contexts_involved") {
        let (message, line) = match mechanics {
            Mechanics::Rigid => {
                ("contexts do not hold here: the bodies are rigid, and move by Newton's laws", "rigid")
            }
            _ => ("contexts do not hold here: the motion follows from a Lagrangian", "lagrangian"),
        };
        diagnostics.push(
            Diagnostic::new(Code::E740, fields.place("contexts_involved"), message)
                .help(format!("remove this line, or the line `mechanics = {line}`")),
        );
    }
    if fields.has("workflow") {
        let message = match mechanics {
            Mechanics::Rigid => {
                "this `workflow` would be passed over: the bodies are rigid, and their step is built in"
            }
            Mechanics::Lagrangian => {
                "this `workflow` would be passed over: the motion follows from a Lagrangian"
            }
            _ => "this `workflow` would be passed over: the laws stand in contexts here",
        };
        diagnostics.push(
            Diagnostic::new(Code::E740, fields.place("workflow"), message)
                .help("add `mechanics = workflow`, or remove the workflow"),
        );
    }
    None
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
    known: &BTreeMap<String, Option<usize>>,
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
                diagnostics.push(match similar(&name.text, known.keys().map(String::as_str)) {
                    Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
                    None => diagnostic.help(format!("add `{what} {{ name = {} … }}` to the file", name.text)),
                });
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
