//! Friction of soft contacts: cases 2 to 5.

use super::scene::{CONES, Floor, advance, place, softness};
use crate::exact::G;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{bisect_threshold, farthest};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::{Actuator, BodyId, Cone, Joint, JointId, JointKind, Softness};
use gedanken_multibody::simulation::Simulation;
use std::f64::consts::PI;

/// Case 2: the acceleration of a ball that rolls down, between 0.5 and 1.5 s, and the friction at the end.
pub(crate) fn down_an_incline(case: &mut CaseRun<'_>, incline: f64, mass: f64, exact: [f64; 2]) {
    let stiff = ("d 0.99, 4 ms", softness(0.99, 4e-3));
    let soft = ("default softness", Softness::MUJOCO);
    for ((cone, shape), (how, softness)) in
        CONES.into_iter().flat_map(|cone| [stiff, soft].map(|how| (cone, how)))
    {
        let targets = [
            Target::of(format!("acceleration, m/s², {cone}, {how}")).near(exact[0], 1e-3),
            Target::of(format!("friction, N, {cone}, {how}")).near(exact[1], 1e-3),
        ];
        // A ball that sinks has a shorter arm: the default softness is a millimetre's.
        let claimed = how == stiff.0;
        let targets = targets.map(|target| target.claimed(claimed).noting("h = 1/1000"));
        case.measure(Method::Soft, targets, || {
            let mut run = Floor::new(shape, 1e-3, incline, 1.0, softness).with_ball(0.1, mass).run()?;
            advance(&mut run, 0.5)?;
            let before = run.state().velocities[0];
            advance(&mut run, 1.0)?;
            let friction = -run.dynamics().solver.constraint_forces[0];
            Ok([run.state().velocities[0] - before, friction])
        });
    }
}

const BRICK: Vec3 = Vec3::new(0.5, 0.5, 0.2);

/// A brick that has settled, free or on three slides that keep it from turning.
fn settled(cone: Cone, incline: f64, mu: f64, turns: bool) -> Result<Simulation, MeasureError> {
    let pose = Pose::at(Vec3::Z * (0.5 * BRICK.z));
    let floor = Floor::new(cone, 1.0 / 4000.0, incline, mu, softness(0.999, 0.01));
    let floor = floor.with_box(BRICK, 1.0, pose).changed(|description| {
        if !turns {
            let slide = |axis| Joint { axis, ..Joint::new("slide", BodyId::new(1), JointKind::Slide) };
            description.joints = Vec3::AXES.map(slide).to_vec();
        }
    });
    let mut run = floor.run()?;
    advance(&mut run, 0.25)?;
    Ok(run)
}

/// Way of a brick that gets a velocity once it has settled.
fn way(mut run: Simulation, velocity: [f64; 2], seconds: f64) -> Result<Vec3, MeasureError> {
    let start = place(&run, 0);
    run.state_mut().velocities[..2].copy_from_slice(&velocity);
    advance(&mut run, seconds)?;
    Ok(place(&run, 0) - start)
}

/// Way of a body that a pyramid of n edges stops. Friction is μ m g along the edge that opposes the motion most,
/// until the motion runs halfway between two edges; from there both act, with μ m g cos(π/n) together.
fn stopped_by_pyramid(edges: usize, mu: f64, speed: f64, direction: f64) -> Vec3 {
    let half = PI / edges as f64;
    let nearest = (direction / (2.0 * half)).round() * 2.0 * half;
    let off = direction - nearest;
    let (along, across) = (speed * libm::cos(off), speed * libm::sin(off).abs());
    let (left, slow) = (across / libm::tan(half), across / libm::sin(half));
    let brake = mu * G;
    let forwards = (along * along - left * left + slow * slow) / (2.0 * brake);
    let aside = across * (along - left) / brake + slow * slow * libm::tan(half) / (2.0 * brake);
    Quat::from_rotation_z(nearest) * Vec3::new(forwards, aside * off.signum(), 0.0)
}

