//! Which geoms can meet at all: by bits, by how their bodies are joined, and by lists of pairs.

use super::mixing::{self, ContactParameters};
use crate::model::{BodyId, Description, GeomShape, Mixing, Surface};

/// Pairs of geoms that can meet, made once per description.
///
/// No list of pairs: with n geoms it would have n² entries. The broad phase of a step proposes pairs, and
/// this answers in constant time (but for excluded pairs, which are searched by bisection).
#[derive(Debug, Clone)]
pub struct CandidatePairs {
    /// The geoms.
    pub(super) geoms: Vec<Candidate>,
    /// Pairs with parameters of their own, in the order of their bodies and then in the given order.
    pub(super) given: Vec<GivenPair>,
    /// Their geoms, sorted, to keep them from meeting a second time.
    given_geoms: Vec<[u32; 2]>,
    /// Bodies that do not meet, the smaller id first, sorted.
    excluded: Vec<[u32; 2]>,
    /// Whether a body does not meet its parent.
    parent_filter: bool,
    /// How parameters mix.
    mixing: Mixing,
}

/// A geom as the filter knows it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The shape.
    pub(super) shape: GeomShape,
    /// The surface.
    pub(super) surface: Surface,
    /// The body it belongs to.
    pub(super) body: u32,
    /// Root of the bodies that are welded together.
    weld: u32,
    /// Root of the bodies to which that root's parent is welded.
    parent_weld: u32,
    /// Whether joints move the root.
    is_movable: bool,
    /// Bits that say what it is.
    contact_type: u32,
    /// Bits of the geoms that it asks to meet.
    contact_affinity: u32,
}

/// A pair of geoms with parameters of its own.
#[derive(Debug, Clone)]
pub(super) struct GivenPair {
    /// The geoms, that of the earlier body first.
    pub(super) geoms: [u32; 2],
    /// Their bodies.
    pub(super) bodies: [u32; 2],
    /// Parameters of their contacts.
    pub(super) parameters: ContactParameters,
}

impl CandidatePairs {
    /// Finds out which geoms of a description can meet. Pairs that name geoms or bodies that do not exist are
    /// left out.
    #[must_use]
    pub fn new(description: &Description) -> Self {
        let welds = welds(description);
        let geoms: Vec<_> = description
            .geoms
            .iter()
            .map(|geom| {
                let body = geom.body.index();
                let weld = welds.get(body).copied().unwrap_or(Weld::WORLD);
                Candidate {
                    shape: geom.shape.clone(),
                    surface: geom.surface,
                    body: body as u32,
                    weld: weld.root,
                    parent_weld: weld.parent,
                    is_movable: weld.is_movable,
                    contact_type: geom.contact_type,
                    contact_affinity: geom.contact_affinity,
                }
            })
            .collect();
        let mut given: Vec<_> = description
            .pairs
            .iter()
            .filter(|pair| pair.geoms.iter().all(|geom| geom.index() < geoms.len()))
            .map(|pair| {
                let mut ids = pair.geoms.map(|geom| geom.index() as u32);
                let body = |id: u32| geoms[id as usize].body;
                if body(ids[0]) > body(ids[1]) {
                    ids.swap(0, 1);
                }
                GivenPair { geoms: ids, bodies: ids.map(body), parameters: mixing::of_pair(pair) }
            })
            .collect();
        given.sort_by_key(|pair| pair.bodies);
        let mut given_geoms: Vec<_> = given.iter().map(|pair| ordered(pair.geoms)).collect();
        given_geoms.sort_unstable();
        let mut excluded: Vec<_> = description
            .excluded
            .iter()
            .map(|bodies| ordered(bodies.map(|body| body.index() as u32)))
            .collect();
        excluded.sort_unstable();
        Self {
            geoms,
            given,
            given_geoms,
            excluded,
            parent_filter: !description.settings.disabled.parent_filter,
            mixing: description.settings.mixing,
        }
    }

    /// Number of geoms.
    #[must_use]
    pub fn geom_count(&self) -> usize {
        self.geoms.len()
    }

    /// Returns `true` if two geoms, by their places, can meet by the rules for all geoms: bits, bodies,
    /// exclusions. A pair with parameters of its own meets by these instead, and is not counted here.
    #[must_use]
    pub fn can_meet(&self, first: usize, second: usize) -> bool {
        let (Some(a), Some(b)) = (self.geoms.get(first), self.geoms.get(second)) else { return false };
        let wanted = a.contact_type & b.contact_affinity != 0 || b.contact_type & a.contact_affinity != 0;
        if !wanted || a.weld == b.weld || !(a.is_movable || b.is_movable) {
            return false;
        }
        // A body and its parent overlap at their joint; but the world is no parent in this sense.
        let is_parent = a.weld != 0 && b.weld != 0 && (a.weld == b.parent_weld || b.weld == a.parent_weld);
        if self.parent_filter && is_parent {
            return false;
        }
        let has = |list: &[[u32; 2]], pair: [u32; 2]| list.binary_search(&ordered(pair)).is_ok();
        !has(&self.excluded, [a.body, b.body]) && !has(&self.given_geoms, [first as u32, second as u32])
    }

    /// Distance at which contacts of two geoms are found that have no parameters of their own.
    pub(super) fn detection(&self, first: usize, second: usize) -> f64 {
        let (a, b) = (&self.geoms[first].surface, &self.geoms[second].surface);
        (a.margin + b.margin) + (a.gap + b.gap)
    }

    /// Parameters of the contacts of two geoms that have none of their own.
    pub(super) fn mix(&self, first: usize, second: usize) -> ContactParameters {
        mixing::mix(&self.geoms[first].surface, &self.geoms[second].surface, self.mixing)
    }

    /// Returns `true` if the geom can meet none but by a pair of its own.
    pub(super) fn is_ghost(&self, geom: usize) -> bool {
        self.geoms[geom].contact_type == 0 && self.geoms[geom].contact_affinity == 0
    }
}

/// How a body is welded.
#[derive(Debug, Clone, Copy)]
struct Weld {
    /// Root of the bodies that are welded together.
    root: u32,
    /// Root of the bodies to which that root's parent is welded.
    parent: u32,
    /// Whether joints move the root.
    is_movable: bool,
}

impl Weld {
    /// The weld of the world, and of all that is fixed to it.
    const WORLD: Weld = Weld { root: 0, parent: 0, is_movable: false };
}

/// Returns the welds of all bodies: a body without joints is one with its parent, unless it is prescribed.
fn welds(description: &Description) -> Vec<Weld> {
    let mut has_joints = vec![false; description.bodies.len()];
    for joint in &description.joints {
        if let Some(has) = has_joints.get_mut(joint.body.index()) {
            *has = true;
        }
    }
    let mut welds: Vec<Weld> = Vec::with_capacity(description.bodies.len());
    for (index, body) in description.bodies.iter().enumerate() {
        let parent = welds.get(body.parent.index()).copied().unwrap_or(Weld::WORLD);
        let is_root = has_joints[index] || body.is_prescribed;
        welds.push(if index == BodyId::WORLD.index() {
            Weld::WORLD
        } else if is_root {
            Weld { root: index as u32, parent: parent.root, is_movable: has_joints[index] }
        } else {
            parent
        });
    }
    welds
}

/// The pair with the smaller number first.
fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
