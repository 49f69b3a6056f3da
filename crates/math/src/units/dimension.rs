//! Physical dimensions as types: products of powers of length, mass, time and electric current.

use super::exponent::{Exponent, Halved, N1, N2, P1, P2, P3, Plus, Z0};
use core::marker::PhantomData;

/// The dimension length^L · mass^M · time^T · current^I.
pub struct Dim<L, M, T, I>(PhantomData<(L, M, T, I)>);

/// Any [`Dim`]: something with four exponents.
pub trait Dimension: 'static + Send + Sync {
    /// The exponents of metre, kilogram, second and ampere.
    const EXPONENTS: [i8; 4];
}

impl<L: Exponent, M: Exponent, T: Exponent, I: Exponent> Dimension for Dim<L, M, T, I>
where
    Self: Send + Sync,
{
    const EXPONENTS: [i8; 4] = [L::VALUE, M::VALUE, T::VALUE, I::VALUE];
}

/// The dimension of a product.
pub trait Times<Right> {
    /// `Self · Right`.
    type Product: Dimension;
}

/// The dimension of a quotient.
pub trait Over<Right> {
    /// `Self / Right`.
    type Quotient: Dimension;
}

/// The dimension of a square root.
pub trait Half {
    /// `√Self`.
    type Root: Dimension;
}

impl<L, M, T, I, L2, M2, T2, I2> Times<Dim<L2, M2, T2, I2>> for Dim<L, M, T, I>
where
    L: Plus<L2>,
    M: Plus<M2>,
    T: Plus<T2>,
    I: Plus<I2>,
    Dim<L::Sum, M::Sum, T::Sum, I::Sum>: Dimension,
{
    type Product = Dim<L::Sum, M::Sum, T::Sum, I::Sum>;
}

impl<L, M, T, I, L2, M2, T2, I2> Over<Dim<L2, M2, T2, I2>> for Dim<L, M, T, I>
where
    L2: Exponent,
    M2: Exponent,
    T2: Exponent,
    I2: Exponent,
    L: Plus<L2::Negative>,
    M: Plus<M2::Negative>,
    T: Plus<T2::Negative>,
    I: Plus<I2::Negative>,
    Dim<L::Sum, M::Sum, T::Sum, I::Sum>: Dimension,
{
    type Quotient = Dim<L::Sum, M::Sum, T::Sum, I::Sum>;
}

impl<L: Halved, M: Halved, T: Halved, I: Halved> Half for Dim<L, M, T, I>
where
    Dim<L::Half, M::Half, T::Half, I::Half>: Dimension,
{
    type Root = Dim<L::Half, M::Half, T::Half, I::Half>;
}

/// The dimension of `A` times `B`.
pub type Product<A, B> = <A as Times<B>>::Product;
/// The dimension of `A` over `B`.
pub type Quotient<A, B> = <A as Over<B>>::Quotient;

/// A plain number.
pub type One = Dim<Z0, Z0, Z0, Z0>;
/// Metre.
pub type Length = Dim<P1, Z0, Z0, Z0>;
/// Kilogram.
pub type Mass = Dim<Z0, P1, Z0, Z0>;
/// Second.
pub type Time = Dim<Z0, Z0, P1, Z0>;
/// Ampere.
pub type Current = Dim<Z0, Z0, Z0, P1>;
/// Metre per second.
pub type Velocity = Dim<P1, Z0, N1, Z0>;
/// Metre per second squared.
pub type Acceleration = Dim<P1, Z0, N2, Z0>;
/// Radian per second.
pub type AngularVelocity = Dim<Z0, Z0, N1, Z0>;
/// Per second squared.
pub type AngularAcceleration = Dim<Z0, Z0, N2, Z0>;
/// Kilogram metre per second.
pub type Momentum = Dim<P1, P1, N1, Z0>;
/// Newton.
pub type Force = Dim<P1, P1, N2, Z0>;
/// Joule.
pub type Energy = Dim<P2, P1, N2, Z0>;
/// Coulomb.
pub type Charge = Dim<Z0, Z0, P1, P1>;
/// Volt per metre: newton per coulomb.
pub type ElectricField = Dim<P1, P1, super::exponent::N3, N1>;
/// Newton metre: the dimension of energy.
pub type Torque = Energy;
/// Watt.
pub type Power = Dim<P2, P1, super::exponent::N3, Z0>;
/// Kilogram square metre.
pub type Inertia = Dim<P2, P1, Z0, Z0>;
/// Kilogram square metre per second.
pub type AngularMomentum = Dim<P2, P1, N1, Z0>;
/// Newton per metre.
pub type Stiffness = Dim<Z0, P1, N2, Z0>;
/// Newton second per metre.
pub type DragCoefficient = Dim<Z0, P1, N1, Z0>;
/// Newton second squared per square metre: kilogram per metre.
pub type QuadraticDrag = Dim<N1, P1, Z0, Z0>;
/// Cubic metre per kilogram per second squared.
pub type GravitationalConstant = Dim<P3, N1, N2, Z0>;
/// Ampere square metre.
pub type MagneticMoment = Dim<P2, Z0, Z0, P1>;
/// Tesla.
pub type MagneticFlux = Dim<Z0, P1, N2, N1>;
