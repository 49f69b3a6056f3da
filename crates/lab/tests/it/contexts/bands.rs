//! Touch bands: small and large worlds, far from the origin, seams of tiles, and fast objects.

use super::stacks::{BOUNCE, G, brick, world};
use super::support::{
    FLIGHT, MIRROR, assert_near, at, ball, block, collisions, events, last, names, object, run, simulation,
};
use gedanken_recording::EventKind;

/// Lies still.
const REST: &str = "context {
    name = rest
    type = contact
    functions = {
        v = [0, 0, 0]
    }
}
";

/// Slides on along the ground.
const SLIDE: &str = "context {
    name = slide
    type = contact
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = [v # 1, v # 2, 0]
        v = v0
        position = pos0 + v0 * (t - t0)
    }
}
";

/// A world that is as many times smaller or larger as its gravity is the same world: the bounces of a ball
/// come at the same times, and are as many. Of a world of nanometres most were missing, and in one of
/// picometres the ball hung above the floor.
#[test]
fn worlds_of_any_size_are_alike() {
    let e = 0.5;
    for scale in [1e-15, 1e-12, 1e-9, 1.0, 1e6, 1e12] {
        let text = [
            &format!("world attributes {{\n    a = [0, 0, -{:?}]\n    e = {e:?}\n}}\n", G * scale),
            &block("ground", [0.0, 0.0, -0.5 * scale], [6.0 * scale, 6.0 * scale, scale]),
            &ball("ball", [0.0, 0.0, 1.25 * scale], 0.25 * scale, [0.0; 3], 1.0),
            FLIGHT,
            BOUNCE,
            REST,
        ]
        .concat();
        let recording = run(&simulation(&text, 3.0, 60.0, ""));
        let fall = libm::sqrt(2.0 / G);
        let (mut time, mut flight) = (fall, 2.0 * fall);
        let times = collisions(&recording);
        // The apex after bounce n is 4⁻ⁿ, and the band half of 1e-12.
        assert!((20..=22).contains(&times.len()), "{} bounces in a world of {scale:e}", times.len());
        for bounce in times {
            assert_near(bounce, time, 1e-9);
            flight *= e;
            time += flight;
        }
        let contacts = events(&recording, EventKind::Contact);
        assert_eq!(contacts.len(), 1);
        assert_near(contacts[0].time, fall * (1.0 + e) / (1.0 - e), 1e-5);
        assert_near(last(&recording, "ball.position")[2], 0.25 * scale, 1e-12 * scale);
        assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    }
}

/// Far from the origin the rounding of coordinates decides what touches. That is said once.
#[test]
fn rounding_far_from_the_origin_is_told_once() {
    let far = 1e9;
    let text = [
        &world(0.5),
        &block("ground", [far, 0.0, -0.5], [6.0, 6.0, 1.0]),
        &ball("ball", [far, 0.0, 1.25], 0.25, [0.0; 3], 1.0),
        FLIGHT,
        BOUNCE,
        REST,
    ]
    .concat();
    let recording = run(&simulation(&text, 3.0, 60.0, ""));
    assert_eq!(recording.notices.len(), 1, "{:?}", recording.notices);
    assert!(recording.notices[0].message.contains("touch within"), "{:?}", recording.notices);
    assert_near(last(&recording, "ball.position")[2], 0.25, 1e-6);
}

/// A box slides from tile to tile of a floor. The side of the next tile is no wall: it bounced off it.
#[test]
fn the_seam_of_two_tiles_is_no_wall() {
    for (drop, speed) in [(0.0, 1.0), (0.0, 0.37), (0.3, 1.0), (0.3, 0.77)] {
        let mut text = world(0.5);
        for k in 0..4 {
            let x = 1.1 * f64::from(k) - 1.1;
            text += &block(&format!("tile{k}"), [x, 0.0, -0.5], [1.1, 4.0, 1.0]);
        }
        text += &brick("box", [-1.0, 0.0, 0.15 + drop], [0.3; 3], [speed, 0.0, 0.0], "");
        let recording = run(&simulation(&(text + FLIGHT + BOUNCE + SLIDE), 2.5, 60.0, ""));
        for frame in 0..recording.frames() {
            let t = recording.times[frame];
            assert_near(at(&recording, frame, "box.position")[0], -1.0 + speed * t, 1e-9);
        }
        assert_near(last(&recording, "box.position")[2], 0.15, 1e-9);
    }
}

