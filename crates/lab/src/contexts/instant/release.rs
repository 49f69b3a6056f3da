//! Release: when two objects in contact come apart.
//!
//! A contact holds as long as it is needed: as long as the two would not separate if they were let go. So at an
//! instant t both are put in free fall from the state that their contact laws have led to, and the gap g of
//! that fall decides. Its rate r = g′ is exact, from the derivatives of the laws, and so is its rate r′ at the
//! start, up to the square of a short time h:
//!
//! ```text
//! r′(0) ≈ (−3 r(0) + 4 r(h) − r(2h)) / 2h
//! ```
//!
//! Free fall throws them apart if r and r′ are positive, and presses them together if they are negative. If r
//! is positive and r′ negative, it is a jump of the height r² / −2r′, which counts if it is higher than the
//! touch band η: a lower one is rest. With the signs the other way round they press first and then part, to
//! the same depth. All four are one condition:
//!
//! ```text
//! r |r| + 2 η r′ > 0
//! ```
//!
//! In both cases they must also leave the band within a frame: a slower separation is rest.
//!
//! The gap itself says little. A ball that slides off a dome leaves it with r = r′ = 0, and its gap grows with
//! the third power of time: it leaves a band of η only after η^(1/3), a ten-thousandth of a second. And a
//! contact law that keeps a trace of the speed of the last bounce carries its object out of the band slowly,
//! though free fall would bring it back at once. So a gap alone ends a contact only if it shows, at
//! [`MAX_HELD_GAP`] of the smaller object.
//!
//! Where an edge comes into play within the short time, r jumps and its differences say nothing. Then r alone
//! decides: a box that slides over the edge of a table is released when it is off it, not before.
//!
//! An object that others hold too is not let go for one of them: a ball on a brick on the floor is let go
//! alone.

use super::super::Engine;
use super::super::ids::ActorId;
use super::closing::APPROACH_NOISE;
use crate::run::options::Stop;

/// Largest gap in contact, relative to the size of the smaller object.
const MAX_HELD_GAP: f64 = 1e-4;
/// Time h of the probe, relative to a frame.
const PROBE_TIME: f64 = 1.0 / 1024.0;
/// Second difference of the rates of a probe, relative to the speed of the surfaces, above which a rate has
/// jumped. That of a smooth motion goes with the square of the time of the probe.
const MAX_BEND: f64 = 0.01;
/// Error of an integrated speed, in units of the tolerance.
const TOLERANCE_ERRORS: f64 = 10.0;

/// Rate of a gap.
#[derive(Clone, Copy, Debug)]
struct Opening {
    rate: f64,
    /// Relative speed of the surfaces.
    speed: f64,
    /// Speeds of which these are differences.
    scale: f64,
}

impl Engine<'_> {
    /// Returns `true` if two objects in contact come apart at `t`.
    pub(in crate::contexts) fn is_released(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<bool, Stop> {
        let band = self.search.bonds.link(a, b).map_or(0.0, |it| it.band);
        let size = self.world.size(a).min(self.world.size(b));
        if self.gap(a, b, t)? > band.max(MAX_HELD_GAP * size) {
            return Ok(true);
        }
        let falls = |it: ActorId| !self.world.layout.is_static[it];
        let alone =
            |it: ActorId, other: ActorId| falls(it) && !self.search.bonds.is_held_by_others(it, other);
        // What others hold stays where it is, unless both are held: then each is let go in its turn.
        let let_go: Vec<Vec<ActorId>> = match [alone(a, b), alone(b, a)] {
            [true, true] => vec![vec![a, b]],
            [true, false] => vec![vec![a]],
            [false, true] => vec![vec![b]],
            [false, false] => [a, b].into_iter().filter(|&it| falls(it)).map(|it| vec![it]).collect(),
        };
        for free in let_go {
            if !self.part_in_free_fall(a, b, &free, t, band)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns `true` if two objects of which some are let go at `t` come apart.
    fn part_in_free_fall(
        &mut self,
        a: ActorId,
        b: ActorId,
        free: &[ActorId],
        t: f64,
        band: f64,
    ) -> Result<bool, Stop> {
        let h = PROBE_TIME * self.frame_length();
        // The laws of contact have led here, with the error of their integration.
        let inexact = [a, b].iter().any(|&it| self.world.rates_of(it).is_some());
        let tolerance = if inexact { TOLERANCE_ERRORS * self.world.integrated.tolerance() } else { 0.0 };
        // A law of free fall that has no value here takes nobody apart; if they are let go, it stops the run.
        self.recent.get_mut().clear();
        let Ok(fall) = self.world.let_go(free, t, t + 2.0 * h) else { return Ok(false) };
        let openings = [t, t + h, t + 2.0 * h].map(|t| self.opening(a, b, t));
        self.world.take_back(fall);
        self.recent.get_mut().clear();
        self.world.cancel.check()?;
        let [Ok(now), Ok(soon), Ok(later)] = openings else { return Ok(false) };
        let scale = now.scale.max(soon.scale).max(later.scale);
        let bend = (now.rate - 2.0 * soon.rate + later.rate).abs();
        let speed = now.speed.max(soon.speed).max(later.speed);
        let growth = if bend > MAX_BEND * speed {
            0.0
        } else {
            (-3.0 * now.rate + 4.0 * soon.rate - later.rate) / (2.0 * h) - APPROACH_NOISE * scale / h
        };
        let rate = (now.rate.abs() - tolerance.max(APPROACH_NOISE) * scale).max(0.0);
        let rate = rate.copysign(now.rate);
        // What does not leave the band within a frame is rest, as where a contact begins.
        let frame = self.frame_length();
        let top = if growth < 0.0 { (rate / -growth).clamp(0.0, frame) } else { frame };
        let height = (rate + 0.5 * growth * top) * top;
        Ok(rate * rate.abs() + 2.0 * band * growth > 0.0 && height > band)
    }

    /// Returns the rate at which the gap of two objects grows at `t`.
    fn opening(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<Opening, Stop> {
        let touch = self.touch(a, b, t)?;
        let velocities = [self.velocity(a, t)?, self.velocity(b, t)?];
        let scale: f64 = velocities.iter().map(|it| it.speed_at(touch.point)).sum();
        let growth: f64 = velocities.iter().map(|it| it.growth).sum();
        let [one, other] = velocities.map(|it| it.twist());
        let speed = (one.at(touch.point) - other.at(touch.point)).length() + growth.abs();
        Ok(Opening { rate: touch.opening_rate(&one, &other) - growth, speed, scale })
    }
}
