//! The elimination against plain Gaussian elimination of the whole matrix, on trees, stars, loops, and
//! constraints that are too many.

use super::{Group, Solution, WORLD, solve};
use crate::joints::constraint::{Configuration, Constraint, Row, Sense};
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Twist, Vec3};
use proptest::prelude::*;
use std::sync::Arc;

/// Rows that are the same wherever the bodies are.
#[derive(Debug)]
struct Linear {
    name: String,
    a: u32,
    b: Option<u32>,
    rows: Vec<Row>,
}

impl Constraint for Linear {
    fn name(&self) -> &str {
        &self.name
    }
    fn kind(&self) -> &'static str {
        "linear"
    }
    fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        (ComponentId::from_row(self.a as usize), self.b.map(|b| ComponentId::from_row(b as usize)))
    }
    fn dimension(&self) -> usize {
        self.rows.len()
    }
    fn rows(&self, _: &Configuration, rows: &mut Vec<Row>) {
        rows.extend_from_slice(&self.rows);
    }
}

/// A small generator of numbers in (-1, 1), so that a whole system follows from one seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64) / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    fn twist(&mut self) -> Twist {
        Twist::new(self.vector(), self.vector())
    }
    fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5 * n as f64) as usize).min(n - 1)
    }
}

fn mover(row: u32, numbers: &mut Numbers, movable: bool) -> SolverBody {
    let mass = if movable { 1.5 + numbers.next() } else { 0.0 };
    let moments = if movable { Vec3::new(2.0, 2.2, 2.5) + numbers.vector() * 0.4 } else { Vec3::ZERO };
    let pose = Pose::new(from_rotation_vector(numbers.vector()), numbers.vector() * 3.0);
    SolverBody {
        row,
        inverse: InverseMass::new(mass, moments, pose.rotation),
        mass,
        moments,
        pose,
        twist: numbers.twist(),
        force: numbers.twist(),
        moved: Twist::ZERO,
        shifted: Twist::ZERO,
    }
}

fn linear(
    number: usize,
    ends: (u32, Option<u32>),
    size: usize,
    numbers: &mut Numbers,
) -> Arc<dyn Constraint> {
    let rows = (0..size).map(|_| {
        let rate = numbers.next();
        Row { value: numbers.next(), a: numbers.twist(), b: numbers.twist(), rate, sense: Sense::Equal }
    });
    Arc::new(Linear { name: format!("c{number}"), a: ends.0, b: ends.1, rows: rows.collect() })
}

/// Bodies 1 to n (the last one immovable), joined as a tree, with so many loops and so many joints to the
/// world more.
fn system(
    seed: u64,
    n: usize,
    loops: usize,
    grounds: usize,
    star: bool,
) -> (Vec<Arc<dyn Constraint>>, Vec<SolverBody>) {
    let mut numbers = Numbers(seed);
    (0..8).for_each(|_| {
        numbers.next();
    });
    let movers: Vec<SolverBody> =
        (1..=n as u32).map(|row| mover(row, &mut numbers, row < n as u32)).collect();
    let mut constraints = Vec::new();
    for k in 1..n {
        let parent = if star { 0 } else { numbers.below(k) };
        let size = 1 + numbers.below(3);
        constraints.push(linear(k, (k as u32 + 1, Some(parent as u32 + 1)), size, &mut numbers));
    }
    for k in 0..loops {
        let (a, b) = (numbers.below(n - 1) as u32, numbers.below(n) as u32);
        if a != b {
            constraints.push(linear(100 + k, (a + 1, Some(b + 1)), 1, &mut numbers));
        }
    }
    for k in 0..grounds {
        let a = numbers.below(n - 1) as u32;
        constraints.push(linear(200 + k, (a + 1, None), 1, &mut numbers));
    }
    (constraints, movers)
}

/// J of all rows as one matrix, six columns per body.
fn dense(constraints: &[Arc<dyn Constraint>], movers: &[SolverBody]) -> (Vec<Vec<f64>>, Vec<Row>) {
    let at = Configuration { a: Pose::IDENTITY, b: Pose::IDENTITY, time: 0.0 };
    let (mut matrix, mut rows) = (Vec::new(), Vec::new());
    for constraint in constraints {
        let from = rows.len();
        constraint.rows(&at, &mut rows);
        let (a, b) = constraint.bodies();
        for row in &rows[from..] {
            let mut line = vec![0.0; 6 * movers.len()];
            for (end, side) in [(Some(a), row.a), (b, row.b)] {
                let k = end.and_then(|end| movers.iter().position(|mover| mover.row as usize == end.row()));
                if let Some(k) = k {
                    let numbers = side.linear.to_array().into_iter().chain(side.angular.to_array());
                    line[6 * k..6 * k + 6].iter_mut().zip(numbers).for_each(|(x, y)| *x += y);
                }
            }
            matrix.push(line);
        }
    }
    (matrix, rows)
}

