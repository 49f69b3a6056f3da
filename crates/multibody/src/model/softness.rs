//! Softness of a constraint: how it pulls back ([`Reference`]) and how firmly ([`Impedance`]).
//!
//! Where a constraint is off by r and changes at the rate ṙ = J v, it asks for the acceleration
//! a_ref = −b ṙ − k d(r) r, and gets a share d(r) of what it asks for: d = 1 would be rigid, d = 0 nothing.

/// The spring and the damper by which a constraint pulls back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference {
    /// A damped oscillator: b = 2 / (d₁ T), k = 1 / (d₁² T² ζ²).
    Oscillator {
        /// Time constant T, in s.
        time_constant: f64,
        /// Damping ratio ζ; 1 is critical.
        damping_ratio: f64,
    },
    /// Stiffness and damping as they are: k = s / d₁², b = c / d₁.
    Direct {
        /// Stiffness s, in 1/s².
        stiffness: f64,
        /// Damping c, in 1/s.
        damping: f64,
    },
}

/// The curve d(r) of impedance against violation, with its five numbers.
///
/// d rises from `start` at r = 0 to `end` at |r| = `width`, as two arcs of degree `power` that join at
/// `midpoint` of the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impedance {
    /// d₀, at no violation.
    pub start: f64,
    /// d₁, at a violation of `width` and beyond.
    pub end: f64,
    /// Violation at which `end` is reached.
    pub width: f64,
    /// Where the two arcs meet, as a share of the width.
    pub midpoint: f64,
    /// Degree of the arcs, at least 1.
    pub power: f64,
}

/// Softness of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Softness {
    /// How the constraint pulls back.
    pub reference: Reference,
    /// How firmly.
    pub impedance: Impedance,
}

impl Reference {
    /// MuJoCo's default: 0.02 s, critically damped.
    pub const MUJOCO: Reference = Reference::Oscillator { time_constant: 0.02, damping_ratio: 1.0 };

    /// Reads MuJoCo's two numbers `solref`: two positive ones are time constant and damping ratio, two others
    /// are −stiffness and −damping; one of each means the default.
    #[must_use]
    pub fn from_solref([first, second]: [f64; 2]) -> Self {
        if (first > 0.0) != (second > 0.0) {
            Reference::MUJOCO
        } else if first > 0.0 {
            Reference::Oscillator { time_constant: first, damping_ratio: second }
        } else {
            Reference::Direct { stiffness: -first, damping: -second }
        }
    }

    /// The reference of a contact's tangents from the two numbers of MuJoCo's `solreffriction`; none, so that they follow
    /// the normal, if both are zero or only one is positive. MuJoCo 4.0.0 does so, other than with `solref`.
    #[must_use]
    pub fn from_solreffriction(numbers: [f64; 2]) -> Option<Self> {
        let [first, second] = numbers;
        let is_mixed = (first > 0.0) != (second > 0.0);
        (!is_mixed && numbers != [0.0, 0.0]).then(|| Self::from_solref(numbers))
    }

    /// The two numbers as MuJoCo writes them.
    #[must_use]
    pub fn to_solref(self) -> [f64; 2] {
        match self {
            Reference::Oscillator { time_constant, damping_ratio } => [time_constant, damping_ratio],
            Reference::Direct { stiffness, damping } => [-stiffness, -damping],
        }
    }
}

impl Impedance {
    /// MuJoCo's default.
    pub const MUJOCO: Impedance =
        Impedance { start: 0.9, end: 0.95, width: 0.001, midpoint: 0.5, power: 2.0 };

    /// Reads MuJoCo's five numbers `solimp`.
    #[must_use]
    pub const fn from_solimp([start, end, width, midpoint, power]: [f64; 5]) -> Self {
        Self { start, end, width, midpoint, power }
    }

    /// The five numbers in their order.
    #[must_use]
    pub const fn to_solimp(self) -> [f64; 5] {
        [self.start, self.end, self.width, self.midpoint, self.power]
    }
}

impl Softness {
    /// MuJoCo's default.
    pub const MUJOCO: Softness = Softness { reference: Reference::MUJOCO, impedance: Impedance::MUJOCO };
}

impl Default for Softness {
    fn default() -> Self {
        Self::MUJOCO
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn tangents_have_a_reference_of_their_own_where_mujoco_gives_them_one() {
        // Measured with MuJoCo 4.0.0: `None` where the damping of tangents was that of `solref`.
        for numbers in [[0.0, 0.0], [0.03, 0.0], [0.0, 1.5], [0.03, -5.0], [-100.0, 1.0]] {
            assert_eq!(Reference::from_solreffriction(numbers), None, "{numbers:?}");
        }
        for numbers in [[0.03, 1.5], [-100.0, -5.0], [-100.0, 0.0], [0.0, -5.0]] {
            let found = Reference::from_solreffriction(numbers);
            assert_eq!(found, Some(Reference::from_solref(numbers)), "{numbers:?}");
        }
    }
}
