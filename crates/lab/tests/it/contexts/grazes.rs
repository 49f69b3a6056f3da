//! A ball that passes another one: hit and miss are sharp down to the touch band, and within it nothing
//! happens.

use super::support::{
    ELASTIC, MIRROR, STRAIGHT_ON, assert_all_near, assert_near, ball, collisions, last, object, run,
    simulation,
};
use gedanken_recording::Recording;

/// A ball of radius 0.5 passes one of the same size at the origin, with the speed 1 along x and the distance
/// `aside` of their centres.
fn passing(aside: f64, is_static: bool, frame_rate: f64) -> Recording {
    let passer = ball("passer", [-2.0, aside, 0.0], 0.5, [1.0, 0.0, 0.0], 1.0);
    let text = if is_static {
        let post = object("post", "static", "sphere", "position = [0, 0, 0]\n        size = 0.5");
        [&passer, &post, STRAIGHT_ON, MIRROR].concat()
    } else {
        [&passer, &ball("post", [0.0; 3], 0.5, [0.0; 3], 1.0), STRAIGHT_ON, ELASTIC].concat()
    };
    run(&simulation(&text, 4.0, frame_rate, ""))
}

/// Half a part in 10¹² is less than the touch band of 1e-12 of the largest coordinate, 2.5: they touch, but
/// nobody can say that they close in. Nothing may happen to the velocity.
#[test]
fn a_graze_within_the_touch_band_changes_nothing() {
    for is_static in [true, false] {
        // They are closest at t = 2: at the end of a frame, in the middle of one, and somewhere.
        for frame_rate in [1.0, 60.0, 0.75, 7.3] {
            for part in [-5e-13, -1e-13, 0.0, 1e-13, 5e-13] {
                let recording = passing(1.0 + part, is_static, frame_rate);
                assert!(collisions(&recording).is_empty(), "{part}");
                assert_eq!(last(&recording, "passer.v"), [1.0, 0.0, 0.0]);
                assert_all_near(&last(&recording, "passer.position"), &[2.0, 1.0 + part, 0.0], 1e-14);
                if !is_static {
                    assert_eq!(last(&recording, "post.v"), [0.0; 3]);
                }
            }
        }
    }
}

#[test]
fn a_miss_by_a_part_in_a_billion_is_a_miss() {
    for is_static in [true, false] {
        for frame_rate in [1.0, 60.0] {
            let recording = passing(1.0 + 1e-9, is_static, frame_rate);
            assert!(collisions(&recording).is_empty());
            assert_eq!(last(&recording, "passer.v"), [1.0, 0.0, 0.0]);
            assert_all_near(&last(&recording, "passer.position"), &[2.0, 1.0 + 1e-9, 0.0], 1e-14);
        }
    }
}

/// They touch at x = -sqrt(1 - aside²), which is the cosine of the angle of v and the normal. The post throws
/// the ball back along the normal by twice that; a ball that is free takes it over.
#[test]
fn a_hit_by_a_part_in_a_billion_is_a_hit() {
    for is_static in [true, false] {
        for frame_rate in [1.0, 60.0] {
            let aside = 1.0 - 1e-9;
            let recording = passing(aside, is_static, frame_rate);
            let cosine = libm::sqrt((1.0 - aside) * (1.0 + aside));
            let times = collisions(&recording);
            assert_eq!(times.len(), 1);
            // The gap closes with the speed 4.5e-5, so that a rounding of the gap is 1e-11 in time.
            assert_near(times[0], 2.0 - cosine, 1e-10);
            let taken = if is_static { 2.0 * cosine } else { cosine };
            let expected = [1.0 - taken * cosine, taken * aside, 0.0];
            assert_all_near(&last(&recording, "passer.v"), &expected, 1e-10);
        }
    }
}
