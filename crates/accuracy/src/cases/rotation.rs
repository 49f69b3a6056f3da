//! Bodies that turn: cases 16 and 17.

use super::energies::{self, Top};
use super::soft;
use crate::exact::{G, crossings, tumbling_period};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::BACKWARD_EULER;
use gedanken_dynamics::diagnostics::{angular_momentum, kinetic_energy};
use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{AngularVelocity, Integrator, Orientation, State, ThreeD, scenes};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::{Quantity, SECOND};
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::joints::{Ends, Point};
use gedanken_rigid::{Body, Simulation, World};

const MOMENTS: Vec3 = Vec3::new(1.0, 2.0, 3.0);
const SPIN: Vec3 = Vec3::new(0.01, 1.0, 0.02);

/// A free body in the rigid world.
fn free(method: Method, moments: Vec3, spin: Vec3) -> Result<Simulation, MeasureError> {
    let body = Body::shapeless(1.0, Mat3::from_diagonal(moments), Pose::IDENTITY).with_angular_velocity(spin);
    Ok(Simulation::new(World::new([("body", body)], [])?, method.settings()?)?)
}

/// Kinetic energy and angular momentum of it.
fn kept(run: &Simulation, moments: Vec3) -> Result<(f64, Vec3), MeasureError> {
    let id = run.world().id("body")?;
    let (q, omega) = (run.centre(id).rotation, run.twist(id).angular);
    let in_body = to_body(q, omega);
    Ok((0.5 * (moments * in_body).dot(in_body), to_world(q, moments * in_body)))
}

/// The period of ω₁ in the body's frame, by an integrator with event location.
fn located_period() -> Result<f64, MeasureError> {
    let (mut stepper, mut state) =
        scenes::tumbling(MOMENTS, SPIN).prepare(Integrator::by_name("leapfrog")?)?;
    let body = state.model().id("body")?;
    let first = move |s: &State| match (s.get::<Orientation>(body), s.get::<AngularVelocity>(body)) {
        (Ok(q), Ok(omega)) => to_body(q, omega.si()).x,
        _ => f64::NAN,
    };
    let mut next = || -> Result<f64, MeasureError> {
        let found = stepper.locate(&mut state, 2e-3 * SECOND, 200.0 * SECOND, first)?;
        Ok(found.ok_or("ω₁ never rises through zero")?.state.time().si())
    };
    let first = next()?;
    Ok(next()? - first)
}

/// The same of a body in the rigid world.
fn period(method: Method, h: f64) -> Result<f64, MeasureError> {
    let mut run = free(method, MOMENTS, SPIN)?;
    let id = run.world().id("body")?;
    let mut samples = Vec::new();
    while run.time() < 75.0 {
        run.step(h)?;
        samples.push(to_body(run.centre(id).rotation, run.twist(id).angular).x);
    }
    match crossings(&samples, h)[..] {
        [first, second, ..] => Ok(second - first),
        _ => Err("ω₁ never rises through zero".into()),
    }
}

/// By how much the second of two errors is larger than the first; a hundredth of it is chance.
pub(crate) fn growth([first, second]: [f64; 2]) -> f64 {
    (second - 1.01 * first).max(0.0)
}

/// What rounding may do to an energy in so many steps, as a part of it: an ulp for each of two turns,
/// squared.
pub(crate) fn rounding(steps: usize) -> f64 {
    4.0 * steps as f64 * f64::EPSILON
}

