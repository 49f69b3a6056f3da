//! Every kind of constraint against independent computations: Jacobians and drifts against differences of the
//! values, motions that a joint allows against its values, the number of freedoms that it takes, and what it
//! refuses.

use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::joints::{
    Configuration, Distance, Ends, Gains, Grip, Hinge, Limit, Motor, Point, Rope, Row, Sense, Slider,
    UnitQuaternion, Universal, Weld,
};
use gedanken_rigid::{Body, Constraint, InverseMass, RigidError, Settings, Simulation, Twist, World};
use proptest::prelude::*;

fn vector(range: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
}

fn pose(reach: f64) -> impl Strategy<Value = Pose> {
    (vector(1.5), vector(reach)).prop_map(|(turn, place)| Pose::new(from_rotation_vector(turn), place))
}

fn twist(linear: f64, angular: f64) -> impl Strategy<Value = Twist> {
    (vector(linear), vector(angular)).prop_map(|(v, omega)| Twist::new(v, omega))
}

/// Two lopsided bodies: an inertia with products, a centre of mass off the origin of the shape.
fn world(poses: [Pose; 2]) -> World {
    let lopsided = |mass: f64, pose: Pose| {
        let inertia =
            Mat3::from_cols(Vec3::new(2.0, 0.3, -0.2), Vec3::new(0.3, 2.5, 0.4), Vec3::new(-0.2, 0.4, 1.5));
        Body::shapeless(mass, inertia, pose).with_centre(Vec3::new(0.2, -0.1, 0.3))
    };
    World::new([("a", lopsided(2.0, poses[0])), ("b", lopsided(3.0, poses[1]))], []).unwrap()
}

/// A place to put joints: a world, perhaps a second body, a point and two perpendicular axes.
#[derive(Debug, Clone)]
struct Site {
    world: World,
    a: ComponentId,
    b: Option<ComponentId>,
    point: Vec3,
    axis: Vec3,
    across: Vec3,
}

prop_compose! {
    fn site()(a in pose(1.0), b in pose(1.0), to_world in any::<bool>(), point in vector(1.0),
              turn in vector(2.0)) -> Site {
        let world = world([a, b]);
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let axes = from_rotation_vector(turn);
        Site { a, b: (!to_world).then_some(b), point, axis: axes * Vec3::X, across: axes * Vec3::Y, world }
    }
}

/// Where B's end of a rod or a rope is, from the other.
const REACH: Vec3 = Vec3::new(3.6, -2.4, 2.0);

impl Site {
    fn ends(&self) -> Ends {
        Ends::along(&self.world, "joint", self.a, self.b, self.point, self.axis).unwrap()
    }

    fn rod(&self) -> Ends {
        Ends::spanning(&self.world, "joint", self.a, self.b, [self.point, self.point + REACH]).unwrap()
    }

    fn cross(&self) -> Ends {
        let axes = [self.axis, self.across];
        Ends::crossing(&self.world, "joint", self.a, self.b, self.point, axes).unwrap()
    }

    fn start(&self) -> Configuration {
        *self.ends().start()
    }

    /// Everything that equals zero at the start, with the number of freedoms that it takes.
    fn joints(&self) -> Vec<(Box<dyn Constraint>, usize)> {
        vec![
            (Box::new(Distance::as_placed(self.rod()).unwrap()), 1),
            (Box::new(Rope::new(self.rod(), REACH.length()).unwrap()), 1),
            (Box::new(Point::new(self.ends()).unwrap()), 3),
            (Box::new(Universal::new(self.cross()).unwrap()), 4),
            (Box::new(Hinge::new(self.ends()).unwrap()), 5),
            (Box::new(Slider::new(self.ends()).unwrap()), 5),
            (Box::new(Weld::new(self.ends()).unwrap()), 6),
        ]
    }

