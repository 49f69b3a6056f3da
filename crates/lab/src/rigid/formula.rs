//! The formulas of a law, compiled, over all bodies that it cannot tell apart: where each number of their
//! inputs comes from, and what happens when one of them has no value.

use super::body_view::{Part, Seen};
use crate::workflow::law::{Failed, Given, Inputs, values};
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{
    Attribute, CENTRE, ForceLaw as Bodily, ForceLawProgram as Acted, Object, ROTATION,
};
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::program::Program;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::Pose;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Inputs that a message about a failure lists.
const INPUTS_SHOWN: usize = 12;

/// Where a scalar of an input comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The time.
    Time,
    /// It never changes, and is the same for all rows.
    Same(f64),
    /// It never changes.
    Each(Vec<f64>),
    /// Of the body with this number in the row.
    Own(usize, Part),
    /// Of another body.
    Other(ComponentId, Part),
}

/// Why a law, a curve or a constraint had no value, kept until somebody asks.
#[derive(Debug, Default)]
pub struct Failures(Mutex<Option<Diagnostic>>);

impl Failures {
    /// Keeps the first one.
    pub(super) fn keep(&self, diagnostic: Diagnostic) {
        locked(&self.0).get_or_insert(diagnostic);
    }

    /// Why something of the user's had no value, if it had none since this was last asked.
    pub fn take(&self) -> Option<Diagnostic> {
        locked(&self.0).take()
    }
}

/// A lock that is held for one evaluation; after a panic its memory is as good as any.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What everybody who compiles a law needs to know of the world it is for.
pub(super) struct Around<'a> {
    pub(super) world: &'a [Attribute],
    pub(super) objects: &'a [Object],
    /// The component of an object of the simulation.
    pub(super) id: &'a dyn Fn(usize) -> ComponentId,
    /// By row: where the own frame of a body is in its principal one.
    pub(super) frames: &'a Arc<[Pose]>,
    pub(super) failures: &'a Arc<Failures>,
    pub(super) native: bool,
}

/// The formulas of a law for one group of bodies.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) program: Program,
    /// For every input, its scalars.
    pub(super) sources: Vec<Vec<Source>>,
    /// For every row, its bodies.
    pub(super) members: Vec<Vec<ComponentId>>,
    /// For every row, what its bodies are called.
    names: Vec<String>,
    frames: Arc<[Pose]>,
    law: String,
    failures: Arc<Failures>,
}

/// What a formula works with; it carries nothing from one evaluation to the next.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) machine: Machine,
    pub(super) inputs: Inputs,
    pub(super) results: Vec<Vec<f64>>,
    /// For every row, what is seen of its bodies.
    pub(super) seen: Vec<Vec<Seen>>,
}

impl Formula {
    pub(super) fn new(law: &Bodily, acted: &Acted, around: &Around<'_>) -> Self {
        let Acted { members, checked } = acted;
        let program = checked.program.clone();
        let sources = sources(checked, members, around);
        let named = |member: &Vec<usize>| {
            let names: Vec<String> =
                member.iter().map(|&index| format!("`{}`", around.objects[index].name)).collect();
            names.join(" and ")
        };
        Self {
            program,
            sources,
            names: members.iter().map(named).collect(),
            members: members
                .iter()
                .map(|member| member.iter().map(|&it| (around.id)(it)).collect())
                .collect(),
            frames: around.frames.clone(),
            law: law.name.clone(),
            failures: around.failures.clone(),
        }
    }

    /// Whether a scalar of an input differs from row to row.
    pub(super) fn varies(&self, input: usize, element: usize) -> bool {
        matches!(self.sources[input][element], Source::Own(..) | Source::Each(_))
    }

    pub(super) fn desk(&self) -> Desk {
        let given = |source: &Source| match source {
            Source::Same(value) => Given::Same(*value),
            Source::Each(values) => Given::Each(values.clone()),
            Source::Own(..) => Given::Each(vec![0.0; self.members.len()]),
            Source::Time | Source::Other(..) => Given::Same(0.0),
        };
        Desk {
            machine: Machine::new(Arc::new(compile(&self.program)), Limits::default()),
            inputs: self.sources.iter().map(|scalars| scalars.iter().map(given).collect()).collect(),
            results: Vec::new(),
            seen: vec![Vec::new(); self.members.len()],
        }
    }

    /// What is seen of a body whose principal frame is there.
    pub(super) fn seen(&self, id: ComponentId, principal: Pose, twist: gedanken_rigid::Twist) -> Seen {
        Seen::new(principal, twist, self.frames.get(id.row()).copied().unwrap_or(Pose::IDENTITY))
    }

    /// Looks at all bodies of all rows.
    pub(super) fn gather(&self, time: f64, look: &impl Fn(ComponentId) -> Seen, desk: &mut Desk) {
        for (members, seen) in self.members.iter().zip(&mut desk.seen) {
            seen.clear();
            seen.extend(members.iter().map(|&id| look(id)));
        }
        self.fill(time, look, desk);
    }

