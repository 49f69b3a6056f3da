//! A context compiled for its participants: programs that run when it starts and at every instant, the motion
//! of the evaluated object, and the bounds of that motion.

pub(crate) mod contact_query;
pub(crate) mod cycles;
pub(crate) mod inputs;
pub(crate) mod program;
pub(crate) mod rates;

use super::ids::{
    ActorId, ClassId, Column, ColumnId, ContextColumnId, ContextId, Id, ParticipantId, WorldColumnId,
};
use super::layout::{Field, Layout};
use crate::run::kernel::Compile;
use crate::run::options::Options;
use contact_query::ContactQuery;
use gedanken_experiment::{CheckedContext, Experiment, ShapeKind};
use gedanken_lang::check::{Binding, Checked, ContextKind};
use gedanken_lang::ir::{Graph, build};
use gedanken_lang::kernel::Reference;
use gedanken_lang::program::{Expr, ExprKind, FunctionId, OutputKind, Phase, Program as Resolved};
use gedanken_lang::syntax::tree::Value;
use gedanken_lang::transform::{Seed, rate, sweep};
use gedanken_lang::types::Type;
use gedanken_lang::vm::Limits;
use inputs::{Binder, KeptField, Source, Target};
use program::{Derived, Program};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A context compiled for certain participants.
#[derive(Debug)]
pub(crate) struct Laws {
    /// Context of the experiment.
    pub(crate) context: ContextId,
    pub(crate) kind: ContextKind,
    /// Number of the evaluated participant; `None` in a collision.
    pub(crate) evaluated: Option<ParticipantId>,
    /// Class of the evaluated object.
    pub(crate) class: Option<ClassId>,
    /// Context attributes.
    pub(crate) kept: Vec<KeptField>,
    /// Functions without parameters that are no laws, with their types.
    pub(crate) helpers: Vec<(String, Type, FunctionId)>,
    /// Values that the engine gives: the number of the participant, and the name.
    pub(crate) given: Vec<(Option<ParticipantId>, String)>,
    /// The same in a contact, parsed.
    pub(crate) queries: Vec<ContactQuery>,
    /// First-time-only attributes, computed when the context starts.
    pub(crate) first: Option<Program>,
    /// Laws, computed at every instant.
    pub(crate) laws: Option<Program>,
    /// Rates, which are integrated.
    pub(crate) rates: Option<Program>,
    /// Motion of the evaluated object.
    pub(crate) motion: Motion,
    /// `true` if laws that give the pose read normals or points of contacts.
    pub(crate) guided: bool,
    /// `true` if many objects can be computed at once: no value of another object is read, and nothing is
    /// integrated.
    pub(crate) batch: bool,
}

/// Motion of an object: the laws of its position, orientation and size.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// Geometric attributes, in order: position, orientation, then those of its shape.
    pub(crate) parts: Vec<GeometricField>,
    /// `true` if any of them changes; `resizes`, if one of its shape does.
    pub(crate) moves: bool,
    pub(crate) resizes: bool,
    /// `true` if the laws read nothing but the time and what does not change while the context holds. Then
    /// the motion is a function of time alone from its beginning to its end.
    pub(crate) frozen: bool,
    /// Laws of those that have one.
    pub(crate) program: Option<Program>,
    /// First scalar and width of each output of `kinematics`, in the order of the program's outputs. There,
    /// Euler angles made from a quaternion are replaced by the quaternion, which moves smoothly where angles
    /// jump.
    pub(crate) kinematic: Vec<(usize, usize)>,
    /// First scalar, width and place of each output of `swept`. `None` for the orientation of a ball, which
    /// looks the same however it turns.
    pub(crate) bounded: Vec<Option<(usize, usize, usize)>>,
    /// Number of inputs of `kinematics`, without the rates of inputs.
    pub(crate) inputs: usize,
    /// Graph of the outputs, sources of its inputs, and how these change in time. Derivatives and bounds are
    /// compiled from it on first use.
    kinematics: Option<(Graph, Vec<Source>, Vec<Seed>)>,
    rated: OnceLock<Option<Derived>>,
    swept: OnceLock<Option<Derived>>,
    /// Graph of the position alone, if it can be bounded for many objects at once.
    position: Option<(Graph, Vec<Source>, Vec<Seed>)>,
    reach: OnceLock<Option<Derived>>,
    compile: Compile,
    /// Reason why there are no bounds, so that contacts are found by sampling.
    pub(crate) sampled: Option<String>,
}

