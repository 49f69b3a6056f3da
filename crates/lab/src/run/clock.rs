//! Times of frames and steps: one rule for every mechanics.
//!
//! Frame k is at t₀ + k/f while that is before the end, and the last frame is at the end, t₀ + T, to the bit.
//! A frame lasts a whole number of steps of one length; only the last frame may be shorter, and with it the
//! last step. So every duration is reached, and all frames before the end are those of any longer run.
//!
//! T·f is a whole number if it misses one by no more than [`ROUNDING`] of it: `0.1 * 3` at ten frames per
//! unit of time is three frames, not three and a sliver of 10⁻¹⁶. Then no step is shortened, and the last
//! frame is one of the grid, unless its time t₀ + T differs from t₀ + n/f by a rounding.

use gedanken_experiment::{Mechanics, Simulation};

/// Part of a number of frames or steps by which it may miss a whole one: four thousand times the rounding of
/// a product, and still a ten thousandth of a frame in the longest run, of 10⁸ frames.
const ROUNDING: f64 = 1e-12;

/// Times of all frames and steps of a simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline {
    initial: f64,
    end: f64,
    frame_rate: f64,
    /// Number of the last frame.
    frames: u64,
    /// Steps of every frame but a short one.
    steps: u64,
    /// Length of a step.
    length: f64,
    /// `true` if the last frame is shorter than the others.
    is_cut: bool,
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepClock {
    /// Time at which it begins: counted from the frame's own, so that roundings do not add up.
    pub(crate) start: f64,
    /// Time at which it ends: that of a frame, if it is the last step of one.
    pub(crate) end: f64,
    /// Its length: `end - start` but for rounding.
    pub(crate) length: f64,
    /// Time of the frame that it leads to.
    pub(crate) frame_end: f64,
    /// `true` if it is the first step after a frame.
    pub(crate) is_first: bool,
}

impl Timeline {
    /// Times of a simulation.
    pub(crate) fn new(simulation: &Simulation) -> Self {
        let (initial, frame_rate) = (simulation.initial_time, simulation.frame_rate);
        let (steps, length) = match &simulation.mechanics {
            // Time has no steps there, also if some are written.
            Mechanics::Contexts(_) => (1, 1.0 / frame_rate),
            Mechanics::Workflow(_)
            | Mechanics::Rigid(_)
            | Mechanics::Lagrangian(_)
            | Mechanics::Mechanism(_) => simulation.steps(),
        };
        Self::of(initial, simulation.duration, frame_rate, steps, length)
    }

    fn of(initial: f64, duration: f64, frame_rate: f64, steps: u64, length: f64) -> Self {
        let end = initial + duration;
        let (frames, is_whole) = count(duration * frame_rate, 0.0);
        let mut timeline = Self { initial, end, frame_rate, frames, steps, length, is_cut: !is_whole };
        // Where times are so large that the rest of the duration is less than their rounding, the frame before
        // it is at the end already.
        timeline.frames = frames.min(timeline.first_at_end(frames));
        timeline
    }

    /// Number of the last frame.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Time of a frame; the end, for the last one and all beyond.
    pub(crate) fn time(&self, frame: u64) -> f64 {
        if frame >= self.frames { self.end } else { self.grid(frame) }
    }

    /// Time that a frame has in every run that is long enough.
    pub(crate) fn grid(&self, frame: u64) -> f64 {
        self.initial + frame as f64 / self.frame_rate
    }

    /// Returns `true` if a longer run has the same frame: keyframes are of such frames only.
    pub(crate) fn is_on_grid(&self, frame: u64) -> bool {
        frame < self.frames || (!self.is_cut && self.time(frame) == self.grid(frame))
    }

    /// Number of steps from a frame to the next one.
    pub(crate) fn steps_from(&self, frame: u64) -> u64 {
        if self.is_short(frame) { self.short_steps(frame).0 } else { self.steps }
    }

    /// One of the steps from a frame to the next one.
    pub(crate) fn step(&self, frame: u64, step: u64) -> StepClock {
        let frame_end = self.time(frame + 1);
        let (steps, is_whole) =
            if self.is_short(frame) { self.short_steps(frame) } else { (self.steps, true) };
        let is_last = step + 1 == steps;
        let start = self.time(frame) + step as f64 * self.length;
        let end = if is_last { frame_end } else { self.time(frame) + (step + 1) as f64 * self.length };
        let length = if is_last && !is_whole { end - start } else { self.length };
        StepClock { start, end, length, frame_end, is_first: step == 0 }
    }

    /// Returns `true` if the frame after this one is the last, and shorter than the others.
    fn is_short(&self, frame: u64) -> bool {
        self.is_cut && frame + 1 == self.frames
    }

    /// Number of steps from a frame to the end, and `true` if all of them have the full length.
    fn short_steps(&self, frame: u64) -> (u64, bool) {
        let rest = self.end - self.time(frame);
        // A difference of times has their rounding, however short it is.
        let rounding = 4.0 * f64::EPSILON * self.initial.abs().max(self.end.abs()) / self.length;
        let (steps, is_whole) = count(rest / self.length, rounding);
        (steps.clamp(1, self.steps), is_whole)
    }

    /// Number of the first frame after the initial one that is not before the end, at most `most`.
    fn first_at_end(&self, most: u64) -> u64 {
        let (mut before, mut not_before) = (0, most);
        while not_before - before > 1 {
            let middle = before.midpoint(not_before);
            if self.grid(middle) < self.end { before = middle } else { not_before = middle }
        }
        not_before
    }
}