    /// Puts what is seen of the bodies into the inputs.
    pub(super) fn fill(&self, time: f64, look: &impl Fn(ComponentId) -> Seen, desk: &mut Desk) {
        let Desk { inputs, seen, .. } = desk;
        for (source, given) in self.sources.iter().flatten().zip(inputs.iter_mut().flatten()) {
            match (source, given) {
                (Source::Own(number, part), Given::Each(values)) => {
                    for (value, seen) in values.iter_mut().zip(seen.iter()) {
                        *value = seen[*number].value(*part);
                    }
                }
                (Source::Time, given) => *given = Given::Same(time),
                (Source::Other(id, part), given) => *given = Given::Same(look(*id).value(*part)),
                _ => {}
            }
        }
    }

    /// Keeps why a row failed, and says it in short.
    pub(super) fn fail(&self, failed: Failed, inputs: &Inputs, time: f64) -> String {
        let message = failed.diagnostic.message.clone();
        let values = values(&self.program, inputs, failed.row);
        let given = self.program.inputs.iter().zip(values).take(INPUTS_SHOWN);
        let shown: Vec<String> = given.map(|(input, value)| format!("{} = {value}", input.name)).collect();
        let mut diagnostic = *failed.diagnostic;
        if !shown.is_empty() {
            diagnostic = diagnostic.note(format!("it was given {}", shown.join(", ")));
        }
        let whom = self.names.get(failed.row).map_or("nobody", String::as_str);
        let time = Value::Real(time);
        self.failures.keep(diagnostic.note(format!("in `{}`, for {whom}, at t = {time}", failed.function)));
        format!("the law `{}` has no value for {whom}: {message}", self.law)
    }
}

/// Where the inputs of a program come from.
fn sources(checked: &Checked, members: &[Vec<usize>], around: &Around<'_>) -> Vec<Vec<Source>> {
    let of_input = |input: &gedanken_lang::program::Input| {
        let count = input.ty.scalars().unwrap_or(0);
        match &checked.scope.variables[input.scope_index].binding {
            Binding::World { name } if name == "t" => vec![Source::Time],
            Binding::World { name } => {
                let attribute = around.world.iter().find(|it| it.name == *name);
                let scalars = attribute.and_then(|it| it.value.scalars()).unwrap_or_default();
                scalars.into_iter().map(Source::Same).collect()
            }
            Binding::Object { index, attribute } | Binding::Context { index, attribute } => {
                let first = &around.objects[members[0][*index]];
                match moving(first, attribute, count) {
                    Some(parts) => parts.into_iter().map(|part| Source::Own(*index, part)).collect(),
                    None => {
                        let scalars =
                            |member: &Vec<usize>| constant(&around.objects[member[*index]], attribute);
                        let rows: Vec<Vec<f64>> = members.iter().map(scalars).collect();
                        let each = |k: usize| Source::Each(rows.iter().map(|row| row[k]).collect());
                        (0..count).map(each).collect()
                    }
                }
            }
            Binding::Engine { index, name } => {
                let index = index.unwrap_or(0);
                given(name).into_iter().map(|part| Source::Own(index, part)).collect()
            }
            Binding::Named { object, attribute } => {
                let Some(place) = around.objects.iter().position(|it| it.name == *object) else {
                    return vec![Source::Same(0.0); count];
                };
                let known = &around.objects[place];
                let parts = match known.attribute(attribute) {
                    Some(_) => moving(known, attribute, count),
                    None => Some(given(attribute)),
                };
                match parts {
                    Some(parts) => {
                        parts.into_iter().map(|part| Source::Other((around.id)(place), part)).collect()
                    }
                    None => constant(known, attribute).into_iter().map(Source::Same).collect(),
                }
            }
        }
    };
    checked.program.inputs.iter().map(of_input).collect()
}

/// The numbers of an attribute that changes as the body moves; `None` for one that keeps its value.
pub(super) fn moving(object: &Object, attribute: &str, count: usize) -> Option<Vec<Part>> {
    let parts = |part: fn(usize) -> Part| Some((0..count).map(part).collect());
    match (attribute, count) {
        ("position", _) => parts(Part::Position),
        ("velocity", _) if !object.is_static => parts(Part::Velocity),
        ("angular_velocity", _) if !object.is_static => parts(Part::AngularVelocity),
        ("orientation", 4) => parts(Part::Quaternion),
        ("orientation", _) => parts(Part::Euler),
        _ => None,
    }
}

/// The numbers of what the engine knows of a body.
fn given(name: &str) -> Vec<Part> {
    match name {
        ROTATION => (0..9).map(|k| Part::Rotation(k / 3, k % 3)).collect(),
        CENTRE => (0..3).map(Part::Centre).collect(),
        _ => Vec::new(),
    }
}

fn constant(object: &Object, attribute: &str) -> Vec<f64> {
    object.attribute(attribute).and_then(|it| it.value.scalars()).unwrap_or_default()
}
