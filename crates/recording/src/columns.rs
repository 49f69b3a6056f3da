//! The columns of a recording: a name for every scalar, and where its value stands.
//!
//! A column is called `object.attribute`, an attribute of the world or a measure by its bare name; elements
//! of vectors are `#1`, of matrices `#1#2`. The columns of a file that are no quantities keep their names
//! (`t`, `frame`, `hash`, `keyframe`): an attribute of the world of such a name is `world.t`, and a measure
//! that is called like one of those or like an attribute of the world is `measure.t`.
//!
//! Contexts may have attributes and laws of the same name for one object. They are different quantities: the
//! first keeps the plain name, the others are `object.name@context`. Since an object is in one context at a
//! time, whoever looks wants them as one; so [`Schema::merged_columns`], which CSV uses, puts those of one
//! type into one column of the plain name. [`Schema::columns`] keeps them apart, since what is read back from
//! Arrow must be what was recorded.

use crate::schema::{Owner, Schema};
use gedanken_lang::types::{Dim, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The names of columns that are no quantities.
pub(super) const RESERVED: [&str; 4] = ["t", "frame", "hash", "keyframe"];

/// Place of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Position in every row.
    Row(usize),
    /// Scalar `element` of constant `constant` in the schema.
    Constant {
        /// An index into [`Schema::constants`].
        constant: usize,
        /// An index into its scalars.
        element: usize,
    },
}

impl Place {
    /// The scalar that is `by` after this one in the same quantity.
    #[must_use]
    pub fn after(self, by: usize) -> Self {
        match self {
            Self::Row(place) => Self::Row(place + by),
            Self::Constant { constant, element } => Self::Constant { constant, element: element + by },
        }
    }
}

/// One scalar over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in a CSV header: `ball.position#1`, `m#1#2` for an attribute of the world, `energy` for a
    /// measure.
    pub name: String,
    /// Its owner.
    pub owner: Owner,
    /// The attribute without its owner: `position`, or `position@rolling` where several contexts have one.
    pub attribute: String,
    /// Element of the attribute: `#1`, `#1#2`; empty for a quantity of one scalar.
    pub element: String,
    /// Places of its value: the first of them that has a value counts.
    pub places: Vec<Place>,
}

/// A quantity, varying or not, with the name it is known by.
pub(super) struct Named<'s> {
    pub(super) owner: Owner,
    /// Without context.
    pub(super) plain: &'s str,
    /// `plain`, with its context if an earlier one has that name.
    pub(super) attribute: String,
    pub(super) context: Option<usize>,
    pub(super) ty: &'s Type,
    pub(super) first: Place,
}

