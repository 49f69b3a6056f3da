//! The outcome of a step: accelerations, bodies at rest, and the list of events.
//!
//! Nothing is put to sleep: rest is something to read, not a shortcut.

use crate::collide::contact_table::TouchChanges;
use crate::impact::Impacts;
use crate::world::settings::Settings;
use crate::world::solver_body::SolverBodies;
use gedanken_dynamics::{
    Acceleration, AngularAcceleration, AngularVelocity, AtRest, Life, Mass, Rule, Table, ThreeD, Velocity,
    read, read_table, write, write_table,
};
use gedanken_math::units::Quantity;

/// A body rests when its velocities stayed below the threshold at both ends of the step. Accelerations are
/// means over the step.
pub(crate) fn rest(settings: &Settings) -> Rule {
    let threshold = settings.rest_speed;
    let now = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>(), read::<Mass>());
    let kept = (write::<Acceleration<ThreeD>>(), write::<AngularAcceleration>(), write::<AtRest>());
    Rule::new(
        "rest",
        (now, kept, read_table::<SolverBodies>()),
        move |step, ((v, w, m), (a, alpha, rest), at_start)| {
            let h = step.h.si();
            for row in (0..v.len()).filter(|&row| m[row].si() > 0.0) {
                let before = at_start.bodies[row].twist;
                let (v, w) = (v[row].si(), w[row].si());
                if h > 0.0 {
                    a[row] = Quantity::new((v - before.linear) / h);
                    alpha[row] = Quantity::new((w - before.angular) / h);
                }
                let speeds = [v, w, before.linear, before.angular];
                rest[row] = speeds.iter().all(|speed| speed.length() <= threshold);
            }
        },
    )
}

/// An event of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Time of the event, s.
    pub time: f64,
    /// Their rows, the smaller one first.
    pub rows: [u32; 2],
    /// Kind of event.
    pub kind: EventKind,
}

/// Kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// They no longer touch.
    Leave,
    /// They began to touch, as seen at the start of a step.
    Touch,
    /// They hit each other: velocities jumped. The number is the index in
    /// [`Simulation::impacts`](crate::Simulation::impacts).
    Impact(usize),
}

/// Events of the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Events {
    /// By time; of the same time, endings first, then beginnings, then impacts in the order in which they
    /// were settled.
    pub list: Vec<Event>,
}

impl Table for Events {
    const NAME: &'static str = "events";
    const LIFE: Life = Life::Step;
}

/// Puts everything that happened in one list.
pub(crate) fn events(touching: bool) -> Rule {
    if !touching {
        return Rule::new("events", (write_table::<Events>(),), |_, (events,)| events.list.clear());
    }
    let view = (read_table::<TouchChanges>(), read_table::<Impacts>(), write_table::<Events>());
    Rule::new("events", view, |_, (changes, impacts, events)| {
        let list = &mut events.list;
        list.clear();
        let time = changes.time;
        list.extend(changes.ended.iter().map(|&rows| Event { time, rows, kind: EventKind::Leave }));
        list.extend(changes.begun.iter().map(|&rows| Event { time, rows, kind: EventKind::Touch }));
        let hits = impacts.list.iter().enumerate();
        list.extend(hits.map(|(k, hit)| Event {
            time: hit.time,
            rows: hit.rows,
            kind: EventKind::Impact(k),
        }));
        list.sort_by(|a, b| a.time.total_cmp(&b.time));
    })
}
