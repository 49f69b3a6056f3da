//! The search for the middle of a kick: which velocities are tried, and when they are accepted.

use crate::core::attribute::Life;
use crate::core::table::Table;
use gedanken_math::Twist;

/// Corrections after which a kick is made explicitly: Newton's method needs two or three, an iteration that
/// halves its error fifty.
pub(super) const MAX_CORRECTIONS: u32 = 60;
/// Relative gap that is rounding of the sums.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Relative gap below which one that no longer shrinks is rounding of the laws.
const ROUNDING_OF_LAWS: f64 = 1e-11;
/// Relative gap below which the best middle is taken where none is found: forces that are sums of large parts may
/// be rounded more.
const ACCEPTED: f64 = 1e-6;
/// Speed whose gap counts as that of a body at rest, m/s and rad/s.
const UNSEEN_SPEED: f64 = 1e-6;
/// The smallest part of a correction that is tried.
const MIN_SHARE: f64 = 1e-4;

/// The middle v½ of a kick, for all bodies by row, while it is sought.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KickSearch {
    start: Vec<Twist>,
    middle: Vec<Twist>,
    /// The middle with the smallest gap so far, that gap, and the correction there.
    best: Vec<Twist>,
    best_gap: f64,
    correction: Vec<Twist>,
    /// The part of the correction that is tried.
    share: f64,
    rounds: u32,
    /// `true` if the middle at hand is the last one.
    is_last: bool,
    explicit_kicks: u32,
}

impl Table for KickSearch {
    const NAME: &'static str = "kick search";
    const LIFE: Life = Life::Step;
}

impl KickSearch {
    /// Begins a step: no kick has been made explicitly yet.
    pub fn begin_step(&mut self) {
        self.explicit_kicks = 0;
    }

    /// Begins a kick at these velocities, which are tried first as the middle.
    pub fn begin(&mut self, start: impl Iterator<Item = Twist>) {
        self.start.clear();
        self.start.extend(start);
        self.middle.clone_from(&self.start);
        (self.best_gap, self.share, self.rounds, self.is_last) = (f64::INFINITY, 1.0, 0, false);
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.start.len()
    }

    /// Velocity of a row at the start of the kick.
    #[must_use]
    pub fn start(&self, row: usize) -> Twist {
        self.start[row]
    }

    /// Velocity of a row at which the laws are asked next.
    #[must_use]
    pub fn middle(&self, row: usize) -> Twist {
        self.middle[row]
    }

    /// Number of kicks of this step for which no middle was found.
    #[must_use]
    pub fn explicit_kicks(&self) -> u32 {
        self.explicit_kicks
    }

    /// Takes the velocities to which the forces at the middle lead. Returns `true` if the middle is found: then
    /// the kick is made from the start with these forces. Otherwise there is another middle to ask the laws at;
    /// `correct` makes a correction of v½ out of the gap (v + v′)/2 - v½. Gaps are weighed by mass and moment of
    /// inertia.
    ///
    /// Where no middle is found, as for a force that jumps, the start is taken for it.
    pub fn advance(
        &mut self,
        ends: &[Twist],
        weights: impl Fn(usize) -> [f64; 2],
        correct: impl FnOnce(&[Twist], &mut [Twist]),
    ) -> bool {
        if self.is_last {
            return true;
        }
        let rows = || self.start.iter().zip(ends).zip(&self.middle);
        let gaps = rows()
            .enumerate()
            .map(|(row, ((start, end), middle))| relative_gap(*start, *end, *middle, weights(row)));
        let gap = gaps.fold(0.0_f64, |most, gap| if gap >= most || gap.is_nan() { gap } else { most });
        let is_floor = self.rounds > 0 && gap <= ROUNDING_OF_LAWS && gap >= 0.25 * self.best_gap;
        if gap <= ROUNDING || is_floor {
            return true;
        }
        self.rounds += 1;
        if gap < self.best_gap {
            self.correction.clear();
            let gaps = rows().map(|((start, end), middle)| (*start + *end) * 0.5 - *middle);
            self.correction.extend(gaps);
            correct(&self.middle, &mut self.correction);
            self.best.clone_from(&self.middle);
            (self.best_gap, self.share) = (gap, 1.0);
        } else {
            self.share *= 0.5;
        }
        if self.rounds > MAX_CORRECTIONS || self.share < MIN_SHARE {
            self.is_last = true;
            let is_accepted = self.best_gap <= ACCEPTED;
            self.explicit_kicks += u32::from(!is_accepted);
            self.middle.clone_from(if is_accepted { &self.best } else { &self.start });
            return false;
        }
        for ((middle, best), correction) in self.middle.iter_mut().zip(&self.best).zip(&self.correction) {
            *middle = *best + *correction * self.share;
        }
        false
    }
}

/// The gap of one body as a part of its motion, both measured as the root of twice an energy.
fn relative_gap(start: Twist, end: Twist, middle: Twist, [mass, moment]: [f64; 2]) -> f64 {
    let gap = (start + end) * 0.5 - middle;
    if gap == Twist::ZERO {
        return 0.0;
    }
    let linear = start.linear.length() + end.linear.length() + UNSEEN_SPEED;
    let angular = start.angular.length() + end.angular.length() + UNSEEN_SPEED;
    let part = mass * gap.linear.length_squared() + moment * gap.angular.length_squared();
    (part / (mass * linear * linear + moment * angular * angular)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_math::Vec3;

    /// A kick of one body on a line by F(v)/m = f(v), with Newton's corrections; the end, and how many rounds.
    fn kick(v: f64, h: f64, f: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> (f64, u32, u32) {
        let mut search = KickSearch::default();
        search.begin_step();
        search.begin([Twist::new(Vec3::X * v, Vec3::ZERO)].into_iter());
        for round in 1..=super::super::MAX_ROUNDS {
            let end = v + h * f(search.middle(0).linear.x);
            let ends = [Twist::new(Vec3::X * end, Vec3::ZERO)];
            let found = search.advance(
                &ends,
                |_| [1.0, 0.0],
                |middle, gap| {
                    gap[0] = gap[0] * (1.0 / (1.0 - 0.5 * h * slope(middle[0].linear.x)));
                },
            );
            if found {
                return (end, round, search.explicit_kicks());
            }
        }
        panic!("a kick ends within its rounds")
    }

    #[test]
    fn a_linear_force_takes_one_correction_however_stiff() {
        for c in [0.1, 2.5, 1e6] {
            let (end, rounds, _) = kick(3.0, 1.0, |v| -c * v, |_| -c);
            assert!((end - 3.0 * (1.0 - 0.5 * c) / (1.0 + 0.5 * c)).abs() < 1e-9, "{end}");
            assert!(rounds <= 3, "{rounds} rounds");
        }
    }

    #[test]
    fn there_and_back_is_the_same() {
        let (f, slope) = (|v: f64| -0.3 * v * v.abs() + 0.2, |v: f64| -0.6 * v.abs());
        let (there, _, _) = kick(2.0, 0.5, f, slope);
        let (back, _, _) = kick(there, -0.5, f, slope);
        assert!((back - 2.0).abs() < 1e-14, "{back}");
    }

    #[test]
    fn where_there_is_no_middle_the_kick_is_explicit() {
        // Friction that stops the body within the kick: the force jumps at v = 0.
        let (end, _, explicit) = kick(0.1, 1.0, |v| if v > 0.0 { -1.0 } else { 1.0 }, |_| 0.0);
        assert_eq!((end, explicit), (0.1 - 1.0, 1));
    }
}
