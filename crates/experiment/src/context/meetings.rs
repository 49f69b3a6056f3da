//! Objects that can meet in the contexts of a simulation.
//!
//! Objects that no context can tell apart are a class: one of them, or two that meet, stand for all. So the
//! work does not grow with the number of objects. Contexts of another kind do not count: an object that only a
//! free fall names is like any other at a collision.

use super::collisions::Collisions;
use super::model::Context;
use super::select::{Selector, Tie, specificity};
use crate::experiment::Experiment;
use crate::object::shape::ShapeKind;
use crate::simulation::model::Simulation;
use gedanken_lang::check::ContextKind;
use gedanken_math::Cancel;
use std::collections::{BTreeMap, BTreeSet};

/// Objects that meet in a context, and which of them is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Meeting {
    pub(super) context: usize,
    pub(super) objects: Vec<usize>,
    pub(super) evaluated: usize,
}

/// Meetings, each once, in the order in which they were found.
#[derive(Default)]
pub(super) struct Meetings {
    pub(super) by_context: BTreeMap<usize, Vec<Meeting>>,
    known: BTreeSet<Meeting>,
}

impl Meetings {
    fn add(&mut self, meeting: Meeting) {
        if self.known.insert(meeting.clone()) {
            self.by_context.entry(meeting.context).or_default().push(meeting);
        }
    }

    pub(super) fn of_context(&self, context: usize) -> &[Meeting] {
        self.by_context.get(&context).map_or(&[], Vec::as_slice)
    }
}

/// Objects that no context of these can tell apart, in the order of their names.
fn classes(experiment: &Experiment, simulation: &Simulation, contexts: &[usize]) -> Vec<Vec<usize>> {
    type Key = (bool, ShapeKind, Option<usize>, Vec<(String, String)>);
    let singled_out: BTreeSet<&str> =
        contexts.iter().flat_map(|&index| experiment.contexts[index].named()).collect();
    let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for &index in &simulation.objects {
        let object = &experiment.objects[index];
        let alone = singled_out.contains(object.name.as_str()).then_some(index);
        let types = object.attributes.iter().map(|it| (it.name.clone(), it.ty().to_string())).collect();
        classes.entry((object.is_static, object.shape, alone, types)).or_default().push(index);
    }
    classes.into_values().collect()
}

/// Contexts of a simulation by kind, those of free fall and contact by the object that they name: there may be
/// one for each object, and no object looks at those of others.
#[derive(Default)]
struct ContextsByKind<'e> {
    free_fall: Vec<usize>,
    free_fall_of: BTreeMap<&'e str, Vec<usize>>,
    /// Contacts in which an object can be that they do not name.
    contact: Vec<usize>,
    /// Contacts of named objects only.
    contact_of: BTreeMap<&'e str, Vec<usize>>,
    /// All contexts of each kind.
    all: [Vec<usize>; 2],
}

impl<'e> ContextsByKind<'e> {
    fn of(experiment: &'e Experiment, simulation: &Simulation) -> Self {
        let mut kinds = Self::default();
        for &index in simulation.contexts() {
            let context = &experiment.contexts[index];
            let open = context.roles.len() != context.named().count() || context.roles.is_empty();
            let (general, of, all) = match context.kind {
                ContextKind::FreeFall => (&mut kinds.free_fall, &mut kinds.free_fall_of, 0),
                ContextKind::Contact => (&mut kinds.contact, &mut kinds.contact_of, 1),
                ContextKind::Collision => continue,
            };
            if open {
                general.push(index);
            } else {
                context.named().for_each(|name| of.entry(name).or_default().push(index));
            }
            kinds.all[all].push(index);
        }
        kinds
    }

    /// Contexts of free fall that an object can be in, increasing.
    fn free_fall(&self, object: &str) -> Vec<usize> {
        merged(&self.free_fall, self.free_fall_of.get(object))
    }

    /// Contexts of contact that an object can be in, increasing.
    fn contact(&self, object: &str) -> Vec<usize> {
        merged(&self.contact, self.contact_of.get(object))
    }
}

