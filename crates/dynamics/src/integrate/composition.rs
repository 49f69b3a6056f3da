//! Compositions of drift and kick (@ruth1983): symmetric products of leapfrogs with well-chosen steps
//! (@hairer2006, V.3).
//!
//! If Φ_h is a symmetric method of order 2, then Φ_{γ₁h} ∘ … ∘ Φ_{γₛh} with Σγ = 1 and palindromic γ has a
//! higher order when the γ solve the order conditions. Neighbouring half drifts merge into one.

#![expect(
    clippy::excessive_precision,
    reason = "the coefficients are printed with the digits of their source"
)]

use super::moves::Splitting;
use crate::core::flow::Flow;

/// γ = 1/(2 - 2^⅓), 1 - 2γ, γ: order 4 (@forest1990).
pub(super) const FOREST_RUTH: [f64; 3] =
    [1.351_207_191_959_657_6, -1.702_414_383_919_315_3, 1.351_207_191_959_657_6];

/// Order 6 with seven stages (@yoshida1990, solution A).
pub(super) const YOSHIDA_6: [f64; 7] = {
    const G: [f64; 4] = [
        0.784_513_610_477_557_263_819_497_63,
        0.235_573_213_359_358_133_684_793_18,
        -1.177_679_984_178_871_006_946_415_68,
        1.315_186_320_683_911_218_884_249_73,
    ];
    [G[0], G[1], G[2], G[3], G[2], G[1], G[0]]
};

/// Order 8 with fifteen stages: of Yoshida's family the solution with the smallest steps (@suzuki1993).
pub(super) const YOSHIDA_8: [f64; 15] = {
    const G: [f64; 8] = [
        0.741_670_364_350_612_953_448_227_80,
        -0.409_100_825_800_031_593_997_300_10,
        0.190_754_710_296_238_379_953_876_26,
        -0.573_862_471_116_082_266_656_387_73,
        0.299_064_181_303_655_923_844_463_54,
        0.334_624_918_245_298_183_784_957_98,
        0.315_293_092_396_766_596_632_056_66,
        -0.796_887_939_352_916_354_019_788_84,
    ];
    [G[0], G[1], G[2], G[3], G[4], G[5], G[6], G[7], G[6], G[5], G[4], G[3], G[2], G[1], G[0]]
};

/// Half of `outer`, `inner`, half of `outer`.
pub(super) fn strang(outer: Flow, inner: Flow) -> Flow {
    outer.clone().scaled(0.5) >> inner >> outer.scaled(0.5)
}

/// The product of leapfrogs with steps `gamma`: drift·γ₁/2, kick·γ₁, drift·(γ₁+γ₂)/2, kick·γ₂, …, drift·γₛ/2.
pub(super) fn leapfrogs(moves: &dyn Splitting, gamma: &[f64]) -> Flow {
    let mut flow = moves.drift().scaled(0.5 * gamma[0]);
    for (k, &g) in gamma.iter().enumerate() {
        let next = gamma.get(k + 1).copied().unwrap_or(0.0);
        flow = flow >> moves.kick().scaled(g) >> moves.drift().scaled(0.5 * (g + next));
    }
    flow
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σγ = 1 (consistency), and Σγ³ = 0, Σγ⁵ = 0, … are necessary for orders 4, 6 and so on.
    #[test]
    fn the_steps_solve_the_simplest_order_conditions() {
        let sum = |gamma: &[f64], p: f64| gamma.iter().map(|g| libm::pow(*g, p)).sum::<f64>();
        for (gamma, powers) in
            [(&FOREST_RUTH[..], &[3.0][..]), (&YOSHIDA_6, &[3.0, 5.0]), (&YOSHIDA_8, &[3.0, 5.0, 7.0])]
        {
            assert!((sum(gamma, 1.0) - 1.0).abs() < 1e-15, "{gamma:?}");
            for &p in powers {
                assert!(sum(gamma, p).abs() < 1e-14, "{gamma:?}: power {p} sums to {}", sum(gamma, p));
            }
        }
    }
}
