//! The schema of a recording as the metadata of its table of frames, and back.
//!
//! Single texts and numbers are text; lists are JSON. Reals read back to the same bits, also those that JSON
//! has no numbers for, which are strings there.

use super::error::{ReadError, RowsError, Spot};
use crate::schema::{Constant, Owner, Quantity, Schema};
use crate::shortest_real::Shortest;
use gedanken_lang::types::{Dim, Type};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The key under which a table says what it is.
pub(super) const FORMAT: &str = "format";
/// The key under which a table of events says to which frames it belongs: the checksum of their metadata.
pub(super) const RECORDING: &str = "recording";
/// Version of the format that is written: 2 since tables have checksums. All versions up to it are read.
pub const FORMAT_VERSION: u32 = 2;

/// Keys and values.
pub(super) type Metadata = BTreeMap<String, String>;

/// The two tables of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `X.arrow`.
    Frames,
    /// `X.events.arrow`.
    Events,
}

impl Table {
    /// First words of what a table says under [`FORMAT`]; its version follows.
    const fn words(self) -> &'static str {
        match self {
            Self::Frames => "gedanken recording ",
            Self::Events => "gedanken events ",
        }
    }

    /// What a table of the version that is written says.
    pub(super) fn format(self) -> String {
        format!("{}{FORMAT_VERSION}", self.words())
    }

    /// The table that metadata describe, and the version of its format.
    pub(super) fn of(metadata: &Metadata) -> Result<(Self, u32), ReadError> {
        let said = metadata.get(FORMAT).map_or("", String::as_str);
        let found = [Self::Frames, Self::Events].into_iter().find_map(|table| {
            let version: u32 = said.strip_prefix(table.words())?.parse().ok()?;
            Some((table, version)).filter(|(_, version)| *version > 0)
        });
        match found {
            Some((_, version)) if version > FORMAT_VERSION => Err(ReadError::Newer(version)),
            Some(found) => Ok(found),
            None => {
                let why = "its metadata do not say that it is a table of gedanken";
                Err(ReadError::NotARecording(why.to_owned()))
            }
        }
    }
}

/// The metadata of a schema.
pub(super) fn metadata_of(schema: &Schema) -> Metadata {
    let imports: Vec<Value> = schema.imports.iter().map(|(path, text)| json!([path, text])).collect();
    let quantities: Vec<Value> = schema.quantities.iter().map(quantity_to_json).collect();
    let constants: Vec<Value> = schema.constants.iter().map(constant_to_json).collect();
    let entries = [
        (FORMAT, Table::Frames.format()),
        ("engine", schema.engine.clone()),
        ("text", schema.text.clone()),
        ("path", schema.path.clone()),
        ("imports", Value::from(imports).to_string()),
        ("simulation", schema.simulation.clone()),
        ("parameters", Value::from(schema.parameters.clone()).to_string()),
        ("initial_time", Shortest(schema.initial_time).to_string()),
        ("duration", Shortest(schema.duration).to_string()),
        ("frame_rate", Shortest(schema.frame_rate).to_string()),
        ("objects", Value::from(schema.objects.clone()).to_string()),
        ("contexts", Value::from(schema.contexts.clone()).to_string()),
        ("quantities", Value::from(quantities).to_string()),
        ("constants", Value::from(constants).to_string()),
    ];
    let mut entries: Metadata = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    if schema.contacts {
        entries.insert("contacts".to_owned(), "true".to_owned());
    }
    if !schema.derived.is_empty() {
        let derived: Vec<Value> =
            schema.derived.iter().map(|(what, formula)| json!([what, formula])).collect();
        entries.insert("derived".to_owned(), Value::from(derived).to_string());
    }
    entries
}

/// The schema that metadata describe.
pub(super) fn schema_of(metadata: &Metadata) -> Result<Schema, ReadError> {
    let schema = (|| {
        let text = |key: &str| metadata.get(key).cloned();
        let number = |key: &str| metadata.get(key)?.parse().ok();
        let list = |key: &str| match serde_json::from_str(metadata.get(key)?).ok()? {
            Value::Array(items) => Some(items),
            _ => None,
        };
        let mut start = 0;
        Some(Schema {
            engine: text("engine")?,
            text: text("text")?,
            path: text("path")?,
            imports: list("imports")?.iter().map(pair_of_texts).collect::<Option<_>>()?,
            simulation: text("simulation")?,
            parameters: texts(&list("parameters")?)?,
            initial_time: number("initial_time")?,
            duration: number("duration")?,
            frame_rate: number("frame_rate")?,
            objects: texts(&list("objects")?)?,
            contexts: texts(&list("contexts")?)?,
            quantities: list("quantities")?
                .iter()
                .map(|it| quantity_from_json(it, &mut start))
                .collect::<Option<_>>()?,
            constants: list("constants")?.iter().map(constant_from_json).collect::<Option<_>>()?,
            contacts: metadata.contains_key("contacts"),
            derived: match metadata.contains_key("derived") {
                true => list("derived")?.iter().map(pair_of_texts).collect::<Option<_>>()?,
                false => Vec::new(),
            },
        })
    })();
    schema.filter(is_sound).ok_or_else(|| {
        RowsError::damaged("the columns make no sense").into_error(Table::Frames, Spot::Description)
    })
}

