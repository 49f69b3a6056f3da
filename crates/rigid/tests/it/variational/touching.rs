//! Bodies in contact: rest, sliding, landing, stacks.

use super::{ORDERS, of_order};
use crate::support::{G, at, ball, cuboid, gravity, ground, id, run, simulation};
use gedanken_geometry::{HalfSpace, Shape};
use gedanken_math::rotation::about_axis;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Material, Simulation, World};

fn material(mu: f64) -> Material {
    Material::new("stuff", 0.0, mu).unwrap()
}

fn world<const N: usize>(bodies: [(&str, Body); N], mu: f64) -> World {
    let bodies = bodies.map(|(name, body)| (name.to_owned(), body.with_material("stuff")));
    World::new(bodies, [material(mu)]).unwrap().with_laws(gravity())
}

#[test]
fn a_box_on_an_incline_stays_where_it_is() {
    for order in ORDERS {
        let slope = 0.4;
        let turn = about_axis(1, slope);
        let normal = turn * Vec3::Z;
        let plane = Body::fixed(Shape::HalfSpace(HalfSpace::new(normal, 0.0).unwrap()), Pose::IDENTITY);
        let body = Body::dynamic(cuboid(0.4, 0.3, 0.2), Pose::new(turn, normal * 0.1)).with_mass(1.0);
        let mut simulation = simulation(world([("box", body), ("plane", plane)], 0.5), of_order(order));
        let body = id(&simulation, "box");
        let start = simulation.pose(body);
        run(&mut simulation, 0.01, 6000);
        let drift = (simulation.pose(body).translation - start.translation).length();
        assert!(drift < 1e-12, "{order:?}: {drift:e}");
        assert!(simulation.report().converged, "{:?}", simulation.report());
    }
}

#[test]
fn a_sliding_box_stops_where_it_should() {
    for order in ORDERS {
        let body = Body::dynamic(cuboid(0.4, 0.4, 0.2), at(0.0, 0.0, 0.1)).with_mass(1.0);
        let body = body.with_velocity(Vec3::new(1.5, 2.0, 0.0));
        let mut simulation = simulation(world([("box", body), ("plane", ground())], 0.3), of_order(order));
        let body = id(&simulation, "box");
        let h = 1e-3;
        run(&mut simulation, h, 1500);
        let way = simulation.pose(body).translation - Vec3::Z * 0.1;
        let expected = 2.5 * 2.5 / (2.0 * 0.3 * G);
        assert!((way.length() - expected).abs() < 3e-3 * expected, "{order:?}: {} {expected}", way.length());
        assert!(way.normalize().dot(Vec3::new(0.6, 0.8, 0.0)) > 1.0 - 1e-9);
        assert!(simulation.twist(body).linear.length() < 1e-12);
    }
}

#[test]
fn a_ball_that_slides_comes_to_roll() {
    let (mu, v0) = (0.3, 5.0);
    for order in ORDERS {
        let body = ball(0.1, 1.0, at(0.0, 0.0, 0.1)).with_velocity(Vec3::X * v0);
        let mut simulation = simulation(world([("ball", body), ("plane", ground())], mu), of_order(order));
        let body = id(&simulation, "ball");
        run(&mut simulation, 1e-3, 1000);
        let twist = simulation.twist(body);
        assert!((twist.linear.x - 5.0 / 7.0 * v0).abs() < 1e-2, "{order:?}: {twist:?}");
        assert!((twist.linear.x - 0.1 * twist.angular.y).abs() < 1e-9, "{order:?}: {twist:?}");
    }
}

#[test]
fn an_inelastic_landing_does_not_rebound() {
    for order in ORDERS {
        let turn = about_axis(0, 0.3) * about_axis(1, 0.2);
        let body = Body::dynamic(cuboid(0.2, 0.2, 0.2), Pose::new(turn, Vec3::Z * 0.5)).with_mass(1.0);
        let mut simulation = simulation(world([("box", body), ("plane", ground())], 0.4), of_order(order));
        let body = id(&simulation, "box");
        let mut worst: f64 = 0.0;
        for step in 0..600 {
            simulation.step(0.005).unwrap();
            let report = simulation.report();
            worst = worst.max(report.overlap);
            assert!(report.converged, "{order:?}, step {step}: {report:?}");
        }
        assert!(worst < 1e-9, "{worst:e}");
        assert!((simulation.pose(body).translation.z - 0.1).abs() < 1e-9);
        assert!(simulation.is_at_rest(body));
    }
}

fn stack(order: Order, count: usize) -> Simulation {
    let names: Vec<String> = (0..count).map(|k| format!("box {k}")).collect();
    let mut bodies: Vec<(String, Body)> = names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            let body = Body::dynamic(cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.5 + k as f64)).with_mass(1.0);
            (name.clone(), body.with_material("stuff"))
        })
        .collect();
    bodies.push(("ground".to_owned(), ground().with_material("stuff")));
    let world = World::new(bodies, [material(0.5)]).unwrap().with_laws(gravity());
    simulation(world, of_order(order))
}

#[test]
fn a_stack_stands_and_each_level_bears_what_is_above() {
    for order in ORDERS {
        let mut simulation = stack(order, 10);
        let h = 1.0 / 240.0;
        run(&mut simulation, h, 240);
        for touch in simulation.contacts().touches.iter() {
            let force = touch.impulse().z.abs() / h;
            let level = force / G;
            assert!((level - level.round()).abs() < 1e-6 && level > 0.5, "{order:?}: {level}");
        }
        for k in 0..10 {
            let place = simulation.pose(id(&simulation, &format!("box {k}"))).translation;
            assert!((place - Vec3::Z * (0.5 + k as f64)).length() < 1e-9, "{order:?}: {place}");
        }
        assert!(simulation.report().converged, "{:?}", simulation.report());
    }
}

/// 55 boxes whose contacts share edges: forces are far from unique, and every step converges.
#[test]
fn a_pyramid_stands_and_every_step_converges() {
    for order in ORDERS {
        let mut bodies = vec![("ground".to_owned(), ground())];
        for row in 0..10 {
            for k in 0..10 - row {
                let x = (f64::from(k) + 0.5 * f64::from(row)) * 1.05;
                let place = at(x, 0.0, 0.5 + f64::from(row));
                bodies.push((
                    format!("box {row} {k}"),
                    Body::dynamic(cuboid(1.0, 1.0, 1.0), place).with_mass(1.0),
                ));
            }
        }
        let world = World::new(bodies, []).unwrap().with_laws(gravity());
        let mut simulation = simulation(world, of_order(order));
        for step in 0..12 {
            simulation.step(1.0 / 240.0).unwrap();
            let report = simulation.report();
            assert!(report.converged, "{order:?}, step {step}: {report:?}");
        }
        let top = simulation.pose(id(&simulation, "box 9 0")).translation.z;
        assert!((top - 9.5).abs() < 1e-9, "{order:?}: {top}");
    }
}
