//! Integrators, as values of a registry: name, properties, reference and method.
//!
//! An integrator is a function from the moves of a mechanical system ([`Moves`]) to a flow. Those made of
//! drifts and kicks are nothing but such compositions; Runge-Kutta methods and the implicit midpoint rule are
//! flows of a few more rules. Adaptive methods put a [`Control`] around the flow. Tests, manual and command
//! line all read this registry.

pub(crate) mod adaptive;
mod composition;
pub(crate) mod dormand_prince;
pub mod kick;
pub(crate) mod midpoint;
pub(crate) mod moves;
pub mod ode;
pub mod rotation;
mod runge_kutta;
mod stepper;

pub use dormand_prince::Dense;
pub use runge_kutta::{Pair, Tableau};
pub use stepper::{Located, Stepper};

use super::core::fault::BuildError;
use super::core::flow::Flow;
use super::core::model::Model;
use crate::attributes::{Acceleration, Pace, ReferenceAcceleration, Stride};
use crate::mechanics::Mechanics;
use crate::space::Space;
use moves::{Moves, Splitting};

/// A method for the equations of motion, as a value.
#[derive(Debug)]
pub struct Integrator {
    /// The name, as experiments write it.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The error of one unit of time shrinks as h to this power, for smooth forces.
    pub order: u32,
    /// The same with forces that depend on velocities. Every kick is symmetric in time then too ([`kick`]), and so
    /// no order is lost.
    pub order_with_velocities: u32,
    /// The same on joints; `None` if it moves no jointed bodies. A drift along joints is of order two, whatever
    /// is composed of it.
    pub order_on_joints: Option<u32>,
    /// The same in contact; `None` if contacts cannot follow it. The forces of a step are constant in contact, and
    /// the instants at which bodies begin and cease to stick are steps.
    pub order_in_contact: Option<u32>,
    /// `true` if it keeps the structure of phase space, so that energy errors stay bounded, for forces of
    /// position.
    pub symplectic: bool,
    /// `true` if reversing the velocities retraces the motion, to rounding, for forces of position.
    pub reversible: bool,
    /// Typical number of force evaluations per step. (Verlet methods keep the last evaluation unless a
    /// law looks at velocities, a ledger needs the single laws, or bodies turn; iterated methods take as many
    /// as they need.)
    pub evaluations: u32,
    /// Key in the list of references.
    pub cite: &'static str,
    /// Choice of the length of a step.
    pub control: Control,
    /// The coefficients, if it is an explicit Runge-Kutta method: with them it can integrate any y′ = f(t,
    /// y).
    pub tableau: Option<&'static Tableau>,
    /// The lengths of its leapfrogs in parts of the step, if it is nothing but leapfrogs (half drift, kick,
    /// half drift) one after the other: with them any symmetric method of order two can be composed to the
    /// same order.
    pub leapfrogs: Option<&'static [f64]>,
    method: Method,
}

/// Construction of a flow by a method.
#[derive(Debug, Clone, Copy)]
enum Method {
    /// Of drifts and kicks alone, and so it can turn rigid bodies.
    Splits(fn(&dyn Splitting) -> Flow),
    /// Of stages, given the tolerance of adaptive methods.
    Stages(fn(&dyn Moves, f64) -> Flow),
}

/// Choice of the length of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// As given.
    Fixed,
    /// From the accelerations, in a way that time reversal respects.
    Reversible,
    /// From an estimate of the error, which must stay below a tolerance.
    Embedded,
}

/// Every integrator, in the order of the manual.
pub static INTEGRATORS: [&Integrator; 11] = [
    &SYMPLECTIC_EULER,
    &LEAPFROG_DKD,
    &LEAPFROG_KDK,
    &VELOCITY_VERLET,
    &ADAPTIVE_VERLET,
    &FOREST_RUTH,
    &YOSHIDA_6,
    &YOSHIDA_8,
    &RUNGE_KUTTA_4,
    &DORMAND_PRINCE,
    &IMPLICIT_MIDPOINT,
];

/// Default of all entries: a symplectic, reversible composition of order two.
const SPLITTING: Integrator = Integrator {
    name: "",
    summary: "",
    order: 2,
    order_with_velocities: 2,
    order_on_joints: Some(2),
    order_in_contact: None,
    symplectic: true,
    reversible: true,
    evaluations: 1,
    cite: "hairer2006",
    control: Control::Fixed,
    tableau: None,
    leapfrogs: None,
    method: Method::Splits(|moves| moves.drift()),
};