/// Case 3.
///
/// Friction of a convex cost lifts what slides: r = 2 T ζ² μ v would be its height, beyond which it is not touched.
/// So a body slides in small hops. On average they carry its weight, and a brick that cannot turn stops where it
/// should; a free one is turned a little by them.
pub(crate) fn stopping(case: &mut CaseRun<'_>, mu: f64, speed: f64, incline: f64) {
    let note = "d 0.999, 10 ms, h = 1/4000";
    let seconds = 1.5 * speed / (mu * G);
    let whole = speed * speed / (2.0 * mu * G);
    let uphill = speed * speed / (2.0 * G * (libm::sin(incline) + mu * libm::cos(incline)));
    let directions = case.choose(12, 3);
    for ((name, cone), turns) in CONES.into_iter().flat_map(|cone| [false, true].map(|turns| (cone, turns))) {
        let who = if turns { "free" } else { "on slides" };
        let target =
            Target::of(format!("distance from the cone's own end, worst direction, part, {name}, {who}"))
                .within(0.0, 1e-3)
                .long()
                .claimed(cone == Cone::Elliptic && !turns)
                .noting(format!("{directions} directions, {note}"));
        case.measure(Method::Soft, [target], || {
            let mut worst = 0.0_f64;
            for k in 0..directions {
                let direction = 2.0 * PI * f64::from(k) / f64::from(directions) + 0.1;
                let (sin, cos) = libm::sincos(direction);
                let exact = match cone {
                    Cone::Pyramid { edges } => stopped_by_pyramid(edges, mu, speed, direction),
                    Cone::Elliptic => Vec3::new(cos, sin, 0.0) * whole,
                };
                let way = way(settled(cone, 0.0, mu, turns)?, [speed * cos, speed * sin], seconds)?;
                worst = worst.max((way - exact).truncate().length() / whole);
            }
            Ok([worst])
        });
        let target =
            Target::of(format!("way up a slope of 15°, m, {name}, {who}")).near(uphill, 1e-3).noting(note);
        case.measure(Method::Soft, [target], || {
            let mut run = settled(cone, incline, mu, turns)?;
            let start = place(&run, 0);
            run.state_mut().velocities[0] = -speed;
            // Soft friction lets it creep down once it stands.
            while run.state().velocities[0] < 0.0 {
                run.step()?;
            }
            Ok([(place(&run, 0) - start).length()])
        });
    }
}

/// Case 4: soft friction creeps; a pass without regularisation takes that away.
pub(crate) fn creep(case: &mut CaseRun<'_>, incline: f64, mu: f64) {
    for (name, passes) in [("", 0), (", with 20 no-slip iterations", 20)] {
        let target = Target::of(format!("drift in a second, m{name}"))
            .within(0.0, 1e-9)
            .claimed(false)
            .noting("default softness, h = 1/500");
        case.measure(Method::Soft, [target], || {
            let pose = Pose::at(Vec3::Z * (0.5 * BRICK.z));
            let floor = Floor::new(Cone::Elliptic, 2e-3, incline, mu, Softness::MUJOCO);
            let floor = floor.with_box(BRICK, 1.0, pose).changed(|description| {
                description.settings.solver.no_slip_iterations = passes;
                description.settings.solver.no_slip_tolerance = 1e-12;
            });
            let mut run = floor.run()?;
            advance(&mut run, 1.0)?;
            let before = place(&run, 0);
            advance(&mut run, 1.0)?;
            Ok([(place(&run, 0) - before).length()])
        });
    }
}

/// Whether a brick becomes faster and faster under a force. Below the limit soft friction lets it creep at a
/// constant mean speed.
fn slips(settled: &Simulation, force: Vec3) -> Result<bool, MeasureError> {
    let mut run = settled.clone();
    run.state_mut().controls.copy_from_slice(&[force.x, force.y]);
    let mut ways = [0.0; 4];
    for way in &mut ways {
        advance(&mut run, 1.0)?;
        *way = place(&run, 0).dot(force.normalize());
    }
    Ok(ways[3] - 2.0 * ways[2] + ways[1] > 2e-4 * force.length())
}

/// The force at which a cone lets slip, divided by μ m g: of a pyramid the side of its polygon.
fn slipping_force(cone: Cone, direction: f64) -> f64 {
    let Cone::Pyramid { edges } = cone else { return 1.0 };
    let half = PI / edges as f64;
    let middle = ((direction - half) / (2.0 * half)).round() * 2.0 * half + half;
    libm::cos(half) / libm::cos(direction - middle)
}

/// A brick on a floor that two actuators push along x and y.
fn pushed(cone: Cone, mu: f64) -> Result<Simulation, MeasureError> {
    let pose = Pose::new(Quat::from_rotation_z(0.3), Vec3::Z * (0.5 * BRICK.z));
    let floor = Floor::new(cone, 2e-3, 0.0, mu, softness(0.99, 0.005)).with_box(BRICK, 1.0, pose);
    let push = |gear: [f64; 6]| Actuator {
        gear,
        is_gear_in_parent: true,
        ..Actuator::motor("push", JointId::new(0))
    };
    let mut run = floor
        .changed(|description| {
            description.actuators.push(push([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
            description.actuators.push(push([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]));
        })
        .run()?;
    advance(&mut run, 0.5)?;
    Ok(run)
}

/// Case 5.
pub(crate) fn cone(case: &mut CaseRun<'_>, mu: f64) {
    let count = case.choose(24, 3);
    for (name, cone) in CONES {
        let target = Target::of(format!("force at which it slips / that of the cone, worst angle, {name}"))
            .near(1.0, 1e-3)
            .long()
            .noting(format!("{count} angles, d 0.99, 5 ms, h = 1/500"));
        case.measure(Method::Soft, [target], || {
            let settled = pushed(cone, mu)?;
            let mut found = Vec::new();
            for k in 0..count {
                let direction = 2.0 * PI * f64::from(k) / f64::from(count) + 0.05;
                let (sin, cos) = libm::sincos(direction);
                let along = Vec3::new(cos, sin, 0.0) * (mu * G * slipping_force(cone, direction));
                found.push(bisect_threshold(0.85, 1.1, 11, |part| slips(&settled, along * part))?);
            }
            Ok([farthest(found, 1.0)])
        });
    }
}
