//! The contact solver `jacobi`: every pass solves all contacts as if the others were frozen, and applies the
//! changes together.
//!
//! The contacts of one pass know nothing of each other, so no order is preferred and a heap that is symmetric
//! stays so. But plain Jacobi diverges where many contacts share a body: each of n contacts stops the body
//! alone, together they throw it back n - 1 times as fast. Here a body with n contacts is *split*: each of
//! them sees 1/n of its mass and moments, is solved exactly for that, and the parts then are one body again,
//! with their mean motion. No pass can raise the energy of the relative motion, and the passes converge for
//! any number of contacts (@tonge2012). The price is speed: error travels one contact per pass, and the more
//! slowly the more contacts a body has. A *contact* is a whole manifold, with its up to four points solved
//! one after another inside; a sphere on a plane is exact after one pass, a box on a plane nearly so.
//!
//! A step of an island takes place in this order:
//!
//! 1. **landing**: where bodies approach so fast that they would overlap at the end of the step, passes at
//!    the start pose brake them to v_n = -gap/h (an impact with e = 0);
//! 2. half a free drift; the kick of the laws; passes that find the forces which hold the bodies up, starting
//!    from those of the last step; half a free drift. So Δr = h (v⁻ + v⁺)/2: bodies that fly do so on the
//!    exact parabola, bodies that slide too, and bodies at rest stay where they are;
//! 3. bodies that overlap beyond the slop are moved apart, by β of the excess, without any change of
//!    velocity. The way is split by inverse mass.
//!
//! Joints are solved directly after each pass, from the motion that they have not changed yet: so limits let
//! go and motors keep to their force, however many passes there are. In the end they hold in place and in
//! motion.
//!
//! Kicks and impulses of a phase act together, so each has the work p·(v⁻ + v⁺)/2 of the velocities before
//! and after the phase.

mod split_contact;

use super::natural_map;
use super::report::Report;
use super::solver::{ContactSolver, IslandSolver, Problem};
use crate::ledger::{Account, Entry};
use crate::step::free_motion::{drifted, kicked};
use crate::world::settings::Settings;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Pose, Twist, Vec3};
use split_contact::{Contact, Impulse};
use std::cell::RefCell;

/// See the module.
#[derive(Debug)]
pub struct Jacobi;

/// The solver as a value of the registry.
pub static JACOBI: Jacobi = Jacobi;

thread_local! {
    /// Memory, so that a step does not allocate: nothing in it is read before it is written.
    static WORK: RefCell<Work> = RefCell::default();
}

impl ContactSolver for Jacobi {
    fn name(&self) -> &'static str {
        "jacobi"
    }
    fn summary(&self) -> &'static str {
        "all contacts at once, as if the others were frozen, a few times over; masses are split among contacts"
    }
    fn cite(&self) -> &'static str {
        "tonge2012"
    }
    fn usual(&self, settings: Settings) -> Settings {
        Settings { solver: &JACOBI, substeps: 1, iterations: 8, correction: 0.2, slop: 0.01, ..settings }
    }
    fn island_solver(&self) -> Option<&dyn IslandSolver> {
        Some(self)
    }
}

impl IslandSolver for Jacobi {
    fn solve(&self, problem: &mut Problem<'_>) -> Report {
        WORK.with_borrow_mut(|work| work.solve(problem))
    }
    fn corrects(&self) -> bool {
        true
    }
}

/// Memory of a solve.
#[derive(Debug, Default)]
struct Work {
    /// By body: how many contacts share it.
    shares: Vec<f64>,
    /// By body: the motion when the phase began.
    before: Vec<Twist>,
    /// By body: the impulses of the pass.
    pushes: Vec<Twist>,
    /// By body: the change of velocity that joints make during the phase.
    joints: Vec<Twist>,
    /// By body: where joints found it.
    places: Vec<Pose>,
    /// By touch.
    contacts: Vec<Contact>,
}

/// Phase of a step; it decides how fast a contact may approach.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// At most so fast that it closes at the end of the step.
    Landing,
    /// The same, given that half of the way is gone with the velocity before the kick.
    Holding,
}

