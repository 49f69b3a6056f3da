//! Explicit Runge-Kutta methods as flows: evaluate, store the slope, combine, and again.
//!
//! k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y′ = y + h Σ_i b_i k_i,   with y = (r, v) and f = (v, F/m)

use crate::mechanics::Moves;
use crate::world::flow::Flow;

/// A Butcher tableau, explicit: row i of `a` has i coefficients.
pub(super) struct Tableau {
    pub(super) a: &'static [&'static [f64]],
    pub(super) b: &'static [f64],
    pub(super) c: &'static [f64],
}

/// The classical method (@kutta1901).
pub(super) const CLASSICAL: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
};

/// The method of a tableau.
pub(super) fn explicit(moves: &dyn Moves, tableau: &Tableau) -> Flow {
    stages(moves, tableau) >> moves.combine(tableau.b) >> moves.settle()
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
