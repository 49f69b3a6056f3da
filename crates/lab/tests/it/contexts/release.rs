//! The end of a contact on a curved surface, by live normals.

use super::stacks::{BOUNCE, world};
use super::support::{FLIGHT, assert_near, ball, events, moment, names, object, run, simulation};
use gedanken_math::Vec3;
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

/// Slides on a round surface that moves, by the normal that the engine gives: `reach` is the distance from its axis
/// or middle, `along` the direction of the axis, `carried` the velocity of the surface and `pulled` its acceleration.
const ON_A_ROUND: &str = "context {
    name = sliding
    type = contact
    geometric_data_directions = {[0, 0, -1]}
    functions = {
        n = collisionNormalsDirVec1 # 1
        u = v - (carried + pulled * t)
        w = u - (u . along) * along
        position' = v
        v' = a - ((a - pulled) . n) * n - (w . w) / reach * n
    }
}
";

/// A ball on a round surface, and the cosine at which it must leave.
#[derive(Clone)]
struct Slide {
    name: &'static str,
    surface: String,
    /// Distance between the middle of the ball and that of the surface.
    reach: f64,
    radius: f64,
    gravity: f64,
    /// Direction of the axis; none for a sphere.
    along: Vec3,
    carried: Vec3,
    pulled: Vec3,
    /// Angle of the start from the apparent vertical, and speed along the axis.
    angle: f64,
    drift: f64,
}

impl Slide {
    /// Apparent weight of the ball, as the surface sees it.
    fn weight(&self) -> Vec3 {
        Vec3::new(0.0, 0.0, -self.gravity) - self.pulled
    }

    /// Runs it; returns the cosine of the angle to the apparent vertical at which the ball leaves.
    fn cosine(&self, frame_rate: f64) -> f64 {
        let up = -self.weight().normalize();
        let side = Vec3::Y.cross(up);
        let out = up * libm::cos(self.angle) + side * libm::sin(self.angle);
        let start = out * self.reach + self.along * -1.0;
        let v = self.carried + self.along * self.drift;
        let vector = |it: Vec3| format!("{:?}", it.to_array());
        let world = format!(
            "world attributes {{\n    a = [0, 0, -{:?}]\n    e = 0\n    reach = {:?}\n    along = {}\n    carried = {}\n    pulled = {}\n}}\n",
            self.gravity,
            self.reach,
            vector(self.along),
            vector(self.carried),
            vector(self.pulled)
        );
        let ride = "context {
    name = ride
    type = free fall
    functions = {
        position = carried * t + 0.5 * pulled * t^2
    }
    applicability = {
        mandatory surface
    }
}
";
        let ridden = ride.replace("ride", "ridden").replace("free fall", "contact");
        let moves = self.surface.contains("dynamic");
        let text = [
            world.as_str(),
            &self.surface,
            &ball("ball", start.to_array(), self.radius, v.to_array(), 1.0),
            FLIGHT,
            BOUNCE,
            ON_A_ROUND,
            if moves { ride } else { "" },
            if moves { &ridden } else { "" },
        ]
        .concat();
        let recording = run(&simulation(&text, 1.5, frame_rate, ""));
        let falls = events(&recording, EventKind::FreeFall);
        let release = falls.iter().find(|it| it.time > 0.0).expect("it leaves");
        let place = Vec3::from_slice(&moment(&recording, release, Moment::Before, "ball.position"));
        let middle = self.carried * release.time + self.pulled * (0.5 * release.time * release.time);
        let arm = place - middle;
        let arm = (arm - self.along * arm.dot(self.along)).normalize();
        let contacts = events(&recording, EventKind::Contact);
        let of_ball = contacts.iter().filter(|it| names(&recording, it).contains(&"ball"));
        assert_eq!(of_ball.count(), 1, "{} at {frame_rate}", self.name);
        assert!(recording.notices.is_empty(), "{}: {:?}", self.name, recording.notices);
        arm.dot(up)
    }
}

/// The law of the dome holds on whatever is round and goes with the apparent weight: on a cylinder and a capsule,
/// also for a ball that drifts along the axis, and on a dome that moves or is pulled away.
#[test]
fn a_ball_leaves_whatever_is_round_at_two_thirds() {
    let lying = "orientation = [pi / 2, 0, 0]";
    let cylinder = object(
        "surface",
        "static",
        "cylinder",
        &format!("position = [0, 0, 0]\n        {lying}\n        radius = 0.7\n        height = 60"),
    );
    let capsule = object(
        "surface",
        "static",
        "capsule",
        &format!("position = [0, 0, 0]\n        {lying}\n        radius = 0.25\n        length = 60"),
    );
    let dome = object(
        "surface",
        "dynamic",
        "sphere",
        "position = [0, 0, 0]\n        size = 1\n        v = [0, 0, 0]",
    );
    let still = Slide {
        name: "cylinder",
        surface: cylinder,
        reach: 0.9,
        radius: 0.2,
        gravity: 9.81,
        along: Vec3::Y,
        carried: Vec3::ZERO,
        pulled: Vec3::ZERO,
        angle: 0.3,
        drift: 0.0,
    };
    let on_dome = |name, carried, pulled| Slide {
        name,
        surface: dome.clone(),
        reach: 1.3,
        radius: 0.3,
        along: Vec3::ZERO,
        carried,
        pulled,
        ..still.clone()
    };
    let slides = [
        still.clone(),
        Slide { name: "drifting along a cylinder", drift: 1.7, angle: 0.15, ..still.clone() },
        Slide {
            name: "capsule",
            surface: capsule,
            reach: 0.3,
            radius: 0.05,
            angle: 0.2,
            gravity: 3.7,
            drift: -0.6,
            ..still.clone()
        },
        on_dome("a dome that moves aside", Vec3::new(2.0, 0.7, 0.0), Vec3::ZERO),
        on_dome("a dome that rises", Vec3::new(0.0, 0.0, 1.3), Vec3::ZERO),
        on_dome("a dome that is pulled up", Vec3::ZERO, Vec3::new(0.0, 0.0, 4.0)),
        on_dome("a dome that is pulled aside", Vec3::new(0.5, 0.0, 0.0), Vec3::new(-2.5, 0.0, 0.0)),
        on_dome("a dome that sinks away", Vec3::ZERO, Vec3::new(1.0, 0.0, -3.0)),
    ];
    for slide in slides {
        for frame_rate in [13.0, 25.0, 60.0, 144.0] {
            let error = (slide.cosine(frame_rate) - 2.0 / 3.0 * libm::cos(slide.angle)).abs();
            assert!(error <= 1e-6, "{} at {frame_rate} frames per second: off by {error:e}", slide.name);
        }
    }
}
