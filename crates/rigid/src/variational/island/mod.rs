//! One island through a step: gathers bodies, points and joints, solves positions and velocities, and tells
//! what came out.

mod gather;
mod lagged;
mod outcome;
mod true_gaps;
mod velocities;

use super::inspection::Inspection;
use super::law_field::LawField;
use super::least_norm::LeastNorm;
use super::newton::{Equations, Newton, Row};
use super::points::{Points, moved};
use super::settings::{FrictionIteration, Order, VariationalSettings};
use super::stages::{Island, Joint, Rubbing, StageMemory};
use crate::collide::contact_table::Touch;
use crate::contacts::report::Report;
use crate::joints::constraint::{Constraint, Row as JointRow};
use crate::ledger::Exchange;
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::SolverBody;
use crate::world::surface::Surfaces;
use gedanken_dynamics::Trouble;
use gedanken_geometry::narrow::{Manifold, Scratch};
use gedanken_math::{Mat3, Pose, Twist, Vec3};
use std::sync::Arc;

/// Overlap that is left at the end of a step, as a part of the bodies' size; half of what is promised.
const OVERLAP_ACCEPTED: f64 = 5e-10;

/// Inputs of a step that all islands share.
pub(super) struct Scene<'a> {
    pub(super) world: &'a World,
    pub(super) h: f64,
    pub(super) time: f64,
    pub(super) settings: &'a Settings,
    pub(super) surfaces: &'a Surfaces,
    pub(super) constraints: &'a [Arc<dyn Constraint>],
    /// By row, at the start of the step, without forces.
    pub(super) bodies: &'a [SolverBody],
    /// Forces of laws and of users at the start of the step, by row.
    pub(super) force: &'a dyn Fn(usize) -> Twist,
}

/// The bodies, contacts and joints of one island, by number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Members<'a> {
    pub(super) rows: &'a [u32],
    pub(super) touches: &'a [u32],
    pub(super) constraints: &'a [u32],
}

/// Memory of islands, and the end of the step of the one that was solved last.
#[derive(Debug, Default)]
pub(super) struct IslandSolver {
    /// Movable bodies first; at the end of the step after [`IslandSolver::solve`].
    pub(super) bodies: Vec<SolverBody>,
    /// Motion over the step, by movable body.
    pub(super) motions: Vec<Twist>,
    pub(super) report: Report,
    /// `true` if a law gave a force that is no number.
    pub(super) law_failed: bool,
    /// Motions without any force, by movable body.
    prediction: Vec<Twist>,
    start: Vec<SolverBody>,
    inertias: Vec<Mat3>,
    end_inertias: Vec<Mat3>,
    sizes: Vec<f64>,
    points: Points,
    joints: Vec<Joint>,
    start_rows: Vec<JointRow>,
    newton: Newton,
    equations: Equations,
    stage: StageMemory,
    momenta: Vec<Twist>,
    touching: Vec<bool>,
    ends: Vec<Pose>,
    manifolds: Vec<Manifold>,
    scratch: Scratch,
    /// Places of rows among the bodies; `u32::MAX` where a row is not there.
    place: Vec<u32>,
    touch_ends: Vec<[u32; 2]>,
    renewed: Vec<bool>,
    /// Rows and impulses of positions, and impulses of velocities.
    first_rows: Vec<Row>,
    first_impulses: Vec<f64>,
    second_impulses: Vec<f64>,
    least_norm: LeastNorm,
    /// Impulses of joints while contact points are chosen again.
    joint_impulses: Vec<f64>,
    /// Forces at the motion that was found.
    forces: Vec<Twist>,
    /// Means of the velocities before and after the step.
    means: Vec<Twist>,
}

