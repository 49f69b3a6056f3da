//! Dampers between points of rigid bodies: F_a = -c ḋ u at A's anchor, with the distance d of the anchors and
//! the direction u from B's to A's, F_b = -F_a at B's, and the torques arm × F. They have no potential: the
//! ledger shows what they take, at the rate c ḋ².
//!
//! Beside a spring ([`super::AnchoredSprings`]) a damper makes a shock absorber. Where the anchors meet, the
//! line between them is taken along their motion, as it is just before and after: F = -c times the relative
//! velocity.

use super::anchor::{Anchor, Stretch, check, check_anchors, ends};
use super::law::{Law, Target};
use super::slopes::{LinkEnd, LinkSlope, SlopeAnswer, Slopes};
use crate::attributes::{AngularVelocity, Orientation, Position, Velocity};
use crate::core::access::read_at;
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Trouble};
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::matrix::{multiple_of_unit, outer};
use gedanken_math::units::{DragCoefficient, Quantity};
use gedanken_math::{Mat3, Pose, Twist, Vec3};
use std::sync::Arc;

/// Dampers between points of bodies.
#[derive(Debug, Clone, Default)]
pub struct Dampers {
    name: Option<String>,
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    a: Anchor,
    b: Anchor,
    c: f64,
}

impl Dampers {
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

    /// These and one more, between `a` and `b`, of strength `c`.
    #[must_use]
    pub fn link(mut self, a: Anchor, b: Anchor, c: Quantity<DragCoefficient>) -> Self {
        self.links.push(Link { a, b, c: c.si() });
        self
    }
}

impl Link {
    /// The force on A, whose anchor moves with `velocity` as seen from B's.
    fn force(&self, gap: Vec3, velocity: Vec3) -> Vec3 {
        let along = gap.try_normalize().map_or(velocity, |u| u * u.dot(velocity));
        along * -self.c
    }

    /// The same with its slopes.
    fn slope(&self, gap: Vec3, velocity: Vec3) -> LinkSlope {
        let force = self.force(gap, velocity);
        let Some(u) = gap.try_normalize() else {
            return LinkSlope { force, by_gap: Mat3::ZERO, by_velocity: multiple_of_unit(-self.c) };
        };
        // δu = (1 - u uᵀ) δgap/d, in both places of u (u·w).
        let (rate, across) = (u.dot(velocity), velocity - u * u.dot(velocity));
        let turning = (Mat3::IDENTITY - outer(u, u)) * rate + outer(u, across);
        let by_gap = turning * (-self.c / gap.length());
        LinkSlope { force, by_gap, by_velocity: outer(u, u) * -self.c }
    }
}

impl Law<ThreeD> for Dampers {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("dampers")
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        check("damping", self.links.iter().map(|link| link.c))?;
        check_anchors(self.links.iter().flat_map(|link| [link.a, link.b]))?;
        let rows = ends(model, "damper", self.links.iter().map(|link| (link.a.body, link.b.body)))?;
        let links: Arc<[Link]> = self.links.clone().into();
        let places = (read_at::<Position>(rows.clone()), read_at::<Orientation>(rows.clone()));
        let motions = (read_at::<Velocity>(rows.clone()), read_at::<AngularVelocity>(rows.clone()));
        let adds = (target.force_at::<ThreeD>(rows.clone()), target.torque_at(rows));
        let view = (places, motions, adds);
        let rule = Rule::new(
            self.name(),
            view,
            move |_, ((r, q), (v, omega), (mut f, mut torque))| -> Result<(), Trouble> {
                let body = |id: ComponentId| -> Result<(Pose, Twist), Trouble> {
                    if id == ComponentId::WORLD {
                        return Ok((Pose::IDENTITY, Twist::ZERO));
                    }
                    Ok((Pose::new(q.at(id)?, r.at(id)?.si()), Twist::new(v.at(id)?.si(), omega.at(id)?.si())))
                };
                for link in links.iter() {
                    let ((pose_a, twist_a), (pose_b, twist_b)) = (body(link.a.body)?, body(link.b.body)?);
                    let Stretch { arm_a, arm_b, gap } = Stretch::new(link.a, link.b, pose_a, pose_b);
                    let force = link.force(gap, twist_a.at(arm_a) - twist_b.at(arm_b));
                    let ends = [(link.a.body, arm_a, force), (link.b.body, arm_b, -force)];
                    for (body, arm, force) in ends.into_iter().filter(|end| end.0 != ComponentId::WORLD) {
                        *f.at_mut(body)? += Quantity::new(force);
                        *torque.at_mut(body)? += Quantity::new(arm.cross(force));
                    }
                }
                Ok(())
            },
        );
        Ok(rule.with_cost(16.0))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (r, q) = (state.all::<Position>()?, state.all::<Orientation>()?);
        let (v, omega) = (state.all::<Velocity>()?, state.all::<AngularVelocity>()?);
        let body = |id: ComponentId| {
            let k = id.row();
            if id == ComponentId::WORLD {
                return (Pose::IDENTITY, Twist::ZERO);
            }
            (Pose::new(q[k], r[k].si()), Twist::new(v[k].si(), omega[k].si()))
        };
        for link in &self.links {
            let ((pose_a, twist_a), (pose_b, twist_b)) = (body(link.a.body), body(link.b.body));
            let Stretch { arm_a, arm_b, gap } = Stretch::new(link.a, link.b, pose_a, pose_b);
            let ends = [
                LinkEnd { body: link.a.body, arm: arm_a, spin: twist_a.angular, sign: 1.0 },
                LinkEnd { body: link.b.body, arm: arm_b, spin: twist_b.angular, sign: -1.0 },
            ];
            out.add_link(&ends, &link.slope(gap, twist_a.at(arm_a) - twist_b.at(arm_b)));
        }
        Ok(SlopeAnswer::Exact)
    }
}
