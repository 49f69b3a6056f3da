//! The accuracy suite: cases of mechanics with closed answers, each measured with every method that claims
//! it.
//!
//! A [`Case`] is a question with an exact answer. A [`Method`] is who answers: laws in contexts, the rigid
//! bodies with one of their contact solvers, energies, or an integrator alone. A [`Cell`] is one answer
//! beside the exact one. [`run`] fills the cells in the order of [`CASES`]; what fails is a cell like any
//! other.
//!
//! Exact values are computed here from closed forms (`exact`), never stored from a run. The *short* form
//! takes less time where a case is about endurance: fewer bounces, shorter drifts, smaller stacks; everything
//! else is the same to the bit.

pub mod cases;
mod exact;
mod experiment_run;
mod measurement;
mod report;
mod rigid_scene;

/// Integrators of the suite, from the registry of dynamics.
pub use gedanken_dynamics::integrate::INTEGRATORS;
pub use report::{number, page, row};

use gedanken_rigid::contacts::SOLVERS;
use measurement::Sheet;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Laws in contexts, by experiments of the gallery.
    Contexts,
    /// Rigid bodies without contacts: free, or on joints.
    Rigid,
    /// Rigid bodies with the contact solver of this name.
    Solver(&'static str),
    /// Equations of motion derived from energies.
    Lagrangian,
    /// The integrator of this name.
    Integrator(&'static str),
}

impl Method {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Contexts => "contexts",
            Self::Rigid => "rigid",
            Self::Lagrangian => "lagrangian",
            Self::Solver(name) | Self::Integrator(name) => name,
        }
    }

    /// Every contact solver.
    fn solvers() -> [Method; SOLVERS.len()] {
        SOLVERS.map(|solver| Self::Solver(solver.name()))
    }
}

/// A question with an exact answer.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its number.
    pub number: u32,
    /// What happens.
    pub name: &'static str,
    /// The exact answer, as a formula.
    pub answer: &'static str,
    /// Who does not answer, and why; empty if everybody does who could.
    pub absent: &'static str,
    run: fn(&mut Sheet<'_>),
}

/// What came of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The error is within the tolerance.
    Pass,
    /// It is not, or there is no answer.
    Fail,
    /// The same where the method does not claim to be that good.
    Miss,
    /// There is no tolerance: the value is reported.
    Reported,
}

/// One answer beside the exact one.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The number of the case.
    pub case: u32,
    /// Its name.
    pub name: &'static str,
    /// What was measured.
    pub quantity: String,
    /// Who answered.
    pub method: Method,
    /// The answer; no number if there is none.
    pub measured: f64,
    /// The exact one; `None` where only the value is reported.
    pub exact: Option<f64>,
    /// By how much the answer is wrong: relative, unless `absolute`.
    pub error: f64,
    /// Whether `error` is the plain difference.
    pub absolute: bool,
    /// How large the error may be; `None` where the value is only reported.
    pub tolerance: Option<f64>,
    /// What came of it.
    pub verdict: Verdict,
    /// Whether it was cut short.
    pub short: bool,
    /// How it was measured, or why it could not be.
    pub note: String,
}

impl Cell {
    /// Whether it failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.verdict == Verdict::Fail
    }
}

/// What of the suite is run.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// The numbers of the cases; all, if empty.
    pub cases: Vec<u32>,
    /// The name of the one method; all, if `None`.
    pub method: Option<String>,
    /// Whether long cases are cut short.
    pub quick: bool,
}

/// Where the suite is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// How many of the chosen cases are done.
    pub done: usize,
    /// How many there are.
    pub cases: usize,
    /// The case at hand.
    pub case: &'p Case,
    /// Who answers now.
    pub method: Method,
}

/// Runs what was chosen. `progress` is told before every measurement.
pub fn run(choice: &Choice, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Cell> {
    let chosen: Vec<&Case> =
        CASES.iter().filter(|case| choice.cases.is_empty() || choice.cases.contains(&case.number)).collect();
    let mut cells = Vec::new();
    for (done, case) in chosen.iter().enumerate() {
        let mut tell = |method: Method| progress(Progress { done, cases: chosen.len(), case, method });
        let mut sheet = Sheet::new(case, choice, &mut tell);
        (case.run)(&mut sheet);
        cells.append(&mut sheet.cells);
    }
    cells
}

/// Every name that [`Choice::method`] can be.
#[must_use]
pub fn methods() -> Vec<&'static str> {
    let solvers = Method::solvers().map(Method::name);
    let integrators = gedanken_dynamics::integrate::INTEGRATORS.map(|integrator| integrator.name);
    let mechanics = [Method::Contexts, Method::Rigid, Method::Lagrangian].map(Method::name);
    mechanics.into_iter().chain(solvers).chain(integrators).collect()
}

const NO_CONTACTS: &str = "contexts: their laws say the answer, so that there is nothing to measure";
const NO_STACKS: &str = "contexts: they have no law of stacking";