/// Case 16.
pub(crate) fn tumbling(case: &mut CaseRun<'_>) {
    let exact = tumbling_period(MOMENTS, SPIN);
    let target = || Target::of("period, s").near(exact, 1e-6).noting("h = 1/500");
    let steps = case.choose(1_000_000, 20_000);
    // The error of a symplectic method oscillates: only its growth from half to half is a drift.
    let drifts = || {
        [
            Target::of("growth of the largest error of T, part").within(0.0, rounding(steps)),
            Target::of("change of L, part").within(0.0, 0.5 * rounding(steps)),
        ]
        .map(|target| {
            target
                .long()
                .noting(format!("{steps} steps of 0.01 s, second half against first; rounding allowed"))
        })
    };
    let leapfrog = Method::Integrator("leapfrog");
    case.measure(leapfrog, [target()], || Ok([located_period()?]));
    case.measure(leapfrog, drifts(), || {
        let scene = scenes::tumbling(MOMENTS, SPIN);
        let (mut stepper, mut state) = scene.prepare(Integrator::by_name("leapfrog")?)?;
        let (t0, l0) = (kinetic_energy::<ThreeD>(&state)?.si(), angular_momentum(&state)?.si());
        let mut worst = [0.0_f64; 2];
        for k in 0..steps {
            stepper.step(&mut state, 0.01 * SECOND)?;
            let half = &mut worst[usize::from(k >= steps / 2)];
            *half = half.max((kinetic_energy::<ThreeD>(&state)?.si() - t0).abs());
        }
        Ok([
            growth(worst.map(|error| error / t0)),
            (angular_momentum(&state)?.si() - l0).length() / l0.length(),
        ])
    });
    for method in Method::without_contacts() {
        case.measure(method, [target().claimed(method != BACKWARD_EULER)], || Ok([period(method, 2e-3)?]));
        let [energy, momentum] = drifts();
        case.measure(method, [energy.claimed(method != BACKWARD_EULER), momentum], || {
            let mut run = free(method, MOMENTS, SPIN)?;
            let (t0, l0) = kept(&run, MOMENTS)?;
            let mut worst = [0.0_f64; 2];
            for k in 0..steps {
                run.step(0.01)?;
                let half = &mut worst[usize::from(k >= steps / 2)];
                *half = half.max((kept(&run, MOMENTS)?.0 - t0).abs());
            }
            Ok([growth(worst.map(|error| error / t0)), (kept(&run, MOMENTS)?.1 - l0).length() / l0.length()])
        });
    }
    let note = "Euler angles, tolerance 1e-13";
    let target = Target::of("period, s").near(exact, 1e-6).noting(note);
    case.measure(Method::Lagrangian, [target], || Ok([energies::tumbling_period()?]));
    for method in Method::without_contacts() {
        // The box of a well-known comparison of engines: 0.1 × 0.2 × 0.4, 500 steps of 0.01 s.
        let target = Target::of("energy of a tumbling box after / before").near(1.0, 1e-6);
        // The energy oscillates, by h² and a constant that is larger than that of the splitting.
        let (h, steps, note) = match method {
            Method::Variational(_) => (0.002, 2500, "2500 steps of 0.002 s"),
            _ => (0.01, 500, "500 steps of 0.01 s"),
        };
        let target = target.claimed(method != BACKWARD_EULER).noting(note);
        case.measure(method, [target], || {
            let moments = Vec3::new(0.2, 0.17, 0.05) / 12.0;
            let mut run = free(method, moments, Vec3::new(1.0, 2.0, 0.5))?;
            let before = kept(&run, moments)?.0;
            crate::rigid_scene::advance(&mut run, h, steps)?;
            Ok([kept(&run, moments)?.0 / before])
        });
        let target = Target::of("largest Q·Q - 1").within(0.0, 1e-10).noting("10000 steps of 0.016 s");
        case.measure(method, [target], || {
            let mut run = free(method, MOMENTS, Vec3::new(2.0, 3.0, 1.0))?;
            let id = run.world().id("body")?;
            let mut worst = 0.0_f64;
            for _ in 0..10_000 {
                run.step(0.016)?;
                worst = worst.max((run.centre(id).rotation.length_squared() - 1.0).abs());
            }
            Ok([worst])
        });
    }
    soft::tumbling(case, MOMENTS, SPIN, exact);
}

/// The top: mass 1 kg at 0.5 m from its tip; moments across the axis about the centre, and along it.
const LENGTH: f64 = 0.5;
const ACROSS: f64 = 0.5;
const ALONG: f64 = 0.9;
const TILT: f64 = std::f64::consts::PI / 6.0;
/// The spin about its axis, rad/s.
const SPIN_3: f64 = 7.0;