/// General contexts and those that name an object, increasing.
fn merged(general: &[usize], named: Option<&Vec<usize>>) -> Vec<usize> {
    let mut found: Vec<usize> = general.iter().chain(named.into_iter().flatten()).copied().collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Objects that can meet in a simulation, one for each class; fewer if reading is cancelled.
pub(super) fn meet(
    experiment: &Experiment,
    simulation: &Simulation,
    cancel: &Cancel,
    meetings: &mut Meetings,
    ties: &mut Vec<Tie>,
) {
    let selector = experiment.selector(simulation);
    let mut add = |meeting: Meeting| meetings.add(meeting);
    let kinds = ContextsByKind::of(experiment, simulation);
    for class in classes(experiment, simulation, &kinds.all[0]).iter().take_while(|_| !cancel.is_asked()) {
        let Some(&first) = class.first() else { continue };
        let involved = kinds.free_fall(&experiment.objects[first].name);
        match (Selector { involved: &involved, ..selector }).free_fall(first) {
            Ok(Some(context)) => add(Meeting { context, objects: vec![first], evaluated: 0 }),
            Ok(None) => {}
            Err(tie) => ties.push(tie),
        }
    }
    if !kinds.all[1].is_empty() {
        let crowd = Crowd::of(experiment, simulation);
        let classes = classes(experiment, simulation, &kinds.all[1]);
        for class in classes.iter().take_while(|_| !cancel.is_asked()) {
            let Some(&first) = class.first() else { continue };
            let contexts = kinds.contact(&experiment.objects[first].name);
            contacts(&crowd, &selector, (first, &contexts), &mut add, ties);
        }
    }
    if let Some(collisions) = Collisions::of(experiment, selector) {
        collisions.meet(&classes(experiment, simulation, &[]), cancel, &mut add, ties);
    }
}

/// Objects of a simulation by physical type and shape.
struct Crowd<'e> {
    experiment: &'e Experiment,
    all: &'e [usize],
    by_kind: BTreeMap<(bool, ShapeKind), Vec<usize>>,
}

impl<'e> Crowd<'e> {
    fn of(experiment: &'e Experiment, simulation: &'e Simulation) -> Self {
        let mut by_kind: BTreeMap<(bool, ShapeKind), Vec<usize>> = BTreeMap::new();
        for &index in &simulation.objects {
            let object = &experiment.objects[index];
            by_kind.entry((object.is_static, object.shape)).or_default().push(index);
        }
        Self { experiment, all: &simulation.objects, by_kind }
    }

    /// Objects that are enough to tell whether a context can hold an object among all: of each kind as many as
    /// there are roles, those with a name, and the object itself.
    fn enough(&self, context: &Context, object: usize) -> Vec<usize> {
        let roles: usize = context.roles.iter().map(|role| role.count() as usize).sum();
        let takes_part = |it: &usize| self.all.binary_search(it).is_ok();
        let named = context.named().filter_map(|name| self.experiment.object(name)).filter(takes_part);
        let alike = self.by_kind.values().flat_map(|kind| kind.iter().take(roles)).copied();
        alike.chain(named).chain([object]).collect::<BTreeSet<usize>>().into_iter().collect()
    }
}

/// The contact contexts that an object can be in. Which objects will touch is not known, but a context that a
/// group fills, every larger group fills too. Where laws name members by index, they are checked with all
/// objects that take part: indices in a real group depend on who is in it, so such laws are checked again
/// when it forms.
fn contacts(
    crowd: &Crowd<'_>,
    selector: &Selector<'_>,
    (object, contexts): (usize, &[usize]),
    add: &mut impl FnMut(Meeting),
    ties: &mut Vec<Tie>,
) {
    let Crowd { experiment, all, .. } = *crowd;
    if experiment.objects[object].is_static {
        return;
    }
    let holds = |context: &Context| selector.can_hold(context, object, &crowd.enough(context, object));
    let possible: Vec<usize> =
        contexts.iter().copied().filter(|&index| holds(&experiment.contexts[index])).collect();
    let selector = Selector { involved: contexts, ..*selector };
    for &context in &possible {
        if experiment.contexts[context].uses_indices() {
            let evaluated = all.binary_search(&object).unwrap_or(0);
            add(Meeting { context, objects: all.to_vec(), evaluated });
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
                let group = smallest(&selector, both, object, all, from_the_end);
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
