//! Forces of contacts and joints, for simulations that record them.

use gedanken_dynamics::ComponentId;
use gedanken_experiment::{Experiment, Simulation, links};
use gedanken_math::Vec3;
use gedanken_rigid::World;

/// A joint of the file, as a force on its first body.
#[derive(Clone, Debug)]
struct Joint {
    name: String,
    body: ComponentId,
    /// Its point in the frame of that body.
    anchor: Vec3,
    /// Numbers of the constraints that it consists of: its own, its limits, its motor.
    constraints: Vec<usize>,
}

/// The joints whose forces are recorded.
#[derive(Clone, Debug, Default)]
pub(in crate::rigid) struct Joints(Vec<Joint>);

impl Joints {
    /// All joints of a simulation that are constraints. Springs are laws, and have no such force.
    pub(in crate::rigid) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
        bodies: &[(usize, ComponentId)],
        world: &World,
    ) -> Self {
        let joint = |link: gedanken_experiment::Link| {
            let first = link.ends.first()?;
            let body = bodies.iter().find(|(object, _)| Some(*object) == first.object)?.1;
            let parts = ["limits of ", "motor of "].map(|part| format!("{part}{}", link.name));
            let is_own = |name: &str| name == link.name || parts.iter().any(|it| it == name);
            let all = world.constraints().iter().enumerate();
            let constraints: Vec<usize> =
                all.filter(|(_, it)| is_own(it.name())).map(|(number, _)| number).collect();
            let is_constraint = !constraints.is_empty();
            is_constraint.then(|| Joint { name: link.name.clone(), body, anchor: first.at, constraints })
        };
        Self(links(experiment, simulation).into_iter().filter_map(joint).collect())
    }

    /// Their names, in the order of their forces.
    pub(in crate::rigid) fn names(&self) -> Vec<String> {
        self.0.iter().map(|it| it.name.clone()).collect()
    }

    /// The force on the first body of each joint, and its torque about the joint, in a step of `h` seconds; none, if
    /// steps do not tell them.
    pub(in crate::rigid) fn forces(&self, run: &gedanken_rigid::Simulation, h: f64) -> Vec<[Vec3; 2]> {
        let Some(forces) = run.constraint_forces(h) else { return Vec::new() };
        let starts = run.bodies_at_start();
        let of = |joint: &Joint| {
            let sums = joint.constraints.iter().filter_map(|&number| forces.get(number));
            let (force, about_centre) =
                sums.fold((Vec3::ZERO, Vec3::ZERO), |sum, it| (sum.0 + it.linear, sum.1 + it.angular));
            let arm = match (starts.get(joint.body.row()), run.world().body(joint.body)) {
                (Some(start), Some(body)) => {
                    let own = start.pose * body.frame();
                    own.point_to_world(joint.anchor) - start.pose.translation
                }
                _ => Vec3::ZERO,
            };
            [force, about_centre - arm.cross(force)]
        };
        self.0.iter().map(of).collect()
    }
}

/// Appends the contacts of the last step, of `h` seconds, as they are recorded. `places` are those of objects, by row.
pub(in crate::rigid) fn contacts(
    run: &gedanken_rigid::Simulation,
    places: &[Option<usize>],
    h: f64,
    out: &mut Vec<f64>,
) {
    let place = |row: u32| places.get(row as usize).copied().flatten().map_or(-1.0, |it| it as f64);
    for contact in run.contact_forces(h) {
        out.extend(contact.rows.map(place));
        for vector in [contact.point, contact.normal, contact.force] {
            out.extend(vector.to_array());
        }
    }
}