impl Work {
    fn solve(&mut self, problem: &mut Problem<'_>) -> Report {
        let h = problem.h;
        let mut iterations = 0;
        self.share(problem);
        self.open(problem, Phase::Landing);
        let hardly = 1e-3 * problem.settings.rest_speed;
        if self.contacts.iter().any(|contact| contact.approach() > hardly) {
            iterations += self.passes(problem, Phase::Landing);
            self.book(problem);
        }
        drift(problem.movers, 0.5 * h);
        self.open(problem, Phase::Holding);
        problem.movers.iter_mut().for_each(|mover| mover.twist = kicked(mover, h));
        iterations += self.passes(problem, Phase::Holding);
        self.book(problem);
        let mut report = self.report(problem);
        for (mover, before) in problem.movers.iter_mut().zip(&self.before) {
            mover.moved += (*before + mover.twist) * (0.5 * h);
        }
        drift(problem.movers, 0.5 * h);
        report.overlap = self.correct(problem);
        if !problem.joints.is_empty() {
            report.joints = self.rejoin(problem);
            report.converged &= report.joints <= problem.settings.joint_tolerance;
        }
        for (touch, contact) in problem.touches.iter_mut().zip(&self.contacts) {
            for (point, impulse) in touch.points_mut().iter_mut().zip(&contact.impulses()) {
                point.normal_impulse = impulse.normal;
                point.friction_impulse = impulse.friction;
            }
        }
        report.iterations = iterations;
        report.natural = if report.converged { natural_map::at_end(problem, 1.0) } else { f64::INFINITY };
        report.converged &= report.natural <= Report::CONVERGED;
        report
    }

    /// Counts the contacts of every body.
    fn share(&mut self, problem: &Problem<'_>) {
        self.shares.clear();
        self.shares.resize(problem.movers.len(), 0.0);
        for place in problem.ends.iter().flatten() {
            self.shares[*place as usize] += 1.0;
        }
    }

    /// Starts a phase at the bodies' present poses and motions: effective masses, and the approach that is
    /// allowed.
    fn open(&mut self, problem: &mut Problem<'_>, phase: Phase) {
        self.before.clear();
        self.before.extend(problem.movers.iter().map(|mover| mover.twist));
        for memory in [&mut self.pushes, &mut self.joints] {
            memory.clear();
            memory.resize(problem.movers.len(), Twist::ZERO);
        }
        self.contacts.clear();
        for (touch, ends) in problem.touches.iter().zip(problem.ends) {
            let movers = ends.map(|place| &problem.movers[place as usize]);
            let shares = ends.map(|place| self.shares[place as usize]);
            let allowed = |gap: f64, separation: f64| match phase {
                Phase::Landing => gap.max(0.0) / problem.h,
                Phase::Holding => (2.0 * gap / problem.h + separation).max(0.0),
            };
            self.contacts.push(Contact::new(touch, *ends, movers, shares, allowed));
        }
        let time = if phase == Phase::Landing { problem.time } else { problem.time + 0.5 * problem.h };
        problem.joints.factor(problem.movers, time);
    }

    /// The passes of one phase. What holds starts from the impulses of the last step. Tells how many there
    /// were.
    fn passes(&mut self, problem: &mut Problem<'_>, phase: Phase) -> u32 {
        if phase == Phase::Holding {
            for (contact, touch) in self.contacts.iter_mut().zip(problem.touches.iter()) {
                contact.start_from(touch);
                for (place, push) in contact.pushes(&contact.impulses()) {
                    self.pushes[place] += push;
                }
            }
            self.apply(problem);
        }
        for _ in 0..problem.settings.iterations {
            if problem.settings.cancel.is_asked() {
                break;
            }
            for contact in &mut self.contacts {
                let change = contact.solve(problem.movers);
                for (place, push) in contact.pushes(&change) {
                    self.pushes[place] += push;
                }
            }
            self.apply(problem);
            self.hold(problem, phase);
        }
        problem.settings.iterations
    }

    /// Finds what the joints do in the phase, all contacts being frozen.
    fn hold(&mut self, problem: &mut Problem<'_>, phase: Phase) {
        if problem.joints.is_empty() {
            return;
        }
        for (mover, change) in problem.movers.iter_mut().zip(&mut self.joints) {
            mover.twist -= *change;
            *change = mover.twist;
        }
        match phase {
            // A landing takes no time, so motors do nothing in it.
            Phase::Landing => problem.joints.hold_motion_now(problem.movers, 0.0),
            Phase::Holding => problem.joints.hold_motion(problem.movers, problem.h),
        }
        for (mover, change) in problem.movers.iter().zip(&mut self.joints) {
            *change = mover.twist - *change;
        }
    }

    /// Brings the joints to hold at the end of the step, in place and in motion. Tells the largest violation
    /// left.
    fn rejoin(&mut self, problem: &mut Problem<'_>) -> f64 {
        let end = problem.time + problem.h;
        self.places.clear();
        self.places.extend(problem.movers.iter().map(|mover| mover.pose));
        let violation = problem.joints.hold_place(problem.movers, end);
        let mut stabilisation = Entry::default();
        for (mover, place) in problem.movers.iter_mut().zip(&self.places) {
            let turn = mover.pose.rotation * place.rotation.conjugate();
            let shift = Twist::new(mover.pose.translation - place.translation, turn.xyz() * (2.0 * turn.w));
            stabilisation.energy -= mover.force.dot(shift);
            mover.shifted += shift;
        }
        problem.exchange.book(Account::Stabilisation, stabilisation);
        problem.joints.factor(problem.movers, end);
        problem.joints.note_before(problem.movers);
        problem.joints.hold_motion_now(problem.movers, 0.0);
        problem.joints.note_after(problem.movers);
        problem.joints.book(problem.movers, problem.exchange);
        violation
    }

