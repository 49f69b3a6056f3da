//! The contact solver `gauss-seidel`: small steps, warm starts, and as many sweeps as it takes.
//!
//! The step is cut into sub-steps. In each, laws kick, contacts push as they did in the sub-step before, and
//! sweeps over all contact points, to and fro, put right what has changed. At rest nothing has, so one sweep
//! is enough. Where it is not, bodies that rest on each other are solved directly, if their contacts form a
//! tree (`tree`): a tower takes a blow in one go. Other small islands go on with directions that are
//! conjugate to each other (Silcowitz-Hansen, Niebe and Erleben 2010). Large ones go on only while a sweep
//! moves much less than the one before: what converges slowly, like the sway of a tower, converges over the
//! sub-steps, and the report tells what is left.
//!
//! Arms, normals and effective masses are those at the start of the step; gaps follow the displacements, and
//! so does the point at which two bodies push each other, as far as their angular momentum goes (`lasting`).

mod conjugate;
mod finish_substep;
mod large_island;
mod persistent;
mod simd;
mod substep_motion;
mod sweep;
mod tree;
mod wide;
mod with_joints;

use super::contact_rows::Rows;
use super::{ContactSolver, Problem, Report};
use crate::step::free_motion;
use crate::world::settings::Settings;
use crate::world::solver_body::InverseMass;
use crate::world::solver_body::SolverBody;
use conjugate::Conjugate;
use finish_substep::ContactEntries;
use gedanken_math::Twist;
use persistent::PersistentImpulses;
use substep_motion::SubstepMotion;
use tree::ContactTree;
use wide::{MANY, WideContacts};
use with_joints::Jointed;

/// See the module.
#[derive(Debug)]
pub struct GaussSeidel;

/// The solver as a value of the registry.
pub static GAUSS_SEIDEL: GaussSeidel = GaussSeidel;

/// Memory of the solver: nothing in it lives longer than a solve.
#[derive(Debug, Default)]
pub struct Memory {
    rows: Rows,
    motions: Vec<SubstepMotion>,
    conjugate: Conjugate,
    tree: ContactTree,
    packs: WideContacts,
    jointed: Jointed,
    lasting: PersistentImpulses,
}

/// Visits of contact points per sub-step that an island can have beyond `Settings::iterations`: small islands
/// are solved to the end, large ones go on in the next sub-step from where they are.
const VISITS: usize = 3200;

/// The most sweeps to and fro in a sub-step.
const ROUNDS: usize = 64;

/// The most of them where several bodies rest on each other.
const TOGETHER: u32 = 16;

/// The most of them where bodies hit each other and slide.
const LIVELY: u32 = 6;

/// Sweeps end when what they move has fallen to this part of what the laws' kicks move, as speeds.
const SMALL: f64 = 1e-6;

/// The same for the speeds with which surfaces meet or slide.
const COARSE: f64 = 1e-3;

/// A sweep that moves less than this part of what the laws' kicks move has moved nothing.
const DONE: f64 = 1e-10;

/// Bodies that rest on each other are solved directly if a sweep moves more than this part.
const STILL: f64 = 2e-8;

/// After so many sweeps to and fro, a tall and loose column goes on only if the last one moved less than
/// [`GAIN`] of what the one before it moved: what makes it sway passes up and down one contact at a time, and
/// no number of sweeps that anybody would wait for brings that to rest within a step.
const FEW: u32 = 2;

/// See [`FEW`]; squares of speeds.
const GAIN: f64 = 0.25;

/// How many times faster than the laws' kicks surfaces may move against each other for an island to count as
/// quiet.
const QUIET: f64 = 3.0;

/// The least number of turns that contacts and joints take.
const AROUND: u32 = 4;

