//! The state of a rigid simulation is all there is: snapshots continue bit for bit, names alone decide the
//! order, the laws of nature know no place and no direction, and what is wrong is refused before anything
//! moves.

use crate::support::*;
use gedanken_dynamics::laws::{Custom, Springs, UniformGravity};
use gedanken_dynamics::{Fault, Integrator, ThreeD};
use gedanken_geometry::{HalfSpace, Shape};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::{Account, Body, Material, Notice, RigidError, Settings, Simulation, World};
use insta::assert_snapshot;

const H: f64 = 1.0 / 240.0;

/// Boxes and balls that fall on each other and on the ground, some of them turning.
fn pile() -> Vec<(String, Body)> {
    let mut bodies = vec![("ground".to_owned(), ground())];
    for k in 0..5 {
        let z = 0.4 + 0.7 * f64::from(k);
        let spin = Vec3::new(0.5, 0.2, -0.3) * f64::from(k);
        let body = Body::dynamic(cuboid(0.5, 0.4, 0.3), at(0.02 * f64::from(k), 0.0, z)).with_mass(1.0);
        bodies.push((format!("box {k}"), body.with_angular_velocity(spin)));
        let place = at(1.0 + 0.05 * f64::from(k % 2), 0.03 * f64::from(k), z);
        bodies.push((format!("ball {k}"), ball(0.2, 0.5, place).with_velocity(Vec3::X * -0.4)));
    }
    bodies
}

fn world(bodies: Vec<(String, Body)>) -> World {
    World::new(bodies, []).unwrap().with_laws(gravity())
}

mod snapshots {
    use super::*;

    /// Hashes of the states after each of so many steps.
    fn hashes(run: &mut Simulation, steps: usize) -> Vec<u64> {
        (0..steps)
            .map(|_| {
                run.step(H).unwrap();
                run.snapshot().hash()
            })
            .collect()
    }

    /// At any step, in the same simulation or in a new one of the same world.
    #[test]
    fn they_continue_bit_for_bit() {
        every_solver().into_iter().for_each(continues_bit_for_bit);
    }

    fn continues_bit_for_bit(settings: Settings) {
        let mut run = simulation(world(pile()), settings.clone());
        let mut kept = Vec::new();
        for _ in 0..12 {
            kept.push(run.snapshot());
            crate::support::run(&mut run, H, 20);
        }
        let end = run.snapshot();
        assert!(run.contacts().touches.len() > 8, "the test must touch something");
        let mut other = simulation(world(pile()), settings);
        for (k, snapshot) in kept.iter().enumerate() {
            for run in [&mut run, &mut other] {
                run.restore(snapshot).unwrap();
                assert_eq!(run.snapshot().hash(), snapshot.hash());
                crate::support::run(run, H, 20 * (12 - k));
                assert_eq!(run.snapshot().hash(), end.hash(), "from snapshot {k}");
            }
        }
    }

    /// A -> A with a box more -> without it: the same from a snapshot taken on the way.
    #[test]
    fn they_continue_through_worlds_with_other_bodies() {
        every_solver().into_iter().for_each(continues_through_worlds);
    }

    fn continues_through_worlds(settings: Settings) {
        let more = || {
            let mut bodies = pile();
            let body = Body::dynamic(cuboid(0.3, 0.3, 0.3), at(0.0, 0.0, 4.0)).with_mass(2.0);
            bodies.push(("ball 10".to_owned(), ball(0.3, 1.0, at(1.0, 0.0, 4.0))));
            bodies.push(("a new one".to_owned(), body));
            world(bodies)
        };
        let fewer = || world(pile().into_iter().filter(|(name, _)| name != "box 0").collect());
        let on = |run: &Simulation| {
            let mut run = run.onto(more()).unwrap();
            let mut seen = hashes(&mut run, 150);
            let mut run = run.onto(fewer()).unwrap();
            seen.extend(hashes(&mut run, 50));
            seen
        };
        let mut run = simulation(world(pile()), settings.clone());
        crate::support::run(&mut run, H, 100);
        let snapshot = run.snapshot();
        let first = on(&run);
        crate::support::run(&mut run, H, 33);
        run.restore(&snapshot).unwrap();
        assert_eq!(on(&run), first);
        let mut again = simulation(world(pile()), settings);
        again.restore(&snapshot).unwrap();
        assert_eq!(on(&again), first);
    }