impl IslandSolver {
    /// Takes an island to the end of the step.
    pub(super) fn solve(
        &mut self,
        scene: &Scene<'_>,
        members: Members<'_>,
        touches: &mut [Touch],
        mut laws: Option<&mut LawField>,
        books: (&mut Exchange, &mut Inspection),
    ) -> Result<(), Trouble> {
        let method = scene.settings.variational.implied();
        self.gather(scene, members, touches)?;
        self.predict(scene, method, laws.is_some());
        if let Some(laws) = &mut laws {
            let island = self.island(scene, method);
            laws.begin(&island, scene.bodies).map_err(|fault| Trouble::Failed(fault.to_string()))?;
        }
        let mut outcome = match method.friction {
            FrictionIteration::Coupled => {
                self.positions(scene, members, touches, method, Rubbing::Coupled, &mut laws)?
            }
            FrictionIteration::Lagged => self.lagged(scene, members, touches, method, &mut laws)?,
        };
        self.first_impulses.clone_from(&self.newton.lambda);
        self.first_rows.clone_from(&self.equations.rows);
        self.momenta_at_end(scene, method, &mut laws, outcome.residuals.has_converged());
        self.second_impulses.clear();
        if method.order == Order::Second {
            let ended = self.velocities(scene, method);
            outcome.residuals = outcome.residuals.and(ended.residuals);
            outcome.steps = outcome.steps.max(ended.steps);
            self.second_impulses.clone_from(&self.newton.lambda);
        }
        self.law_failed = false;
        if let Some(laws) = laws {
            if let Some(fault) = laws.take_failure() {
                return Err(Trouble::Failed(fault.to_string()));
            }
            self.law_failed = laws.has_failed();
        }
        if self.law_failed {
            self.stay_where_laws_fail(scene);
            return Ok(());
        }
        let (exchange, inspection) = books;
        self.finish(scene, method, touches, members, inspection)?;
        self.book(exchange);
        let time = if method.order == Order::Second { 1.0 } else { scene.h };
        self.tell(outcome, time, inspection);
        Ok(())
    }

    /// Leaves bodies on their way without forces, so that the law that has none there can be named.
    fn stay_where_laws_fail(&mut self, scene: &Scene<'_>) {
        self.bodies.clear();
        for start in &self.start[..self.inertias.len()] {
            let pose = moved(&start.pose, start.twist * scene.h);
            self.bodies.push(SolverBody { pose, ..*start });
        }
    }

    fn movable(&self) -> usize {
        self.inertias.len()
    }

    fn island<'a>(&'a self, scene: &Scene<'_>, method: VariationalSettings) -> Island<'a> {
        Island {
            h: scene.h,
            time: scene.time,
            method,
            bodies: &self.start,
            movable: self.inertias.len(),
            inertias: &self.inertias,
            sizes: &self.sizes,
            points: &self.points.list,
            joints: &self.joints,
            start_rows: &self.start_rows,
        }
    }

    /// Starts from the motion without constraints and the impulses of the last step.
    fn predict(&mut self, scene: &Scene<'_>, method: VariationalSettings, has_laws: bool) {
        let h = scene.h;
        let fall = if method.order == Order::Second { 0.5 * h * h } else { h * h };
        let part = if method.order == Order::Second { 0.5 } else { 1.0 };
        self.newton.x.clear();
        self.prediction.clear();
        self.prediction.extend(self.start[..self.inertias.len()].iter().map(|body| body.twist * h));
        for body in &self.start[..self.inertias.len()] {
            // Forces of laws that change on the way may be anything half way: stiff springs would be thrown
            // far beyond their rest length.
            let pulled =
                if has_laws { Vec3::ZERO } else { body.force.linear * (body.inverse.inv_mass * fall) };
            self.newton.x.push(Twist::new(body.twist.linear * h + pulled, body.twist.angular * h));
        }
        self.newton.lambda.clear();
        for point in &self.points.list {
            self.newton.lambda.extend(point.impulse.map(|impulse| impulse * part));
        }
        self.newton.lambda.resize(3 * self.points.list.len() + self.start_rows.len(), 0.0);
        if method.friction == FrictionIteration::Coupled && !has_laws {
            self.predict_contacts(h, part);
        }
    }

    /// Adds the motion by the impulses of the last step: what rests is then predicted to rest.
    fn predict_contacts(&mut self, h: f64, part: f64) {
        for point in &self.points.list {
            let [n, x, y] = point.impulse;
            let push = (point.frame * Vec3::new(n, x, y)) * part;
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let (end, impulse) = (point.ends[side] as usize, push * sign);
                if let Some(motion) = self.newton.x.get_mut(end) {
                    let twist = Twist::of_impulse(impulse, point.force_arms[side]);
                    *motion += self.start[end].inverse.apply(twist) * h;
                }
            }
        }
    }
}
