//! Positions, solved again with other contact points until the true gaps are respected.

use super::gather::pair;
use super::{IslandSolver, Members, OVERLAP_ACCEPTED, Scene};
use crate::collide::contact_table::Touch;
use crate::contacts::report::VariationalResiduals;
use crate::variational::continuation;
use crate::variational::law_field::LawField;
use crate::variational::newton::Outcome;
use crate::variational::points::{TouchEnds, moved};
use crate::variational::settings::VariationalSettings;
use crate::variational::stages::{Positions, Rubbing};
use gedanken_dynamics::{ComponentId, Trouble};
use gedanken_geometry::narrow;

/// The most times that contact points are chosen again in a pass.
const MAX_CHOICES: u32 = 12;
/// From this choice on new points stand beside the old ones: a rim that meets another one now here, now there
/// would change them for ever.
const CHOICES_BEFORE_ADDING: u32 = 4;

impl IslandSolver {
    /// Solves positions, choosing contact points again until the true gaps are respected.
    pub(super) fn positions(
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
        narrow::pressing_manifolds(&one.shape, &p, &two.shape, &q, margin, scratch, manifolds)
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
}