    /// Going onto an equal world changes no bit of what follows.
    #[test]
    fn going_onto_the_same_world_is_nothing() {
        for settings in every_solver() {
            let mut run = simulation(world(pile()), settings);
            crate::support::run(&mut run, H, 120);
            let centre = run.pose(id(&run, "box 0")).translation;
            run.apply_force(id(&run, "box 0"), Vec3::X, centre).unwrap();
            let mut other = run.onto(world(pile())).unwrap();
            for _ in 0..60 {
                run.step(H).unwrap();
                other.step(H).unwrap();
                assert_eq!(run.snapshot().hash(), other.snapshot().hash());
            }
        }
    }

    /// A body that is removed takes its contacts along; the others keep theirs, with the impulses, under
    /// their new numbers.
    #[test]
    fn contacts_are_renumbered() {
        let column = |names: &[&str]| {
            let mut bodies = vec![("ground".to_owned(), ground())];
            for (k, name) in names.iter().enumerate() {
                bodies.push(((*name).to_owned(), ball(0.5, 1.0, at(2.0 * k as f64, 0.0, 0.5))));
            }
            world(bodies)
        };
        let mut run = simulation(column(&["a", "b", "c"]), jacobi());
        crate::support::run(&mut run, H, 5);
        let touching = |run: &Simulation| -> Vec<(String, String, f64)> {
            let components = run.world().model().components().clone();
            let name = |row: u32| {
                let found = components.iter().find(|id| id.row() == row as usize).unwrap();
                components.name(found).to_owned()
            };
            let touches = run.contacts().touches.iter();
            touches.map(|t| (name(t.a), name(t.b), t.points()[0].normal_impulse)).collect()
        };
        let all = touching(&run);
        assert_eq!(all.len(), 3);
        assert!(all.iter().all(|(_, _, impulse)| (impulse - G * H).abs() < 1e-9), "{all:?}");
        // New names before, between and after; "b" is gone.
        let other = run.onto(column(&["0", "a", "bb", "c", "z"])).unwrap();
        let kept: Vec<_> = all.into_iter().filter(|(a, ..)| a != "b").collect();
        assert_eq!(touching(&other), kept);
        assert_eq!((other.time(), other.state().tick()), (run.time(), run.state().tick()));
        assert_eq!(other.ledger().total, run.ledger().total);
    }

    /// With other mass properties it is the body's own frame that stays, and moves on as it did.
    #[test]
    fn the_own_frame_is_carried() {
        let body = |centre: Vec3, inertia: Mat3| {
            Body::shapeless(1.0, inertia, at(1.0, 2.0, 3.0))
                .with_centre(centre)
                .with_velocity(Vec3::new(0.5, 0.0, 0.1))
                .with_angular_velocity(Vec3::new(0.3, -1.0, 2.0))
        };
        let full =
            Mat3::from_cols(Vec3::new(2.0, 0.3, 0.1), Vec3::new(0.3, 3.0, 0.2), Vec3::new(0.1, 0.2, 4.0));
        let before = World::new([("body", body(Vec3::X * 0.5, full))], []).unwrap();
        let mut run = simulation(before, Settings::default());
        crate::support::run(&mut run, H, 100);
        let after = World::new([("body", body(Vec3::Y * -0.3, Mat3::from_diagonal(Vec3::ONE)))], []).unwrap();
        let other = run.onto(after).unwrap();
        let body = id(&run, "body");
        let (old, new) = (run.pose(body), other.pose(body));
        assert!((old.translation - new.translation).length() < 1e-14, "{old:?} {new:?}");
        assert!(old.rotation.dot(new.rotation).abs() > 1.0 - 1e-14, "{old:?} {new:?}");
        let velocity =
            |run: &Simulation| run.twist(body).at(run.pose(body).translation - run.centre(body).translation);
        assert!((velocity(&run) - velocity(&other)).length() < 1e-14);
        assert_eq!(run.twist(body).angular, other.twist(body).angular);
    }

