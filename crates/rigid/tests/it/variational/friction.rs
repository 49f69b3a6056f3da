//! Friction: strongly coupled to the normal force, near stick, with many coefficients.

use super::{ORDERS, of_order};
use crate::support::{cuboid, gravity, ground, id, simulation};
use gedanken_math::rotation::{about_axis, from_rotation_vector, to_world};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::variational::{FrictionIteration, Order, VariationalSettings};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};

fn on_ground(body: Body, mu: f64, settings: Settings) -> Simulation {
    let bodies = [("body", body.with_material("rough")), ("ground", ground().with_material("rough"))];
    let world = World::new(bodies, [Material::new("rough", 0.0, mu).unwrap()]).unwrap();
    simulation(world.with_laws(gravity()), settings)
}

/// A thin rod that leans at an angle with its lower end on the ground and is dragged along.
fn dragged_rod(angle: f64, mu: f64, speed: f64, settings: Settings) -> Simulation {
    let (length, width) = (1.0, 0.02);
    let turn = about_axis(1, angle);
    let corner = to_world(turn, Vec3::new(0.5 * length, 0.0, -0.5 * width));
    let body = Body::dynamic(cuboid(length, width, width), Pose::new(turn, Vec3::Z * -corner.z));
    on_ground(body.with_mass(1.0).with_velocity(Vec3::X * speed), mu, settings)
}

#[test]
fn a_rod_dragged_at_a_steep_angle_is_solved_where_lagging_goes_round() {
    for order in ORDERS {
        for speed in [-1.0, -0.2, 0.2, 1.0] {
            for (angle, mu) in [(0.9, 1.5), (0.9, 0.8), (0.6, 1.2), (1.1, 1.0)] {
                let mut simulation = dragged_rod(angle, mu, speed, of_order(order));
                for step in 0..60 {
                    simulation.step(0.005).unwrap();
                    let report = simulation.report();
                    let case = format!("{order:?}, {speed} m/s, {angle} rad, μ = {mu}, step {step}");
                    assert!(report.converged, "{case}: {report:?}");
                    assert!(report.overlap < 1e-9, "{case}: {report:?}");
                }
            }
        }
    }
}

/// A small generator of numbers between -1 and 1.
pub(crate) fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Throws with friction up to 2. A face that lands nearly flat and hardly slides has forces that nearly repeat
/// each other: one step in ten thousand is allowed to say that it has not converged, none to be wrong and say
/// that it has.
#[test]
fn random_throws_converge() {
    let seed = Settings { variational: VariationalSettings::SEED, ..of_order(Order::First) };
    let lagged =
        VariationalSettings { friction: FrictionIteration::Lagged, ..VariationalSettings::default() };
    let lagged = Settings { variational: lagged, ..of_order(Order::Second) };
    let mut failures = Vec::new();
    let mut steps = 0;
    for (name, settings) in [
        ("order 1", of_order(Order::First)),
        ("order 2", of_order(Order::Second)),
        ("seed", seed),
        ("lagged", lagged),
    ] {
        for throw in 0..12 {
            let mut number = numbers(throw);
            let mut vector = |size: f64| Vec3::new(number(), number(), number()) * size;
            let turn = from_rotation_vector(vector(3.0));
            let mu = [0.1, 0.4, 1.0, 2.0][throw as usize % 4];
            let h = [0.01, 0.005, 0.002][throw as usize % 3];
            let size = if throw % 2 == 0 { Vec3::ONE } else { Vec3::new(1.0, 0.6, 0.3) };
            let body = Body::dynamic(cuboid(size.x, size.y, size.z), Pose::new(turn, Vec3::Z * 1.5));
            let body = body.with_mass(1.0).with_velocity(vector(3.0)).with_angular_velocity(vector(6.0));
            let mut simulation = on_ground(body, mu, settings.clone());
            let mut before = 0.0;
            for step in 0..(2.0 / h) as usize {
                simulation.step(h).unwrap();
                steps += 1;
                let residuals = simulation.report().variational;
                let lags = settings.variational.friction == FrictionIteration::Lagged;
                let friction = if lags { 0.0 } else { residuals.friction };
                let off = residuals.stationarity.max(residuals.feasibility).max(residuals.complementarity);
                let report = simulation.report();
                // What a step that failed has left is taken away by later ones, and becomes no deeper.
                let deeper = report.overlap - before;
                assert!(deeper < 1e-9 || !report.converged, "{name}, throw {throw}, step {step}: {deeper:e}");
                before = report.overlap;
                if off.max(friction) > 1e-8 {
                    failures.push(format!("{name}, throw {throw}, μ = {mu}, step {step}: {residuals:?}"));
                }
            }
            assert!(simulation.twist(id(&simulation, "body")).linear.is_finite());
        }
    }
    assert!(
        failures.len() * 10_000 <= steps,
        "{} of {steps} steps: {}",
        failures.len(),
        failures[..failures.len().min(12)].join("\n")
    );
}
