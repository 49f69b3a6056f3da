//! Report on an experiment: its parts, the executor of each law, and contacts that are sure to be found.

use crate::lagrangian::not_compiled;
use gedanken_experiment::{CheckedContext, Experiment, Form, Mechanics, Object, list_objects};
use gedanken_lang::check::{Binding, ContextKind, Participant};
use gedanken_lang::ir::{Graph, Slot, build, placement};
use gedanken_lang::program::{Output, OutputKind};
use gedanken_lang::transform::{Seed, rate};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Report on an experiment without mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Number of objects that obey laws.
    pub dynamic: usize,
    /// Number of objects that never change.
    pub fixed: usize,
    /// Number of contexts.
    pub contexts: usize,
    /// Number of rules and events.
    pub rules: usize,
    /// Number of joints of rigid bodies.
    pub joints: usize,
    /// Number of forces, potentials and constraints.
    pub acting: usize,
    /// Number of systems stated by their energies.
    pub lagrangians: usize,
    /// `true` if any simulation moves objects by contexts or rules, not as rigid bodies or by a Lagrangian.
    pub stated: bool,
    /// The names of the simulations; the first one runs unless another is named.
    pub simulations: Vec<String>,
    /// The laws of all contexts that apply and of all rules, in the order of contexts, rules and laws.
    pub laws: Vec<Law>,
    /// Search for contacts on the motions of all contexts that last, in the order of contexts.
    pub contacts: Vec<Contacts>,
}

/// Search for contacts while a context holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contacts {
    /// The context.
    pub context: String,
    /// Of which objects, in words.
    pub objects: String,
    /// `None` if position, orientation and size can be enclosed over any time, so that no contact is missed;
    /// else why they are only looked at in many moments.
    pub sampled: Option<String>,
}

/// Executor of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The context or rule it belongs to.
    pub context: String,
    /// The attribute as it is set there: `v`, or `v'` for a rate.
    pub name: String,
    /// `None` for native code; else why the evaluator runs it, for at least one combination of participants.
    pub evaluator: Option<String>,
}

impl Report {
    /// Number of laws that become native code.
    pub fn native(&self) -> usize {
        self.laws.iter().filter(|law| law.evaluator.is_none()).count()
    }
}

/// Counts what there is, and tells for every law where it runs.
pub fn report(experiment: &Experiment) -> Report {
    let mut laws: Vec<Law> = Vec::new();
    let settled: Vec<Cow<'_, CheckedContext>> =
        experiment.checked_contexts.iter().map(|it| settled(experiment, it)).collect();
    let contexts = settled.iter().map(|it| (&experiment.contexts[it.context].name, &it.checked.program));
    let rules = experiment.checked_rules.iter().flat_map(|it| {
        let name = &experiment.rules[it.rule].name;
        it.groups.iter().map(move |group| (name, &group.checked.program))
    });
    for (context, program) in contexts.chain(rules) {
        for place in placement(program) {
            let output = &program.outputs[place.output];
            let prime = if output.kind == OutputKind::Rate { "'" } else { "" };
            let name = format!("{}{prime}", output.name);
            let evaluator = place.native.err().map(|why| why.reason);
            match laws.iter_mut().find(|law| law.context == *context && law.name == name) {
                Some(law) => law.evaluator = law.evaluator.take().or(evaluator),
                None => laws.push(Law { context: context.clone(), name, evaluator }),
            }
        }
    }
    for lagrangian in &experiment.lagrangians {
        let evaluator = not_compiled(lagrangian);
        for coordinate in &lagrangian.system.coordinates {
            let name = &coordinate.name;
            let names = match lagrangian.equations.lagrange() {
                Some(_) => vec![format!("{name}_dot_dot")],
                None => vec![format!("{name}_dot"), format!("p_{name}_dot")],
            };
            let law = |name| Law { context: lagrangian.name.clone(), name, evaluator: evaluator.clone() };
            laws.extend(names.into_iter().map(law));
        }
    }
    let fixed = experiment.objects.iter().filter(|object| object.is_static).count();
    Report {
        dynamic: experiment.objects.len() - fixed,
        fixed,
        contexts: experiment.contexts.len(),
        rules: experiment.rules.len(),
        joints: experiment.joints.len() + experiment.couplings.len(),
        acting: experiment.checked_force_laws.len(),
        lagrangians: experiment.lagrangians.len(),
        stated: experiment
            .simulations
            .iter()
            .any(|it| matches!(it.mechanics, Mechanics::Contexts(_) | Mechanics::Workflow(_))),
        simulations: experiment.simulations.iter().map(|it| it.name.clone()).collect(),
        laws,
        contacts: contacts(experiment),
    }
}

/// A context as the engine runs it. Laws that look at all whom an object touches are checked anew when it is
/// known how many there are, and become native code then; here one in each direction stands for any number.
fn settled<'e>(experiment: &'e Experiment, checked: &'e CheckedContext) -> Cow<'e, CheckedContext> {
    let is_open = checked.checked.program.inputs.iter().any(|input| !input.ty.is_fixed());
    let whose = |participant: &Participant| {
        experiment.objects.iter().position(|object| object.participant() == *participant)
    };
    let objects: Option<Vec<usize>> = checked.participants.iter().map(whose).collect();
    let touching = vec![1; experiment.contexts[checked.context].directions.len()];
    let settled = objects.filter(|_| is_open).and_then(|objects| {
        experiment.check_laws(checked.context, &objects, checked.evaluated, &touching).ok()
    });
    settled.map_or(Cow::Borrowed(checked), Cow::Owned)
}