    /// The ledger continues: sums of laws of the same name, and of those that are gone.
    #[test]
    fn books_are_carried() {
        let body = || vec![("ball".to_owned(), ball(0.1, 1.0, at(0.0, 0.0, 100.0)))];
        let mut run = simulation(world(body()), Settings::default());
        crate::support::run(&mut run, 0.01, 100);
        let ball = id(&run, "ball");
        let centre = run.centre(ball).translation;
        run.apply_impulse(ball, Vec3::X, centre).unwrap();
        let free = World::new(body(), []).unwrap();
        let mut run = run.onto(free).unwrap();
        crate::support::run(&mut run, 0.01, 10);
        let mut run = run.onto(world(body())).unwrap();
        crate::support::run(&mut run, 0.01, 50);
        let total = &run.ledger().total;
        assert!((total.laws[0].entry.momentum.z + 1.5 * G).abs() < 1e-9, "{total:?}");
        assert!((total.exchange.of(Account::User).energy - 0.5).abs() < 1e-12, "{total:?}");
        assert!(total.residual().abs() < 1e-9 && total.momentum_residual().length() < 1e-9);
    }

    #[test]
    fn one_of_other_bodies_is_refused() {
        let mut run = simulation(world(pile()), jacobi());
        let mut renamed = pile();
        renamed[1].0 = "box 77".to_owned();
        let other = simulation(world(renamed), jacobi());
        let before = run.snapshot().hash();
        let error = run.restore(&other.snapshot()).expect_err("the names differ");
        assert_snapshot!(error, @"the snapshot is of a world with other bodies: restore it there, and take that over with `onto`");
        assert_eq!(run.snapshot().hash(), before);
    }
}

mod symmetry {
    use super::*;

    /// The order in which bodies are given leaves no trace.
    #[test]
    fn the_order_of_creation() {
        for settings in every_solver() {
            let mut run = simulation(world(pile()), settings.clone());
            crate::support::run(&mut run, H, 240);
            for turn in [1, 4, 7] {
                let mut bodies = pile();
                bodies.rotate_left(turn);
                bodies[2..].reverse();
                let mut other = simulation(world(bodies), settings.clone());
                crate::support::run(&mut other, H, 240);
                assert_eq!(run.snapshot().hash(), other.snapshot().hash());
            }
        }
    }

