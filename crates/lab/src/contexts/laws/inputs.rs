//! Sources of a law's inputs and targets of its outputs: the names of a checked context bound to the state.

use super::Varying;
use crate::contexts::ids::{ActorId, Column, ColumnId, ContextColumnId, Id, ParticipantId, WorldColumnId};
use crate::contexts::layout::Layout;
use gedanken_experiment::Experiment;
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::ir::{Graph, Slot};
use gedanken_lang::program::{InputId, Output, OutputKind, Program};
use std::collections::BTreeMap;

/// Source of one scalar input. `participant` is numbered as in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// The time, s.
    Time,
    /// The time since the last completed frame or event, s.
    Elapsed,
    /// A scalar of the world's attributes.
    World(WorldColumnId),
    /// The same, of an attribute that no law sets.
    Fixed(WorldColumnId),
    /// A scalar of a participant's attributes, as stored at the last completed frame or event.
    Stored { participant: ParticipantId, column: ColumnId },
    /// A scalar of the evaluated object that has a rate: the integrated value at this instant.
    Integrated { column: ColumnId },
    /// A scalar of a context attribute.
    Kept { participant: ParticipantId, column: ContextColumnId },
    /// A scalar of another object's attributes, at the same instant.
    Other { actor: ActorId, column: ColumnId },
    /// The real with these bits: an attribute of an object that does not take part.
    Constant(u64),
    /// A value that the engine measured: its number, and the scalar in it.
    Given { given: usize, element: usize },
}

impl Source {
    /// Returns `true` if the value is read from the state at once, without another law.
    pub(crate) fn is_plain(self) -> bool {
        use Source::{Constant, Elapsed, Fixed, Kept, Stored, Time};
        matches!(self, Time | Elapsed | Fixed(_) | Stored { .. } | Kept { .. } | Constant(_))
    }
}

/// Target of an output. `participant` is numbered as in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// An attribute of the world.
    World(WorldColumnId),
    /// An attribute of a participant.
    Stored { participant: ParticipantId, column: ColumnId },
    /// A context attribute.
    Kept { participant: ParticipantId, column: ContextColumnId },
}

/// A context attribute, which every participant has for itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptField {
    pub(crate) participant: ParticipantId,
    pub(crate) name: String,
    pub(crate) ty: gedanken_lang::types::Type,
    /// Column of its first scalar, among those of the same participant.
    pub(crate) start: ContextColumnId,
}

/// Binds the names of a checked context to the objects that take part.
#[derive(Debug)]
pub(crate) struct Binder<'b> {
    pub(crate) experiment: &'b Experiment,
    pub(crate) layout: &'b Layout,
    varying: &'b Varying,
    pub(crate) checked: &'b Checked,
    /// Participants.
    pub(crate) participants: &'b [ActorId],
    /// Number of the evaluated participant; `None` in collisions.
    pub(crate) evaluated: Option<ParticipantId>,
    pub(crate) kept: Vec<KeptField>,
    /// Values of the engine that are read, by participant and name.
    pub(crate) given: Vec<(Option<ParticipantId>, String)>,
    rated: Vec<(usize, String)>,
}

impl<'b> Binder<'b> {
    pub(crate) fn new(
        experiment: &'b Experiment,
        layout: &'b Layout,
        varying: &'b Varying,
        checked: &'b Checked,
        participants: &'b [ActorId],
        evaluated: Option<ParticipantId>,
    ) -> Self {
        let mut binder = Self {
            experiment,
            layout,
            varying,
            checked,
            participants,
            evaluated,
            kept: Vec::new(),
            given: Vec::new(),
            rated: Vec::new(),
        };
        let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
        for variable in &checked.scope.variables {
            if let (Binding::Context { index, attribute }, Some(ty)) = (&variable.binding, &variable.ty) {
                if binder.kept.iter().any(|it| it.participant.index() == *index && it.name == *attribute) {
                    continue;
                }
                let start = widths.entry(*index).or_default();
                let field = KeptField {
                    participant: ParticipantId::new(*index),
                    name: attribute.clone(),
                    ty: ty.clone(),
                    start: ContextColumnId::new(*start),
                };
                *start += ty.scalars().unwrap_or(0);
                binder.kept.push(field);
            }
        }
        // Only values that a law reads are measured: each costs work at every contact.
        for input in &checked.program.inputs {
            if let Binding::Engine { index, name } = binder.binding(input.scope_index)
                && name != "dt"
            {
                let key = (index.map(ParticipantId::new), name.clone());
                if !binder.given.contains(&key) {
                    binder.given.push(key);
                }
            }
        }
        for output in checked.program.outputs.iter().filter(|it| it.kind == OutputKind::Rate) {
            if let Binding::Object { index, attribute } = binder.binding(output.scope_index) {
                let entry = (*index, attribute.clone());
                binder.rated.push(entry);
            }
        }
        binder
    }

