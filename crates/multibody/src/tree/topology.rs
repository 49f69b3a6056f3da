//! Addresses and relatives: where each joint stands in q and v, which freedom carries which.

use crate::model::{BodyId, Description, JointId};
use core::ops::Range;

/// Addresses and relatives of a mechanism; nothing here changes with motion.
#[derive(Debug, Clone, Default)]
pub struct Topology {
    /// By body, its joints.
    pub joints_of: Vec<Range<usize>>,
    /// By body, its own freedoms.
    pub freedoms_of: Vec<Range<usize>>,
    /// By body, the first child of the world above it: the root of its tree. The world for itself.
    pub root_of: Vec<BodyId>,
    /// By body, the prescribed body that is the root of its tree, by its number among the prescribed ones.
    pub driver: Vec<Option<usize>>,
    /// By body, the highest body that it is welded to.
    pub welded_to: Vec<BodyId>,
    /// By body, the last freedom that moves it; none for what stands still.
    pub last_freedom: Vec<Option<usize>>,
    /// By joint, its first coordinate in q.
    pub coordinate_of: Vec<usize>,
    /// By joint, its first freedom in v.
    pub freedom_of: Vec<usize>,
    /// By freedom, the freedom that carries it.
    pub parent_freedom: Vec<Option<usize>>,
    /// By freedom, its joint.
    pub joint_of: Vec<JointId>,
    /// By freedom, the body it moves.
    pub body_of: Vec<BodyId>,
    /// By freedom, number of freedoms on the way to the root, itself included.
    pub depth: Vec<usize>,
    /// By freedom, one past the last freedom that it carries; all between are carried by it.
    pub subtree_end: Vec<usize>,
    /// By freedom, the tree it belongs to; trees are counted by their first freedom.
    pub tree_of: Vec<usize>,
    /// By tree, its freedoms.
    pub trees: Vec<Range<usize>>,
    /// By freedom, where its way to the root begins in [`ways`](Self::ways).
    pub way_starts: Vec<usize>,
    /// Ways to the root: each freedom itself, then the freedoms that carry it, one way after the other.
    pub ways: Vec<u32>,
    /// Number of coordinates.
    pub coordinates: usize,
    /// Number of freedoms.
    pub freedoms: usize,
}

impl Topology {
    /// Numbers coordinates and freedoms in the order of the joints.
    #[must_use]
    pub fn new(description: &Description) -> Self {
        let mut it = Topology::default();
        let mut next_joint = 0;
        let mut prescribed = 0;
        for (index, body) in description.bodies.iter().enumerate() {
            let id = BodyId::new(index);
            let first_joint = next_joint;
            let first_freedom = it.freedoms;
            let mut carrier = if index == 0 { None } else { it.last_freedom[body.parent.index()] };
            while let Some(joint) = description.joints.get(next_joint).filter(|joint| joint.body == id) {
                it.coordinate_of.push(it.coordinates);
                it.freedom_of.push(it.freedoms);
                it.coordinates += joint.kind.coordinates();
                for _ in 0..joint.kind.freedoms() {
                    it.push_freedom(carrier, JointId::new(next_joint), id);
                    carrier = Some(it.freedoms - 1);
                }
                next_joint += 1;
            }
            it.joints_of.push(first_joint..next_joint);
            it.freedoms_of.push(first_freedom..it.freedoms);
            it.last_freedom.push(carrier);
            let is_root = index == 0 || body.parent == BodyId::WORLD;
            it.root_of.push(if is_root { id } else { it.root_of[body.parent.index()] });
            let carrier_driver = if index == 0 { None } else { it.driver[body.parent.index()] };
            it.driver.push(if body.is_prescribed { Some(prescribed) } else { carrier_driver });
            prescribed += usize::from(body.is_prescribed);
            // A prescribed body moves against the world, though it has no joint.
            let moves = first_joint < next_joint || index == 0 || body.is_prescribed;
            it.welded_to.push(if moves { id } else { it.welded_to[body.parent.index()] });
        }
        it.subtree_end = (1..=it.freedoms).collect();
        for freedom in (0..it.freedoms).rev() {
            if let Some(parent) = it.parent_freedom[freedom] {
                it.subtree_end[parent] = it.subtree_end[parent].max(it.subtree_end[freedom]);
            }
        }
        for freedom in 0..it.freedoms {
            it.way_starts.push(it.ways.len());
            let mut next = Some(freedom);
            while let Some(number) = next {
                it.ways.push(u32::try_from(number).expect("ids of joints have 32 bits"));
                next = it.parent_freedom[number];
            }
        }
        it
    }

    /// A freedom and those that carry it, up to the root.
    #[inline]
    pub(crate) fn way(&self, freedom: usize) -> &[u32] {
        let start = self.way_starts[freedom];
        &self.ways[start..start + self.depth[freedom]]
    }

    fn push_freedom(&mut self, carrier: Option<usize>, joint: JointId, body: BodyId) {
        let tree = match carrier {
            Some(carrier) => self.tree_of[carrier],
            None => {
                self.trees.push(self.freedoms..self.freedoms);
                self.trees.len() - 1
            }
        };
        self.tree_of.push(tree);
        self.trees[tree].end = self.freedoms + 1;
        self.depth.push(carrier.map_or(0, |carrier| self.depth[carrier]) + 1);
        self.parent_freedom.push(carrier);
        self.joint_of.push(joint);
        self.body_of.push(body);
        self.freedoms += 1;
    }

    /// Freedoms that move a body, from the last to the root.
    pub fn chain(&self, body: BodyId) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(self.last_freedom[body.index()], |&freedom| self.parent_freedom[freedom])
    }
}