/// Slides on by what the ground leaves of gravity.
const SLIDE_DOWN: &str = "context {
    name = slide
    type = contact
    geometric_data_directions = {[0, 0, -1]}
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        n = collisionNormalsDirVec1 # 1
        v0 = v - (v . n) * n
        b = a - (a . n) * n
        v = v0 + b * (t - t0)
        position = pos0 + v0 * (t - t0) + 0.5 * b * (t - t0)^2
    }
}
";

/// A floor of tiles: how far it is tilted and from the origin, its size, and the speed at which it is carried aside.
#[derive(Clone, Copy, Debug)]
struct Floor {
    tilt: f64,
    far: f64,
    scale: f64,
    carried: f64,
}

impl Floor {
    /// A vector along the slope, across it and out of it.
    fn vector(&self, [down, across, out]: [f64; 3]) -> [f64; 3] {
        let (sine, cosine) = libm::sincos(self.tilt);
        [down * cosine + out * sine, across, out * cosine - down * sine].map(|it| it * self.scale)
    }

    fn place(&self, local: [f64; 3]) -> [f64; 3] {
        let (here, far) = (self.vector(local), [1.0, -0.5, 0.25].map(|it| it * self.far));
        [0, 1, 2].map(|k| here[k] + far[k])
    }

    /// Three tiles against two rows of wider ones, so that three meet in each corner.
    fn tiles(&self) -> String {
        let physical = if self.carried == 0.0 { "static" } else { "dynamic" };
        let tile = |name: &str, x: f64, y: f64, length: f64| {
            let place = self.place([x, y, -0.5]);
            let size = [length, 3.0, 1.0].map(|it| it * self.scale);
            let v = self.vector([0.0, self.carried, 0.0]);
            let tilt = self.tilt;
            let attributes = format!(
                "position = {place:?}\n        orientation = [0, {tilt:?}, 0]\n        size = {size:?}\n        v = {v:?}"
            );
            object(name, physical, "cuboid", &attributes)
        };
        let mut text = String::new();
        for k in 0..3 {
            text += &tile(&format!("near{k}"), 2.0 * f64::from(k) - 1.0, -1.5, 2.0);
            text += &tile(&format!("wide{k}"), 3.0 * f64::from(k) - 2.0, 1.5, 3.0);
        }
        if self.carried == 0.0 {
            return text;
        }
        for (kind, tile) in ["free fall", "contact"].iter().flat_map(|kind| {
            ["near0", "near1", "near2", "wide0", "wide1", "wide2"].map(move |tile| (kind, tile))
        }) {
            let name = kind.replace(' ', "_");
            text += &format!(
                "context {{\n    name = {name}_of_{tile}\n    type = {kind}\n    functions = {{\n        position' = v\n    }}\n    applicability = {{\n        mandatory {tile}\n    }}\n}}\n"
            );
        }
        text
    }
}

/// A box slides across a floor of tiles, over seams and over corners where three tiles meet. The floor is level or
/// tilted, near the origin or far from it, of any size, at rest or carried along. The box goes on as on one plate.
#[test]
fn corners_of_three_tiles_are_no_walls() {
    let at_rest = Floor { tilt: 0.0, far: 0.0, scale: 1.0, carried: 0.0 };
    for floor in [
        at_rest,
        Floor { tilt: 0.3, ..at_rest },
        Floor { tilt: -0.3, ..at_rest },
        Floor { tilt: 0.2, far: 1e3, ..at_rest },
        Floor { far: 1e6, ..at_rest },
        Floor { tilt: 0.25, far: 1e6, ..at_rest },
        Floor { tilt: 0.1, scale: 1e-9, ..at_rest },
        Floor { tilt: -0.25, scale: 1e9, ..at_rest },
        Floor { carried: 0.6, ..at_rest },
        Floor { tilt: 0.15, far: 10.0, carried: -0.8, ..at_rest },
    ] {
        let gravity = G * floor.scale;
        let (start, v) = (floor.place([-1.2, -0.3, 0.15]), floor.vector([1.3, 0.4 + floor.carried, 0.0]));
        let turned = format!("orientation = [0, {:?}, 0]", floor.tilt);
        let text = [
            &format!("world attributes {{\n    a = [0, 0, -{gravity:?}]\n    e = 0\n}}\n"),
            &floor.tiles(),
            &brick("box", start, [0.3 * floor.scale; 3], v, &turned),
            FLIGHT,
            SLIDE_DOWN,
        ]
        .concat();
        let pull = floor.vector([G * libm::sin(floor.tilt), 0.0, 0.0]);
        // The rounding of coordinates, and what integration adds where the tiles move.
        let tolerance = 1e-9 * floor.scale + 64.0 * f64::EPSILON * floor.far;
        for rate in [25.0, 60.0] {
            let recording = run(&simulation(&text, 1.2, rate, ""));
            for (frame, &t) in recording.times.iter().enumerate() {
                let found = at(&recording, frame, "box.position");
                for k in 0..3 {
                    let error = (found[k] - (start[k] + v[k] * t + 0.5 * pull[k] * t * t)).abs();
                    assert!(error <= tolerance, "{floor:?} at {rate}, t = {t}: off by {error:e}");
                }
            }
        }
    }
}