    /// Those and the inequalities and drives of their coordinates.
    fn kinds(&self) -> Vec<Box<dyn Constraint>> {
        let angle = Hinge::new(self.ends()).unwrap().angle();
        let travel = Slider::new(self.ends()).unwrap().travel();
        let mut kinds: Vec<Box<dyn Constraint>> = self.joints().into_iter().map(|(joint, _)| joint).collect();
        kinds.push(Box::new(Limit::new("stop", angle, -1.0, 0.7).unwrap()));
        kinds.push(Box::new(Limit::new("stop", travel, f64::NEG_INFINITY, 0.7).unwrap()));
        kinds.push(Box::new(Limit::new("stop", travel, -0.3, 0.7).unwrap()));
        kinds.push(Box::new(Motor::new("drive", angle, 3.0, 10.0).unwrap()));
        kinds.push(Box::new(Motor::new("drive", travel, 3.0, 10.0).unwrap()));
        kinds
    }

    /// The start with A moved by `motion` of the world.
    fn with_a_moved(&self, motion: Pose) -> Configuration {
        let start = self.start();
        Configuration { a: motion * start.a, ..start }
    }
}

/// The rotation of space by a rotation vector about a point.
fn about(point: Vec3, phi: Vec3) -> Pose {
    let turn = Pose::new(from_rotation_vector(phi), Vec3::ZERO);
    Pose::at(point) * turn * Pose::at(-point)
}

fn advanced(pose: Pose, twist: Twist, t: f64) -> Pose {
    Pose::new(from_rotation_vector(twist.angular * t) * pose.rotation, pose.translation + twist.linear * t)
}

fn rows(kind: &dyn Constraint, at: &Configuration) -> Vec<Row> {
    let mut rows = Vec::new();
    kind.rows(at, &mut rows);
    assert_eq!(rows.len(), kind.dimension(), "{}", kind.kind());
    rows
}

fn values(kind: &dyn Constraint, at: &Configuration) -> Vec<f64> {
    rows(kind, at).iter().map(|row| row.value).collect()
}

fn rates(kind: &dyn Constraint, at: &Configuration, a: Twist, b: Twist) -> Vec<f64> {
    rows(kind, at).iter().map(|row| row.a.dot(a) + row.b.dot(b) + row.rate).collect()
}

/// The derivative at zero of several functions, by Richardson's extrapolation of central differences: fourth
/// order.
fn derivative(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| f(h).iter().zip(f(-h)).map(|(x, y)| (x - y) / (2.0 * h)).collect::<Vec<_>>();
    let h = 1e-3;
    central(0.5 * h).iter().zip(central(h)).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

/// The rank of the Jacobian, by Gram and Schmidt with the largest row first; B's columns count if there is a
/// B.
fn rank(kind: &dyn Constraint, at: &Configuration) -> usize {
    let mut left: Vec<Vec<f64>> = rows(kind, at)
        .iter()
        .map(|row| {
            let b = if kind.bodies().1.is_some() { row.b } else { Twist::ZERO };
            [row.a.linear, row.a.angular, b.linear, b.angular].iter().flat_map(|v| v.to_array()).collect()
        })
        .collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    for rank in 0.. {
        left.sort_by(|x, y| dot(y, y).total_cmp(&dot(x, x)));
        match left.first() {
            Some(row) if dot(row, row) > 1e-6 => {
                let pivot = left.remove(0);
                for row in &mut left {
                    let share = dot(row, &pivot) / dot(&pivot, &pivot);
                    row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= share * p);
                }
            }
            _ => return rank,
        }
    }
    unreachable!("every round removes a row")
}

/// x with m x = y, by elimination with the largest pivot.
fn solved(mut m: Vec<Vec<f64>>, mut y: Vec<f64>) -> Vec<f64> {
    let n = y.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs())).unwrap();
        m.swap(k, pivot);
        y.swap(k, pivot);
        for i in k + 1..n {
            let share = m[i][k] / m[k][k];
            let from = m[k].clone();
            m[i].iter_mut().zip(&from).for_each(|(x, p)| *x -= share * p);
            y[i] -= share * y[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| m[k][j] * y[j]).sum();
        y[k] = (y[k] - known) / m[k][k];
    }
    y
}

