//! Returns: contacts that end and begin again, over and over.
//!
//! A law of contact that does not keep its object on the surface lets go of it a moment later: one for flat
//! ground on a dome, or one that keeps a trace of the speed of the last bounce. The object falls back at once,
//! and so on, a million times a second. Nothing is seen of it, and nothing is learnt from it. So a pair that
//! returns to its contact within a frame of its release gets a wider touch band. From the
//! [third](FREE_RETURNS) return on it is ten times wider each time, until the contact holds or the band is as
//! wide as can be [seen](MAX_BAND).
//!
//! A bounce that dies is none of these: between two of its collisions there is no contact.

use crate::contexts::ids::ActorId;
use std::collections::BTreeMap;

/// Number of returns that are taken as they are.
const FREE_RETURNS: u32 = 2;
/// Factor by which the band grows at each further return.
const WIDENING: f64 = 10.0;
/// Widest band, relative to the size of the smaller object.
const MAX_BAND: f64 = 1e-3;

/// A pair whose contact has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Return {
    /// Number of returns, one within a frame of the other.
    pub(crate) count: u32,
    /// Time of the last release, s.
    pub(crate) released: f64,
    /// Touch band of the last contact.
    pub(crate) band: f64,
    /// Largest speed along the normal at which the two parted when they were let go; 0 if only free fall parted
    /// them.
    pub(crate) speed: f64,
}

/// Pairs whose contacts have ended lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Returns {
    of: BTreeMap<(ActorId, ActorId), Return>,
}

impl Returns {
    /// Notes that a contact with a touch band ends at `t`, where the two part at a speed.
    pub(crate) fn release(&mut self, pair: (ActorId, ActorId), t: f64, band: f64, speed: f64) {
        let (count, fastest) = self.of.get(&pair).map_or((0, 0.0), |it| (it.count, it.speed));
        self.of.insert(pair, Return { count, released: t, band, speed: speed.max(fastest) });
    }

    /// Notes that the contact of two objects, the smaller of the size `size`, begins at `t`. Returns what is
    /// known of its last end, if that is less than `frame` ago: with the touch band that it must have now.
    pub(crate) fn begin(
        &mut self,
        pair: (ActorId, ActorId),
        t: f64,
        frame: f64,
        size: f64,
    ) -> Option<Return> {
        let known = self.of.get_mut(&pair)?;
        if t - known.released > frame {
            self.of.remove(&pair);
            return None;
        }
        known.count += 1;
        if known.count > FREE_RETURNS {
            known.band = (WIDENING * known.band).min(MAX_BAND * size).max(known.band);
        }
        Some(*known)
    }

    /// Touch band that the last contact of a pair had; 0 if there was none lately.
    pub(crate) fn band(&self, pair: (ActorId, ActorId)) -> f64 {
        self.of.get(&pair).filter(|it| it.count > FREE_RETURNS).map_or(0.0, |it| it.band)
    }

    /// Drops the pairs that have been apart since before `t`, except those in `held`.
    pub(crate) fn forget_before(&mut self, t: f64, held: impl Fn((ActorId, ActorId)) -> bool) {
        self.of.retain(|&pair, it| it.released >= t || held(pair));
    }

    /// All pairs, in order.
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = ((ActorId, ActorId), Return)> + '_ {
        self.of.iter().map(|(&pair, &it)| (pair, it))
    }

    /// Puts a pair back, from a keyframe.
    pub(crate) fn restore(&mut self, pair: (ActorId, ActorId), it: Return) {
        self.of.insert(pair, it);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contexts::ids::Id;

    #[test]
    fn a_pair_that_returns_at_once_gets_a_wider_band_and_one_that_was_away_does_not() {
        let pair = (ActorId::new(0), ActorId::new(1));
        let mut returns = Returns::default();
        assert_eq!(returns.begin(pair, 0.0, 0.1, 1.0), None);
        let mut band = 1e-12;
        for count in 1..=20 {
            returns.release(pair, 1.0, band, 0.5);
            let found = returns.begin(pair, 1.05, 0.1, 1.0).expect("it was released");
            assert_eq!((found.count, found.speed), (count, 0.5));
            let expected = if count > FREE_RETURNS { (10.0 * band).min(1e-3) } else { band };
            assert_eq!(found.band, expected);
            band = found.band;
        }
        returns.release(pair, 2.0, band, 0.5);
        assert_eq!(returns.begin(pair, 2.2, 0.1, 1.0), None);
        assert_eq!(returns.band(pair), 0.0);
    }
}
