//! Loads that statics leaves open: symmetric islands share them symmetrically, whatever the number of sweeps.

use crate::support::{G, at, ball, cuboid, energies, ground, simulation};
use gedanken_dynamics::laws::UniformGravity;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};

const H: f64 = 1.0 / 240.0;
const RADIUS: f64 = 0.1;

/// A plate of 4 kg on balls of 0.5 kg at these places, all made of one material, with gravity that also pulls
/// along x.
fn plate_on_balls(places: &[[f64; 2]], pull: f64, settings: Settings) -> Simulation {
    let mut bodies = vec![("ground".to_owned(), ground())];
    for (k, [x, y]) in places.iter().enumerate() {
        bodies.push((format!("ball {k}"), ball(RADIUS, 0.5, at(*x, *y, RADIUS))));
    }
    let plate = Body::dynamic(cuboid(3.0, 3.0, 0.1), Pose::at(Vec3::Z * (2.0 * RADIUS + 0.05)));
    bodies.push(("plate".to_owned(), plate.with_mass(4.0)));
    let bodies = bodies.into_iter().map(|(name, body)| (name, body.with_material("stuff")));
    let world = World::new(bodies, [Material::new("stuff", 0.0, 0.5).unwrap()]).unwrap();
    let gravity = UniformGravity::new(Quantity::new(Vec3::new(pull, 0.0, -G)));
    simulation(world.with_laws(gravity), settings)
}

fn grid(side: usize) -> Vec<[f64; 2]> {
    let place = |k: usize| (k as f64 - 0.5 * (side as f64 - 1.0)) * 0.5;
    (0..side * side).map(|k| [place(k % side), place(k / side)]).collect()
}

fn ring(count: usize) -> Vec<[f64; 2]> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / count as f64;
    (0..count).map(|k| [libm::cos(angle(k)), libm::sin(angle(k))]).collect()
}

/// Normal forces between the plate and the balls, N.
fn loads(run: &Simulation) -> Vec<f64> {
    let plate = run.world().id("plate").unwrap().row() as u32;
    let touches = run.contacts().touches.iter().filter(|touch| touch.a == plate || touch.b == plate);
    touches.map(|touch| touch.points().iter().map(|point| point.normal_impulse).sum::<f64>() / H).collect()
}

#[test]
fn a_plate_at_rest_on_balls_is_carried_by_all_alike() {
    for places in [grid(2), grid(3), grid(5), ring(3), ring(6), ring(7), ring(12)] {
        let mut run = plate_on_balls(&places, 0.0, Settings::default());
        for step in 0..120 {
            run.step(H).unwrap();
            let loads = loads(&run);
            assert_eq!(loads.len(), places.len());
            let share = 4.0 * G / places.len() as f64;
            assert!(run.report().converged, "{} balls, step {step}: {:?}", places.len(), run.report());
            for load in &loads {
                assert!((load / share - 1.0).abs() < 1e-6, "{} balls, step {step}: {loads:?}", places.len());
            }
        }
    }
}

/// A plate of mass M rolls on n balls of mass m, and gravity has a part g along it. A ball goes half as fast as the
/// plate and turns with it, so T = ½ (M + n (m/4)(1 + 2/5)) v², and the power is (M + n m/2) g v.
#[test]
fn a_plate_rolls_on_all_its_balls() {
    let pull = 0.5;
    for places in [grid(2), grid(5), ring(5)] {
        let n = places.len() as f64;
        let (mass, each) = (4.0, 0.5);
        let expected = pull * (mass + 0.5 * n * each) / (mass + n * each * 0.25 * 1.4);
        let mut last = Vec::new();
        for iterations in [1, 4, 40] {
            let settings = Settings { iterations, ..Settings::default() };
            let mut run = plate_on_balls(&places, pull, settings);
            let steps = 60;
            for step in 0..steps {
                run.step(H).unwrap();
                assert!(run.report().converged, "{n} balls, step {step}: {:?}", run.report());
            }
            let plate = run.world().id("plate").unwrap();
            let a = run.twist(plate).linear.x / (H * f64::from(steps));
            assert!(
                (a / expected - 1.0).abs() < 1e-4,
                "{n} balls, {iterations} iterations: {a} of {expected}"
            );
            last.push(energies(&run));
        }
        for other in &last[1..] {
            assert!((other[0] / last[0][0] - 1.0).abs() < 1e-4, "{last:?}");
        }
    }
}

#[test]
fn a_box_bears_on_its_corners_alike() {
    let body = Body::dynamic(cuboid(1.0, 1.0, 0.4), at(0.0, 0.0, 0.2)).with_mass(2.0);
    let world = World::new([("ground", ground()), ("box", body)], []).unwrap();
    let gravity = UniformGravity::new(Quantity::new(Vec3::Z * -G));
    let mut run = simulation(world.with_laws(gravity), Settings::default());
    for _ in 0..240 {
        run.step(H).unwrap();
        let touch = &run.contacts().touches[0];
        assert_eq!(touch.points().len(), 4);
        for point in touch.points() {
            assert!((point.normal_impulse / H / (0.5 * G) - 1.0).abs() < 1e-6, "{touch:?}");
        }
        assert!(run.report().converged, "{:?}", run.report());
    }
}
