//! Momenta and velocities at the end of a step.

use super::{IslandSolver, OVERLAP_ACCEPTED, Scene};
use crate::variational::law_field::LawField;
use crate::variational::newton::Outcome;
use crate::variational::points::Displaced;
use crate::variational::rotation_step::{midpoint, torque_shares};
use crate::variational::settings::VariationalSettings;
use crate::variational::stages::Velocities;
use gedanken_math::Twist;

impl IslandSolver {
    /// The momenta at the end of the step, and the forces that were used, without impulses at the end. Backward
    /// Euler needs them of free bodies only.
    pub(super) fn momenta_at_end(
        &mut self,
        scene: &Scene<'_>,
        method: VariationalSettings,
        laws: &mut Option<&mut LawField>,
        converged: bool,
    ) {
        let h = scene.h;
        let mut forces = std::mem::take(&mut self.forces);
        forces.clear();
        forces.extend(self.start[..self.movable()].iter().map(|body| body.force));
        if let Some(laws) = laws {
            laws.forces(&self.island(scene, method), &self.newton.x, &mut forces);
        }
        self.motions.clone_from(&self.newton.x);
        self.momenta.clear();
        self.end_inertias.clear();
        // The momentum that impulses and forces add up to is that of the motion, up to the residual of Newton's
        // method. The residual would add up over many steps; so the motion gives the momentum only where
        // impulses may be wrong.
        let balanced = converged || self.first_rows.is_empty();
        for (k, &force) in forces.iter().enumerate() {
            let (motion, body) = (self.motions[k], &mut self.start[k]);
            body.force = force;
            let end = Displaced::new(&body.pose, motion);
            self.end_inertias.push(end.turn * self.inertias[k] * end.turn.transpose());
            let middle = midpoint(&self.inertias[k], motion.angular);
            let torque = torque_shares(motion.angular, force.angular)[1];
            let linear = motion.linear * (body.mass / h) + force.linear * (0.5 * h);
            self.momenta.push(if balanced {
                let start = Twist::new(body.twist.linear * body.mass, self.inertias[k] * body.twist.angular);
                start + force * h
            } else {
                Twist::new(linear, middle.value * (1.0 / h) + torque * h)
            });
        }
        self.forces = forces;
        if balanced {
            self.add_first_impulses();
        }
    }

    /// Adds the impulses of positions to the momenta.
    fn add_first_impulses(&mut self) {
        let Self { points, joints, first_rows, first_impulses, momenta, .. } = self;
        let of_points = points.list.iter().flat_map(|point| [point.ends; 3]);
        let of_joints = joints.iter().flat_map(|joint| std::iter::repeat_n(joint.ends, joint.count));
        let impulses = first_rows.iter().zip(&*first_impulses);
        for (ends, (row, lambda)) in of_points.chain(of_joints).zip(impulses) {
            for (end, force) in ends.into_iter().zip(row.force) {
                if let Some(momentum) = momenta.get_mut(end as usize) {
                    *momentum += force * *lambda;
                }
            }
        }
    }

    /// The velocities of a body that has these momenta at the end of the step.
    pub(super) fn twist_of(&self, k: usize, momentum: Twist) -> Twist {
        let angular = self.end_inertias[k].inverse() * momentum.angular;
        Twist::new(momentum.linear * (1.0 / self.start[k].mass), angular)
    }

    /// Projects the velocities at the end of a step of order 2.
    pub(super) fn velocities(&mut self, scene: &Scene<'_>, method: VariationalSettings) -> Outcome {
        self.touching.clear();
        for (k, point) in self.points.list.iter().enumerate() {
            let (gap, pressed) = (self.equations.rows[3 * k].value, self.newton.lambda[3 * k] > 0.0);
            self.touching.push(pressed || gap <= OVERLAP_ACCEPTED * point.size);
        }
        let mut newton = std::mem::take(&mut self.newton);
        let mut equations = std::mem::take(&mut self.equations);
        let mut memory = std::mem::take(&mut self.stage);
        for (k, body) in newton.x.iter_mut().enumerate() {
            *body = self.twist_of(k, self.momenta[k]);
        }
        // The impulses of the second half are about those of the first; where nothing touches, none.
        for (k, _) in self.touching.iter().enumerate().filter(|(_, touching)| !**touching) {
            newton.lambda[3 * k..3 * k + 3].fill(0.0);
        }
        let island = self.island(scene, method);
        let mut stage = Velocities {
            island: &island,
            memory: &mut memory,
            momenta: &self.momenta,
            inertias: &self.end_inertias,
            touching: &self.touching,
            fresh: true,
        };
        let outcome = newton.solve(&mut stage, &mut equations, &scene.settings.cancel);
        (self.newton, self.equations, self.stage) = (newton, equations, memory);
        outcome
    }
}