/// Returns `true` if owners and contexts exist and differ in their names, quantities stand in the order of
/// their owners, and all that is always there has a value.
fn is_sound(schema: &Schema) -> bool {
    let exists = |owner: Owner| match owner {
        Owner::Object(object) => object < schema.objects.len(),
        Owner::World | Owner::Measure => true,
    };
    schema.quantities.iter().all(|it| exists(it.owner))
        && schema.quantities.iter().all(|it| it.context.is_none_or(|it| it < schema.contexts.len()))
        && schema.quantities.is_sorted_by_key(|it| it.owner)
        && schema.constants.iter().all(|it| exists(it.owner))
        && schema.constants.iter().all(|it| it.ty.scalars() == Some(it.scalars.len()))
        && !schema.constants.iter().flat_map(|it| &it.scalars).any(|it| it.is_nan())
        && ![schema.initial_time, schema.duration, schema.frame_rate].iter().any(|it| it.is_nan())
        && are_distinct(&schema.objects)
        && are_distinct(&schema.contexts)
}

fn are_distinct(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

fn quantity_to_json(quantity: &Quantity) -> Value {
    json!({
        "owner": owner_to_json(quantity.owner),
        "name": quantity.name,
        "type": type_to_json(&quantity.ty),
        "context": quantity.context,
    })
}

/// Places follow from widths: `start` is where the next quantity begins.
fn quantity_from_json(value: &Value, start: &mut usize) -> Option<Quantity> {
    let context = match value.get("context")? {
        Value::Null => None,
        index => Some(usize::try_from(index.as_u64()?).ok()?),
    };
    let ty = type_from_json(value.get("type")?)?;
    let owner = owner_from_json(value.get("owner")?)?;
    let quantity =
        Quantity { owner, name: value.get("name")?.as_str()?.to_owned(), ty, context, start: *start };
    *start = start.checked_add(quantity.width())?;
    Some(quantity)
}

fn constant_to_json(constant: &Constant) -> Value {
    json!({
        "owner": owner_to_json(constant.owner),
        "name": constant.name,
        "type": type_to_json(&constant.ty),
        "scalars": reals_to_json(&constant.scalars),
    })
}

fn constant_from_json(value: &Value) -> Option<Constant> {
    Some(Constant {
        owner: owner_from_json(value.get("owner")?)?,
        name: value.get("name")?.as_str()?.to_owned(),
        ty: type_from_json(value.get("type")?)?,
        scalars: reals_from_json(value.get("scalars")?)?,
    })
}

fn owner_to_json(owner: Owner) -> Value {
    match owner {
        Owner::World => json!("world"),
        Owner::Object(object) => json!(object),
        Owner::Measure => json!("measure"),
    }
}

fn owner_from_json(value: &Value) -> Option<Owner> {
    match value {
        Value::String(name) if name == "world" => Some(Owner::World),
        Value::String(name) if name == "measure" => Some(Owner::Measure),
        index => Some(Owner::Object(usize::try_from(index.as_u64()?).ok()?)),
    }
}

/// The shapes of fixed types: `"real"`, `"boolean"`, `[3]`, `[3, 3]`. Columns hold no others.
fn type_to_json(ty: &Type) -> Value {
    match ty {
        Type::Real => json!("real"),
        Type::Bool => json!("boolean"),
        Type::Vector(Dim::Is(n)) => json!([n]),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => json!([rows, columns]),
        Type::Vector(Dim::Any) | Type::Matrix(..) | Type::Sequence(_) | Type::Unknown => Value::Null,
    }
}

fn type_from_json(value: &Value) -> Option<Type> {
    let length = |value: &Value| u32::try_from(value.as_u64()?).ok();
    match value {
        Value::String(name) if name == "real" => Some(Type::Real),
        Value::String(name) if name == "boolean" => Some(Type::Bool),
        Value::Array(lengths) => match lengths.as_slice() {
            [n] => Some(Type::vector(length(n)?)),
            [rows, columns] => Some(Type::matrix(length(rows)?, length(columns)?)),
            _ => None,
        },
        _ => None,
    }
}

/// Reals as numbers, and as strings what JSON has no number for.
pub(super) fn reals_to_json(reals: &[f64]) -> Value {
    let real = |&real: &f64| if real.is_finite() { json!(real) } else { json!(real.to_string()) };
    Value::Array(reals.iter().map(real).collect())
}

/// The reals that [`reals_to_json`] wrote.
pub(super) fn reals_from_json(value: &Value) -> Option<Vec<f64>> {
    let real = |value: &Value| match value {
        Value::String(text) => text.parse().ok(),
        number => number.as_f64(),
    };
    value.as_array()?.iter().map(real).collect()
}

fn texts(values: &[Value]) -> Option<Vec<String>> {
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn pair_of_texts(value: &Value) -> Option<(String, String)> {
    Some((value.get(0)?.as_str()?.to_owned(), value.get(1)?.as_str()?.to_owned()))
}
