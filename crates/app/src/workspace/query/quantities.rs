//! Quantities of a recording, by the names that the page shows.

use crate::wire::{QuantityInfo, TableRow, ValueInfo};
use gedanken_lang::types::{Dim, Type};
use gedanken_recording::{Column, Event, Moment, Owner, Place, Schema, value_of};

/// A quantity, varying or constant.
#[derive(Clone, Debug)]
pub(crate) struct RecordedQuantity {
    pub(crate) named: QuantityInfo,
    pub(crate) owner: Owner,
    ty: Type,
    /// Place of its first scalar.
    first: Place,
}

/// Returns all quantities: those of the world, then those of objects by name, then measures.
pub(crate) fn known(schema: &Schema) -> Vec<RecordedQuantity> {
    let by_start = |start: usize| {
        let at = schema.quantities.binary_search_by_key(&start, |it| it.start).ok()?;
        Some(&schema.quantities[at])
    };
    let one = |column: &Column| {
        let first = *column.places.first()?;
        let (name, ty, context) = match first {
            Place::Row(start) => {
                let it = by_start(start)?;
                (&it.name, &it.ty, it.context)
            }
            Place::Constant { constant, element: 0 } => {
                let it = schema.constants.get(constant)?;
                (&it.name, &it.ty, None)
            }
            Place::Constant { .. } => return None,
        };
        let formula = column.name[..column.name.len() - column.element.len()].to_owned();
        let named = QuantityInfo {
            owner: owner(schema, column.owner),
            name: name.clone(),
            formula,
            ty: type_name(ty),
            shape: shape(ty),
            context: context.and_then(|it| schema.contexts.get(it)).cloned(),
            constant: matches!(first, Place::Constant { .. }),
        };
        Some(RecordedQuantity { named, owner: column.owner, ty: ty.clone(), first })
    };
    // Of each quantity its first column stands for all: no other begins where a quantity does.
    schema.columns().iter().filter_map(one).collect()
}

fn owner(schema: &Schema, owner: Owner) -> String {
    match owner {
        Owner::World => "world".to_owned(),
        Owner::Measure => "measure".to_owned(),
        Owner::Object(object) => schema.objects[object].clone(),
    }
}

/// `real`, `boolean`, `vector(3)`, `matrix(2, 3)`.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Real => "real".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Vector(Dim::Is(n)) => format!("vector({n})"),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => format!("matrix({rows}, {columns})"),
        other => other.to_string(),
    }
}

fn shape(ty: &Type) -> Vec<u32> {
    match *ty {
        Type::Vector(Dim::Is(n)) => vec![n],
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => vec![rows, columns],
        _ => Vec::new(),
    }
}

impl RecordedQuantity {
    /// Returns its value in a frame.
    pub(crate) fn in_row(&self, schema: &Schema, row: &[f64]) -> Option<ValueInfo> {
        self.shown(|place| schema.scalar(row, &[place]))
    }

    /// Returns its value at one side of an event, if its owner takes part.
    pub(crate) fn at_event(&self, schema: &Schema, event: &Event, side: Moment) -> Option<ValueInfo> {
        self.shown(|place| schema.event_scalar(event, side, &[place]))
    }

    fn shown(&self, scalar: impl Fn(Place) -> f64) -> Option<ValueInfo> {
        let scalars = (0..self.ty.scalars()?).map(|it| scalar(self.first.after(it))).collect();
        shown(&self.ty, scalars)
    }

    /// Returns its row in a table.
    pub(crate) fn row(&self, before: Option<ValueInfo>, after: Option<ValueInfo>) -> TableRow {
        let QuantityInfo { owner, name, formula, ty, context, .. } = self.named.clone();
        let bits = |it: &Option<ValueInfo>| {
            it.as_ref().map(|it| it.scalars.iter().map(|it| it.to_bits()).collect::<Vec<u64>>())
        };
        let changed = before.is_some() && bits(&before) != bits(&after);
        TableRow { owner, name, formula, ty, context, before, after, changed }
    }
}

/// Returns a value of a fixed type; `None` if there is none, or if it is not finite.
pub(crate) fn shown(ty: &Type, scalars: Vec<f64>) -> Option<ValueInfo> {
    let finite = scalars.iter().all(|it| it.is_finite());
    let value = value_of(ty, &scalars).filter(|_| finite)?;
    Some(ValueInfo { text: value.to_string(), scalars })
}