/// A box that slides over the end of its table is released when it is off it: the rear edge has the way to the
/// end of the table behind it.
#[test]
fn a_box_is_released_where_the_table_ends() {
    let text = [
        &world(0.0),
        &block("table", [0.0, 0.0, -0.5], [2.0, 2.0, 1.0]),
        &brick("box", [0.0, 0.0, 0.2], [0.4; 3], [1.0, 0.0, 0.0], ""),
        FLIGHT,
        SLIDE,
    ]
    .concat();
    let recording = run(&simulation(&text, 2.0, 60.0, ""));
    let falls: Vec<f64> = events(&recording, EventKind::FreeFall).iter().map(|it| it.time).collect();
    assert_eq!(falls.len(), 2, "{falls:?}");
    assert_near(falls[1], 1.2, 1e-10);
    let fallen = 2.0 - 1.2;
    assert_near(last(&recording, "box.position")[2], 0.2 - 0.5 * G * fallen * fallen, 1e-9);
}

/// A ball whose contacts are sampled, so fast that it crosses its touch band within one tick: it meets each
/// wall once.
#[test]
fn a_sampled_collision_is_applied_once() {
    for speed in [1.0, 1e3, 1e5] {
        let text = [
            &ball("ball", [0.0; 3], 0.25, [speed, 0.0, 0.0], 1.0),
            &block("left", [-1.75, 0.0, 0.0], [1.0, 4.0, 4.0]),
            &block("right", [1.75, 0.0, 0.0], [1.0, 4.0, 4.0]),
            MIRROR,
            "context {
    name = straight_on
    type = free fall
    attributes = {t0, pos0}
    compute_first_time_only_attributes = {t0, pos0}
    functions = {
        t0 = t
        pos0 = position
        times(x, n) = if n == 0 then [0, 0, 0] else x + times(x, n - 1)
        position = pos0 + times(v, 2) * (0.5 * (t - t0))
    }
}
",
        ]
        .concat();
        // It flies 2 from wall to wall, the first time 1.
        let recording = run(&simulation(&text, 10.0 / speed, 2.0 * speed, ""));
        let hits = events(&recording, EventKind::Collision);
        let told: Vec<&str> = hits.iter().map(|it| names(&recording, it)[1]).collect();
        assert_eq!(told, ["right", "left", "right", "left", "right"], "at {speed}");
        for (n, hit) in hits.iter().enumerate() {
            assert_near(hit.time * speed, 1.0 + 2.0 * n as f64, 1e-9);
        }
    }
}

/// Rates integrated loosely leave the surface by more than the touch band. The contact holds.
#[test]
fn a_loose_tolerance_makes_no_flights() {
    let text = [
        &world(0.0),
        &block("table", [0.0, 0.0, -0.5], [40.0, 2.0, 1.0]),
        &ball("ball", [-10.0, 0.0, 0.25], 0.25, [1.0, 0.0, 0.0], 1.0),
        FLIGHT,
        "context {
    name = rolling
    type = contact
    geometric_data_directions = {[0, 0, -1]}
    functions = {
        n = collisionNormalsDirVec1 # 1
        position' = v
        v' = a - (a . n) * n + [sine(7 * t), 0, 1e-7 * cosine(9 * t)]
    }
}
",
    ]
    .concat();
    let recording = run(&simulation(&text, 3.0, 60.0, "tolerance = 1e-4"));
    assert_eq!(events(&recording, EventKind::FreeFall).len(), 1);
    assert_eq!(events(&recording, EventKind::Contact).len(), 1);
}
