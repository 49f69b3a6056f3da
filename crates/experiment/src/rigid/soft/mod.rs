//! What a file says for the solver `soft`: settings of a simulation, and softness of joints and surfaces.
//!
//! Numbers that a file leaves out are those of MuJoCo, or of Genesis with `defaults = genesis`.
//!
//! | softness of joints and materials | is |
//! |---|---|
//! | `time constant`, `damping ratio` | the oscillator by which a violated constraint returns |
//! | `softness stiffness`, `softness damping` | the same as a spring and a damper, per unit of mass |
//! | `impedance = [d0, d1, width, midpoint, power]` | how firmly it returns, against the violation |

pub(crate) mod check;
pub(crate) mod joint;
pub(crate) mod numbers;
pub(crate) mod settings;
pub(crate) mod softness;
pub(crate) mod surface;

use gedanken_multibody::model::{
    Algorithm, Cone, Impedance, Integrator, LineSearch, Mixing, Reference, Softness, Stopping,
};

/// Name of the solver.
pub(crate) const NAME: &str = "soft";

/// Settings of a simulation with soft constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSettings {
    /// How the cost is minimised.
    pub algorithm: Algorithm,
    /// The search along a direction.
    pub line_search: LineSearch,
    /// When iterations stop.
    pub stopping: Stopping,
    /// Shape of the friction cone.
    pub cone: Cone,
    /// Ratio of frictional to normal impedance.
    pub impedance_ratio: f64,
    /// Number of passes that take slip away.
    pub no_slip_iterations: usize,
    /// Numbers that a file leaves out, and how surfaces mix.
    pub defaults: SoftDefaults,
    /// How a step is taken.
    pub integrator: Integrator,
}

/// Numbers that a file leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoftDefaults {
    /// Those of MuJoCo.
    #[default]
    Mujoco,
    /// Those of Genesis.
    Genesis,
}

/// Softness as far as a file gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GivenSoftness {
    /// Time constant and damping ratio, or stiffness and damping.
    pub reference: Option<Reference>,
    /// The curve of impedance.
    pub impedance: Option<Impedance>,
}

/// Numbers of a joint that only soft constraints have a use for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoftJoint {
    /// Stiffness of the joint's own spring, N·m or N/m.
    pub stiffness: f64,
    /// Angle or shift at which that spring is at rest.
    pub rest: f64,
    /// Damping of every freedom.
    pub damping: f64,
    /// Inertia that is added to every freedom.
    pub armature: f64,
    /// Largest force of dry friction.
    pub friction_loss: f64,
    /// Softness of limits, of dry friction, and of a loop that it closes.
    pub softness: GivenSoftness,
}

/// Numbers of a surface that only soft constraints have a use for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoftSurface {
    /// Coefficient of torsional friction, m; none, if 0.
    pub torsional_friction: f64,
    /// Coefficient of rolling friction, m; none, if 0.
    pub rolling_friction: f64,
    /// Distance below which a contact acts, m.
    pub margin: f64,
    /// Distance beyond the margin up to which a contact is found and exerts no force, m.
    pub gap: f64,
    /// Softness of contacts.
    pub softness: GivenSoftness,
}

impl Default for SoftSettings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Newton,
            line_search: LineSearch::Exact,
            stopping: Stopping::Certificate(1e-9),
            cone: Cone::Elliptic,
            impedance_ratio: 1.0,
            no_slip_iterations: 0,
            defaults: SoftDefaults::Mujoco,
            integrator: Integrator::SemiImplicit,
        }
    }
}

impl SoftDefaults {
    /// Softness that a file does not give.
    #[must_use]
    pub const fn softness(self) -> Softness {
        match self {
            Self::Mujoco => Softness::MUJOCO,
            Self::Genesis => Softness {
                reference: Reference::Oscillator { time_constant: 0.01, damping_ratio: 1.0 },
                impedance: Impedance::MUJOCO,
            },
        }
    }

    /// How parameters of two surfaces make those of a contact.
    #[must_use]
    pub const fn mixing(self) -> Mixing {
        match self {
            Self::Mujoco => Mixing::Mujoco,
            Self::Genesis => Mixing::Genesis,
        }
    }
}

impl GivenSoftness {
    /// The softness, with what is left out.
    #[must_use]
    pub fn or(&self, usual: Softness) -> Softness {
        Softness {
            reference: self.reference.unwrap_or(usual.reference),
            impedance: self.impedance.unwrap_or(usual.impedance),
        }
    }
}
