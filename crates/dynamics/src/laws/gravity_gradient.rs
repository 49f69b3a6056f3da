//! The gravity gradient: what an attracting centre does to a body because it is not a point (@hughes2004).
//!
//! To second order in the size of the body (MacCullagh's formula), beyond the point-mass part -G M m/d,
//!
//! V = -(G M / 2d³)(tr I - 3 u·I u),   τ = (3 G M / d³) u × I u,   F = -∇V
//!
//! with d u = r - c the place of the body seen from the centre and I its inertia tensor in the world frame.
//! The centre is fixed; the point-mass attraction is another law, so that either can be studied alone.

use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{Inertia, Orientation, Position};
use crate::core::access::read;
use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::matrix::{cross_matrix, multiple_of_unit, outer};
use gedanken_math::rotation::{axes, to_body, to_world};
use gedanken_math::units::{Energy, GravitationalConstant, Length, Mass, Product, Quantity, Vector};
use gedanken_math::{Mat3, Quat, Vec3};

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

    /// Slopes of [`GravityGradient::action`] by a shift and a rotation of the body. The inertia tensor turns
    /// with it: δ(I x) = θ × I x - I (θ × x) = N θ.
    fn action_slope(&self, r: Vec3, q: Quat, i: Vec3) -> SlopeBlock {
        let x = r - self.centre;
        let d2 = x.length_squared();
        let (d5, trace) = (d2 * d2 * d2.sqrt(), i.x + i.y + i.z);
        let [e1, e2, e3] = axes(q);
        let inertia = outer(e1, e1) * i.x + outer(e2, e2) * i.y + outer(e3, e3) * i.z;
        let ix = inertia * x;
        let along = x.dot(ix) / d2;
        let (cross_x, cross_ix) = (cross_matrix(x), cross_matrix(ix));
        let turned: Mat3 = inertia * cross_x - cross_ix;
        let weak = self.gm / d5;
        // δ(d⁻⁵) = -5 d⁻⁷ x·δ, and so on for every factor of the force.
        let force_linear = multiple_of_unit(-1.5 * trace + 7.5 * along)
            + outer(x, x) * ((7.5 * trace - 52.5 * along) / d2)
            + outer(x, ix) * (15.0 / d2)
            + outer(ix, x) * (15.0 / d2)
            - inertia * 3.0;
        let force_angular = outer(x, turned.transpose() * x) * (7.5 / d2) - turned * 3.0;
        let torque_linear = (cross_x * inertia - cross_ix) * 3.0 - outer(x.cross(ix), x) * (15.0 / d2);
        let block =
            SlopeBlock { force_linear, force_angular, torque_linear, torque_angular: cross_x * turned * 3.0 };
        block * weak
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

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (r, q) = (state.all::<Position>()?, state.all::<Orientation>()?);
        let i = state.all::<Inertia>()?;
        for (row, i) in i.iter().enumerate().filter(|(_, i)| i.si() != Vec3::ZERO) {
            let body = ComponentId::from_row(row);
            out.add(body, body, self.action_slope(r[row].si(), q[row], i.si()), SlopeBlock::ZERO);
        }
        Ok(SlopeAnswer::Exact)
    }
}
