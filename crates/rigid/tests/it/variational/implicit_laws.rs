//! Laws that depend on the motion: exact slopes make Newton's method quadratic, the right solution is taken
//! among several, and what a step cannot follow is refused by name.

use super::{ORDERS, of_order};
use crate::support::{at, id, run, simulation};
use gedanken_dynamics::laws::{
    Anchor, AnchoredSprings, Custom, Dampers, LinearDrag, NewtonianGravity, Pivot, Springs, TorsionSprings,
};
use gedanken_dynamics::{Fault, StrainKind};
use gedanken_math::units::{METRE, Quantity};
use gedanken_math::{Mat3, Quat, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Settings, Simulation, World};

fn point(mass: f64, place: Vec3, velocity: Vec3) -> Body {
    Body::shapeless(mass, Mat3::IDENTITY * (0.1 * mass), at(place.x, place.y, place.z))
        .with_velocity(velocity)
}

/// Runs and returns the most Newton steps of any step, all of which must have converged.
fn most_iterations(simulation: &mut Simulation, h: f64, steps: usize) -> u32 {
    (0..steps).fold(0, |most, _| {
        simulation.step(h).unwrap();
        let report = simulation.report();
        assert!(report.converged, "{report:?}");
        most.max(report.iterations)
    })
}

#[test]
fn a_stiff_spring_converges_in_a_few_newton_steps() {
    for order in ORDERS {
        let bodies = [
            ("a", point(1.0, Vec3::ZERO, Vec3::new(0.0, 0.4, 0.0))),
            ("b", point(2.0, Vec3::X * 1.001, Vec3::new(0.0, -0.3, 0.2))),
        ];
        let world = World::new(bodies, []).unwrap();
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let springs = Springs::new().link(a, b, Quantity::new(1e8), Quantity::new(1.0));
        let mut simulation = simulation(world.with_laws(springs), of_order(order));
        // ω h = 122.
        let most = most_iterations(&mut simulation, 0.01, 200);
        assert!(most <= 7, "{order:?}: {most}");
        let length = (simulation.pose(a).translation - simulation.pose(b).translation).length();
        assert!((length - 1.0).abs() < 2e-3, "{order:?}: {length}");
    }
}

/// Springs and dampers between points of turning bodies, torsion, and a law that has no slopes to tell.
fn linked(settings: Settings) -> Simulation {
    let inertia = Mat3::from_diagonal(Vec3::new(0.02, 0.05, 0.06));
    let body =
        |x: f64, spin: Vec3| Body::shapeless(1.0, inertia, at(x, 0.0, 0.0)).with_angular_velocity(spin);
    let bodies = [("a", body(0.0, Vec3::new(1.0, 2.0, -1.0))), ("b", body(1.0, Vec3::new(0.0, -2.0, 3.0)))];
    let world = World::new(bodies, []).unwrap();
    let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
    let ends = (Anchor::on(a, Vec3::new(0.2, 0.1, 0.0)), Anchor::on(b, Vec3::new(-0.2, 0.0, 0.1)));
    let fixed = Anchor::fixed(Vec3::new(0.0, 0.0, 1.0));
    let springs = AnchoredSprings::new().link(ends.0, ends.1, Quantity::new(400.0), 0.5 * METRE).link(
        ends.0,
        fixed,
        Quantity::new(100.0),
        0.8 * METRE,
    );
    let dampers = Dampers::new().link(ends.0, ends.1, Quantity::new(5.0));
    let pivot = Pivot { a, frame_a: Quat::IDENTITY, b, frame_b: Quat::IDENTITY };
    let torsion = TorsionSprings::new().link(pivot, Quantity::new(0.5), Quantity::new(0.2));
    let wind = Custom::new("wind", |body| {
        let v: Vec3 = body.velocity.si();
        Quantity::new(Vec3::new(0.3, 0.0, 0.1) * (1.0 + v.length_squared()))
    });
    let laws = gedanken_dynamics::laws::Laws::of(springs)
        + dampers
        + torsion
        + LinearDrag::new(Quantity::new(0.1))
        + wind;
    simulation(world.with_laws(laws), settings)
}

#[test]
fn laws_on_turning_bodies_converge_in_a_few_steps_and_have_their_order() {
    for order in ORDERS {
        let end = |h: f64| {
            let mut simulation = linked(of_order(order));
            let most = most_iterations(&mut simulation, h, (0.4 / h).round() as usize);
            assert!(most <= 5, "{order:?}: {most}");
            simulation.pose(id(&simulation, "a")).translation
        };
        let [a, b, c] = [0.004, 0.002, 0.001].map(end);
        let slope = libm::log2((a - b).length() / (b - c).length());
        assert!((slope - f64::from(order.number())).abs() < 0.2, "{order:?}: {slope}");
    }
}

fn binary(apart: Vec3, velocity: Vec3, masses: [f64; 2], settings: Settings) -> Simulation {
    let total = masses[0] + masses[1];
    let share = |k: usize, v: Vec3| v * (if k == 0 { -masses[1] } else { masses[0] } / total);
    let bodies =
        [("a", 0), ("b", 1)].map(|(name, k)| (name, point(masses[k], share(k, apart), share(k, velocity))));
    let gravity = NewtonianGravity::new(Quantity::new(1.0)).with_softening(0.0 * METRE);
    simulation(World::new(bodies, []).unwrap().with_laws(gravity), settings)
}

