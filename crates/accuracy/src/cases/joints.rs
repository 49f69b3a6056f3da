//! Pendulums: cases 18 and 19, on joints, by their energies, and as laws of an angle.

use super::{energies, soft};
use crate::exact::{G, crossings, pendulum_period};
use crate::experiment_run::ExperimentRun;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{ComponentId, Integrator, OneD, Position, State, ThreeD, scenes};
use gedanken_math::units::{Quantity, SECOND};
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::joints::{Distance, Ends, Hinge};
use gedanken_rigid::{Body, Simulation, World};
use std::f64::consts::PI;

fn weight() -> UniformGravity<ThreeD> {
    UniformGravity::new(Quantity::new(Vec3::Z * -G))
}

/// The mean time between rises of `height` through zero, over so many of them.
fn mean_period(
    run: &mut Simulation,
    h: f64,
    seconds: f64,
    swing: impl Fn(&Simulation) -> f64,
) -> Result<f64, MeasureError> {
    let mut samples = Vec::new();
    while run.time() < seconds {
        run.step(h)?;
        samples.push(swing(run));
    }
    let found = crossings(&samples, h);
    match found[..] {
        [first, .., last] => Ok((last - first) / (found.len() - 1) as f64),
        _ => Err("it does not swing".into()),
    }
}

/// A pendulum that starts on the level of its hinge, along x. It has unequal moments, and its centre is off the
/// middle of its frame: the reduced length (I + m d²)/(m d) is 1 m all the same.
pub(super) fn hinged(method: Method) -> Result<(Simulation, ComponentId), MeasureError> {
    let (mass, d) = (2.0, 0.8);
    let turn = Mat3::from_quat(Quat::from_rotation_y(0.4));
    let inertia = turn * Mat3::from_diagonal(Vec3::new(0.2, mass * d * (1.0 - d), 0.25)) * turn.transpose();
    let offset = Vec3::new(0.1, 0.05, -0.02);
    let body =
        Body::shapeless(mass, inertia, Pose::new(Quat::IDENTITY, Vec3::X * d - offset)).with_centre(offset);
    let world = World::new([("bob", body)], [])?;
    let bob = world.id("bob")?;
    let hinge = Hinge::new(Ends::along(&world, "hinge", bob, None, Vec3::ZERO, Vec3::Y)?)?;
    let world = world.with_constraint(hinge)?.with_laws(weight());
    Ok((Simulation::new(world, method.settings()?)?, bob))
}

/// Case 18.
pub(crate) fn pendulum(case: &mut CaseRun<'_>) {
    let exact = pendulum_period(1.0, PI / 2.0);
    let target = || Target::of("period, s").near(exact, 1e-6);
    let adaptive = Method::Integrator("dormand-prince");
    case.measure(adaptive, [target().noting("tolerance 1e-10")], || {
        let scene = scenes::pendulum(PI / 2.0);
        let (mut stepper, mut state) = scene.prepare(Integrator::by_name("dormand-prince")?)?;
        let bob = state.model().id("bob")?;
        let angle = move |s: &State| s.get::<Position<OneD>>(bob).map_or(f64::NAN, |x| x.si());
        let mut times = Vec::new();
        for _ in 0..11 {
            let found = stepper.locate(&mut state, 0.1 * SECOND, 60.0 * SECOND, angle)?;
            times.push(found.ok_or("it does not swing")?.state.time().si());
        }
        Ok([(times[10] - times[0]) / 10.0])
    });
    let note = "pendulum.lab: from the angle at 2¼ periods";
    case.measure(Method::Contexts, [target().noting(note)], || {
        // The bob passes the lowest point at the speed √(2 g l (1 - cos α)): what is missing there is missing
        // in time.
        let left =
            ExperimentRun::of_gallery("pendulum", &[])?.measure("angle_after_two_periods_and_a_quarter")?;
        Ok([exact + left / (2.0 * G).sqrt() / 2.25])
    });
    let seconds = case.choose(24.0, 6.0);
    let note = format!("T and V, {seconds} s, tolerance 1e-10");
    case.measure(Method::Lagrangian, [target().long().noting(note)], || {
        Ok([energies::pendulum_period(seconds)?])
    });
    for method in Method::without_contacts() {
        let target = target().long().noting(format!("hinge, {seconds} s, h = 1/2000"));
        case.measure(method, [target], || {
            let (mut run, bob) = hinged(method)?;
            Ok([mean_period(&mut run, 5e-4, seconds, |run| run.centre(bob).translation.x)?])
        });
    }
    soft::pendulum(case, exact, seconds);
}

