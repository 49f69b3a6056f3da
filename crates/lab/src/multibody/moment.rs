//! One moment of a run: values of bodies, joints and the whole, as scalars.

use super::{LAWS, MultibodyMechanism};
use crate::rigid::body_view::euler;
use crate::rigid::source::Source;
use crate::run::values::{Input, Values};
use gedanken_experiment::rigid::quantities::{ObjectQuantity, WorldQuantity};
use gedanken_math::Vec3;
use gedanken_multibody::energy::Energies;
use gedanken_multibody::ledger::Ledger;
use gedanken_multibody::state::State;
use gedanken_multibody::tree::kinematics::Kinematics;
use gedanken_rigid::Account;
use std::ops::Range;

/// One moment of a run.
pub(super) struct Moment<'m, 'e> {
    mechanism: &'m MultibodyMechanism<'e>,
    time: f64,
    /// The state whose poses `view` of the mechanism has.
    state: &'m State,
    ledger: &'m Ledger,
}

impl<'m, 'e> Moment<'m, 'e> {
    /// The present, at a frame.
    pub(super) fn now(mechanism: &'m MultibodyMechanism<'e>) -> Self {
        let (state, ledger) = (mechanism.run.state(), mechanism.run.ledger());
        Self { mechanism, time: state.time, state, ledger }
    }

    /// The start of the last step, before the poses of its end have been looked at.
    pub(super) fn before_the_step(mechanism: &'m MultibodyMechanism<'e>, time: f64) -> Self {
        let (state, ledger) = (mechanism.run.state_before(), mechanism.run.ledger_before());
        Self { mechanism, time, state, ledger }
    }
}

impl Moment<'_, '_> {
    fn energies(&self) -> Energies {
        let it = self.mechanism;
        Energies::of(it.run.model(), self.state, &it.view)
    }

    /// Appends the scalars of something that is known of an object.
    fn of_object(&self, place: usize, what: ObjectQuantity, scalars: usize, out: &mut Vec<f64>) {
        let it = self.mechanism;
        let Some(body) = it.bodies.get(place).copied().flatten() else {
            return out.extend(std::iter::repeat_n(f64::NAN, scalars));
        };
        let index = body.index();
        let pose = it.view.poses[index];
        let origin = |view: &Kinematics| view.velocity_at(body, view.poses[index].translation);
        let spin = |view: &Kinematics| view.velocities[index].angular;
        let mean_rate = |of: &dyn Fn(&Kinematics) -> Vec3| {
            if it.last_step > 0.0 {
                (of(&it.view) - of(&it.before)) * (1.0 / it.last_step)
            } else {
                Vec3::ZERO
            }
        };
        let inertia = &it.view.inertias[index];
        match what {
            ObjectQuantity::Position => out.extend(pose.translation.to_array()),
            ObjectQuantity::Orientation => {
                let q = pose.rotation;
                match scalars {
                    4 => out.extend([q.w, q.x, q.y, q.z]),
                    _ => out.extend(euler(q)),
                }
            }
            ObjectQuantity::Velocity => out.extend(origin(&it.view).to_array()),
            ObjectQuantity::AngularVelocity => out.extend(spin(&it.view).to_array()),
            ObjectQuantity::Acceleration => out.extend(mean_rate(&origin).to_array()),
            ObjectQuantity::AngularAcceleration => out.extend(mean_rate(&spin).to_array()),
            ObjectQuantity::KineticEnergy => {
                let speed = it.view.velocity_at(body, it.view.centres[index]).length_squared();
                out.push(0.5 * inertia.mass * speed);
            }
            ObjectQuantity::RotationalEnergy => {
                let velocity = it.view.velocities[index];
                let whole = 0.5 * velocity.dot(inertia.times(velocity));
                let speed = it.view.velocity_at(body, it.view.centres[index]).length_squared();
                out.push(whole - 0.5 * inertia.mass * speed);
            }
            ObjectQuantity::AtRest => {
                out.push(f64::from(it.view.poses[index] == it.before.poses[index]));
            }
        }
    }

