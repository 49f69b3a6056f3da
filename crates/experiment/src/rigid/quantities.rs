//! Quantities that the mechanics of rigid bodies computes, beside the attributes of the file: accelerations
//! and energies of bodies, energy and momentum of the whole with the laws that gave them, and residuals of
//! the contact solver.
//!
//! | of an object that is not static | |
//! |---|---|
//! | `acceleration`, `angular_acceleration` | the mean over the last step |
//! | `kinetic_energy`, `rotational_energy` | ½ m v² of the centre of mass, and ½ ω·L |
//! | `at_rest` | `true` if it did not move during the last step |
//!
//! | of the world | |
//! |---|---|
//! | `kinetic_energy`, `potential_energy`, `total_energy` | of all bodies, turning included |
//! | `momentum`, `angular_momentum` | of all bodies, the latter about the origin |
//! | `work_of_LAW`, `impulse_of_LAW` | energy and momentum that a law gave to bodies since the start |
//! | `joint_work`, `motor_work`, `normal_contact_work`, `friction_work`, `impact_work`, `stabilisation_work` | the same of others |
//! | `joint_impulse`, … | and their momentum |
//! | `numerical_error`, `momentum_error` | energy and momentum that no account explains |
//! | `contacts` | points at which bodies touch |
//! | `signorini`, `cone`, `dissipation`, `overlap`, `joint_error` | the largest residuals since the last frame |
//! | `converged` | `true` if all of them were within what the solver promises |
//! | `certificate`, `duality_gap` | with `solver = soft` only, instead of `signorini`, `cone` and `dissipation` |
//! | `stationarity`, `feasibility`, `complementarity`, `friction_residual` | with `solver = variational` only: residuals without a unit, the largest since the last frame |
//!
//! An attribute of the world that the file writes keeps its meaning, and hides the quantity of that name.

use super::force_law::model::{ForceLaw, ForceLawKind};
use super::joint::model::{Joint, JointKind};
use gedanken_lang::types::Type;
use gedanken_rigid::Account;

/// A quantity that the mechanics knows of an object that is not static.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectQuantity {
    /// Position of its own frame.
    Position,
    /// Orientation of its own frame, in the form in which the file writes it.
    Orientation,
    /// Velocity of the origin of its own frame.
    Velocity,
    /// Angular velocity.
    AngularVelocity,
    /// Mean acceleration over the last step.
    Acceleration,
    /// Mean angular acceleration over the last step.
    AngularAcceleration,
    /// ½ m v² of the centre of mass.
    KineticEnergy,
    /// ½ ω·L.
    RotationalEnergy,
    /// `true` if it did not move during the last step.
    AtRest,
}

impl ObjectQuantity {
    const ALL: [Self; 9] = [
        Self::Acceleration,
        Self::AngularAcceleration,
        Self::AngularVelocity,
        Self::AtRest,
        Self::KineticEnergy,
        Self::Orientation,
        Self::Position,
        Self::RotationalEnergy,
        Self::Velocity,
    ];

    /// Quantities that files do not write.
    pub fn computed() -> impl Iterator<Item = Self> {
        let written = [Self::Position, Self::Orientation, Self::Velocity, Self::AngularVelocity];
        Self::ALL.into_iter().filter(move |it| !written.contains(it))
    }

    /// The quantity of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Name in formulas and recordings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Orientation => "orientation",
            Self::Velocity => "velocity",
            Self::AngularVelocity => "angular_velocity",
            Self::Acceleration => "acceleration",
            Self::AngularAcceleration => "angular_acceleration",
            Self::KineticEnergy => "kinetic_energy",
            Self::RotationalEnergy => "rotational_energy",
            Self::AtRest => "at_rest",
        }
    }

    /// Its type; an orientation has four scalars where the file writes a quaternion.
    pub const fn ty(self) -> Type {
        match self {
            Self::KineticEnergy | Self::RotationalEnergy => Type::Real,
            Self::AtRest => Type::Bool,
            _ => Type::vector(3),
        }
    }
}

/// How steps are solved: it decides which residuals there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepKind {
    /// Impulses of contacts and joints.
    #[default]
    Impulses,
    /// Stationary points of the action.
    Variational,
    /// Soft constraints in acceleration space.
    Soft,
}

