//! Lagged friction: a pass without friction gives the normal forces, a second one rubs with them.

use super::{IslandSolver, Members, Scene};
use crate::collide::contact_table::Touch;
use crate::contacts::report::VariationalResiduals;
use crate::variational::law_field::LawField;
use crate::variational::least_norm;
use crate::variational::newton::{Outcome, six};
use crate::variational::settings::VariationalSettings;
use crate::variational::stages::Rubbing;
use gedanken_dynamics::Trouble;

impl IslandSolver {
    /// Two passes: normal forces without friction, then friction of at most μ times these.
    pub(super) fn lagged(
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
            let force = six(row.force[side]);
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
}
