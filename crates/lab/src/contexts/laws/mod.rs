//! A context made ready for the objects it holds for: what is computed when it starts, what at every instant,
//! how objects move in it, and how that is bounded.

pub(crate) mod cycles;
pub(crate) mod inputs;
pub(crate) mod program;
pub(crate) mod rates;

use super::layout::Cast;
use super::touch::contact_queries::Question;
use gedanken_experiment::{CheckedContext, Experiment, ShapeKind};
use gedanken_lang::check::{Binding, Checked, ContextKind};
use gedanken_lang::ir::{Graph, build};
use gedanken_lang::program::{Expr, ExprKind, FunctionId, OutputKind, Phase, Program as Resolved};
use gedanken_lang::transform::{Seed, rate, sweep};
use gedanken_lang::types::Type;
use inputs::{Binder, KeptField, Source, Target};
use program::{Blame, Native, Program};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A context for certain participants.
#[derive(Debug)]
pub(crate) struct Laws {
    /// Its index among the contexts of the experiment.
    pub(crate) context: usize,
    pub(crate) kind: ContextKind,
    /// Which of the participants is evaluated; none in a collision.
    pub(crate) evaluated: Option<usize>,
    /// The class of the one that is evaluated.
    pub(crate) class: Option<usize>,
    /// Context attributes.
    pub(crate) kept: Vec<KeptField>,
    /// Functions without parameters that are no laws, with their types.
    pub(crate) helpers: Vec<(String, Type, FunctionId)>,
    /// What the engine gives: whose (numbered as participants), and what.
    pub(crate) given: Vec<(Option<usize>, String)>,
    /// The same in a contact: what it means.
    pub(crate) questions: Vec<Question>,
    /// What is computed when it starts.
    pub(crate) first: Option<Program>,
    /// What is computed at every instant.
    pub(crate) laws: Option<Program>,
    /// What is integrated.
    pub(crate) rates: Option<Program>,
    /// How the evaluated object moves.
    pub(crate) motion: Motion,
    /// Whether many objects can be computed at once: nothing of other objects is read, nothing is integrated.
    pub(crate) batch: bool,
}

/// How an object moves: the laws of where it is and how large.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// The geometric attributes, in order: position, orientation, then those of its shape.
    pub(crate) parts: Vec<Part>,
    /// Whether any of them changes, and whether one of its shape does.
    pub(crate) moves: bool,
    pub(crate) resizes: bool,
    /// The laws of those that have one.
    pub(crate) program: Option<Program>,
    /// The same as far as bounds and rates see it: Euler angles made from a quaternion are replaced by the
    /// quaternion, which moves smoothly where angles jump. Where each output begins, and how wide it is; in
    /// the order of the program's.
    pub(crate) kinematic: Vec<(usize, usize)>,
    /// The same in what bounds them, and the place of the output there; nothing for the orientation of a
    /// ball, which looks the same however it turns.
    pub(crate) bounded: Vec<Option<(usize, usize, usize)>>,
    /// How many inputs these have, beside the rates of inputs.
    pub(crate) inputs: usize,
    /// Their graph, what its inputs read, and how these change in time. Derivatives and bounds are made of it
    /// when they are first asked for.
    kinematics: Option<(Graph, Vec<Source>, Vec<Seed>)>,
    rated: OnceLock<Option<Native>>,
    swept: OnceLock<Option<Native>>,
    /// The graph of the position alone, if it can be bounded for many objects at once.
    position: Option<(Graph, Vec<Source>, Vec<Seed>)>,
    reach: OnceLock<Option<Native>>,
    native: bool,
    /// Why there are no bounds, so that contacts are found by sampling.
    pub(crate) sampled: Option<String>,
}

/// One geometric attribute.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) column: usize,
    pub(crate) width: usize,
    pub(crate) origin: Origin,
}

/// Where a geometric attribute comes from while a context holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It does not change.
    Stored,
    /// From the motion's program: where its scalars begin there, and which output it is.
    Law { start: usize, output: usize },
    /// It is integrated.
    Flow,
}