/// A quantity that the mechanics knows of all bodies together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldQuantity {
    /// Kinetic energy, rotation included.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Kinetic and potential energy.
    TotalEnergy,
    /// Momentum.
    Momentum,
    /// Angular momentum about the origin.
    AngularMomentum,
    /// Work of the law with this index since the start.
    LawWork(usize),
    /// Impulse of the law with this index since the start.
    LawImpulse(usize),
    /// Work that is booked on an account of the ledger since the start.
    Work(Account),
    /// Impulse that is booked on an account of the ledger since the start.
    Impulse(Account),
    /// Energy that no account explains.
    NumericalError,
    /// Momentum that no account explains.
    MomentumError,
    /// Number of points at which bodies touch.
    Contacts,
    /// Largest residual of Signorini's condition since the last frame.
    Signorini,
    /// Largest violation of the friction cone since the last frame.
    Cone,
    /// Largest residual of maximum dissipation since the last frame.
    Dissipation,
    /// Largest overlap since the last frame.
    Overlap,
    /// Largest error of a joint since the last frame.
    JointError,
    /// `true` if all residuals since the last frame were within what the solver promises.
    Converged,
    /// Largest force without balance in a variational step since the last frame, over the scale of forces.
    Stationarity,
    /// Largest violation of a constraint in a variational step since the last frame, over the size of bodies.
    Feasibility,
    /// Largest residual of complementarity in a variational step since the last frame.
    Complementarity,
    /// Largest residual of Coulomb's law in a variational step since the last frame, over the scale of forces.
    FrictionResidual,
    /// Largest bound of the error of an acceleration since the last frame, relative, in the norm of M.
    Certificate,
    /// Largest gap between the cost of an acceleration and what its forces prove, since the last frame.
    DualityGap,
}

impl WorldQuantity {
    const PLAIN: [Self; 14] = [
        Self::KineticEnergy,
        Self::PotentialEnergy,
        Self::TotalEnergy,
        Self::Momentum,
        Self::AngularMomentum,
        Self::NumericalError,
        Self::MomentumError,
        Self::Contacts,
        Self::Signorini,
        Self::Cone,
        Self::Dissipation,
        Self::Overlap,
        Self::JointError,
        Self::Converged,
    ];

    /// Residuals of a variational step.
    const VARIATIONAL: [Self; 4] =
        [Self::Stationarity, Self::Feasibility, Self::Complementarity, Self::FrictionResidual];

    /// Returns `true` if steps of this kind know the quantity. Those of soft constraints have no residuals of hard
    /// ones, and work in coordinates of joints, where impulses of single causes are not known.
    pub const fn is_known(self, steps: StepKind) -> bool {
        match self {
            Self::Stationarity | Self::Feasibility | Self::Complementarity | Self::FrictionResidual => {
                matches!(steps, StepKind::Variational)
            }
            Self::Certificate | Self::DualityGap => matches!(steps, StepKind::Soft),
            Self::Signorini
            | Self::Cone
            | Self::Dissipation
            | Self::Impulse(_)
            | Self::LawImpulse(_)
            | Self::MomentumError => !matches!(steps, StepKind::Soft),
            _ => true,
        }
    }

    /// Quality of a solution of soft constraints.
    const SOFT: [Self; 2] = [Self::Certificate, Self::DualityGap];

