//! Sparse LU of a matrix of 6 by 6 blocks, one row of blocks per body.
//!
//! The matrix of a Newton step is nearly symmetric and dominated by masses, so blocks on the diagonal are
//! pivots, eliminated by least degree; inside of a block rows are exchanged. The structure is symmetric: a
//! block (i, j) stands for (j, i) too. The order depends on the structure alone, so bits do not depend on
//! anything else.

/// A block of 6 by 6 numbers, row by row.
pub(crate) type Block = [f64; 36];

/// A vector of 6 numbers.
pub(super) type Six = [f64; 6];

/// A block of zeros.
pub(crate) const ZERO_BLOCK: Block = [0.0; 36];

/// Factors of one diagonal block: L and U in one, and the order of its rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pivot {
    lu: Block,
    rows: [u8; 6],
}

/// One elimination: a body and its neighbours that are still there.
#[derive(Debug, Clone, Default)]
struct Elimination {
    node: u32,
    neighbours: Vec<u32>,
    /// Place of the block (node, neighbour) in `upper`, and of (neighbour, node) in `lower`: consecutive.
    first: u32,
    /// For each ordered pair of neighbours: place of their block.
    targets: Vec<Place>,
}

/// Place of a block in the storage.
#[derive(Debug, Clone, Copy)]
enum Place {
    Diagonal(u32),
    Upper(u32),
    Lower(u32),
}

/// The matrix and its factors; memory is kept from solve to solve.
#[derive(Debug, Default)]
pub(super) struct BlockLu {
    count: usize,
    diagonal: Vec<Block>,
    /// Blocks (i, j) with i eliminated before j, and (j, i).
    upper: Vec<Block>,
    lower: Vec<Block>,
    pivots: Vec<Option<Pivot>>,
    eliminations: Vec<Elimination>,
    /// Place in the order of elimination, by node.
    order: Vec<u32>,
    /// By node: its neighbours while the order is found, sorted.
    neighbours: Vec<Vec<u32>>,
    /// By node eliminated: `(neighbour, place)`, sorted by neighbour.
    places: Vec<Vec<(u32, u32)>>,
    edges: Vec<[u32; 2]>,
}

impl BlockLu {
    /// Sets the structure: the number of bodies and the pairs of bodies that have a block. Nothing is done if
    /// it is the same as before.
    pub(super) fn set_structure(&mut self, count: usize, edges: &[[u32; 2]]) {
        if self.count == count && self.edges == edges {
            return;
        }
        self.count = count;
        self.edges.clear();
        self.edges.extend_from_slice(edges);
        self.neighbours.iter_mut().for_each(Vec::clear);
        self.neighbours.resize_with(count.max(self.neighbours.len()), Vec::new);
        for &[a, b] in edges.iter().filter(|[a, b]| a != b) {
            insert(&mut self.neighbours[a as usize], b);
            insert(&mut self.neighbours[b as usize], a);
        }
        self.find_order();
        self.diagonal.resize(count, ZERO_BLOCK);
        self.pivots.resize(count, None);
    }

    fn find_order(&mut self) {
        let Self { count, neighbours, eliminations, order, places, .. } = self;
        let count = *count;
        eliminations.resize_with(count, Elimination::default);
        order.clear();
        order.resize(count, u32::MAX);
        places.iter_mut().for_each(Vec::clear);
        places.resize_with(count.max(places.len()), Vec::new);
        let mut blocks = 0;
        for (step, elimination) in eliminations.iter_mut().enumerate() {
            let left = (0..count).filter(|&node| order[node] == u32::MAX);
            let node = left.min_by_key(|&node| neighbours[node].len()).expect("one is left");
            order[node] = step as u32;
            let list = std::mem::take(&mut neighbours[node]);
            for &one in &list {
                neighbours[one as usize].retain(|&other| other as usize != node);
                for &two in list.iter().filter(|&&two| two != one) {
                    insert(&mut neighbours[one as usize], two);
                }
            }
            (elimination.node, elimination.first) = (node as u32, blocks);
            elimination.neighbours.clone_from(&list);
            places[node].extend(list.iter().enumerate().map(|(k, &other)| (other, blocks + k as u32)));
            blocks += list.len() as u32;
            neighbours[node] = list;
        }
        for elimination in eliminations.iter_mut() {
            elimination.targets.clear();
            for &i in &elimination.neighbours {
                for &j in &elimination.neighbours {
                    elimination.targets.push(place(order, places, i, j));
                }
            }
        }
        self.upper.resize(blocks as usize, ZERO_BLOCK);
        self.lower.resize(blocks as usize, ZERO_BLOCK);
    }

