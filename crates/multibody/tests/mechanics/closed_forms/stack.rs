//! Stacks of boxes: each level carries the weight above it, and sinks by the closed form; none leans.

use crate::support::build::{at, body, constant_softness, model};
use gedanken_math::Vec3;
use gedanken_multibody::constraints::rows::RowKind;
use gedanken_multibody::model::{BodyId, Cone, Description, Geom, GeomShape, Joint, JointKind};
use gedanken_multibody::simulation::Simulation;

const COUNT: usize = 10;
const SIDE: f64 = 0.2;
const MASS: f64 = 1.5;

fn stack(count: usize, side: f64, cone: Cone, mu: f64) -> Simulation {
    let mut description = Description::new("stack");
    description.settings.cone = cone;
    description.geoms.push(Geom::new("floor", BodyId::WORLD, GeomShape::Plane));
    for level in 0..count {
        let id = BodyId::new(level + 1);
        let mut it =
            body(&format!("box {level}"), BodyId::WORLD, MASS, Vec3::splat(MASS * side * side / 6.0));
        it.pose = at(0.0, 0.0, side * (level as f64 + 0.5));
        description.bodies.push(it);
        description.joints.push(Joint::new("", id, JointKind::Free));
        let shape = GeomShape::Box { half_sides: Vec3::splat(0.5 * side) };
        description.geoms.push(Geom::new("box", id, shape));
    }
    for geom in &mut description.geoms {
        geom.surface.friction[0] = mu;
        geom.surface.softness = constant_softness(0.95, 0.02, 1.0);
    }
    Simulation::new(model(description))
}

fn settled(cone: Cone, mu: f64) -> Simulation {
    let mut run = stack(COUNT, SIDE, cone, mu);
    for _ in 0..5000 {
        run.step().expect("a step");
    }
    run.evaluate().expect("an acceleration");
    run
}

/// Normal force by level, from the forces of rows.
fn level_forces(run: &Simulation) -> [f64; COUNT] {
    let mut levels = [0.0; COUNT];
    let dynamics = run.dynamics();
    for block in &dynamics.rows.blocks {
        let forces = &dynamics.solver.forces[block.first..block.first + block.count];
        let normal = if block.kind == RowKind::Elliptic { forces[0] } else { forces.iter().sum() };
        levels[dynamics.contacts[block.owner].geoms[0].index()] += normal;
    }
    levels
}

/// Four contacts share the weight N above: N/4 = D k d r, with the inverse masses of both bodies in D.
fn sinks(cone: Cone, mu: f64, level: usize) -> f64 {
    let (d, time_constant, g) = (0.95, 0.02, 9.81);
    let bodies = if level == 0 { 1.0 } else { 2.0 };
    let carried = (COUNT - level) as f64;
    let frictionless = carried / 4.0 * bodies * g * (1.0 - d) * time_constant * time_constant;
    match cone {
        Cone::Elliptic => frictionless,
        // Each edge has R = ½ n μ² (1 + μ²) R₀, and all n push along the normal.
        Cone::Pyramid { .. } => frictionless * 0.5 * mu * mu * (1.0 + mu * mu),
    }
}

#[test]
fn ten_boxes_stand() {
    let cones = [Cone::Pyramid { edges: 4 }, Cone::Pyramid { edges: 8 }, Cone::Elliptic];
    for (cone, mu) in cones.into_iter().flat_map(|cone| [(cone, 1.0), (cone, 0.6)]) {
        let run = settled(cone, mu);
        let forces = level_forces(&run);
        let mut below = 0.0;
        for (level, found) in forces.into_iter().enumerate() {
            let expected = (COUNT - level) as f64 * MASS * 9.81;
            assert!((found / expected - 1.0).abs() < 1e-3, "{cone:?}, {mu}: level {level} carries {found}");
            let height = run.state().coordinates[7 * level + 2];
            let sink = below + if level == 0 { 0.5 * SIDE } else { SIDE } - height;
            let expected = sinks(cone, mu, level);
            assert!(
                (sink / expected - 1.0).abs() < 1e-3,
                "{cone:?}, {mu}: level {level} sinks {sink}, not {expected}"
            );
            below = height;
            let aside =
                libm::hypot(run.state().coordinates[7 * level], run.state().coordinates[7 * level + 1]);
            assert!(aside < 1e-6, "{cone:?}, {mu}: level {level} has moved aside by {aside}");
        }
    }
}

/// Boxes that just touch fall together until the floor's push has come up to them. Rounding must not take away
/// some of their corners in that time, or the stack leans.
#[test]
fn fifty_boxes_stand_upright() {
    let mut run = stack(50, 1.0, Cone::Elliptic, 0.5);
    for step in 0..1500 {
        run.step().expect("a step");
        assert!(run.solution().converged, "step {step}: {:?}", run.solution());
    }
    for level in 0..50 {
        let at = &run.state().coordinates[7 * level..];
        assert!(libm::hypot(at[0], at[1]) < 1e-9, "level {level} has moved aside to {:?}", &at[..2]);
    }
}
