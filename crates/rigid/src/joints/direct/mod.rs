//! The direct solver of constraints: LDLᵀ on J M⁻¹ Jᵀ, eliminated in the order of a tree, with loops closed
//! around it.
//!
//! A [`Group`] is the constraints of one island. It evaluates and factorises them at the present poses
//! ([`Group::factor`]), and then holds
//!
//! - the motion ([`Group::hold_motion`]): impulses such that J v + ∂C/∂t = 0, with limits that only push and
//!   motors of bounded force;
//! - the place ([`Group::hold_place`]): displacements such that C = 0, each body giving way by its inverse
//!   mass;
//! - a drift ([`Group::drift`]): free flight that starts and ends on the constraints (RATTLE).
//!
//! [`solve`] is the same machinery for accelerations and forces.
//!
//! The work grows linearly with the number of joints as long as they form a tree. Rows that depend on others
//! get no force and are named ([`Group::redundant`]); nothing fails.

mod ball_joint_motion;
mod ball_joints;
mod blocks;
mod constraint_forces;
mod drift;
mod elimination;
mod elimination_order;
mod flight_derivative;
mod projection;
#[cfg(test)]
mod tests;

pub use constraint_forces::{Solution, solve};
pub(crate) use projection::LIMIT_TOLERANCE;

use crate::joints::constraint::{Configuration, Constraint, MAX_ROWS, Row, Sense};
use crate::ledger::{Account, Entry, Exchange};
use crate::world::solver_body::{InverseMass, SolverBody};
use elimination::Elimination;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;

/// In the place of a body: the world, which stands still in its own frame.
pub const WORLD: u32 = u32::MAX;

/// A row that is not there: it holds nothing.
const EMPTY_ROW: Row = Row { value: 0.0, a: Twist::ZERO, b: Twist::ZERO, rate: 0.0, sense: Sense::Equal };

/// The constraints of one island, and memory for solving them.
#[derive(Debug, Clone, Default)]
pub struct Group {
    constraints: Vec<Arc<dyn Constraint>>,
    /// By constraint: the bodies at its ends, or [`WORLD`].
    ends: Vec<[u32; 2]>,
    movable: Vec<bool>,
    sizes: Vec<u32>,
    /// By constraint: where its rows begin.
    first: Vec<u32>,
    planned: Elimination,
    /// Without hubs, for the rare case that rows vanish in front of one.
    flat: Elimination,
    flat_is_planned: bool,
    uses_flat: bool,
    /// The bodies at which the rows were evaluated, and when.
    at: Vec<BodyAtFactoring>,
    time: f64,
    is_evaluated: bool,
    /// The rows there, with J and M⁻¹Jᵀ by end.
    rows: Vec<Row>,
    jacobian: Vec<[Twist; 2]>,
    push: Vec<[Twist; 2]>,
    /// `true` if there is any row but equations.
    is_bounded: bool,
    /// By constraint, in bits: the rows that take part, as asked for and as factorised.
    open: Vec<u8>,
    factored: Vec<u8>,
    is_factored: bool,
    /// By row: the impulses of the last solve, and Ċ before and after them.
    impulses: Vec<f64>,
    before: Vec<f64>,
    after: Vec<f64>,
    vector: Vec<f64>,
    change: Vec<Twist>,
    /// By row: the states of the last solve at these poses, with which the next one begins.
    states: Vec<projection::State>,
    /// `true` if `change` is the answer to `impulses`.
    is_answered: bool,
    wanted: Vec<projection::Bounds>,
    start: Vec<(Pose, Twist)>,
    there: Vec<Row>,
    flight: flight_derivative::FlightDerivative,
    balls: ball_joints::BallJoints,
    has_arrived: bool,
}

/// Properties of one body on which the rows of a group depend.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BodyAtFactoring {
    pose: Pose,
    inv_mass: f64,
    moments: Vec3,
}

