//! Quantities that carry their dimension in the type: metres plus kilograms does not compile.
//!
//! A [`Quantity<D, T>`] is a `T` (a real, a vector, a matrix) in SI units whose dimension `D` exists only for
//! the compiler: it has the size, the alignment and the machine code of a bare `T`.
//!
//! ```
//! use gedanken_math::units::{Force, Quantity, KILOGRAM, METRE, SECOND};
//! let a = 9.81 * METRE / (SECOND * SECOND);
//! let weight: Quantity<Force> = 2.0 * KILOGRAM * a;
//! assert_eq!(weight.si(), 19.62);
//! assert_eq!(weight.to_string(), "19.62 kg·m/s²");
//! assert_eq!(size_of_val(&weight), size_of::<f64>());
//! ```
//!
//! ```compile_fail
//! use gedanken_math::units::{KILOGRAM, METRE};
//! let nonsense = 1.0 * METRE + 1.0 * KILOGRAM;
//! ```
//!
//! Angles are plain numbers (radians), so angular velocity has the dimension 1/time and torque that of
//! energy.

mod dimension;
mod exponent;
mod quantity;

pub use dimension::{
    Acceleration, AngularAcceleration, AngularMomentum, AngularVelocity, Charge, Current, Dim, Dimension,
    DragCoefficient, ElectricField, Energy, Force, GravitationalConstant, Half, Inertia, Length,
    MagneticFlux, MagneticMoment, Mass, Momentum, One, Over, Power, Product, QuadraticDrag, Quotient,
    Stiffness, Time, Times, Torque, Velocity,
};
pub use quantity::{Quantity, Vector};

/// One metre.
pub const METRE: Quantity<Length> = Quantity::new(1.0);
/// One kilogram.
pub const KILOGRAM: Quantity<Mass> = Quantity::new(1.0);
/// One second.
pub const SECOND: Quantity<Time> = Quantity::new(1.0);
