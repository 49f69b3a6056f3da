//! Torsion about the axis of a hinge: springs, V = ½ k (θ - θ₀)², and dampers, with the torque -c θ̇.
//!
//! The torque on A is -k (θ - θ₀) ∂θ̇/∂ω, along the axis on a hinge, and the opposite on B. θ - θ₀ is taken
//! in (-π, π]: a spring turned more than half a turn from its rest goes on to the next one, for the bodies do
//! not remember how often they went round.

use super::anchor::{Pivot, check, ends};
use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{AngularVelocity, Orientation};
use crate::core::access::read_at;
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Trouble};
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::matrix::outer;
use gedanken_math::units::{AngularMomentum, Energy, One, Quantity, Torque};
use gedanken_math::{Mat3, Quat, Vec3, axial};
use std::f64::consts::PI;
use std::sync::Arc;

/// Springs that turn.
#[derive(Debug, Clone, Default)]
pub struct TorsionSprings {
    name: Option<String>,
    links: Vec<Spring>,
}

/// Dampers that turn.
#[derive(Debug, Clone, Default)]
pub struct TorsionDampers {
    name: Option<String>,
    links: Vec<Damper>,
}

#[derive(Debug, Clone, Copy)]
struct Spring {
    pivot: Pivot,
    k: f64,
    rest: f64,
}

#[derive(Debug, Clone, Copy)]
struct Damper {
    pivot: Pivot,
    c: f64,
}

impl TorsionSprings {
    /// No springs yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a name of their own, for messages and ledgers.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// These and one more, of stiffness `k` (N·m for each radian), at rest at the angle `rest` in [-π, π].
    #[must_use]
    pub fn link(mut self, pivot: Pivot, k: Quantity<Torque>, rest: Quantity<One>) -> Self {
        self.links.push(Spring { pivot, k: k.si(), rest: rest.si() });
        self
    }
}

impl TorsionDampers {
    /// No dampers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a name of their own, for messages and ledgers.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// These and one more, of strength `c` (N·m for each radian per second).
    #[must_use]
    pub fn link(mut self, pivot: Pivot, c: Quantity<AngularMomentum>) -> Self {
        self.links.push(Damper { pivot, c: c.si() });
        self
    }
}

fn check_pivots(pivots: impl IntoIterator<Item = Pivot>) -> Result<(), BuildError> {
    let unit = |q: Quat| (q.length() - 1.0).abs() < 1e-6;
    if pivots.into_iter().all(|pivot| unit(pivot.frame_a) && unit(pivot.frame_b)) {
        return Ok(());
    }
    Err(BuildError::Unfit("the frames of a pivot must be quaternions of length 1".to_owned()))
}

/// The bodies that are not the world, each with its share of a torque on A.
fn shares(pivot: &Pivot, torque: Vec3) -> impl Iterator<Item = (ComponentId, Vec3)> {
    [(pivot.a, torque), (pivot.b, -torque)].into_iter().filter(|share| share.0 != ComponentId::WORLD)
}

/// Lists a torque on A, and the opposite on B, from its slopes by rotations of A and of B and by the angular
/// velocity of A as seen from B.
fn add_slopes(pivot: &Pivot, by_turn: [Mat3; 2], by_spin: Mat3, out: &mut Slopes) {
    for (on, sign) in [(pivot.a, 1.0), (pivot.b, -1.0)] {
        for (of, turn, spin) in [(pivot.a, by_turn[0], by_spin), (pivot.b, by_turn[1], by_spin * -1.0)] {
            out.add(on, of, SlopeBlock::of_torque(turn * sign), SlopeBlock::of_torque(spin * sign));
        }
    }
}

