//! The experiment that a visitor sees first: whatever restitution is tried, the ball stays above the floor, comes
//! to rest when the closed form says so, and the list of events stays short.

use super::support::{Dice, assert_near, at, collisions, events, gallery, last, run, times};
use gedanken_recording::EventKind;

const DURATION: f64 = 10.0;
/// Touch band of the ball and the floor, in diameters of the ball.
const BAND: f64 = 1e-12;

/// What a visitor may change.
#[derive(Clone, Copy, Debug)]
struct Drop {
    restitution: f64,
    gravity: f64,
    radius: f64,
    height: f64,
    v: [f64; 3],
    frame_rate: f64,
}

/// The text as it opens.
const OPENING: Drop =
    Drop { restitution: 0.8, gravity: 9.81, radius: 0.5, height: 4.5, v: [1.0, 0.0, 0.0], frame_rate: 60.0 };

impl Drop {
    fn text(&self) -> String {
        let Self { restitution, gravity, radius, height, v, frame_rate } = *self;
        let mut text = gallery("bounce.lab");
        for (old, new) in [
            ("[0, 0, -9.81]", format!("[0, 0, {:?}]", -gravity)),
            ("restitution = 0.8", format!("restitution = {restitution:?}")),
            ("[0, 0, 5]", format!("[0, 0, {:?}]", radius + height)),
            ("size = 0.5", format!("size = {radius:?}")),
            ("[50, 50, 1]", "[5000, 5000, 1]".to_owned()),
            ("v = [1, 0, 0]", format!("v = {v:?}")),
            ("duration = 10", format!("duration = 10\n    frame rate = {frame_rate:?}")),
        ] {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, &new);
        }
        text
    }

    fn check(&self) {
        let Self { restitution: e, gravity: g, radius, height, v, .. } = *self;
        let recording = run(&self.text());
        let scale = radius.max(1.0);
        for frame in 0..recording.frames() {
            let height = at(&recording, frame, "ball.position")[2] - radius;
            assert!(height >= -1e-9 * scale, "{self:?}: {height} at frame {frame}");
        }
        let impact = libm::sqrt(v[2] * v[2] + 2.0 * g * height);
        let fall = (v[2] + impact) / g;
        if fall >= DURATION {
            assert_eq!(recording.events.len(), 1, "{self:?}");
            return;
        }
        assert_near(collisions(&recording)[0], fall, 1e-9);
        // All flights after the first fall take 2 w e / (g (1 - e)) together, where w is the speed of the impact.
        let end = fall + 2.0 * impact / g * e / (1.0 - e);
        let contacts = events(&recording, EventKind::Contact);
        if end >= DURATION {
            assert_eq!(contacts.len(), 0, "{self:?}");
            return;
        }
        assert!(e > 0.8 || recording.events.len() <= 200, "{self:?}: {} events", recording.events.len());
        // Flights that do not leave the touch band are left out. The rounding of the coordinates may make it wider.
        let farthest = at(&recording, recording.frames() - 1, "ball.position")
            .iter()
            .fold(1.0, |m: f64, x| m.max(x.abs()));
        let band = (2.0 * radius * BAND).max(16.0 * f64::EPSILON * farthest);
        let left_out = 2.0 * libm::sqrt(2.0 * band / g) / (1.0 - e);
        let time = contacts[0].time;
        assert!(time >= end - left_out - 1e-9 && time <= end + 1e-9, "{self:?}: {time} for {end}");
        assert_eq!(contacts.len(), 1, "{self:?}");
        // It rests on the floor, and slides on with the velocity that it had from the start.
        let place = last(&recording, "ball.position");
        assert_near(place[2], radius, 1e-9 * scale);
        for k in 0..2 {
            assert_near(place[k], v[k] * DURATION, 1e-8);
        }
    }
}

#[test]
fn the_ball_never_sinks_and_rests_in_time() {
    let steps = times(40, 500);
    for step in 0..=steps {
        Drop { restitution: f64::from(step) / f64::from(steps), ..OPENING }.check();
    }
}

/// On the Moon, Mars and Jupiter, thrown obliquely, small or large, and seen at any frame rate.
#[test]
fn so_it_does_whatever_is_changed() {
    let mut dice = Dice(22);
    for drop in 0..times(40, 500) {
        let mut one_of = |values: &[f64], least, greatest| match values.get(dice.next() as usize % 6) {
            Some(&value) => value,
            None => dice.between(least, greatest),
        };
        let radius = one_of(&[0.5], 0.005, 2.0);
        let [aside, along] = [(); 2].map(|()| one_of(&[0.0], -20.0, 20.0));
        Drop {
            restitution: one_of(&[f64::from(drop % 101) / 100.0], 0.0, 1.0),
            gravity: one_of(&[1.62, 3.7, 24.8], 0.5, 30.0),
            radius,
            height: one_of(&[4.5, 5.0 - radius], 0.05, 50.0),
            v: [aside, along, one_of(&[0.0, 0.0], -10.0, 10.0)],
            frame_rate: one_of(&[24.0, 25.0, 50.0, 144.0, 240.0], 10.0, 100.0),
        }
        .check();
    }
}
