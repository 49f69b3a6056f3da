//! Values whose scalars are nodes, and small questions about them.

use super::NodeId;
use crate::program::Input;
use crate::types::{Dim, Type};
use crate::value::{Matrix, Shaped};

/// A value that will be computed.
pub(super) type Later = Shaped<NodeId, NodeId>;

/// `position#1`, `inertia#2#3`, or just `t`.
pub(super) fn slot_name(input: &Input, element: u32) -> String {
    match input.ty {
        Type::Matrix(_, Dim::Is(columns)) if columns > 0 => {
            format!("{}#{}#{}", input.name, element / columns + 1, element % columns + 1)
        }
        Type::Vector(_) => format!("{}#{}", input.name, element + 1),
        _ => input.name.clone(),
    }
}

/// The scalars of a value, row by row; none for a sequence.
pub(super) fn flatten(value: &Later) -> Option<Vec<NodeId>> {
    match value {
        Shaped::Real(id) | Shaped::Bool(id) => Some(vec![*id]),
        Shaped::Vector(elements) => Some(elements.clone()),
        Shaped::Matrix(matrix) => Some(matrix.elements.clone()),
        Shaped::Sequence(_) => None,
    }
}

/// The value of a fixed type with these scalars.
pub(super) fn unflatten(ty: &Type, nodes: &[NodeId]) -> Option<Later> {
    match *ty {
        Type::Real => Some(Shaped::Real(*nodes.first()?)),
        Type::Bool => Some(Shaped::Bool(*nodes.first()?)),
        Type::Vector(_) => Some(Shaped::Vector(nodes.to_vec())),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => Some(Shaped::Matrix(Matrix {
            rows: rows as usize,
            columns: columns as usize,
            elements: nodes.to_vec(),
        })),
        _ => None,
    }
}

/// Arguments as numbers: equal ones have equal shapes and equal nodes.
pub(super) fn encode(arguments: &[Later]) -> Vec<u32> {
    let mut code = Vec::new();
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    for argument in arguments {
        match argument {
            Shaped::Real(id) => code.extend([0, id.0]),
            Shaped::Bool(id) => code.extend([1, id.0]),
            Shaped::Vector(elements) => {
                code.extend([2, count(elements.len())]);
                code.extend(elements.iter().map(|id| id.0));
            }
            Shaped::Matrix(matrix) => {
                code.extend([3, count(matrix.rows), count(matrix.columns)]);
                code.extend(matrix.elements.iter().map(|id| id.0));
            }
            Shaped::Sequence(items) => {
                code.extend([4, count(items.len())]);
                code.extend(encode(items));
            }
        }
    }
    code
}
