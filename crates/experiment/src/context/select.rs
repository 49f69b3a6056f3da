//! Selection of the context that applies: of those whose roles can be filled, the most specific one.
//!
//! Contexts are compared by how many objects their roles fix by name, then by shape, then by physical type.
//! Two that are equal in all three are a tie, which is a mistake: nothing is ever chosen by the order of a
//! file.

use super::model::{Context, Role};
use crate::object::model::Object;
use gedanken_lang::check::ContextKind;

/// A context that applies, and the objects that fill its roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedContext {
    /// Index into the contexts of the experiment.
    pub context: usize,
    /// Indices into the objects of the experiment, in the order of their indices in the context.
    pub objects: Vec<usize>,
}

/// Two contexts that apply to the same objects, none more specific than the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// Both, as indices into the contexts of the experiment.
    pub contexts: [usize; 2],
    /// Objects that they apply to.
    pub objects: Vec<usize>,
}

/// Number of objects that a context fixes by name, by shape and by physical type.
pub(crate) type Specificity = (u64, u64, u64);

/// Selector of contexts: all objects, and the contexts that are involved.
#[derive(Clone, Copy, Debug)]
pub struct Selector<'e> {
    /// All objects of the experiment.
    pub objects: &'e [Object],
    /// All contexts of the experiment.
    pub contexts: &'e [Context],
    /// Indices of the contexts that are involved, in increasing order.
    pub involved: &'e [usize],
}