impl Group {
    /// Makes it the group of these constraints, each with the places of its two bodies among the bodies
    /// ([`WORLD`] for none). Costs next to nothing if that is what it is already.
    pub fn rebuild<'a>(
        &mut self,
        constraints: impl Iterator<Item = &'a Arc<dyn Constraint>> + Clone,
        ends: impl Iterator<Item = [u32; 2]> + Clone,
        movers: &[SolverBody],
    ) {
        let moves = movers.iter().map(|mover| mover.inverse.is_movable());
        if constraints.clone().count() == self.constraints.len()
            && constraints.clone().zip(&self.constraints).all(|(new, old)| Arc::ptr_eq(new, old))
            && ends.clone().eq(self.ends.iter().copied())
            && moves.clone().eq(self.movable.iter().copied())
        {
            return;
        }
        self.constraints.clear();
        self.constraints.extend(constraints.cloned());
        self.ends.clear();
        self.ends.extend(ends);
        self.movable.clear();
        self.movable.extend(moves);
        self.sizes.clear();
        self.sizes.extend(self.constraints.iter().map(|c| c.dimension().clamp(1, MAX_ROWS) as u32));
        self.first.clear();
        let mut total = 0;
        for size in &self.sizes {
            self.first.push(total);
            total += size;
        }
        self.first.push(total);
        self.planned.plan(&self.sizes, &self.ends, &self.movable, true);
        self.balls.forget();
        self.balls.anchors.extend(self.constraints.iter().map_while(|constraint| constraint.anchors()));
        self.flat_is_planned = false;
        self.is_evaluated = false;
        self.is_factored = false;
        self.impulses.clear();
        self.impulses.resize(total as usize, 0.0);
    }

    /// Returns `true` if there is nothing to hold.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// Number of products of one factorisation: linear in the number of joints, if these form a tree.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.planned.cost()
    }

    /// Evaluates and factorises all rows at the bodies' poses. What has been done already is not done again.
    pub fn factor(&mut self, movers: &[SolverBody], time: f64) {
        self.evaluate(movers, time);
        // A run that is resumed here knows no earlier states.
        self.states.clear();
        self.open_equations();
        self.eliminate(movers);
    }

    /// Evaluates the rows.
    fn evaluate(&mut self, movers: &[SolverBody], time: f64) {
        let places = movers.iter().map(place);
        if self.is_evaluated && time == self.time && places.eq(self.at.iter().copied()) {
            return;
        }
        let mut rows = std::mem::take(&mut self.rows);
        self.rows_at(movers, time, &mut rows);
        self.rows = rows;
        self.linearise(movers, time);
    }

    /// The rows at other poses than those of the factorisation.
    fn rows_at(&self, movers: &[SolverBody], time: f64, rows: &mut Vec<Row>) {
        rows.clear();
        let pose = |end: u32| movers.get(end as usize).map_or(Pose::IDENTITY, |mover| mover.pose);
        for ((constraint, [a, b]), behind) in
            self.constraints.iter().zip(&self.ends).zip(self.first.iter().skip(1))
        {
            constraint.rows(&Configuration { a: pose(*a), b: pose(*b), time }, rows);
            // A constraint of the user may push another number of rows than its dimension.
            rows.resize(*behind as usize, EMPTY_ROW);
        }
    }

    /// J and M⁻¹Jᵀ of rows that were evaluated at the bodies' poses.
    fn linearise(&mut self, movers: &[SolverBody], time: f64) {
        self.at.clear();
        self.at.extend(movers.iter().map(place));
        self.time = time;
        self.is_evaluated = true;
        self.is_factored = false;
        self.states.clear();
        self.is_bounded = self.rows.iter().any(|row| row.sense != Sense::Equal);
        self.jacobian.clear();
        self.jacobian.extend(self.rows.iter().map(|row| [row.a, row.b]));
        self.push.clear();
        for (c, ends) in self.ends.iter().enumerate() {
            let [a, b] = ends.map(|end| movers.get(end as usize).map(|mover| &mover.inverse));
            for row in &self.rows[self.first[c] as usize..self.first[c + 1] as usize] {
                let answer = |inverse: Option<&InverseMass>, row| {
                    inverse.map_or(Twist::ZERO, |inverse| inverse.apply(row))
                };
                self.push.push([answer(a, row.a), answer(b, row.b)]);
            }
        }
    }

    /// Lets all equations take part, and nothing else.
    fn open_equations(&mut self) {
        self.open.clear();
        for (c, &size) in self.sizes.iter().enumerate() {
            let rows = &self.rows[self.first[c] as usize..][..size as usize];
            let bit = |(k, row): (usize, &Row)| u8::from(row.sense == Sense::Equal) << k;
            self.open.push(rows.iter().enumerate().map(bit).fold(0, |mask, bit| mask | bit));
        }
    }

    /// Factorises on the open rows, unless that is done.
    fn eliminate(&mut self, movers: &[SolverBody]) {
        if self.is_factored && self.factored == self.open {
            return;
        }
        self.planned.assemble(&self.jacobian, &self.push, movers);
        self.uses_flat = !self.planned.factor(&self.open);
        if self.uses_flat {
            if !self.flat_is_planned {
                self.flat.plan(&self.sizes, &self.ends, &self.movable, false);
                self.flat_is_planned = true;
            }
            self.flat.assemble(&self.jacobian, &self.push, movers);
            self.flat.factor(&self.open);
        }
        self.factored.clear();
        self.factored.extend_from_slice(&self.open);
        self.is_factored = true;
    }

    /// The factors in use.
    fn factors(&self) -> &Elimination {
        if self.uses_flat { &self.flat } else { &self.planned }
    }

    /// Solves J M⁻¹ Jᵀ x = `vector` on the open rows, in place.
    fn solve_vector(&mut self) {
        let mut vector = std::mem::take(&mut self.vector);
        vector.resize(self.factors().len(), 0.0);
        self.factors().solve(&mut vector);
        vector.truncate(self.rows.len());
        self.vector = vector;
    }

    /// Returns `true` if a row takes part and does not depend on others.
    fn is_kept(&self, constraint: usize, k: usize) -> bool {
        self.factors().kept(constraint) >> k & 1 == 1
    }

    /// The rows of a constraint.
    fn range(&self, constraint: usize) -> std::ops::Range<usize> {
        self.first[constraint] as usize..self.first[constraint + 1] as usize
    }

    /// Ċ of every row.
    fn rates(&self, movers: &[SolverBody], out: &mut Vec<f64>) {
        out.clear();
        let twist = |end: u32| movers.get(end as usize).map_or(Twist::ZERO, |mover| mover.twist);
        for (c, ends) in self.ends.iter().enumerate() {
            let [a, b] = ends.map(twist);
            for row in &self.rows[self.range(c)] {
                out.push(row.a.dot(a) + row.b.dot(b) + row.rate);
            }
        }
    }

    /// Changes of the bodies' twists by the present impulses.
    fn respond_all(&mut self, count: usize) {
        self.change.clear();
        self.change.resize(count, Twist::ZERO);
        for (c, ends) in self.ends.iter().enumerate() {
            let range = self.range(c);
            for (end, &mover) in ends.iter().enumerate() {
                if self.movable.get(mover as usize) == Some(&true) {
                    let push = self.push[range.clone()].iter().zip(&self.impulses[range.clone()]);
                    let sum = push.fold(Twist::ZERO, |sum, (push, impulse)| sum + push[end] * *impulse);
                    self.change[mover as usize] += sum;
                }
            }
        }
    }

    /// Changes of all twists of the group by an impulse on one body and the reaction of the joints. The group
    /// is factorised; limits answer if they did in the last solve.
    pub fn respond(&mut self, mover: usize, impulse: Twist, movers: &[SolverBody], out: &mut [Twist]) {
        out.fill(Twist::ZERO);
        let Some(body) = movers.get(mover) else { return };
        out[mover] = body.inverse.apply(impulse);
        let hit = out[mover];
        self.vector.clear();
        for (c, ends) in self.ends.iter().enumerate() {
            for row in &self.jacobian[self.first[c] as usize..self.first[c + 1] as usize] {
                let rate = (0..2).filter(|&end| ends[end] as usize == mover);
                self.vector.push(rate.fold(0.0, |sum, end| sum - row[end].dot(hit)));
            }
        }
        self.solve_vector();
        std::mem::swap(&mut self.vector, &mut self.impulses);
        self.respond_all(movers.len());
        std::mem::swap(&mut self.vector, &mut self.impulses);
        out.iter_mut().zip(&self.change).for_each(|(out, change)| *out += *change);
    }

    /// The impulses of the last solve, row by row, N·s or N·m·s.
    #[must_use]
    pub fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// The impulse of one constraint on its bodies in the last solve.
    #[must_use]
    pub fn impulse(&self, constraint: usize) -> [Twist; 2] {
        let range = self.range(constraint);
        let rows = self.jacobian[range.clone()].iter().zip(&self.impulses[range]);
        rows.fold([Twist::ZERO; 2], |[a, b], (row, impulse)| [a + row[0] * *impulse, b + row[1] * *impulse])
    }

    /// The largest violation at the poses of the last factorisation, m or rad: |C| of equations, −C of limits
    /// below zero.
    #[must_use]
    pub fn violation(&self) -> f64 {
        self.rows.iter().fold(0.0, |most, row| f64::max(most, violation(row)))
    }

    /// The constraints with rows that depend on others, by number, as of the last factorisation.
    pub fn redundant(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&c| self.repeated(c) > 0)
    }

    /// Number of rows of a constraint that depend on others, as of the last factorisation.
    #[must_use]
    pub fn repeated(&self, constraint: usize) -> usize {
        if !self.is_factored {
            return 0;
        }
        (self.factored[constraint] & !self.factors().kept(constraint)).count_ones() as usize
    }

    /// Returns `true` if the last drift came to a limit that was not reached when it began.
    pub(crate) fn has_arrived(&self) -> bool {
        self.has_arrived
    }

    /// C and Ċ of every limit at the poses of the last evaluation, which are those of the bodies.
    pub(crate) fn limits(&self, movers: &[SolverBody]) -> impl Iterator<Item = (f64, f64)> {
        let twist = |end: u32| movers.get(end as usize).map_or(Twist::ZERO, |mover| mover.twist);
        let ends = self.ends.iter().enumerate().map(move |(c, ends)| (c, ends.map(twist)));
        ends.flat_map(|(c, [a, b])| {
            let limits = self.rows[self.range(c)].iter().filter(|row| row.sense == Sense::AtLeast);
            limits.map(move |row| (row.value, row.a.dot(a) + row.b.dot(b) + row.rate))
        })
    }

    /// The rows of a constraint as last evaluated.
    #[must_use]
    pub fn rows(&self, constraint: usize) -> &[Row] {
        &self.rows[self.range(constraint)]
    }

    /// The constraint of a number.
    #[must_use]
    pub fn constraint(&self, number: usize) -> &dyn Constraint {
        &*self.constraints[number]
    }

    /// Notes the rates before impulses that are going to be booked.
    pub(crate) fn note_before(&mut self, movers: &[SolverBody]) {
        let mut before = std::mem::take(&mut self.before);
        self.rates(movers, &mut before);
        self.before = before;
    }

    /// Notes the rates after them.
    pub(crate) fn note_after(&mut self, movers: &[SolverBody]) {
        let mut after = std::mem::take(&mut self.after);
        self.rates(movers, &mut after);
        self.after = after;
    }

    /// The rates of a constraint's rows as last noted after impulses.
    pub(crate) fn rates_after(&self, constraint: usize) -> &[f64] {
        &self.after[self.range(constraint)]
    }

    /// Books the impulses of the last solve. Between the notes before and after, all impulses are taken to
    /// have acted together.
    pub fn book(&self, movers: &[SolverBody], exchange: &mut Exchange) {
        let (mut joint, mut motor) = (Entry::default(), Entry::default());
        for (c, &ends) in self.ends.iter().enumerate() {
            let immovable = ends.map(|end| self.movable.get(end as usize) != Some(&true));
            let own = [0, 1].map(|k| match movers.get(ends[k] as usize) {
                Some(mover) if immovable[k] => mover.twist,
                _ => Twist::ZERO,
            });
            for k in self.range(c) {
                let (row, impulse) = (&self.rows[k], self.impulses[k]);
                let own = row.rate + row.a.dot(own[0]) + row.b.dot(own[1]);
                let mean = 0.5 * (self.before[k] + self.after[k]);
                let push = match immovable {
                    [false, false] => row.a.linear + row.b.linear,
                    [false, true] => row.a.linear,
                    [true, false] => row.b.linear,
                    [true, true] => Vec3::ZERO,
                } * impulse;
                if matches!(row.sense, Sense::Driven { .. }) {
                    motor += Entry { energy: impulse * (mean - own), momentum: push };
                } else {
                    joint += Entry { energy: impulse * mean, momentum: push };
                    motor.energy -= impulse * own;
                }
            }
        }
        exchange.book(Account::Joint, joint);
        exchange.book(Account::Motor, motor);
    }
}

fn place(mover: &SolverBody) -> BodyAtFactoring {
    BodyAtFactoring { pose: mover.pose, inv_mass: mover.inverse.inv_mass, moments: mover.moments }
}

/// Violation of a row, m or rad.
fn violation(row: &Row) -> f64 {
    match row.sense {
        Sense::Equal => row.value.abs(),
        Sense::AtLeast => (-row.value).max(0.0),
        Sense::Driven { .. } => 0.0,
    }
}