    fn apply(&mut self, problem: &mut Problem<'_>) {
        for (mover, push) in problem.movers.iter_mut().zip(&mut self.pushes) {
            mover.twist += mover.inverse.apply(*push);
            *push = Twist::ZERO;
        }
    }

    /// Books the impulses of the phase. What immovable bodies give to movable ones is momentum from outside.
    fn book(&mut self, problem: &mut Problem<'_>) {
        let movable = |place: u32| problem.movers[place as usize].inverse.is_movable();
        let (mut normal, mut friction) = (Entry::default(), Entry::default());
        for contact in &self.contacts {
            let outside = contact.ends.iter().any(|place| !movable(*place));
            let parts = contact.impulses().map(|impulse| {
                [Impulse { friction: Vec3::ZERO, ..impulse }, Impulse { normal: 0.0, ..impulse }]
            });
            for (entry, part) in [(&mut normal, 0), (&mut friction, 1)] {
                for (place, push) in contact.pushes(&parts.map(|part_of| part_of[part])) {
                    let mover = &problem.movers[place];
                    if mover.inverse.is_movable() {
                        entry.energy += push.dot(self.before[place] + mover.twist) * 0.5;
                        entry.momentum += if outside { push.linear } else { Vec3::ZERO };
                    }
                }
            }
        }
        problem.exchange.book(Account::Normal, normal);
        problem.exchange.book(Account::Friction, friction);
        if !problem.joints.is_empty() {
            self.swap(problem);
            problem.joints.note_before(problem.movers);
            self.swap(problem);
            problem.joints.note_after(problem.movers);
            problem.joints.book(problem.movers, problem.exchange);
        }
    }

    /// Exchanges the present motions with those before the phase.
    fn swap(&mut self, problem: &mut Problem<'_>) {
        for (mover, before) in problem.movers.iter_mut().zip(&mut self.before) {
            std::mem::swap(&mut mover.twist, before);
        }
    }

    fn report(&self, problem: &Problem<'_>) -> Report {
        let mut report = Report { islands: 1, ..Report::nothing() };
        for contact in &self.contacts {
            contact.judge(problem.movers, &mut report);
        }
        let worst = report.signorini.max(report.cone).max(report.dissipation);
        report.converged = worst <= problem.settings.rest_speed;
        report
    }

    /// Moves bodies apart that overlap, by mass as their contacts share it, so that several contacts of a
    /// body do not add up to more than each of them wants. Brings gaps up to date, and tells the largest
    /// overlap left.
    fn correct(&mut self, problem: &mut Problem<'_>) -> f64 {
        for (contact, touch) in self.contacts.iter().zip(problem.touches.iter_mut()) {
            let [a, b] = contact.ends.map(|place| &problem.movers[place as usize]);
            let [m, n] = contact.ends.map(|place| self.shares[place as usize]);
            contact.move_gaps(touch, [a.moved, b.moved]);
            let depth = touch.points().iter().fold(0.0, |most: f64, point| most.max(-point.gap));
            let way = problem.settings.correction * (depth - problem.settings.slop).max(0.0)
                / (m * a.inverse.inv_mass + n * b.inverse.inv_mass);
            self.pushes[contact.ends[0] as usize].linear -= touch.normal * (way * a.inverse.inv_mass);
            self.pushes[contact.ends[1] as usize].linear += touch.normal * (way * b.inverse.inv_mass);
        }
        let mut deepest = 0.0_f64;
        for (contact, touch) in self.contacts.iter().zip(problem.touches.iter_mut()) {
            contact.move_gaps(touch, contact.ends.map(|place| self.pushes[place as usize]));
            deepest = touch.points().iter().fold(deepest, |most, point| most.max(-point.gap));
        }
        let mut stabilisation = Entry::default();
        for (mover, shift) in problem.movers.iter_mut().zip(&self.pushes) {
            stabilisation.energy -= mover.force.linear.dot(shift.linear);
            mover.pose.translation += shift.linear;
            mover.shifted += *shift;
        }
        problem.exchange.book(Account::Stabilisation, stabilisation);
        deepest
    }
}

/// Lets all bodies fly and turn freely, immovable ones as they are told to.
fn drift(movers: &mut [SolverBody], h: f64) {
    for mover in movers {
        (mover.pose, mover.twist) = drifted(mover.pose, mover.twist, mover.moments, h);
        mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
    }
}
