//! The laws of contexts, checked once for every combination of participants that they can meet.
//!
//! Objects that no context can tell apart are a class: one of them, or two that meet, stand for all. So the
//! work does not grow with the number of objects.

use super::model::{CheckedContext, Context};
use super::select::{Selector, Tie, specificity};
use super::unsized_attributes;
use crate::experiment::Experiment;
use crate::object::model::{Object, list_objects};
use crate::object::shape::ShapeKind;
use crate::simulation::model::Simulation;
use gedanken_lang::check::{ContextKind, Library, NamedObject, Participant, Signature, check_context};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::Cancel;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// Objects that meet in a context, and which of them is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    context: usize,
    objects: Vec<usize>,
    evaluated: usize,
}

/// Checks every context for all objects that can meet in it in these simulations, until reading is cancelled.
pub(crate) fn check(
    experiment: &Experiment,
    simulations: &[Simulation],
    cancel: &Cancel,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedContext> {
    let mut meetings = Meetings::default();
    let mut ties: Vec<Tie> = Vec::new();
    for simulation in simulations {
        meet(experiment, simulation, cancel, &mut meetings, &mut ties);
    }
    report_ties(experiment, &ties, diagnostics);
    let named = Arc::new(named(&experiment.objects));
    let mut checked: Vec<CheckedContext> = Vec::new();
    for (index, context) in experiment.contexts.iter().enumerate().take_while(|_| !cancel.is_asked()) {
        let signatures = signatures(experiment, meetings.of_context(index), &named);
        // A note about the objects helps only where the same law was checked for several of them.
        let several = signatures.len() > 1;
        let mut found: Vec<Vec<Diagnostic>> = Vec::new();
        for (signature, meeting) in signatures.iter().take_while(|_| !cancel.is_asked()) {
            let said = match check_context(&context.block, signature, &experiment.library) {
                Ok(result) => {
                    let said = [result.warnings.clone(), unsized_attributes::attributes(&result)].concat();
                    let participants = signature.participants.clone();
                    let evaluated = signature.evaluated;
                    checked.push(CheckedContext { context: index, participants, evaluated, checked: result });
                    said
                }
                Err(found) => found,
            };
            let whom = several.then(|| whom(experiment, meeting));
            let told = |it: Diagnostic| match &whom {
                Some(whom) if it.is_error() => it.note(whom.clone()),
                _ => it,
            };
            found.push(said.into_iter().map(told).collect());
        }
        if signatures.is_empty() {
            diagnostics.extend(wrong_keys(context, &experiment.library));
        }
        diagnostics.extend(told_once(found));
    }
    // Contexts that nothing fills are not checked, since names mean nothing without objects.
    let met = meetings.by_context.keys().copied().collect();
    unused(experiment, simulations, &met, diagnostics);
    checked
}

/// Meetings, each once, in the order in which they were found.
#[derive(Default)]
struct Meetings {
    by_context: BTreeMap<usize, Vec<Meeting>>,
    known: BTreeSet<Meeting>,
}

impl Meetings {
    fn add(&mut self, meeting: Meeting) {
        if self.known.insert(meeting.clone()) {
            self.by_context.entry(meeting.context).or_default().push(meeting);
        }
    }

    fn of_context(&self, context: usize) -> &[Meeting] {
        self.by_context.get(&context).map_or(&[], Vec::as_slice)
    }
}

/// The signatures of these meetings, each once with the first meeting that has it.
fn signatures<'m>(
    experiment: &Experiment,
    meetings: &'m [Meeting],
    named: &Arc<Vec<NamedObject>>,
) -> Vec<(Signature, &'m Meeting)> {
    let mut known: HashSet<(Vec<Participant>, usize)> = HashSet::new();
    let mut signatures = Vec::new();
    for meeting in meetings {
        let participants: Vec<Participant> =
            meeting.objects.iter().map(|&it| experiment.objects[it].participant()).collect();
        if known.insert((participants.clone(), meeting.evaluated)) {
            let signature = Signature {
                world: experiment.world_types(),
                participants,
                evaluated: meeting.evaluated,
                named: Arc::clone(named),
                touching: Vec::new(),
            };
            signatures.push((signature, meeting));
        }
    }
    signatures
}

/// What is said of a context for all its signatures. One mistake may show with several of them, in other words:
/// the first tells. A name that nothing uses must be unused with all of them.
fn told_once(found: Vec<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<(Code, Span), usize> = BTreeMap::new();
    for said in &found {
        let places: BTreeSet<(Code, Span)> = said.iter().map(|it| (it.code, it.primary.span)).collect();
        for place in places {
            *counts.entry(place).or_default() += 1;
        }
    }
    let all = found.len();
    let everywhere = |it: &Diagnostic| counts.get(&(it.code, it.primary.span)) == Some(&all);
    let mut told = BTreeSet::new();
    let kept = found.into_iter().flatten();
    let kept = kept.filter(|it| !it.code.is_about_unused_names() || everywhere(it));
    kept.filter(|it| told.insert((it.code, it.primary.span))).collect()
}