    /// A box that slides, a ball that rolls and one that falls, in a frame; `frame` takes places and
    /// directions to the world.
    fn scene(frame: Pose, settings: Settings) -> Simulation {
        let turn = frame.rotation;
        let place = |pose: Pose| frame * pose;
        let floor = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), frame);
        let slider = Body::dynamic(cuboid(1.0, 0.8, 0.2), place(at(0.0, 0.0, 0.1))).with_mass(2.0);
        let bodies = [
            ("floor", floor),
            ("slider", slider.with_velocity(turn * Vec3::new(2.0, 1.0, 0.0))),
            (
                "roller",
                ball(0.2, 1.0, place(at(-5.0, 0.0, 0.2))).with_velocity(turn * Vec3::new(0.0, 3.0, 0.0)),
            ),
            ("faller", ball(0.3, 1.0, place(at(3.0, 3.0, 1.0))).with_angular_velocity(turn * Vec3::X)),
            (
                "tumbler",
                Body::dynamic(cuboid(0.4, 0.3, 0.2), place(at(0.0, 0.0, 30.0)))
                    .with_mass(1.0)
                    .with_angular_velocity(turn * Vec3::new(0.1, 5.0, 0.2)),
            ),
        ];
        let law = UniformGravity::<ThreeD>::new(Quantity::new(turn * Vec3::new(0.0, 0.0, -G)));
        simulation(World::new(bodies, []).unwrap().with_laws(law), settings)
    }

    /// The greatest distance of a body from where it would be if it had been computed in the frame itself.
    fn difference(frame: Pose, settings: &Settings) -> f64 {
        let (mut here, mut there) = (scene(Pose::IDENTITY, settings.clone()), scene(frame, settings.clone()));
        crate::support::run(&mut here, H, 240);
        crate::support::run(&mut there, H, 240);
        let bodies: Vec<_> = here.world().bodies().map(|(id, _)| id).collect();
        assert!((here.pose(bodies[2]).translation - Vec3::new(-5.0, 0.0, 0.2)).length() > 1.0);
        bodies.into_iter().fold(0.0, |most: f64, id| {
            let (expected, found) = (frame * here.pose(id), there.pose(id));
            most.max((expected.translation - found.translation).length()).max(
                (expected.rotation * expected.rotation.dot(found.rotation).signum() - found.rotation)
                    .length(),
            )
        })
    }

    /// Rounding at 1 km is 1e-13 m per step, and a second has 240 steps.
    #[test]
    fn a_kilometre_away() {
        for settings in every_solver() {
            let difference = difference(Pose::new(Quat::IDENTITY, Vec3::new(1e3, -1e3, 1e3)), &settings);
            assert!(difference < 1e-9, "{}: {difference}", settings.solver.name());
        }
    }

    #[test]
    fn turned_as_a_whole() {
        for settings in every_solver() {
            let turn = from_rotation_vector(Vec3::new(0.7, -1.1, 0.4));
            let difference = difference(Pose::new(turn, Vec3::ZERO), &settings);
            assert!(difference < 1e-9, "{}: {difference}", settings.solver.name());
        }
    }

    /// Without contacts and friction, bodies on springs retrace their way when their motion is reversed.
    #[test]
    fn time_reversed() {
        let body = |x: f64| {
            let body =
                Body::dynamic(cuboid(0.5, 0.4, 0.3), at(x, 0.0, 0.0)).with_mass(1.0).without_contacts();
            body.with_angular_velocity(Vec3::new(1.0, 4.0, x)).with_velocity(Vec3::new(0.0, x, 1.0))
        };
        let world = World::new([("a", body(0.0)), ("b", body(1.5))], []).unwrap();
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let springs = Springs::new().link(a, b, Quantity::new(20.0), Quantity::new(1.0));
        let mut run = simulation(world.with_laws(gravity()).with_laws(springs), Settings::default());
        let start = [a, b].map(|id| (run.pose(id), run.twist(id)));
        crate::support::run(&mut run, 0.005, 1000);
        assert!((run.pose(a).translation - start[0].0.translation).length() > 1.0);
        run.restore(&run.snapshot().reversed()).unwrap();
        crate::support::run(&mut run, 0.005, 1000);
        run.restore(&run.snapshot().reversed()).unwrap();
        for (id, (pose, twist)) in [a, b].into_iter().zip(start) {
            assert!((run.pose(id).translation - pose.translation).length() < 1e-9, "{:?}", run.pose(id));
            assert!(run.pose(id).rotation.dot(pose.rotation).abs() > 1.0 - 1e-12);
            assert!((run.twist(id).linear - twist.linear).length() < 1e-9);
            assert!((run.twist(id).angular - twist.angular).length() < 1e-9);
        }
    }
}

mod free_rotation {
    use super::*;

    fn tumbling(spin: Vec3) -> (Simulation, gedanken_dynamics::ComponentId) {
        let body = Body::dynamic(cuboid(0.6, 0.4, 0.2), Pose::IDENTITY).with_mass(1.0);
        let world = World::new([("box", body.with_angular_velocity(spin))], []).unwrap();
        let run = simulation(world, Settings::default());
        let body = id(&run, "box");
        (run, body)
    }

    #[test]
    fn a_tumbling_box_keeps_its_energy() {
        for spin in [Vec3::new(0.01, 3.0, 0.02), Vec3::new(3.0, 3.0, 3.0), Vec3::new(0.1, 10.0, 0.2)] {
            let (mut run, _) = tumbling(spin);
            let (start, momentum) = (run.energy(), run.angular_momentum());
            let mut worst = 0.0_f64;
            for _ in 0..500 {
                run.step(0.01).unwrap();
                worst = worst.max((run.energy() - start).abs() / start);
            }
            assert!(worst < 1e-6, "{spin}: {worst}");
            assert!((run.angular_momentum() - momentum).length() < 1e-12 * momentum.length());
            assert!((run.ledger().total.residual() - (run.energy() - start)).abs() < 1e-14);
        }
    }

