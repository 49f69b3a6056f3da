//! The end of a contact on a curved surface, by live normals.

use super::stacks::{BOUNCE, world};
use super::support::{FLIGHT, assert_near, ball, events, moment, object, run, simulation};
use gedanken_recording::{EventKind, Moment};

/// Slides on a sphere by the normal that the engine gives; `reach` is the sum of both radii.
const ON_A_DOME: &str = "context {
    name = sliding
    type = contact
    geometric_data_directions = {[0, 0, -1]}
    functions = {
        n = collisionNormalsDirVec1 # 1
        position' = v
        v' = a - (a . n) * n - (v . v) / reach * n
    }
}
";

/// A ball that slides from rest at the angle θ off a dome leaves it where its weight no longer keeps it on its
/// circle: v² / R = g cos φ and v² = 2 g R (cos θ - cos φ), so cos φ = 2/3 cos θ. With normals of the last frame
/// it was a percent off.
#[test]
fn a_ball_leaves_a_dome_at_two_thirds() {
    let (radius, reach) = (0.1, 1.1);
    for angle in [0.1, 0.5, 0.8] {
        for frame_rate in [10.0, 60.0, 240.0] {
            let start = [reach * libm::sin(angle), 0.0, reach * libm::cos(angle)];
            let text = [
                &world(0.0).replace("\n}", &format!("\n    reach = {reach:?}\n}}")),
                &object("dome", "static", "sphere", "position = [0, 0, 0]\n        size = 1"),
                &ball("ball", start, radius, [0.0; 3], 1.0),
                FLIGHT,
                BOUNCE,
                ON_A_DOME,
            ]
            .concat();
            let recording = run(&simulation(&text, 1.5, frame_rate, ""));
            let falls = events(&recording, EventKind::FreeFall);
            let release = falls.iter().find(|it| it.time > 0.0).expect("it leaves");
            let place = moment(&recording, release, Moment::Before, "ball.position");
            let cosine = place[2] / libm::hypot(place[0], place[2]);
            assert_near(cosine, 2.0 / 3.0 * libm::cos(angle), 1e-6);
            assert_eq!(events(&recording, EventKind::Contact).len(), 1, "at {angle}, {frame_rate}");
            assert!(recording.notices.is_empty(), "{:?}", recording.notices);
        }
    }
}