impl Selector<'_> {
    /// The context that an object is in while it touches nothing. Static objects are in none.
    ///
    /// # Errors
    /// Two contexts that apply, none more specific.
    pub fn free_fall(&self, object: usize) -> Result<Option<usize>, Tie> {
        if self.objects[object].is_static {
            return Ok(None);
        }
        let applies = |context: &Context| match context.roles.as_slice() {
            [] => true,
            [role] => role.count() == 1 && self.plays(object, role),
            _ => false,
        };
        self.best(ContextKind::FreeFall, applies, || vec![object])
    }

    /// The context of a collision, and which of the two is the object with index 0: the one that fills the
    /// first role, or if both can, the first by name. Two static objects never collide.
    ///
    /// # Errors
    /// Two contexts that apply, none more specific.
    pub fn collision(&self, a: usize, b: usize) -> Result<Option<SelectedContext>, Tie> {
        if a == b || (self.objects[a].is_static && self.objects[b].is_static) {
            return Ok(None);
        }
        let pair = if self.objects[a].name <= self.objects[b].name { [a, b] } else { [b, a] };
        let best =
            self.best(ContextKind::Collision, |it| self.ordered(it, pair).is_some(), || pair.to_vec())?;
        Ok(best.and_then(|context| {
            let objects = self.ordered(&self.contexts[context], pair)?.to_vec();
            Some(SelectedContext { context, objects })
        }))
    }

    /// The context of an object in a group of objects that stay together: it fills one of the roles, and
    /// other members of the group fill the others. Static objects are in none.
    ///
    /// # Errors
    /// Two contexts that apply, none more specific.
    pub fn contact(&self, object: usize, members: &[usize]) -> Result<Option<usize>, Tie> {
        if self.objects[object].is_static {
            return Ok(None);
        }
        let applies = |context: &Context| self.can_hold(context, object, members);
        self.best(ContextKind::Contact, applies, || members.to_vec())
    }

    /// The most specific of the involved contexts that apply.
    fn best(
        &self,
        kind: ContextKind,
        applies: impl Fn(&Context) -> bool,
        whom: impl Fn() -> Vec<usize>,
    ) -> Result<Option<usize>, Tie> {
        let mut best: Option<(Specificity, usize)> = None;
        let mut equal = None;
        for &index in self.involved {
            let context = &self.contexts[index];
            if context.kind != kind || !applies(context) {
                continue;
            }
            let own = specificity(context);
            match best {
                Some((most, _)) if own < most => {}
                Some((most, first)) if own == most => equal = equal.or(Some([first, index])),
                _ => (best, equal) = (Some((own, index)), None),
            }
        }
        match equal {
            Some(contexts) => Err(Tie { contexts, objects: whom() }),
            None => Ok(best.map(|(_, index)| index)),
        }
    }

    /// Returns `true` if an object can play a role.
    fn plays(&self, object: usize, role: &Role) -> bool {
        let object = &self.objects[object];
        match role {
            Role::Named { object: name, .. } => object.name == *name,
            Role::Counted { is_static, shape, .. } => {
                is_static.is_none_or(|it| it == object.is_static) && shape.is_none_or(|it| it == object.shape)
            }
        }
    }

    /// The pair in the order in which it fills the roles of a collision; as it is, where both orders do.
    pub(super) fn ordered(&self, context: &Context, [a, b]: [usize; 2]) -> Option<[usize; 2]> {
        let (first, second) = match context.roles.as_slice() {
            [] => return Some([a, b]),
            [both] if both.count() == 2 => (both, both),
            [first, second] if first.count() == 1 && second.count() == 1 => (first, second),
            _ => return None,
        };
        [[a, b], [b, a]].into_iter().find(|&[a, b]| self.plays(a, first) && self.plays(b, second))
    }

    /// Returns `true` if `object` fills a role of a contact and other `members` fill the rest.
    pub fn can_hold(&self, context: &Context, object: usize, members: &[usize]) -> bool {
        if context.roles.is_empty() {
            return true;
        }
        let total: u64 = context.roles.iter().map(|role| u64::from(role.count())).sum();
        if total > members.len() as u64 {
            return false;
        }
        let slots: Vec<&Role> =
            context.roles.iter().flat_map(|role| (0..role.count()).map(move |_| role)).collect();
        let others: Vec<usize> = members.iter().copied().filter(|&member| member != object).collect();
        // Equal slots stand next to each other: it is enough to try the first of each role.
        let firsts =
            (0..slots.len()).filter(|&slot| slot == 0 || !std::ptr::eq(slots[slot], slots[slot - 1]));
        firsts.into_iter().any(|own| {
            self.plays(object, slots[own]) && {
                let rest: Vec<&Role> =
                    (0..slots.len()).filter(|&slot| slot != own).map(|slot| slots[slot]).collect();
                self.filled(&rest, &others)
            }
        })
    }

    /// Returns `true` if different `members` can play all `slots`: a matching, by augmenting paths.
    fn filled(&self, slots: &[&Role], members: &[usize]) -> bool {
        let mut taken: Vec<Option<usize>> = vec![None; members.len()];
        (0..slots.len()).all(|start| {
            // Breadth first: which slot wants which member, until a member is free.
            let mut wanted_by: Vec<Option<usize>> = vec![None; members.len()];
            let mut queue = vec![start];
            let mut next = 0;
            while let Some(&slot) = queue.get(next) {
                next += 1;
                for member in 0..members.len() {
                    if wanted_by[member].is_some() || !self.plays(members[member], slots[slot]) {
                        continue;
                    }
                    wanted_by[member] = Some(slot);
                    let Some(other) = taken[member] else {
                        self.reassign(&mut taken, &wanted_by, member, start);
                        return true;
                    };
                    queue.push(other);
                }
            }
            false
        })
    }

    /// Walks a path of wishes back to `start`, giving every slot on it the member it wanted.
    fn reassign(&self, taken: &mut [Option<usize>], wanted_by: &[Option<usize>], free: usize, start: usize) {
        let mut member = free;
        while let Some(slot) = wanted_by[member] {
            let before = taken.iter().position(|it| *it == Some(slot));
            taken[member] = Some(slot);
            match before {
                Some(before) if slot != start => member = before,
                _ => return,
            }
        }
    }
}

/// Specificity of a context, compared from first to last.
pub(crate) fn specificity(context: &Context) -> Specificity {
    context.roles.iter().fold((0, 0, 0), |(named, shaped, physical), role| match role {
        Role::Named { .. } => (named + 1, shaped, physical),
        Role::Counted { count, is_static, shape, .. } => {
            let count = u64::from(*count);
            let of = |fixed: bool| if fixed { count } else { 0 };
            (named, shaped + of(shape.is_some()), physical + of(is_static.is_some()))
        }
    })
}
