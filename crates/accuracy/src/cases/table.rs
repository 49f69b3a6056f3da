//! The table of cases: numbers, names, exact answers, and the function that measures each.

use super::{
    bouncing, contact_residuals, convergence, friction, impacts, joints, orbits, rolling, rotation, soft,
    stacks, symmetry, tipping,
};
use crate::measurement::CaseRun;

/// A question of mechanics with an exact answer.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Number in the table, from 1.
    pub number: u32,
    /// Name of the situation.
    pub name: &'static str,
    /// Exact answer, as a formula.
    pub answer: &'static str,
    /// Methods that do not answer, and the reason; empty if every method that could does.
    pub absent: &'static str,
    /// Measures the case with every method that claims it.
    pub(crate) run: fn(&mut CaseRun<'_>),
}

const NO_CONTACTS: &str = "contexts: their laws say the answer, so that there is nothing to measure";
const NO_STACKS: &str = "contexts: they have no law of stacking";

/// All cases, in the order of their numbers.
pub const CASES: &[Case] = &[
    Case {
        number: 1,
        name: "sphere slides, then rolls",
        answer: "t = v₀k/(μg(1+k)), v = v₀/(1+k)",
        absent: NO_CONTACTS,
        run: rolling::slides_then_rolls,
    },
    Case {
        number: 2,
        name: "sphere rolls down an incline",
        answer: "a = g sin θ/(1+k), friction m g sin θ k/(1+k)",
        absent: NO_CONTACTS,
        run: rolling::down_an_incline,
    },
    Case {
        number: 3,
        name: "box stopped by friction",
        answer: "s = v₀²/(2μg) in every direction, v₀²/(2g(sin θ + μ cos θ)) up a slope",
        absent: "",
        run: friction::stopping,
    },
    Case {
        number: 4,
        name: "box at rest on an incline",
        answer: "no drift while μ > tan θ",
        absent: "",
        run: friction::at_rest,
    },
    Case {
        number: 5,
        name: "friction cone",
        answer: "slips at μ m g at every angle",
        absent: NO_CONTACTS,
        run: friction::cone,
    },
    Case {
        number: 6,
        name: "ball bouncing to rest",
        answer: "hₙ = e²ⁿh₀, total time √(2h₀/g)(1+e)/(1-e)",
        absent: "",
        run: bouncing::to_rest,
    },
    Case {
        number: 7,
        name: "elastic ball, 1000 bounces",
        answer: "energy constant",
        absent: "",
        run: bouncing::elastic,
    },
    Case {
        number: 8,
        name: "two blocks and a wall",
        answer: "collisions: digits of π",
        absent: "",
        run: impacts::digits_of_pi,
    },
    Case {
        number: 9,
        name: "Newton's cradle, 3 balls",
        answer: "sequential: (0, 0, v)",
        absent: "",
        run: impacts::cradle,
    },
    Case {
        number: 10,
        name: "frictionless impact of two bodies",
        answer: "P and L kept, energy loss ½ m_eff (1-e²) vₙ²",
        absent: "",
        run: impacts::off_centre,
    },
    Case {
        number: 11,
        name: "two-ball drop",
        answer: "v₂′ = v (3m₁ - m₂)/(m₁ + m₂)",
        absent: "",
        run: impacts::two_balls,
    },
    Case {
        number: 12,
        name: "stack of N boxes",
        answer: "force at level j is (N - j) m g; stands",
        absent: NO_STACKS,
        run: stacks::equal,
    },
    Case {
        number: 13,
        name: "heavy box on a light one, ratio 10ᵏ",
        answer: "as 12; the largest k that stands",
        absent: NO_STACKS,
        run: stacks::heavy_on_light,
    },
    Case {
        number: 14,
        name: "overhang of N bricks",
        answer: "topples iff offset > ½ L H_N",
        absent: NO_STACKS,
        run: tipping::overhang,
    },
    Case {
        number: 15,
        name: "tip or slide",
        answer: "tips first iff μ > b/(2h); topples on an incline iff tan θ > b/h",
        absent: NO_STACKS,
        run: tipping::tip_or_slide,
    },
    Case {
        number: 16,
        name: "free asymmetric body",
        answer: "period 4K(k)/n; 2T and L kept",
        absent: "contexts: they have no Euler equations of their own; other solvers: nothing touches",
        run: rotation::tumbling,
    },
    Case {
        number: 17,
        name: "heavy symmetric top",
        answer: "I₁Ω² cos θ - I₃ω₃Ω + m g l = 0; E, p_φ, p_ψ kept",
        absent: "contexts: they have no joints; other solvers: nothing touches",
        run: rotation::top,
    },
    Case {
        number: 18,
        name: "pendulum, 90 degrees",
        answer: "T = 4√(l/g) K(sin(θ₀/2))",
        absent: "other solvers: nothing touches",
        run: joints::pendulum,
    },
    Case {
        number: 19,
        name: "double pendulum, small modes",
        answer: "ω² = (2 ± √2) g/l",
        absent: "contexts: they have no joints; other solvers: nothing touches",
        run: joints::double_pendulum,
    },
    Case {
        number: 20,
        name: "oscillator under symplectic Euler",
        answer: "½(v² + ω²x²) - ½hω²xv constant",
        absent: "all but symplectic-euler, alone and for energies: it is about that one",
        run: convergence::modified_energy,
    },
    Case {
        number: 21,
        name: "power-law central force",
        answer: "apsidal angle π/√(n+3)",
        absent: "solvers: nothing touches",
        run: orbits::apsidal_angles,
    },
    Case {
        number: 22,
        name: "Kepler, e = 0.6",
        answer: "E, L and Runge-Lenz kept; bounded for symplectic methods",
        absent: "solvers: nothing touches",
        run: orbits::kepler,
    },
    Case {
        number: 23,
        name: "figure-eight of three bodies",
        answer: "returns after 6.32591398",
        absent: "contexts: no experiment of the gallery; solvers: nothing touches",
        run: orbits::figure_eight,
    },
    Case {
        number: 24,
        name: "soft contact at rest",
        answer: "penetration g (1-d) t_c² z²",
        absent: "all but soft: their contacts are rigid",
        run: soft::landing,
    },
    Case {
        number: 25,
        name: "order of integrators and solvers",
        answer: "error ~ hᵖ, p as documented",
        absent: "contexts: they have no step",
        run: convergence::orders,
    },
    Case {
        number: 26,
        name: "symmetries",
        answer: "the same after translation, rotation, permutation, renaming, reversal",
        absent: "contexts: see the tests of the engine",
        run: symmetry::symmetries,
    },
    Case {
        number: 27,
        name: "contact quality per step",
        answer: "Signorini, cone and dissipation residuals",
        absent: "contexts: no contact is solved for",
        run: contact_residuals::residuals,
    },
];