/// Both roots of I₁Ω² cos θ - I₃ω₃Ω + m g l = 0, I₁ about the tip.
fn precessions() -> [f64; 2] {
    let (a, b, c) = ((ACROSS + LENGTH * LENGTH) * libm::cos(TILT), ALONG * SPIN_3, G * LENGTH);
    let root = (b * b - 4.0 * a * c).sqrt();
    [2.0 * c / (b + root), (b + root) / (2.0 * a)]
}

/// The precession rate of a top that was started with the rate `omega`, and its largest changes of E, p_φ and
/// p_ψ.
fn precess(method: Method, omega: f64, h: f64, seconds: f64) -> Result<[f64; 4], MeasureError> {
    let turn = Quat::from_rotation_y(TILT);
    let axis = turn * Vec3::Z;
    // ω = Ω z + ψ̇ axis, with ω₃ = ψ̇ + Ω cos θ.
    let spin = Vec3::Z * omega + axis * (SPIN_3 - omega * libm::cos(TILT));
    let inertia = Mat3::from_diagonal(Vec3::new(ACROSS, ACROSS, ALONG));
    let place = axis * LENGTH;
    let body = Body::shapeless(1.0, inertia, Pose::new(turn, place));
    let body = body.with_velocity(spin.cross(place)).with_angular_velocity(spin);
    let world = World::new([("top", body)], [])?;
    let top = world.id("top")?;
    let tip = Point::new(Ends::at(&world, "tip", top, None, Vec3::ZERO)?)?;
    let weight = UniformGravity::<ThreeD>::new(Quantity::new(Vec3::Z * -G));
    let mut run = Simulation::new(world.with_constraint(tip)?.with_laws(weight), method.settings()?)?;
    let kept = |run: &Simulation| {
        let (pose, motion) = (run.centre(top), run.twist(top));
        let omega = to_body(pose.rotation, motion.angular);
        let own = Vec3::new(ACROSS, ACROSS, ALONG) * omega;
        let r = pose.translation;
        let about_tip = r.cross(motion.linear) + to_world(pose.rotation, own);
        let energy = 0.5 * motion.linear.length_squared() + 0.5 * own.dot(omega) + G * r.z;
        [energy, about_tip.z, own.z]
    };
    let (start, mut worst) = (kept(&run), [0.0_f64; 3]);
    let (mut azimuth, mut before) = (0.0, 0.0);
    let steps = (seconds / h) as usize;
    for _ in 0..steps {
        run.step(h)?;
        let r = run.centre(top).translation;
        let now = libm::atan2(r.y, r.x);
        azimuth += libm::remainder(now - before, 2.0 * std::f64::consts::PI);
        before = now;
        for (worst, (now, start)) in worst.iter_mut().zip(kept(&run).into_iter().zip(start)) {
            *worst = worst.max((now / start - 1.0).abs());
        }
    }
    Ok([azimuth / (steps as f64 * h), worst[0], worst[1], worst[2]])
}

/// Case 17.
pub(crate) fn top(case: &mut CaseRun<'_>) {
    let (h, seconds) = (1.0 / 4000.0, case.choose(10.0, 2.0));
    for (name, rate) in ["slow", "fast"].into_iter().zip(precessions()) {
        let targets = |note: &str| {
            [
                Target::of(format!("{name} precession, rad/s")).near(rate, 1e-6),
                Target::of(format!("change of E, part, {name}")).within(0.0, 1e-6),
                Target::of(format!("change of p_φ, part, {name}")).within(0.0, 1e-6),
                Target::of(format!("change of p_ψ, part, {name}")).within(0.0, 1e-6),
            ]
            .map(|target| target.long().noting(format!("{seconds} s, {note}")))
        };
        for method in Method::without_contacts() {
            case.measure(method, targets("h = 1/4000"), || precess(method, rate, h, seconds));
        }
        let soft = soft::Top { moments: [ACROSS, ALONG], length: LENGTH, tilt: TILT, spin: SPIN_3 };
        soft::top(case, targets("rk4, h = 1/4000"), soft, rate, seconds);
        let across = ACROSS + LENGTH * LENGTH;
        let top = Top { across, along: ALONG, length: LENGTH, tilt: TILT, spin: SPIN_3 };
        let targets = targets("Euler angles, tolerance 1e-10");
        case.measure(Method::Lagrangian, targets, || energies::precess(&top, rate, seconds));
    }
}