    #[test]
    fn orientations_stay_of_unit_length() {
        let (mut run, body) = tumbling(Vec3::new(0.01, 3.0, 0.02));
        let mut worst = 0.0_f64;
        for _ in 0..10_000 {
            run.step(0.016).unwrap();
            let q = run.centre(body).rotation;
            worst = worst.max((q.dot(q) - 1.0).abs());
        }
        assert!(worst < 1e-10, "{worst}");
    }
}

mod rest {
    use super::*;

    /// A ball comes to rest where a threshold says so: by default below 1e-6 m/s, at both ends of a step.
    #[test]
    fn bodies_rest_below_the_threshold() {
        for (rest_speed, velocity, resting) in
            [(None, 0.9e-6, true), (None, 1.1e-6, false), (Some(0.1), 0.09, true), (Some(0.1), 0.11, false)]
        {
            let settings = Settings { rest_speed: rest_speed.unwrap_or(1e-6), ..Settings::default() };
            assert_eq!(Settings::default().rest_speed, 1e-6);
            for (v, w) in [(velocity, 0.0), (0.0, velocity)] {
                let body = ball(0.1, 1.0, Pose::IDENTITY).with_velocity(Vec3::X * v);
                let world = World::new([("ball", body.with_angular_velocity(Vec3::Z * w))], []).unwrap();
                let mut run = simulation(world, settings.clone());
                run.step(0.01).unwrap();
                assert_eq!(run.is_at_rest(id(&run, "ball")), resting, "{velocity} of {rest_speed:?}");
            }
        }
    }

    /// At the top of its flight a ball is slow, but not at rest.
    #[test]
    fn a_turning_point_is_no_rest() {
        let thrown = ball(0.1, 1.0, Pose::IDENTITY).with_velocity(Vec3::Z * G * 0.1);
        let mut run = simulation(world(vec![("ball".to_owned(), thrown)]), Settings::default());
        let ball = id(&run, "ball");
        for _ in 0..20 {
            run.step(0.01).unwrap();
            assert!(!run.is_at_rest(ball), "t = {}", run.time());
            let a = run.state().get::<gedanken_dynamics::Acceleration>(ball).unwrap().si();
            assert!((a + Vec3::Z * G).length() < 1e-11, "{a}");
        }
    }
}

mod refusals {
    use super::*;

    fn refused(body: Body) -> RigidError {
        World::new([("thing", body)], []).expect_err("no such body can be")
    }

    fn thing() -> Body {
        Body::dynamic(cuboid(1.0, 1.0, 1.0), Pose::IDENTITY)
    }

    fn shapeless(moments: [f64; 3]) -> Body {
        Body::shapeless(1.0, Mat3::from_diagonal(Vec3::from_array(moments)), Pose::IDENTITY)
    }

