//! One moment of a run: values of bodies and of the whole, as scalars.
//!
//! At a frame everything is known. Within a step only those bodies are whose motion an event tells: a total
//! has a value there if it needs nobody else.

pub(super) mod reactions;

use super::body_view::euler;
use super::rows::Rows;
use super::source::Source;
use crate::run::values::{Input, Values};
use gedanken_dynamics::attributes::{Acceleration, AngularAcceleration, Orientation, Position};
use gedanken_dynamics::{ComponentId, ThreeD};
use gedanken_experiment::rigid::quantities::{ObjectQuantity, WorldQuantity};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::contacts::Report;
use gedanken_rigid::{Body, BodyKind, Entry, LedgerPage, Simulation, SolverBody, Twist};
use std::cell::OnceCell;
use std::ops::Range;

/// Motion of the bodies that an event does not tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// As they are.
    Now,
    /// As they were when the last step began.
    BeforeTheStep,
    /// Not known.
    Unknown,
}

/// A body's principal frame, and how it moves.
#[derive(Clone, Copy, Debug)]
struct Motion {
    centre: Pose,
    twist: Twist,
}

/// Totals over all bodies.
#[derive(Clone, Copy, Debug)]
struct Totals {
    kinetic: f64,
    potential: f64,
    momentum: Vec3,
    angular_momentum: Vec3,
}

/// One moment of a run.
#[derive(Debug)]
pub(super) struct Moment<'s> {
    time: f64,
    run: &'s Simulation,
    rows: &'s Rows<ComponentId>,
    /// Bodies of which the event tells.
    told: &'s [SolverBody],
    others: Others,
    /// Quality of the solutions of all steps since the last frame.
    report: Option<Report>,
    totals: OnceCell<Option<Totals>>,
    /// Force and torque of each joint, where they are recorded.
    forces: Vec<[Vec3; 2]>,
}

impl<'s> Moment<'s> {
    /// The present, at the end of steps that were solved so well.
    pub(super) fn now(run: &'s Simulation, rows: &'s Rows<ComponentId>, report: Report) -> Self {
        let totals = OnceCell::new();
        let forces = Vec::new();
        Self {
            time: run.time(),
            run,
            rows,
            told: &[],
            others: Others::Now,
            report: Some(report),
            totals,
            forces,
        }
    }

    /// The same moment with force and torque of each joint.
    pub(super) fn with_forces(self, forces: Vec<[Vec3; 2]>) -> Self {
        Self { forces, ..self }
    }

    /// A moment within the last step.
    pub(super) fn within(
        run: &'s Simulation,
        rows: &'s Rows<ComponentId>,
        time: f64,
        told: &'s [SolverBody],
        others: Others,
    ) -> Self {
        let totals = OnceCell::new();
        Self { time, run, rows, told, others, report: None, totals, forces: Vec::new() }
    }

    fn motion(&self, id: ComponentId) -> Option<Motion> {
        let row = id.row();
        let moved = |mover: &SolverBody| Motion { centre: mover.pose, twist: mover.twist };
        if let Some(mover) = self.told.iter().find(|mover| mover.row as usize == row) {
            return Some(moved(mover));
        }
        match self.others {
            Others::BeforeTheStep => self.run.bodies_at_start().get(row).map(moved),
            Others::Unknown if self.body(id).kind() != BodyKind::Static => None,
            Others::Now | Others::Unknown => {
                Some(Motion { centre: self.run.centre(id), twist: self.run.twist(id) })
            }
        }
    }

