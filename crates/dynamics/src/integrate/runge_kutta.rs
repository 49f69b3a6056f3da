//! Explicit Runge-Kutta methods as flows: evaluate, store the slope, combine, and again.
//!
//! k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y′ = y + h Σ_i b_i k_i,   with y = (r, v) and f = (v, F/m)

use super::moves::Moves;
use crate::core::flow::Flow;

/// A Butcher tableau, explicit: what a Runge-Kutta method is made of, whatever it integrates.
#[derive(Debug)]
pub struct Tableau {
    /// a_ij: the weights of the slopes before it in the state where slope i is taken. Row i has i of them.
    pub a: &'static [&'static [f64]],
    /// b_i: the weights of the slopes in the step.
    pub b: &'static [f64],
    /// c_i: when slope i is taken, in parts of the step.
    pub c: &'static [f64],
    /// Coefficients that an embedded pair adds.
    pub pair: Option<Pair>,
}

/// Coefficients of an embedded pair with dense output.
///
/// Its last slope is taken at the end of the step, and so is the first one of the next.
#[derive(Debug)]
pub struct Pair {
    /// The weights of the slopes in the estimate of the error: b_i minus those of the solution of lower
    /// order.
    pub error: &'static [f64],
    /// P_ij: the solution within the step is y + h Σ_i k_i Σ_j P_ij θ^j with 0 ≤ θ ≤ 1. Row i has the weights
    /// of θ, θ², θ³ and θ⁴. It meets the step in value and slope at both ends.
    pub dense: &'static [[f64; 4]],
}

/// The classical method (@kutta1901).
pub(super) const CLASSICAL: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    pair: None,
};

/// The method of a tableau.
pub(super) fn explicit(moves: &dyn Moves, tableau: &Tableau) -> Flow {
    stages(moves, tableau) >> moves.combine(tableau.b)
}

/// All slopes of a tableau.
pub(super) fn stages(moves: &dyn Moves, tableau: &Tableau) -> Flow {
    let mut flow = moves.save();
    for (i, &b) in tableau.b.iter().enumerate() {
        if i > 0 {
            flow =
                flow >> moves.clock().scaled(tableau.c[i] - tableau.c[i - 1]) >> moves.combine(tableau.a[i]);
        }
        flow = flow >> moves.forces() >> moves.slope(i, b);
    }
    flow
}
