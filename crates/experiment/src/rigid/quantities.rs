//! Names that the mechanics gives, beside what the file writes: what follows from where bodies are and how
//! they move, what the whole has of energy and momentum, who gave it, and how well the contacts were solved.
//!
//! | of an object that is not static | |
//! |---|---|
//! | `acceleration`, `angular_acceleration` | the mean over the last step |
//! | `kinetic_energy`, `rotational_energy` | ½ m v² of the centre of mass, and ½ ω·L |
//! | `at_rest` | whether it did not move during the last step |
//!
//! | of the world | |
//! |---|---|
//! | `kinetic_energy`, `potential_energy`, `total_energy` | of all bodies, turning included |
//! | `momentum`, `angular_momentum` | of all bodies, the latter about the origin |
//! | `work_of_LAW`, `impulse_of_LAW` | energy and momentum that a law gave to bodies since the start |
//! | `joint_work`, `motor_work`, `normal_contact_work`, `friction_work`, `impact_work`, `stabilisation_work` | the same of others |
//! | `joint_impulse`, … | and their momentum |
//! | `numerical_error`, `momentum_error` | what nobody accounts for |
//! | `contacts` | points at which bodies touch |
//! | `signorini`, `cone`, `dissipation`, `overlap`, `joint_error` | the largest residuals since the last frame |
//! | `converged` | whether all of them were within what the solver promises |
//!
//! An attribute of the world that the file writes keeps its meaning, and hides what is given under that name.

use crate::{Bodily, BodilyKind, Joint, JointKind};
use gedanken_lang::types::Type;
use gedanken_rigid::Account;

/// What the mechanics knows of an object that is not static.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfObject {
    /// Where its own frame is.
    Position,
    /// How its own frame is turned, in the form in which the file writes it.
    Orientation,
    /// Of the origin of its own frame.
    Velocity,
    AngularVelocity,
    Acceleration,
    AngularAcceleration,
    KineticEnergy,
    RotationalEnergy,
    AtRest,
}

impl OfObject {
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

    /// What is not written in the file.
    pub fn computed() -> impl Iterator<Item = Self> {
        let written = [Self::Position, Self::Orientation, Self::Velocity, Self::AngularVelocity];
        Self::ALL.into_iter().filter(move |it| !written.contains(it))
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

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

/// What the mechanics knows of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfWorld {
    KineticEnergy,
    PotentialEnergy,
    TotalEnergy,
    Momentum,
    AngularMomentum,
    /// The work of a law, by its place.
    LawWork(usize),
    LawImpulse(usize),
    Work(Account),
    Impulse(Account),
    NumericalError,
    MomentumError,
    Contacts,
    Signorini,
    Cone,
    Dissipation,
    Overlap,
    JointError,
    Converged,
}

impl OfWorld {
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

    /// Everything there is, in a world with these laws, by name.
    pub fn all<'l>(laws: impl Iterator<Item = &'l str>) -> Vec<(String, Self)> {
        // Nobody pushes bodies by hand in an experiment.
        let accounts = Account::ALL.into_iter().filter(|it| *it != Account::User);
        let accounts = accounts.flat_map(|it| [Self::Work(it), Self::Impulse(it)]);
        let plain = Self::PLAIN.into_iter().chain(accounts);
        let mut all: Vec<(String, Self)> = plain.map(|it| (it.name(""), it)).collect();
        for (place, law) in laws.enumerate() {
            let law = &legal(law);
            all.extend([Self::LawWork(place), Self::LawImpulse(place)].map(|it| (it.name(law), it)));
        }
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
        };
        name.to_owned()
    }

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

/// The names of all laws that do work, of the file and of its joints.
pub fn law_names(bodily: &[Bodily], joints: &[Joint]) -> Vec<String> {
    let written = bodily.iter().filter(|it| it.kind != BodilyKind::Constraint).map(|it| it.name.clone());
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
        for it in OfObject::ALL {
            assert_eq!(OfObject::by_name(it.name()), Some(it));
        }
        assert!(OfObject::ALL.is_sorted_by_key(|it| it.name()));
        assert_eq!(OfObject::computed().count(), 5);
        assert_eq!(OfObject::by_name("mass"), None);
    }

    #[test]
    fn every_law_and_account_has_its_columns() {
        let all = OfWorld::all(["gravity", "spring 2"].into_iter());
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.is_sorted());
        for name in ["work_of_gravity", "impulse_of_spring_2", "normal_contact_work", "friction_impulse"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        assert_eq!(all.len(), OfWorld::PLAIN.len() + 2 * (Account::ALL.len() - 1) + 4);
    }
}
