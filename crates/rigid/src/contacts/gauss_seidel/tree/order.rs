//! Order of elimination of the bodies of a tree: leaves first, each before its parent.

/// No parent: the root, a body not yet eliminated, or an immovable one.
const NONE: u32 = u32::MAX;

/// Place of a body in the tree.
#[derive(Debug, Clone, Copy)]
struct Place {
    parent: u32,
    /// Number of neighbours that are left.
    neighbours: u32,
    /// Exclusive or of the neighbours that are left: the neighbour itself when there is one.
    others: u32,
}

/// Returns the pairs of movable bodies that touch, each once. Contacts of one pair follow each other in
/// `ends`.
fn pairs(ends: &[[u32; 2]], is_movable: impl Fn(u32) -> bool) -> impl Iterator<Item = [u32; 2]> {
    let mut last = None;
    let of_movable = ends.iter().copied().filter(move |&[a, b]| is_movable(a) && is_movable(b));
    of_movable.filter(move |&pair| last.replace(pair) != Some(pair))
}

/// Movable bodies of a tree, by their places among the rows.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    places: Vec<Place>,
    /// Places of the movable bodies, children before parents.
    order: Vec<u32>,
}

impl Elimination {
    /// Number of movable bodies.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Parent of a body; none for the root and for immovable bodies.
    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.places[place].parent;
        (parent != NONE).then_some(parent as usize)
    }

    /// Returns all movable bodies with their parents, children first.
    pub(super) fn leaves_first(&self) -> impl DoubleEndedIterator<Item = (usize, Option<usize>)> {
        self.order.iter().map(|&place| (place as usize, self.parent(place as usize)))
    }

    /// Plans the elimination of an island; `ends` are the places of the bodies of all contacts, in their
    /// order. Returns `false` if the contacts do not form a tree.
    pub(super) fn plan(
        &mut self,
        bodies: usize,
        is_movable: impl Fn(u32) -> bool + Copy,
        ends: &[[u32; 2]],
    ) -> bool {
        let movable = (0..bodies as u32).filter(|&place| is_movable(place)).count();
        // All being connected, a tree has one pair less than bodies.
        if pairs(ends, is_movable).count() + 1 != movable {
            return false;
        }
        let Self { places, order } = self;
        places.clear();
        places.resize(bodies, Place { parent: NONE, neighbours: 0, others: 0 });
        order.clear();
        for [a, b] in pairs(ends, is_movable) {
            for (one, other) in [(a, b), (b, a)] {
                places[one as usize].neighbours += 1;
                places[one as usize].others ^= other;
            }
        }
        for place in (0..places.len() as u32).filter(|&place| is_movable(place)) {
            // A leaf goes, and its neighbour after it if that makes it a leaf that this walk has already
            // passed.
            let mut leaf = place;
            while places[leaf as usize].neighbours == 1 && places[leaf as usize].parent == NONE {
                let parent = places[leaf as usize].others;
                places[leaf as usize].parent = parent;
                places[leaf as usize].neighbours = 0;
                places[parent as usize].neighbours -= 1;
                places[parent as usize].others ^= leaf;
                order.push(leaf);
                if parent > place {
                    break;
                }
                leaf = parent;
            }
        }
        let mut root =
            (0..places.len() as u32).filter(|&k| is_movable(k) && places[k as usize].parent == NONE);
        let (Some(last), None) = (root.next(), root.next()) else { return false };
        order.push(last);
        order.len() == movable
    }
}
