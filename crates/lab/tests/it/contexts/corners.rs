//! Several impacts at one instant: a corner of three walls, pairs far from each other, rows of balls.

use super::support::{
    ELASTIC, MIRROR, STRAIGHT_ON, assert_all_near, assert_near, at, ball, block, collisions, last, run,
    simulation,
};

/// Blocks whose surfaces are the planes x = 0, y = 0 and z = 0.
fn corner() -> String {
    let wall = |k: usize| {
        let (mut place, mut size) = ([2.0; 3], [8.0; 3]);
        (place[k], size[k]) = (-0.5, 1.0);
        block(&format!("wall{k}"), place, size)
    };
    [wall(0), wall(1), wall(2)].concat()
}

/// Straight into the corner: all three walls at t = 1, and back the same way.
#[test]
fn a_ball_comes_back_from_a_corner() {
    let text = [&corner(), &ball("ball", [1.5; 3], 0.5, [-1.0; 3], 1.0), STRAIGHT_ON, MIRROR].concat();
    let recording = run(&simulation(&text, 2.0, 60.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 3);
    for time in times {
        assert_near(time, 1.0, 1e-13);
    }
    assert_eq!(last(&recording, "ball.v"), [1.0; 3]);
    assert_all_near(&last(&recording, "ball.position"), &[1.5; 3], 1e-12);
}

/// The coordinates of ball k are those of ball 0, moved on by k places: so it is at the start, and laws and
/// walls are the same for all three, so that it must be so to the last bit at all times.
fn assert_symmetric(recording: &gedanken_recording::Recording) {
    for frame in 0..recording.frames() {
        for what in ["position", "v"] {
            let first = at(recording, frame, &format!("ball0.{what}"));
            for k in 1..3 {
                let mut other = at(recording, frame, &format!("ball{k}.{what}"));
                other.rotate_left(k);
                assert_eq!(first, other, "{what} of ball {k} in frame {frame}");
            }
        }
    }
}

#[test]
fn three_balls_each_meet_a_wall_at_the_same_instant() {
    let three = |k: usize| {
        // On three lines that do not meet.
        let (mut place, mut v) = ([3.7, 1.0, 2.5], [-1.3, 0.0, 0.0]);
        place.rotate_right(k);
        v.rotate_right(k);
        ball(&format!("ball{k}"), place, 0.3, v, 1.0)
    };
    let text = [&corner(), &three(0), &three(1), &three(2), STRAIGHT_ON, MIRROR, ELASTIC].concat();
    let recording = run(&simulation(&text, 5.0, 60.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 3);
    assert!(times.iter().all(|it| *it == times[0]), "{times:?}");
    assert_near(times[0], 3.4 / 1.3, 1e-12);
    assert_symmetric(&recording);
    assert_all_near(&last(&recording, "ball0.v"), &[1.3, 0.0, 0.0], 0.0);
}

/// Side by side into the corner: six impacts at one instant, two of each ball, and later three, one of each.
#[test]
fn three_balls_into_a_corner_come_back_symmetric() {
    let three = |k: usize| {
        let mut place = [1.25; 3];
        place[k] += 3.0;
        ball(&format!("ball{k}"), place, 0.25, [-1.0; 3], 1.0)
    };
    let text = [&corner(), &three(0), &three(1), &three(2), STRAIGHT_ON, MIRROR].concat();
    // Without laws for two balls nothing changes where they meet, halfway: each one sees walls only.
    let recording = run(&simulation(&text, 6.0, 60.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 9);
    for (n, time) in times.iter().enumerate() {
        assert_near(*time, if n < 6 { 1.0 } else { 4.0 }, 1e-12);
    }
    assert_symmetric(&recording);
    assert_all_near(&last(&recording, "ball0.v"), &[1.0; 3], 0.0);
    assert_all_near(&last(&recording, "ball0.position"), &[2.25, 5.25, 5.25], 1e-12);
}

/// Three balls meet in one point at one instant. Pairs are settled one after the other, so that the result is
/// not symmetric; but energy and momentum are kept, and nobody closes in on anybody any more.
#[test]
fn three_balls_that_meet_at_one_instant_part() {
    let angle = |k: usize| 2.0 * std::f64::consts::PI * k as f64 / 3.0;
    let direction = |k: usize| [libm::cos(angle(k)), libm::sin(angle(k)), 0.0];
    let three = |k: usize| {
        ball(&format!("ball{k}"), direction(k).map(|it| 3.0 * it), 0.5, direction(k).map(|it| -it), 1.0)
    };
    let text = [&three(0), &three(1), &three(2), STRAIGHT_ON, ELASTIC].concat();
    let recording = run(&simulation(&text, 10.0, 10.0, ""));
    let times = collisions(&recording);
    // The centres are 2 r apart when each is r / cos 30° from the middle.
    for time in &times {
        assert_near(*time, 3.0 - 1.0 / libm::sqrt(3.0), 1e-11);
    }
    assert!(times.len() >= 3);
    let v: Vec<Vec<f64>> = (0..3).map(|k| last(&recording, &format!("ball{k}.v"))).collect();
    let place: Vec<Vec<f64>> = (0..3).map(|k| last(&recording, &format!("ball{k}.position"))).collect();
    assert_near(v.iter().flatten().map(|it| it * it).sum(), 3.0, 1e-12);
    for axis in 0..3 {
        assert_near(v.iter().map(|it| it[axis]).sum(), 0.0, 1e-12);
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let opening: f64 = (0..3).map(|k| (place[a][k] - place[b][k]) * (v[a][k] - v[b][k])).sum();
        assert!(opening > 0.0, "balls {a} and {b} do not part");
    }
}

/// Pairs that have nothing to do with each other meet at the same instant.
#[test]
fn pairs_far_from_each_other_meet_at_the_same_instant() {
    let pair = |k: usize| {
        let y = 5.0 * k as f64;
        let ball =
            |side: &str, x: f64| ball(&format!("{side}{k}"), [x, y, 0.0], 0.5, [-x.signum(), 0.0, 0.0], 1.0);
        [ball("left", -2.0), ball("right", 2.0)].concat()
    };
    let text = [&pair(0), &pair(1), &pair(2), STRAIGHT_ON, ELASTIC].concat();
    let recording = run(&simulation(&text, 3.0, 1.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 3);
    assert!(times.iter().all(|it| *it == times[0]), "{times:?}");
    assert_near(times[0], 1.5, 1e-12);
    for k in 0..3 {
        assert_eq!(last(&recording, &format!("left{k}.v")), [-1.0, 0.0, 0.0]);
        assert_eq!(last(&recording, &format!("right{k}.v")), [1.0, 0.0, 0.0]);
    }
}

/// A row of five balls in touch: a hit from the left runs through it at one instant, in four collisions.
#[test]
fn a_hit_runs_through_a_row_at_one_instant() {
    let mut text = ball("a0", [-3.0, 0.0, 0.0], 0.5, [2.0, 0.0, 0.0], 1.0);
    for k in 1..5 {
        text.push_str(&ball(&format!("a{k}"), [f64::from(k) - 1.0, 0.0, 0.0], 0.5, [0.0; 3], 1.0));
    }
    text.push_str(STRAIGHT_ON);
    text.push_str(ELASTIC);
    let recording = run(&simulation(&text, 3.0, 10.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 4);
    for time in times {
        assert_near(time, 1.0, 1e-12);
    }
    for k in 0..4 {
        assert_eq!(last(&recording, &format!("a{k}.v")), [0.0; 3]);
    }
    assert_eq!(last(&recording, "a4.v"), [2.0, 0.0, 0.0]);
    assert_all_near(&last(&recording, "a4.position"), &[3.0 + 4.0, 0.0, 0.0], 1e-11);
}
