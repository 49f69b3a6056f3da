//! Gathers an island at the start of a step: movable bodies first, then the others that they touch or hang on,
//! contact points and joints.

use super::{IslandSolver, Members, Scene};
use crate::collide::contact_table::Touch;
use crate::joints::constraint::Configuration;
use crate::joints::direct::WORLD;
use crate::variational::points::TouchEnds;
use crate::variational::stages::{Joint, MAX_TURN};
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::{ComponentId, Trouble};
use gedanken_math::rotation::axes;
use gedanken_math::{Mat3, Pose, Quat, Vec3};

impl IslandSolver {
    pub(super) fn gather(
        &mut self,
        scene: &Scene<'_>,
        members: Members<'_>,
        touches: &[Touch],
    ) -> Result<(), Trouble> {
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
}

/// A contact of the island with its surfaces; `None` if one is gone.
pub(super) fn pair<'a>(
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
