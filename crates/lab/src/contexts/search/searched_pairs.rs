//! Which pairs have been searched in this frame: a search reaches to the end of the frame, so that once is
//! enough until one of the two changes its motion.

use crate::contexts::world::World;

/// A pair that was searched.
#[derive(Clone, Copy, Debug)]
struct Pair {
    other: usize,
    /// The versions that the two had.
    versions: [u32; 2],
    /// Whether they were settled, and come apart.
    parts: bool,
}

/// All pairs that were searched in this frame, in the list of one of the two.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    of: Vec<Vec<Pair>>,
}

impl Searched {
    pub(crate) fn new(actors: usize) -> Self {
        Self { of: vec![Vec::new(); actors] }
    }

    /// A new frame.
    pub(crate) fn clear(&mut self) {
        self.of.iter_mut().for_each(Vec::clear);
    }

    /// An actor has changed its motion.
    pub(crate) fn forget(&mut self, actor: usize) {
        self.of[actor].clear();
    }

    /// Notes that a pair is searched; gives whether that is new.
    pub(crate) fn note(&mut self, world: &World<'_>, a: usize, b: usize) -> bool {
        let (owner, other) = owned(world, a, b);
        let versions = [a, b].map(|it| world.actors[it].version);
        let list = &mut self.of[owner];
        match list.iter_mut().find(|it| it.other == other) {
            Some(known) if known.versions == versions => return false,
            Some(known) => *known = Pair { other, versions, parts: false },
            None => list.push(Pair { other, versions, parts: false }),
        }
        true
    }

    /// Notes that a settled pair, which is being searched, comes apart.
    pub(crate) fn note_parting(&mut self, world: &World<'_>, a: usize, b: usize) {
        let (owner, other) = owned(world, a, b);
        let known = self.of[owner].iter_mut().find(|it| it.other == other);
        known.into_iter().for_each(|it| it.parts = true);
    }

    /// Whether two that were settled have come apart: whoever was not searched since has not been near.
    pub(crate) fn have_parted(&self, world: &World<'_>, a: usize, b: usize) -> bool {
        let (owner, other) = owned(world, a, b);
        let versions = [a, b].map(|it| world.actors[it].version);
        let known = self.of[owner].iter().find(|it| it.other == other && it.versions == versions);
        known.is_none_or(|it| it.parts)
    }
}

/// In whose list a pair is: static actors, whom everybody may meet, have none.
fn owned(world: &World<'_>, a: usize, b: usize) -> (usize, usize) {
    if world.cast.is_static[a] { (b, a) } else { (a, b) }
}
