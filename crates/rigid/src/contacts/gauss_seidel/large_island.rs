//! Large islands whose contacts form loops: pyramids, heaps, piles. All from set-up to report is done four
//! contacts at a time, straight from the contacts: there are no rows to copy.
//!
//! The sub-steps are those of `free_island`, with two exceptions. Sweeps are few: what converges slowly
//! converges over the sub-steps, and the report tells what is left. Impulses do not turn with their contacts
//! (`persistent`): a body at rest in a pile hardly turns.

use super::convergence::{Activity, SweepLimits, judged, kick_energy};
use super::finish_substep::ContactEntries;
use super::memory::Memory;
use super::substep_motion::{self, SubstepMotion};
use super::wide::{WideContacts, WideInput};
use crate::contacts::contact_rows::SweepBody;
use crate::contacts::energy_bound;
use crate::contacts::report::Report;
use crate::contacts::solver::Problem;
use gedanken_math::Cancel;

/// Takes an island to the end of the step.
pub(super) fn solve(problem: &mut Problem<'_>) -> Report {
    let substeps = problem.settings.substeps;
    let h = problem.h / f64::from(substeps);
    let (kicks, kinetic) = (kick_energy(problem, h), energy_bound::kinetic(problem.movers));
    let Memory { rows, motions, wide, .. } = &mut *problem.memory;
    let bodies = &mut rows.bodies;
    bodies.clear();
    bodies.extend(problem.movers.iter().map(SweepBody::new));
    let (touches, ends) = (&*problem.touches, problem.ends);
    let mut meeting = wide.set_up(&WideInput { bodies, touches, ends, substeps: f64::from(substeps), h });
    motions.clear();
    motions.extend(problem.movers.iter().map(|mover| SubstepMotion::new(mover, h)));
    wide.predict_pushes(motions);
    let points = problem.touches.iter().map(|touch| usize::from(touch.count)).sum();
    let limits = SweepLimits::new(problem.settings.iterations, points);
    let (mut entries, mut sweeps) = (ContactEntries::default(), 0);
    for substep in 0..substeps {
        // The rule fails for an island that is not complete.
        if problem.settings.cancel.is_asked() {
            break;
        }
        motions.iter_mut().zip(&mut *bodies).for_each(|(motion, body)| motion.begin(body));
        wide.load_twists(bodies);
        let cancel = &problem.settings.cancel;
        sweeps = sweeps.max(sweep(wide, limits, Activity { kicks, meeting }, cancel));
        wide.store_twists(bodies);
        for (motion, body) in motions.iter_mut().zip(&*bodies) {
            motion.classify_by_body(body);
            motion.end(body, h);
        }
        meeting = wide.finish(motions, h, substep + 1 < substeps, &mut entries);
    }
    wide.store_impulses(problem.touches, f64::from(substeps));
    let report = wide.report();
    let shifted = substep_motion::finish_step(problem.movers, motions, bodies, problem.h);
    entries.normal += energy_bound::take_back_gain(problem, kinetic, shifted);
    entries.book(shifted, problem.exchange);
    Report { iterations: sweeps, ..judged(report, problem, h) }
}

/// Sweeps forwards and backwards while that moves more than the tolerance, and the step is not cancelled.
/// Returns the number of symmetric sweeps.
fn sweep(wide: &mut WideContacts, limits: SweepLimits, activity: Activity, cancel: &Cancel) -> u32 {
    let max = limits.max_of_several(activity.is_quiet());
    let mut sweeps = 0;
    loop {
        let moved = wide.sweep(true);
        sweeps += 1;
        if moved <= activity.rounding() || cancel.is_asked() {
            return sweeps;
        }
        let left = wide.sweep(false);
        if sweeps >= limits.min && (left <= activity.tolerance() || sweeps >= max) {
            return sweeps;
        }
    }
}
