//! Cards that lean on each other edge on edge: the normal of such a contact is the middle of both normal cones.
//!
//! Two cards of mass m that lean on each other push each other at the top with N. If that is horizontal, as it is for
//! mirror images, the foot of either card carries m g and the friction N. Moments about the foot give N = m g x/z, x
//! being how far the centre is beside the foot, and z how far the top is above it: ½ m g tan θ for thin cards with the
//! tilt θ. They stand if μ ≥ x/z.

use crate::support::{cuboid, gravity, ground, id, run, simulation};
use gedanken_math::rotation::{about_axis, to_world};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};

const LENGTH: f64 = 1.0;
const THICKNESS: f64 = 0.02;

/// Two cards that lean on each other with a tilt. Returns the threshold of friction, too.
fn cards(tilt: f64, mu: impl Fn(f64) -> f64) -> (Simulation, f64) {
    let size = Vec3::new(THICKNESS, 0.6, LENGTH);
    // The left card leans to the right: turned about y by its tilt.
    let turn = about_axis(1, tilt);
    let corner = |x: f64, z: f64| to_world(turn, Vec3::new(0.5 * x * size.x, 0.0, 0.5 * z * size.z));
    // The lowest edge is on the right below, and the one that meets the other card on the right above.
    let (foot, top) = (corner(1.0, -1.0), corner(1.0, 1.0));
    let place = Vec3::new(-top.x, 0.0, -foot.z);
    let threshold = foot.x.abs() / (top.z - foot.z);
    let (turned, mirrored) = (about_axis(1, -tilt), Vec3::new(top.x, 0.0, -foot.z));
    let card =
        |pose: Pose| Body::dynamic(cuboid(size.x, size.y, size.z), pose).with_mass(0.3).with_material("card");
    let bodies = [
        ("ground", ground().with_material("card")),
        ("left", card(Pose::new(turn, place))),
        ("right", card(Pose::new(turned, mirrored))),
    ];
    let friction = mu(threshold);
    let world = World::new(bodies, [Material::new("card", 0.0, friction).unwrap()]).unwrap();
    (simulation(world.with_laws(gravity()), Settings::default()), threshold)
}

#[test]
fn leaning_cards_stand_from_the_threshold_on() {
    for tilt in [0.2, 0.35, 0.4536, 0.6, 0.75] {
        for (part, stands) in [(1.02, true), (0.98, false)] {
            let (mut cards, threshold) = cards(tilt, |threshold| part * threshold);
            let start = cards.pose(id(&cards, "left")).translation;
            run(&mut cards, 1.0 / 240.0, 240);
            let sunk = start.z - cards.pose(id(&cards, "left")).translation.z;
            assert_eq!(sunk < 1e-3, stands, "tilt {tilt}, {part} of μ = {threshold}: sinks by {sunk}");
        }
    }
}
