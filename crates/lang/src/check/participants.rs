//! The attributes of those that take part in a context, by name.
//!
//! A context looks up every name that it sees, so each look must not go through all attributes.

use super::context::{Participant, Signature};
use crate::types::Type;
use std::cell::OnceCell;
use std::collections::HashMap;

/// An attribute: its proper name and its type.
type Attribute<'s> = (&'s str, &'s Type);

/// Attributes by name, and by their other names.
type Table<'s> = HashMap<&'s str, Attribute<'s>>;

/// The attributes of a signature.
pub(super) struct Participants<'s> {
    signature: &'s Signature,
    /// Of every participant.
    tables: Vec<Table<'s>>,
    /// Of the first participant that has one of the name.
    first: Table<'s>,
    /// Index of every object of the experiment by its name, and its attributes once somebody looks.
    named: OnceCell<HashMap<&'s str, (usize, OnceCell<Table<'s>>)>>,
}

impl<'s> Participants<'s> {
    pub(super) fn new(signature: &'s Signature) -> Self {
        let tables: Vec<Table<'s>> = signature.participants.iter().map(table).collect();
        let mut first = Table::new();
        for participant in &signature.participants {
            for (name, attribute) in names(participant) {
                first.entry(name).or_insert(attribute);
            }
        }
        Self { signature, tables, first, named: OnceCell::new() }
    }

    /// The attribute called `name` of participant `index`, or that `name` is a synonym of.
    pub(super) fn attribute(&self, index: usize, name: &str) -> Option<Attribute<'s>> {
        self.tables.get(index)?.get(name).copied()
    }

    /// The attribute of this name of the first participant that has one.
    pub(super) fn first(&self, name: &str) -> Option<Attribute<'s>> {
        self.first.get(name).copied()
    }

    /// The attribute that a name is a synonym of, or the name.
    pub(super) fn proper<'n>(&self, name: &'n str) -> &'n str
    where
        's: 'n,
    {
        self.first(name).map_or(name, |(attribute, _)| attribute)
    }

    /// The object of the experiment called `name`.
    pub(super) fn object(&self, name: &str) -> Option<NamedAttributes<'s, '_>> {
        let objects = &self.signature.named;
        let named = self.named.get_or_init(|| {
            let all = objects.iter().enumerate().rev();
            all.map(|(index, object)| (object.name.as_str(), (index, OnceCell::new()))).collect()
        });
        let (index, attributes) = named.get(name)?;
        let object = &objects[*index].object;
        Some(NamedAttributes { object, attributes: attributes.get_or_init(|| table(object)) })
    }
}

/// An object of the experiment and its attributes.
pub(super) struct NamedAttributes<'s, 't> {
    pub(super) object: &'s Participant,
    attributes: &'t Table<'s>,
}

impl<'s> NamedAttributes<'s, '_> {
    /// The attribute called `name`, or that `name` is a synonym of.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'s>> {
        self.attributes.get(name).copied()
    }
}

fn table(participant: &Participant) -> Table<'_> {
    let mut table = Table::new();
    for (name, attribute) in names(participant) {
        table.entry(name).or_insert(attribute);
    }
    table
}

/// Every name of an attribute, proper names first.
fn names(participant: &Participant) -> impl Iterator<Item = (&str, Attribute<'_>)> {
    let own = participant.attributes.iter().map(|(name, ty)| (name.as_str(), (name.as_str(), ty)));
    // There are a few synonyms at most, however many attributes there are.
    let other = participant.synonyms.iter().filter_map(|(synonym, _)| {
        let attribute = participant.attribute(synonym)?;
        Some((synonym.as_str(), attribute))
    });
    own.chain(other)
}
