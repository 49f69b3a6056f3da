//! A ball on a floor: bounces at the times of the closed form, down to rest.

use super::support::{
    FLIGHT, MIRROR, assert_all_near, assert_near, ball, block, collisions, events, gallery, last, moment,
    names, run, simulation,
};
use gedanken_recording::{EventKind, Moment};

const G: f64 = 9.81;

/// A ball falls from `height` above a floor and keeps the part `e` of its speed at every bounce.
fn bouncing(height: f64, e: f64, duration: f64, frame_rate: f64) -> String {
    let text = [
        &format!("world attributes {{\n    a = [0, 0, -{G:?}]\n    e = {e:?}\n}}\n"),
        &ball("ball", [0.0, 0.0, 0.25 + height], 0.25, [0.3, 0.0, 0.0], 1.0),
        &block("floor", [0.0, 0.0, -0.5], [20.0, 20.0, 1.0]),
        FLIGHT,
        "context {
    name = bounce
    type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    functions = {
        v_in = v
        v = v_in - (1 + e) * (v_in . collisionNormal) * collisionNormal
    }
}
context {
    name = rest
    type = contact
    functions = {
        v = [0, 0, 0]
    }
}
",
    ]
    .concat();
    simulation(&text, duration, frame_rate, "")
}

/// The first fall takes s = sqrt(2 h / g), and the flight after bounce n takes 2 s eⁿ.
fn bounce_times(height: f64, e: f64) -> impl Iterator<Item = f64> {
    let fall = libm::sqrt(2.0 * height / G);
    let mut flight = 2.0 * fall;
    let mut time = fall;
    std::iter::once(fall).chain(std::iter::from_fn(move || {
        flight *= e;
        time += flight;
        Some(time)
    }))
}

#[test]
fn bounces_come_at_the_times_of_the_closed_form_and_end_in_rest() {
    for frame_rate in [1.0, 60.0] {
        let (height, e) = (2.0, 0.8);
        let recording = run(&bouncing(height, e, 7.0, frame_rate));
        let times = collisions(&recording);
        for (time, expected) in times.iter().zip(bounce_times(height, e)) {
            assert_near(*time, expected, 1e-9);
        }
        // The apex after bounce n is e²ⁿ h. The touch band is 1e-12 of the smaller body: of the ball, 0.5
        // wide.
        let apex = |bounces: usize| libm::pow(e * e, bounces as f64) * height;
        let band = 0.5e-12;
        assert!(apex(times.len()) <= 4.0 * band, "{} bounces, the last with an apex", times.len());
        assert!(apex(times.len() - 1) >= 0.25 * band, "{} bounces", times.len());
        // Then a contact, before the sum of the series, and nothing more.
        let contacts = events(&recording, EventKind::Contact);
        assert_eq!(contacts.len(), 1);
        assert_eq!(names(&recording, contacts[0]), ["ball", "floor"]);
        assert_eq!(recording.events.last().unwrap().index, contacts[0].index);
        let end = libm::sqrt(2.0 * height / G) * (1.0 + e) / (1.0 - e);
        assert!(contacts[0].time >= *times.last().unwrap() && contacts[0].time <= end + 1e-9);
        assert_near(contacts[0].time, end, 1e-4);
        assert_near(last(&recording, "ball.position")[2], 0.25, 2.0 * band);
        assert_all_near(&last(&recording, "ball.v"), &[0.0; 3], 0.0);
    }
}

#[test]
fn a_bounce_changes_only_what_its_laws_change() {
    let recording = run(&bouncing(2.0, 0.8, 3.0, 60.0));
    for event in events(&recording, EventKind::Collision) {
        let [before, after] =
            [Moment::Before, Moment::After].map(|side| moment(&recording, event, side, "ball.v"));
        assert_all_near(&after, &[before[0], before[1], -0.8 * before[2]], 1e-12);
        let places =
            [Moment::Before, Moment::After].map(|side| moment(&recording, event, side, "ball.position"));
        assert_eq!(places[0], places[1]);
        assert_near(places[0][2], 0.25, 1e-11);
        assert_eq!(event.given("ball.collisionNormal"), Some([0.0, 0.0, 1.0].as_slice()));
        assert_all_near(event.given("collisionPoint").unwrap(), &[places[0][0], 0.0, 0.0], 1e-11);
    }
}

