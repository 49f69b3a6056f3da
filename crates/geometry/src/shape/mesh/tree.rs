//! A tree of boxes over the triangles of a mesh: flat, built once, walked without allocation.
//!
//! Nodes are stored in depth-first order: the left child follows its parent, the right one is named. Every
//! split halves the triangles at the median along the widest axis of their centres, so 2³² triangles are at
//! most 32 levels deep.

use gedanken_math::Vec3;

/// Maximum number of triangles per leaf.
const MAX_LEAF_TRIANGLES: usize = 4;
/// Maximum number of pending nodes: one sibling per level, and there are at most 32 levels.
const STACK_SIZE: usize = 40;

#[derive(Debug, Clone)]
struct Node {
    min: Vec3,
    max: Vec3,
    /// For a leaf, the start of its triangles in the order; for others, the right child.
    next: u32,
    /// Number of triangles of a leaf; zero for others.
    count: u32,
}

/// Tree of boxes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// Builds the tree over these boxes, each its least and greatest corner; there is at least one.
    pub(super) fn over(boxes: &[(Vec3, Vec3)]) -> Self {
        let mut order: Vec<u32> = (0..).take(boxes.len()).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(boxes.len());
        // (start, end, parent whose right child this is): the left child is pushed last, so that it comes
        // next.
        let mut open: Vec<(usize, usize, Option<usize>)> = vec![(0, boxes.len(), None)];
        // Halves before adding: centres of boxes at the end of the range must not overflow.
        let centre = |index: u32| {
            let (min, max) = boxes[index as usize];
            min * 0.5 + max * 0.5
        };
        while let Some((start, end, parent)) = open.pop() {
            let here = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].next = number(here);
            }
            let mut node =
                Node { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, next: number(start), count: 0 };
            let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for &index in &order[start..end] {
                let (min, max) = boxes[index as usize];
                node.min = node.min.min(min);
                node.max = node.max.max(max);
                low = low.min(centre(index));
                high = high.max(centre(index));
            }
            if end - start <= MAX_LEAF_TRIANGLES {
                node.count = number(end - start);
            } else {
                let wide = high - low;
                let axis = if wide.x >= wide.y && wide.x >= wide.z {
                    0
                } else if wide.y >= wide.z {
                    1
                } else {
                    2
                };
                let half = (end - start) / 2;
                order[start..end].select_nth_unstable_by(half, |&i, &j| {
                    centre(i)[axis].total_cmp(&centre(j)[axis]).then(i.cmp(&j))
                });
                open.push((start + half, end, Some(here)));
                open.push((start, start + half, None));
            }
            nodes.push(node);
        }
        Self { nodes, order }
    }

    /// Calls `visit` with every triangle in a leaf whose box touches the region.
    pub(super) fn within(&self, min: Vec3, max: Vec3, mut visit: impl FnMut(u32)) {
        let mut stack = [0; STACK_SIZE];
        let mut held = 1;
        while held > 0 {
            held -= 1;
            let here = stack[held];
            let node = &self.nodes[here as usize];
            if !(node.min.cmple(max).all() && node.max.cmpge(min).all()) {
                continue;
            }
            if node.count > 0 {
                self.leaf(node).iter().for_each(|&index| visit(index));
            } else {
                stack[held] = node.next;
                stack[held + 1] = here + 1;
                held += 2;
            }
        }
    }

    /// Visits triangles in the order of their bounds. `bound` is the least score of anything in a box,
    /// infinite if nothing in it counts. `visit` takes a triangle and the best score so far and returns the
    /// best score after it.
    pub(super) fn nearest_first(
        &self,
        bound: impl Fn(Vec3, Vec3) -> f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let score = |node: u32| bound(self.nodes[node as usize].min, self.nodes[node as usize].max);
        let mut stack = [(0, 0.0); STACK_SIZE];
        stack[0] = (0, score(0));
        let mut held = 1;
        let mut best = f64::INFINITY;
        while held > 0 {
            held -= 1;
            let (here, least): (u32, f64) = stack[held];
            // Equal scores go on: the first of equally good triangles may be in there.
            if least > best || least == f64::INFINITY {
                continue;
            }
            let node = &self.nodes[here as usize];
            if node.count > 0 {
                for &index in self.leaf(node) {
                    best = visit(index, best);
                }
            } else {
                let (left, right) = ((here + 1, score(here + 1)), (node.next, score(node.next)));
                let (near, far) = if right.1 < left.1 { (right, left) } else { (left, right) };
                stack[held] = far;
                stack[held + 1] = near;
                held += 2;
            }
        }
    }

    fn leaf(&self, node: &Node) -> &[u32] {
        let start = node.next as usize;
        &self.order[start..start + node.count as usize]
    }
}

/// Returns an index in 32 bits: a mesh names its vertices so, and memory ends long before.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a mesh has fewer than 2³¹ triangles")
}
