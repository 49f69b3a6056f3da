//! The edges: contacts at the start, laws that fail, shapes without a distance, intervals without a length.

use super::movers::{Height, Trajectory, ball, floor};
use super::{meet, scales, search};
use crate::contexts::first_contact::{Basis, Found, Meeting, Relation, SearchError};
use crate::contexts::trajectory::bounds::Mover;
use gedanken_math::Vec3;

/// A ball of radius 1/2 that sinks at a constant speed from a height, by a law that fails from some time on.
fn sinking(height: f64, speed: f64, fails: f64) -> impl Mover {
    Height {
        at: move |t: f64| (height - speed * t, 0.5),
        range: move |from: f64, to: f64| {
            (to < fails).then(|| {
                let ends = (height - speed * from, height - speed * to);
                let hair = 1e-15 * (1.0 + height);
                let (least, greatest) = (ends.0.min(ends.1) - hair, ends.0.max(ends.1) + hair);
                (least, greatest, -speed, -speed, 0.5, 0.0, true)
            })
        },
        fails,
    }
}

#[test]
fn pairs_that_begin_in_the_touch_band_are_told_apart_by_what_they_do() {
    for (speed, expected) in [
        (1.0, Meeting::Impact { time: 0.0, jump: false }),
        (-1.0, Meeting::None { apart: true }),
        (0.0, Meeting::Touch { time: 0.0 }),
    ] {
        let found = meet(&mut sinking(0.5, speed, f64::INFINITY), &mut floor(), 0.0, 1.0);
        match (found.meeting, expected) {
            (Meeting::Impact { time, jump: false }, Meeting::Impact { .. }) => assert!(time <= 1e-12),
            (meeting, expected) => assert_eq!(meeting, expected),
        }
        assert_eq!(found.basis, Basis::Proven);
    }
}

#[test]
fn an_overlap_at_the_start_counts_only_after_a_separation() {
    let found = meet(&mut sinking(0.4, 1.0, f64::INFINITY), &mut floor(), 0.0, 1.0);
    assert_eq!(found.meeting, Meeting::None { apart: false });
    let found = meet(&mut sinking(0.4, -1.0, f64::INFINITY), &mut floor(), 0.0, 1.0);
    assert_eq!(found.meeting, Meeting::None { apart: true });
}

#[test]
fn a_law_that_fails_after_the_contact_does_no_harm() {
    // They touch at 0.5 whatever the law does then: at once, a rung later, or much later.
    for fails in [0.5 + 1e-13, 0.5 + 3e-12, 0.5 + 1e-9, 0.6, 2.0] {
        let found = meet(&mut sinking(1.0, 1.0, fails), &mut floor(), 0.0, 1.0);
        let Meeting::Impact { time, jump: false } = found.meeting else { panic!("{fails}: {found:?}") };
        assert!((time - 0.5).abs() <= 1e-11, "{fails}: {time}");
    }
}

#[test]
fn a_law_that_fails_before_any_contact_is_an_error() {
    let found =
        search(&mut sinking(1.0, 1.0, 0.3), &mut floor(), Relation::Apart, 0.0, 1.0, scales(0.0, 1.0, 1.0));
    assert!(
        matches!(&found, Err(SearchError::Law(diagnostic)) if diagnostic.message.starts_with("failed at 0.3")),
        "{found:?}"
    );
}

#[test]
fn shapes_without_a_distance_are_an_error() {
    let found = search(&mut floor(), &mut floor(), Relation::Apart, 0.0, 1.0, scales(0.0, 1.0, 1.0));
    assert!(matches!(found, Err(SearchError::Distance(_))), "{found:?}");
}

#[test]
fn an_interval_without_length_still_knows_what_touches() {
    for (height, expected) in [
        (0.5, Meeting::Touch { time: 0.0 }),
        (0.6, Meeting::None { apart: true }),
        (0.4, Meeting::None { apart: false }),
    ] {
        let found = meet(&mut sinking(height, 1.0, f64::INFINITY), &mut floor(), 0.0, 0.0);
        assert_eq!(found.meeting, expected);
    }
}

#[test]
fn trembling_at_the_edge_of_the_band_ends() {
    // Leaves the band and returns at almost every tick.
    let mut flip = false;
    let mut trembling = Height {
        at: |_| {
            flip = !flip;
            (0.5 + if flip { 1.5e-11 } else { 0.5e-11 }, 0.5)
        },
        range: |_, _| Some((0.5, 0.6, -1e3, 1e3, 0.5, 0.0, true)),
        fails: f64::INFINITY,
    };
    let found = meet(&mut trembling, &mut floor(), 0.0, 1.0);
    assert!(found.basis >= Basis::Exhausted);
}

#[test]
fn equal_searches_have_equal_bits() {
    let run = || {
        let mut a = Trajectory::at(ball(0.3), Vec3::new(-2.0, 0.1, 0.2))
            .moving(Vec3::new(3.0, 0.1, 0.0))
            .falling(1.0);
        let mut b = Trajectory::at(ball(0.4), Vec3::new(2.0, 0.0, 0.0)).moving(Vec3::new(-2.0, 0.0, 0.3));
        meet(&mut a, &mut b, 0.0, 2.0)
    };
    let (Found { meeting: first, .. }, Found { meeting: second, .. }) = (run(), run());
    let Meeting::Impact { time, .. } = first else { panic!("{first:?}") };
    assert!(matches!(second, Meeting::Impact { time: again, .. } if again.to_bits() == time.to_bits()));
}
