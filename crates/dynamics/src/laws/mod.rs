//! Laws: what makes bodies move. Each law is a rule that reads what it needs and adds to force and torque.
//!
//! A law that derives from a potential also tells its energy V; its force is then minus the gradient of V,
//! and its torque minus the derivative of V with respect to a rotation of the body. Laws form an algebra:
//! `a + b` acts with both, `2.0 * a` with twice the strength, and energies follow. Laws also tell how their
//! forces change with places and motions ([`Slopes`]), for methods that are implicit. One file per law.

mod anchor;
mod anchored_springs;
mod custom;
mod dampers;
mod dipole;
mod drag;
mod gravity_gradient;
pub(crate) mod law;
mod newtonian;
mod slopes;
mod springs;
mod torsion;
mod uniform_field;
mod uniform_gravity;

pub use anchor::{Anchor, Pivot};
pub use anchored_springs::AnchoredSprings;
pub use custom::{Body, Custom};
pub use dampers::Dampers;
pub use dipole::MagneticDipole;
pub use drag::{LinearDrag, QuadraticDrag};
pub use gravity_gradient::GravityGradient;
pub use law::{Law, Laws, Target, Term};
pub use newtonian::{GRAVITATIONAL_CONSTANT, NewtonianGravity};
pub use slopes::{PairSlope, SlopeAnswer, SlopeBlock, Slopes};
pub use springs::Springs;
pub use torsion::{TorsionDampers, TorsionSprings};
pub use uniform_field::UniformField;
pub use uniform_gravity::UniformGravity;

use crate::space::{Space, ThreeD};

macro_rules! single_laws {
    ($($law:ty => $laws:ty $(, in any $space:ident)?;)*) => {$(
        impl $(<$space: Space>)? From<$law> for $laws {
            fn from(law: $law) -> Self {
                Self::of(law)
            }
        }
    )*};
}

single_laws! {
    UniformGravity<S> => Laws<S>, in any S;
    UniformField<S> => Laws<S>, in any S;
    NewtonianGravity<S> => Laws<S>, in any S;
    Custom<S> => Laws<S>, in any S;
    Springs => Laws<S>, in any S;
    LinearDrag => Laws<S>, in any S;
    QuadraticDrag => Laws<S>, in any S;
    MagneticDipole => Laws<ThreeD>;
    GravityGradient => Laws<ThreeD>;
    AnchoredSprings => Laws<ThreeD>;
    Dampers => Laws<ThreeD>;
    TorsionSprings => Laws<ThreeD>;
    TorsionDampers => Laws<ThreeD>;
}