/// Number of parts that make so many, the last one perhaps cut short, and `true` if none is.
fn count(parts: f64, rounding: f64) -> (u64, bool) {
    let whole = parts.round();
    let is_whole = whole >= 1.0 && (parts - whole).abs() <= ROUNDING * whole + rounding;
    (if is_whole { whole } else { parts.ceil() } as u64, is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn timeline(duration: f64, frame_rate: f64, steps: u64) -> Timeline {
        Timeline::of(0.0, duration, frame_rate, steps, 1.0 / (frame_rate * steps as f64))
    }

    #[test]
    fn sums_of_decimals_are_whole_numbers_of_frames() {
        for (duration, frame_rate, frames) in [
            (0.1 * 3.0, 10.0, 3),
            (0.1 + 0.2, 10.0, 3),
            (0.7 + 0.1, 10.0, 8),
            (10.0, 1.0 / (2.0 * 0.01), 500),
            (2.0, 1.0 / (4.0 * (1.0 / 240.0)), 120),
            (1.0 / 3.0, 60.0, 20),
        ] {
            let it = timeline(duration, frame_rate, 4);
            assert_eq!((it.frames(), it.steps_from(frames - 1)), (frames, 4), "{duration} at {frame_rate}");
            assert_eq!(it.time(frames).to_bits(), duration.to_bits());
        }
    }

    #[test]
    fn a_rest_of_the_duration_is_a_short_frame() {
        // Three frames of ten steps, and two and a half steps.
        let it = timeline(0.325, 10.0, 10);
        assert_eq!((it.frames(), it.steps_from(2), it.steps_from(3)), (4, 10, 3));
        assert_eq!((it.time(3), it.time(4)), (3.0 / 10.0, 0.325));
        assert!(it.is_on_grid(3) && !it.is_on_grid(4));
        let last = it.step(3, 2);
        assert_eq!((last.end, last.frame_end), (0.325, 0.325));
        assert!((last.length - 0.005).abs() < 1e-15);
        // A whole number of steps, though not of frames: none is cut.
        let it = timeline(0.32, 10.0, 10);
        assert_eq!((it.frames(), it.steps_from(3), it.step(3, 1).length), (4, 2, 0.01));
        assert!(!it.is_on_grid(4));
    }

    #[test]
    fn a_duration_below_the_rounding_of_its_times_is_one_frame() {
        let it = Timeline::of(1e17, 1.0, 60.0, 1, 1.0 / 60.0);
        assert_eq!((it.frames(), it.time(1)), (1, 1e17));
        let nothing = timeline(0.0, 60.0, 1);
        assert_eq!((nothing.frames(), nothing.time(0)), (0, 0.0));
    }

    proptest! {
        #[test]
        fn every_duration_is_reached_and_frames_before_are_those_of_longer_runs(
            initial in prop_oneof![Just(0.0), -1e4..1e4],
            duration in 1e-6..50.0,
            more in 0.0..10.0,
            frame_rate in prop_oneof![Just(60.0), 0.5..300.0],
            steps in 1_u64..20,
        ) {
            let length = 1.0 / (frame_rate * steps as f64);
            let it = Timeline::of(initial, duration, frame_rate, steps, length);
            let longer = Timeline::of(initial, duration + more, frame_rate, steps, length);
            let frames = it.frames();
            prop_assert_eq!(it.time(frames).to_bits(), (initial + duration).to_bits());
            for frame in frames.saturating_sub(3)..frames {
                prop_assert_eq!(it.time(frame).to_bits(), (initial + frame as f64 / frame_rate).to_bits());
                prop_assert!(it.time(frame) < it.time(frame + 1));
                let count = it.steps_from(frame);
                prop_assert!((1..=steps).contains(&count));
                for step in 0..count {
                    let clock = it.step(frame, step);
                    prop_assert!(clock.start < clock.end && clock.end <= clock.frame_end, "{:?}", clock);
                    prop_assert!(clock.length > 0.0 && clock.length <= length, "{:?}", clock);
                    prop_assert!((clock.end - clock.start - clock.length).abs() <= 1e-9 * length + 1e-11);
                    if step + 1 < count {
                        prop_assert_eq!(clock.end.to_bits(), it.step(frame, step + 1).start.to_bits());
                    }
                }
                prop_assert_eq!(it.step(frame, count - 1).end.to_bits(), it.time(frame + 1).to_bits());
            }
            for frame in (0..=frames).filter(|&frame| it.is_on_grid(frame)) {
                prop_assert_eq!(it.time(frame).to_bits(), it.grid(frame).to_bits());
                if frame < longer.frames() {
                    prop_assert_eq!(it.time(frame).to_bits(), longer.time(frame).to_bits());
                    prop_assert_eq!(longer.steps_from(frame).max(steps), steps);
                }
            }
        }

        #[test]
        fn whole_numbers_of_frames_are_whole(
            frames in 1_u64..100_000,
            tenths in 1_u32..6000,
            steps in 1_u64..9,
        ) {
            let frame_rate = f64::from(tenths) / 10.0;
            for duration in [frames as f64 / frame_rate, frames as f64 * (1.0 / frame_rate)] {
                let it = timeline(duration, frame_rate, steps);
                prop_assert_eq!((it.frames(), it.steps_from(frames - 1)), (frames, steps));
                prop_assert_eq!(it.time(frames).to_bits(), duration.to_bits());
            }
        }
    }
}