    /// The solver that alone has a quantity of this name, if there is one.
    pub fn only_solver(name: &str) -> Option<&'static str> {
        let has = |list: &[Self]| list.iter().any(|it| it.name("") == name);
        match () {
            () if has(&Self::VARIATIONAL) => Some("variational"),
            () if has(&Self::SOFT) => Some("soft"),
            () => None,
        }
    }

    /// All quantities of a world with these laws and steps, sorted by name.
    pub fn all<'l>(laws: impl Iterator<Item = &'l str>, steps: StepKind) -> Vec<(String, Self)> {
        // Nobody pushes bodies by hand in an experiment.
        let accounts = Account::ALL.into_iter().filter(|it| *it != Account::User);
        let accounts = accounts.flat_map(|it| [Self::Work(it), Self::Impulse(it)]);
        let own = Self::VARIATIONAL.into_iter().chain(Self::SOFT);
        let plain = Self::PLAIN.into_iter().chain(accounts).chain(own);
        let mut all: Vec<(String, Self)> = plain.map(|it| (it.name(""), it)).collect();
        for (place, law) in laws.enumerate() {
            let law = &legal(law);
            all.extend([Self::LawWork(place), Self::LawImpulse(place)].map(|it| (it.name(law), it)));
        }
        all.retain(|(_, it)| it.is_known(steps));
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|a, b| a.0 == b.0);
        all
    }

    fn name(self, law: &str) -> String {
        let name = match self {
            Self::KineticEnergy => "kinetic_energy",
            Self::PotentialEnergy => "potential_energy",
            Self::TotalEnergy => "total_energy",
            Self::Momentum => "momentum",
            Self::AngularMomentum => "angular_momentum",
            Self::LawWork(_) => return format!("work_of_{law}"),
            Self::LawImpulse(_) => return format!("impulse_of_{law}"),
            Self::Work(account) => return format!("{}_work", legal(account.name())),
            Self::Impulse(account) => return format!("{}_impulse", legal(account.name())),
            Self::NumericalError => "numerical_error",
            Self::MomentumError => "momentum_error",
            Self::Contacts => "contacts",
            Self::Signorini => "signorini",
            Self::Cone => "cone",
            Self::Dissipation => "dissipation",
            Self::Overlap => "overlap",
            Self::JointError => "joint_error",
            Self::Converged => "converged",
            Self::Stationarity => "stationarity",
            Self::Feasibility => "feasibility",
            Self::Complementarity => "complementarity",
            Self::FrictionResidual => "friction_residual",
            Self::Certificate => "certificate",
            Self::DualityGap => "duality_gap",
        };
        name.to_owned()
    }

    /// Its type.
    pub const fn ty(self) -> Type {
        match self {
            Self::Momentum
            | Self::AngularMomentum
            | Self::LawImpulse(_)
            | Self::Impulse(_)
            | Self::MomentumError => Type::vector(3),
            Self::Converged => Type::Bool,
            _ => Type::Real,
        }
    }
}

/// Names of all laws that do work: gravity, forces and potentials of the file, springs and their dampers.
pub(crate) fn law_names(force_laws: &[ForceLaw], joints: &[Joint]) -> Vec<String> {
    let written =
        force_laws.iter().filter(|it| it.kind != ForceLawKind::Constraint).map(|it| it.name.clone());
    let springs = joints.iter().filter(|it| it.kind == JointKind::Spring);
    let pulling = springs.flat_map(|it| [it.name.clone(), format!("{}_damping", it.name)]);
    std::iter::once("gravity".to_owned()).chain(written).chain(pulling).collect()
}

/// The name of a law as a name of the language: `spring 2` is `spring_2`.
fn legal(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_in_order() {
        for it in ObjectQuantity::ALL {
            assert_eq!(ObjectQuantity::by_name(it.name()), Some(it));
        }
        assert!(ObjectQuantity::ALL.is_sorted_by_key(|it| it.name()));
        assert_eq!(ObjectQuantity::computed().count(), 5);
        assert_eq!(ObjectQuantity::by_name("mass"), None);
    }

    #[test]
    fn every_law_and_account_has_its_columns() {
        let all = WorldQuantity::all(["gravity", "spring 2"].into_iter(), StepKind::Impulses);
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.is_sorted());
        for name in ["work_of_gravity", "impulse_of_spring_2", "normal_contact_work", "friction_impulse"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        assert_eq!(all.len(), WorldQuantity::PLAIN.len() + 2 * (Account::ALL.len() - 1) + 4);
        let variational = WorldQuantity::all(["gravity", "spring 2"].into_iter(), StepKind::Variational);
        let more: Vec<&str> =
            variational.iter().filter(|it| !all.contains(it)).map(|(name, _)| name.as_str()).collect();
        assert_eq!(more, ["complementarity", "feasibility", "friction_residual", "stationarity"]);
        assert!(more.iter().all(|name| WorldQuantity::only_solver(name) == Some("variational")));
        assert_eq!(WorldQuantity::only_solver("certificate"), Some("soft"));
        assert_eq!(WorldQuantity::only_solver("converged"), None);
    }
}
