//! The formulas of a law over all bodies that it cannot tell apart: the origin of each scalar of their
//! inputs, and the words for a row without a value. The kernel that runs them belongs to the kind of law.

use super::body_view::{Part, Seen};
use crate::run::options::Options;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{
    CENTRE, Experiment, ForceLaw as Bodily, ForceLawProgram as Acted, Object, ROTATION,
};
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::ir::{Access, Slot};
use gedanken_lang::kernel::{Column, Reference};
use gedanken_lang::program::Input;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits};
use gedanken_math::Pose;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Origin of a scalar of an input.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The time.
    Time,
    /// A constant, the same for all rows.
    Same(f64),
    /// A constant for each row.
    Each(Vec<f64>),
    /// Part of the motion of the body with this number in the row.
    Own(usize, Part),
    /// Part of the motion of another body, the same for all rows.
    Other(ComponentId, Part),
}

/// The first failure of a law, a curve or a constraint, kept until the run asks for it.
#[derive(Debug, Default)]
pub struct Failures(Mutex<Option<Diagnostic>>);

impl Failures {
    /// Keeps a failure, unless there is an earlier one.
    pub(super) fn keep(&self, diagnostic: Diagnostic) {
        locked(&self.0).get_or_insert(diagnostic);
    }

    /// Takes the failure that happened since the last call, if there was one.
    pub fn take(&self) -> Option<Diagnostic> {
        locked(&self.0).take()
    }
}

/// Locks memory for one evaluation. Memory that a panic left behind is as good as any.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The world that a law is compiled for.
pub(super) struct Around<'a> {
    pub(super) experiment: &'a Experiment,
    /// Component of an object of the simulation.
    pub(super) id: &'a dyn Fn(usize) -> ComponentId,
    /// Object of a component.
    pub(super) object: &'a dyn Fn(ComponentId) -> Option<usize>,
    /// By row, the pose of a body's own frame in its principal frame.
    pub(super) frames: &'a Arc<[Pose]>,
    pub(super) failures: &'a Arc<Failures>,
    pub(super) options: &'a Options,
}

/// The formulas of a law for one group of bodies.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) reference: Arc<Reference>,
    /// Origin of every scalar of every input.
    pub(super) sources: Vec<Source>,
    /// For every row, its bodies.
    pub(super) members: Vec<Vec<ComponentId>>,
    /// For every row, the names of its bodies.
    names: Vec<String>,
    frames: Arc<[Pose]>,
    law: String,
    failures: Arc<Failures>,
}

/// Memory that a formula works with. It carries nothing from one evaluation to the next.
#[derive(Debug)]
pub(super) struct Desk {
    /// A column for every scalar of every input.
    pub(super) inputs: Vec<Column>,
    pub(super) results: Vec<Vec<f64>>,
    /// For every row, the motion of its bodies.
    pub(super) seen: Vec<Vec<Seen>>,
}

impl Formula {
    pub(super) fn new(law: &Bodily, acted: &Acted, around: &Around<'_>) -> Self {
        let Acted { members, checked } = acted;
        let named = |member: &Vec<usize>| {
            let names: Vec<String> =
                member.iter().map(|&index| format!("`{}`", around.experiment.objects[index].name)).collect();
            names.join(" and ")
        };
        Self {
            reference: Reference::new(checked.program.clone(), Limits::until(&around.options.cancel)),
            sources: sources(checked, members, around),
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

    /// Access to the scalar of an input that a slot reads.
    pub(super) fn access(&self, slot: Slot) -> Access {
        match self.sources[self.reference.place(slot)] {
            Source::Own(..) | Source::Each(_) => Access::Each,
            _ => Access::Same,
        }
    }

    /// Returns `true` if it reads a velocity of a body.
    pub(super) fn reads_motion(&self) -> bool {
        self.sources.iter().any(|source| match source {
            Source::Own(_, part) | Source::Other(_, part) => !part.is_place(),
            Source::Time | Source::Same(_) | Source::Each(_) => false,
        })
    }

    /// Returns `true` if it reads the time.
    pub(super) fn reads_time(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Time))
    }

