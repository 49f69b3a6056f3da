//! Directed graph of contacts: the objects in a direction of each object, contact by contact.
//!
//! B lies in direction d of A when they touch and A's own normal against B, out of B towards A, has a
//! component along -d of more than [`MIN_ALIGNMENT`]: downwards, the objects that A stands on. These edges
//! are followed breadth first. A static object that is reached ends the path; one that is asked itself is the
//! beginning of a path like any other.
//!
//! Everything is found without recursion, in time linear in the contacts: paths to static objects for all
//! members by one search backwards, and sums along the paths that never fork, be it a stack of ten thousand.
//! A sum over a path that forks (a brick on two bricks) needs a search for each member, since an object that
//! two paths share counts once: for such members the time goes with the number of objects reached.

use super::Touch;
use crate::contexts::ids::{ActorId, Table};
use gedanken_math::Vec3;

/// Smallest component of a normal against the direction.
pub(crate) const MIN_ALIGNMENT: f64 = 0.01;
/// Alignments that differ by less than about this are equal, so that symmetric contacts are ordered by name
/// and not by rounding.
const ALIGNMENT_STEP: f64 = 1e-9;

/// An object in direct contact, in the direction of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DirectContact {
    /// Touched object.
    pub(crate) object: ActorId,
    /// Own normal of the object whose contact it is: out of `object`, towards it.
    pub(crate) normal: Vec3,
    /// Point of contact.
    pub(crate) point: Vec3,
}

/// Contacts of some objects, directed by one direction.
#[derive(Clone, Debug)]
pub(crate) struct ContactGraph {
    direction: Vec3,
    /// Objects that touch any other, in the order of names. All other numbers here are places in this list.
    members: Vec<ActorId>,
    /// First edge of each member, and the end of the last.
    starts: Vec<usize>,
    /// Edges, by `from`, then by `to`.
    edges: Vec<Edge>,
    /// `true` for each member that is static: a path that reaches it ends.
    is_end: Vec<bool>,
    /// `true` for each member that moves with a path to a static object.
    paths: Vec<bool>,
    /// Members whose path never forks, each after the one ahead of it.
    straight: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    aligned: f64,
    normal: Vec3,
    point: Vec3,
}

impl ContactGraph {
    /// Makes the graph of contacts, given in any order, for a direction of any length. In direction zero
    /// there are no edges. `is_static` is of all objects. Of several contacts of a pair the best aligned
    /// counts.
    pub(crate) fn new(touches: &[Touch], is_static: &Table<ActorId, bool>, direction: Vec3) -> Self {
        let mut members: Vec<ActorId> = touches.iter().flat_map(|it| [it.a, it.b]).collect();
        members.sort_unstable();
        members.dedup();
        let mut edges = edges(touches, direction, &members);
        edges.sort_unstable_by(|p, q| {
            let place = |it: &Edge| (it.from, it.to);
            place(p).cmp(&place(q)).then(q.aligned.total_cmp(&p.aligned)).then_with(|| order(p, q))
        });
        edges.dedup_by_key(|it| (it.from, it.to));
        let starts = (0..=members.len()).map(|k| edges.partition_point(|it| it.from < k)).collect();
        let is_end = members.iter().map(|&it| is_static[it]).collect();
        let (paths, straight) = Default::default();
        let mut graph = Self { direction, members, starts, edges, is_end, paths, straight };
        graph.look_back();
        graph
    }

    /// Direction of the graph, of any length.
    pub(crate) fn direction(&self) -> Vec3 {
        self.direction
    }

    /// Objects that touch any other, in the order of names.
    pub(crate) fn members(&self) -> &[ActorId] {
        &self.members
    }

    /// Returns `true` if a path leads from an object to a static one.
    pub(crate) fn path_to_static(&self, object: ActorId) -> bool {
        self.place(object).is_some_and(|place| match self.is_end[place] {
            true => self.reached_from(place).iter().any(|&it| self.is_end[it]),
            false => self.paths[place],
        })
    }

    /// Number of objects in direct contact.
    pub(crate) fn count(&self, object: ActorId) -> usize {
        self.place(object).map_or(0, |place| self.ahead(place).len())
    }

    /// Returns the objects in direct contact, the best aligned first; of equals the first by name.
    pub(crate) fn direct(&self, object: ActorId) -> Vec<DirectContact> {
        let Some(place) = self.place(object) else { return Vec::new() };
        let mut ahead: Vec<&Edge> = self.ahead(place).iter().collect();
        let level = |it: &Edge| (it.aligned / ALIGNMENT_STEP).round();
        // The sort keeps equals in the order of names.
        ahead.sort_by(|p, q| level(q).total_cmp(&level(p)));
        let direct =
            |it: &Edge| DirectContact { object: self.members[it.to], normal: it.normal, point: it.point };
        ahead.into_iter().map(direct).collect()
    }

