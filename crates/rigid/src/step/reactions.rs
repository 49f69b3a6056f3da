//! Reactions: the forces of contacts and joints in the last step.

use super::simulation::Simulation;
use crate::collide::contact_table::Touch;
use crate::joints::direct;
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::{Force, ThreeD, Torque};
use gedanken_math::{Twist, Vec3};

/// The force of a contact at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Rows of both bodies, the smaller one first.
    pub rows: [u32; 2],
    /// The point, in the world.
    pub point: Vec3,
    /// The unit normal, from the first body to the second.
    pub normal: Vec3,
    /// Mean force on the second body in the step, N: normal force and friction.
    pub force: Vec3,
}

impl Simulation {
    /// Forces of all contacts that acted in the last step, which was `h` seconds long.
    pub fn contact_forces(&self, h: f64) -> impl Iterator<Item = ContactForce> {
        let bodies = self.bodies_at_start();
        self.contacts().touches.iter().flat_map(move |touch| {
            let centre = bodies.get(touch.a as usize).map_or(Vec3::ZERO, |it| it.pose.translation);
            touch.points().iter().filter(move |_| h > 0.0).filter_map(move |point| {
                let impulse = touch.normal * point.normal_impulse + point.friction_impulse;
                (impulse != Vec3::ZERO).then(|| ContactForce {
                    rows: [touch.a, touch.b],
                    point: centre + point.arm_a,
                    normal: touch.normal,
                    force: impulse * (1.0 / h),
                })
            })
        })
    }

    /// The force and torque of each constraint on its first body, about the centre of mass of that body, in the order of
    /// the world's constraints; `None` if steps do not tell the forces of laws, as variational ones. They are those that
    /// keep Newton's equations and the constraints where the last step, which was `h` seconds long, began, under its forces
    /// of all laws and the mean forces of its contacts.
    #[must_use]
    pub fn constraint_forces(&self, h: f64) -> Option<Vec<Twist>> {
        let constraints = self.world().constraints();
        let forces = self.step_column::<Force<ThreeD>>().filter(|_| h > 0.0)?;
        let torques = self.step_column::<Torque>();
        let mut bodies: Vec<SolverBody> = self.bodies_at_start().to_vec();
        for body in &mut bodies {
            let row = body.row as usize;
            let torque = torques.and_then(|it| it.get(row)).map_or(Vec3::ZERO, |it| it.si());
            body.force = Twist::new(forces.get(row).map_or(Vec3::ZERO, |it| it.si()), torque);
        }
        for touch in self.contacts().touches.iter() {
            push(&mut bodies, touch, 1.0 / h);
        }
        let solution = direct::solve(constraints, &bodies, self.time() - h);
        Some(solution.by_constraint.into_iter().map(|[first, _]| first).collect())
    }
}

/// Adds the impulses of a touch as forces.
fn push(bodies: &mut [SolverBody], touch: &Touch, per_step: f64) {
    for point in touch.points() {
        let force = (touch.normal * point.normal_impulse + point.friction_impulse) * per_step;
        for (row, arm, force) in [(touch.a, point.arm_a, -force), (touch.b, point.arm_b, force)] {
            if let Some(body) = bodies.get_mut(row as usize) {
                body.force += Twist::of_impulse(force, arm);
            }
        }
    }
}