    fn body(&self, id: ComponentId) -> &'s Body {
        self.run.world().body(id).expect("every object is a body")
    }

    /// Returns `true` if the motion of a body is known.
    fn knows_body(&self, id: ComponentId) -> bool {
        self.others != Others::Unknown || self.motion(id).is_some()
    }

    /// Returns `true` if the motions of all bodies are known.
    fn knows_all(&self) -> bool {
        self.others != Others::Unknown || self.run.world().bodies().all(|(id, _)| self.knows_body(id))
    }

    /// Appends the scalars of something that is known of a body, NaN if it is not; `scalars` says how many an
    /// orientation has.
    fn of_object(&self, id: ComponentId, what: ObjectQuantity, scalars: usize, out: &mut Vec<f64>) {
        let Some(motion) = self.motion(id) else {
            return out.extend(std::iter::repeat_n(f64::NAN, scalars));
        };
        let body = self.body(id);
        let Motion { centre, twist } = motion;
        // From the centre of mass to the origin of the body's own frame.
        let arm = to_world(centre.rotation, body.frame().translation);
        let vector = |v: Vec3, out: &mut Vec<f64>| out.extend(v.to_array());
        let state = self.run.state();
        let turning = || state.get::<AngularAcceleration>(id).map_or(Vec3::ZERO, Quantity::si);
        match what {
            ObjectQuantity::Position => vector(centre.translation + arm, out),
            ObjectQuantity::Orientation => {
                let q = centre.rotation * body.frame().rotation;
                match scalars {
                    4 => out.extend([q.w, q.x, q.y, q.z]),
                    _ => out.extend(euler(q)),
                }
            }
            ObjectQuantity::Velocity => vector(twist.linear + twist.angular.cross(arm), out),
            ObjectQuantity::AngularVelocity => vector(twist.angular, out),
            ObjectQuantity::Acceleration => {
                let of_centre = state.get::<Acceleration<ThreeD>>(id).map_or(Vec3::ZERO, Quantity::si);
                let about = turning().cross(arm) + twist.angular.cross(twist.angular.cross(arm));
                vector(of_centre + about, out);
            }
            ObjectQuantity::AngularAcceleration => vector(turning(), out),
            ObjectQuantity::KineticEnergy => {
                out.push(finite(0.5 * body.mass() * twist.linear.length_squared()))
            }
            ObjectQuantity::RotationalEnergy => {
                out.push(finite(0.5 * twist.angular.dot(spin(body, &motion))))
            }
            ObjectQuantity::AtRest => out.push(f64::from(self.run.is_at_rest(id))),
        }
    }

    /// Appends the scalars of something that is known of the whole, NaN if it is not.
    fn of_world(&self, what: WorldQuantity, out: &mut Vec<f64>) {
        let start = out.len();
        self.known_of_world(what, out);
        out[start..].iter_mut().for_each(|scalar| *scalar = finite(*scalar));
    }

    fn known_of_world(&self, what: WorldQuantity, out: &mut Vec<f64>) {
        let unknown = |out: &mut Vec<f64>| {
            out.extend(std::iter::repeat_n(f64::NAN, what.ty().scalars().unwrap_or(0)));
        };
        let total = |real: fn(Totals) -> f64| self.totals().map_or(f64::NAN, real);
        let books = self.report.map(|_| &self.run.ledger().total);
        let report = |real: fn(Report) -> f64| self.report.map_or(f64::NAN, real);
        let energy = |entry: fn(&LedgerPage) -> f64| books.map_or(f64::NAN, entry);
        match what {
            WorldQuantity::KineticEnergy => out.push(total(|it| it.kinetic)),
            WorldQuantity::PotentialEnergy => out.push(total(|it| it.potential)),
            WorldQuantity::TotalEnergy => out.push(total(|it| it.kinetic + it.potential)),
            WorldQuantity::Momentum => match self.totals() {
                Some(it) => out.extend(it.momentum.to_array()),
                None => unknown(out),
            },
            WorldQuantity::AngularMomentum => match self.totals() {
                Some(it) => out.extend(it.angular_momentum.to_array()),
                None => unknown(out),
            },
            WorldQuantity::LawWork(law) => match books.map(|it| of_law(it, law)) {
                Some(entry) => out.push(entry.energy),
                None => unknown(out),
            },
            WorldQuantity::LawImpulse(law) => match books.map(|it| of_law(it, law)) {
                Some(entry) => out.extend(entry.momentum.to_array()),
                None => unknown(out),
            },
            WorldQuantity::Work(account) => match books {
                Some(page) => out.push(page.exchange.of(account).energy),
                None => unknown(out),
            },
            WorldQuantity::Impulse(account) => match books {
                Some(page) => out.extend(page.exchange.of(account).momentum.to_array()),
                None => unknown(out),
            },
            WorldQuantity::NumericalError => out.push(energy(LedgerPage::residual)),
            WorldQuantity::MomentumError => match books {
                Some(page) => out.extend(page.momentum_residual().to_array()),
                None => unknown(out),
            },
            WorldQuantity::Contacts => out.push(report(|it| f64::from(it.points))),
            WorldQuantity::Signorini => out.push(report(|it| it.signorini)),
            WorldQuantity::Cone => out.push(report(|it| it.cone)),
            WorldQuantity::Dissipation => out.push(report(|it| it.dissipation)),
            WorldQuantity::Overlap => out.push(report(|it| it.overlap)),
            WorldQuantity::JointError => out.push(report(|it| it.joints)),
            WorldQuantity::Converged => out.push(report(|it| f64::from(it.converged))),
            WorldQuantity::Stationarity => out.push(report(|it| it.variational.stationarity)),
            WorldQuantity::Feasibility => out.push(report(|it| it.variational.feasibility)),
            WorldQuantity::Complementarity => out.push(report(|it| it.variational.complementarity)),
            WorldQuantity::FrictionResidual => out.push(report(|it| it.variational.friction)),
            WorldQuantity::Certificate | WorldQuantity::DualityGap => unknown(out),
        }
    }

    fn totals(&self) -> Option<Totals> {
        *self.totals.get_or_init(|| self.sum())
    }

    fn sum(&self) -> Option<Totals> {
        let (mut kinetic, mut momentum, mut angular_momentum) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for (id, body) in self.run.world().bodies().filter(|(_, it)| it.kind() == BodyKind::Dynamic) {
            let motion = self.motion(id)?;
            let (twist, spin) = (motion.twist, spin(body, &motion));
            let p = twist.linear * body.mass();
            kinetic += 0.5 * (twist.linear.dot(p) + twist.angular.dot(spin));
            momentum += p;
            angular_momentum += motion.centre.translation.cross(p) + spin;
        }
        Some(Totals { kinetic, potential: self.potential()?, momentum, angular_momentum })
    }

    /// The potential energy of all laws.
    fn potential(&self) -> Option<f64> {
        let laws = self.run.world().laws();
        if self.others == Others::Now && self.told.is_empty() {
            return laws.energy(self.run.state()).ok().map(Quantity::si);
        }
        let mut state = self.run.snapshot().at_time(Quantity::new(self.time));
        for (id, _) in self.run.world().bodies() {
            let Pose { rotation, translation } = self.motion(id)?.centre;
            state.set::<Position<ThreeD>>(id, Quantity::new(translation)).ok()?;
            state.set::<Orientation>(id, rotation).ok()?;
        }
        laws.energy(&state).ok().map(Quantity::si)
    }
}

