//! Eligibility for an impact: a pair that can bounce is settled by the contact solver, or by an impact that
//! is located inside the step. The narrow phase asks here, and the impacts look at every pair that it left
//! out, so that each pair has exactly one owner.

use crate::world::material::{Combination, Material};
use crate::world::settings::Settings;

/// A pair that did not rest before comes to rest below this part of the speed that a step of free fall makes.
const STILL_RATIO: f64 = 0.25;

/// A relative acceleration below this part of both accelerations presses nothing: it is what is left of
/// balanced ones.
pub(crate) const BALANCED_RATIO: f64 = 1e-6;

/// State of a pair at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairState {
    /// `true` if the materials can bounce at all.
    pub(crate) bounces: bool,
    /// `true` if the bodies are fast.
    pub(crate) fast: bool,
    /// `true` if the bodies pressed on each other in the last step.
    pub(crate) pressed: bool,
    /// `true` if anything presses them together now: the laws pull them so, or one of them is held by others.
    pub(crate) pushed: bool,
    /// The smallest gap of all points.
    pub(crate) gap: f64,
    /// The largest normal speed, closing or parting, of the points whose gap is at most the slop; of fast
    /// bodies that of their centres too.
    pub(crate) speed: f64,
    /// The larger acceleration along the normal that the laws give the bodies, m/s².
    pub(crate) pull: f64,
    /// The speed that the normal impulses of the last step could stop.
    pub(crate) stopped: f64,
}

impl PairState {
    /// Returns `true` if the pair is left to [`super::rule`]: it can bounce or is fast, and does not lie
    /// still.
    ///
    /// A pair that lies still stays so up to the speed that it takes up when its contact is missed for a
    /// step, or that its impulse can stop (so impacts in a crowd hand pairs over: `handover`). Another one
    /// must have been stopped by an impact before, which leaves it with no gap and no speed, and must have a
    /// reason to stay: two balls that fall side by side are two free balls. Fast ones that cannot bounce need
    /// no reason.
    pub(crate) fn is_located(&self, settings: &Settings, h: f64) -> bool {
        let stays = self.is_near(settings, h) && (self.pressed || self.pushed || !self.bounces);
        (self.bounces || self.fast) && !stays
    }

    /// Returns `true` if the pair lies still, and all that is missing is something that presses it together.
    pub(crate) fn is_loose(&self, settings: &Settings, h: f64) -> bool {
        self.bounces && self.is_near(settings, h) && !self.pressed && !self.pushed
    }

    fn is_near(&self, settings: &Settings, h: f64) -> bool {
        let fall = self.pull * h;
        let (gap, speed) = if self.pressed {
            (settings.slop, fall.max(2.0 * self.stopped))
        } else {
            (10.0 * settings.touch, STILL_RATIO * fall)
        };
        self.gap <= gap && self.speed <= settings.rest_speed.max(speed)
    }
}

/// Returns `true` if these materials can bounce off each other.
pub(crate) fn may_bounce(rule: Combination, one: &Material, two: &Material) -> bool {
    let zeros = [one.restitution.is_zero(), two.restitution.is_zero()];
    match rule {
        Combination::ArithmeticMean | Combination::Larger => !(zeros[0] && zeros[1]),
        Combination::GeometricMean | Combination::Smaller | Combination::Product => !zeros[0] && !zeros[1],
    }
}