    /// Sum of an attribute over all objects that one reaches, from the farthest to the nearest: `width`
    /// numbers, those of a matrix or a vector one by one. An object for which `attribute` gives nothing, or
    /// another number of numbers, adds 0.
    pub(crate) fn sum<'v>(
        &self,
        object: ActorId,
        width: usize,
        attribute: impl Fn(ActorId) -> Option<&'v [f64]>,
    ) -> Vec<f64> {
        let mut sum = vec![0.0; width];
        let reached = self.place(object).map(|place| self.reached_from(place)).unwrap_or_default();
        reached.iter().rev().for_each(|&other| add(&mut sum, attribute(self.members[other])));
        sum
    }

    /// Sums of an attribute for every member that moves, in order, as [`sum`](Self::sum) gives them. Those of
    /// static members are left at zero: a floor may reach everything, and is seldom asked.
    pub(crate) fn sums<'v>(
        &self,
        width: usize,
        attribute: impl Fn(ActorId) -> Option<&'v [f64]>,
    ) -> Vec<f64> {
        let mut sums = vec![0.0; width * self.members.len()];
        let mut is_done = self.is_end.clone();
        for &place in self.straight.iter().filter(|&&it| !self.is_end[it]) {
            is_done[place] = true;
            if let [row] = self.ahead(place) {
                // From the farthest to the nearest: what the next one sees, and then itself. Sums of static
                // objects, which end a path, are still zero.
                sums.copy_within(row.to * width..(row.to + 1) * width, place * width);
                add(&mut sums[place * width..(place + 1) * width], attribute(self.members[row.to]));
            }
        }
        let mut search = Search::new(self.members.len());
        for place in (0..self.members.len()).filter(|&it| !is_done[it]) {
            search.run(self, place);
            for &other in search.reached.iter().rev() {
                add(&mut sums[place * width..(place + 1) * width], attribute(self.members[other]));
            }
        }
        sums
    }

    /// Members that one reaches: the nearest first, of equals the first by name.
    fn reached_from(&self, place: usize) -> Vec<usize> {
        let mut search = Search::new(self.members.len());
        search.run(self, place);
        search.reached
    }

    fn place(&self, object: ActorId) -> Option<usize> {
        self.members.binary_search(&object).ok()
    }

    /// Edges from a member, in the order of names.
    fn ahead(&self, place: usize) -> &[Edge] {
        &self.edges[self.starts[place]..self.starts[place + 1]]
    }

    /// Edges by which a path that has reached a member goes on.
    fn onward(&self, place: usize) -> &[Edge] {
        if self.is_end[place] { &[] } else { self.ahead(place) }
    }

    /// Finds all paths to static objects, and all paths that never fork, from their ends backwards.
    fn look_back(&mut self) {
        let count = self.members.len();
        let mut behind: Vec<(usize, usize)> = self.edges.iter().map(|it| (it.to, it.from)).collect();
        behind.sort_unstable();
        let behind = |place: usize| {
            let start = behind.partition_point(|it| it.0 < place);
            behind[start..].iter().take_while(move |it| it.0 == place).map(|it| it.1)
        };
        let mut paths = vec![false; count];
        let mut queue: Vec<usize> = (0..count).filter(|&it| self.is_end[it]).collect();
        let mut next = 0;
        while let Some(&place) = queue.get(next) {
            next += 1;
            for before in behind(place) {
                if !std::mem::replace(&mut paths[before], true) && !self.is_end[before] {
                    queue.push(before);
                }
            }
        }
        let mut straight: Vec<usize> = (0..count).filter(|&it| self.onward(it).is_empty()).collect();
        next = 0;
        while let Some(&place) = straight.get(next) {
            next += 1;
            // Only one lies ahead of these, and it is straight: so no way leads back, and each is met once.
            straight.extend(behind(place).filter(|&before| self.onward(before).len() == 1));
        }
        (self.paths, self.straight) = (paths, straight);
    }
}

/// Edges of all contacts.
fn edges(touches: &[Touch], direction: Vec3, members: &[ActorId]) -> Vec<Edge> {
    // Scaled first, so that the square of no length underflows or overflows.
    let largest = direction.abs().max_element();
    let Some(along) = (direction / largest).try_normalize() else { return Vec::new() };
    let place = |object: ActorId| members.binary_search(&object).unwrap_or_default();
    let mut edges = Vec::new();
    for touch in touches.iter().filter(|it| it.a != it.b) {
        for object in [touch.a, touch.b] {
            let normal = touch.normal_of(object);
            let aligned = -normal.dot(along);
            if aligned > MIN_ALIGNMENT {
                let (from, to) = (place(object), place(touch.other(object)));
                edges.push(Edge { from, to, aligned, normal, point: touch.point });
            }
        }
    }
    edges
}

/// An order that depends on nothing but the contacts.
fn order(p: &Edge, q: &Edge) -> std::cmp::Ordering {
    let numbers = |it: &Edge| [it.point, it.normal].map(|it| it.to_array());
    let (p, q) = (numbers(p), numbers(q));
    let pairs = p.as_flattened().iter().zip(q.as_flattened());
    pairs.map(|(x, y)| x.total_cmp(y)).find(|it| it.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}

fn add(sum: &mut [f64], value: Option<&[f64]>) {
    if let Some(value) = value.filter(|it| it.len() == sum.len()) {
        sum.iter_mut().zip(value).for_each(|(sum, it)| *sum += it);
    }
}

/// A breadth-first search that reuses its memory.
struct Search {
    /// Number of the search in which each member was last reached.
    met: Vec<usize>,
    searches: usize,
    reached: Vec<usize>,
}

impl Search {
    fn new(members: usize) -> Self {
        Self { met: vec![0; members], searches: 0, reached: Vec::new() }
    }

    /// Finds the members that one reaches, level by level, each in the order of names.
    fn run(&mut self, graph: &ContactGraph, start: usize) {
        self.searches += 1;
        self.met[start] = self.searches;
        self.reached.clear();
        self.meet(graph.ahead(start));
        let mut level = 0;
        while level < self.reached.len() {
            let end = self.reached.len();
            self.reached[level..].sort_unstable();
            for k in level..end {
                self.meet(graph.onward(self.reached[k]));
            }
            level = end;
        }
    }

    /// Adds the members at the ends of edges that were not reached before.
    fn meet(&mut self, edges: &[Edge]) {
        for row in edges {
            if self.met[row.to] != self.searches {
                self.met[row.to] = self.searches;
                self.reached.push(row.to);
            }
        }
    }
}

#[cfg(test)]
mod tests;
