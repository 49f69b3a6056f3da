//! Events within a step, as they are recorded.
//!
//! An impact is told at the instant at which it was found, with both bodies just before and just after it.
//! That bodies touch, or no longer do, is seen where a step begins, and changes nothing by itself.

use super::event_kinds::EVENTS;
use super::moment::{Moment, Others};
use super::rows::Rows;
use crate::run::events::{Events, Happened};
use crate::run::options::Stop;
use gedanken_dynamics::ComponentId;
use gedanken_recording::EventKind;
use gedanken_rigid::{ContactEventKind, Impact, Simulation, SolverBody};

/// Tells what happened in the last step.
pub(super) struct Teller<'t, 'r> {
    pub(super) run: &'t Simulation,
    pub(super) rows: &'t Rows<ComponentId>,
    /// By row of a body, its place in the simulation.
    pub(super) places: &'t [Option<usize>],
    /// `true` if there are few enough bodies to look at all of them.
    pub(super) few: bool,
    /// Time of the frame to which the step leads.
    pub(super) frame_end: f64,
    pub(super) events: &'t mut Events<'r>,
}

impl Teller<'_, '_> {
    /// Tells impacts, at their own times.
    pub(super) fn impacts(&mut self) -> Result<(), Stop> {
        let run = self.run;
        for impact in run.impacts() {
            let Some(objects) = self.objects(impact.rows) else { continue };
            let before = self.row(impact.time, &impact.before, Others::Unknown, &objects)?;
            let after = self.row(impact.time, &impact.after, Others::Unknown, &objects)?;
            self.add("impact", impact.time, objects, self.measured(impact), [before, after])?;
        }
        Ok(())
    }

    /// Tells pairs that no longer touch, and those that begin to, when the step begins.
    pub(super) fn changes(&mut self) -> Result<(), Stop> {
        let run = self.run;
        for happening in run.events() {
            let name = match happening.kind {
                ContactEventKind::Leave => "leave",
                ContactEventKind::Touch => "touch",
                ContactEventKind::Impact(_) => continue,
            };
            let (rows, time) = (happening.rows, happening.time);
            let Some(objects) = self.objects(rows) else { continue };
            let told: Vec<SolverBody> =
                rows.iter().filter_map(|&row| run.bodies_at_start().get(row as usize).copied()).collect();
            let others = if self.few { Others::BeforeTheStep } else { Others::Unknown };
            let row = self.row(time, &told, others, &objects)?;
            self.add(name, time, objects, Vec::new(), [row.clone(), row])?;
        }
        Ok(())
    }

    /// The objects in these rows, by name; `None` if there are none.
    fn objects(&self, rows: [u32; 2]) -> Option<Vec<usize>> {
        let mut objects: Vec<usize> =
            rows.iter().filter_map(|&row| *self.places.get(row as usize)?).collect();
        objects.sort_unstable();
        objects.dedup();
        Some(objects).filter(|it| !it.is_empty())
    }

    fn add(
        &mut self,
        name: &str,
        time: f64,
        objects: Vec<usize>,
        given: Vec<(String, Vec<f64>)>,
        [before, after]: [Vec<f64>; 2],
    ) -> Result<(), Stop> {
        let context = EVENTS.iter().position(|(known, _)| *known == name);
        let kind = context.map_or(EventKind::Contact, |place| EVENTS[place].1);
        // A step may end a rounding after its frame.
        let time = time.min(self.frame_end);
        self.events.event(Happened { time, kind, context, objects, given, before, after })
    }

    fn row(
        &mut self,
        time: f64,
        told: &[SolverBody],
        others: Others,
        objects: &[usize],
    ) -> Result<Vec<f64>, Stop> {
        self.events.row(&Moment::within(self.run, self.rows, time, told, others), objects)
    }

    /// Measured values of an impact beside its bodies. As in contexts a normal points out of the other object.
    fn measured(&self, impact: &Impact) -> Vec<(String, Vec<f64>)> {
        let mut given = vec![("collisionPoint".to_owned(), impact.point.to_array().to_vec())];
        for (row, normal) in impact.rows.into_iter().zip([-impact.normal, impact.normal]) {
            if let Some(Some(place)) = self.places.get(row as usize) {
                let name = format!("{}.collisionNormal", self.rows.schema.objects[*place]);
                given.push((name, normal.to_array().to_vec()));
            }
        }
        if let Some(Some(second)) = self.places.get(impact.rows[1] as usize) {
            let name = format!("{}.impulse", self.rows.schema.objects[*second]);
            given.push((name, impact.impulse.to_array().to_vec()));
        }
        given.push(("approach_speed".to_owned(), vec![impact.approach]));
        given.push(("restitution".to_owned(), vec![impact.restitution]));
        given
    }
}