impl Experiment {
    /// Checks the laws of a context for objects that it was not checked for, in the order of their indices:
    /// members of a contact that laws name by index; or for a known number of others that the evaluated one
    /// touches in each direction, unless `touching` is empty.
    ///
    /// # Errors
    /// All mistakes.
    pub fn check_laws(
        &self,
        context: usize,
        objects: &[usize],
        evaluated: usize,
        touching: &[u32],
    ) -> Result<CheckedContext, Vec<Diagnostic>> {
        let participants: Vec<Participant> =
            objects.iter().map(|&it| self.objects[it].participant()).collect();
        let signature = Signature {
            world: self.world_types(),
            participants: participants.clone(),
            evaluated,
            named: Arc::new(named(&self.objects)),
            touching: touching.to_vec(),
        };
        let checked = check_context(&self.contexts[context].block, &signature, &self.library)?;
        Ok(CheckedContext { context, participants, evaluated, checked })
    }
}

/// All objects, as laws can name them.
fn named(objects: &[Object]) -> Vec<NamedObject> {
    let named = |object: &Object| NamedObject { name: object.name.clone(), object: object.participant() };
    objects.iter().map(named).collect()
}

/// Mistakes in the keys of a context that never applies; its laws mean nothing without objects.
pub(crate) fn wrong_keys(context: &Context, library: &Library) -> Vec<Diagnostic> {
    let mut block = context.block.clone();
    block
        .entries
        .retain(|entry| entry.key.text == "name" || entry.key.text == "type" || !is_law(&entry.key.text));
    let said = check_context(&block, &Signature::default(), library).err().unwrap_or_default();
    said.into_iter().filter(|it| it.code.is_about_context_keys()).collect()
}

fn is_law(key: &str) -> bool {
    ["functions", "attributes", "aliases", "compute_first_time_only_attributes"].contains(&key)
}

/// Contexts that never apply.
fn unused(
    experiment: &Experiment,
    simulations: &[Simulation],
    met: &BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (index, context) in experiment.contexts.iter().enumerate().filter(|(index, _)| !met.contains(index)) {
        let name = &context.name;
        let listed = simulations.iter().any(|it| it.contexts().binary_search(&index).is_ok());
        let (message, help) = if listed {
            let message = format!("the context `{name}` never applies to any object");
            (
                message,
                "no objects of a simulation fill its roles, or others are more specific for all that do",
            )
        } else {
            (
                format!("no simulation names the context `{name}`"),
                "add it to `contexts_involved`, or remove it",
            )
        };
        diagnostics.push(Diagnostic::new(Code::W702, context.span, message).help(help));
    }
}

/// Objects that no context can tell apart, by name.
fn classes(experiment: &Experiment, simulation: &Simulation) -> Vec<Vec<usize>> {
    type Key = (bool, ShapeKind, Option<usize>, Vec<(String, String)>);
    let singled_out: BTreeSet<&str> =
        simulation.contexts().iter().flat_map(|&index| experiment.contexts[index].named()).collect();
    let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for &index in &simulation.objects {
        let object = &experiment.objects[index];
        let alone = singled_out.contains(object.name.as_str()).then_some(index);
        let types = object.attributes.iter().map(|it| (it.name.clone(), it.ty().to_string())).collect();
        classes.entry((object.is_static, object.shape, alone, types)).or_default().push(index);
    }
    classes.into_values().collect()
}

/// Objects that can meet in a simulation, one for each class.
fn meet(
    experiment: &Experiment,
    simulation: &Simulation,
    cancel: &Cancel,
    meetings: &mut Meetings,
    ties: &mut Vec<Tie>,
) {
    let selector = experiment.selector(simulation);
    let mut add = |meeting: Meeting| meetings.add(meeting);
    let classes = classes(experiment, simulation);
    for class in classes.iter().take_while(|_| !cancel.is_asked()) {
        let Some(&first) = class.first() else { continue };
        match selector.free_fall(first) {
            Ok(Some(context)) => add(Meeting { context, objects: vec![first], evaluated: 0 }),
            Ok(None) => {}
            Err(tie) => ties.push(tie),
        }
        contacts(experiment, simulation, &selector, first, &mut add, ties);
    }
    // Pairs are many, where every object is a class of its own.
    let is_collision = |&index: &usize| experiment.contexts[index].kind == ContextKind::Collision;
    if !simulation.contexts().iter().any(is_collision) {
        return;
    }
    for (number, one) in classes.iter().enumerate().take_while(|_| !cancel.is_asked()) {
        for other in &classes[number..] {
            // The first of one with the last of the other, and the other way round: where a role can be
            // filled by both, the name decides about the index, and so both orders of the classes may occur.
            for (a, b) in [(one.first(), other.last()), (other.first(), one.last())] {
                let (Some(&a), Some(&b)) = (a, b) else { continue };
                match selector.collision(a, b) {
                    Ok(Some(applied)) => {
                        add(Meeting { context: applied.context, objects: applied.objects, evaluated: 0 });
                    }
                    Ok(None) => {}
                    Err(tie) => ties.push(tie),
                }
            }
        }
    }
}

