//! Dormand and Prince's embedded pair of orders 5 and 4 (@dormand1980), with Shampine's continuous extension.
//!
//! Seven stages give the fifth-order solution and, with other weights, a fourth-order one; their difference
//! estimates the error. A rule vetoes the step when the estimate exceeds the tolerance: the state is then
//! untouched, and the stepper tries a shorter step. Between the ends of an accepted step the solution is the
//! polynomial
//!
//! y(t + θh) = y + h Σ_i k_i Σ_j P_ij θ^j,   0 ≤ θ ≤ 1
//!
//! of fourth order, which costs nothing beyond the stages (@hairer1993, II.6).

use super::moves::Moves;
use super::runge_kutta::{self, Pair, Tableau};
use crate::attributes::{
    ErrorEstimate, Position, PositionSlope, StartPosition, StartVelocity, Velocity, VelocitySlope,
};
use crate::core::access::{CellsMut, read, write_at};
use crate::core::attribute::Attribute;
use crate::core::column::Coordinates;
use crate::core::component::ComponentId;
use crate::core::fault::Trouble;
use crate::core::flow::Flow;
use crate::core::rows::Rows;
use crate::core::rule::{Rule, Step};
use crate::core::workflow::{Scratch, Workflow};
use crate::space::{Directed, Space};
use gedanken_math::units::{Length, One, Quantity};
use std::marker::PhantomData;

pub(super) const TABLEAU: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    pair: Some(Pair { error: &ERROR, dense: &DENSE }),
};

/// The fifth-order weights minus the fourth-order ones.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Row i: the coefficients of θ, θ², θ³, θ⁴ for slope i.
const DENSE: [[f64; 4]; 7] = [
    [1.0, -8048581381.0 / 2820520608.0, 8663915743.0 / 2820520608.0, -12715105075.0 / 11282082432.0],
    [0.0, 0.0, 0.0, 0.0],
    [0.0, 131558114200.0 / 32700410799.0, -68118460800.0 / 10900136933.0, 87487479700.0 / 32700410799.0],
    [0.0, -1754552775.0 / 470086768.0, 14199869525.0 / 1410260304.0, -10690763975.0 / 1880347072.0],
    [0.0, 127303824393.0 / 49829197408.0, -318862633887.0 / 49829197408.0, 701980252875.0 / 199316789632.0],
    [0.0, -282668133.0 / 205662961.0, 2019193451.0 / 616988883.0, -1453857185.0 / 822651844.0],
    [0.0, 40617522.0 / 29380423.0, -110615467.0 / 29380423.0, 69997945.0 / 29380423.0],
];

/// The last stage of the tableau is taken at the new point, so position and velocity already are the result.
pub(super) fn flow(moves: &dyn Moves, tolerance: f64) -> Flow {
    runge_kutta::stages(moves, &TABLEAU) >> moves.judge(&ERROR, tolerance)
}

/// The root mean square over all coordinates of error / (tolerance·(1 + size)); vetoes the step above 1.
pub(crate) fn judge<S: Space>(e: [f64; 7], tolerance: f64) -> Rule {
    let slopes = (
        std::array::from_fn::<_, 7, _>(|j| read::<PositionSlope<S>>().labelled(&j.to_string())),
        std::array::from_fn::<_, 7, _>(|j| read::<VelocitySlope<S>>().labelled(&j.to_string())),
    );
    let ends = (
        read::<StartPosition<S>>(),
        read::<StartVelocity<S>>(),
        read::<Position<S>>(),
        read::<Velocity<S>>(),
    );
    let estimate = write_at::<ErrorEstimate>(Rows::only([ComponentId::WORLD]));
    let body = move |step: Step, ((kr, kv), (r0, v0, r1, v1), mut out): Judged<'_, S>| {
        let mut sum = 0.0;
        for k in 0..r0.len() {
            let (mut dr, mut dv) = (S::Vector::ZERO, S::Vector::ZERO);
            for j in 0..7 {
                dr += kr[j][k].si() * e[j];
                dv += kv[j][k].si() * e[j];
            }
            let scale = |a: f64, b: f64| tolerance * (1.0 + a.max(b));
            let r_error = dr.length() * step.h.si() / scale(r0[k].si().length(), r1[k].si().length());
            let v_error = dv.length() * step.h.si() / scale(v0[k].si().length(), v1[k].si().length());
            sum += r_error * r_error + v_error * v_error;
        }
        // The world's own row is always at rest.
        let norm = (sum / (2.0 * (r0.len() - 1).max(1) as f64)).sqrt();
        *out.at_mut(ComponentId::WORLD)? = Quantity::new(norm);
        if norm <= 1.0 { Ok(()) } else { Err(Trouble::Veto(norm)) }
    };
    Rule::new("error estimate", (slopes, ends, estimate), body).with_cost(14.0)
}

