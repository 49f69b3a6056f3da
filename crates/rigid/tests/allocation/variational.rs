//! A variational step of a die allocates nothing once it has seen a throw: in flight, landing, at rest.

use crate::counting::asked;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Cuboid, HalfSpace, Shape};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::variational::{Order, VariationalSettings};
use gedanken_rigid::{Body, Settings, Simulation, World};

fn die(variational: VariationalSettings) -> Simulation {
    let table = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY);
    let cube = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let die = Body::dynamic(cube, Pose::at(Vec3::Z * 3.0)).with_mass(1.0);
    let world = World::new([("table", table), ("die", die)], []).unwrap();
    let gravity = UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -9.81)));
    let settings = Settings { variational, ..Settings::of_solver("variational").unwrap() };
    Simulation::new(world.with_laws(gravity), settings).unwrap()
}

#[test]
fn a_die_allocates_nothing_once_warm() {
    let order = |order| VariationalSettings { order, ..VariationalSettings::default() };
    for settings in [VariationalSettings::SEED, order(Order::First), order(Order::Second)] {
        let mut simulation = die(settings);
        let die = simulation.world().id("die").unwrap();
        let mut throw = || {
            let pose = Pose::new(from_rotation_vector(Vec3::new(0.3, 0.5, -0.4)), Vec3::Z * 2.0);
            simulation.put(die, pose, Vec3::new(1.0, 0.5, 0.0), Vec3::new(2.0, 3.0, 1.0)).unwrap();
            let (mut touched, mut allocated) = (0, 0);
            for _ in 0..300 {
                let before = asked();
                simulation.step(0.01).unwrap();
                // Putting the die elsewhere threw the table of contacts away: coming near makes a new one.
                allocated += if touched > 0 { asked() - before } else { 0 };
                touched += u32::from(simulation.report().points > 0);
            }
            assert!(touched > 100, "{settings:?}: {touched}");
            allocated
        };
        throw();
        assert_eq!(throw(), 0, "{settings:?}");
    }
}
