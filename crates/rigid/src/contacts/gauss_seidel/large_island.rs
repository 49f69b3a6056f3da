//! Large islands whose contacts run in circles: pyramids, heaps, piles. Everything from the set-up of rows to
//! the report is done four contacts at a time, and nothing is copied on the way: there are no rows.
//!
//! The sub-steps are those of the module above. Sweeps go on while they move more than a small part of what
//! laws and meeting surfaces do, but never long: what converges slowly converges over the sub-steps, and the
//! report tells what is left. Impulses do not turn with their contacts (`lasting`): what rests in such a
//! crowd hardly turns.

use super::finish_substep::ContactEntries;
use super::substep_motion::SubstepMotion;
use super::wide::WideContacts;
use super::{
    COARSE, DONE, LIVELY, Memory, QUIET, ROUNDS, SLACK, SMALL, TOGETHER, VISITS, kick_energy, speed, tree,
};
use crate::contacts::contact_rows::SweepBody;
use crate::contacts::{Problem, Report};

/// Islands with so many contacts are large. What is smaller can be solved to the end.
const CROWD: usize = 200;

/// Whether an island is one of these.
pub(super) fn is_crowd(problem: &Problem<'_>) -> bool {
    problem.joints.is_empty() && problem.touches.len() >= CROWD && {
        let is_movable = |place: u32| problem.movers[place as usize].inverse.is_movable();
        !tree::is_tree(problem.movers.len(), is_movable, problem.ends.iter().copied())
    }
}

/// Takes the island to the end of the step.
pub(super) fn solve(problem: &mut Problem<'_>) -> Report {
    let substeps = problem.settings.substeps;
    let h = problem.h / f64::from(substeps);
    let scale = kick_energy(problem, h);
    let Memory { rows, motions, packs, .. } = &mut *problem.memory;
    let bodies = &mut rows.bodies;
    bodies.clear();
    bodies.extend(problem.movers.iter().map(SweepBody::new));
    let mut meeting = packs.set_up(bodies, problem.touches, problem.ends, f64::from(substeps), h);
    motions.clear();
    motions.extend(problem.movers.iter().map(|mover| SubstepMotion::new(mover, h)));
    packs.predict_pushes(motions);
    let points: usize = problem.touches.iter().map(|touch| usize::from(touch.count)).sum();
    let least = problem.settings.iterations;
    let most = least.max((VISITS / points.max(1)).min(ROUNDS) as u32);
    let (mut entries, mut rounds) = (ContactEntries::default(), 0);
    for turn in 0..substeps {
        motions.iter_mut().zip(&mut *bodies).for_each(|(motion, body)| motion.begin(body));
        packs.load_twists(bodies);
        let is_quiet = meeting <= QUIET * QUIET * scale;
        let most = most.min(if is_quiet { TOGETHER } else { LIVELY });
        let enough = SMALL * SMALL * scale + COARSE * COARSE * meeting;
        rounds = rounds.max(sweep(packs, least, most, enough, DONE * DONE * scale));
        packs.store_twists(bodies);
        for (motion, body) in motions.iter_mut().zip(&*bodies) {
            motion.classify_by_body(body);
            motion.end(body, h);
        }
        meeting = packs.close(motions, h, turn + 1 < substeps, &mut entries);
    }
    packs.keep(problem.touches, f64::from(substeps));
    let report = packs.report();
    let mut shifted = 0.0;
    for ((mover, motion), body) in problem.movers.iter_mut().zip(&*motions).zip(&*bodies) {
        shifted += motion.finish(mover, body, problem.h);
    }
    entries.book(shifted, problem.exchange);
    let converged = report.is_within(SLACK * speed(problem.movers, h) + problem.settings.rest_speed);
    Report { iterations: rounds, converged, ..report }
}

/// Sweeps to and fro until a sweep moves no more than `enough`, or one alone hardly anything. Returns how
/// many times.
fn sweep(packs: &mut WideContacts, least: u32, most: u32, enough: f64, nothing: f64) -> u32 {
    let mut rounds = 0;
    loop {
        let moved = packs.sweep(true);
        rounds += 1;
        if moved <= nothing {
            return rounds;
        }
        let left = packs.sweep(false);
        if rounds >= least && (left <= enough || rounds >= most) {
            return rounds;
        }
    }
}