/// The acceleration of A on a joint to the world, under gravity, by Lagrange: M a = F + Jᵀλ and J a + J̇ v =
/// 0.
fn acceleration(
    joint: &dyn Constraint,
    body: &Body,
    at: &Configuration,
    twist: Twist,
    gravity: Vec3,
) -> Twist {
    let inverse = InverseMass::new(body.mass(), body.moments(), at.a.rotation);
    let spin = twist.angular;
    let momentum = at.a.vector_to_world(body.moments() * at.a.vector_to_body(spin));
    let free = inverse.apply(Twist::new(gravity * body.mass(), -spin.cross(momentum)));
    let rows = rows(joint, at);
    let mut drift = Vec::new();
    joint.drift(at, twist, Twist::ZERO, &mut drift);
    let across = |one: &Row| rows.iter().map(|two| one.a.dot(inverse.apply(two.a))).collect();
    let needed = rows.iter().zip(&drift).map(|(row, drift)| -row.a.dot(free) - drift).collect();
    let multipliers = solved(rows.iter().map(across).collect(), needed);
    rows.iter().zip(multipliers).fold(free, |a, (row, lambda)| a + inverse.apply(row.a * lambda))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A lopsided body on a hinge is a compound pendulum, on a slider it slides down its slope, on a ball
    /// joint it obeys Euler about the fixed point: by multipliers and in closed form.
    #[test]
    fn multipliers_give_the_motions_of_textbooks(site in site(), theta in -3.0..3.0f64, speed in -4.0..4.0f64,
                                                 spin in vector(3.0), gravity in vector(9.0)) {
        let site = Site { b: None, ..site };
        let (axis, body) = (site.axis, site.world.body(site.a).unwrap());
        let tensor = |at: &Configuration, x: Vec3| at.a.vector_to_world(body.moments() * at.a.vector_to_body(x));
        // I about the point times x: Steiner's theorem.
        let about_point = |at: &Configuration, x: Vec3| {
            let arm = at.a.translation - site.point;
            tensor(at, x) + arm.cross(x.cross(arm)) * body.mass()
        };

        let hinge = Hinge::new(site.ends()).unwrap();
        let at = site.with_a_moved(about(site.point, axis * theta));
        let arm = at.a.translation - site.point;
        let turning = Twist::new((axis * speed).cross(arm), axis * speed);
        let found = acceleration(&hinge, body, &at, turning, gravity);
        let exact = axis.dot(arm.cross(gravity * body.mass())) / axis.dot(about_point(&at, axis));
        prop_assert!((found.angular - axis * exact).length() < 1e-10, "hinge: {found:?}, exactly {exact}");

        let point = Point::new(site.ends()).unwrap();
        let found = acceleration(&point, body, &at, Twist::new(spin.cross(arm), spin), gravity);
        // I ω̇ + ω × I ω = r × m g, everything about the fixed point.
        let left = about_point(&at, found.angular) + spin.cross(about_point(&at, spin));
        prop_assert!((left - arm.cross(gravity * body.mass())).length() < 1e-8 * (1.0 + left.length()));

        let slider = Slider::new(site.ends()).unwrap();
        let at = site.with_a_moved(Pose::at(axis * theta));
        let found = acceleration(&slider, body, &at, Twist::new(axis * speed, Vec3::ZERO), gravity);
        let exact = Twist::new(axis * axis.dot(gravity), Vec3::ZERO);
        prop_assert!((found - exact).linear.length() + found.angular.length() < 1e-10, "slider: {found:?}");
    }

    /// Anywhere near the start, holding or not: the Jacobian is the derivative of the value along any twists,
    /// the drift that of the rate along constant ones.
    #[test]
    fn jacobians_and_drifts_are_derivatives(site in site(), off in [twist(0.3, 0.35), twist(0.3, 0.35)],
                                            a in twist(1.0, 1.0), b in twist(1.0, 1.0)) {
        let start = site.start();
        let b = if site.b.is_some() { b } else { Twist::ZERO };
        let moved_b = if site.b.is_some() { advanced(start.b, off[1], 1.0) } else { start.b };
        let here = Configuration { a: advanced(start.a, off[0], 1.0), b: moved_b, time: 0.0 };
        let at = |t: f64| Configuration { a: advanced(here.a, a, t), b: advanced(here.b, b, t), time: t };
        for kind in site.kinds() {
            let kind = kind.as_ref();
            for (rate, slope) in rates(kind, &here, a, b).iter().zip(derivative(|t| values(kind, &at(t)))) {
                prop_assert!((rate - slope).abs() < 1e-8, "{}: rate {rate}, slope {slope}", kind.kind());
            }
            let mut drifts = Vec::new();
            kind.drift(&here, a, b, &mut drifts);
            prop_assert_eq!(drifts.len(), kind.dimension());
            for (drift, slope) in drifts.iter().zip(derivative(|t| rates(kind, &at(t), a, b))) {
                prop_assert!((drift - slope).abs() < 1e-8, "{}: drift {drift}, slope {slope}", kind.kind());
            }
        }
    }

    /// As built, everything holds, nothing is redundant, and the orientation's sign means nothing.
    #[test]
    fn joints_hold_as_placed_and_take_their_freedoms(site in site()) {
        let start = site.start();
        for (joint, takes) in site.joints() {
            for value in values(joint.as_ref(), &start) {
                prop_assert!(value.abs() < 2e-14, "{}: {value}", joint.kind());
            }
            prop_assert_eq!(rank(joint.as_ref(), &start), takes, "{}", joint.kind());
            prop_assert_eq!(joint.dimension(), takes);
            let other = Configuration { a: Pose::new(-start.a.rotation, start.a.translation), ..start };
            prop_assert_eq!(rows(joint.as_ref(), &other), rows(joint.as_ref(), &start));
        }
    }

    /// The motions that a joint is made for keep it holding, however far they go, and change its coordinate
    /// by as much.
    #[test]
    fn joints_allow_their_motions(site in site(), far in -3.0..3.0f64, tilt in -3.0..3.0f64, phi in vector(1.7)) {
        let (point, axis, across) = (site.point, site.axis, site.across);
        let swung = about(point + REACH, phi) * about(point, Vec3::new(phi.z, phi.x, phi.y));
        let allowed: [(Box<dyn Constraint>, Pose, usize); 5] = [
            (Box::new(Distance::as_placed(site.rod()).unwrap()), swung, 1),
            (Box::new(Point::new(site.ends()).unwrap()), about(point, phi), 3),
            (Box::new(Universal::new(site.cross()).unwrap()), about(point, across * tilt) * about(point, axis * far), 4),
            (Box::new(Hinge::new(site.ends()).unwrap()), about(point, axis * far), 5),
            (Box::new(Slider::new(site.ends()).unwrap()), Pose::at(axis * far), 5),
        ];
        for (joint, motion, takes) in allowed {
            let at = site.with_a_moved(motion);
            for value in values(joint.as_ref(), &at) {
                prop_assert!(value.abs() < 2e-14, "{}: {value}", joint.kind());
            }
            prop_assert_eq!(rank(joint.as_ref(), &at), takes, "{}", joint.kind());
            if let Some(coordinate) = joint.coordinate() {
                prop_assert!((coordinate.value(&at) - far).abs() < 2e-14, "{}", coordinate.name());
            }
        }
    }

    /// Turning A at a rate about the axis of a hinge, or moving it along that of a slider, is their speed.
    #[test]
    fn speeds_are_of_a_as_seen_from_b(site in site(), far in -3.0..3.0f64, speed in -5.0..5.0f64, common in twist(1.0, 1.0)) {
        let carried = |pose: Pose| Twist::new(common.at(pose.translation), common.angular);
        let hinge = Hinge::new(site.ends()).unwrap().angle();
        let at = site.with_a_moved(about(site.point, site.axis * far));
        let spin = Twist::new((site.axis * speed).cross(at.a.translation - site.point), site.axis * speed);
        prop_assert!((hinge.speed(&at, carried(at.a) + spin, carried(at.b)) - speed).abs() < 1e-13);
        let slider = Slider::new(site.ends()).unwrap().travel();
        let at = site.with_a_moved(Pose::at(site.axis * far));
        let slide = Twist::new(site.axis * speed, Vec3::ZERO);
        prop_assert!((slider.speed(&at, carried(at.a) + slide, carried(at.b)) - speed).abs() < 1e-13);
    }

    /// Carrying the whole world elsewhere changes no constraint between two bodies.
    #[test]
    fn only_relative_places_matter(site in site(), off in twist(0.3, 0.35), carried in pose(3.0)) {
        let site = Site { b: Some(site.world.id("b").unwrap()), ..site };
        let start = site.start();
        let here = Configuration { a: advanced(start.a, off, 1.0), ..start };
        let there = Configuration { a: carried * here.a, b: carried * here.b, time: 0.0 };
        for kind in site.kinds() {
            let size = |at| values(kind.as_ref(), at).iter().map(|x| x * x).sum::<f64>().sqrt();
            prop_assert!((size(&here) - size(&there)).abs() < 1e-13, "{}", kind.kind());
        }
    }

    /// A joint given in the bodies' own frames is the one given in the world.
    #[test]
    fn own_frames_say_the_same_as_the_world(site in site(), off in twist(0.3, 0.35)) {
        let own = |id: Option<ComponentId>| {
            let pose = |id: ComponentId| site.world.body(id).unwrap().principal_pose() * site.world.body(id).unwrap().frame();
            let pose = id.map_or(Pose::IDENTITY, pose);
            let body = id.unwrap_or(ComponentId::WORLD);
            Grip::along(body, pose.point_to_body(site.point), pose.vector_to_body(site.axis) * 3.0)
        };
        let ends = Ends::between(&site.world, "joint", own(Some(site.a)), own(site.b)).unwrap();
        let at = Configuration { a: advanced(site.start().a, off, 1.0), ..site.start() };
        let pairs: [[Box<dyn Constraint>; 2]; 3] = [
            [Box::new(Hinge::new(ends.clone()).unwrap()), Box::new(Hinge::new(site.ends()).unwrap())],
            [Box::new(Slider::new(ends.clone()).unwrap()), Box::new(Slider::new(site.ends()).unwrap())],
            [Box::new(Weld::new(ends).unwrap()), Box::new(Weld::new(site.ends()).unwrap())],
        ];
        for [one, two] in pairs {
            // The frames may differ by a turn about the axis, which no length sees.
            let size = |kind: &dyn Constraint| values(kind, &at).iter().map(|x| x * x).sum::<f64>().sqrt();
            prop_assert!((size(one.as_ref()) - size(two.as_ref())).abs() < 1e-13, "{}", one.kind());
        }
    }

    /// The room to both limits adds up to the range, the rows push apart, and beyond a limit the nearer one
    /// is violated.
    #[test]
    fn limits_bound_the_coordinate(site in site(), least in -3.0..0.0f64, width in 0.1..3.0f64, far in -1.0..1.0f64) {
        let most = least + width;
        let theta = 0.5 * (least + most) + far * 3.0;
        let coordinates = [
            (Hinge::new(site.ends()).unwrap().angle(), about(site.point, site.axis * theta)),
            (Slider::new(site.ends()).unwrap().travel(), Pose::at(site.axis * theta)),
        ];
        for (coordinate, motion) in coordinates {
            let limit = Limit::new("stop", coordinate, least, most).unwrap();
            let [lower, upper] = rows(&limit, &site.with_a_moved(motion)).try_into().unwrap();
            prop_assert!((lower.value - (theta - least)).abs() < 1e-13 && (upper.value - (most - theta)).abs() < 1e-13);
            prop_assert_eq!((lower.a, lower.b), (-upper.a, -upper.b));
            prop_assert!(lower.sense == Sense::AtLeast && upper.sense == Sense::AtLeast);
        }
    }
}

