//! Measures of rigid bodies: totals over what is known at a moment.

use super::moment::Moment;
use crate::run::measures::Meter;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::rigid::quantities::{ObjectQuantity as OfObject, WorldQuantity as OfWorld};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_recording::Notice;
use std::collections::BTreeMap;

/// Takes the measures of a simulation.
#[derive(Debug)]
pub(super) struct Measures {
    meter: Meter,
    /// For every attribute that is read, of whom, and what it is.
    sources: BTreeMap<(Option<usize>, String), Source>,
    /// Of every measure, the bodies that must be known, and whether it needs the whole.
    needs: Vec<(Vec<ComponentId>, bool)>,
}

/// What an attribute is.
#[derive(Debug)]
enum Source {
    Time,
    Constant(Vec<f64>),
    OfObject(ComponentId, OfObject, usize),
    OfWorld(OfWorld),
}

impl Measures {
    pub(super) fn new<'l>(
        experiment: &Experiment,
        simulation: &Simulation,
        bodies: &[(usize, ComponentId)],
        laws: impl Iterator<Item = &'l str>,
        native: bool,
    ) -> Self {
        let meter = Meter::new(experiment, simulation).natively(native);
        let of_world: BTreeMap<String, OfWorld> = OfWorld::all(laws).into_iter().collect();
        let source = |object: Option<usize>, name: &str| {
            let Some(index) = object else {
                let written = experiment.world.iter().find(|it| it.name == name);
                return match (name, written, of_world.get(name)) {
                    ("t", _, _) => Source::Time,
                    (_, Some(written), _) => Source::Constant(written.value.scalars().unwrap_or_default()),
                    (_, None, Some(what)) => Source::OfWorld(*what),
                    (_, None, None) => Source::Constant(idle(name)),
                };
            };
            let object = &experiment.objects[index];
            let body = bodies.iter().find(|(known, _)| *known == index).map(|(_, id)| *id);
            let attribute = object.attribute(name);
            match (OfObject::by_name(name).filter(|_| !object.is_static), body) {
                (Some(what), Some(id)) => {
                    let ty = match what {
                        OfObject::Orientation => attribute.map_or(what.ty(), |it| it.ty()),
                        _ => what.ty(),
                    };
                    Source::OfObject(id, what, ty.scalars().unwrap_or(0))
                }
                _ => Source::Constant(attribute.and_then(|it| it.value.scalars()).unwrap_or_default()),
            }
        };
        let mut sources = BTreeMap::new();
        let mut needs = Vec::new();
        for measure in 0..meter.len() {
            let (mut bodies, mut whole) = (Vec::new(), false);
            for (object, name) in meter.inputs(measure) {
                let source = source(object, &name);
                match source {
                    Source::OfObject(id, ..) => bodies.push(id),
                    Source::OfWorld(_) => whole = true,
                    Source::Time | Source::Constant(_) => {}
                }
                sources.insert((object, name), source);
            }
            bodies.sort_unstable();
            bodies.dedup();
            needs.push((bodies, whole));
        }
        Self { meter, sources, needs }
    }

    /// Which they are.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Appends all measures of a frame. One without a value is NaN there, and the first time, a notice.
    pub(super) fn at_frame(&mut self, moment: &Moment<'_>, row: &mut Vec<f64>, notices: &mut Vec<Notice>) {
        let Self { meter, sources, .. } = self;
        meter.append(moment.time, &mut reader(sources, moment), row, notices);
    }

    /// Appends all measures at an event; those that need more than is known there have no value.
    pub(super) fn at_event(&mut self, moment: &Moment<'_>, row: &mut Vec<f64>) {
        let Self { meter, sources, needs } = self;
        let widths: Vec<usize> = meter.types().map(|ty| ty.scalars().unwrap_or(0)).collect();
        let knows_all = moment.knows_all();
        for (measure, (bodies, whole)) in needs.iter().enumerate() {
            let known = knows_all || (!whole && bodies.iter().all(|id| moment.knows(*id)));
            let total = known.then(|| meter.total(measure, &mut reader(sources, moment)).ok()).flatten();
            match total {
                Some(scalars) => row.extend(scalars),
                None => row.extend(std::iter::repeat_n(f64::NAN, widths[measure])),
            }
        }
    }
}

/// What a law that does not act in this simulation gave to bodies: no work, no momentum.
fn idle(name: &str) -> Vec<f64> {
    vec![0.0; if name.starts_with("impulse_of_") { 3 } else { 1 }]
}

/// Reads attributes at a moment.
fn reader<'r>(
    sources: &'r BTreeMap<(Option<usize>, String), Source>,
    moment: &'r Moment<'_>,
) -> impl FnMut(Option<usize>, &str, &mut Vec<f64>) + 'r {
    move |object, name, out| match sources.get(&(object, name.to_owned())) {
        Some(Source::Time) => out.push(moment.time),
        Some(Source::Constant(scalars)) => out.extend(scalars),
        Some(Source::OfObject(id, what, scalars)) => moment.of_object(*id, *what, *scalars, out),
        Some(Source::OfWorld(what)) => moment.of_world(*what, out),
        None => {}
    }
}
