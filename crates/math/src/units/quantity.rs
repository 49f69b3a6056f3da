//! A value with its dimension: [`Quantity`], and its vector form [`Vector`].

use super::dimension::{Dimension, Half, Over, Times};
use crate::Vec3;
use bytemuck::TransparentWrapper;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A `T` in SI units whose dimension is `D`. The dimension is gone when the program runs.
#[repr(transparent)]
#[derive(TransparentWrapper)]
#[transparent(T)]
pub struct Quantity<D, T = f64> {
    value: T,
    dimension: PhantomData<D>,
}

/// A vector of three components of dimension `D`.
pub type Vector<D> = Quantity<D, Vec3>;

impl<D, T> Quantity<D, T> {
    /// The quantity whose value in SI units is `value`.
    pub const fn new(value: T) -> Self {
        Self { value, dimension: PhantomData }
    }

    /// The value in SI units.
    pub fn si(self) -> T {
        self.value
    }

    /// Reads bare SI values as quantities, in place.
    pub fn from_si_slice(values: &[T]) -> &[Self] {
        Self::wrap_slice(values)
    }

    /// Reads bare SI values as quantities, in place and mutable.
    pub fn from_si_slice_mut(values: &mut [T]) -> &mut [Self] {
        Self::wrap_slice_mut(values)
    }
}

impl<D> Quantity<D, f64> {
    /// The magnitude.
    #[must_use]
    pub fn abs(self) -> Self {
        Self::new(self.value.abs())
    }

    /// The square root, of half the dimension.
    pub fn sqrt(self) -> Quantity<D::Root>
    where
        D: Half,
    {
        Quantity::new(self.value.sqrt())
    }
}

impl<D> Quantity<D, Vec3> {
    /// The vector with these components in SI units.
    pub const fn xyz(x: f64, y: f64, z: f64) -> Self {
        Self::new(Vec3::new(x, y, z))
    }

    /// The length of the vector.
    pub fn length(self) -> Quantity<D> {
        Quantity::new(self.value.length())
    }

    /// The inner product.
    pub fn dot<E>(self, other: Vector<E>) -> Quantity<D::Product>
    where
        D: Times<E>,
    {
        Quantity::new(self.value.dot(other.value))
    }

    /// The cross product.
    pub fn cross<E>(self, other: Vector<E>) -> Vector<D::Product>
    where
        D: Times<E>,
    {
        Quantity::new(self.value.cross(other.value))
    }
}

impl<D, T: Copy> Copy for Quantity<D, T> {}
impl<D, T: Copy> Clone for Quantity<D, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, T: Default> Default for Quantity<D, T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
impl<D, T: PartialEq> PartialEq for Quantity<D, T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}
impl<D, T: PartialOrd> PartialOrd for Quantity<D, T> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<D, T: Add<Output = T>> Add for Quantity<D, T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.value + other.value)
    }
}
impl<D, T: Sub<Output = T>> Sub for Quantity<D, T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.value - other.value)
    }
}
impl<D, T: Neg<Output = T>> Neg for Quantity<D, T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.value)
    }
}
impl<D, T: AddAssign> AddAssign for Quantity<D, T> {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
    }
}
impl<D, T: SubAssign> SubAssign for Quantity<D, T> {
    fn sub_assign(&mut self, other: Self) {
        self.value -= other.value;
    }
}
impl<D, T: MulAssign<f64>> MulAssign<f64> for Quantity<D, T> {
    fn mul_assign(&mut self, factor: f64) {
        self.value *= factor;
    }
}
impl<D, T: DivAssign<f64>> DivAssign<f64> for Quantity<D, T> {
    fn div_assign(&mut self, divisor: f64) {
        self.value /= divisor;
    }
}

impl<D, T: Mul<f64, Output = T>> Mul<f64> for Quantity<D, T> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.value * factor)
    }
}
impl<D, T: Div<f64, Output = T>> Div<f64> for Quantity<D, T> {
    type Output = Self;
    fn div(self, divisor: f64) -> Self {
        Self::new(self.value / divisor)
    }
}
impl<D, T> Mul<Quantity<D, T>> for f64
where
    f64: Mul<T, Output = T>,
{
    type Output = Quantity<D, T>;
    fn mul(self, quantity: Quantity<D, T>) -> Quantity<D, T> {
        Quantity::new(self * quantity.value)
    }
}
impl<D> Mul<Quantity<D>> for Vec3 {
    type Output = Vector<D>;
    fn mul(self, unit: Quantity<D>) -> Vector<D> {
        Quantity::new(self * unit.value)
    }
}