    pub(super) fn desk(&self) -> Desk {
        let given = |source: &Source| match source {
            Source::Same(value) => Column::Same(*value),
            Source::Each(values) => Column::Each(values.clone()),
            Source::Own(..) => Column::Each(vec![0.0; self.members.len()]),
            Source::Time | Source::Other(..) => Column::Same(0.0),
        };
        Desk {
            inputs: self.sources.iter().map(given).collect(),
            results: Vec::new(),
            seen: vec![Vec::new(); self.members.len()],
        }
    }

    /// Motion of a body, from that of its principal frame.
    pub(super) fn seen(&self, id: ComponentId, principal: Pose, twist: gedanken_rigid::Twist) -> Seen {
        Seen::new(principal, twist, self.frames.get(id.row()).copied().unwrap_or(Pose::IDENTITY))
    }

    /// Reads the motion of all bodies of all rows, and fills the inputs.
    pub(super) fn gather(&self, time: f64, look: &impl Fn(ComponentId) -> Seen, desk: &mut Desk) {
        for (members, seen) in self.members.iter().zip(&mut desk.seen) {
            seen.clear();
            seen.extend(members.iter().map(|&id| look(id)));
        }
        self.fill(time, look, desk);
    }

    /// Fills the inputs from the motion of the bodies.
    pub(super) fn fill(&self, time: f64, look: &impl Fn(ComponentId) -> Seen, desk: &mut Desk) {
        let Desk { inputs, seen, .. } = desk;
        for (source, given) in self.sources.iter().zip(inputs) {
            match (source, given) {
                (Source::Own(number, part), Column::Each(values)) => {
                    for (value, seen) in values.iter_mut().zip(seen.iter()) {
                        *value = seen[*number].value(*part);
                    }
                }
                (Source::Time, given) => *given = Column::Same(time),
                (Source::Other(id, part), given) => *given = Column::Same(look(*id).value(*part)),
                _ => {}
            }
        }
    }

    /// Keeps the failure of a row with all its circumstances, and returns it in short.
    pub(super) fn fail(&self, (row, fault): (usize, Fault), inputs: &[Column], time: f64) -> String {
        let diagnostic = self.reference.explain(&fault, inputs, row);
        let whom = self.names.get(row).map_or("nobody", String::as_str);
        let time = Value::Real(time);
        self.failures.keep(diagnostic.note(format!("in `{}`, for {whom}, at t = {time}", fault.function)));
        format!("the law `{}` has no value for {whom}: {}", self.law, fault.message)
    }
}

/// Origins of the scalars of all inputs of a program.
fn sources(checked: &Checked, members: &[Vec<usize>], around: &Around<'_>) -> Vec<Source> {
    let of_input = |input: &Input| {
        let count = input.ty.scalars().unwrap_or(0);
        match &checked.scope.variables[input.scope_index].binding {
            Binding::World { name } if name == "t" => vec![Source::Time],
            Binding::World { name } => {
                let attribute = around.experiment.world_attribute(name);
                let scalars = attribute.and_then(|it| it.value.scalars()).unwrap_or_default();
                scalars.into_iter().map(Source::Same).collect()
            }
            Binding::Object { index, attribute } | Binding::Context { index, attribute } => {
                // Rows cannot be told apart by the law, so that the first one speaks for all.
                let first = &around.experiment.objects[members[0][*index]];
                match moving(first, attribute, count) {
                    Some(parts) => parts.into_iter().map(|part| Source::Own(*index, part)).collect(),
                    None => {
                        let scalars = |member: &Vec<usize>| {
                            constant(&around.experiment.objects[member[*index]], attribute)
                        };
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
                let Some(place) = around.experiment.object(object) else {
                    return vec![Source::Same(0.0); count];
                };
                let known = &around.experiment.objects[place];
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
    checked.program.inputs.iter().flat_map(of_input).collect()
}

/// Scalars of an attribute that changes as the body moves; `None` for one that keeps its value.
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

/// Scalars that the engine gives of a body.
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
