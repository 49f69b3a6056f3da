//! The gravity gradient: what an attracting centre does to a body because it is not a point (@hughes2004).
//!
//! To second order in the size of the body (MacCullagh's formula), beyond the point-mass part -G M m/d,
//!
//! V = -(G M / 2d³)(tr I - 3 u·I u),   τ = (3 G M / d³) u × I u,   F = -∇V
//!
//! with d u = r - c the place of the body seen from the centre and I its inertia tensor in the world frame.
//! The centre is fixed; the point-mass attraction is another law, so that either can be studied alone.

use super::law::{Law, Target};
use crate::attributes::{Inertia, Orientation, Position};
use crate::core::access::read;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::{Energy, GravitationalConstant, Length, Mass, Product, Quantity, Vector};
use gedanken_math::{Quat, Vec3};

/// The field of a fixed attracting centre on extended bodies: every body that has a moment of inertia.
#[derive(Debug, Clone)]
pub struct GravityGradient {
    gm: f64,
    centre: Vec3,
}

impl GravityGradient {
    /// A centre of strength `gm` = G M at a fixed place.
    #[must_use]
    pub fn new(gm: Quantity<Product<GravitationalConstant, Mass>>, centre: Vector<Length>) -> Self {
        Self { gm: gm.si(), centre: centre.si() }
    }

    /// Force and torque on a body at `r` with orientation `q` and principal moments `i`.
    fn action(&self, r: Vec3, q: Quat, i: Vec3) -> (Vec3, Vec3) {
        let x = r - self.centre;
        let d2 = x.length_squared();
        let d5 = d2 * d2 * d2.sqrt();
        let ix = to_world(q, i * to_body(q, x));
        let trace = i.x + i.y + i.z;
        // ∇(tr I d⁻³) = -3 tr I d⁻⁵ x,   ∇(d⁻⁵ x·I x) = 2 d⁻⁵ I x - 5 d⁻⁷ (x·I x) x
        let force = (x * (-1.5 * trace + 7.5 * x.dot(ix) / d2) - ix * 3.0) * (self.gm / d5);
        let torque = x.cross(ix) * (3.0 * self.gm / d5);
        (force, torque)
    }

    fn potential(&self, r: Vec3, q: Quat, i: Vec3) -> f64 {
        let x = r - self.centre;
        let d2 = x.length_squared();
        let ix = to_world(q, i * to_body(q, x));
        -self.gm / (2.0 * d2 * d2.sqrt()) * (i.x + i.y + i.z - 3.0 * x.dot(ix) / d2)
    }
}

impl Law<ThreeD> for GravityGradient {
    fn name(&self) -> &str {
        "gravity gradient"
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let law = self.clone();
        let reads = (read::<Position>(), read::<Orientation>(), read::<Inertia>());
        let view = (reads, target.force::<ThreeD>(), target.torque());
        let rule = Rule::new(self.name(), view, move |_, ((r, q, i), force, torque)| {
            for (k, i) in i.iter().enumerate().filter(|(_, i)| i.si() != Vec3::ZERO) {
                let (f, t) = law.action(r[k].si(), q[k], i.si());
                force[k] += Quantity::new(f);
                torque[k] += Quantity::new(t);
            }
        });
        Ok(rule.with_cost(8.0))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (r, q) = (state.all::<Position>()?, state.all::<Orientation>()?);
        let bodies = state.entries::<Inertia>()?;
        let v = bodies.fold(0.0, |v, (id, i)| v + self.potential(r[id.row()].si(), q[id.row()], i.si()));
        Ok(Some(Quantity::new(v)))
    }
}