    #[test]
    fn bodies_that_cannot_be() {
        assert_snapshot!(refused(thing().with_mass(0.0)), @"the mass of 'thing' cannot be 0: it must be positive; make the body static if nothing shall move it");
        assert_snapshot!(refused(thing().with_mass(f64::NAN)), @"the mass of 'thing' cannot be NaN: it must be positive; make the body static if nothing shall move it");
        assert_snapshot!(refused(thing().with_density(-1.0)), @"the density of 'thing' cannot be -1: it must be positive; make the body static if nothing shall move it");
        assert_snapshot!(refused(thing()), @"'thing' is dynamic and has no mass: give it a mass, or a density and a shape with a volume");
        assert_snapshot!(refused(shapeless([1.0, 1.0, 3.0])), @"the inertia of 'thing' is no inertia of a body: its principal moments are [1.0, 1.0, 3.0]; they must be positive, and none may exceed the sum of the other two");
        assert_snapshot!(refused(shapeless([1.0, -1.0, 1.0])), @"the inertia of 'thing' is no inertia of a body: its principal moments are [1.0, -1.0, 1.0]; they must be positive, and none may exceed the sum of the other two");
        assert_snapshot!(refused(thing().with_mass(1.0).with_velocity(Vec3::NAN)), @"the velocity of 'thing' cannot be [NaN, NaN, NaN]: it must be made of finite numbers, and an orientation of unit length");
        let turned = Body::dynamic(sphere(1.0), Pose::new(Quat::from_xyzw(0.0, 0.0, 0.5, 0.5), Vec3::ZERO));
        assert_snapshot!(refused(turned.with_mass(1.0)), @"the orientation of 'thing' cannot be [0.5, 0, 0, 0.5]: it must be made of finite numbers, and an orientation of unit length");
        let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
        assert_snapshot!(refused(Body::dynamic(floor, Pose::IDENTITY).with_mass(1.0)), @"'thing' is a half-space, which can only be static: make it static, or give it another shape");
        assert_snapshot!(refused(thing().with_mass(1.0).with_material("cheese")), @"there is no material called 'cheese'; there are plain");
    }

    #[test]
    fn names_and_materials_that_cannot_be() {
        let twice = World::new([("a", thing().with_mass(1.0)), ("a", thing().with_mass(1.0))], []);
        assert_snapshot!(twice.expect_err("the name is taken"), @"the name 'a' is given to more than one body: names tell them apart, so give one another name");
        assert_snapshot!(Material::new("rubber", 1.2, 0.5).expect_err("e > 1"), @"the restitution of 'rubber' cannot be 1.2: it is between 0 (no rebound) and 1 (no loss)");
        assert_snapshot!(Material::new("rubber", 0.5, -0.1).expect_err("μ < 0"), @"the friction of 'rubber' cannot be -0.1: it is zero or positive");
    }

    #[test]
    fn methods_that_do_not_suit() {
        let start = |integrator: &str, bodies: Vec<(String, Body)>| {
            let settings = Settings { integrator: Integrator::by_name(integrator).unwrap(), ..jacobi() };
            Simulation::new(world(bodies), settings)
        };
        let alone = || vec![("thing".to_owned(), thing().with_mass(1.0))];
        assert_snapshot!(Settings::of_solver("newton").expect_err("no such solver"), @"there is no solver called 'newton'; there are jacobi, gauss-seidel, variational");
        assert_snapshot!(Integrator::by_name("euler").expect_err("no such integrator"), @"there is no integrator called 'euler'; there are symplectic-euler, leapfrog, leapfrog-kdk, velocity-verlet, adaptive-verlet, forest-ruth, yoshida6, yoshida8, rk4, dormand-prince, implicit-midpoint");
        assert_snapshot!(start("rk4", alone()).expect_err("points only"), @"'rk4' moves points only; bodies that turn need one of symplectic-euler, leapfrog, leapfrog-kdk, velocity-verlet, adaptive-verlet, forest-ruth, yoshida6, yoshida8");
        assert_snapshot!(start("yoshida6", pile()).expect_err("several kicks"), @"'yoshida6' takes several kicks in a step, some of them backwards perhaps, which contacts cannot follow: use 'leapfrog' or 'symplectic-euler', or let bodies pass through each other");
        assert!(start("yoshida6", alone()).is_ok() && start("symplectic-euler", pile()).is_ok());
        let settings = Settings { correction: 1.5, ..jacobi() };
        assert_snapshot!(Simulation::new(world(pile()), settings).expect_err("β > 1"), @"the correction of 'settings' cannot be 1.5: it is between 0 and 1");
    }