/// Far outside of its range a rope at zero length and a rod whose ends meet still have finite rows.
#[test]
fn ends_that_meet_make_no_nan() {
    let world = world([Pose::IDENTITY, Pose::at(Vec3::X)]);
    let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
    let ends = Ends::at(&world, "rope", a, b, Vec3::Y).unwrap();
    let (twist, at) = (Twist::new(Vec3::X, Vec3::Y), *ends.start());
    let rope = Rope::new(ends.clone(), 2.0).unwrap();
    assert!((rope.slack(&at) - 2.0).abs() < 1e-15);
    for kind in [Box::new(rope) as Box<dyn Constraint>, Box::new(Distance::new(ends, 2.0).unwrap())] {
        let mut drift = Vec::new();
        kind.drift(&at, twist, -twist, &mut drift);
        let row = rows(kind.as_ref(), &at)[0];
        assert!(drift[0].is_finite() && row.a.is_finite() && row.b.is_finite() && row.value.is_finite());
    }
}

#[test]
fn what_joints_say_of_themselves() {
    let world = world([Pose::IDENTITY, Pose::at(Vec3::X)]);
    let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
    let ends = Ends::along(&world, "door", a, b, Vec3::ZERO, Vec3::Z).unwrap();
    let gains = Gains { alpha: 3.0, beta: 0.0 };
    let hinge = Hinge::new(ends.clone().with_gains(gains).unwrap().letting_touch(true)).unwrap();
    assert_eq!((hinge.name(), hinge.kind(), hinge.bodies()), ("door", "hinge", (a, Some(b))));
    assert_eq!((hinge.gains(), hinge.lets_touch()), (gains, true));
    let rope = Rope::new(ends.clone(), 1.0).unwrap();
    assert!(rope.lets_touch() && !Weld::new(ends).unwrap().lets_touch());
    assert_eq!((hinge.angle().name(), hinge.angle().unit()), ("angle", "rad"));
    let motor = Motor::new("drive", hinge.angle(), -2.0, 5.0).unwrap();
    assert_eq!(
        rows(&motor, &Configuration { a: Pose::IDENTITY, b: Pose::IDENTITY, time: 0.0 })[0].sense,
        Sense::Driven { speed: -2.0, most: 5.0 }
    );
    // The world by its own name is the world.
    let ends = Ends::at(&world, "peg", a, ComponentId::WORLD, Vec3::ZERO).unwrap();
    assert_eq!(Point::new(ends).unwrap().bodies(), (a, None));
}

