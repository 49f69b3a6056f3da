//! Modes about an equilibrium: δq = v exp(λt) with (λ² M + λ (C + G) + K) v = 0.
//!
//! With Cholesky's M = LLᵀ and y = Lᵀ δq the mass is 1. Without forces that depend on rates, and with a
//! potential, the problem is symmetric, K y = ω² y, and solved by Jacobi's rotations: accurate to rounding,
//! with real shapes. Otherwise the eigenvalues are those of the first-order form d/dt (y, ẏ) = (ẏ, −K y − (C
//! + G) ẏ), by Francis's steps (@golub2013).

use super::linearised::Linear;
use super::stability::{MatrixProperties, Stability};
use crate::Pool;
use crate::lagrange::equations::Equations;
use crate::lagrange::refusal::Refusal;
use gedanken_math::linalg::Complex;
use gedanken_math::linalg::DenseMatrix;
use gedanken_math::linalg::spectrum;
use gedanken_math::linalg::{backward_substitution, cholesky, diagonalise, forward_substitution};

/// Small motions about an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// M at the equilibrium, row by row.
    pub mass: Vec<Vec<f64>>,
    /// C, the symmetric part of −∂f/∂q̇: friction.
    pub damping: Vec<Vec<f64>>,
    /// G, the antisymmetric part: magnetic and Coriolis forces.
    pub gyroscopic: Vec<Vec<f64>>,
    /// K at the equilibrium, row by row.
    pub stiffness: Vec<Vec<f64>>,
    /// Modes: first those that grow, the fastest first; then by |λ|. A system without friction can run
    /// backwards, so that each mode that grows has a counterpart that decays in the same way. The counterpart
    /// is not listed, so there are as many modes as degrees of freedom.
    pub list: Vec<Mode>,
    /// Stability of the equilibrium.
    pub stability: Stability,
}

/// A mode: δq is the real part of shape · exp((growth + i frequency) t).
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Real part of λ, per unit of time: below zero, the mode decays.
    pub growth: f64,
    /// ω, the imaginary part of λ, in radians per unit of time; not negative.
    pub frequency: f64,
    /// Kind of motion.
    pub fate: Fate,
    /// Amplitude and phase of each coordinate, the largest being 1. It is complex where the coordinates do
    /// not pass through zero together: the angle is the phase lead of a coordinate.
    pub shape: Vec<Complex>,
}

/// Kind of motion of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Oscillates for ever.
    Oscillates,
    /// Oscillates and decays.
    Rings,
    /// Decays without oscillating.
    Decays,
    /// Stays where it is put.
    Stays,
    /// Drifts at a constant rate.
    Drifts,
    /// Grows without oscillating.
    Grows,
    /// Oscillates with growing amplitude.
    Flutters,
}

/// Rounding of ω² relative to the largest, and of a growth rate relative to the largest |λ|.
const RELATIVE_ROUNDING: f64 = 1e-12;

/// Smallest mass relative to the largest. Smaller ones are rounding; units may make masses and moments of
/// inertia very different.
const MIN_RELATIVE_MASS: f64 = 1e-24;

/// Difference of two eigenvalues, relative to |λ|, below which they count as one. Rounding splits a double
/// eigenvalue by the root of its own size.
const DOUBLE_EIGENVALUE_GAP: f64 = 1e-7;

impl Equations {
    /// Returns the modes about an equilibrium. `value` gives parameters, and the coordinates at the
    /// equilibrium.
    pub fn modes(&self, pool: &mut Pool, value: &dyn Fn(&str) -> f64) -> Result<Modes, Refusal> {
        let linear = self.linear(pool, value)?;
        let freedom = Freedom::of(&linear).ok_or_else(|| Refusal::NoRest {
            what: "the mass matrix is not positive at this point".to_owned(),
            way_out: "choose another point, or coordinates that are regular there",
        })?;
        let list = freedom.modes().ok_or_else(|| Refusal::NoRest {
            what: "the eigenvalues at this point cannot be found".to_owned(),
            way_out: "choose units in which all values are of similar size",
        })?;
        let stability = freedom.matrix_properties().stability(&list);
        let Linear { mass, rates, stiffness, .. } = &linear;
        Ok(Modes {
            mass: lists(mass.rows, |row, column| mass.at(row, column)),
            damping: lists(mass.rows, |row, column| 0.5 * (rates.at(row, column) + rates.at(column, row))),
            gyroscopic: lists(mass.rows, |row, column| 0.5 * (rates.at(row, column) - rates.at(column, row))),
            stiffness: lists(mass.rows, |row, column| stiffness.at(row, column)),
            list,
            stability,
        })
    }
}

impl Mode {
    /// Returns |λ|, the frequency of a single mode without friction.
    pub fn natural_frequency(&self) -> f64 {
        Complex::new(self.growth, self.frequency).size()
    }