/// The small modes of two equal rods that hang on each other, of mass m, length L, and moment I about their
/// middles: from det(K - ω²M) = 0 with M = (I + 5mL²/4, mL²/2; mL²/2, I + mL²/4), K = m g L (3/2, 0; 0, 1/2).
/// The ratio of angles θ₂/θ₁ is of the mode.
fn rod_modes(m: f64, length: f64, i: f64) -> [(f64, f64); 2] {
    let l2 = m * length * length;
    let (m11, m12, m22) = (i + 1.25 * l2, 0.5 * l2, i + 0.25 * l2);
    let (k1, k2) = (1.5 * m * G * length, 0.5 * m * G * length);
    let (a, b, c) = (m11 * m22 - m12 * m12, k1 * m22 + k2 * m11, k1 * k2);
    let root = (b * b - 4.0 * a * c).sqrt();
    [(b - root) / (2.0 * a), (b + root) / (2.0 * a)].map(|w2| (w2.sqrt(), (k1 - w2 * m11) / (w2 * m12)))
}

/// Amplitude at which a pendulum is linear to 1e-7.
const SMALL_ANGLE: f64 = 1e-3;

/// Two points on massless rods of 1 m, in a mode: θ₂ = ratio θ₁.
fn points(method: Method, ratio: f64) -> Result<(Simulation, ComponentId), MeasureError> {
    let hang = |angle: f64| Vec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
    let first = hang(SMALL_ANGLE);
    let second = first + hang(ratio * SMALL_ANGLE);
    let body = |place: Vec3| Body::shapeless(1.0, Mat3::IDENTITY, Pose::at(place));
    let world = World::new([("first", body(first)), ("second", body(second))], [])?;
    let (one, two) = (world.id("first")?, world.id("second")?);
    let upper = Distance::new(Ends::spanning(&world, "upper", one, None, [first, Vec3::ZERO])?, 1.0)?;
    let lower = Distance::new(Ends::spanning(&world, "lower", two, one, [second, first])?, 1.0)?;
    let world = world.with_constraint(upper)?.with_constraint(lower)?.with_laws(weight());
    Ok((Simulation::new(world, method.settings()?)?, one))
}

/// Two rods of 1 m on hinges, with unequal moments, in a mode.
fn rods(method: Method, ratio: f64, moments: Vec3) -> Result<(Simulation, ComponentId), MeasureError> {
    let hang = |angle: f64| Vec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
    let (first, second) = (hang(SMALL_ANGLE), hang(ratio * SMALL_ANGLE));
    // Turned about -y by the angle, z points back up the rod.
    let rod = |angle: f64, middle: Vec3| {
        Body::shapeless(1.0, Mat3::from_diagonal(moments), Pose::new(Quat::from_rotation_y(-angle), middle))
    };
    let world = World::new(
        [
            ("first", rod(SMALL_ANGLE, first * 0.5)),
            ("second", rod(ratio * SMALL_ANGLE, first + second * 0.5)),
        ],
        [],
    )?;
    let (one, two) = (world.id("first")?, world.id("second")?);
    let upper = Hinge::new(Ends::along(&world, "upper", one, None, Vec3::ZERO, Vec3::Y)?)?;
    let lower = Hinge::new(Ends::along(&world, "lower", two, one, first, Vec3::Y)?)?;
    let world = world.with_constraint(upper)?.with_constraint(lower)?.with_laws(weight());
    Ok((Simulation::new(world, method.settings()?)?, one))
}

/// Case 19.
pub(crate) fn double_pendulum(case: &mut CaseRun<'_>) {
    let h = 1e-3;
    let root = 2.0_f64.sqrt();
    let modes = [((2.0 - root) * G, root), ((2.0 + root) * G, -root)];
    for (name, (w2, ratio)) in ["slow", "fast"].into_iter().zip(modes) {
        let target = || Target::of(format!("{name} mode of points, rad/s")).near(w2.sqrt(), 1e-5);
        case.measure(Method::Lagrangian, [target().noting("T and V, 10 s, tolerance 1e-12")], || {
            Ok([energies::double_pendulum_mode(SMALL_ANGLE, ratio)?])
        });
        for method in Method::without_contacts() {
            case.measure(method, [target().noting("rods without mass, 10 s, h = 1/1000")], || {
                let (mut run, first) = points(method, ratio)?;
                let period = mean_period(&mut run, h, 10.0, |run| run.centre(first).translation.x)?;
                Ok([2.0 * PI / period])
            });
        }
        soft::double_pendulum(case, name, w2.sqrt(), ratio);
    }
    let moments = Vec3::new(0.07, 1.0 / 12.0, 0.03);
    for (name, (omega, ratio)) in ["slow", "fast"].into_iter().zip(rod_modes(1.0, 1.0, moments.y)) {
        let target = || Target::of(format!("{name} mode of rods, rad/s")).near(omega, 1e-5);
        for method in Method::without_contacts() {
            case.measure(method, [target().noting("rods on hinges, 10 s, h = 1/1000")], || {
                let (mut run, first) = rods(method, ratio, moments)?;
                let period = mean_period(&mut run, h, 10.0, |run| run.centre(first).translation.x)?;
                Ok([2.0 * PI / period])
            });
        }
    }
}