    /// Sets all blocks to zero.
    pub(super) fn clear(&mut self) {
        self.diagonal.fill(ZERO_BLOCK);
        self.upper.fill(ZERO_BLOCK);
        self.lower.fill(ZERO_BLOCK);
    }

    /// The block (i, j), which the structure must have.
    pub(super) fn block_mut(&mut self, i: u32, j: u32) -> &mut Block {
        match place(&self.order, &self.places, i, j) {
            Place::Diagonal(k) => &mut self.diagonal[k as usize],
            Place::Upper(k) => &mut self.upper[k as usize],
            Place::Lower(k) => &mut self.lower[k as usize],
        }
    }

    /// Factors the matrix in place; `false` if a pivot is singular.
    pub(super) fn factor(&mut self) -> bool {
        let Self { count, diagonal, upper, lower, pivots, eliminations, .. } = self;
        for elimination in &eliminations[..*count] {
            let node = elimination.node as usize;
            let Some(pivot) = Pivot::of(&diagonal[node]) else { return false };
            let (first, degree) = (elimination.first as usize, elimination.neighbours.len());
            for block in &mut upper[first..first + degree] {
                pivot.solve_block(block);
            }
            for (t, &target) in elimination.targets.iter().enumerate() {
                let (i, j) = (t / degree, t % degree);
                let product = (lower[first + i], upper[first + j]);
                let block = match target {
                    Place::Diagonal(k) => &mut diagonal[k as usize],
                    Place::Upper(k) => &mut upper[k as usize],
                    Place::Lower(k) => &mut lower[k as usize],
                };
                subtract_product(block, &product.0, &product.1);
            }
            pivots[node] = Some(pivot);
        }
        true
    }

    /// Solves with the factors, in place.
    pub(super) fn solve(&self, right: &mut [Six]) {
        for elimination in &self.eliminations[..self.count] {
            let node = elimination.node as usize;
            let solved = self.pivots[node].as_ref().expect("factored").solved(&right[node]);
            for (k, &neighbour) in elimination.neighbours.iter().enumerate() {
                let block = &self.lower[elimination.first as usize + k];
                subtract_applied(&mut right[neighbour as usize], block, &solved);
            }
            right[node] = solved;
        }
        for elimination in self.eliminations[..self.count].iter().rev() {
            let mut sum = right[elimination.node as usize];
            for (k, &neighbour) in elimination.neighbours.iter().enumerate() {
                let block = &self.upper[elimination.first as usize + k];
                let other = right[neighbour as usize];
                subtract_applied(&mut sum, block, &other);
            }
            right[elimination.node as usize] = sum;
        }
    }
}

fn insert(list: &mut Vec<u32>, node: u32) {
    if let Err(place) = list.binary_search(&node) {
        list.insert(place, node);
    }
}

fn place(order: &[u32], places: &[Vec<(u32, u32)>], i: u32, j: u32) -> Place {
    if i == j {
        return Place::Diagonal(i);
    }
    let find = |first: u32, second: u32| {
        let list = &places[first as usize];
        let k = list.binary_search_by_key(&second, |&(node, _)| node).expect("the structure has the block");
        list[k].1
    };
    if order[i as usize] < order[j as usize] { Place::Upper(find(i, j)) } else { Place::Lower(find(j, i)) }
}