impl<D: Times<E>, E, T: Mul<f64, Output = T>> Mul<Quantity<E>> for Quantity<D, T> {
    type Output = Quantity<D::Product, T>;
    fn mul(self, other: Quantity<E>) -> Self::Output {
        Quantity::new(self.value * other.value)
    }
}
impl<D: Times<E>, E> Mul<Vector<E>> for Quantity<D> {
    type Output = Vector<D::Product>;
    fn mul(self, other: Vector<E>) -> Self::Output {
        Quantity::new(self.value * other.value)
    }
}
impl<D: Over<E>, E, T: Div<f64, Output = T>> Div<Quantity<E>> for Quantity<D, T> {
    type Output = Quantity<D::Quotient, T>;
    fn div(self, other: Quantity<E>) -> Self::Output {
        Quantity::new(self.value / other.value)
    }
}

impl<D: Dimension, T: fmt::Debug> fmt::Debug for Quantity<D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value)?;
        write_unit(f, D::EXPONENTS)
    }
}
/// The value, then the unit in base units: `19.62 kg·m/s²`.
impl<D: Dimension, T: fmt::Display> fmt::Display for Quantity<D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        write_unit(f, D::EXPONENTS)
    }
}

/// Writes ` kg·m/s²` for the exponents of metre, kilogram, second, ampere; nothing for a plain number.
fn write_unit(f: &mut fmt::Formatter<'_>, [m, kg, s, a]: [i8; 4]) -> fmt::Result {
    let units = [("kg", kg), ("m", m), ("s", s), ("A", a)];
    if units.iter().all(|(_, n)| *n == 0) {
        return Ok(());
    }
    let mut separator = " ";
    for (name, n) in units.iter().filter(|(_, n)| *n > 0) {
        write!(f, "{separator}{name}{}", superscript(*n))?;
        separator = "·";
    }
    if separator == " " {
        write!(f, " 1")?;
    }
    for (name, n) in units.iter().filter(|(_, n)| *n < 0) {
        write!(f, "/{name}{}", superscript(-n))?;
    }
    Ok(())
}

fn superscript(n: i8) -> String {
    let digit = |d: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize - '0' as usize).unwrap_or(d);
    if n == 1 { String::new() } else { n.to_string().chars().map(digit).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::Vec3;

    #[test]
    fn vectors_have_dimensions_too() {
        let r = Vec3::new(0.0, 2.0, 0.0) * METRE;
        let f: Vector<Force> = Quantity::new(Vec3::new(3.0, 0.0, 0.0));
        let torque: Vector<Torque> = r.cross(f);
        assert_eq!(torque.si(), Vec3::new(0.0, 0.0, -6.0));
        let work: Quantity<Energy> = f.dot(r + r);
        assert_eq!(work.si(), 0.0);
        let v: Vector<Velocity> = r / (4.0 * SECOND);
        assert_eq!(v.length().si(), 0.5);
    }

    #[test]
    fn units_print_as_a_physicist_writes_them() {
        assert_eq!((2.0 * METRE / SECOND).to_string(), "2 m/s");
        assert_eq!(Quantity::<GravitationalConstant>::new(6.5).to_string(), "6.5 m³/kg/s²");
        assert_eq!((1.0 / 4.0 * (SECOND / SECOND)).to_string(), "0.25");
        assert_eq!(Quantity::<AngularVelocity>::new(3.0).to_string(), "3 1/s");
        assert_eq!((9.0 * METRE * METRE).sqrt().to_string(), "3 m");
    }

    #[test]
    fn a_quantity_is_as_large_as_its_value() {
        assert_eq!(size_of::<Vector<Force>>(), size_of::<Vec3>());
        assert_eq!(align_of::<Vector<Force>>(), align_of::<Vec3>());
    }
}