/// Kick, then drift.
pub static SYMPLECTIC_EULER: Integrator = Integrator {
    name: "symplectic-euler",
    summary: "kick, then drift",
    order_with_velocities: 1,
    order_on_joints: Some(1),
    order_in_contact: Some(1),
    order: 1,
    reversible: false,
    cite: "devogelaere1956",
    method: Method::Splits(|moves| moves.kick() >> moves.drift()),
    ..SPLITTING
};

/// Half drift, kick, half drift.
pub static LEAPFROG_DKD: Integrator = Integrator {
    name: "leapfrog",
    summary: "half drift, kick, half drift",
    order_in_contact: Some(1),
    cite: "verlet1967",
    leapfrogs: Some(&[1.0]),
    method: Method::Splits(|moves| composition::strang(moves.drift(), moves.kick())),
    ..SPLITTING
};

/// Half kick, drift, half kick.
pub static LEAPFROG_KDK: Integrator = Integrator {
    name: "leapfrog-kdk",
    summary: "half kick, drift, half kick",
    evaluations: 2,
    cite: "verlet1967",
    method: Method::Splits(|moves| composition::strang(moves.kick(), moves.drift())),
    ..SPLITTING
};

/// Velocity Verlet: the same motion as half kick, drift, half kick, but the acceleration is kept for the next
/// step.
pub static VELOCITY_VERLET: Integrator = Integrator {
    name: "velocity-verlet",
    summary: "half kick, drift, half kick, keeping the acceleration",
    cite: "swope1982",
    method: Method::Splits(|moves| moves.verlet()),
    ..SPLITTING
};

/// Velocity Verlet with steps that shorten where accelerations grow, reversibly.
pub static ADAPTIVE_VERLET: Integrator = Integrator {
    name: "adaptive-verlet",
    summary: "velocity Verlet with a time-reversible choice of steps",
    order_on_joints: None,
    symplectic: false,
    cite: "holder2001",
    control: Control::Reversible,
    method: Method::Splits(|moves| moves.verlet()),
    ..SPLITTING
};

/// Three leapfrogs, the middle one backwards.
pub static FOREST_RUTH: Integrator = Integrator {
    name: "forest-ruth",
    summary: "three leapfrogs, the middle one backwards",
    order_with_velocities: 4,
    order: 4,
    evaluations: 3,
    cite: "forest1990",
    leapfrogs: Some(&composition::FOREST_RUTH),
    method: Method::Splits(|moves| composition::leapfrogs(moves, &composition::FOREST_RUTH)),
    ..SPLITTING
};

/// Seven leapfrogs.
pub static YOSHIDA_6: Integrator = Integrator {
    name: "yoshida6",
    summary: "seven leapfrogs",
    order_with_velocities: 6,
    order: 6,
    evaluations: 7,
    cite: "yoshida1990",
    leapfrogs: Some(&composition::YOSHIDA_6),
    method: Method::Splits(|moves| composition::leapfrogs(moves, &composition::YOSHIDA_6)),
    ..SPLITTING
};

/// Fifteen leapfrogs.
pub static YOSHIDA_8: Integrator = Integrator {
    name: "yoshida8",
    summary: "fifteen leapfrogs",
    order_with_velocities: 8,
    order: 8,
    evaluations: 15,
    cite: "suzuki1993",
    leapfrogs: Some(&composition::YOSHIDA_8),
    method: Method::Splits(|moves| composition::leapfrogs(moves, &composition::YOSHIDA_8)),
    ..SPLITTING
};

/// The classical Runge-Kutta method.
pub static RUNGE_KUTTA_4: Integrator = Integrator {
    name: "rk4",
    summary: "the classical Runge-Kutta method",
    order_with_velocities: 4,
    order_on_joints: None,
    order: 4,
    symplectic: false,
    reversible: false,
    evaluations: 4,
    cite: "kutta1901",
    tableau: Some(&runge_kutta::CLASSICAL),
    method: Method::Stages(|moves, _| runge_kutta::explicit(moves, &runge_kutta::CLASSICAL)),
    ..SPLITTING
};