/// M⁻¹ times a vector of all bodies.
fn by_mass(movers: &[SolverBody], x: &[f64]) -> Vec<f64> {
    let blocks = movers.iter().zip(x.chunks_exact(6)).flat_map(|(mover, x)| {
        let push = Twist::new(Vec3::from_slice(&x[..3]), Vec3::from_slice(&x[3..]));
        let moved = mover.inverse.apply(push);
        moved.linear.to_array().into_iter().chain(moved.angular.to_array())
    });
    blocks.collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Gaussian elimination with partial pivoting.
fn gauss(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let (above, below) = a.split_at_mut(i);
            let factor = below[0][k] / above[k][k];
            below[0][k..].iter_mut().zip(&above[k][k..]).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

/// The multipliers by the plainest way there is, and the condition in the 1-norm from the inverse itself.
fn oracle(constraints: &[Arc<dyn Constraint>], movers: &[SolverBody]) -> (Vec<f64>, f64) {
    let (jacobian, rows) = dense(constraints, movers);
    let pushed: Vec<Vec<f64>> = jacobian.iter().map(|line| by_mass(movers, line)).collect();
    let a: Vec<Vec<f64>> =
        jacobian.iter().map(|line| pushed.iter().map(|other| product(line, other)).collect()).collect();
    let flat = |twist: &dyn Fn(&SolverBody) -> Twist| -> Vec<f64> {
        let parts = movers.iter().flat_map(|mover| {
            let twist = twist(mover);
            twist.linear.to_array().into_iter().chain(twist.angular.to_array())
        });
        parts.collect()
    };
    let forces = flat(&|mover| {
        // −ω × I ω with I in the world frame, from its eigenvectors.
        let spin =
            Vec3::AXES.into_iter().zip(mover.moments.to_array()).fold(Vec3::ZERO, |sum, (axis, moment)| {
                let axis = mover.pose.rotation * axis;
                sum + axis * (moment * axis.dot(mover.twist.angular))
            });
        mover.force - Twist::new(Vec3::ZERO, mover.twist.angular.cross(spin))
    });
    let free = by_mass(movers, &forces);
    let velocities = flat(&|mover| mover.twist);
    let b = jacobian.iter().zip(&rows).map(|(line, row)| {
        let rate = product(line, &velocities) + row.rate;
        -product(line, &free) - 10.0 * row.value - 10.0 * rate
    });
    let n = a.len();
    let size = |columns: &[Vec<f64>]| {
        columns.iter().map(|column| column.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
    };
    let inverse: Vec<Vec<f64>> =
        (0..n).map(|k| gauss(a.clone(), (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect())).collect();
    let condition = size(&a) * size(&inverse);
    (gauss(a, b.collect()), condition)
}

fn close(solution: &Solution, exact: &[f64], condition: f64) -> bool {
    let size = exact.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let difference = solution.multipliers.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    difference <= 1e-14 * condition.max(100.0) * size
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn multipliers_are_those_of_gaussian_elimination(
        seed in any::<u64>(), n in 2..12usize, loops in 0..4usize, grounds in 0..3usize, star in any::<bool>(),
    ) {
        let (constraints, movers) = system(seed, n, loops, grounds, star);
        let (exact, condition) = oracle(&constraints, &movers);
        prop_assume!(condition < 1e8);
        let solution = solve(&constraints, &movers, 0.0);
        prop_assert!(solution.converged && solution.redundant.is_empty());
        prop_assert!(close(&solution, &exact, condition), "{:?} against {exact:?}", solution.multipliers);
        // An estimate from below, seldom by more than a factor of three (@higham1988).
        prop_assert!(solution.condition <= condition * 1.0001 && solution.condition >= condition / 10.0);
    }

    /// A response is what the equations say: M Δv = p + Jᵀλ and J Δv = 0.
    #[test]
    fn responses_keep_the_constraints(seed in any::<u64>(), n in 2..12usize, loops in 0..3usize, star in any::<bool>()) {
        let (constraints, movers) = system(seed, n, loops, 1, star);
        let (jacobian, _) = dense(&constraints, &movers);
        prop_assume!(oracle(&constraints, &movers).1 < 1e6);
        let mut group = group_of(&constraints, &movers);
        group.factor(&movers, 0.0);
        let mut out = vec![Twist::ZERO; movers.len()];
        let push = Numbers(seed ^ 5).twist();
        group.respond(0, push, &movers, &mut out);
        let flat: Vec<f64> =
            out.iter().flat_map(|t| t.linear.to_array().into_iter().chain(t.angular.to_array())).collect();
        for line in &jacobian {
            prop_assert!(product(line, &flat).abs() < 1e-9);
        }
        // The joints do no work: the energy of the change is the work of the push.
        let energy: f64 = out.iter().zip(&movers).filter(|(_, mover)| mover.mass > 0.0).map(|(t, mover)| {
            let spin = mover.pose.rotation.inverse() * t.angular;
            mover.mass * t.linear.length_squared() + spin.dot(mover.moments * spin)
        }).sum();
        let work = if movers[0].mass > 0.0 { push.dot(out[0]) } else { 0.0 };
        prop_assert!((energy - work).abs() < 1e-9 * (1.0 + work.abs()));
    }

    /// After holding the motion every equation holds, limits are passed by nobody and pull nobody, motors
    /// keep to their force.
    #[test]
    fn limits_push_and_motors_are_bounded(seed in any::<u64>(), n in 2..10usize, loops in 0..4usize) {
        let (constraints, movers) = system(seed, n, loops, 1, false);
        prop_assume!(oracle(&constraints, &movers).1 < 1e6);
        let mut numbers = Numbers(seed ^ 77);
        let constraints: Vec<Arc<dyn Constraint>> = constraints.iter().enumerate().map(|(k, constraint)| {
            let (a, b) = constraint.bodies();
            let mut rows = Vec::new();
            constraint.rows(&Configuration { a: Pose::IDENTITY, b: Pose::IDENTITY, time: 0.0 }, &mut rows);
            for row in &mut rows {
                row.sense = match numbers.below(3) {
                    0 => Sense::Equal,
                    1 => Sense::AtLeast,
                    _ => Sense::Driven { speed: numbers.next(), most: 20.0 * numbers.next().abs() },
                };
                row.value = if numbers.next() > 0.0 { 0.0 } else { 0.01 };
            }
            let (a, b) = (a.row() as u32, b.map(|b| b.row() as u32));
            Arc::new(Linear { name: format!("d{k}"), a, b, rows }) as Arc<dyn Constraint>
        }).collect();
        let (h, mut after) = (0.01, movers.clone());
        let mut group = group_of(&constraints, &movers);
        group.factor(&movers, 0.0);
        group.hold_motion(&mut after, h);
        let (jacobian, rows) = dense(&constraints, &movers);
        let flat: Vec<f64> = after.iter()
            .flat_map(|m| m.twist.linear.to_array().into_iter().chain(m.twist.angular.to_array())).collect();
        for ((line, row), &impulse) in jacobian.iter().zip(&rows).zip(group.impulses()) {
            let rate = product(line, &flat) + row.rate;
            match row.sense {
                Sense::Equal => prop_assert!(rate.abs() < 1e-8),
                Sense::AtLeast => {
                    let gap = row.value / h;
                    prop_assert!(impulse >= 0.0 && rate >= -gap - 1e-8);
                    prop_assert!(impulse < 1e-12 || (rate + gap).abs() < 1e-8);
                }
                Sense::Driven { speed, most } => {
                    prop_assert!(impulse.abs() <= most * h * (1.0 + 1e-12));
                    let slow = (speed - rate) * impulse.signum();
                    prop_assert!((rate - speed).abs() < 1e-8 || (impulse.abs() > most * h * (1.0 - 1e-9) && slow > -1e-8));
                }
            }
        }
    }
}

fn group_of(constraints: &[Arc<dyn Constraint>], movers: &[SolverBody]) -> Group {
    let place = |row: usize| movers.iter().position(|m| m.row as usize == row).map_or(WORLD, |k| k as u32);
    let ends = constraints.iter().map(|constraint| {
        let (a, b) = constraint.bodies();
        [place(a.row()), b.map_or(WORLD, |b| place(b.row()))]
    });
    let mut group = Group::default();
    group.rebuild(constraints.iter(), ends, movers);
    group
}

/// A chain of n ball joints, hanging from the world.
fn chain(n: usize) -> (Vec<Arc<dyn Constraint>>, Vec<SolverBody>) {
    let mut numbers = Numbers(3);
    let movers: Vec<SolverBody> = (1..=n as u32).map(|row| mover(row, &mut numbers, true)).collect();
    let joint =
        |k: usize, numbers: &mut Numbers| linear(k, (k as u32 + 1, (k > 0).then_some(k as u32)), 3, numbers);
    ((0..n).map(|k| joint(k, &mut numbers)).collect(), movers)
}

#[test]
fn chains_and_stars_and_trees_cost_in_proportion_to_their_joints() {
    let cost = |(constraints, movers): (Vec<Arc<dyn Constraint>>, Vec<SolverBody>)| {
        group_of(&constraints, &movers).cost()
    };
    let (short, long) = (cost(chain(100)), cost(chain(1000)));
    assert!(long < 11 * short && short <= 100 * 60, "{short}, {long}");
    let (small, large) = (cost(system(1, 100, 0, 1, true)), cost(system(1, 1000, 0, 1, true)));
    assert!(large < 12 * small, "star: {small}, {large}");
    let (small, large) = (cost(system(1, 1000, 0, 1, false)), cost(system(1, 4000, 0, 1, false)));
    assert!(large < 5 * small, "tree: {small}, {large}");
}

#[test]
fn an_empty_set_needs_no_force() {
    let (_, movers) = chain(3);
    let solution = solve(&[], &movers, 0.0);
    assert!(solution.converged && solution.multipliers.is_empty() && solution.condition == 1.0);
    assert!(solution.forces.iter().all(|force| *force == Twist::ZERO));
    assert_eq!((solution.position_violation, solution.velocity_violation), (0.0, 0.0));
}

/// The same condition twice: the second is named, shares nothing, and everything else is as with one.
#[test]
fn a_constraint_given_twice_is_redundant_and_one_that_contradicts_conflicts() {
    let (mut constraints, movers) = chain(4);
    let alone = solve(&constraints, &movers, 0.0);
    let mut rows = Vec::new();
    constraints[2].rows(&Configuration { a: Pose::IDENTITY, b: Pose::IDENTITY, time: 0.0 }, &mut rows);
    let twin =
        |name: &str, rows: Vec<Row>| Arc::new(Linear { name: name.to_owned(), a: 3, b: Some(2), rows });
    constraints.push(twin("twin", rows.clone()));
    let double = solve(&constraints, &movers, 0.0);
    assert_eq!((double.redundant.as_slice(), double.conflicting.len()), (["twin".to_owned()].as_slice(), 0));
    assert!(double.converged);
    for (one, two) in alone.forces.iter().zip(&double.forces) {
        assert!((*one - *two).linear.length() < 1e-9 && (*one - *two).angular.length() < 1e-9);
    }
    rows[1].value += 1.0;
    *constraints.last_mut().unwrap() = twin("contrary", rows);
    let wrong = solve(&constraints, &movers, 0.0);
    assert_eq!(
        (wrong.redundant.len(), wrong.conflicting.as_slice()),
        (1, ["contrary".to_owned()].as_slice())
    );
    assert!(!wrong.converged && wrong.multipliers.iter().all(|x| x.is_finite()));
}

/// A hub on legs that are fixed to it and to the ground: nothing moves, but only with all of them known.
#[test]
fn legs_of_a_hub_that_stand_on_the_ground_are_solved_too() {
    let mut numbers = Numbers(9);
    let legs = 8;
    let movers: Vec<SolverBody> = (1..=legs + 1).map(|row| mover(row, &mut numbers, true)).collect();
    let mut constraints = Vec::new();
    for leg in 0..legs {
        constraints.push(linear(leg as usize, (leg + 2, Some(1)), 6, &mut numbers));
    }
    constraints.push(linear(50, (2, None), 3, &mut numbers));
    let (exact, condition) = oracle(&constraints, &movers);
    let solution = solve(&constraints, &movers, 0.0);
    assert!(solution.redundant.is_empty(), "{:?}", solution.redundant);
    assert!(close(&solution, &exact, condition));
}

/// The distance of a point of a turning body from the origin: C = |x + R a| − 1, J̇v known in closed form.
#[test]
fn the_drift_by_differences_is_the_second_derivative() {
    #[derive(Debug)]
    struct Leash(Vec3);
    impl Constraint for Leash {
        fn name(&self) -> &str {
            "leash"
        }
        fn kind(&self) -> &'static str {
            "leash"
        }
        fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
            (ComponentId::from_row(1), None)
        }
        fn dimension(&self) -> usize {
            1
        }
        fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
            let arm = at.a.vector_to_world(self.0);
            let p = at.a.translation + arm;
            let n = p / p.length();
            let a = Twist::of_impulse(n, arm);
            rows.push(Row { value: p.length() - 1.0, a, b: Twist::ZERO, rate: 0.0, sense: Sense::Equal });
        }
    }
    let mut numbers = Numbers(1);
    for _ in 0..20 {
        let arm = numbers.vector();
        let a =
            Pose::new(from_rotation_vector(numbers.vector()), Vec3::new(2.0, 0.0, 0.0) + numbers.vector());
        let motion = numbers.twist() * 3.0;
        let at = Configuration { a, b: Pose::IDENTITY, time: 0.0 };
        let mut drift = Vec::new();
        Leash(arm).drift(&at, motion, Twist::ZERO, &mut drift);
        let (r, w) = (a.vector_to_world(arm), motion.angular);
        let (p, v) = (a.translation + r, motion.at(r));
        let d = p.length();
        let exact =
            (v.length_squared() - (v.dot(p) / d) * (v.dot(p) / d)) / d + p.dot(w.cross(w.cross(r))) / d;
        assert!((drift[0] - exact).abs() < 1e-8 * (1.0 + exact.abs()), "{} {exact}", drift[0]);
    }
}