impl Schema {
    /// A column for every scalar, in the order of files: the world, objects by name, measures; each with its
    /// attributes by name, whether they vary or not, and what belongs to contexts after them.
    pub fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        for named in self.named() {
            self.push_columns(&mut columns, &named, &[named.first]);
        }
        columns
    }

    /// Columns as in [`columns`](Self::columns), but quantities of one owner, name and type that belong to
    /// several contexts share their columns.
    pub fn merged_columns(&self) -> Vec<Column> {
        let named = self.named();
        let mut columns = Vec::new();
        for (one, places) in merge(&named) {
            self.push_columns(&mut columns, one, &places);
        }
        columns
    }

    fn push_columns(&self, columns: &mut Vec<Column>, named: &Named<'_>, firsts: &[Place]) {
        let label = self.label(named.owner, &named.attribute);
        for scalar in 0..named.ty.scalars().unwrap_or(0) {
            let element = element(named.ty, scalar);
            columns.push(Column {
                name: format!("{label}{element}"),
                owner: named.owner,
                attribute: named.attribute.clone(),
                element,
                places: firsts.iter().map(|first| first.after(scalar)).collect(),
            });
        }
    }

    /// All quantities in the order of columns.
    pub(super) fn named(&self) -> Vec<Named<'_>> {
        let varying = self.quantities.iter().map(|it| Named {
            owner: it.owner,
            plain: &it.name,
            attribute: it.name.clone(),
            context: it.context,
            ty: &it.ty,
            first: Place::Row(it.start),
        });
        let constant = self.constants.iter().enumerate().map(|(constant, it)| Named {
            owner: it.owner,
            plain: &it.name,
            attribute: it.name.clone(),
            context: None,
            ty: &it.ty,
            first: Place::Constant { constant, element: 0 },
        });
        let mut all: Vec<Named<'_>> = varying.chain(constant).collect();
        // Stable, and names count for attributes only: what belongs to contexts keeps the order of the
        // schema.
        all.sort_by_key(|it| {
            (it.owner, it.context.is_some(), if it.context.is_none() { it.plain } else { "" })
        });
        let mut seen = BTreeSet::new();
        for it in &mut all {
            let again = !seen.insert((it.owner, it.plain));
            if let Some(context) = it.context.and_then(|it| self.contexts.get(it)).filter(|_| again) {
                it.attribute = format!("{}@{context}", it.plain);
            }
        }
        all
    }

    /// The name of an attribute with its owner.
    pub(super) fn label(&self, owner: Owner, attribute: &str) -> String {
        match owner {
            Owner::Object(object) => {
                format!("{}.{attribute}", self.objects.get(object).map_or("?", String::as_str))
            }
            Owner::World if RESERVED.contains(&attribute) => format!("world.{attribute}"),
            Owner::Measure if RESERVED.contains(&attribute) || self.is_of_world(attribute) => {
                format!("measure.{attribute}")
            }
            Owner::World | Owner::Measure => attribute.to_owned(),
        }
    }

    fn is_of_world(&self, name: &str) -> bool {
        self.quantity(Owner::World, name).is_some() || self.constant(Owner::World, name).is_some()
    }

    /// The scalar of a column in a row; NaN if it has no value there.
    pub fn scalar(&self, row: &[f64], places: &[Place]) -> f64 {
        let values = places.iter().map(|&place| match place {
            Place::Row(place) => row.get(place).copied().unwrap_or(f64::NAN),
            Place::Constant { .. } => self.constant_scalar(place),
        });
        values.into_iter().find(|value| !value.is_nan()).unwrap_or(f64::NAN)
    }

    /// The scalar of a constant; NaN for a place in a row.
    pub(super) fn constant_scalar(&self, place: Place) -> f64 {
        let Place::Constant { constant, element } = place else { return f64::NAN };
        self.constants.get(constant).and_then(|it| it.scalars.get(element)).copied().unwrap_or(f64::NAN)
    }
}

/// Quantities of one owner, plain name and type under the first of them.
pub(super) fn merge<'n, 's>(named: &'n [Named<'s>]) -> Vec<(&'n Named<'s>, Vec<Place>)> {
    let mut groups: Vec<(&Named<'_>, Vec<Place>)> = Vec::new();
    let mut heads: BTreeMap<(Owner, &str), Vec<usize>> = BTreeMap::new();
    for one in named {
        let known = heads.entry((one.owner, one.plain)).or_default();
        match known.iter().find(|&&head| groups[head].0.ty == one.ty) {
            Some(&head) => groups[head].1.push(one.first),
            None => {
                known.push(groups.len());
                groups.push((one, vec![one.first]));
            }
        }
    }
    groups
}

/// The suffix of scalar number `scalar`: `#1` counts from one, as the language does.
fn element(ty: &Type, scalar: usize) -> String {
    match *ty {
        Type::Vector(_) => format!("#{}", scalar + 1),
        Type::Matrix(_, Dim::Is(columns)) if columns > 0 => {
            let columns = columns as usize;
            format!("#{}#{}", scalar / columns + 1, scalar % columns + 1)
        }
        _ => String::new(),
    }
}
