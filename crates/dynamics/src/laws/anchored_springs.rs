//! Springs between points of rigid bodies: V = ½ k (d - ℓ)² with the distance d of the anchors, so that F_a =
//! -k (d - ℓ) u at A's anchor, u being the direction from B's anchor to A's, F_b = -F_a at B's, and each
//! turns its body with the torque arm × F.
//!
//! Damping takes energy and has no potential: it is a law of its own, [`super::Dampers`]. Anchors in the same
//! place have no direction to push in: a spring of rest length zero is at rest there, any other faults.

use super::anchor::{Anchor, Stretch, check, check_anchors, ends};
use super::law::{Law, Target};
use super::slopes::{LinkEnd, SlopeAnswer, Slopes};
use super::springs::pull;
use crate::attributes::{Orientation, Position};
use crate::core::access::read_at;
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Trouble};
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::units::{Energy, Length, Quantity, Stiffness};
use gedanken_math::{Pose, Vec3};
use std::sync::Arc;

/// Springs between points of bodies.
#[derive(Debug, Clone, Default)]
pub struct AnchoredSprings {
    name: Option<String>,
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    a: Anchor,
    b: Anchor,
    k: f64,
    rest: f64,
}

impl AnchoredSprings {
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

    /// These and one more, between `a` and `b`, of stiffness `k` and rest length `rest`.
    #[must_use]
    pub fn link(mut self, a: Anchor, b: Anchor, k: Quantity<Stiffness>, rest: Quantity<Length>) -> Self {
        self.links.push(Link { a, b, k: k.si(), rest: rest.si() });
        self
    }
}

impl Link {
    /// The force on A.
    fn force(&self, gap: Vec3) -> Vec3 {
        let length = gap.length();
        if length == 0.0 && self.rest == 0.0 {
            return Vec3::ZERO;
        }
        gap * (-self.k * (length - self.rest) / length)
    }
}

impl Law<ThreeD> for AnchoredSprings {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("anchored springs")
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        check("stiffness", self.links.iter().map(|link| link.k))?;
        check("rest length", self.links.iter().map(|link| link.rest))?;
        check_anchors(self.links.iter().flat_map(|link| [link.a, link.b]))?;
        let rows = ends(model, "spring", self.links.iter().map(|link| (link.a.body, link.b.body)))?;
        let links: Arc<[Link]> = self.links.clone().into();
        let reads = (read_at::<Position>(rows.clone()), read_at::<Orientation>(rows.clone()));
        let view = (reads, target.force_at::<ThreeD>(rows.clone()), target.torque_at(rows));
        let rule =
            Rule::new(self.name(), view, move |_, ((r, q), mut f, mut torque)| -> Result<(), Trouble> {
                let pose = |id: ComponentId| -> Result<Pose, Trouble> {
                    if id == ComponentId::WORLD {
                        return Ok(Pose::IDENTITY);
                    }
                    Ok(Pose::new(q.at(id)?, r.at(id)?.si()))
                };
                for link in links.iter() {
                    let stretch = Stretch::new(link.a, link.b, pose(link.a.body)?, pose(link.b.body)?);
                    let force = link.force(stretch.gap);
                    let ends = [(link.a.body, stretch.arm_a, force), (link.b.body, stretch.arm_b, -force)];
                    for (body, arm, force) in ends.into_iter().filter(|end| end.0 != ComponentId::WORLD) {
                        *f.at_mut(body)? += Quantity::new(force);
                        *torque.at_mut(body)? += Quantity::new(arm.cross(force));
                    }
                }
                Ok(())
            });
        Ok(rule.with_cost(12.0))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (r, q) = (state.all::<Position>()?, state.all::<Orientation>()?);
        let pose = |id: ComponentId| {
            if id == ComponentId::WORLD { Pose::IDENTITY } else { Pose::new(q[id.row()], r[id.row()].si()) }
        };
        let v = self.links.iter().fold(0.0, |v, link| {
            let gap = Stretch::new(link.a, link.b, pose(link.a.body), pose(link.b.body)).gap;
            let stretch = gap.length() - link.rest;
            v + 0.5 * link.k * stretch * stretch
        });
        Ok(Some(Quantity::new(v)))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (r, q) = (state.all::<Position>()?, state.all::<Orientation>()?);
        let pose = |id: ComponentId| {
            if id == ComponentId::WORLD { Pose::IDENTITY } else { Pose::new(q[id.row()], r[id.row()].si()) }
        };
        for Link { a, b, k, rest } in &self.links {
            let Stretch { arm_a, arm_b, gap } = Stretch::new(*a, *b, pose(a.body), pose(b.body));
            let end = |body, arm, sign| LinkEnd { body, arm, spin: Vec3::ZERO, sign };
            out.add_link(&[end(a.body, arm_a, 1.0), end(b.body, arm_b, -1.0)], &pull(gap, *k, *rest));
        }
        Ok(SlopeAnswer::Exact)
    }
}