    /// Returns Lehr's damping ratio −σ/|λ|: 0 without friction, 1 at critical damping, negative if the mode
    /// grows.
    pub fn damping_ratio(&self) -> Option<f64> {
        let size = self.natural_frequency();
        (size > 0.0).then(|| -self.growth / size)
    }

    /// Period of the oscillation.
    pub fn period(&self) -> Option<f64> {
        (self.frequency > 0.0).then(|| std::f64::consts::TAU / self.frequency)
    }

    /// Time in which the amplitude changes by the factor e.
    pub fn time_constant(&self) -> Option<f64> {
        (self.growth != 0.0).then(|| 1.0 / self.growth.abs())
    }
}

fn lists(size: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    // Adding 0 makes -0 positive.
    (0..size).map(|row| (0..size).map(|column| entry(row, column) + 0.0).collect()).collect()
}

/// Degrees of freedom that constraints leave, in coordinates y in which the mass is 1.
struct Freedom<'l> {
    linear: &'l Linear,
    /// L of the reduced mass.
    factor: DenseMatrix,
    rates: DenseMatrix,
    stiffness: DenseMatrix,
    /// `true` if all forces come from a potential or do no work.
    conservative: bool,
}

impl<'l> Freedom<'l> {
    /// Reduces the system; `None` if the mass is not positive.
    fn of(linear: &'l Linear) -> Option<Self> {
        let mass = linear.reduced(&linear.mass);
        // An angle that is no coordinate where it is: sin²(π) in numbers is not 0, but nearly.
        if (0..mass.rows).any(|it| mass.at(it, it) <= MIN_RELATIVE_MASS * mass.largest()) {
            return None;
        }
        let factor = cholesky(&mass)?;
        let unit = |matrix: &DenseMatrix| with_unit_mass(&factor, &linear.reduced(matrix));
        let (rates, stiffness) = (unit(&linear.rates), unit(&linear.stiffness));
        let is_friction = symmetry(&rates, 1.0) > RELATIVE_ROUNDING * rates.largest();
        let has_potential = symmetry(&stiffness, -1.0) <= 1e-9 * stiffness.largest();
        Some(Self { linear, factor, conservative: !is_friction && has_potential, rates, stiffness })
    }