impl Moment<'_> {
    fn append(&self, source: &Source<ComponentId>, out: &mut Vec<f64>) {
        match source {
            Source::Time => out.push(self.time),
            Source::Constant(scalars) => out.extend(scalars),
            Source::ObjectQuantity(id, what, scalars) => self.of_object(*id, *what, *scalars, out),
            Source::WorldQuantity(what) => self.of_world(*what, out),
            // Joints here are constraints of bodies, without coordinates.
            Source::Coordinate(_, scalars) | Source::Rate(_, scalars) => {
                out.extend(std::iter::repeat_n(f64::NAN, *scalars));
            }
            Source::JointForce(number) => self.of_joint(*number, 0, out),
            Source::JointTorque(number) => self.of_joint(*number, 1, out),
        }
    }

    /// Appends the force or the torque of a joint; within a step they are not known.
    fn of_joint(&self, number: usize, which: usize, out: &mut Vec<f64>) {
        let known = self.forces.get(number).map_or(Vec3::new(f64::NAN, f64::NAN, f64::NAN), |it| it[which]);
        out.extend(known.to_array().map(finite));
    }
}

impl Values for Moment<'_> {
    fn time(&self) -> f64 {
        self.time
    }

    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>) {
        self.rows.recorded[quantities].iter().for_each(|source| self.append(source, out));
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        if let Some(source) = self.rows.readings.get(&(object, name.to_owned())) {
            self.append(source, out);
        }
    }

    /// Within a step, what concerns no other bodies than those that an event tells of.
    fn knows(&self, inputs: &[Input]) -> bool {
        let known = |input: &Input| match self.rows.readings.get(input) {
            Some(Source::ObjectQuantity(id, ..)) => self.knows_body(*id),
            Some(Source::WorldQuantity(_)) => false,
            Some(Source::JointForce(_) | Source::JointTorque(_)) => false,
            Some(Source::Time | Source::Constant(_) | Source::Coordinate(..) | Source::Rate(..)) | None => {
                true
            }
        };
        self.knows_all() || inputs.iter().all(known)
    }
}

/// A number, or no value: the energy of a very fast body may be too large for one.
fn finite(scalar: f64) -> f64 {
    if scalar.is_finite() { scalar } else { f64::NAN }
}

fn of_law(page: &LedgerPage, law: usize) -> Entry {
    page.laws.get(law).map(|it| it.entry).unwrap_or_default()
}

/// The angular momentum of a body about its centre of mass.
fn spin(body: &Body, motion: &Motion) -> Vec3 {
    let q = motion.centre.rotation;
    to_world(q, body.moments() * to_body(q, motion.twist.angular))
}
