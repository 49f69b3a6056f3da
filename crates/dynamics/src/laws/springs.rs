//! Springs: V = ½ k (|r_a - r_b| - ℓ)² for every pair, F_a = -k (|r_a - r_b| - ℓ) (r_a - r_b)/|r_a - r_b|,
//! F_b = -F_a.
//!
//! All springs of a law are one rule, whose domain is the bodies at their ends and no others. Two ends at the
//! same place have no direction to push in: a spring of rest length zero is at rest there, any other faults.

use super::law::{Law, Target};
use super::slopes::{LinkEnd, LinkSlope, SlopeAnswer, Slopes};
use crate::attributes::Position;
use crate::core::access::read_at;
use crate::core::column::Coordinates;
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Trouble};
use crate::core::model::Model;
use crate::core::rows::Rows;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::Space;
use gedanken_math::matrix::{multiple_of_unit, outer};
use gedanken_math::units::{Energy, Length, Quantity, Stiffness};
use gedanken_math::{Mat3, Vec3};
use std::sync::Arc;

/// Springs between pairs of bodies.
#[derive(Debug, Clone, Default)]
pub struct Springs {
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    a: ComponentId,
    b: ComponentId,
    k: f64,
    rest: f64,
}

impl Springs {
    /// No springs yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These and one more, between `a` and `b`, of stiffness `k` and rest length `rest`.
    #[must_use]
    pub fn link(
        mut self,
        a: ComponentId,
        b: ComponentId,
        k: Quantity<Stiffness>,
        rest: Quantity<Length>,
    ) -> Self {
        self.links.push(Link { a, b, k: k.si(), rest: rest.si() });
        self
    }
}

/// The force on A of a spring of stiffness `k` and rest length `rest`, from B to A over `gap`, with its slope:
/// -k (1 - ℓ/d) across the spring and -k along it.
pub(super) fn pull(gap: Vec3, k: f64, rest: f64) -> LinkSlope {
    let length = gap.length();
    let by_velocity = Mat3::ZERO;
    if length == 0.0 && rest == 0.0 {
        return LinkSlope { force: Vec3::ZERO, by_gap: multiple_of_unit(-k), by_velocity };
    }
    let (u, slack) = (gap / length, rest / length);
    let by_gap = (multiple_of_unit(1.0 - slack) + outer(u, u) * slack) * -k;
    LinkSlope { force: gap * (-k * (length - rest) / length), by_gap, by_velocity }
}

impl<S: Space> Law<S> for Springs {
    fn name(&self) -> &str {
        "springs"
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        if let Some(link) = self.links.iter().find(|link| link.a == link.b) {
            let name = model.components().name(link.a);
            return Err(BuildError::Unfit(format!(
                "a spring needs two bodies, but both its ends are '{name}'"
            )));
        }
        let rows = Rows::only(self.links.iter().flat_map(|link| [link.a, link.b]));
        let links: Arc<[Link]> = self.links.clone().into();
        let view = (read_at::<Position<S>>(rows.clone()), target.force_at::<S>(rows));
        let rule = Rule::new(Law::<S>::name(self), view, move |_, (r, mut f)| -> Result<(), Trouble> {
            for &Link { a, b, k, rest } in links.iter() {
                let d = r.at(a)?.si() - r.at(b)?.si();
                let length = d.length();
                if length == 0.0 && rest == 0.0 {
                    continue;
                }
                let force = Quantity::new(d * (-k * (length - rest) / length));
                *f.at_mut(a)? += force;
                *f.at_mut(b)? -= force;
            }
            Ok(())
        });
        Ok(rule.with_cost(4.0))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let r = state.all::<Position<S>>()?;
        let v = self.links.iter().fold(0.0, |v, link| {
            let stretch = (r[link.a.row()].si() - r[link.b.row()].si()).length() - link.rest;
            v + 0.5 * link.k * stretch * stretch
        });
        Ok(Some(Quantity::new(v)))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let r = state.all::<Position<S>>()?;
        for &Link { a, b, k, rest } in &self.links {
            let gap = S::to_space(r[a.row()].si() - r[b.row()].si());
            let end = |body, sign| LinkEnd { body, arm: Vec3::ZERO, spin: Vec3::ZERO, sign };
            out.add_link(&[end(a, 1.0), end(b, -1.0)], &pull(gap, k, rest));
        }
        Ok(SlopeAnswer::Exact)
    }
}