    pub(crate) fn program(&self) -> &'b Program {
        &self.checked.program
    }

    fn binding(&self, scope_index: usize) -> &'b Binding {
        &self.checked.scope.variables[scope_index].binding
    }

    /// Returns the sources of the slots of a graph.
    pub(crate) fn sources(&self, graph: &Graph) -> Vec<Source> {
        graph.slots.iter().map(|&slot| self.slot(slot)).collect()
    }

    /// Returns the source of one slot.
    pub(crate) fn slot(&self, slot: Slot) -> Source {
        self.input(slot.input, slot.element as usize)
    }

    /// Returns the source of one scalar of an input.
    pub(crate) fn input(&self, input: InputId, element: usize) -> Source {
        let input = self.checked.program.input(input);
        match self.binding(input.scope_index) {
            Binding::World { name } if name == "t" => Source::Time,
            Binding::World { name } => {
                let column = self.layout.world_field(name).start.offset(element);
                if self.varying.set.contains(&column) { Source::World(column) } else { Source::Fixed(column) }
            }
            Binding::Object { index, attribute } => {
                let actor = self.participants[*index];
                let column = self.layout.column(actor, attribute).offset(element);
                match self.evaluated {
                    Some(evaluated) if evaluated.index() != *index => Source::Other { actor, column },
                    Some(_) if !input.previous && self.rated.contains(&(*index, attribute.clone())) => {
                        Source::Integrated { column }
                    }
                    _ => Source::Stored { participant: ParticipantId::new(*index), column },
                }
            }
            Binding::Named { object, attribute } => {
                match self.layout.actor(object) {
                    // Its own attributes through its name: an integrated one is read at the same instant, one
                    // with a law is refused as a cycle.
                    Some(actor)
                        if self.evaluated.is_some_and(|it| self.participants[it.index()] == actor) =>
                    {
                        let participant = self.evaluated.unwrap_or_default();
                        let column = self.layout.column(actor, attribute).offset(element);
                        if !input.previous && self.rated.contains(&(participant.index(), attribute.clone())) {
                            Source::Integrated { column }
                        } else {
                            Source::Stored { participant, column }
                        }
                    }
                    Some(actor) => {
                        Source::Other { actor, column: self.layout.column(actor, attribute).offset(element) }
                    }
                    None => Source::Constant(self.constant(object, attribute, element).to_bits()),
                }
            }
            Binding::Context { index, attribute } => Source::Kept {
                participant: ParticipantId::new(*index),
                column: self.kept_column(*index, attribute).offset(element),
            },
            Binding::Engine { name, .. } if name == "dt" => Source::Elapsed,
            Binding::Engine { index, name } => {
                let given = self
                    .given
                    .iter()
                    .position(|(participant, it)| participant.map(Id::index) == *index && it == name);
                Source::Given { given: given.expect("every given name was listed"), element }
            }
        }
    }

    /// Returns a scalar of an object that does not take part, and so never changes.
    fn constant(&self, object: &str, attribute: &str, element: usize) -> f64 {
        let object = self.experiment.object(object).map(|it| &self.experiment.objects[it]);
        let scalars = object.and_then(|it| it.attribute(attribute)).and_then(|it| it.value.scalars());
        scalars.expect("the checker found this attribute")[element]
    }

    /// Returns the target of the first scalar of an output.
    pub(crate) fn target(&self, output: &Output) -> Target {
        match self.binding(output.scope_index) {
            Binding::World { name } => Target::World(self.layout.world_field(name).start),
            Binding::Object { index, attribute } => Target::Stored {
                participant: ParticipantId::new(*index),
                column: self.layout.column(self.participants[*index], attribute),
            },
            Binding::Context { index, attribute } => Target::Kept {
                participant: ParticipantId::new(*index),
                column: self.kept_column(*index, attribute),
            },
            Binding::Named { .. } | Binding::Engine { .. } => {
                unreachable!("the checker gives no law to what can only be read")
            }
        }
    }

    fn kept_column(&self, participant: usize, name: &str) -> ContextColumnId {
        let field = self.kept.iter().find(|it| it.participant.index() == participant && it.name == name);
        field.expect("every context attribute was listed").start
    }
}