/// One frame per unit of time, and ten bounces in each.
#[test]
fn many_impacts_in_one_frame_are_all_found() {
    let text = [
        &ball("ball", [0.0, 0.0, 0.0], 0.25, [10.0, 0.0, 0.0], 1.0),
        &block("left", [-1.0, 0.0, 0.0], [1.0, 4.0, 4.0]),
        &block("right", [1.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        super::support::STRAIGHT_ON,
        MIRROR,
    ]
    .concat();
    // Free between -0.25 and 0.75: the first hit after 0.075, then one every 0.1.
    let recording = run(&simulation(&text, 3.0, 1.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 30);
    for (n, time) in times.iter().enumerate() {
        // Each impact is told up to a tick early, 1e-12 of the frame.
        assert_near(*time, 0.075 + 0.1 * n as f64, 1e-12 * (n + 1) as f64);
    }
    // The last one is on the left, at -0.25, a quarter of a step before the end.
    assert_near(last(&recording, "ball.position")[0], 0.0, 1e-9);
}

/// Frames of one and a half flights: every other frame has two bounces off the same floor, the second just
/// when it ends.
#[test]
fn a_second_bounce_at_the_end_of_a_frame_is_found() {
    let text = [
        "world attributes {\n    a = [0, 0, -2]\n}\n",
        &ball("ball", [0.0, 0.0, 0.5], 0.25, [0.0; 3], 1.0),
        &block("floor", [0.0, 0.0, -0.5], [4.0, 4.0, 1.0]),
        FLIGHT,
        MIRROR,
    ]
    .concat();
    let recording = run(&simulation(&text, 6.0, 2.0 / 3.0, ""));
    let times = collisions(&recording);
    assert_eq!(times.len(), 6, "{times:?}");
    for (n, time) in times.iter().enumerate() {
        assert_near(*time, n as f64 + 0.5, 1e-10);
    }
    // At the top.
    assert_near(last(&recording, "ball.position")[2], 0.5, 1e-9);
}

/// A grain of dust, a million times faster than its own size per frame, between two thin sheets.
#[test]
fn fast_small_objects_are_not_lost() {
    let (radius, speed, frame_rate) = (1e-6, 1e5, 60.0);
    let text = [
        &ball("dust", [0.0, 0.0, 0.0], radius, [speed, 0.0, 0.0], 1.0),
        &block("left", [-0.5, 0.0, 0.0], [1e-5, 1.0, 1.0]),
        &block("right", [0.5, 0.0, 0.0], [1e-5, 1.0, 1.0]),
        super::support::STRAIGHT_ON,
        MIRROR,
    ]
    .concat();
    let recording = run(&simulation(&text, 1.0 / frame_rate, frame_rate, ""));
    let free = 1.0 - 1e-5 - 2.0 * radius;
    let times = collisions(&recording);
    let expected = (speed / frame_rate / free - 0.5).floor() as usize + 1;
    assert_eq!(times.len(), expected);
    for (n, time) in times.iter().enumerate() {
        assert_near(*time, (n as f64 + 0.5) * free / speed, 1e-12);
    }
}

/// A sheet of a thousandth of a millimetre, and a bullet that is far behind it one frame later.
#[test]
fn a_bullet_does_not_pass_through_paper() {
    for (speed, thickness, frame_rate) in [(900.0, 1e-4, 60.0), (1e4, 1e-6, 60.0), (1e6, 1e-9, 1.0)] {
        let text = [
            &ball("bullet", [-10.0, 0.03, 0.02], 0.004, [speed, 0.0, 0.0], 1.0),
            &block("paper", [0.0, 0.0, 0.0], [thickness, 0.2, 0.2]),
            super::support::STRAIGHT_ON,
            MIRROR,
        ]
        .concat();
        let recording = run(&simulation(&text, 2.0 / frame_rate, frame_rate, ""));
        let times = collisions(&recording);
        assert_eq!(times.len(), 1, "at {speed}");
        // The resolution of time is 1e-12 of a frame.
        assert_near(times[0], (10.0 - 0.5 * thickness - 0.004) / speed, 2e-12 / frame_rate);
        assert_eq!(last(&recording, "bullet.v"), [-speed, 0.0, 0.0]);
    }
}

/// The digits of pi, as collisions in the recording and not only as what the blocks have counted.
#[test]
fn collisions_count_the_digits_of_pi() {
    let recording = run(&gallery("digits_of_pi.lab"));
    let all = events(&recording, EventKind::Collision);
    for (track, digits) in [3, 31, 314, 3141].into_iter().enumerate() {
        let small = format!("small{track}");
        let of_it = all.iter().filter(|it| names(&recording, it).contains(&small.as_str())).count();
        assert_eq!(of_it, digits);
        assert_eq!(last(&recording, &format!("{small}.hits")), [digits as f64]);
    }
    assert_eq!(all.len(), 3 + 31 + 314 + 3141);
}
