//! Newton's corrections of the middle of a kick: (1 - ½h M⁻¹ ∂F/∂v) δ = gap, solved for every group of bodies
//! whose velocities laws couple.

use crate::core::component::ComponentId;
use crate::core::fault::{Strain, StrainKind};
use crate::core::state::State;
use crate::laws::{SlopeBlock, Slopes, Term};
use crate::space::Space;
use gedanken_math::linalg::{DenseMatrix, SolveScratch, cholesky, solve_with};
use gedanken_math::{Twist, Vec3};

/// The most bodies whose velocities are corrected together. In larger groups every body is corrected for itself,
/// which takes more rounds and leads to the same middle.
const MAX_COUPLED: usize = 16;

/// Memory for corrections.
#[derive(Debug, Default)]
pub struct Corrector {
    /// A state of the model, in which laws are asked for their slopes.
    state: Option<State>,
    slopes: Slopes,
    /// The first row of a group whose velocities cannot be followed backwards in time.
    strained: Option<usize>,
    /// By row: the first row of its group.
    group: Vec<u32>,
    /// By first row of a group: number of its rows.
    size: Vec<u32>,
    /// Slopes, ordered by group.
    order: Vec<u32>,
    /// The rows of the group at hand, and by row its place in it.
    rows: Vec<u32>,
    place: Vec<u32>,
    matrix: Vec<f64>,
    x: Vec<f64>,
    scratch: SolveScratch,
}

impl Corrector {
    /// Makes corrections out of gaps of a kick of length `h`. `put` puts bodies into a state like `model` as they
    /// are in the middle; `inverse` is M⁻¹, which is zero for bodies that forces do not move.
    pub fn correct<S: Space>(
        &mut self,
        (terms, model): (&[Term<S>], &State),
        put: impl FnOnce(&mut State),
        h: f64,
        inverse: impl Fn(usize, Twist) -> Twist,
        gaps: &mut [Twist],
    ) {
        let state = self.state.get_or_insert_with(|| model.clone());
        put(state);
        self.strained = None;
        self.slopes.clear();
        for term in terms {
            // A law that cannot tell its slopes is iterated without them.
            let told = term.motion_slopes(state, &mut self.slopes);
            debug_assert!(told.is_ok(), "{told:?}");
        }
        self.find_groups(gaps.len());
        let mut order = std::mem::take(&mut self.order);
        let mut begin = 0;
        while begin < order.len() {
            let group = self.group_of(order[begin]);
            let run = order[begin..].iter().take_while(|&&slope| self.group_of(slope) == group);
            let end = begin + run.count();
            self.correct_group(&order[begin..end], h, &inverse, gaps);
            begin = end;
        }
        order.clear();
        self.order = order;
    }

    /// The group of the body on which a slope is.
    fn group_of(&self, slope: u32) -> u32 {
        self.group[self.slopes.pairs()[slope as usize].on.row()]
    }

    /// The law to blame, and the body, if the kick at hand goes backwards in time so far that drag makes speeds grow
    /// without bound: 1 - ½h M⁻¹ ∂F/∂v is not positive. Methods of high order take such kicks.
    pub fn strain<S: Space>(&mut self, terms: &[Term<S>]) -> Option<Strain> {
        let row = self.strained?;
        let state = self.state.as_ref()?;
        let mut most: Option<(f64, std::sync::Arc<str>)> = None;
        for term in terms {
            self.slopes.clear();
            term.motion_slopes(state, &mut self.slopes).ok()?;
            let own = self.slopes.pairs().iter().filter(|pair| pair.on.row() == row);
            let size = own.fold(0.0, |most: f64, pair| most.max(pair.motion.max_abs()));
            if most.as_ref().is_none_or(|(largest, _)| size > *largest) {
                most = Some((size, term.label.clone()));
            }
        }
        let body = state.model().components().name(ComponentId::from_row(row)).to_owned();
        Some(Strain { law: most?.1, bodies: vec![body], kind: StrainKind::Backward })
    }