    /// Returns the modes; `None` if numbers are too far apart, or the iteration does not converge.
    fn modes(&self) -> Option<Vec<Mode>> {
        if !(self.rates.largest() + self.stiffness.largest()).is_finite() {
            return None;
        }
        let mut list = if self.conservative && self.rates.largest() == 0.0 {
            self.of_potential()
        } else {
            self.of_first_order()?
        };
        let key = |it: &Mode| (it.growth.max(0.0), it.natural_frequency(), it.growth);
        list.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)).then(b.2.total_cmp(&a.2))
        });
        Some(list)
    }

    /// Returns the modes of K y = ω² y.
    fn of_potential(&self) -> Vec<Mode> {
        let (squares, vectors) = diagonalise(halved(&self.stiffness));
        let largest = squares.iter().fold(0.0_f64, |largest, it| largest.max(it.abs()));
        let one = |(&square, vector): (&f64, &Vec<f64>)| {
            let (growth, frequency, fate) = match square {
                it if it.abs() <= RELATIVE_ROUNDING * largest => (0.0, 0.0, Fate::Drifts),
                it if it > 0.0 => (0.0, it.sqrt(), Fate::Oscillates),
                it => ((-it).sqrt(), 0.0, Fate::Grows),
            };
            Mode { growth, frequency, fate, shape: self.shape(&complex(vector)) }
        };
        squares.iter().zip(&vectors).map(one).collect()
    }

    /// Returns the modes of (y, ẏ)˙ = (ẏ, −K y − (C + G) ẏ), with time in units in which the largest entries
    /// are about 1.
    fn of_first_order(&self) -> Option<Vec<Mode>> {
        let n = self.factor.rows;
        let pace = self.rates.largest().max(self.stiffness.largest().sqrt());
        let entry = |row: usize, column: usize| match (row < n, column < n) {
            (true, true) => 0.0,
            (true, false) => f64::from(u8::from(row == column - n)),
            (false, true) => -self.stiffness.at(row - n, column) / pace / pace,
            (false, false) => -self.rates.at(row - n, column - n) / pace,
        };
        let found = spectrum(&DenseMatrix::from_fn(2 * n, 2 * n, entry))?;
        let mut list = Vec::new();
        for (all, fate) in [(&found.staying, Fate::Stays), (&found.drifting, Fate::Drifts)] {
            for direction in all {
                let shape = self.shape(&complex(&direction[..n]));
                list.push(Mode { growth: 0.0, frequency: 0.0, fate, shape });
            }
        }
        let fastest = found.pairs.iter().fold(0.0_f64, |largest, it| largest.max(it.0.size()));
        for (value, vector) in &found.pairs {
            let meeting = if self.conservative { DOUBLE_EIGENVALUE_GAP * value.size() } else { 0.0 };
            let growth = if value.re.abs() <= RELATIVE_ROUNDING * fastest + meeting { 0.0 } else { value.re };
            let meets = value.im != 0.0 && growth != 0.0 && value.im <= DOUBLE_EIGENVALUE_GAP * value.size();
            let frequency = if meets { 0.0 } else { value.im };
            if self.conservative && growth < 0.0 {
                continue;
            }
            let fate = match (growth, frequency) {
                (growth, 0.0) if growth > 0.0 => Fate::Grows,
                (growth, 0.0) if growth < 0.0 => Fate::Decays,
                (_, 0.0) => Fate::Stays,
                (growth, _) if growth > 0.0 => Fate::Flutters,
                (growth, _) if growth < 0.0 => Fate::Rings,
                _ => Fate::Oscillates,
            };
            let shape = self.shape(&vector[..n]);
            let mode = Mode { growth: growth * pace, frequency: frequency * pace, fate, shape };
            if meets {
                list.push(mode.clone());
            }
            list.push(mode);
        }
        Some(list)
    }

    /// Returns δq = N L⁻ᵀ y, scaled so that its largest coordinate is 1.
    fn shape(&self, y: &[Complex]) -> Vec<Complex> {
        let part = |part: fn(&Complex) -> f64| {
            let along = backward_substitution(&self.factor, &y.iter().map(part).collect::<Vec<f64>>());
            let mut all = vec![0.0; self.linear.mass.rows];
            for (scale, direction) in along.iter().zip(&self.linear.freedom) {
                all.iter_mut().zip(direction).for_each(|(it, part)| *it += scale * part);
            }
            all
        };
        let (re, im) = (part(|it| it.re), part(|it| it.im));
        let shape: Vec<Complex> = re.into_iter().zip(im).map(|(re, im)| Complex::new(re, im)).collect();
        let top = shape.iter().fold(Complex::default(), |top, &it| {
            if it.size() > top.size() * (1.0 + 1e-9) { it } else { top }
        });
        // Rounding beside 1 is set to 0, so that shapes of modes that pass through zero together are real.
        let clean = |it: f64| if it.abs() <= 1e-14 { 0.0 } else { it };
        let ratio = |it: Complex| it / top;
        shape.into_iter().map(ratio).map(|it| Complex::new(clean(it.re), clean(it.im))).collect()
    }

    fn matrix_properties(&self) -> MatrixProperties {
        let least = |matrix: &DenseMatrix| {
            let (values, _) = diagonalise(halved(matrix));
            values.into_iter().fold(f64::INFINITY, f64::min)
        };
        let has_potential = symmetry(&self.stiffness, -1.0) <= 1e-9 * self.stiffness.largest();
        let is_friction = least(&self.rates) >= -RELATIVE_ROUNDING * self.rates.largest();
        MatrixProperties {
            is_minimum: has_potential
                && is_friction
                && least(&self.stiffness) > RELATIVE_ROUNDING * self.stiffness.largest(),
            is_gyroscopic: symmetry(&self.rates, -1.0) > RELATIVE_ROUNDING * self.rates.largest(),
        }
    }
}

fn complex(vector: &[f64]) -> Vec<Complex> {
    vector.iter().map(|&it| it.into()).collect()
}

/// Returns (X + Xᵀ) / 2.
fn halved(matrix: &DenseMatrix) -> DenseMatrix {
    let n = matrix.rows;
    DenseMatrix::from_fn(n, n, |row, column| 0.5 * (matrix.at(row, column) + matrix.at(column, row)))
}

/// Returns the largest entry of X + sign · Xᵀ.
fn symmetry(matrix: &DenseMatrix, sign: f64) -> f64 {
    let n = matrix.rows;
    DenseMatrix::from_fn(n, n, |row, column| matrix.at(row, column) + sign * matrix.at(column, row)).largest()
}

/// Returns L⁻¹ X L⁻ᵀ, column by column and then row by row.
fn with_unit_mass(factor: &DenseMatrix, matrix: &DenseMatrix) -> DenseMatrix {
    let size = matrix.rows;
    let columns: Vec<Vec<f64>> = (0..size)
        .map(|column| {
            forward_substitution(factor, &(0..size).map(|row| matrix.at(row, column)).collect::<Vec<f64>>())
        })
        .collect();
    let rows: Vec<Vec<f64>> = (0..size)
        .map(|row| forward_substitution(factor, &columns.iter().map(|it| it[row]).collect::<Vec<f64>>()))
        .collect();
    DenseMatrix::from_fn(size, size, |row, column| rows[row][column])
}