/// Every case, in order.
pub const CASES: &[Case] = &[
    Case {
        number: 1,
        name: "sphere slides, then rolls",
        answer: "t = v₀k/(μg(1+k)), v = v₀/(1+k)",
        absent: NO_CONTACTS,
        run: cases::rolling::slides_then_rolls,
    },
    Case {
        number: 2,
        name: "sphere rolls down an incline",
        answer: "a = g sin θ/(1+k), friction m g sin θ k/(1+k)",
        absent: NO_CONTACTS,
        run: cases::rolling::down_an_incline,
    },
    Case {
        number: 3,
        name: "box stopped by friction",
        answer: "s = v₀²/(2μg) in every direction, v₀²/(2g(sin θ + μ cos θ)) up a slope",
        absent: "",
        run: cases::friction::stopping,
    },
    Case {
        number: 4,
        name: "box at rest on an incline",
        answer: "no drift while μ > tan θ",
        absent: "",
        run: cases::friction::at_rest,
    },
    Case {
        number: 5,
        name: "friction cone",
        answer: "slips at μ m g at every angle",
        absent: NO_CONTACTS,
        run: cases::friction::cone,
    },
    Case {
        number: 6,
        name: "ball bouncing to rest",
        answer: "hₙ = e²ⁿh₀, total time √(2h₀/g)(1+e)/(1-e)",
        absent: "",
        run: cases::bouncing::to_rest,
    },
    Case {
        number: 7,
        name: "elastic ball, 1000 bounces",
        answer: "energy constant",
        absent: "",
        run: cases::bouncing::elastic,
    },
    Case {
        number: 8,
        name: "two blocks and a wall",
        answer: "collisions: digits of π",
        absent: "",
        run: cases::impacts::digits_of_pi,
    },
    Case {
        number: 9,
        name: "Newton's cradle, 3 balls",
        answer: "sequential: (0, 0, v)",
        absent: "",
        run: cases::impacts::cradle,
    },
    Case {
        number: 10,
        name: "frictionless impact of two bodies",
        answer: "P and L kept, energy loss ½ m_eff (1-e²) vₙ²",
        absent: "",
        run: cases::impacts::off_centre,
    },
    Case {
        number: 11,
        name: "two-ball drop",
        answer: "v₂′ = v (3m₁ - m₂)/(m₁ + m₂)",
        absent: "",
        run: cases::impacts::two_balls,
    },
    Case {
        number: 12,
        name: "stack of N boxes",
        answer: "force at level j is (N - j) m g; stands",
        absent: NO_STACKS,
        run: cases::stacks::equal,
    },
    Case {
        number: 13,
        name: "heavy box on a light one, ratio 10ᵏ",
        answer: "as 12; the largest k that stands",
        absent: NO_STACKS,
        run: cases::stacks::heavy_on_light,
    },
    Case {
        number: 14,
        name: "overhang of N bricks",
        answer: "topples iff offset > ½ L H_N",
        absent: NO_STACKS,
        run: cases::tipping::overhang,
    },
    Case {
        number: 15,
        name: "tip or slide",
        answer: "tips first iff μ > b/(2h); topples on an incline iff tan θ > b/h",
        absent: NO_STACKS,
        run: cases::tipping::tip_or_slide,
    },
    Case {
        number: 16,
        name: "free asymmetric body",
        answer: "period 4K(k)/n; 2T and L kept",
        absent: "contexts: they have no Euler equations of their own; solvers: nothing touches",
        run: cases::rotation::tumbling,
    },
    Case {
        number: 17,
        name: "heavy symmetric top",
        answer: "I₁Ω² cos θ - I₃ω₃Ω + m g l = 0; E, p_φ, p_ψ kept",
        absent: "contexts: they have no joints; solvers: nothing touches",
        run: cases::rotation::top,
    },
    Case {
        number: 18,
        name: "pendulum, 90 degrees",
        answer: "T = 4√(l/g) K(sin(θ₀/2))",
        absent: "solvers: nothing touches",
        run: cases::joints::pendulum,
    },
    Case {
        number: 19,
        name: "double pendulum, small modes",
        answer: "ω² = (2 ± √2) g/l",
        absent: "contexts: they have no joints; solvers: nothing touches",
        run: cases::joints::double_pendulum,
    },
    Case {
        number: 20,
        name: "oscillator under symplectic Euler",
        answer: "½(v² + ω²x²) - ½hω²xv constant",
        absent: "all but symplectic-euler, alone and for energies: it is about that one",
        run: cases::convergence::modified_energy,
    },
    Case {
        number: 21,
        name: "power-law central force",
        answer: "apsidal angle π/√(n+3)",
        absent: "solvers: nothing touches",
        run: cases::orbits::apsidal_angles,
    },
    Case {
        number: 22,
        name: "Kepler, e = 0.6",
        answer: "E, L and Runge-Lenz kept; bounded for symplectic methods",
        absent: "solvers: nothing touches",
        run: cases::orbits::kepler,
    },
    Case {
        number: 23,
        name: "figure-eight of three bodies",
        answer: "returns after 6.32591398",
        absent: "contexts: no experiment of the gallery; solvers: nothing touches",
        run: cases::orbits::figure_eight,
    },
    Case {
        number: 24,
        name: "soft contact at rest",
        answer: "penetration g (1-d) t_c² z²",
        absent: "not yet: it belongs to a solver of soft contacts, which does not exist so far",
        run: |_| (),
    },
    Case {
        number: 25,
        name: "order of integrators and solvers",
        answer: "error ~ hᵖ, p as documented",
        absent: "contexts: they have no step",
        run: cases::convergence::orders,
    },
    Case {
        number: 26,
        name: "symmetries",
        answer: "the same after translation, rotation, permutation, renaming, reversal",
        absent: "contexts: see the tests of the engine",
        run: cases::symmetry::symmetries,
    },
    Case {
        number: 27,
        name: "contact quality per step",
        answer: "Signorini, cone and dissipation residuals",
        absent: "contexts: no contact is solved for",
        run: cases::contact_residuals::residuals,
    },
];
