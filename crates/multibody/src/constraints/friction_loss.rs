//! Dry friction of a freedom: a force against its motion, of at most the friction loss. One row.

use super::place::Place;
use super::rows::{RowKind, Rows};

/// Appends the rows of dry friction.
pub(crate) fn push_all(place: &Place<'_>, rows: &mut Rows) {
    for freedom in 0..place.model.freedoms() {
        let joint = &place.model.description.joints[place.model.topology.joint_of[freedom].index()];
        if joint.friction_loss == 0.0 {
            continue;
        }
        let columns = rows.columns.len();
        rows.columns.push(freedom);
        let number = rows.push(RowKind::FrictionLoss, freedom, columns, 1, joint.friction_softness);
        let block = rows.blocks[number];
        rows.values[block.values] = 1.0;
        rows.friction_losses[block.first] = joint.friction_loss;
        rows.diagonal[block.first] = place.model.initial.freedom_inverse_weights[freedom];
    }
}
