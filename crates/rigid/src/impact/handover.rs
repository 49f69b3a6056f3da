//! Handover to the contact solver: in a crowd, where bodies meet again and again without end, slow pairs
//! become contacts of the next step.

use super::robust_query::ask;
use super::timeline::{Memory, Timeline};
use crate::collide::contact_table::{Contacts, Touch, TouchPoint};
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::Trouble;
use gedanken_geometry::narrow::{self, Manifold};
use gedanken_math::Vec3;
use std::sync::Arc;

/// A pair is crowded when it has met more than so often, and one of its bodies has had more than so many
/// impacts; it waits for the next step after more than so many.
const CROWD_COUNTS: [u32; 3] = [2, 8, 24];
/// The approach that waits for the next step in a crowd, as a part of a h.
pub(super) const WAITING_APPROACH_RATIO: f64 = 0.25;

impl Memory {
    /// Returns `true` if two bodies are part of a crowd, and whether that is so dense that they had better
    /// wait.
    pub(super) fn crowd(&self, rows: [u32; 2]) -> [bool; 2] {
        let movable = rows.iter().filter(|row| self.trajectories[**row as usize].is_movable());
        let most = movable.map(|row| self.hits[*row as usize]).max().unwrap_or(0);
        let often = self.counted(rows) > CROWD_COUNTS[0];
        [often && most > CROWD_COUNTS[1], often && most > CROWD_COUNTS[2]]
    }
}

impl Timeline<'_> {
    /// Returns `true` if pairs wait for the contact solver.
    pub(super) fn has_waiting(&self) -> bool {
        !self.memory.waiting.is_empty()
    }

    /// Hands the pairs that wait to the contact solver: contacts with the impulses that will stop them. They
    /// begin to touch when the narrow phase finds them.
    pub(super) fn hand_over(&mut self, contacts: &mut Contacts) -> Result<(), Trouble> {
        for k in 0..self.memory.waiting.len() {
            let rows = self.memory.waiting[k];
            let [a, b] = rows.map(|row| row as usize);
            let (Some(one), Some(two)) = (self.surfaces.at(rows[0]), self.surfaces.at(rows[1])) else {
                continue;
            };
            let Memory { trajectories, manifolds, scratch, .. } = &mut *self.memory;
            let bodies = [trajectories[a].now(self.h), trajectories[b].now(self.h)];
            let poses = [one.pose(&bodies[0].pose), two.pose(&bodies[1].pose)];
            let slop = self.settings.slop;
            ask(poses, |p, q| {
                narrow::pressing_manifolds(&one.shape, p, &two.shape, q, slop, scratch, manifolds)
            })?;
            for manifold in manifolds.iter() {
                let mut touch = awaited(manifold, rows, &bodies, slop);
                let touches = Arc::make_mut(&mut contacts.touches);
                match touches.binary_search_by_key(&touch.key(), Touch::key) {
                    Ok(place) => {
                        touch.touching = touches[place].touching;
                        touches[place] = touch;
                    }
                    Err(place) => touches.insert(place, touch),
                }
            }
        }
        Ok(())
    }
}

/// The contact of two bodies that wait, with the impulses that stop their approach.
fn awaited(manifold: &Manifold, rows: [u32; 2], bodies: &[SolverBody; 2], slop: f64) -> Touch {
    let [a, b] = bodies;
    let mut touch =
        Touch { a: rows[0], b: rows[1], parts: manifold.parts, normal: manifold.normal, ..Touch::BLANK };
    for found in manifold.points() {
        let (arm_a, arm_b) = (found.point_a - a.pose.translation, found.point_b - b.pose.translation);
        let approach = (a.twist.at(arm_a) - b.twist.at(arm_b)).dot(manifold.normal);
        touch.points[usize::from(touch.count)] = TouchPoint {
            arm_a,
            arm_b,
            gap: 2.0 * slop,
            features: [found.feature_a, found.feature_b],
            normal_impulse: approach.max(f64::MIN_POSITIVE) / (a.inverse.inv_mass + b.inverse.inv_mass),
            friction_impulse: Vec3::ZERO,
        };
        touch.count += 1;
    }
    touch
}
