//! The experiment that a visitor sees first: whatever restitution is tried, the ball stays above the floor, comes
//! to rest when the closed form says so, and the list of events stays short.

use super::support::{assert_near, at, collisions, events, gallery, last, run};
use gedanken_recording::EventKind;

const G: f64 = 9.81;
const DROP: f64 = 4.5;
const RADIUS: f64 = 0.5;
const DURATION: f64 = 10.0;
const SLOW: f64 = 0.001;

#[test]
fn the_ball_never_sinks_and_rests_in_time() {
    for step in 0..=20 {
        let e = f64::from(step) / 20.0;
        let recording =
            run(&gallery("bounce.lab").replace("restitution = 0.8", &format!("restitution = {e:?}")));
        for frame in 0..recording.frames() {
            let height = at(&recording, frame, "ball.position")[2] - RADIUS;
            assert!(height >= -1e-9, "restitution {e}: {height} at frame {frame}");
        }
        assert!(recording.events.len() <= 200, "restitution {e}: {} events", recording.events.len());
        // The first fall takes s = sqrt(2 h / g), and all flights after it together 2 s e / (1 - e).
        let fall = libm::sqrt(2.0 * DROP / G);
        assert_near(collisions(&recording)[0], fall, 1e-9);
        let end = fall * (1.0 + e) / (1.0 - e);
        let contacts = events(&recording, EventKind::Contact);
        if end < DURATION {
            // A ball slower than a millimetre per second stays: the flights that it leaves out take 2 w / (g (1 - e)).
            let left_out = 2.0 * SLOW / (G * (1.0 - e));
            let time = contacts[0].time;
            assert!(time >= end - left_out - 1e-9 && time <= end + 1e-9, "restitution {e}: {time} for {end}");
            assert_near(last(&recording, "ball.position")[2], RADIUS, 1e-9);
            // It rests on the floor, and slides on with the velocity that it had from the start.
            assert_near(last(&recording, "ball.position")[0], DURATION, 1e-9);
        } else {
            assert_eq!(contacts.len(), 0, "restitution {e}");
        }
        assert!(e > 0.8 || end < DURATION);
    }
}
