//! Friction so strong that sliding presses a point the more: rods that are dragged (Painlevé).
//!
//! Where the lower end of a uniform rod of mass m and slope θ touches the ground, K_nn = (1 + 3 cos²θ)/m and K_nt = ±3 sin θ cos θ/m. A point that slides towards the lean is pressed
//! by friction: with μ > K_nn/|K_nt| no sliding motion is possible there.

use crate::support::{cuboid, energies, gravity, ground, simulation};
use gedanken_geometry::{Capsule, Shape};
use gedanken_math::rotation::{about_axis, to_world};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};

#[derive(Debug, Clone, Copy)]
enum Rod {
    Box,
    Capsule,
}

/// A thin rod that leans at an angle, with its lower end on the ground.
fn leaning(rod: Rod, angle: f64, mu: f64, speed: f64, solver: &str) -> Simulation {
    let body = match rod {
        Rod::Box => {
            let (length, width) = (1.0, 0.02);
            let turn = about_axis(1, angle);
            let corner = to_world(turn, Vec3::new(0.5 * length, 0.0, -0.5 * width));
            Body::dynamic(cuboid(length, width, width), Pose::new(turn, Vec3::Z * -corner.z))
        }
        Rod::Capsule => {
            let (half, radius) = (0.5, 0.01);
            let turn = about_axis(1, angle + 0.5 * std::f64::consts::PI);
            let end = to_world(turn, Vec3::Z * half);
            let shape = Shape::Capsule(Capsule::new(radius, half).unwrap());
            Body::dynamic(shape, Pose::new(turn, Vec3::Z * (end.z.abs() + radius)))
        }
    };
    let body = body.with_mass(1.0).with_velocity(Vec3::X * speed);
    let bodies = [("body", body.with_material("rough")), ("ground", ground().with_material("rough"))];
    let world = World::new(bodies, [Material::new("rough", 0.0, mu).unwrap()]).unwrap();
    simulation(world.with_laws(gravity()), Settings::of_solver(solver).unwrap())
}

#[test]
fn a_rod_that_is_dragged_neither_sinks_nor_gains() {
    for rod in [Rod::Box, Rod::Capsule] {
        for angle in [0.5, 0.7, 0.9, 1.1] {
            for mu in [0.8, 1.2, 1.5, 2.0, 3.0] {
                for speed in [-2.0, -0.5, 0.0, 0.5, 2.0] {
                    let mut run = leaning(rod, angle, mu, speed, "gauss-seidel");
                    let first = energies(&run).iter().sum::<f64>();
                    let mut last = first;
                    for step in 0..60 {
                        run.step(1.0 / 240.0).unwrap();
                        let case = format!("{rod:?}, {angle} rad, μ = {mu}, {speed} m/s, step {step}");
                        let now = energies(&run).iter().sum::<f64>();
                        let report = run.report();
                        assert!(now < last + 1e-6 * first, "{case}: gains {:e}", (now - last) / first);
                        assert!(report.overlap < 2e-4, "{case}: {report:?}");
                        assert!(report.signorini < 1e-6, "{case}: {report:?}");
                        last = now;
                    }
                }
            }
        }
    }
}
