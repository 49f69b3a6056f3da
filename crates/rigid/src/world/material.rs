//! Materials: how surfaces bounce and rub, as numbers or as curves of speed, and how two of them combine.
//!
//! Restitution e is Newton's: the relative normal velocity after an impact is -e times the one before.
//! Friction μ is Coulomb's, a circular cone: |f_t| ≤ μ f_n. A curve makes e a function of the approach speed
//! and μ one of the sliding speed.

use super::error::RigidError;
use std::fmt;
use std::sync::Arc;

/// A coefficient: a number, or a function of a speed in m/s.
#[derive(Clone)]
pub enum Curve {
    /// The same at all speeds.
    Constant(f64),
    /// A function of the speed. What it returns is checked where it is used: it must be finite and not
    /// negative.
    OfSpeed(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl Curve {
    /// A function of the speed.
    pub fn of_speed(function: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self::OfSpeed(Arc::new(function))
    }

    /// The coefficient at this speed (m/s, not negative).
    #[must_use]
    pub fn at(&self, speed: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::OfSpeed(function) => function(speed),
        }
    }

    /// Returns `true` if it is zero at all speeds.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Constant(value) if *value == 0.0)
    }
}

impl fmt::Debug for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "{value}"),
            Self::OfSpeed(_) => f.write_str("a curve of speed"),
        }
    }
}

impl From<f64> for Curve {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

/// Rule by which the coefficients of two surfaces combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combination {
    /// √(a b): zero if either is zero, the common value if they are equal.
    #[default]
    GeometricMean,
    /// (a + b)/2.
    ArithmeticMean,
    /// The smaller one.
    Smaller,
    /// The larger one.
    Larger,
    /// a b.
    Product,
}

impl Combination {
    /// Every rule with the name that experiments write.
    pub const ALL: [(&'static str, Combination); 5] = [
        ("geometric mean", Self::GeometricMean),
        ("arithmetic mean", Self::ArithmeticMean),
        ("smaller", Self::Smaller),
        ("larger", Self::Larger),
        ("product", Self::Product),
    ];

    /// The rule of this name.
    pub fn by_name(name: &str) -> Result<Self, RigidError> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, rule)| rule).ok_or_else(|| {
            RigidError::Unknown {
                what: "combination rule",
                name: name.to_owned(),
                known: Self::ALL.map(|(name, _)| name).join(", "),
            }
        })
    }

    /// The coefficient of two surfaces.
    #[must_use]
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::GeometricMean => (a * b).sqrt(),
            Self::ArithmeticMean => 0.5 * (a + b),
            Self::Smaller => a.min(b),
            Self::Larger => a.max(b),
            Self::Product => a * b,
        }
    }
}

/// Restitution and friction of a surface.
#[derive(Debug, Clone)]
pub struct Material {
    /// The name.
    pub name: String,
    /// Newton's coefficient of restitution, 0 to 1, as a function of the approach speed.
    pub restitution: Curve,
    /// Coulomb's coefficient of friction, as a function of the sliding speed.
    pub friction: Curve,
}

impl Material {
    /// A material, checked: 0 ≤ e ≤ 1, μ ≥ 0.
    pub fn new(
        name: impl Into<String>,
        restitution: impl Into<Curve>,
        friction: impl Into<Curve>,
    ) -> Result<Self, RigidError> {
        let (name, restitution, friction) = (name.into(), restitution.into(), friction.into());
        let refused = |what: &'static str, value: f64, reason: &'static str| RigidError::BadNumber {
            what,
            of: name.clone(),
            value: value.to_string(),
            reason,
        };
        if let Curve::Constant(e) = restitution
            && !(0.0..=1.0).contains(&e)
        {
            return Err(refused("restitution", e, "it is between 0 (no rebound) and 1 (no loss)"));
        }
        if let Curve::Constant(mu) = friction
            && !(mu >= 0.0 && mu.is_finite())
        {
            return Err(refused("friction", mu, "it is zero or positive"));
        }
        Ok(Self { name, restitution, friction })
    }
}