#[test]
fn an_eccentric_orbit_keeps_its_order_at_moderate_steps() {
    // a = 1, e = 0.6, from the apocentre: v² = (1 - e)/(1 + e). One period is 2π.
    let (apart, velocity) = (Vec3::X * 1.6, Vec3::Y * 0.5);
    let end = |order: Order, steps: usize| {
        let mut simulation = binary(apart, velocity, [0.7, 0.3], of_order(order));
        let h = std::f64::consts::TAU / steps as f64;
        let most = most_iterations(&mut simulation, h, steps);
        assert!(most <= 6, "{most}");
        let [a, b] = ["a", "b"].map(|name| simulation.pose(id(&simulation, name)).translation);
        (b - a - apart).length()
    };
    let slope = libm::log2(end(Order::Second, 400) / end(Order::Second, 800));
    assert!((slope - 2.0).abs() < 0.1, "{slope}");
}

/// Steps until a step is refused, and returns the fault; bodies stay where they were, in finite places.
fn refused(mut simulation: Simulation, h: f64, most: usize) -> Option<Fault> {
    (0..most).find_map(|_| {
        let fault = simulation.step(h).err()?;
        let places = ["a", "b"].map(|name| simulation.pose(id(&simulation, name)).translation);
        assert!(places.iter().all(|place| place.is_finite()));
        Some(fault)
    })
}

#[test]
fn a_head_on_fall_is_refused_before_it_is_nonsense() {
    for order in ORDERS {
        for (masses, speed) in
            [([1.0, 1.0], 0.0), ([1.0, 1e-6], 0.0), ([1.0, 1.0], -1.0), ([2.0, 1.0], -30.0)]
        {
            let start = binary(Vec3::X, Vec3::X * speed, masses, of_order(order));
            let fault = refused(start, 0.02, 200);
            let Some(Fault::Strained { strain, .. }) = fault else {
                panic!("{order:?} {masses:?}: {fault:?}")
            };
            assert_eq!(strain.kind, StrainKind::Runaway);
            assert_eq!(strain.bodies, ["a", "b"]);
        }
    }
    let fault = refused(binary(Vec3::X, Vec3::ZERO, [1.0, 1.0], of_order(Order::Second)), 0.02, 100).unwrap();
    // The fall takes π/4 s.
    insta::assert_snapshot!(
        fault,
        @"no step at t = 0.7800000000000004 s: the force of 'newtonian gravity' on 'a' and 'b' grows faster than their inertia resists within one step: take a shorter time step, or soften the law where bodies meet"
    );
}

/// A third of a period in one step: nothing that such a step could say is right.
#[test]
fn a_step_far_too_long_for_an_orbit_is_refused() {
    for order in ORDERS {
        let start = binary(Vec3::X, Vec3::Y, [1.0, 1e-9], of_order(order));
        let fault = refused(start, 2.0, 20);
        assert!(matches!(fault, Some(Fault::Strained { .. })), "{order:?}: {fault:?}");
    }
}

#[test]
fn a_force_that_jumps_is_solved_or_refused() {
    // Towards the plane x = 0 with the force 1 from both sides.
    let towards = |body: &gedanken_dynamics::laws::Body<gedanken_dynamics::ThreeD>| {
        let r: Vec3 = body.position.si();
        Quantity::new(Vec3::X * if r.x == 0.0 { 0.0 } else { -1f64.copysign(r.x) })
    };
    for order in ORDERS {
        let start = |place: Vec3| {
            let bodies = [("a", point(1.0, place, Vec3::ZERO)), ("b", point(1.0, Vec3::Y, Vec3::ZERO))];
            let world = World::new(bodies, []).unwrap().with_laws(Custom::new("kink", towards));
            simulation(world, of_order(order))
        };
        let mut at_kink = start(Vec3::ZERO);
        run(&mut at_kink, 0.01, 20);
        assert_eq!(at_kink.pose(id(&at_kink, "a")).translation, Vec3::ZERO);
        let fault = refused(start(Vec3::X * 1e-3), 0.01, 100);
        let Some(Fault::Strained { strain, .. }) = fault else { panic!("{order:?}: {fault:?}") };
        assert_eq!((&*strain.law, strain.kind), ("kink", StrainKind::Jump));
        assert_eq!(strain.bodies, ["a"]);
    }
}

/// A law sees a body that moves as it is told where it is, and not where it began.
#[test]
fn a_spring_follows_a_body_that_is_moved() {
    for order in ORDERS {
        let shape = gedanken_geometry::Shape::Sphere(gedanken_geometry::Sphere::new(0.1).unwrap());
        let cart = Body::kinematic(shape, at(0.0, 0.0, 0.0)).with_velocity(Vec3::X).without_contacts();
        let world = World::new([("cart", cart), ("a", point(1.0, -Vec3::X, Vec3::X))], []).unwrap();
        let (cart, a) = (world.id("cart").unwrap(), world.id("a").unwrap());
        let springs = Springs::new().link(cart, a, Quantity::new(50.0), Quantity::new(1.0));
        let mut simulation = simulation(world.with_laws(springs), of_order(order));
        run(&mut simulation, 0.01, 100);
        let place = simulation.pose(a).translation;
        assert!(place.length() < 1e-9, "{order:?}: {place}");
    }
}
