//! Forces of contacts, from the forces of their rows.

use super::Contact;
use crate::constraints::contact::edges;
use crate::constraints::rows::RowKind;
use crate::dynamics::Dynamics;
use crate::model::{Cone, Description};
use gedanken_math::Vec3;

impl Dynamics {
    /// Contacts that acted in the last evaluation, each with its force on the second geom, in the world.
    pub fn contact_forces<'d>(
        &'d self,
        description: &'d Description,
    ) -> impl Iterator<Item = (&'d Contact, Vec3)> {
        self.rows.blocks.iter().filter_map(move |block| {
            let is_contact =
                matches!(block.kind, RowKind::Frictionless | RowKind::PyramidEdge | RowKind::Elliptic);
            let contact = self.contacts.get(block.owner).filter(|_| is_contact)?;
            let forces = self.solver.forces.get(block.first..block.first + block.count)?;
            let [normal, along, across] = match (block.kind, description.settings.cone) {
                (RowKind::PyramidEdge, Cone::Pyramid { edges: sliding }) => {
                    let all = edges(contact, sliding).zip(forces);
                    all.fold([0.0; 3], |[n, t, u], (edge, f)| [n + f, t + edge[0] * f, u + edge[1] * f])
                }
                _ => [0, 1, 2].map(|k| forces.get(k).copied().unwrap_or(0.0)),
            };
            let [first, second, third] = contact.frame;
            Some((contact, first * normal + second * along + third * across))
        })
    }
}