/// Contacts count as solved when they move by less than this part of what the laws' kicks give.
const SLACK: f64 = 1e-2;

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn summary(&self) -> &'static str {
        "sub-steps with warm-started sweeps over contact points; Newton's method or conjugate directions where one is not enough"
    }

    fn cite(&self) -> &'static str {
        "catto2005"
    }

    fn usual(&self, settings: Settings) -> Settings {
        Settings { solver: &GAUSS_SEIDEL, ..settings }
    }

    fn solve(&self, problem: &mut Problem<'_>) -> Report {
        if large_island::is_crowd(problem) {
            return large_island::solve(problem);
        }
        let substeps = problem.settings.substeps;
        let h = problem.h / f64::from(substeps);
        let scale = kick_energy(problem, h);
        let Memory { rows, motions, conjugate, tree, packs, jointed, lasting } = &mut *problem.memory;
        rows.set_up(problem.movers, problem.touches, problem.ends, f64::from(substeps));
        motions.clear();
        motions.extend(problem.movers.iter().map(|mover| SubstepMotion::new(mover, h)));
        predict_pushes(rows, motions);
        lasting.begin(rows);
        let has_joints = !problem.joints.is_empty();
        if has_joints {
            problem.joints.factor(problem.movers, problem.time);
        }
        let mut entries = ContactEntries::default();
        let mut rounds = 0;
        let least = problem.settings.iterations;
        let most = (VISITS / rows.points.len().max(1)).min(ROUNDS) as u32;
        let mut iteration = Iteration {
            least,
            most: most.max(least),
            scale,
            conjugate,
            tree,
            is_tree: None,
            has_failed: false,
            packs,
            is_packed: false,
        };
        for turn in 0..substeps {
            finish_substep::allow(&mut rows.points, h);
            if turn > 0 && (has_joints || lasting.drop_transient(rows)) {
                predict_pushes(rows, motions);
            }
            motions.iter_mut().zip(&mut rows.bodies).for_each(|(motion, body)| motion.begin(body));
            rounds = rounds.max(if has_joints {
                jointed.begin(rows.bodies.len());
                iteration.around(rows, |rows| jointed.hold(rows, problem.movers, problem.joints, h))
            } else {
                iteration.run(rows)
            });
            if has_joints {
                let before = motions.iter().map(|motion| motion.before);
                Jointed::book(problem.movers, before, &rows.bodies, problem.joints, problem.exchange);
                motions.iter_mut().zip(&rows.bodies).for_each(|(motion, body)| motion.classify_by_body(body));
            } else {
                lasting.classify(rows, motions);
                lasting.conserve_angular_momentum(rows, motions, [h * f64::from(turn), h], &mut entries);
            }
            motions.iter_mut().zip(&rows.bodies).for_each(|(motion, body)| motion.end(body, h));
            finish_substep::close(rows, motions, h, &mut entries);
        }
        let mut shifted = 0.0;
        for ((mover, motion), body) in problem.movers.iter_mut().zip(motions.iter()).zip(&rows.bodies) {
            shifted += motion.finish(mover, body, problem.h);
        }
        let joints = if has_joints { hold_place(problem, &mut shifted) } else { 0.0 };
        entries.book(shifted, problem.exchange);
        let tolerance = problem.settings.joint_tolerance;
        let report = keep(problem, f64::from(substeps));
        let converged = report.is_within(SLACK * speed(problem.movers, h) + problem.settings.rest_speed);
        Report { iterations: rounds, joints, converged: converged && joints <= tolerance, ..report }
    }
}

/// Brings bodies back to their joints at the end of the step, and their motions too. Tells the largest
/// violation left.
fn hold_place(problem: &mut Problem<'_>, shifted: &mut f64) -> f64 {
    let end = problem.time + problem.h;
    for mover in problem.movers.iter_mut() {
        if mover.inverse.is_movable() {
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        } else {
            (mover.pose, _) = free_motion::drifted(mover.pose, mover.twist, mover.moments, problem.h);
        }
        *shifted += mover.force.linear.dot(mover.pose.translation);
    }
    let violation = problem.joints.hold_place(problem.movers, end);
    *shifted -=
        problem.movers.iter().map(|mover| mover.force.linear.dot(mover.pose.translation)).sum::<f64>();
    problem.joints.factor(problem.movers, end);
    problem.joints.note_before(problem.movers);
    problem.joints.hold_motion(problem.movers, 0.0);
    problem.joints.note_after(problem.movers);
    problem.joints.book(problem.movers, problem.exchange);
    violation
}

/// The largest speed that the laws give a body in a sub-step.
fn speed(movers: &[SolverBody], h: f64) -> f64 {
    movers.iter().map(|mover| mover.inverse.apply(mover.force).linear.length() * h).fold(0.0, f64::max)
}

/// The pushes of the impulses to start from.
fn predict_pushes(rows: &Rows, motions: &mut [SubstepMotion]) {
    motions.iter_mut().for_each(|motion| motion.push = Twist::ZERO);
    for manifold in &rows.manifolds {
        let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
        for point in &rows.points[manifold.first as usize..][..manifold.count as usize] {
            let impulse = manifold.frame * point.impulse;
            motions[a].push += rows.bodies[a].response(-impulse, point.arm_a);
            motions[b].push += rows.bodies[b].response(impulse, point.arm_b);
        }
    }
}

/// Σ m v² of what the laws do in a sub-step of length `h`, and of the speed of rest: what sweeps are measured
/// by.
fn kick_energy(problem: &Problem<'_>, h: f64) -> f64 {
    let rest = problem.settings.rest_speed;
    let each = |mover: &SolverBody| {
        let kick = mover.inverse.apply(mover.force) * h;
        kick.dot(mover.force) * h + mover.mass * rest * rest
    };
    problem.movers.iter().filter(|mover| mover.inverse.is_movable()).map(each).sum()
}

/// How the contacts of an island are brought to agree in each sub-step.
struct Iteration<'a> {
    least: u32,
    most: u32,
    /// Σ m v² of what the laws do in a sub-step.
    scale: f64,
    conjugate: &'a mut Conjugate,
    tree: &'a mut ContactTree,
    /// Whether the contacts form a tree, once that is known.
    is_tree: Option<bool>,
    /// Whether it was one that could not be solved directly in this step.
    has_failed: bool,
    packs: &'a mut WideContacts,
    /// Whether the contacts of this step are in the packs.
    is_packed: bool,
}