#[test]
fn what_makes_no_joint_is_refused() {
    let world = world([Pose::IDENTITY, Pose::at(Vec3::X)]);
    let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let ends = || Ends::along(&world, "door", a, b, Vec3::ZERO, Vec3::Z).unwrap();
    let plain = || Ends::at(&world, "door", a, b, Vec3::ZERO).unwrap();
    let angle = Hinge::new(ends()).unwrap().angle();
    let travel = Slider::new(ends()).unwrap().travel();
    let parallel = Universal::new(ends());
    let crossing = Ends::crossing(&world, "door", a, b, Vec3::ZERO, [Vec3::X, Vec3::new(1.0, 1.0, 0.0)]);
    let opposite = Ends::crossing(&world, "door", a, b, Vec3::ZERO, [Vec3::Z, -Vec3::Z]);
    let refused: [Result<(), RigidError>; 23] = [
        Ends::at(&world, "door", a, a, Vec3::ZERO).map(drop),
        Ends::at(&world, "door", ComponentId::WORLD, a, Vec3::ZERO).map(drop),
        Ends::at(&world, "door", a, b, nan).map(drop),
        Ends::along(&world, "door", a, b, Vec3::ZERO, Vec3::ZERO).map(drop),
        Ends::along(&world, "door", a, b, Vec3::ZERO, nan).map(drop),
        Ends::between(&world, "door", Grip::at(a, Vec3::ZERO), Grip::at(a, Vec3::X)).map(drop),
        plain().with_gains(Gains { alpha: -1.0, beta: 10.0 }).map(drop),
        Hinge::new(plain()).map(drop),
        Slider::new(plain()).map(drop),
        Hinge::new(opposite.unwrap()).map(drop),
        parallel.map(drop),
        Universal::new(crossing.unwrap()).map(drop),
        Distance::new(plain(), 0.0).map(drop),
        Distance::new(plain(), -1.0).map(drop),
        Distance::as_placed(plain()).map(drop),
        Rope::new(plain(), f64::NAN).map(drop),
        Limit::new("stop", angle, 1.0, -1.0).map(drop),
        Limit::new("stop", angle, f64::NAN, 1.0).map(drop),
        Limit::new("stop", angle, -1.0, 3.2).map(drop),
        Limit::new("stop", travel, f64::NEG_INFINITY, f64::INFINITY).map(drop),
        Motor::new("drive", angle, f64::INFINITY, 1.0).map(drop),
        Motor::new("drive", angle, 1.0, 0.0).map(drop),
        Motor::new("drive", travel, 1.0, f64::NAN).map(drop),
    ];
    let messages: Vec<String> = refused.into_iter().map(|result| result.unwrap_err().to_string()).collect();
    insta::assert_snapshot!(messages.join("\n"));
}

