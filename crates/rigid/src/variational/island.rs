//! One island through a step: gathers bodies, points and joints, solves positions and velocities, and tells
//! what came out.

use super::continuation;
use super::inspection::{Cost, Inspection, Multiplier};
use super::law_field::LawField;
use super::least_norm::{self, LeastNorm};
use super::newton::{ContactResiduals, Equations, Newton, Outcome, Row};
use super::points::{Displaced, Points, TouchEnds, moved};
use super::settings::{FrictionIteration, Kinetic, Order, VariationalSettings};
use super::stages::{Island, Joint, MAX_TURN, Positions, Rubbing, StageMemory, Velocities};
use crate::collide::contact_table::Touch;
use crate::contacts::report::{Report, VariationalResiduals};
use crate::joints::constraint::{Configuration, Constraint, Row as JointRow, Sense};
use crate::joints::direct::WORLD;
use crate::ledger::{Account, Entry, Exchange};
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::SolverBody;
use crate::world::surface::Surfaces;
use gedanken_dynamics::{ComponentId, Trouble};
use gedanken_geometry::narrow::{self, Manifold, Scratch};
use gedanken_math::rotation::axes;
use gedanken_math::{Mat3, Pose, Quat, Twist, Vec3};
use std::sync::Arc;

/// The most times that contact points are chosen again in a pass.
const MAX_CHOICES: u32 = 12;
/// From this choice on new points stand beside the old ones: a rim that meets another one now here, now there
/// would change them for ever.
const CHOICES_BEFORE_ADDING: u32 = 4;
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

    fn gather(&mut self, scene: &Scene<'_>, members: Members<'_>, touches: &[Touch]) -> Result<(), Trouble> {
        self.place.clear();
        self.place.resize(scene.bodies.len(), u32::MAX);
        self.start.clear();
        self.inertias.clear();
        self.sizes.clear();
        for &row in members.rows {
            let body = SolverBody { force: (scene.force)(row as usize), ..scene.bodies[row as usize] };
            if body.twist.angular.length() * scene.h > MAX_TURN {
                let name = scene.world.model().components().name(ComponentId::from_row(row as usize));
                return Err(Trouble::Failed(format!(
                    "'{name}' turns through {:.1} rad in one step, and the variational step can follow {MAX_TURN}: \
                     take a shorter time step",
                    body.twist.angular.length() * scene.h
                )));
            }
            self.place[row as usize] = self.start.len() as u32;
            self.start.push(body);
            self.inertias.push(world_inertia(body.moments, body.pose.rotation));
            let reach = scene.surfaces.at(row).map(|surface| surface.reach).filter(|reach| *reach > 0.0);
            let gyration = || (body.moments.max_element() / body.mass).sqrt();
            self.sizes.push(reach.unwrap_or_else(gyration));
        }
        let movable = self.start.len();
        self.touch_ends.clear();
        for &number in members.touches {
            let touch = &touches[number as usize];
            let ends = [touch.a, touch.b].map(|row| self.enter(scene, row));
            self.touch_ends.push(ends);
        }
        self.joints.clear();
        self.start_rows.clear();
        for &number in members.constraints {
            let constraint = &scene.constraints[number as usize];
            let ends = crate::collide::island::rows_of(&**constraint)
                .map(|row| if row == 0 { WORLD } else { self.enter(scene, row) });
            let pose = |end: u32, bodies: &[SolverBody]| {
                if end == WORLD { Pose::IDENTITY } else { bodies[end as usize].pose }
            };
            let at = Configuration {
                a: pose(ends[0], &self.start),
                b: pose(ends[1], &self.start),
                time: scene.time,
            };
            let first = self.start_rows.len();
            constraint.rows(&at, &mut self.start_rows);
            let count = self.start_rows.len() - first;
            self.joints.push(Joint { constraint: constraint.clone(), ends, first, count });
        }
        self.points.list.clear();
        for k in 0..members.touches.len() {
            let Some(pair) = pair(scene, members, touches, &self.touch_ends, k) else { continue };
            let margin = pair.ends.iter().fold(0.0, |sum, &end| {
                let body = &self.start[end as usize];
                let reach = if (end as usize) < movable { self.sizes[end as usize] } else { pair.size() };
                let pull = body.force.linear.length() * body.inverse.inv_mass;
                let way = body.twist.linear.length() + body.twist.angular.length() * reach;
                sum + 2.0 * way * scene.h + pull * scene.h * scene.h
            });
            self.points.add(&pair, &self.start, margin + 0.05 * pair.size());
        }
        Ok(())
    }

    /// The place of a row; bodies that do not move by forces are entered when they are met.
    fn enter(&mut self, scene: &Scene<'_>, row: u32) -> u32 {
        let place = &mut self.place[row as usize];
        if *place == u32::MAX {
            *place = self.start.len() as u32;
            self.start.push(scene.bodies[row as usize]);
        }
        *place
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
    }

    /// Solves positions, choosing contact points again until the true gaps are respected.
    fn positions(
        &mut self,
        scene: &Scene<'_>,
        members: Members<'_>,
        touches: &[Touch],
        method: VariationalSettings,
        rubbing: Rubbing,
        laws: &mut Option<&mut LawField>,
    ) -> Result<Outcome, Trouble> {
        let mut worst_overlap = 0.0;
        for choice in 0u32.. {
            let outcome = self.solve_positions(scene, method, rubbing, laws)?;
            let off = self.look_again(scene, members, touches, choice)?;
            if off.is_none_or(|off| off <= OVERLAP_ACCEPTED) || choice == MAX_CHOICES {
                worst_overlap = off.unwrap_or(worst_overlap);
                let residuals = VariationalResiduals {
                    feasibility: outcome.residuals.feasibility.max(worst_overlap),
                    ..outcome.residuals
                };
                return Ok(Outcome { residuals, ..outcome });
            }
            scene.settings.cancel.check()?;
        }
        unreachable!("the last choice returns")
    }

    fn solve_positions(
        &mut self,
        scene: &Scene<'_>,
        method: VariationalSettings,
        rubbing: Rubbing,
        laws: &mut Option<&mut LawField>,
    ) -> Result<Outcome, Trouble> {
        let mut newton = std::mem::take(&mut self.newton);
        let mut equations = std::mem::take(&mut self.equations);
        let mut memory = std::mem::take(&mut self.stage);
        let island = self.island(scene, method);
        let mut stage = Positions {
            island: &island,
            memory: &mut memory,
            rubbing,
            laws: laws.as_deref_mut(),
            fresh: true,
        };
        equations.rows.resize(newton.lambda.len(), Default::default());
        let solved = continuation::solve(
            &mut newton,
            &mut stage,
            &mut equations,
            &self.prediction,
            &scene.settings.cancel,
        );
        (self.newton, self.equations, self.stage) = (newton, equations, memory);
        let components = scene.world.model().components();
        let name = |row: u32| components.name(ComponentId::from_row(row as usize)).to_owned();
        solved.map_err(|stuck| Trouble::Strained(stuck.named(name)))
    }

    /// Looks at the true gaps of contacts whose points are not exact. Returns the largest error as a part of
    /// the bodies' size, `None` if all are exact; points of contacts that are off are chosen again.
    fn look_again(
        &mut self,
        scene: &Scene<'_>,
        members: Members<'_>,
        touches: &[Touch],
        choice: u32,
    ) -> Result<Option<f64>, Trouble> {
        self.renewed.clear();
        self.renewed.resize(members.touches.len(), false);
        let mut worst: Option<f64> = None;
        let movable = self.movable();
        self.ends.clear();
        for (k, body) in self.start.iter().enumerate() {
            let motion = if k < movable { self.newton.x[k] } else { body.twist * scene.h };
            self.ends.push(moved(&body.pose, motion));
        }
        for k in 0..members.touches.len() {
            let Some(pair) = pair(scene, members, touches, &self.touch_ends, k) else { continue };
            if pair.is_exact() {
                continue;
            }
            let off = self.true_error(scene, &pair)?;
            worst = Some(worst.unwrap_or(0.0).max(off));
            self.renewed[k] = off > OVERLAP_ACCEPTED;
        }
        if choice == MAX_CHOICES || !self.renewed.contains(&true) {
            return Ok(worst);
        }
        let points = 3 * self.points.list.len();
        self.joint_impulses.clear();
        self.joint_impulses.extend_from_slice(&self.newton.lambda[points..]);
        self.points.choose_again(&self.newton.lambda);
        for k in 0..members.touches.len() {
            let Some(pair) = pair(scene, members, touches, &self.touch_ends, k) else { continue };
            if self.renewed[k] {
                self.query(scene, &pair)?;
                if choice >= CHOICES_BEFORE_ADDING {
                    self.points.keep(pair.number);
                    self.points.add_found(&pair, &self.manifolds, &self.start, &self.ends);
                    continue;
                }
                self.points.replace(&pair, &self.manifolds, &self.start, &self.ends);
            } else {
                self.points.keep(pair.number);
            }
        }
        self.newton.lambda.clear();
        for point in &self.points.list {
            self.newton.lambda.extend(point.impulse);
        }
        self.newton.lambda.extend_from_slice(&self.joint_impulses);
        Ok(worst)
    }

    fn query(&mut self, scene: &Scene<'_>, pair: &TouchEnds<'_>) -> Result<(), Trouble> {
        let Self { ends, manifolds, scratch, .. } = self;
        let [one, two] = pair.surfaces;
        let [p, q] = [0, 1].map(|k| pair.surfaces[k].pose(&ends[pair.ends[k] as usize]));
        let margin = 2.0 * scene.settings.slop + 0.02 * pair.size();
        narrow::manifolds(&one.shape, &p, &two.shape, &q, margin, scratch, manifolds)
            .map_err(|error| Trouble::Failed(format!("the contact of two bodies was not found: {error}")))
    }

    /// The largest overlap of a pair at the end, beyond what is allowed, or the gap under points that press.
    fn true_error(&mut self, scene: &Scene<'_>, pair: &TouchEnds<'_>) -> Result<f64, Trouble> {
        self.query(scene, pair)?;
        let own = || self.points.list.iter().enumerate().filter(|(_, point)| point.touch == pair.number);
        let allowed = own().fold(0.0f64, |most, (_, point)| most.min(point.target));
        let of_parts = self.manifolds.iter().filter(|manifold| manifold.parts == pair.touch.parts);
        let deepest = of_parts
            .flat_map(|manifold| manifold.points())
            .fold(f64::INFINITY, |least, point| least.min(-point.depth));
        let presses = own().any(|(k, _)| self.newton.lambda[3 * k] > 0.0);
        let overlap = (allowed - deepest).max(0.0);
        // Bodies that press without touching: the points were too near.
        let hovering = if presses { (deepest.min(pair.size()) - allowed).max(0.0) } else { 0.0 };
        Ok(overlap.max(hovering) / pair.size())
    }

    /// Two passes: normal forces without friction, then friction of at most μ times these.
    fn lagged(
        &mut self,
        scene: &Scene<'_>,
        members: Members<'_>,
        touches: &[Touch],
        method: VariationalSettings,
        laws: &mut Option<&mut LawField>,
    ) -> Result<Outcome, Trouble> {
        // Least norm is measured from zero, not from the last step.
        let rows = 3 * self.points.list.len();
        self.newton.lambda[..rows].fill(0.0);
        let first = self.positions(scene, members, touches, method, Rubbing::None, laws)?;
        if self.movable() == 1 {
            self.take_least_norm();
        }
        for (point, lambda) in self.points.list.iter_mut().zip(self.newton.lambda.chunks(3)) {
            point.first_pass = lambda[0].max(0.0);
        }
        for given in &scene.settings.given_forces {
            for point in &mut self.points.list {
                let rows = point.ends.map(|end| self.start[end as usize].row);
                if rows == given.rows && point.number == given.point {
                    point.first_pass = given.force * scene.h;
                }
            }
        }
        let second = self.positions(scene, members, touches, method, Rubbing::Lagged, laws)?;
        let unit = self.largest_impulse();
        let lag = self.points.list.iter().zip(self.newton.lambda.chunks(3));
        let lag = lag.fold(0.0f64, |most, (point, lambda)| {
            let rubs = point.friction > 0.0;
            if rubs { most.max((point.first_pass - lambda[0]).abs() / unit) } else { most }
        });
        let residuals =
            VariationalResiduals { friction: second.residuals.friction.max(lag), ..second.residuals };
        Ok(Outcome { residuals, steps: first.steps.max(second.steps) })
    }

    fn largest_impulse(&self) -> f64 {
        let scales = self.equations.scales.iter().map(|scale| scale.impulse);
        let normals = self.newton.lambda.iter().map(|lambda| lambda.abs());
        scales.chain(normals).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Shares the normal impulses of a single body so that their squares add up to the least.
    fn take_least_norm(&mut self) {
        let mut total = [0.0; 6];
        self.least_norm.bearings.clear();
        for k in 0..self.points.list.len() {
            let row = &self.equations.rows[3 * k];
            let side = usize::from((self.points.list[k].ends[0] as usize) >= self.movable());
            let force = super::newton::six(row.force[side]);
            let size = self.sizes[0];
            let scaled = [force[0], force[1], force[2], force[3] / size, force[4] / size, force[5] / size];
            let lambda = self.newton.lambda[3 * k];
            total.iter_mut().zip(scaled).for_each(|(sum, part)| *sum += part * lambda);
            if row.value <= self.points.list[k].size * least_norm::BEARING_GAP {
                self.least_norm.add(k, scaled);
            }
        }
        if self.least_norm.solve(total) {
            for bearing in &self.least_norm.bearings {
                self.newton.lambda[3 * bearing.point] = bearing.share;
            }
        }
    }

    /// The momenta at the end of the step, and the forces that were used, without impulses at the end. Backward
    /// Euler needs them of free bodies only.
    fn momenta_at_end(
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
            let middle = super::rotation_step::midpoint(&self.inertias[k], motion.angular);
            let torque = super::rotation_step::torque_shares(motion.angular, force.angular)[1];
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
    fn twist_of(&self, k: usize, momentum: Twist) -> Twist {
        let angular = self.end_inertias[k].inverse() * momentum.angular;
        Twist::new(momentum.linear * (1.0 / self.start[k].mass), angular)
    }

    /// Projects the velocities at the end of a step of order 2.
    fn velocities(&mut self, scene: &Scene<'_>, method: VariationalSettings) -> Outcome {
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

    /// Books the work and momentum of all rows, with the mean of the velocities before and after the step.
    fn book(&mut self, exchange: &mut Exchange) {
        let ends = self.bodies.iter().zip(&self.start);
        self.means.clear();
        self.means.extend(ends.map(|(end, start)| (start.twist + end.twist) * 0.5));
        for body in &self.bodies {
            let energy = -body.force.dot(body.shifted);
            exchange.book(Account::Stabilisation, Entry { energy, momentum: Vec3::ZERO });
        }
        let mut book = |account: Account, ends: [u32; 2], force: [Twist; 2], lambda: f64| {
            let mut entry = Entry::default();
            for side in 0..2 {
                if let Some(mean) = self.means.get(ends[side] as usize) {
                    entry.energy += force[side].dot(*mean) * lambda;
                    entry.momentum += force[side].linear * lambda;
                }
            }
            exchange.book(account, entry);
        };
        let halves =
            [(&self.first_rows, &self.first_impulses), (&self.equations.rows, &self.second_impulses)];
        for (rows, impulses) in halves.into_iter().filter(|(_, impulses)| !impulses.is_empty()) {
            for (k, point) in self.points.list.iter().enumerate() {
                for j in 0..3 {
                    let account = if j == 0 { Account::Normal } else { Account::Friction };
                    book(account, point.ends, rows[3 * k + j].force, impulses[3 * k + j]);
                }
            }
            for joint in &self.joints {
                for k in joint.first..joint.first + joint.count {
                    let at = 3 * self.points.list.len() + k;
                    let driven = matches!(self.start_rows[k].sense, Sense::Driven { .. });
                    let account = if driven { Account::Motor } else { Account::Joint };
                    book(account, joint.ends, rows[at].force, impulses[at]);
                }
            }
        }
    }

    /// Writes the end of the step: bodies, impulses of contacts, and the look inside.
    fn finish(
        &mut self,
        scene: &Scene<'_>,
        method: VariationalSettings,
        touches: &mut [Touch],
        members: Members<'_>,
        inspection: &mut Inspection,
    ) -> Result<(), Trouble> {
        let h = scene.h;
        self.bodies.clear();
        for k in 0..self.movable() {
            let (start, motion) = (&self.start[k], self.motions[k]);
            let pose = moved(&start.pose, motion);
            let twist = match method.order {
                Order::Second => self.newton.x[k],
                Order::First if self.first_rows.is_empty() && method.kinetic == Kinetic::Exact => {
                    self.twist_of(k, self.momenta[k])
                }
                Order::First => motion * (1.0 / h),
            };
            if !(pose.is_finite() && twist.is_finite()) {
                return Err(Trouble::Failed(
                    "the variational step found no motion that is a number: take a shorter time step"
                        .to_owned(),
                ));
            }
            // Impulses at the two ends of a step differ where a body starts or stops all of a sudden, and it
            // goes another way than its mean velocity. What backward Euler loses is its own error: its laws
            // work along the way that it goes.
            let moved =
                if method.order == Order::Second { (start.twist + twist) * (0.5 * h) } else { motion };
            let shifted = motion - moved;
            self.bodies.push(SolverBody { pose, twist, moved, shifted, ..*start });
        }
        for &number in members.touches {
            for point in touches[number as usize].points_mut() {
                (point.normal_impulse, point.friction_impulse) = (0.0, Vec3::ZERO);
            }
        }
        for (k, point) in self.points.list.iter().enumerate() {
            let at = 3 * k;
            let second = |j: usize| self.second_impulses.get(at + j).copied().unwrap_or(0.0);
            let add = |j: usize| self.first_impulses[at + j] + second(j);
            let normal_impulse = add(0).max(0.0);
            let friction_impulse = point.frame.y_axis * add(1) + point.frame.z_axis * add(2);
            let ends = point.ends.map(|end| self.ends_of(end, h));
            let at_end = [point.end(0, &ends[0]), point.end(1, &ends[1])];
            let gap = point.frame.x_axis.dot(at_end[1].place - at_end[0].place);
            let touch = &mut touches[point.touch as usize];
            if let Some(known) = touch.points_mut().iter_mut().find(|it| it.features == point.features) {
                known.gap = gap;
                known.normal_impulse += normal_impulse;
                known.friction_impulse += friction_impulse;
            }
            let way = at_end[1].way - at_end[0].way;
            let sliding = way - point.frame.x_axis * point.frame.x_axis.dot(way);
            let first_pass = match method.friction {
                FrictionIteration::Lagged => point.first_pass,
                FrictionIteration::Coupled => normal_impulse,
            };
            inspection.cost.friction += point.friction * first_pass / h * sliding.length();
            self.report.overlap = self.report.overlap.max(-gap);
            if gap <= scene.settings.slop {
                self.report.points += 1;
            }
            inspection.multipliers.push(Multiplier {
                rows: point.ends.map(|end| self.start[end as usize].row),
                point: point.number,
                place: (at_end[0].place + at_end[1].place) * 0.5,
                normal: point.frame.x_axis,
                gap,
                first_pass: first_pass / h,
                normal_force: normal_impulse / h,
                friction_force: friction_impulse / h,
                sliding,
            });
        }
        self.add_cost(h, &mut inspection.cost);
        for (row, start) in self.first_rows[3 * self.points.list.len()..].iter().zip(&self.start_rows) {
            let off = match start.sense {
                Sense::Equal => row.value.abs(),
                Sense::AtLeast => (-row.value).max(0.0),
                Sense::Driven { .. } => 0.0,
            };
            self.report.joints = self.report.joints.max(off);
        }
        Ok(())
    }

    fn ends_of(&self, end: u32, h: f64) -> Displaced {
        let body = &self.start[end as usize];
        let motion = self.motions.get(end as usize).copied().unwrap_or(body.twist * h);
        Displaced::new(&body.pose, motion)
    }

    fn add_cost(&self, h: f64, cost: &mut Cost) {
        for (k, motion) in self.motions.iter().enumerate() {
            let body = &self.start[k];
            let off = *motion - body.twist * h;
            cost.translational += 0.5 * body.mass * off.linear.length_squared() / (h * h);
            cost.rotational += 0.5 * off.angular.dot(self.inertias[k] * off.angular) / (h * h);
        }
    }

    /// Tells how good the step is; `time` is that of the rows that were solved last.
    fn tell(&mut self, outcome: Outcome, time: f64, inspection: &mut Inspection) {
        let contacts = ContactResiduals::of(&self.equations, &self.newton.lambda, time);
        inspection.iterations = inspection.iterations.max(outcome.steps);
        let report = &mut self.report;
        report.islands += u32::from(!self.points.list.is_empty());
        report.iterations = report.iterations.max(outcome.steps);
        report.signorini = report.signorini.max(contacts.signorini);
        report.cone = report.cone.max(contacts.cone);
        report.dissipation = report.dissipation.max(contacts.dissipation);
        report.variational = report.variational.and(outcome.residuals);
        report.converged &= outcome.residuals.has_converged();
    }
}

/// A contact of the island with its surfaces; `None` if one is gone.
fn pair<'a>(
    scene: &Scene<'a>,
    members: Members<'_>,
    touches: &'a [Touch],
    ends: &[[u32; 2]],
    k: usize,
) -> Option<TouchEnds<'a>> {
    let number = members.touches[k];
    let touch = &touches[number as usize];
    let surfaces = [scene.surfaces.at(touch.a)?, scene.surfaces.at(touch.b)?];
    Some(TouchEnds { number, touch, ends: ends[k], surfaces })
}

/// R I Rᵀ.
fn world_inertia(moments: Vec3, rotation: Quat) -> Mat3 {
    if moments.x == moments.y && moments.y == moments.z {
        return Mat3::from_diagonal(moments);
    }
    let [x, y, z] = axes(rotation);
    let turn = Mat3::from_cols(x, y, z);
    turn * Mat3::from_diagonal(moments) * turn.transpose()
}