/// The contact contexts that an object can be in. Which objects will touch is not known, but a context that a
/// group fills, every larger group fills too. Where laws name members by index, they are checked with all
/// objects that take part: indices in a real group depend on who is in it, so such laws are checked again
/// when it forms.
fn contacts(
    experiment: &Experiment,
    simulation: &Simulation,
    selector: &Selector<'_>,
    object: usize,
    add: &mut impl FnMut(Meeting),
    ties: &mut Vec<Tie>,
) {
    if experiment.objects[object].is_static {
        return;
    }
    let all = &simulation.objects;
    let possible: Vec<usize> = simulation
        .contexts()
        .iter()
        .copied()
        .filter(|&index| {
            let context = &experiment.contexts[index];
            context.kind == ContextKind::Contact && selector.can_hold(context, object, all)
        })
        .collect();
    for &context in &possible {
        if experiment.contexts[context].uses_indices() {
            let evaluated = all.iter().position(|&it| it == object).unwrap_or(0);
            add(Meeting { context, objects: all.clone(), evaluated });
        } else {
            add(Meeting { context, objects: vec![object], evaluated: 0 });
        }
    }
    for (number, &one) in possible.iter().enumerate() {
        for &other in &possible[number + 1..] {
            let both = [&experiment.contexts[one], &experiment.contexts[other]];
            if specificity(both[0]) != specificity(both[1]) {
                continue;
            }
            // The smallest groups that both hold, members left out from either end: a tie, unless a third is
            // more specific.
            for from_the_end in [true, false] {
                let group = smallest(selector, both, object, all, from_the_end);
                if let Err(tie) = selector.contact(object, &group) {
                    ties.push(tie);
                    break;
                }
            }
        }
    }
}

fn smallest(
    selector: &Selector<'_>,
    both: [&Context; 2],
    object: usize,
    all: &[usize],
    from_the_end: bool,
) -> Vec<usize> {
    let mut group: BTreeSet<usize> = all.iter().copied().collect();
    let mut candidates: Vec<usize> = all.iter().copied().filter(|&candidate| candidate != object).collect();
    if from_the_end {
        candidates.reverse();
    }
    let holds = |group: &BTreeSet<usize>, left_out: &[usize]| {
        let left_out: BTreeSet<usize> = left_out.iter().copied().collect();
        let without: Vec<usize> = group.difference(&left_out).copied().collect();
        both.iter().all(|context| selector.can_hold(context, object, &without))
    };
    // A smaller group holds less, so the longest run that can be left out is found by halving. The candidate
    // behind it stays: as many stay as there are roles, so there are few runs.
    let mut rest = candidates.as_slice();
    while !rest.is_empty() {
        let (mut fits, mut fails) = (0, rest.len() + 1);
        while fails - fits > 1 {
            let middle = fits + (fails - fits) / 2;
            if holds(&group, &rest[..middle]) { fits = middle } else { fails = middle }
        }
        rest[..fits].iter().for_each(|candidate| {
            group.remove(candidate);
        });
        rest = rest.get(fits + 1..).unwrap_or_default();
    }
    all.iter().copied().filter(|member| group.contains(member)).collect()
}

fn report_ties(experiment: &Experiment, ties: &[Tie], diagnostics: &mut Vec<Diagnostic>) {
    let mut said: BTreeSet<[usize; 2]> = BTreeSet::new();
    for tie in ties.iter().filter(|tie| said.insert(tie.contexts)) {
        let [a, b] = tie.contexts.map(|index| &experiment.contexts[index]);
        let objects = list_objects(&experiment.objects, &tie.objects);
        let message =
            format!("`{}` and `{}` both apply to {objects}, and none is more specific", b.name, a.name);
        diagnostics.push(
            Diagnostic::new(Code::E724, b.span, message)
                .label("applies")
                .also(a.span, "applies as well")
                .help("fix more in the `applicability` of one of them (a name counts most, then a shape, then `static` or `dynamic`), or leave one out of `contexts_involved`"),
        );
    }
}

/// Objects that a law was checked for, in words.
fn whom(experiment: &Experiment, meeting: &Meeting) -> String {
    let evaluated = &experiment.objects[meeting.objects[meeting.evaluated]].name;
    match experiment.contexts[meeting.context].kind {
        ContextKind::FreeFall => format!("when `{evaluated}` is in free fall"),
        ContextKind::Collision => {
            format!("when {} collide", list_objects(&experiment.objects, &meeting.objects))
        }
        ContextKind::Contact => format!("when `{evaluated}` is in contact"),
    }
}