/// Arguments of the judging rule: slopes, ends of the step, and a cell for the estimate.
type Judged<'a, S> = (
    ([&'a [ValueOf<PositionSlope<S>>]; 7], [&'a [ValueOf<VelocitySlope<S>>]; 7]),
    (
        &'a [ValueOf<Position<S>>],
        &'a [ValueOf<Velocity<S>>],
        &'a [ValueOf<Position<S>>],
        &'a [ValueOf<Velocity<S>>],
    ),
    CellsMut<'a, Quantity<One>>,
);
type ValueOf<A> = <A as Attribute>::Value;

/// The motion within the last step.
#[derive(Debug, Clone, Copy)]
pub struct Dense<'a, S: Space> {
    workflow: &'a Workflow,
    scratch: &'a Scratch,
    h: f64,
    space: PhantomData<S>,
}

impl<'a, S: Space> Dense<'a, S> {
    pub(super) fn new(workflow: &'a Workflow, scratch: &'a Scratch, h: f64) -> Self {
        Self { workflow, scratch, h, space: PhantomData }
    }

    /// The position and velocity of a component at the fraction θ of the step.
    #[must_use]
    pub fn at(
        &self,
        component: ComponentId,
        theta: f64,
    ) -> Option<(Directed<S, Length>, Directed<S, gedanken_math::units::Velocity>)> {
        let row = component.row();
        let mut r = self.workflow.transient::<StartPosition<S>>(self.scratch)?.get(row)?.si();
        let mut v = self.workflow.transient::<StartVelocity<S>>(self.scratch)?.get(row)?.si();
        for (j, p) in DENSE.iter().enumerate() {
            let label = STAGES[j];
            let weight = theta * (p[0] + theta * (p[1] + theta * (p[2] + theta * p[3])));
            let kr = self.workflow.transient_labelled::<PositionSlope<S>>(self.scratch, label)?[row].si();
            let kv = self.workflow.transient_labelled::<VelocitySlope<S>>(self.scratch, label)?[row].si();
            r += kr * (self.h * weight);
            v += kv * (self.h * weight);
        }
        Some((Quantity::new(r), Quantity::new(v)))
    }
}

const STAGES: [&str; 7] = ["0", "1", "2", "3", "4", "5", "6"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_sum_to_the_nodes_and_the_dense_output_ends_at_the_step() {
        for (row, c) in TABLEAU.a.iter().zip(TABLEAU.c) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-14);
        }
        assert!((TABLEAU.b.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!(ERROR.iter().sum::<f64>().abs() < 1e-16);
        for (p, b) in DENSE.iter().zip(TABLEAU.b) {
            assert!((p.iter().sum::<f64>() - b).abs() < 1e-14);
        }
    }
    /// y′(t + θh) = Σ_i k_i Σ_j j P_ij θ^(j-1) is the first slope at θ = 0 and the last one at θ = 1.
    #[test]
    fn the_dense_output_starts_with_the_first_slope_and_arrives_with_the_last() {
        for (i, p) in DENSE.iter().enumerate() {
            let (first, last) = (if i == 0 { 1.0 } else { 0.0 }, if i == 6 { 1.0 } else { 0.0 });
            assert_eq!(p[0], first);
            assert!((p[0] + 2.0 * p[1] + 3.0 * p[2] + 4.0 * p[3] - last).abs() < 1e-13, "row {i}");
        }
    }
}