    /// A law that gives NaN: the fault names it, and nothing has happened, with contacts and without.
    #[test]
    fn a_force_that_is_no_number() {
        let alone = || vec![("ball".to_owned(), ball(0.1, 1.0, at(0.0, 0.0, 0.1)))];
        let each = |settings: Settings| [(alone(), settings.clone()), (pile(), settings)];
        for (bodies, settings) in every_solver().into_iter().flat_map(each) {
            let law =
                Custom::<ThreeD>::new("cliff", |body| Quantity::new(Vec3::X * (0.1 - body.time.si()).sqrt()));
            let mut run = simulation(world(bodies).with_laws(law), settings);
            let fault = (0..100).find_map(|_| {
                let before = run.snapshot().hash();
                let fault = run.step(H).err()?;
                assert_eq!(run.snapshot().hash(), before);
                Some(fault)
            });
            let fault = fault.expect("the square root ends at 0.1 s");
            assert!(matches!(&fault, Fault::NotFinite { rule, .. } if &**rule == "cliff"), "{fault}");
        }
    }

    #[test]
    fn an_overlapping_start_is_noticed() {
        let apart = simulation(world(pile()), jacobi());
        assert_eq!(apart.notices(), []);
        let mut bodies = pile();
        bodies.push((
            "box 9".to_owned(),
            Body::dynamic(cuboid(1.0, 1.0, 1.0), at(9.0, 0.0, 0.25)).with_mass(1.0),
        ));
        let run = simulation(world(bodies), jacobi());
        let [notice @ Notice::Overlap { bodies, depth }] = run.notices() else {
            panic!("{:?}", run.notices())
        };
        assert_eq!(bodies, &["box 9".to_owned(), "ground".to_owned()]);
        assert!((depth - 0.25).abs() < 1e-12);
        assert_snapshot!(notice, @"'box 9' and 'ground' overlap by 2.500e-1 m at the start: they will be moved apart; place them so that they only touch, or let them pass through each other");
    }

    /// Ten balls in one place: they part, no faster than they are moved, and every joule is accounted for.
    #[test]
    fn an_overlapping_start_does_not_explode() {
        every_solver().into_iter().for_each(parts_without_exploding);
    }

    fn parts_without_exploding(settings: Settings) {
        let mut bodies = vec![("ground".to_owned(), ground())];
        for k in 0..10 {
            let place = at(0.05 * f64::from(k % 3), 0.04 * f64::from(k % 4), 0.3 + 0.03 * f64::from(k));
            bodies.push((format!("{k}"), ball(0.3, 1.0, place)));
        }
        let mut run = simulation(world(bodies), settings);
        assert!(run.notices().len() > 20, "{:?}", run.notices());
        let start = run.energy();
        for _ in 0..480 {
            run.step(H).unwrap();
            let given = run.ledger().total.exchange.of(Account::Stabilisation).energy;
            assert!(run.energy() - start <= given.max(0.0) + 1e-9, "t = {}", run.time());
            assert!(run.kinetic_energy() < 10.0, "t = {}: {} J", run.time(), run.kinetic_energy());
        }
        assert!(run.report().overlap < 0.02, "{:?}", run.report());
    }
}

/// The whole step fits on a screen.
#[test]
fn the_flow_of_a_step() {
    let shown =
        |bodies| simulation(world(bodies), Settings::default()).flow().to_string().replace(" >> ", "\n>> ");
    let touching = shown(pile());
    assert!(touching.lines().count() < 40);
    assert_snapshot!(touching, @"
    (clear forces | clear torques | clear forces | clear torques)
    >> gravity
    >> (add up forces | add up torques)
    >> external forces
    >> start
    >> open ledger
    >> broad
    >> narrow
    >> islands
    >> drift·0.5
    >> predict
    >> (clear forces | clear torques | clear forces | clear torques)
    >> gravity
    >> (add up forces | add up torques)
    >> external forces
    >> solve
    >> kick
    >> drift·0.5
    >> impacts
    >> correct
    >> book laws
    >> book external forces
    >> clear displacements
    >> clear external forces
    >> rest
    >> events
    ");
    assert_snapshot!(shown(vec![("ball".to_owned(), ball(0.1, 1.0, Pose::IDENTITY))]), @"
    start
    >> open ledger
    >> islands
    >> drift·0.5
    >> (clear forces | clear torques | clear forces | clear torques)
    >> gravity
    >> (add up forces | add up torques)
    >> external forces
    >> kick
    >> book laws
    >> book external forces
    >> clear displacements
    >> drift·0.5
    >> clear external forces
    >> rest
    >> events
    ");
}
