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

/// Product of frequency and step up to which a product of leapfrogs is stable on a spring: where the trace of its
/// matrix leaves [-2, 2] first, to a thousandth.
pub(super) fn stability_limit(gamma: &[f64]) -> f64 {
    let trace = |x: f64| {
        let step = |[a, b, c, d]: [f64; 4], g: &f64| {
            // Half a drift, a kick, half a drift of (r, v/ω), in parts g of x = ωh.
            let (y, k) = (g * x, 1.0 - 0.5 * g * g * x * x);
            let drift = y * (1.0 - 0.25 * y * y);
            [k * a + drift * c, k * b + drift * d, k * c - y * a, k * d - y * b]
        };
        let [a, _, _, d] = gamma.iter().fold([1.0, 0.0, 0.0, 1.0], step);
        a + d
    };
    let grid = (1..=10_000).map(|k| f64::from(k) * 1e-3);
    grid.take_while(|&x| trace(x).abs() <= 2.0 + 1e-12).last().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leapfrog is stable up to 2; of the others at the limit the motion stays, and grows a per cent beyond it.
    #[test]
    fn products_are_stable_up_to_their_limits() {
        assert!((stability_limit(&[1.0]) - 2.0).abs() < 2e-3);
        for gamma in [&FOREST_RUTH[..], &YOSHIDA_6, &YOSHIDA_8] {
            let after = |x: f64| {
                let (mut r, mut v) = (1.0_f64, 0.3_f64);
                for _ in 0..2000 {
                    for g in gamma {
                        r += 0.5 * g * x * v;
                        v -= g * x * r;
                        r += 0.5 * g * x * v;
                    }
                }
                r.abs() + v.abs()
            };
            let limit = stability_limit(gamma);
            assert!(limit > 1.0 && after(0.99 * limit) < 100.0, "{limit}: {}", after(0.99 * limit));
            // No number: it has grown beyond all numbers.
            let beyond = after(1.01 * limit);
            assert!(beyond > 1e6 || beyond.is_nan(), "{limit}: {beyond}");
        }
    }

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
