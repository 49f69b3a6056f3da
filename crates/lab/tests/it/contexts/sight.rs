//! Geometry that contact laws can ask for: sums along chains of touches, paths to the ground, normals and
//! points.

use super::support::{assert_all_near, assert_near, at, block, gallery, last, object, run, simulation};
use std::fmt::Write;

/// A box that holds still in a contact, and writes down what it sees above (1) and below (2).
const SEEING: &str = "context {
    name = seeing
    type = contact
    geometric_data_directions = {[0, 0, 1], [0, 0, -1]}
    functions = {
        v = [0, 0, 0]
        above = massSumDirVec1
        below = massSumDirVec2
        grounded = hasPathToStaticObjectDirVec2
        covered = hasPathToStaticObjectDirVec1
        n = collisionNormalsDirVec2 # 1
        point = collisionPointsDirVec2 # 1
    }
}
";

fn brick(name: &str, place: [f64; 3], size: [f64; 3], mass: f64) -> String {
    let attributes = format!(
        "position = {place:?}\n        size = {size:?}\n        v = [0, 0, 0]\n        mass = {mass:?}\n        above = -1\n        below = -1\n        grounded = false\n        covered = true\n        n = [0, 0, 0]\n        point = [0, 0, 0]"
    );
    object(name, "dynamic", "cuboid", &attributes)
}

/// Gravity, and a ground with a mass of its own, which counts for those who stand on it.
fn ground(mass: f64) -> String {
    let attributes = format!("position = [0, 0, -0.5]\n        size = [60, 60, 1]\n        mass = {mass:?}");
    "world attributes {\n    a = [0, 0, -9.81]\n}\n".to_owned()
        + &object("ground", "static", "cuboid", &attributes)
}

fn stack(masses: &[f64], ground_mass: f64, duration: f64) -> String {
    let mut text = ground(ground_mass);
    for (k, &mass) in masses.iter().enumerate() {
        text.push_str(&brick(&format!("box{k:03}"), [0.0, 0.0, k as f64 + 0.5], [1.0; 3], mass));
    }
    simulation(&[&text, super::support::FLIGHT, SEEING].concat(), duration, 10.0, "")
}

#[test]
fn a_stack_of_five_knows_who_is_above_and_below() {
    let masses = [1.0, 2.0, 4.0, 8.0, 16.0];
    let recording = run(&stack(&masses, 100.0, 0.5));
    for frame in 0..recording.frames() {
        for k in 0..5 {
            let of = |what: &str| at(&recording, frame, &format!("box{k:03}.{what}"));
            // Sums of whole numbers are exact.
            assert_eq!(of("above"), [masses[k + 1..].iter().sum::<f64>()]);
            assert_eq!(of("below"), [masses[..k].iter().sum::<f64>() + 100.0]);
            assert_eq!((of("grounded"), of("covered")), (vec![1.0], vec![0.0]));
            assert_all_near(&of("n"), &[0.0, 0.0, 1.0], 1e-12);
            assert_all_near(&of("point"), &[0.0, 0.0, k as f64], 1e-11);
        }
    }
}

#[test]
fn a_ground_without_a_mass_adds_nothing() {
    let text = stack(&[1.0, 2.0], 100.0, 0.5).replace("\n        mass = 100.0", "");
    let recording = run(&text);
    assert_eq!(last(&recording, "box000.below"), [0.0]);
    assert_eq!(last(&recording, "box001.below"), [1.0]);
    assert_eq!(last(&recording, "box001.grounded"), [1.0]);
}

#[test]
fn a_stack_of_two_hundred_is_summed_to_the_top() {
    let count = 200;
    let recording = run(&stack(&vec![1.0; count], 0.0, 0.3));
    for k in 0..count {
        assert_eq!(last(&recording, &format!("box{k:03}.above")), [(count - 1 - k) as f64]);
        assert_eq!(last(&recording, &format!("box{k:03}.below")), [k as f64]);
        assert_eq!(last(&recording, &format!("box{k:03}.grounded")), [1.0]);
    }
}

/// A bridge on two pillars: it sees both below, and each pillar the bridge and what stands on it.
#[test]
fn a_bridge_rests_on_two_pillars() {
    let text = [
        &ground(0.0),
        &brick("bridge", [0.0, 0.0, 2.25], [5.0, 1.0, 0.5], 10.0),
        &brick("left", [-2.0, 0.0, 1.0], [1.0, 1.0, 2.0], 3.0),
        &brick("right", [2.0, 0.0, 1.0], [1.0, 1.0, 2.0], 5.0),
        &brick("statue", [1.0, 0.0, 3.0], [1.0, 1.0, 1.0], 7.0),
        super::support::FLIGHT,
        SEEING,
    ]
    .concat();
    let recording = run(&simulation(&text, 0.5, 10.0, ""));
    let sums = [("bridge", 7.0, 8.0), ("left", 17.0, 0.0), ("right", 17.0, 0.0), ("statue", 0.0, 18.0)];
    for (name, above, below) in sums {
        assert_eq!(last(&recording, &format!("{name}.above")), [above], "above {name}");
        assert_eq!(last(&recording, &format!("{name}.below")), [below], "below {name}");
        assert_eq!(last(&recording, &format!("{name}.grounded")), [1.0]);
    }
    // Equally aligned: the first by name, in the middle of the face that they share.
    assert_all_near(&last(&recording, "bridge.point"), &[-2.0, 0.0, 2.0], 1e-9);
    assert_all_near(&last(&recording, "statue.point"), &[1.0, 0.0, 2.5], 1e-9);
}