    /// Joins bodies between which there are slopes, as long as groups stay small.
    fn find_groups(&mut self, rows: usize) {
        let Self { slopes, group, size, order, .. } = self;
        group.clear();
        group.extend(0..rows as u32);
        size.clear();
        size.resize(rows, 1);
        let pairs = slopes.pairs();
        for pair in pairs.iter().filter(|pair| pair.on != pair.of && pair.motion != SlopeBlock::ZERO) {
            let (a, b) = (group[pair.on.row()], group[pair.of.row()]);
            let (a, b) = (a.min(b), a.max(b));
            let joined = size[a as usize] + size[b as usize];
            if a == b || joined as usize > MAX_COUPLED {
                continue;
            }
            group.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
            (size[a as usize], size[b as usize]) = (joined, 0);
        }
        order.clear();
        order.extend((0..pairs.len() as u32).filter(|&k| pairs[k as usize].motion != SlopeBlock::ZERO));
        order.sort_unstable_by_key(|&k| (group[pairs[k as usize].on.row()], k));
    }

    /// Corrects the bodies of one group, to which these slopes belong.
    fn correct_group(
        &mut self,
        run: &[u32],
        h: f64,
        inverse: &impl Fn(usize, Twist) -> Twist,
        gaps: &mut [Twist],
    ) {
        let Self { slopes, strained, group, rows, place, matrix, x, scratch, .. } = self;
        let pairs = || run.iter().map(|&k| &slopes.pairs()[k as usize]);
        let inside = pairs().filter(|pair| group[pair.on.row()] == group[pair.of.row()]);
        rows.clear();
        rows.extend(inside.clone().flat_map(|pair| [pair.on.row() as u32, pair.of.row() as u32]));
        rows.sort_unstable();
        rows.dedup();
        place.resize(group.len(), 0);
        (0..).zip(&*rows).for_each(|(k, &row)| place[row as usize] = k);
        let n = 6 * rows.len();
        matrix.clear();
        matrix.resize(n * n, 0.0);
        (0..n).for_each(|k| matrix[k * n + k] = 1.0);
        for pair in inside {
            let (on, of) = (pair.on.row(), pair.of.row());
            let (row, column) = (6 * place[on] as usize, 6 * place[of] as usize);
            for (k, felt) in columns(&pair.motion).into_iter().enumerate() {
                let change = inverse(on, felt) * (0.5 * h);
                for (j, change) in six(change).into_iter().enumerate() {
                    matrix[(row + j) * n + column + k] -= change;
                }
            }
        }
        if h < 0.0 && !is_positive(matrix, n) {
            *strained = Some(rows[0] as usize);
        }
        x.clear();
        x.extend(rows.iter().flat_map(|&row| six(gaps[row as usize])));
        // Without a solution the gap itself is the correction.
        if solve_with(matrix, x, scratch) {
            for (&row, x) in rows.iter().zip(x.chunks_exact(6)) {
                let (linear, angular) = (Vec3::from_slice(&x[..3]), Vec3::from_slice(&x[3..]));
                gaps[row as usize] = Twist::new(linear, angular);
            }
        }
    }
}

/// Returns `true` if the symmetric part of a matrix is positive definite.
fn is_positive(matrix: &[f64], n: usize) -> bool {
    let part = |row: usize, column: usize| 0.5 * (matrix[row * n + column] + matrix[column * n + row]);
    cholesky(&DenseMatrix::from_fn(n, n, part)).is_some()
}

/// The six columns of a block, as forces and torques.
fn columns(block: &SlopeBlock) -> [Twist; 6] {
    std::array::from_fn(|k| match k {
        0..3 => Twist::new(block.force_linear.col(k), block.torque_linear.col(k)),
        _ => Twist::new(block.force_angular.col(k - 3), block.torque_angular.col(k - 3)),
    })
}

fn six(twist: Twist) -> [f64; 6] {
    let (v, omega) = (twist.linear, twist.angular);
    [v.x, v.y, v.z, omega.x, omega.y, omega.z]
}
