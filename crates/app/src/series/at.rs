//! Value and derivative of a series at any time.
//!
//! Between two events of its owner a quantity is smooth, and it is known at the frames and just after and before the
//! events. The value is that of the polynomial through the (at most four) nearest of these, never across an event, and the
//! derivative that of the same polynomial: exact for a motion under constant acceleration, else with an error of the fourth
//! (third) order in the distance of frames. At the time of an event the state after it counts.

use super::Series;
use crate::samples::{Sample, samples};
use gedanken_lab::recording::Recording;

/// What is known of a series at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct At {
    /// `None` if it had no value then.
    pub(crate) value: Option<f64>,
    /// `None` if it had no value, or if too little is known around that time.
    pub(crate) derivative: Option<f64>,
}

/// The series at time `t`; `None` outside the recording.
pub(crate) fn at(recording: &Recording, series: &Series, t: f64) -> Option<At> {
    let (first, last) = (*recording.times.first()?, last_time(recording)?);
    if !(first..=last).contains(&t) {
        return None;
    }
    let stretch = stretch_around(recording, series, t);
    let known = stretch.iter().find(|(time, _)| *time == t).map(|(_, value)| *value);
    let covered =
        stretch.first().is_some_and(|node| node.0 <= t) && stretch.last().is_some_and(|node| t <= node.0);
    let nodes = nearest(&stretch, t, MOST_NODES, 1.0 / recording.schema.frame_rate);
    let (value, derivative) = match covered && nodes.iter().all(|(_, value)| value.is_finite()) {
        true => interpolate(&nodes, t),
        false => (f64::NAN, None),
    };
    let value = known.unwrap_or(value);
    Some(At { value: value.is_finite().then_some(value), derivative })
}

/// A cubic: exact for constant acceleration with something to spare, and without wiggles.
const MOST_NODES: usize = 4;

/// The end: of the last frame, or of an event after it if the run was cut short there.
fn last_time(recording: &Recording) -> Option<f64> {
    let event = recording.events.last().map(|event| event.time);
    recording.times.last().copied().into_iter().chain(event).reduce(f64::max)
}

/// Times and values of the series between the events around `t`, that at `t` itself being the beginning.
fn stretch_around(recording: &Recording, series: &Series, t: f64) -> Vec<(f64, f64)> {
    let mut stretch: Vec<(f64, f64)> = Vec::new();
    for sample in samples(recording) {
        let Some(value) = series.value(recording, sample) else { continue };
        let time = sample.time(recording);
        if matches!(sample, Sample::After(_)) {
            if time > t {
                break;
            }
            stretch.clear();
        }
        stretch.push((time, value));
    }
    stretch
}

/// The nodes nearest to `t`, increasing in time: as many before as after, where there are as many. Of nodes much closer
/// together than frames are, the earlier one stands for all: their differences would be rounding.
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

/// The polynomial through the nodes and its derivative at `t`, by Neville's scheme and the derivative of its lines:
/// p = ((t − a) q − (t − b) r) / (b − a),  p′ = (q − r + (t − a) q′ − (t − b) r′) / (b − a).
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
    use crate::samples::tests::two_balls;

    fn known(text: &str, t: f64) -> Option<At> {
        let recording = two_balls();
        at(&recording, &Series::read(&recording.schema, text).unwrap()[0], t)
    }

    #[test]
    fn a_polynomial_is_met_exactly() {
        // a.x = t², with frames at 0, 1, 2, 3.
        for t in [0.0, 0.25, 1.5, 2.0, 2.75, 3.0] {
            let At { value, derivative } = known("a.x", t).unwrap();
            assert!((value.unwrap() - t * t).abs() < 1e-14, "{t}");
            assert!((derivative.unwrap() - 2.0 * t).abs() < 1e-14, "{t}");
        }
        // Three nodes t³ at uneven times and one more: a cubic is met by four.
        let nodes = [0.0, 0.5, 2.0, 3.0].map(|t: f64| (t, t * t * t));
        let (value, slope) = interpolate(&nodes, 1.25);
        assert!((value - 1.25 * 1.25 * 1.25).abs() < 1e-14 && (slope.unwrap() - 3.0 * 1.5625).abs() < 1e-14);
    }

    #[test]
    fn nothing_is_interpolated_across_an_event() {
        // b.v#1 = 2t until 1.5, and 0 afterwards.
        for (t, value, slope) in [(1.25, 2.5, 2.0), (1.5, 0.0, 0.0), (1.75, 0.0, 0.0)] {
            let found = known("b.v#1", t).unwrap();
            assert_eq!((found.value, found.derivative), (Some(value), Some(slope)), "{t}");
        }
    }

    #[test]
    fn outside_there_is_nothing_and_no_value_is_said_to_be_none() {
        assert_eq!(known("a.x", -0.1), None);
        assert_eq!(known("a.x", 3.1), None);
        assert_eq!(known("a.x", f64::NAN), None);
        assert_eq!(known("b.touched", 0.5), Some(At { value: None, derivative: None }));
        assert_eq!(known("a.mass", 0.5).unwrap().value, Some(7.0));
    }
}
