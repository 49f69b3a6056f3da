//! R, D and a_ref of all rows, from their softness and the inverse inertia they feel.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::softness::{TINY, impedance, stiffness_and_damping};
use crate::contacts::Contact;
use crate::model::Cone;
use crate::tree::mass_matrix::TreeFactor;

pub(super) fn regularise(place: &Place<'_>, factor: &TreeFactor, contacts: &[Contact], rows: &mut Rows) {
    let settings = &place.model.description.settings;
    if settings.exact_diagonal {
        exact_diagonal(place, factor, rows);
    }
    let mut velocities = core::mem::take(&mut rows.velocities);
    rows.times(&place.state.velocities, &mut velocities);
    rows.given.iter().for_each(|given| velocities[given.row] += given.rate);
    rows.velocities = velocities;
    let shortest = if settings.disabled.safe_reference { 0.0 } else { 2.0 * settings.time_step };
    for number in 0..rows.blocks.len() {
        let block = rows.blocks[number];
        let all = block.first..block.first + block.count;
        let violation = match block.kind {
            // Rows of one equality share the impedance of its whole violation.
            RowKind::Equality => {
                rows.positions[all.clone()].iter().map(|value| value * value).sum::<f64>().sqrt()
            }
            _ => rows.positions[block.first] - rows.margins[block.first],
        };
        let d = impedance(rows.curve(number), violation);
        rows.impedances[number] = d;
        let (softness, tangents) = rows.softness[number];
        let [k, b] = stiffness_and_damping(softness.reference, &softness.impedance, shortest);
        let [_, tangent_b] =
            tangents.map_or([k, b], |it| stiffness_and_damping(it, &softness.impedance, shortest));
        for row in all {
            rows.regularisation[row] = ((1.0 - d) * rows.diagonal[row] / d).max(TINY);
            let is_tangent = block.kind == RowKind::Elliptic && row > block.first;
            let (k, b) = match block.kind {
                RowKind::FrictionLoss | RowKind::Motor => (0.0, b),
                _ if is_tangent => (0.0, tangent_b),
                _ => (k, b),
            };
            rows.references[row] = -b * rows.velocities[row]
                - k * d * (rows.positions[row] - rows.margins[row])
                - rows.drifts[row];
        }
        match block.kind {
            RowKind::Elliptic => elliptic(settings.impedance_ratio, &contacts[block.owner], rows, number),
            RowKind::PyramidEdge => {
                pyramid(settings.cone, settings.impedance_ratio, &contacts[block.owner], rows, number);
            }
            _ => {}
        }
    }
    let Rows { stiffness, regularisation, .. } = rows;
    for (d, r) in stiffness.iter_mut().zip(regularisation) {
        *d = 1.0 / *r;
    }
}

/// Tangents of an elliptic cone: R scaled so that friction in all directions has one impedance.
fn elliptic(ratio: f64, contact: &Contact, rows: &mut Rows, number: usize) {
    let block = rows.blocks[number];
    let normal = rows.regularisation[block.first];
    let tangent = normal / ratio.max(TINY);
    let mu = contact.friction[0];
    rows.regularisation[block.first + 1] = tangent;
    for k in 1..block.count - 1 {
        let other = contact.friction[k];
        rows.regularisation[block.first + 1 + k] = tangent * mu * mu / (other * other);
    }
    let cone = &mut rows.blocks[number].cone;
    cone[0] = mu * (tangent / normal).sqrt();
    cone[1..].copy_from_slice(&contact.friction);
}

/// Edges of a pyramid: R such that friction is as stiff as that of the elliptic cone.
fn pyramid(cone: Cone, ratio: f64, contact: &Contact, rows: &mut Rows, number: usize) {
    let block = rows.blocks[number];
    let Cone::Pyramid { edges } = cone else { return };
    let normal = rows.regularisation[block.first];
    let tangent = normal / ratio.max(TINY);
    let mu = contact.friction[0] * (tangent / normal).sqrt();
    // Along a tangent the edges add up to edges / 2 times μ² D.
    let all = (0.5 * edges as f64) * mu * mu * normal;
    rows.regularisation[block.first..block.first + block.count].fill(all);
}

/// The diagonal of J M⁻¹ Jᵀ.
fn exact_diagonal(place: &Place<'_>, factor: &TreeFactor, rows: &mut Rows) {
    let mut row_of = core::mem::take(&mut rows.scratch);
    row_of.resize(place.model.freedoms(), 0.0);
    for number in 0..rows.blocks.len() {
        let block = rows.blocks[number];
        for row in 0..block.count {
            row_of.fill(0.0);
            for at in 0..block.width {
                row_of[rows.columns[block.columns + at]] = rows.values[block.values + row * block.width + at];
            }
            let exact = factor.inverse_norm_squared(&place.model.topology, &mut row_of);
            rows.diagonal[block.first + row] = exact;
        }
    }
    rows.scratch = row_of;
}