impl Law<ThreeD> for TorsionSprings {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("torsion springs")
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        check("torsional stiffness", self.links.iter().map(|link| link.k))?;
        check_pivots(self.links.iter().map(|link| link.pivot))?;
        if let Some(link) = self.links.iter().find(|link| link.rest.is_nan() || link.rest.abs() > PI) {
            return Err(BuildError::Unfit(format!(
                "a rest angle of {} rad is not possible: it must be between -pi and pi",
                link.rest
            )));
        }
        let bodies = self.links.iter().map(|link| (link.pivot.a, link.pivot.b));
        let rows = ends(model, "torsion spring", bodies)?;
        let links: Arc<[Spring]> = self.links.clone().into();
        let view = (read_at::<Orientation>(rows.clone()), target.torque_at(rows));
        let rule = Rule::new(self.name(), view, move |_, (q, mut torques)| -> Result<(), Trouble> {
            let turn = |id| if id == ComponentId::WORLD { Ok(Quat::IDENTITY) } else { q.at(id) };
            for Spring { pivot, k, rest } in links.iter() {
                let (angle, gradient) = pivot.angle(turn(pivot.a)?, turn(pivot.b)?);
                for (body, torque) in shares(pivot, gradient * (-k * axial::wrapped(angle - rest))) {
                    *torques.at_mut(body)? += Quantity::new(torque);
                }
            }
            Ok(())
        });
        Ok(rule.with_cost(12.0))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let q = state.all::<Orientation>()?;
        let turn = |id: ComponentId| if id == ComponentId::WORLD { Quat::IDENTITY } else { q[id.row()] };
        let v = self.links.iter().fold(0.0, |v, Spring { pivot, k, rest }| {
            let off = axial::wrapped(pivot.angle(turn(pivot.a), turn(pivot.b)).0 - rest);
            v + 0.5 * k * off * off
        });
        Ok(Some(Quantity::new(v)))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let q = state.all::<Orientation>()?;
        let turn = |id: ComponentId| if id == ComponentId::WORLD { Quat::IDENTITY } else { q[id.row()] };
        for Spring { pivot, k, rest } in &self.links {
            let (q_a, q_b) = (turn(pivot.a), turn(pivot.b));
            let (angle, gradient) = pivot.angle(q_a, q_b);
            let off = axial::wrapped(angle - rest);
            let [by_a, by_b] = pivot.gradient_slopes(q_a, q_b);
            let along = outer(gradient, gradient);
            let by_turn = [(along + by_a * off) * -k, (by_b * off - along) * -k];
            add_slopes(pivot, by_turn, Mat3::ZERO, out);
        }
        Ok(SlopeAnswer::Exact)
    }
}

impl Law<ThreeD> for TorsionDampers {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("torsion dampers")
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        check("torsional damping", self.links.iter().map(|link| link.c))?;
        check_pivots(self.links.iter().map(|link| link.pivot))?;
        let bodies = self.links.iter().map(|link| (link.pivot.a, link.pivot.b));
        let rows = ends(model, "torsion damper", bodies)?;
        let links: Arc<[Damper]> = self.links.clone().into();
        let reads = (read_at::<Orientation>(rows.clone()), read_at::<AngularVelocity>(rows.clone()));
        let rule = Rule::new(
            self.name(),
            (reads, target.torque_at(rows)),
            move |_, ((q, omega), mut torques)| -> Result<(), Trouble> {
                let motion = |id| -> Result<(Quat, Vec3), Trouble> {
                    if id == ComponentId::WORLD {
                        return Ok((Quat::IDENTITY, Vec3::ZERO));
                    }
                    Ok((q.at(id)?, omega.at(id)?.si()))
                };
                for Damper { pivot, c } in links.iter() {
                    let ((q_a, omega_a), (q_b, omega_b)) = (motion(pivot.a)?, motion(pivot.b)?);
                    let (_, gradient) = pivot.angle(q_a, q_b);
                    let rate = gradient.dot(omega_a - omega_b);
                    for (body, torque) in shares(pivot, gradient * (-c * rate)) {
                        *torques.at_mut(body)? += Quantity::new(torque);
                    }
                }
                Ok(())
            },
        );
        Ok(rule.with_cost(12.0))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (q, omega) = (state.all::<Orientation>()?, state.all::<AngularVelocity>()?);
        let motion = |id: ComponentId| {
            if id == ComponentId::WORLD {
                return (Quat::IDENTITY, Vec3::ZERO);
            }
            (q[id.row()], omega[id.row()].si())
        };
        for Damper { pivot, c } in &self.links {
            let ((q_a, omega_a), (q_b, omega_b)) = (motion(pivot.a), motion(pivot.b));
            let (_, gradient) = pivot.angle(q_a, q_b);
            let spin = omega_a - omega_b;
            let by_turn = pivot
                .gradient_slopes(q_a, q_b)
                .map(|slope| (slope * gradient.dot(spin) + outer(gradient, slope.transpose() * spin)) * -c);
            add_slopes(pivot, by_turn, outer(gradient, gradient) * -c, out);
        }
        Ok(SlopeAnswer::Exact)
    }
}