    /// Appends the scalars of something that is known of the whole.
    fn of_world(&self, what: WorldQuantity, out: &mut Vec<f64>) {
        let it = self.mechanism;
        let (ledger, quality) = (self.ledger, &it.quality);
        let now = || self.energies();
        let error = || {
            let (now, start) = (self.energies(), &it.start);
            let own = now.kinetic + now.potential() - start.kinetic - start.potential() - ledger.total();
            // A law with an energy is judged by its change, another one by its work.
            let laws = it.law_energies.iter().zip(&it.law_energies_at_start).zip(&ledger.laws);
            laws.fold(own, |sum, ((now, start), work)| match (now, start) {
                (Some(now), Some(start)) => sum + (now - start),
                _ => sum - work,
            })
        };
        let real = match what {
            WorldQuantity::Momentum => return out.extend(now().momentum.to_array()),
            WorldQuantity::AngularMomentum => return out.extend(now().angular_momentum.to_array()),
            // Steps of this kind do not know them, so that nothing reads them.
            WorldQuantity::LawImpulse(_) | WorldQuantity::Impulse(_) | WorldQuantity::MomentumError => {
                return out.extend([f64::NAN; 3]);
            }
            WorldQuantity::KineticEnergy => now().kinetic,
            WorldQuantity::PotentialEnergy => now().potential() + it.law_energy(),
            WorldQuantity::TotalEnergy => {
                let now = now();
                now.kinetic + now.potential() + it.law_energy()
            }
            WorldQuantity::LawWork(0) => it.start.gravity - now().gravity,
            WorldQuantity::LawWork(1) => it.start.springs - now().springs,
            WorldQuantity::LawWork(2) => ledger.damping,
            WorldQuantity::LawWork(law) => ledger.laws.get(law - LAWS.len()).copied().unwrap_or(0.0),
            WorldQuantity::Work(Account::Joint) => ledger.joints(),
            WorldQuantity::Work(Account::Motor) => ledger.actuators + ledger.motors + ledger.prescribed,
            WorldQuantity::Work(Account::Normal) => ledger.normal,
            WorldQuantity::Work(Account::Friction) => ledger.friction,
            WorldQuantity::Work(_) => 0.0,
            WorldQuantity::NumericalError => error(),
            WorldQuantity::Contacts => quality.contacts as f64,
            WorldQuantity::Overlap => quality.overlap,
            WorldQuantity::JointError => quality.loop_error,
            WorldQuantity::Converged => f64::from(quality.converged),
            WorldQuantity::Certificate => quality.certificate,
            WorldQuantity::DualityGap => quality.duality_gap,
            WorldQuantity::Signorini
            | WorldQuantity::Cone
            | WorldQuantity::Dissipation
            | WorldQuantity::Stationarity
            | WorldQuantity::Feasibility
            | WorldQuantity::Complementarity
            | WorldQuantity::FrictionResidual => f64::NAN,
        };
        out.push(if real.is_finite() { real } else { f64::NAN });
    }

    fn append(&self, source: &Source<usize>, out: &mut Vec<f64>) {
        let state = self.state;
        match source {
            Source::Time => out.push(self.time),
            Source::Constant(scalars) => out.extend(scalars),
            Source::ObjectQuantity(place, what, scalars) => self.of_object(*place, *what, *scalars, out),
            Source::WorldQuantity(what) => self.of_world(*what, out),
            Source::Coordinate(first, count) => {
                out.extend_from_slice(&state.coordinates[*first..first + count]);
            }
            Source::Rate(first, count) => out.extend_from_slice(&state.velocities[*first..first + count]),
            // Forces of joints of a tree are not computed.
            Source::JointForce(_) | Source::JointTorque(_) => out.extend([f64::NAN; 3]),
        }
    }
}

impl Values for Moment<'_, '_> {
    fn time(&self) -> f64 {
        self.time
    }

    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>) {
        self.mechanism.rows.recorded[quantities].iter().for_each(|source| self.append(source, out));
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        if let Some(source) = self.mechanism.rows.readings.get(&(object, name.to_owned())) {
            self.append(source, out);
        }
    }

    fn knows(&self, _: &[Input]) -> bool {
        true
    }
}