impl Iteration<'_> {
    /// Sweeps until little is moved, or the work is used up. Bodies that rest on each other are solved
    /// directly, if that takes more than one sweep to and fro and their contacts form a tree. Returns how
    /// many times it went to and fro.
    fn run(&mut self, rows: &mut Rows) -> u32 {
        let meeting: f64 =
            rows.points.iter().map(|point| point.before.length_squared() * point.normal_mass).sum();
        let enough = SMALL * SMALL * self.scale + COARSE * COARSE * meeting;
        let is_quiet = meeting <= QUIET * QUIET * self.scale;
        if rows.manifolds.len() >= MANY && self.is_tree(rows) {
            return self.run_large(rows, enough, if is_quiet { TOGETHER } else { LIVELY });
        }
        let mut left = sweep::symmetric_sweep(rows);
        let mut rounds = 1;
        let is_stack = self.tree_is_tall(rows);
        let little = if is_stack { STILL * STILL * self.scale } else { enough };
        if rounds >= self.least && left <= little {
            return rounds;
        }
        if is_stack && self.solve_tree(rows) {
            return rounds;
        }
        if is_quiet && self.is_single(rows) && self.tree.solve(rows, self.scale) {
            return rounds;
        }
        let most = match (is_quiet, self.is_single(rows)) {
            (true, true) => self.most,
            (true, false) => self.most.min(TOGETHER),
            (false, _) => self.most.min(LIVELY),
        };
        if most > rounds {
            self.conjugate.begin(rows);
        }
        while rounds < self.least || (left > enough && rounds < most) {
            if rounds > 1 && rounds < most {
                self.conjugate.advance(rows, left);
            }
            left = sweep::symmetric_sweep(rows);
            rounds += 1;
        }
        rounds
    }

    /// The same for a column of many contacts, four at a time, and only as long as it pays.
    fn run_large(&mut self, rows: &mut Rows, enough: f64, most: u32) -> u32 {
        if !self.is_packed {
            self.packs.plan(rows);
            self.is_packed = true;
        }
        self.packs.load(rows);
        let most = self.most.min(most);
        let is_stack = self.tree_is_tall(rows);
        let little = STILL * STILL * self.scale;
        let (mut rounds, mut before) = (0, f64::INFINITY);
        loop {
            let moved = self.packs.sweep(true);
            rounds += 1;
            if moved <= DONE * DONE * self.scale {
                break;
            }
            // The rows are still as they were before the sweep.
            if rounds == 1 && is_stack && moved > little && self.solve_tree(rows) {
                return rounds;
            }
            let left = self.packs.sweep(false);
            let goes_on = rounds < FEW || left <= GAIN * before;
            let pays = left > enough && rounds < most && goes_on;
            if rounds >= self.least && !pays {
                break;
            }
            before = left;
        }
        self.packs.store(rows);
        rounds
    }

    /// Solves a tree directly. What cannot be solved so now will hardly be in the next sub-step.
    fn solve_tree(&mut self, rows: &mut Rows) -> bool {
        let solved = self.tree.solve(rows, self.scale);
        self.has_failed |= !solved;
        solved
    }

    /// Sweeps around something else that has to hold, which has the last word. What meets there is to go on
    /// together, so its speed counts like that of the laws.
    fn around(&mut self, rows: &mut Rows, mut hold: impl FnMut(&mut Rows)) -> u32 {
        let meeting: f64 =
            rows.points.iter().map(|point| point.before.length_squared() * point.normal_mass).sum();
        let enough = SMALL * SMALL * (self.scale + meeting);
        hold(rows);
        let mut rounds = 0;
        loop {
            let left = sweep::symmetric_sweep(rows);
            hold(rows);
            rounds += 1;
            if rounds >= self.least.max(AROUND) && (left <= enough || rounds >= self.most) {
                return rounds;
            }
        }
    }

    fn is_tree(&mut self, rows: &Rows) -> bool {
        *self.is_tree.get_or_insert_with(|| self.tree.plan(rows))
    }

    fn tree_is_tall(&mut self, rows: &Rows) -> bool {
        self.is_tree(rows) && !self.has_failed && self.tree.is_stack(rows)
    }

    fn is_single(&mut self, rows: &Rows) -> bool {
        self.is_tree(rows) && !self.tree.is_stack(rows)
    }
}

/// Writes the impulses and gaps back, and reports.
fn keep(problem: &mut Problem<'_>, substeps: f64) -> Report {
    let Memory { rows, lasting, .. } = &*problem.memory;
    if problem.joints.is_empty() {
        problem.touches.iter_mut().zip(lasting.shares()).for_each(|(touch, &share)| touch.lasting = share);
    }
    for (touch, manifold) in problem.touches.iter_mut().zip(&rows.manifolds) {
        let own = &rows.points[manifold.first as usize..][..manifold.count as usize];
        for (kept, point) in touch.points_mut().iter_mut().zip(own) {
            kept.normal_impulse = point.impulse.x * substeps;
            kept.friction_impulse = (manifold.frame.y_axis * point.impulse.y
                + manifold.frame.z_axis * point.impulse.z)
                * substeps;
            kept.gap = point.gap;
        }
    }
    finish_substep::report(&rows.manifolds, &rows.points)
}