/// A geometric attribute.
#[derive(Clone, Debug)]
pub(crate) struct GeometricField {
    pub(crate) name: &'static str,
    pub(crate) column: ColumnId,
    pub(crate) width: usize,
    pub(crate) origin: Origin,
}

/// Source of a geometric attribute while a context holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The stored value, which does not change.
    Stored,
    /// The motion's program: its first scalar there, and the output.
    Law { start: usize, output: usize },
    /// The integrated value.
    Integrated,
}

/// Columns of the world and of classes that vary while contexts hold, in any of them.
#[derive(Debug, Default)]
pub(crate) struct Varying {
    pub(crate) world: BTreeSet<WorldColumnId>,
    /// Columns of the world that a law of any context may set, also one of a collision, or of a group that has
    /// not formed yet. The others are as they were at the start.
    pub(crate) set: BTreeSet<WorldColumnId>,
    pub(crate) stored: BTreeSet<(ClassId, ColumnId)>,
}

impl Varying {
    /// Collects the columns that laws and rates of free fall and contact change.
    pub(crate) fn new(experiment: &Experiment, layout: &Layout) -> Self {
        let mut varying = Self::default();
        let entries = experiment.contexts.iter().flat_map(|it| &it.block.entries);
        let defined: BTreeSet<&str> = entries
            .filter_map(|entry| match &entry.value {
                Value::Definitions(all) => Some(all),
                _ => None,
            })
            .flatten()
            .map(|it| it.name.text.as_str())
            .collect();
        let set = layout.world.iter().filter(|it| defined.contains(it.name.as_str()));
        varying.set.extend(set.flat_map(Field::columns));
        for checked in &experiment.checked_contexts {
            if experiment.contexts[checked.context].kind == ContextKind::Collision {
                continue;
            }
            for output in checked.checked.program.outputs.iter().filter(|it| it.kind != OutputKind::FirstTime)
            {
                let width = output.ty.scalars().unwrap_or(0);
                match &checked.checked.scope.variables[output.scope_index].binding {
                    Binding::World { name } => {
                        varying.world.extend(layout.world_field(name).start.span(width));
                    }
                    Binding::Object { index, attribute } => {
                        for (id, class) in layout.classes.entries() {
                            let member = layout.object(experiment, class.members[0]);
                            if member.participant() == checked.participants[*index]
                                && let Some(field) = layout.find(class.members[0], attribute)
                            {
                                varying.stored.extend(field.start.span(width).map(|it| (id, it)));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        varying
    }

    /// Returns `true` if laws change the size of the members of a class.
    pub(crate) fn resizes(&self, layout: &Layout, class: ClassId) -> bool {
        let fields = layout.classes[class].shape.own_fields().iter();
        let mut fields = fields.filter_map(|it| layout.find(layout.classes[class].members[0], it.name));
        fields.any(|it| self.stored.contains(&(class, it.start)))
    }

    /// Returns how a source changes between events.
    fn seed(&self, layout: &Layout, source: Source) -> Seed {
        match source {
            Source::Time | Source::Elapsed => Seed::One,
            Source::Integrated { .. } => Seed::Slot,
            Source::World(column) if self.world.contains(&column) => Seed::Slot,
            Source::Other { actor, column } if self.other(layout, actor, column) => Seed::Slot,
            _ => Seed::Zero,
        }
    }

    fn other(&self, layout: &Layout, actor: ActorId, column: ColumnId) -> bool {
        self.stored.contains(&(layout.rows[actor].class, column))
    }
}

impl Laws {
    /// Compiles a context for participants, of which one is evaluated; none in a collision.
    pub(crate) fn new(
        experiment: &Experiment,
        layout: &Layout,
        varying: &Varying,
        checked: &CheckedContext,
        participants: &[ActorId],
        evaluated: Option<ParticipantId>,
        options: &Options,
    ) -> Self {
        let compile = options.compile();
        let binder = Binder::new(experiment, layout, varying, &checked.checked, participants, evaluated);
        let reference = Reference::new(binder.program().clone(), Limits::until(&options.cancel));
        let of = |kind: OutputKind| {
            let all = binder.program().outputs.iter().enumerate();
            let outputs: Vec<usize> = all.filter(|(_, it)| it.kind == kind).map(|(index, _)| index).collect();
            (!outputs.is_empty()).then(|| Program::new(&binder, &reference, outputs, &compile))
        };
        let (first, laws, rates) = (of(OutputKind::FirstTime), of(OutputKind::Law), of(OutputKind::Rate));
        let mut motion = match evaluated {
            Some(evaluated) => {
                Motion::new(&binder, varying, &reference, laws.as_ref(), rates.as_ref(), evaluated, &compile)
            }
            None => Motion::default(),
        };
        let governs = |column: ColumnId| laws.iter().flat_map(Program::columns).any(|it| it == column);
        motion.frozen = rates.is_none()
            && motion.program.iter().flat_map(Program::sources).all(|source| match source {
                Source::Time | Source::Kept { .. } | Source::Constant(_) | Source::Fixed(_) => true,
                Source::Stored { column, .. } => !governs(column),
                _ => false,
            });
        let plain = |source: Source| match source {
            Source::Other { .. } | Source::Integrated { .. } | Source::Given { .. } => false,
            Source::World(column) => !varying.world.contains(&column),
            _ => true,
        };
        let own = |target: &(Target, usize)| !matches!(target.0, Target::World(_));
        let batch = rates.is_none()
            && laws
                .as_ref()
                .is_none_or(|it| it.slots.is_some() && it.sources().all(plain) && it.targets.iter().all(own));
        let query = |(it, name): &(Option<ParticipantId>, String)| ContactQuery::new(layout, *it, name);
        let queries: Vec<ContactQuery> = binder.given.iter().map(query).collect();
        let is_row =
            |source: Source| matches!(source, Source::Given { given, .. } if queries[given].is_row());
        let guided = motion.program.iter().flat_map(Program::sources).any(is_row);
        Self {
            guided,
            context: ContextId::new(checked.context),
            kind: experiment.contexts[checked.context].kind,
            evaluated,
            class: evaluated.map(|it| layout.rows[participants[it.index()]].class),
            kept: binder.kept.clone(),
            helpers: helpers(&checked.checked),
            queries,
            given: binder.given.clone(),
            first,
            laws,
            rates,
            motion,
            batch,
        }
    }

    /// Number of scalars of the context attributes of a participant.
    pub(crate) fn kept_width(&self, participant: ParticipantId) -> usize {
        let own = self.kept.iter().filter(|it| it.participant == participant);
        own.map(|it| it.start.index() + it.ty.scalars().unwrap_or(0)).max().unwrap_or(0)
    }

    /// Returns the first column of the `nth` context attribute of the evaluated object.
    pub(crate) fn own_kept(&self, nth: usize) -> Option<ContextColumnId> {
        self.kept.iter().filter(|it| Some(it.participant) == self.evaluated).nth(nth).map(|it| it.start)
    }

    /// All sources that laws and rates read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Source> {
        self.laws.iter().chain(&self.rates).flat_map(Program::sources)
    }

    /// Returns `true` if the motion is a function of time alone until the context ends: no value of the last
    /// frame goes into it.
    pub(crate) fn is_lasting(&self) -> bool {
        let lasts = |source: Source| match source {
            Source::Time
            | Source::Kept { .. }
            | Source::Constant(_)
            | Source::World(_)
            | Source::Fixed(_) => true,
            Source::Stored { column, .. } => !self.governs(column),
            _ => false,
        };
        self.batch && self.motion.program.iter().flat_map(Program::sources).all(lasts)
    }

    /// Returns `true` if a column of the evaluated object is integrated.
    pub(crate) fn integrates(&self, column: ColumnId) -> bool {
        self.rates.as_ref().is_some_and(|it| it.columns().any(|it| it == column))
    }

    /// Returns `true` if a column of the evaluated object has a law.
    pub(crate) fn governs(&self, column: ColumnId) -> bool {
        self.laws.as_ref().is_some_and(|it| it.columns().any(|it| it == column))
    }
}

impl Motion {
    fn new(
        binder: &Binder<'_>,
        varying: &Varying,
        reference: &Arc<Reference>,
        laws: Option<&Program>,
        rates: Option<&Program>,
        evaluated: ParticipantId,
        compile: &Compile,
    ) -> Self {
        let layout = binder.layout;
        let actor = binder.participants[evaluated.index()];
        let class = layout.class(actor);
        let names = ["position", "orientation"].into_iter();
        let names = names.chain(class.shape.own_fields().iter().map(|it| it.name));
        let mut parts = Vec::new();
        let mut outputs = Vec::new();
        let mut start = 0;
        for name in names {
            let Some(field) = layout.find(actor, name) else { continue };
            let target = Target::Stored { participant: evaluated, column: field.start };
            let place = |program: &Program| program.targets.iter().position(|&(it, _)| it == target);
            let origin = match (
                laws.and_then(|it| place(it).map(|at| it.kernel.outputs()[at])),
                rates.and_then(place),
            ) {
                (Some(output), _) => {
                    outputs.push(output);
                    let law = Origin::Law { start, output: outputs.len() - 1 };
                    start += field.width();
                    law
                }
                (None, Some(_)) => Origin::Integrated,
                (None, None) => Origin::Stored,
            };
            parts.push(GeometricField { name, column: field.start, width: field.width(), origin });
        }
        let changes = |it: &GeometricField| it.origin != Origin::Stored;
        let (moves, resizes) = (parts.iter().any(changes), parts.iter().skip(2).any(changes));
        let mut motion = Self { parts, moves, resizes, ..Self::default() };
        if outputs.is_empty() {
            return motion;
        }
        let of = |name: &str| -> Vec<usize> {
            let target = Target::Stored { participant: evaluated, column: layout.column(actor, name) };
            let all = outputs.iter().copied();
            all.filter(|&it| binder.target(&binder.program().outputs[it]) == target).collect()
        };
        let (position, orientation) = (of("position"), of("orientation"));
        // Bounds and rates are taken of the quaternion: Euler angles made from it jump, and the bounds of a
        // jump prove nothing.
        let smooth = smooth(binder.program(), &outputs);
        let program = Program::new(binder, reference, outputs.clone(), compile);
        match build(&smooth, &outputs) {
            Ok(graph) => {
                let (mut start, mut bound, mut place) = (0, 0, 0);
                for (output, &index) in graph.outputs.iter().zip(&outputs) {
                    let width = output.nodes.len();
                    motion.kinematic.push((start, width));
                    start += width;
                    // A ball looks the same however it turns, so its orientation needs no bounds.
                    let matters = class.shape != ShapeKind::Sphere || !orientation.contains(&index);
                    motion.bounded.push(matters.then_some((bound, width, place)));
                    if matters {
                        (bound, place) = (bound + width, place + 1);
                    }
                }
                let sources = binder.sources(&graph);
                motion.inputs = sources.len();
                let seed = |sources: &[Source]| sources.iter().map(|&it| varying.seed(layout, it)).collect();
                let seeds: Vec<Seed> = seed(&sources);
                // Nothing else in a law is without a rate.
                if graph.draws() {
                    motion.sampled = rate(&graph, &seeds).err().map(|why| why.to_string());
                }
                motion.kinematics = Some((graph, sources, seeds));
                if let Ok(graph) = build(binder.program(), &position)
                    && !position.is_empty()
                {
                    let sources = binder.sources(&graph);
                    let seeds: Vec<Seed> = seed(&sources);
                    // Bounds of a position that reads other objects need those of their motions, one by one.
                    if !seeds.contains(&Seed::Slot) {
                        motion.position = Some((graph, sources, seeds));
                    }
                }
            }
            Err(why) => motion.sampled = Some(why.reason),
        }
        motion.program = Some(program);
        motion.compile = compile.clone();
        motion
    }

    /// Values and rates of the geometric attributes that have laws; `None` if they cannot be differentiated.
    pub(crate) fn rated(&self) -> Option<&Derived> {
        let made = self.rated.get_or_init(|| {
            let (graph, sources, seeds) = self.kinematics.as_ref()?;
            let rated = rate(graph, seeds).ok()?;
            Some(Derived::new(rated, with_rates(sources, seeds), &self.compile))
        });
        made.as_ref()
    }

    /// Bounds of values and rates; `None` if there are none.
    pub(crate) fn swept(&self) -> Option<&Derived> {
        let made = self.swept.get_or_init(|| {
            let (graph, sources, seeds) = self.kinematics.as_ref()?;
            let outputs = graph.outputs.iter().zip(&self.bounded).filter(|(_, bounded)| bounded.is_some());
            let outputs = outputs.map(|(output, _)| output.clone()).collect();
            let swept = sweep(&Graph { outputs, ..graph.clone() }, seeds).ok()?;
            Some(Derived::new(swept, twice(&with_rates(sources, seeds)), &self.compile))
        });
        made.as_ref()
    }

    /// Bounds of the position alone, for many objects at once; `None` if there are none.
    pub(crate) fn reach(&self) -> Option<&Derived> {
        let made = self.reach.get_or_init(|| {
            let (graph, sources, seeds) = self.position.as_ref()?;
            Some(Derived::new(sweep(graph, seeds).ok()?, twice(sources), &self.compile))
        });
        made.as_ref()
    }
}

/// Sources of a graph with rates: those of the graph, then those whose rates are inputs of their own.
fn with_rates(sources: &[Source], seeds: &[Seed]) -> Vec<Source> {
    let rated = sources.iter().zip(seeds).filter(|(_, seed)| **seed == Seed::Slot);
    sources.iter().chain(rated.map(|(source, _)| source)).copied().collect()
}

/// Each source twice, for both ends of its interval.
fn twice(sources: &[Source]) -> Vec<Source> {
    sources.iter().flat_map(|&it| [it, it]).collect()
}

/// Functions without parameters of a context that are no laws and have values of a fixed type.
pub(crate) fn helpers(checked: &Checked) -> Vec<(String, Type, FunctionId)> {
    let program = &checked.program;
    let is_law = |id: FunctionId| program.outputs.iter().any(|output| output.function == id);
    let all = program.functions.iter().enumerate().map(|(index, it)| (FunctionId(index as u32), it));
    all.filter(|(id, it)| it.params.is_empty() && it.phase == Phase::Laws && !is_law(*id))
        .filter(|(id, _)| checked.types.of(*id).is_fixed())
        .map(|(id, it)| (it.name.clone(), checked.types.of(id).clone(), id))
        .collect()
}

/// Replaces outputs that are `quaternionToEulerXYZ(q)`, directly or by way of helpers, by q.
fn smooth(program: &Resolved, outputs: &[usize]) -> Resolved {
    let mut smooth = program.clone();
    for &index in outputs {
        let output = &program.outputs[index];
        let Some(quaternion) = quaternion(program, output.function) else { continue };
        let mut function = program.function(output.function).clone();
        function.body = quaternion.clone();
        smooth.outputs[index].function = FunctionId(smooth.functions.len() as u32);
        smooth.outputs[index].ty = Type::vector(4);
        smooth.functions.push(function);
    }
    smooth
}

/// Returns the argument of a function that only converts a quaternion to Euler angles; `None` for any other.
fn quaternion(program: &Resolved, mut function: FunctionId) -> Option<&Expr> {
    // Laws have no cycles, so that a chain of helpers is no longer than the list of functions.
    for _ in 0..program.functions.len() {
        match &program.function(function).body.kind {
            ExprKind::Call(next, arguments) if arguments.is_empty() => function = *next,
            ExprKind::Native(native, arguments) if native.entry().name == "quaternionToEulerXYZ" => {
                return arguments.first();
            }
            _ => return None,
        }
    }
    None
}
