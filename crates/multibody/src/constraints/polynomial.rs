//! Polynomial joint: a coordinate is a quartic of another. One row.

use super::place::Place;
use super::rows::{RowKind, Rows};
use crate::model::{JointId, Softness};

/// Appends the row of a polynomial coupling.
pub(crate) fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    driven: JointId,
    driver: Option<JointId>,
    coefficients: [f64; 5],
) {
    let topology = &place.model.topology;
    let joints = &place.model.description.joints;
    let offset = |joint: JointId| {
        let at = topology.coordinate_of[joint.index()];
        place.state.coordinates[at] - joints[joint.index()].reference
    };
    let freedom = |joint: JointId| topology.freedom_of[joint.index()];
    let [c0, c1, c2, c3, c4] = coefficients;
    let columns = rows.columns.len();
    let weights = &place.model.initial.freedom_inverse_weights;
    let mut inverse_weight = weights[freedom(driven)];
    let mut position = offset(driven) - c0;
    let mut slope = 0.0;
    if let Some(driver) = driver {
        let x = offset(driver);
        position -= c1 * x + c2 * x * x + c3 * x * x * x + c4 * x * x * x * x;
        slope = c1 + 2.0 * c2 * x + 3.0 * c3 * x * x + 4.0 * c4 * x * x * x;
        inverse_weight += weights[freedom(driver)];
    }
    let mut entries = vec_of_two((freedom(driven), 1.0), driver.map(|driver| (freedom(driver), -slope)));
    // Columns stand in rising order.
    entries.sort_by_key(|&(column, _)| column);
    let used = if driver.is_some_and(|driver| driver != driven) { 2 } else { 1 };
    rows.columns.extend(entries[2 - used..].iter().map(|&(column, _)| column));
    let number = rows.push(RowKind::Equality, owner, columns, 1, softness);
    let block = rows.blocks[number];
    for (at, &(_, value)) in entries[2 - used..].iter().enumerate() {
        rows.values[block.values + at] = value;
    }
    rows.positions[block.first] = position;
    rows.diagonal[block.first] = inverse_weight;
}

/// Two entries; a driver that is missing, or the joint itself, is merged into the second.
fn vec_of_two(driven: (usize, f64), driver: Option<(usize, f64)>) -> [(usize, f64); 2] {
    match driver {
        None => [(0, 0.0), driven],
        Some((column, value)) if column == driven.0 => [(0, 0.0), (column, driven.1 + value)],
        Some(driver) => [driver, driven],
    }
}
