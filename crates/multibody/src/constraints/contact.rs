//! Contacts: without friction one row, with a pyramid one row per edge n ± μ t, with an elliptic cone one row
//! per component of the force.

use super::rows::{RowKind, Rows};
use super::{Place, pair};
use crate::contacts::Contact;
use crate::model::{BodyId, Cone};
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;

/// Appends the rows of contacts.
pub(crate) fn push_all(place: &Place<'_>, rows: &mut Rows, contacts: &[Contact]) {
    for (number, contact) in contacts.iter().enumerate() {
        if !contact.in_gap {
            push(place, rows, number, contact);
        }
    }
}

/// Direction of an edge: share of each component of the contact's motion but the normal, which counts once.
type Edge = [f64; 5];

/// Edges of a pyramid: pairs along sliding directions, then about the normal and the tangents.
pub(crate) fn edges(contact: &Contact, sliding: usize) -> impl Iterator<Item = Edge> + '_ {
    let friction = contact.friction;
    let directions = (0..sliding / 2).map(move |k| {
        let mut edge = [0.0; 5];
        // The tangents themselves are taken without rounding.
        let (sine, cosine) = match (k, 2 * k == sliding / 2) {
            (0, _) => (0.0, 1.0),
            (_, true) => (1.0, 0.0),
            _ => libm::sincos(core::f64::consts::TAU * k as f64 / sliding as f64),
        };
        edge[0] = cosine * friction[0];
        edge[1] = sine * friction[1];
        edge
    });
    let others = (2..contact.dimension.components() - 1).map(move |k| {
        let mut edge = [0.0; 5];
        edge[k] = friction[k];
        edge
    });
    directions.chain(others).flat_map(|edge| [edge, edge.map(|share| -share)])
}

fn push(place: &Place<'_>, rows: &mut Rows, owner: usize, contact: &Contact) {
    let bodies = contact.geoms.map(|geom| place.model.description.geoms[geom.index()].body);
    let components = contact.dimension.components();
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, true, &mut rows.columns);
    if rows.columns.len() == columns {
        return;
    }
    let cone = place.model.description.settings.cone;
    let (kind, count) = match (components, cone) {
        (1, _) => (RowKind::Frictionless, 1),
        (_, Cone::Pyramid { edges }) => (RowKind::PyramidEdge, edges + 2 * (components - 3)),
        (_, Cone::Elliptic) => (RowKind::Elliptic, components),
    };
    let number = rows.push(kind, owner, columns, count, contact.softness);
    rows.softness[number].1 = contact.friction_reference;
    let block = rows.blocks[number];
    let edge_list = match (kind, cone) {
        (RowKind::PyramidEdge, Cone::Pyramid { edges: sliding }) => Some(sliding),
        _ => None,
    };
    for at in 0..block.width {
        let freedom = rows.columns[block.columns + at];
        let moved = components_of(place, contact, freedom, bodies);
        match edge_list {
            Some(sliding) => {
                for (row, edge) in edges(contact, sliding).enumerate() {
                    let share: f64 = (0..components - 1).map(|k| edge[k] * moved[k + 1]).sum();
                    rows.values[block.values + row * block.width + at] = moved[0] + share;
                }
            }
            None => {
                for row in 0..count {
                    rows.values[block.values + row * block.width + at] = moved[row];
                }
            }
        }
    }
    set_positions(place, rows, number, contact, bodies);
}

/// Motion of the second body against the first per unit of a freedom, in the contact's frame: translation,
/// then rotation.
fn components_of(place: &Place<'_>, contact: &Contact, freedom: usize, bodies: [BodyId; 2]) -> [f64; 6] {
    let points = [contact.position; 2];
    let [one, other]: [Motion; 2] = pair::column_pair(place.model, place.kinematics, freedom, bodies, points);
    let (linear, angular): (Vec3, Vec3) = (other.linear - one.linear, other.angular - one.angular);
    core::array::from_fn(|k| match k {
        0..3 => contact.frame[k].dot(linear),
        _ => contact.frame[k - 3].dot(angular),
    })
}

/// Violations, margins and inverse inertias of the rows of a contact.
fn set_positions(place: &Place<'_>, rows: &mut Rows, number: usize, contact: &Contact, bodies: [BodyId; 2]) {
    let block = rows.blocks[number];
    let translation = place.translation_weight(bodies);
    let rotation = place.rotation_weight(bodies);
    let all = block.first..block.first + block.count;
    match block.kind {
        RowKind::Elliptic => {
            rows.positions[block.first] = contact.distance;
            rows.margins[block.first] = contact.include_margin;
            for (k, row) in all.enumerate() {
                rows.diagonal[row] = if k < 3 { translation } else { rotation };
            }
        }
        _ => {
            rows.positions[all.clone()].fill(contact.distance);
            rows.margins[all.clone()].fill(contact.include_margin);
            // All edges get the regularisation of the first one.
            let mu = contact.friction[0];
            let scaled = if block.count == 1 { translation } else { translation + mu * mu * translation };
            rows.diagonal[all].fill(scaled);
        }
    }
}