/// Dormand and Prince's embedded pair of orders five and four, with dense output.
pub static DORMAND_PRINCE: Integrator = Integrator {
    name: "dormand-prince",
    summary: "embedded Runge-Kutta pair 5(4), adaptive, with dense output and event location",
    order_with_velocities: 5,
    order_on_joints: None,
    order: 5,
    symplectic: false,
    reversible: false,
    evaluations: 7,
    cite: "dormand1980",
    control: Control::Embedded,
    tableau: Some(&dormand_prince::TABLEAU),
    leapfrogs: None,
    method: Method::Stages(dormand_prince::flow),
    order_in_contact: None,
};

/// The implicit midpoint rule.
pub static IMPLICIT_MIDPOINT: Integrator = Integrator {
    name: "implicit-midpoint",
    summary: "Gauss's implicit midpoint rule, iterated to rounding",
    order_in_contact: Some(1),
    evaluations: 10,
    method: Method::Stages(|moves, _| midpoint::flow(moves)),
    ..SPLITTING
};

/// The error tolerance of adaptive methods unless another is asked for, relative and absolute.
pub const DEFAULT_TOLERANCE: f64 = 1e-10;

impl Integrator {
    /// The integrator of this name, or an error that lists them.
    pub fn by_name(name: &str) -> Result<&'static Integrator, BuildError> {
        INTEGRATORS.into_iter().find(|i| i.name == name).ok_or_else(|| {
            let known = INTEGRATORS.iter().map(|i| i.name).collect::<Vec<_>>().join(", ");
            BuildError::Unfit(format!("there is no integrator called '{name}'; there are {known}"))
        })
    }

    /// The model with the attributes that this method keeps from step to step.
    #[must_use]
    pub fn equip<S: Space>(&self, model: Model) -> Model {
        match self.control {
            Control::Fixed if std::ptr::eq(self, &VELOCITY_VERLET) => model.with::<Acceleration<S>>(),
            Control::Fixed => model,
            Control::Reversible => {
                model.with::<Acceleration<S>>().with::<Pace>().with::<ReferenceAcceleration>()
            }
            Control::Embedded => model.with::<Stride>(),
        }
    }

    /// The method as a flow for these laws.
    pub fn flow<S: Space>(&self, mechanics: &Mechanics<S>, tolerance: f64) -> Result<Flow, BuildError> {
        let flow = match self.method {
            Method::Stages(flow) if !mechanics.turns() => flow(mechanics, tolerance),
            _ => self.splitting(mechanics)?,
        };
        Ok(mechanics.begin() >> flow)
    }

    /// Returns `true` if it is made of drifts and kicks, and so can turn rigid bodies.
    #[must_use]
    pub fn splits(&self) -> bool {
        matches!(self.method, Method::Splits(_))
    }

    /// Returns `true` if a step kicks once and drifts forward only: what contacts, which are solved with the
    /// kick, can follow.
    #[must_use]
    pub fn kicks_once(&self) -> bool {
        std::ptr::eq(self, &SYMPLECTIC_EULER) || std::ptr::eq(self, &LEAPFROG_DKD)
    }

    /// Product of frequency and step up to which it is stable on a spring, if it is made of drifts and kicks.
    #[must_use]
    pub fn stability_limit(&self) -> Option<f64> {
        // Euler's symplectic step and Verlet's are leapfrogs that begin elsewhere.
        let leapfrogs = self.leapfrogs.unwrap_or(&[1.0]);
        self.splits().then(|| composition::stability_limit(leapfrogs))
    }

    /// The method as a flow of these drifts and kicks; an error if it is made of anything else.
    pub fn splitting(&self, moves: &dyn Splitting) -> Result<Flow, BuildError> {
        let Method::Splits(flow) = self.method else {
            let drifting =
                INTEGRATORS.iter().filter(|i| i.splits()).map(|i| i.name).collect::<Vec<_>>().join(", ");
            return Err(BuildError::Unfit(format!(
                "'{}' moves points only; bodies that turn need one of {drifting}",
                self.name
            )));
        };
        Ok(flow(moves))
    }

    /// The method ready to step, with the default tolerance.
    pub fn prepare<S: Space>(&'static self, mechanics: &Mechanics<S>) -> Result<Stepper<S>, BuildError> {
        self.prepare_with_tolerance(mechanics, DEFAULT_TOLERANCE)
    }

    /// The method ready to step, with a tolerance for adaptive methods (infinite: every step is accepted).
    pub fn prepare_with_tolerance<S: Space>(
        &'static self,
        mechanics: &Mechanics<S>,
        tolerance: f64,
    ) -> Result<Stepper<S>, BuildError> {
        Stepper::new(self, mechanics, tolerance)
    }
}
