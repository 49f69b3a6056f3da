//! Value and derivative of a formula at any time.
//!
//! Between two events of those whom it names a formula is smooth, and it is known at the frames and just
//! after and before the events. The value is that of the polynomial through the (at most four) nearest of
//! these, never across an event, and the derivative that of the same polynomial: exact for a motion under
//! constant acceleration, else with an error of the fourth (third) order in the distance of frames. At the
//! time of an event the state after it counts.

use super::Formula;
use super::evaluate::Part;
use crate::recording::Recording;
use crate::sample::Sample;

/// Value and derivative of a number at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// `None` if it had no value then.
    pub value: Option<f64>,
    /// `None` if it had no value, or if too little is known around that time.
    pub derivative: Option<f64>,
}

/// A cubic: exact for constant acceleration with something to spare, and without wiggles.
const MAX_NODES: usize = 4;

impl Formula {
    /// Its numbers at time `t`, row by row; `None` outside the recording.
    pub fn at(&mut self, recording: &Recording, t: f64) -> Option<Vec<At>> {
        let (first, last) = (*recording.times.first()?, last_time(recording)?);
        if !(first..=last).contains(&t) {
            return None;
        }
        let samples = self.stretch_around(recording, t);
        let series = self.over(recording, &samples);
        let spacing = 1.0 / recording.schema.frame_rate;
        let number = |number: usize| at(&series.points(number).collect::<Vec<_>>(), t, spacing);
        Some((0..self.width()).map(number).collect())
    }

    /// The samples between the events around `t`, those of an event at `t` itself being the beginning. An
    /// event that changes some of what the formula names also ends a stretch, though nothing is known at its
    /// sides.
    fn stretch_around(&self, recording: &Recording, t: f64) -> Vec<Sample> {
        let mut stretch = Vec::new();
        for sample in recording.samples() {
            let part = sample.event(recording).map(|(event, _)| self.part(recording, event));
            match (sample, part) {
                (_, Some(Part::None)) | (Sample::Before(_), Some(Part::Some)) => continue,
                (Sample::After(_), Some(part)) => {
                    if sample.time(recording) > t {
                        break;
                    }
                    stretch.clear();
                    if part == Part::Some {
                        continue;
                    }
                }
                _ => {}
            }
            stretch.push(sample);
        }
        stretch
    }
}

/// The end: of the last frame, or of an event after it if the run was cut short there.
fn last_time(recording: &Recording) -> Option<f64> {
    let event = recording.events.last().map(|event| event.time);
    recording.times.last().copied().into_iter().chain(event).reduce(f64::max)
}

/// A number at time `t`, from its times and values between two events.
fn at(stretch: &[(f64, f64)], t: f64, spacing: f64) -> At {
    let known = stretch.iter().find(|(time, _)| *time == t).map(|(_, value)| *value);
    let covered =
        stretch.first().is_some_and(|node| node.0 <= t) && stretch.last().is_some_and(|node| t <= node.0);
    let nodes = nearest(stretch, t, MAX_NODES, spacing);
    let (value, derivative) = match covered && nodes.iter().all(|(_, value)| value.is_finite()) {
        // Met to the bit, as people expect of a mass.
        true if nodes.len() > 1 && nodes.iter().all(|node| node.1 == nodes[0].1) => (nodes[0].1, Some(0.0)),
        true => interpolate(&nodes, t),
        false => (f64::NAN, None),
    };
    let value = known.unwrap_or(value);
    At { value: value.is_finite().then_some(value), derivative }
}

/// The nodes nearest to `t`, increasing in time: as many before as after, where there are as many. Of nodes
/// much closer together than frames are, the earlier one stands for all: their differences would be rounding.
fn nearest(stretch: &[(f64, f64)], t: f64, most: usize, spacing: f64) -> Vec<(f64, f64)> {
    let mut nodes: Vec<(f64, f64)> = Vec::with_capacity(stretch.len());
    for &node in stretch {
        match nodes.last() {
            Some(last) if node.0 - last.0 < 1e-3 * spacing => {}
            _ => nodes.push(node),
        }
    }
    let after = nodes.partition_point(|node| node.0 <= t);
    let start = after.saturating_sub(most / 2).min(nodes.len().saturating_sub(most));
    nodes.into_iter().skip(start).take(most).collect()
}

/// The polynomial through the nodes and its derivative at `t`, by Neville's scheme and the derivative of its
/// lines: p = ((t − a) q − (t − b) r) / (b − a), p′ = (q − r + (t − a) q′ − (t − b) r′) / (b − a).
fn interpolate(nodes: &[(f64, f64)], t: f64) -> (f64, Option<f64>) {
    let mut p: Vec<(f64, f64)> = nodes.iter().map(|node| (node.1, 0.0)).collect();
    for span in 1..nodes.len() {
        for k in 0..nodes.len() - span {
            let (a, b) = (nodes[k].0, nodes[k + span].0);
            let ((r, dr), (q, dq)) = (p[k], p[k + 1]);
            let value = ((t - a) * q - (t - b) * r) / (b - a);
            let slope = (q - r + (t - a) * dq - (t - b) * dr) / (b - a);
            p[k] = (value, slope);
        }
    }
    let (value, slope) = p[0];
    (value, (nodes.len() > 1).then_some(slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_met_by_four_nodes_at_uneven_times() {
        let nodes = [0.0, 0.5, 2.0, 3.0].map(|t: f64| (t, t * t * t));
        let (value, slope) = interpolate(&nodes, 1.25);
        assert!((value - 1.25 * 1.25 * 1.25).abs() < 1e-14 && (slope.unwrap() - 3.0 * 1.5625).abs() < 1e-14);
    }
}