/// From the top: 0, 1 1, 2 3 2, 3 5 5 3 bricks.
#[test]
fn every_brick_of_the_pyramid_counts_those_above_it() {
    let recording = run(&gallery("pyramid.lab"));
    let rows = [
        ("row4", vec![0.0]),
        ("row3", vec![1.0; 2]),
        ("row2", vec![2.0, 3.0, 2.0]),
        ("row1", vec![3.0, 5.0, 5.0, 3.0]),
    ];
    for (row, counts) in rows {
        for (brick, count) in ["a", "b", "c", "d"].into_iter().zip(counts) {
            for frame in [0, 1, recording.frames() - 1] {
                assert_eq!(at(&recording, frame, &format!("{row}_{brick}.above")), [count], "{row}_{brick}");
            }
        }
    }
}

/// Helpers of the contact, recorded: the normal of a ramp, what pulls along it, and what friction holds.
#[test]
fn the_normal_of_a_ramp_is_that_of_its_surface() {
    let text = gallery("ramp.lab")
        .replace("duration = 2\n", "duration = 2\n    record = {position, n, pull, grip}\n");
    assert!(text.contains("record"));
    let recording = run(&text);
    let (sine, cosine) = libm::sincos(std::f64::consts::PI / 6.0);
    for frame in 0..recording.frames() {
        for (block, friction) in [("smooth", 0.0), ("rough", 0.3), ("rubber", 0.6)] {
            let of = |what: &str| at(&recording, frame, &format!("{block}.{what}"));
            assert_all_near(&of("n"), &[sine, 0.0, cosine], 1e-12);
            let pull = 9.81 * sine;
            assert_all_near(&of("pull"), &[pull * cosine, 0.0, -pull * sine], 1e-11);
            assert_near(of("grip")[0], friction * 9.81 * cosine, 1e-11);
        }
    }
}

/// A body on a slope that is too steep to count as below: its part along the direction is less than 0.01.
#[test]
fn a_wall_beside_is_not_below() {
    let mut text = ground(0.0);
    write!(
        text,
        "{}{}",
        block("side", [2.0, 0.0, 0.5], [1.0, 1.0, 4.0]),
        brick("box", [1.0, 0.0, 0.5], [1.0; 3], 1.0)
    )
    .unwrap();
    let text = [&text, super::support::FLIGHT, SEEING].concat();
    let recording = run(&simulation(&text, 0.5, 10.0, ""));
    assert_all_near(&last(&recording, "box.n"), &[0.0, 0.0, 1.0], 1e-12);
    assert_all_near(&last(&recording, "box.point"), &[1.0, 0.0, 0.0], 1e-9);
    assert_eq!(last(&recording, "box.covered"), [0.0]);
}

/// A floor that is asked by its index: what stands on it counts, and nothing below. A sum of an attribute that
/// the floor lacks has the type that the others have.
#[test]
fn a_static_object_that_is_asked_knows_who_stands_on_it() {
    let asking = "context {
    name = asking
    type = contact
    geometric_data_directions = {[0, 0, 1], [0, 0, -1]}
    aliases = {
        use on_floor as attribute massSumDirVec1 of object with index 0
        use below_floor as attribute massSumDirVec2 of object with index 0
        use borne as attribute hasPathToStaticObjectDirVec2 of object with index 0
        use rows as attribute collisionNormalsDirVec1 of object with index 0
        use impulse as attribute kickSumDirVec1 of object with index 0
    }
    functions = {
        v = [0, 0, 0]
        above = on_floor
        below = below_floor
        grounded = borne
        n = rows # 1
        point = impulse
    }
    applicability = {
        mandatory ground and 2 dynamic objects
    }
}
";
    let kick = "kick = [1, 2, 3]\n        mass";
    let text = [
        &ground(100.0),
        &brick("low", [0.0, 0.0, 0.5], [1.0; 3], 2.0).replace("mass", kick),
        &brick("middle", [0.0, 0.0, 1.5], [1.0; 3], 4.0).replace("mass", kick),
        &brick("top", [0.0, 0.0, 2.5], [1.0; 3], 8.0),
        super::support::FLIGHT,
        asking,
    ]
    .concat();
    let recording = run(&simulation(&text, 0.5, 10.0, ""));
    for name in ["low", "middle", "top"] {
        assert_eq!(last(&recording, &format!("{name}.above")), [14.0], "{name}");
        assert_eq!(last(&recording, &format!("{name}.below")), [0.0]);
        assert_eq!(last(&recording, &format!("{name}.grounded")), [0.0]);
        assert_all_near(&last(&recording, &format!("{name}.n")), &[0.0, 0.0, -1.0], 1e-12);
        assert_eq!(last(&recording, &format!("{name}.point")), [2.0, 4.0, 6.0]);
    }
}
