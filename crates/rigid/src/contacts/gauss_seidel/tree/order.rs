//! The order in which the bodies of a tree are eliminated: leaves first, each before the one that it hangs
//! on.

/// No parent: the root, or an immovable body.
const NONE: u32 = u32::MAX;

/// Where a body is in the tree.
#[derive(Debug, Clone, Copy)]
struct Place {
    parent: u32,
    neighbours: u32,
    /// The exclusive or of the neighbours that are left: the neighbour itself when there is one.
    others: u32,
}

/// The pairs of movable bodies that touch, each once; `ends` are the places of all contacts, in their order.
fn pairs(ends: &[[u32; 2]], is_movable: impl Fn(u32) -> bool) -> impl Iterator<Item = [u32; 2]> {
    let mut last = None;
    let of_movable = ends.iter().copied().filter(move |&[a, b]| is_movable(a) && is_movable(b));
    of_movable.filter(move |&pair| last.replace(pair) != Some(pair))
}

/// The movable bodies of a tree, by their places among the rows.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    places: Vec<Place>,
    /// Children before parents.
    order: Vec<u32>,
}

impl Elimination {
    /// How many bodies there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The body that this one hangs on; none for the root and for those that do not move.
    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.places[place].parent;
        (parent != NONE).then_some(parent as usize)
    }

    /// All bodies with their parents, children first.
    pub(super) fn leaves_first(&self) -> impl DoubleEndedIterator<Item = (usize, Option<usize>)> {
        self.order.iter().map(|&place| (place as usize, self.parent(place as usize)))
    }

    /// Plans the elimination of an island; `ends` are the places of the bodies of all contacts, in their order.
    /// Returns `false` if the contacts do not form a tree.
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