impl Pivot {
    /// Factors a block; `None` if it is singular.
    pub(super) fn of(block: &Block) -> Option<Self> {
        let mut lu = *block;
        let mut rows = [0, 1, 2, 3, 4, 5];
        for k in 0..6 {
            let best =
                (k..6).fold(k, |best, i| if lu[i * 6 + k].abs() > lu[best * 6 + k].abs() { i } else { best });
            let pivot = lu[best * 6 + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            if best != k {
                rows.swap(k, best);
                for j in 0..6 {
                    lu.swap(k * 6 + j, best * 6 + j);
                }
            }
            for i in k + 1..6 {
                let factor = lu[i * 6 + k] / pivot;
                lu[i * 6 + k] = factor;
                for j in k + 1..6 {
                    lu[i * 6 + j] -= factor * lu[k * 6 + j];
                }
            }
        }
        Some(Self { lu, rows })
    }

    /// The x for which the block times x is `right`.
    pub(super) fn solved(&self, right: &Six) -> Six {
        let mut x = self.rows.map(|row| right[usize::from(row)]);
        for i in 1..6 {
            for j in 0..i {
                x[i] -= self.lu[i * 6 + j] * x[j];
            }
        }
        for i in (0..6).rev() {
            for j in i + 1..6 {
                x[i] -= self.lu[i * 6 + j] * x[j];
            }
            x[i] /= self.lu[i * 6 + i];
        }
        x
    }

    fn solve_block(&self, block: &mut Block) {
        for j in 0..6 {
            let column = [0, 1, 2, 3, 4, 5].map(|i| block[i * 6 + j]);
            for (i, x) in self.solved(&column).into_iter().enumerate() {
                block[i * 6 + j] = x;
            }
        }
    }
}

fn subtract_product(block: &mut Block, a: &Block, b: &Block) {
    for i in 0..6 {
        for k in 0..6 {
            let factor = a[i * 6 + k];
            for j in 0..6 {
                block[i * 6 + j] -= factor * b[k * 6 + j];
            }
        }
    }
}

fn subtract_applied(out: &mut Six, block: &Block, x: &Six) {
    for i in 0..6 {
        for j in 0..6 {
            out[i] -= block[i * 6 + j] * x[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_math::linalg::DenseMatrix;

    /// A small generator of numbers between -1 and 1, for matrices.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 12_345u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    #[test]
    fn a_mesh_of_bodies_is_solved_as_a_dense_matrix_is() {
        let mut number = numbers();
        let count = 12;
        let edges: Vec<[u32; 2]> = (0..count as u32 - 1)
            .map(|k| [k, k + 1])
            .chain([[0, 5], [3, 9], [2, 11], [7, 1], [4, 4]])
            .collect();
        let mut lu = BlockLu::default();
        for _ in 0..2 {
            lu.set_structure(count, &edges);
            lu.clear();
            let size = 6 * count;
            let mut dense = vec![0.0; size * size];
            let pairs =
                edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).chain((0..count as u32).map(|k| [k, k]));
            for [i, j] in pairs {
                for k in 0..36 {
                    let value = number() + if i == j && k % 7 == 0 { 20.0 } else { 0.0 };
                    lu.block_mut(i, j)[k] = value;
                    dense[(i as usize * 6 + k / 6) * size + j as usize * 6 + k % 6] = value;
                }
            }
            let right: Vec<f64> = (0..size).map(|_| number()).collect();
            let expected = DenseMatrix::new(size, size, dense).solve(&right).expect("regular");
            assert!(lu.factor());
            let mut x: Vec<Six> = right.chunks(6).map(|six| six.try_into().expect("six numbers")).collect();
            lu.solve(&mut x);
            for (mine, theirs) in x.iter().flatten().zip(&expected) {
                assert!((mine - theirs).abs() < 1e-12, "{mine} {theirs}");
            }
        }
    }

    #[test]
    fn a_singular_block_is_told() {
        let mut lu = BlockLu::default();
        lu.set_structure(1, &[]);
        lu.clear();
        assert!(!lu.factor());
    }
}