/// For every context that lasts, whose motions can be enclosed, and whose not.
fn contacts(experiment: &Experiment) -> Vec<Contacts> {
    let participants: Vec<Participant> = experiment.objects.iter().map(Object::participant).collect();
    let mut found: BTreeMap<(usize, Option<String>), BTreeSet<usize>> = BTreeMap::new();
    for checked in &experiment.checked_contexts {
        let checked = &*settled(experiment, checked);
        let context = &experiment.contexts[checked.context];
        if context.kind == ContextKind::Collision {
            continue;
        }
        for simulation in experiment.simulations.iter().filter(|it| it.contexts().contains(&checked.context))
        {
            let selector = experiment.selector(simulation);
            let is_in = |object: usize| match context.kind {
                ContextKind::FreeFall => selector.free_fall(object).ok().flatten() == Some(checked.context),
                _ => selector.can_hold(context, object, &simulation.objects),
            };
            for &index in &simulation.objects {
                let object = &experiment.objects[index];
                let is_meant = checked.participants.get(checked.evaluated) == Some(&participants[index]);
                if is_meant && !object.is_static && is_in(index) {
                    found.entry((checked.context, sampled(checked, object))).or_default().insert(index);
                }
            }
        }
    }
    let told = |((context, sampled), objects): ((usize, Option<String>), BTreeSet<usize>)| Contacts {
        context: experiment.contexts[context].name.clone(),
        objects: list_objects(&experiment.objects, &objects.into_iter().collect::<Vec<usize>>()),
        sampled,
    };
    found.into_iter().map(told).collect()
}

/// Why a motion cannot be enclosed, if it cannot: a law of what geometry reads has no intermediate form, or
/// draws random numbers that change as time goes on. What has a rate moves along the polynomials of the
/// integrator, whatever computes the rate.
fn sampled(checked: &CheckedContext, object: &Object) -> Option<String> {
    let program = &checked.checked.program;
    let is_geometry = |output: &Output| match &checked.checked.scope.variables[output.scope_index].binding {
        Binding::Object { index, attribute } => {
            let mut fields = object.shape.fields().filter(|field| field.form != Form::Colour);
            *index == checked.evaluated && fields.any(|field| field.name == attribute)
        }
        _ => false,
    };
    let mut laws = (0..program.outputs.len())
        .filter(|&it| program.outputs[it].kind == OutputKind::Law && is_geometry(&program.outputs[it]));
    laws.find_map(|it| match build(program, &[it]) {
        Ok(graph) => not_differentiable(checked, &graph),
        Err(why) => Some(why.reason),
    })
}

/// Why a law has no derivative in time, if it has none.
fn not_differentiable(checked: &CheckedContext, graph: &Graph) -> Option<String> {
    if !graph.draws() {
        return None;
    }
    let program = &checked.checked.program;
    let is_integrated = |scope_index: usize| {
        program.outputs.iter().any(|it| it.kind == OutputKind::Rate && it.scope_index == scope_index)
    };
    let seed = |slot: &Slot| {
        let index = program.inputs[slot.input.0 as usize].scope_index;
        let is_time = matches!(program.inputs[slot.input.0 as usize].name.as_str(), "t" | "dt");
        if is_time || is_integrated(index) { Seed::One } else { Seed::Zero }
    };
    let seeds: Vec<Seed> = graph.slots.iter().map(seed).collect();
    rate(graph, &seeds).err().map(|why| why.to_string())
}

impl fmt::Display for Report {
    /// A line, one more for each law that does not become native code, and one on contacts, or several where
    /// some are sampled.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize, one: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {one}s"),
        };
        let counts = [
            (self.contexts, "context"),
            (self.rules, "rule"),
            (self.joints, "joint"),
            (self.acting, "force, potential or constraint block"),
            (self.lagrangians, "Lagrangian"),
        ];
        let told: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, one)| plural(*count, one)).collect();
        let stated = match told.as_slice() {
            [] if self.stated => plural(0, "context"),
            [] => "rigid bodies".to_owned(),
            told => told.join(", "),
        };
        write!(
            f,
            "{} ({} dynamic, {} static), {}, {}; {} of {} as native code",
            plural(self.dynamic + self.fixed, "object"),
            self.dynamic,
            self.fixed,
            stated,
            plural(self.simulations.len(), "simulation"),
            self.native(),
            plural(self.laws.len(), "law"),
        )?;
        for law in &self.laws {
            if let Some(why) = &law.evaluator {
                write!(f, "\n  {} in {} stays with the evaluator: {why}", law.name, law.context)?;
            }
        }
        if self.contacts.iter().all(|it| it.sampled.is_none()) {
            return if self.stated { f.write_str("\n  all contacts can be proven") } else { Ok(()) };
        }
        for Contacts { context, objects, sampled } in &self.contacts {
            write!(f, "\n  contacts of {objects} in `{context}`: ")?;
            match sampled {
                None => f.write_str("proven")?,
                Some(why) => write!(f, "sampled, because {why}")?,
            }
        }
        Ok(())
    }
}
