//! Writes the end of a step: bodies, impulses of contacts, books, the look inside and the report.

use super::{IslandSolver, Members, Scene};
use crate::collide::contact_table::Touch;
use crate::joints::constraint::Sense;
use crate::ledger::{Account, Entry, Exchange};
use crate::variational::inspection::{Cost, Inspection, Multiplier};
use crate::variational::newton::{ContactResiduals, Outcome};
use crate::variational::points::{Displaced, moved};
use crate::variational::settings::{FrictionIteration, Kinetic, Order, VariationalSettings};
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::Trouble;
use gedanken_math::{Twist, Vec3};

impl IslandSolver {
    /// Books the work and momentum of all rows, with the mean of the velocities before and after the step.
    pub(super) fn book(&mut self, exchange: &mut Exchange) {
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
    pub(super) fn finish(
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
    pub(super) fn tell(&mut self, outcome: Outcome, time: f64, inspection: &mut Inspection) {
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
