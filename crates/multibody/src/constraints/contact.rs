//! Contacts: without friction one row, with a pyramid one row per edge n ± μ t, with an elliptic cone one row
//! per component of the force.

use super::pair;
use super::place::Place;
use super::rows::{RowKind, Rows};
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
    let edge_list = match (kind, cone) {
        (RowKind::PyramidEdge, Cone::Pyramid { edges: sliding }) => Some(sliding),
        _ => None,
    };
    match edge_list {
        Some(4) => fill_pyramid(place, rows, number, contact, bodies),
        _ => fill(place, rows, number, contact, bodies, edge_list),
    }
    add_given(place, rows, number, contact, bodies, edge_list);
    set_positions(place, rows, number, contact, bodies);
}

/// Fills in the rows of a pyramid of four edges, and their bases.
fn fill_pyramid(place: &Place<'_>, rows: &mut Rows, number: usize, contact: &Contact, bodies: [BodyId; 2]) {
    let components = contact.dimension.components();
    let Rows { blocks, bases, values, columns, .. } = rows;
    let block = &mut blocks[number];
    block.base_count = components;
    block.cone[1..].copy_from_slice(&contact.friction);
    let width = block.width;
    bases.resize(block.bases + components * width, 0.0);
    let bases = &mut bases[block.bases..];
    let values = &mut values[block.values..block.values + block.count * width];
    let mover = Mover::new(place, contact, bodies);
    for (at, &freedom) in columns[block.columns..].iter().enumerate() {
        let moved = mover.components_of(freedom, components);
        for (k, &moved) in moved.iter().enumerate().take(components) {
            bases[k * width + at] = moved;
        }
        for k in 0..components - 1 {
            let share = contact.friction[k] * moved[k + 1];
            values[2 * k * width + at] = moved[0] + share;
            values[(2 * k + 1) * width + at] = moved[0] - share;
        }
    }
}

/// Fills in the rows of other contacts; `sliding` is the number of sliding edges of a pyramid.
fn fill(
    place: &Place<'_>,
    rows: &mut Rows,
    number: usize,
    contact: &Contact,
    bodies: [BodyId; 2],
    sliding: Option<usize>,
) {
    let block = rows.blocks[number];
    let components = contact.dimension.components();
    let mover = Mover::new(place, contact, bodies);
    for at in 0..block.width {
        let moved = mover.components_of(rows.columns[block.columns + at], components);
        let mut set = |row: usize, value: f64| rows.values[block.values + row * block.width + at] = value;
        match sliding {
            Some(sliding) => {
                for (row, edge) in edges(contact, sliding).enumerate() {
                    let share: f64 = (0..components - 1).map(|k| edge[k] * moved[k + 1]).sum();
                    set(row, moved[0] + share);
                }
            }
            None => (0..block.count).for_each(|row| set(row, moved[row])),
        }
    }
}

/// How freedoms move the second body of a contact against the first, at the contact.
struct Mover<'a> {
    place: &'a Place<'a>,
    frame: [Vec3; 3],
    /// By side, the last freedom that moves it, and the contact's place from the tree's reference point.
    sides: [(Option<usize>, Vec3); 2],
    /// The side that moves, if only one does.
    lone_side: Option<usize>,
}

impl<'a> Mover<'a> {
    fn new(place: &'a Place<'a>, contact: &Contact, bodies: [BodyId; 2]) -> Self {
        let sides = bodies.map(|body| {
            let offset = contact.position - place.kinematics.references[body.index()];
            (place.model.topology.last_freedom[body.index()], offset)
        });
        let lone_side = match [sides[0].0, sides[1].0] {
            [Some(_), None] => Some(0),
            [None, Some(_)] => Some(1),
            _ => None,
        };
        Self { place, frame: contact.frame, sides, lone_side }
    }

    /// Motion per unit of a freedom that moves one of the two, in the contact's frame: translation, then
    /// rotation.
    #[inline(always)]
    fn components_of(&self, freedom: usize, components: usize) -> [f64; 6] {
        let axis = self.place.kinematics.axes[freedom];
        // What moves both moves them as one, and is no column.
        let side = self.lone_side.unwrap_or_else(|| {
            let carried = freedom..self.place.model.topology.subtree_end[freedom];
            usize::from(self.sides[1].0.is_some_and(|last| carried.contains(&last)))
        });
        let sign = if side == 1 { 1.0 } else { -1.0 };
        let linear = axis.at(self.sides[side].1) * sign;
        in_frame(&self.frame, Motion { angular: axis.angular * sign, linear }, components)
    }
}

/// Components of a motion in the frame of a contact: translation, then rotation if there is friction against it.
#[inline(always)]
fn in_frame(frame: &[Vec3; 3], motion: Motion, components: usize) -> [f64; 6] {
    let mut found = [0.0; 6];
    for (component, axis) in found.iter_mut().zip(frame) {
        *component = axis.dot(motion.linear);
    }
    if components > 3 {
        for (component, axis) in found[3..].iter_mut().zip(frame) {
            *component = axis.dot(motion.angular);
        }
    }
    found
}

/// Adds the rates and accelerations that prescribed bodies give to the rows. A prescribed body counts like a free
/// one whose velocities and accelerations are known: how a surface turns beneath a contact is left out, as for
/// all bodies.
fn add_given(
    place: &Place<'_>,
    rows: &mut Rows,
    number: usize,
    contact: &Contact,
    bodies: [BodyId; 2],
    sliding: Option<usize>,
) {
    let Some(given) = pair::given(place, bodies, [contact.position; 2]) else { return };
    let components = contact.dimension.components();
    let seen = |[one, other]: [Motion; 2]| in_frame(&contact.frame, other - one, components);
    let (all, direct) = (seen(given.all), seen(given.direct));
    let rates = seen(bodies.map(|body| pair::given_acceleration(place, body, contact.position)));
    let block = rows.blocks[number];
    let mut add = |row: usize, along: &dyn Fn(&[f64; 6]) -> f64| {
        rows.push_given(block.first + row, along(&all), along(&direct));
        rows.drifts[block.first + row] = along(&rates);
    };
    match sliding {
        Some(sliding) => {
            for (row, edge) in edges(contact, sliding).enumerate() {
                add(row, &|seen| seen[0] + (0..components - 1).map(|k| edge[k] * seen[k + 1]).sum::<f64>());
            }
        }
        None => (0..block.count).for_each(|row| add(row, &|seen| seen[row])),
    }
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
