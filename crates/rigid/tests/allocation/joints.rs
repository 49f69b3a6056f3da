//! After the first steps, bodies on joints move without allocating: chains of ball joints, loops of hinges,
//! motors and stops.

use crate::counting::asked;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Vec3};
use gedanken_rigid::joints::{Constraint, Ends, Hinge, Limit, Motor, Point};
use gedanken_rigid::{Body, Settings, Simulation, World};

fn body(x: f64) -> Body {
    Body::shapeless(0.5, Mat3::from_diagonal(Vec3::new(0.01, 0.02, 0.025)), Pose::at(Vec3::new(x, 0.0, 0.0)))
}

fn heavy(count: usize) -> World {
    let bodies = (0..count).map(|k| (format!("b{k}"), body(0.5 + k as f64)));
    let gravity = UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -9.81)));
    World::new(bodies, []).unwrap().with_laws(gravity)
}

/// Ball joints, or hinges with the last body held to the world again, and a motor and a stop on the first.
fn chain(count: usize, balls: bool) -> World {
    let mut world = heavy(count);
    for k in 0..count {
        let (a, b) = (
            world.id(&format!("b{k}")).unwrap(),
            k.checked_sub(1).map(|k| world.id(&format!("b{k}")).unwrap()),
        );
        let at = Vec3::new(k as f64, 0.0, 0.0);
        let name = format!("j{k}");
        if balls {
            world = world
                .clone()
                .with_constraint(Point::new(Ends::at(&world, name, a, b, at).unwrap()).unwrap())
                .unwrap();
            continue;
        }
        let hinge = Hinge::new(Ends::along(&world, name, a, b, at, Vec3::Y).unwrap()).unwrap();
        if k == 0 {
            let coordinate = hinge.coordinate().unwrap();
            let motor = Motor::new("motor", coordinate, 1.0, 0.5).unwrap();
            let stop = Limit::new("stop", coordinate, -0.5, 0.3).unwrap();
            world = world.with_constraint(motor).unwrap().with_constraint(stop).unwrap();
        }
        world = world.with_constraint(hinge).unwrap();
    }
    world
}

#[test]
fn a_warm_step_of_joints_allocates_nothing() {
    for balls in [true, false] {
        // Booking closes after the step and keeps its own lists.
        let settings = Settings { ledger: false, ..Settings::default() };
        let mut run = Simulation::new(chain(6, balls), settings).unwrap();
        (0..200).for_each(|_| run.step(1e-3).unwrap());
        let before = asked();
        assert!(before > 0, "the counter counts");
        (0..500).for_each(|_| run.step(1e-3).unwrap());
        assert_eq!(asked() - before, 0, "ball joints: {balls}");
    }
}
