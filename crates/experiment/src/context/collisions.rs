//! Pairs of objects that can collide: one for each that the contexts of a simulation can tell apart.
//!
//! Many objects may be named by contexts, and all pairs of them would be too many. Two objects of a class differ
//! only in the contexts that name them. Where a context names both objects of a pair, the pair is tried. For
//! all other pairs it is enough to know, of each object, how specific the best context is that names it and
//! applies to a class: the more specific side decides, and one pair stands for all with the same specificities.

use super::meetings::Meeting;
use super::model::Context;
use super::select::{Selector, Specificity, Tie, specificity};
use crate::experiment::Experiment;
use gedanken_lang::check::ContextKind;
use gedanken_math::Cancel;
use std::collections::{BTreeMap, BTreeSet};

/// Members of a class by the specificity of the best context that names them and applies to another class; `None`
/// for those that no such context names.
type ByRank = BTreeMap<Option<Specificity>, Vec<usize>>;

/// Collisions of the objects of a simulation.
pub(super) struct Collisions<'e> {
    selector: Selector<'e>,
    /// Contexts that name no object, increasing.
    general: Vec<usize>,
    /// Contexts that name one object, by object.
    of_object: BTreeMap<usize, Vec<usize>>,
    /// Contexts that name two objects, by pair, the smaller index first.
    of_pair: BTreeMap<(usize, usize), Vec<usize>>,
}

impl<'e> Collisions<'e> {
    /// Collects the contexts of collisions; `None` if there are none.
    pub(super) fn of(experiment: &'e Experiment, selector: Selector<'e>) -> Option<Self> {
        let mut found =
            Self { selector, general: vec![], of_object: BTreeMap::new(), of_pair: BTreeMap::new() };
        for &index in selector.involved {
            let context = &selector.contexts[index];
            if context.kind != ContextKind::Collision {
                continue;
            }
            if context.named().next().is_none() {
                found.general.push(index);
            }
            let named: Vec<usize> = context.named().filter_map(|it| experiment.object(it)).collect();
            match *named {
                [object] => found.of_object.entry(object).or_default().push(index),
                [a, b] => found.of_pair.entry((a.min(b), a.max(b))).or_default().push(index),
                _ => {}
            }
        }
        let none = found.general.is_empty() && found.of_object.is_empty() && found.of_pair.is_empty();
        (!none).then_some(found)
    }

    /// Objects of these classes that can collide; fewer if reading is cancelled.
    pub(super) fn meet(
        &self,
        classes: &[Vec<usize>],
        cancel: &Cancel,
        add: &mut impl FnMut(Meeting),
        ties: &mut Vec<Tie>,
    ) {
        let mut pairs = Vec::new();
        for (number, one) in classes.iter().enumerate() {
            for other in &classes[number..] {
                self.pairs(one, other, &mut pairs);
                self.select(&mut pairs, cancel, add, ties);
            }
        }
        let members: BTreeSet<usize> = classes.iter().flatten().copied().collect();
        let take_part = |&(a, b): &(usize, usize)| members.contains(&a) && members.contains(&b);
        pairs.extend(self.of_pair.keys().copied().filter(take_part));
        self.select(&mut pairs, cancel, add, ties);
    }

    /// Selects the contexts of pairs, which are taken out of the list.
    fn select(
        &self,
        pairs: &mut Vec<(usize, usize)>,
        cancel: &Cancel,
        add: &mut impl FnMut(Meeting),
        ties: &mut Vec<Tie>,
    ) {
        for (a, b) in pairs.drain(..).take_while(|_| !cancel.is_asked()) {
            let named = [a, b].into_iter().filter_map(|it| self.of_object.get(&it));
            let named = named.chain(self.of_pair.get(&(a.min(b), a.max(b)))).flatten();
            let mut involved: Vec<usize> = self.general.iter().chain(named).copied().collect();
            involved.sort_unstable();
            match (Selector { involved: &involved, ..self.selector }).collision(a, b) {
                Ok(Some(applied)) => {
                    add(Meeting { context: applied.context, objects: applied.objects, evaluated: 0 });
                }
                Ok(None) => {}
                Err(tie) => ties.push(tie),
            }
        }
    }

    /// Pairs of two classes that stand for all pairs which no context names as a pair.
    fn pairs(&self, one: &[usize], other: &[usize], pairs: &mut Vec<(usize, usize)>) {
        let (by_rank, others_by_rank) = (self.by_rank(one, other), self.by_rank(other, one));
        let same = one.first() == other.first();
        for (rank, members) in &by_rank {
            for (others_rank, others) in others_by_rank.iter().filter(|it| !same || *it.0 >= *rank) {
                // No context names them: one pair for all. Where a role can be filled by both, the name decides
                // about the index, so that one pair is tried in each order of the classes.
                if rank.is_none() && others_rank.is_none() {
                    pairs.extend(self.in_order(members, others));
                    pairs.extend(self.in_order(others, members));
                    continue;
                }
                // Contexts that name an object of the more specific side decide, of both in a tie.
                if rank >= others_rank {
                    self.each_with_some(members, others, pairs);
                }
                if rank <= others_rank {
                    self.each_with_some(others, members, pairs);
                }
            }
        }
    }

    /// A pair of which the first by name is a member and the second is one of the others.
    fn in_order(&self, members: &[usize], others: &[usize]) -> Option<(usize, usize)> {
        let later = |member: usize| others.iter().rev().take_while(move |&&it| it > member);
        members.iter().find_map(|&it| self.partner(it, later(it)))
    }

    /// Pairs of each member with the first and the last of the others.
    fn each_with_some(&self, members: &[usize], others: &[usize], pairs: &mut Vec<(usize, usize)>) {
        for &member in members {
            pairs.extend(self.partner(member, others.iter()));
            pairs.extend(self.partner(member, others.iter().rev()));
        }
    }

    /// Pair of an object with the first of the others that no context names together with it.
    fn partner<'o>(
        &self,
        object: usize,
        mut others: impl Iterator<Item = &'o usize>,
    ) -> Option<(usize, usize)> {
        let apart = |it: usize| !self.of_pair.contains_key(&(object.min(it), object.max(it)));
        others.find(|&&it| it != object && apart(it)).map(|&it| (object, it))
    }

    /// Members of a class by the best context that names them alone and applies to another class.
    fn by_rank(&self, members: &[usize], others: &[usize]) -> ByRank {
        let mut by_rank = ByRank::new();
        for &member in members {
            // All of a class play the same roles, but for those with a name.
            let other = others.iter().copied().take(2).find(|&it| it != member);
            let applies = |it: &&Context| {
                other.is_some_and(|other| self.selector.ordered(it, [member, other]).is_some())
            };
            let contexts = self.of_object.get(&member).into_iter().flatten();
            let contexts = contexts.map(|&it| &self.selector.contexts[it]);
            let best = contexts.filter(applies).map(specificity).max();
            by_rank.entry(best).or_default().push(member);
        }
        by_rank
    }
}