/// An axis of any length is a direction, even where its square is not a number, and half a turn is one too.
#[test]
fn axes_of_any_length_are_directions() {
    let world = world([Pose::IDENTITY, Pose::at(Vec3::X)]);
    let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
    for axis in
        [Vec3::X, -Vec3::X, Vec3::new(-1.0, 1e-9, 0.0), Vec3::new(1e-200, -2e-200, 0.0), Vec3::Z * 1e200]
    {
        let hinge = Hinge::new(Ends::along(&world, "door", a, b, Vec3::ZERO, axis).unwrap()).unwrap();
        let u = (axis / axis.abs().max_element()).normalize();
        let start = *Ends::at(&world, "door", a, b, Vec3::ZERO).unwrap().start();
        let open = Configuration { a: about(Vec3::ZERO, u * 0.5) * start.a, ..start };
        assert!((hinge.angle().value(&open) - 0.5).abs() < 1e-15, "{axis}");
        assert!(values(&hinge, &open).iter().all(|value| value.abs() < 1e-15), "{axis}");
    }
}

/// Orientations keep their length over 10,000 steps of 0.016 s of a tumbling body.
#[test]
fn orientations_stay_unit_quaternions() {
    let inertia = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
    let spin = Vec3::new(0.3, 4.0, -0.2);
    let box_ = Body::shapeless(1.0, inertia, Pose::IDENTITY).with_angular_velocity(spin);
    let world = World::new([("box", box_)], []).unwrap();
    let id = world.id("box").unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let unit = UnitQuaternion::default();
    let (mut projected, mut plain) = (Quat::IDENTITY, Quat::IDENTITY);
    for _ in 0..10_000 {
        run.step(0.016).unwrap();
        assert!(unit.value(run.centre(id).rotation).abs() < 1e-10);
        let omega = Quat::from_xyzw(spin.x, spin.y, spin.z, 0.0);
        let euler = |q: Quat| q + unit.projected_rate(q, omega * q * 0.5) * 0.016;
        projected = unit.projected(euler(projected));
        plain = euler(plain);
        assert!(unit.value(projected).abs() < 1e-10);
    }
    assert!(unit.value(plain) > 1.0, "without the projection the step leaves the sphere");
}

/// Q̈ = λ ∂g/∂Q with the multiplier of Baumgarte: near the sphere the distance δ obeys δ̈ = -4β δ̇ - 4α δ, so
/// it dies like exp(-st) with the smaller root s of s² - 4β s + 4α = 0.
#[test]
fn the_multiplier_pulls_back_to_the_sphere() {
    let unit = UnitQuaternion::default();
    let direction = from_rotation_vector(Vec3::new(0.4, -1.0, 0.2));
    let (mut q, mut q_dot, h) = (direction * 1.000_001, direction * 0.0, 1e-4);
    let mut at_one = 0.0;
    for step in 1..=20_000 {
        let force = unit.gradient(q) * unit.multiplier(q, q_dot);
        q_dot += force * h;
        q += q_dot * h;
        if step == 10_000 {
            at_one = unit.value(q);
        }
    }
    let s = 20.0 - 360.0_f64.sqrt();
    assert!((unit.value(q) / at_one - libm::exp(-s)).abs() < 1e-3);
    let rate = Quat::from_xyzw(0.1, -0.2, 0.3, 0.4);
    assert!(unit.rate(q, unit.projected_rate(q, rate)).abs() < 1e-15);
    assert_eq!(unit.projected(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Quat::IDENTITY);
}