/// What varies while contexts hold, in all of them: columns of the world and of classes.
#[derive(Debug, Default)]
pub(crate) struct Varying {
    pub(crate) world: BTreeSet<usize>,
    pub(crate) stored: BTreeSet<(usize, usize)>,
}

impl Varying {
    /// What laws and rates of free fall and contact change.
    pub(crate) fn new(experiment: &Experiment, cast: &Cast) -> Self {
        let mut varying = Self::default();
        for checked in &experiment.checked_contexts {
            if experiment.contexts[checked.context].kind == ContextKind::Collision {
                continue;
            }
            for output in checked.checked.program.outputs.iter().filter(|it| it.kind != OutputKind::FirstTime)
            {
                let width = output.ty.scalars().unwrap_or(0);
                match &checked.checked.scope.variables[output.scope_index].binding {
                    Binding::World { name } => {
                        let start = cast.world_column(name);
                        varying.world.extend(start..start + width);
                    }
                    Binding::Object { index, attribute } => {
                        for (number, class) in cast.classes.iter().enumerate() {
                            let member = cast.objects[class.members[0]];
                            if experiment.objects[member].participant() == checked.participants[*index]
                                && let Some(field) = cast.find(class.members[0], attribute)
                            {
                                varying
                                    .stored
                                    .extend((field.start..field.start + width).map(|it| (number, it)));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        varying
    }

    /// Whether laws change the size of the members of a class.
    pub(crate) fn resizes(&self, cast: &Cast, class: usize) -> bool {
        let fields = cast.classes[class].shape.own_fields().iter();
        let mut fields = fields.filter_map(|it| cast.find(cast.classes[class].members[0], it.name));
        fields.any(|it| self.stored.contains(&(class, it.start)))
    }

    /// Whether what a slot reads changes between events; `None` if in a way that has no bounds.
    fn seed(&self, cast: &Cast, source: Source) -> Seed {
        match source {
            Source::Time | Source::Elapsed => Seed::One,
            Source::Flowing { .. } => Seed::Slot,
            Source::World(column) if self.world.contains(&column) => Seed::Slot,
            Source::Other { object, column } if self.other(cast, object, column) => Seed::Slot,
            _ => Seed::Zero,
        }
    }

    fn other(&self, cast: &Cast, object: usize, column: usize) -> bool {
        self.stored.contains(&(cast.places[object].class, column))
    }
}

impl Laws {
    /// Compiles a context for participants, of which one is evaluated; none in a collision.
    pub(crate) fn new(
        experiment: &Experiment,
        cast: &Cast,
        varying: &Varying,
        checked: &CheckedContext,
        who: &[usize],
        evaluated: Option<usize>,
        native: bool,
    ) -> Self {
        let binder = Binder::new(experiment, cast, &checked.checked, who, evaluated);
        let blame = Blame::new(binder.program());
        let of = |kind: OutputKind| {
            let all = binder.program().outputs.iter().enumerate();
            let outputs: Vec<usize> = all.filter(|(_, it)| it.kind == kind).map(|(index, _)| index).collect();
            (!outputs.is_empty()).then(|| Program::new(&binder, &blame, outputs, native))
        };
        let (first, laws, rates) = (of(OutputKind::FirstTime), of(OutputKind::Law), of(OutputKind::Rate));
        let motion = match evaluated {
            Some(evaluated) => {
                Motion::new(&binder, varying, &blame, laws.as_ref(), rates.as_ref(), evaluated, native)
            }
            None => Motion::default(),
        };
        let plain = |source: Source| match source {
            Source::Other { .. } | Source::Flowing { .. } | Source::Given { .. } => false,
            Source::World(column) => !varying.world.contains(&column),
            _ => true,
        };
        let own = |target: &(Target, usize)| !matches!(target.0, Target::World(_));
        let batch = rates.is_none()
            && laws.as_ref().is_none_or(|it| {
                it.native.is_some() && it.sources().all(plain) && it.targets.iter().all(own)
            });
        Self {
            context: checked.context,
            kind: experiment.contexts[checked.context].kind,
            evaluated,
            class: evaluated.map(|it| cast.places[who[it]].class),
            kept: binder.kept.clone(),
            helpers: helpers(&checked.checked),
            questions: binder.given.iter().map(|(who, name)| Question::new(cast, *who, name)).collect(),
            given: binder.given.clone(),
            first,
            laws,
            rates,
            motion,
            batch,
        }
    }

    /// How many scalars the context attributes of a participant have.
    pub(crate) fn kept_width(&self, who: usize) -> usize {
        let own = self.kept.iter().filter(|it| it.who == who);
        own.map(|it| it.start + it.ty.scalars().unwrap_or(0)).max().unwrap_or(0)
    }

    /// Where the scalars of the so-manieth context attribute of the evaluated object begin.
    pub(crate) fn own_kept(&self, nth: usize) -> Option<usize> {
        self.kept.iter().filter(|it| Some(it.who) == self.evaluated).nth(nth).map(|it| it.start)
    }

    /// Everything that is read by what is computed at every instant.
    pub(crate) fn reads(&self) -> impl Iterator<Item = Source> {
        self.laws.iter().chain(&self.rates).flat_map(Program::sources)
    }

    /// Whether the motion is a function of time alone until the context ends: nothing of the last frame goes
    /// into it.
    pub(crate) fn is_lasting(&self) -> bool {
        let lasts = |source: Source| match source {
            Source::Time | Source::Kept { .. } | Source::Constant(_) | Source::World(_) => true,
            Source::Stored { column, .. } => !self.governs(column),
            _ => false,
        };
        self.batch && self.motion.program.iter().flat_map(Program::sources).all(lasts)
    }

    /// Whether a column of the evaluated object is integrated.
    pub(crate) fn flows(&self, column: usize) -> bool {
        self.rates.as_ref().is_some_and(|it| it.columns().any(|it| it == column))
    }

    /// Whether a column of the evaluated object has a law.
    pub(crate) fn governs(&self, column: usize) -> bool {
        self.laws.as_ref().is_some_and(|it| it.columns().any(|it| it == column))
    }
}

impl Motion {
    fn new(
        binder: &Binder<'_>,
        varying: &Varying,
        blame: &Blame,
        laws: Option<&Program>,
        rates: Option<&Program>,
        evaluated: usize,
        native: bool,
    ) -> Self {
        let cast = binder.cast;
        let actor = binder.who[evaluated];
        let class = cast.class(actor);
        let names = ["position", "orientation"].into_iter();
        let names = names.chain(class.shape.own_fields().iter().map(|it| it.name));
        let mut parts = Vec::new();
        let mut outputs = Vec::new();
        let mut start = 0;
        for name in names {
            let Some(field) = cast.find(actor, name) else { continue };
            let target = Target::Stored { who: evaluated, column: field.start };
            let place = |program: &Program| program.targets.iter().position(|&(it, _)| it == target);
            let origin = match (laws.and_then(|it| place(it).map(|at| it.outputs[at])), rates.and_then(place))
            {
                (Some(output), _) => {
                    outputs.push(output);
                    let law = Origin::Law { start, output: outputs.len() - 1 };
                    start += field.width();
                    law
                }
                (None, Some(_)) => Origin::Flow,
                (None, None) => Origin::Stored,
            };
            parts.push(Part { name, column: field.start, width: field.width(), origin });
        }
        let changes = |it: &Part| it.origin != Origin::Stored;
        let (moves, resizes) = (parts.iter().any(changes), parts.iter().skip(2).any(changes));
        let mut motion = Self { parts, moves, resizes, ..Self::default() };
        if outputs.is_empty() {
            return motion;
        }
        let of = |name: &str| -> Vec<usize> {
            let target = Target::Stored { who: evaluated, column: cast.column(actor, name) };
            let all = outputs.iter().copied();
            all.filter(|&it| binder.target(&binder.program().outputs[it]) == target).collect()
        };
        let (position, orientation) = (of("position"), of("orientation"));
        let smooth = smooth(binder.program(), &outputs);
        let program = Program::new(binder, blame, outputs.clone(), native);
        match build(&smooth, &outputs) {
            Ok(graph) => {
                let (mut start, mut bound, mut place) = (0, 0, 0);
                for (output, &index) in graph.outputs.iter().zip(&outputs) {
                    let width = output.nodes.len();
                    motion.kinematic.push((start, width));
                    start += width;
                    let matters = class.shape != ShapeKind::Sphere || !orientation.contains(&index);
                    motion.bounded.push(matters.then_some((bound, width, place)));
                    if matters {
                        (bound, place) = (bound + width, place + 1);
                    }
                }
                let sources = binder.sources(&graph);
                motion.inputs = sources.len();
                let seed = |sources: &[Source]| sources.iter().map(|&it| varying.seed(cast, it)).collect();
                let seeds: Vec<Seed> = seed(&sources);
                motion.kinematics = Some((graph, sources, seeds));
                if let Ok(graph) = build(binder.program(), &position)
                    && !position.is_empty()
                {
                    let sources = binder.sources(&graph);
                    let seeds: Vec<Seed> = seed(&sources);
                    // What others do is bounded one by one.
                    if !seeds.contains(&Seed::Slot) {
                        motion.position = Some((graph, sources, seeds));
                    }
                }
            }
            Err(why) => motion.sampled = Some(why.reason),
        }
        motion.program = Some(program);
        motion.native = native;
        motion
    }

    /// Values and rates of the geometric attributes that have laws.
    pub(crate) fn rated(&self) -> Option<&Native> {
        let made = self.rated.get_or_init(|| {
            let (graph, sources, seeds) = self.kinematics.as_ref()?;
            let rated = rate(graph, seeds).ok()?;
            Some(Native::new(rated, with_rates(sources, seeds), self.native))
        });
        made.as_ref()
    }

    /// Bounds of values and rates.
    pub(crate) fn swept(&self) -> Option<&Native> {
        let made = self.swept.get_or_init(|| {
            let (graph, sources, seeds) = self.kinematics.as_ref()?;
            let outputs = graph.outputs.iter().zip(&self.bounded).filter(|(_, bounded)| bounded.is_some());
            let outputs = outputs.map(|(output, _)| output.clone()).collect();
            let swept = sweep(&Graph { outputs, ..graph.clone() }, seeds).ok()?;
            Some(Native::new(swept, twice(&with_rates(sources, seeds)), self.native))
        });
        made.as_ref()
    }

    /// Bounds of the position alone, for many objects at once.
    pub(crate) fn reach(&self) -> Option<&Native> {
        let made = self.reach.get_or_init(|| {
            let (graph, sources, seeds) = self.position.as_ref()?;
            Some(Native::new(sweep(graph, seeds).ok()?, twice(sources), self.native))
        });
        made.as_ref()
    }
}

/// What the inputs of a graph with rates read: those of the graph, then the rates of those that have one of
/// their own.
fn with_rates(sources: &[Source], seeds: &[Seed]) -> Vec<Source> {
    let rated = sources.iter().zip(seeds).filter(|(_, seed)| **seed == Seed::Slot);
    sources.iter().chain(rated.map(|(source, _)| source)).copied().collect()
}

/// Both ends of each.
fn twice(sources: &[Source]) -> Vec<Source> {
    sources.iter().flat_map(|&it| [it, it]).collect()
}

/// The functions without parameters of a context that are no laws and have values of a fixed type.
pub(crate) fn helpers(checked: &Checked) -> Vec<(String, Type, FunctionId)> {
    let program = &checked.program;
    let is_law = |id: FunctionId| program.outputs.iter().any(|output| output.function == id);
    let all = program.functions.iter().enumerate().map(|(index, it)| (FunctionId(index as u32), it));
    all.filter(|(id, it)| it.params.is_empty() && it.phase == Phase::Laws && !is_law(*id))
        .filter(|(id, _)| checked.types.of(*id).is_fixed())
        .map(|(id, it)| (it.name.clone(), checked.types.of(id).clone(), id))
        .collect()
}

/// The program with the outputs that are `quaternionToEulerXYZ(q)`, maybe by way of helpers, giving q
/// instead.
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

/// What a function without parameters makes Euler angles of, if that is all it does.
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
