//! `use NAME as attribute A of object …`: further names for the attributes of participants and other objects.

use super::context::{ContextKind, Found, Table, View};
use super::mistakes::similar::{MOST_GUESSES, guess, similar};
use super::{Binding, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{Alias, AliasOf, Name};
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Adds the aliases of a context to its names.
pub(super) fn add(view: &View<'_>, table: &mut Table, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for alias in view.entries.aliases {
        let places = seen.entry(&alias.name.text).or_default();
        places.push(alias.name.span);
        if places.len() > 1 {
            continue;
        }
        match found(view, alias, diagnostics.len()) {
            Ok(found) => match table.get(&alias.name.text) {
                Some(hidden) if hidden.binding != found.binding => diagnostics.push(hides(alias)),
                // The alias of something by its own name adds nothing.
                Some(_) => {}
                None => table.add(Found { declared: Some(alias.name.span), ..found }.named(&alias.name.text)),
            },
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                table.add(anything(alias).named(&alias.name.text));
            }
        }
    }
    odd_ones(view, diagnostics);
    for (name, places) in seen {
        let [first, again, more @ ..] = places.as_slice() else { continue };
        let mut diagnostic = Diagnostic::new(
            Code::E430,
            *again,
            format!("the alias `{name}` is declared twice"),
        )
        .label("again here")
        .also(*first, "first here")
        .help("an alias names one attribute: remove the others, or rename them if another object is meant");
        for &place in more.iter().take(2) {
            diagnostic = diagnostic.also(place, "and here");
        }
        if more.len() > 2 {
            diagnostic = diagnostic.note(format!("`{name}` is declared {} times", places.len()));
        }
        diagnostics.push(diagnostic);
    }
}

/// Aliases that begin like others, but name another object: `obj1_v` of object 1, where `obj1_mass` and
/// `obj1_pos` are of object 0.
fn odd_ones(view: &View<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut groups: BTreeMap<&str, Vec<(u32, Span, &Alias)>> = BTreeMap::new();
    for alias in view.entries.aliases {
        if let AliasOf::Index(index, span) = alias.of
            && let Some(prefix) = alias.name.text.strip_suffix(&alias.attribute.text)
            && !prefix.is_empty()
        {
            groups.entry(prefix).or_default().push((index, span, alias));
        }
    }
    for (prefix, aliases) in groups {
        let mut names: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for (index, _, alias) in &aliases {
            names.entry(*index).or_default().insert(&alias.name.text);
        }
        let Some((&usual, most)) = names.iter().max_by_key(|(_, names)| names.len()) else { continue };
        if most.len() <= names.values().map(BTreeSet::len).sum::<usize>() / 2 || most.len() < 2 {
            continue;
        }
        let mut said = BTreeSet::new();
        for (index, span, alias) in aliases.iter().filter(|(index, ..)| *index != usual) {
            let name = &alias.name.text;
            if !said.insert(name) {
                continue;
            }
            let message =
                format!("`{name}` is of object {index}, but most aliases `{prefix}…` are of object {usual}");
            let help = format!("if `{prefix}` stands for one object, this is index {usual}");
            let diagnostic = Diagnostic::new(Code::W404, *span, message).label("another object").help(help);
            diagnostics.push(diagnostic.edit(*span, usual.to_string()));
        }
    }
}

/// Returns what the alias of nothing stands for: whatever is done with it, nothing more is said.
fn anything(alias: &Alias) -> Found {
    let binding = Binding::Engine { index: None, name: alias.name.text.clone() };
    Found { ty: Some(Type::Unknown), kind: VariableKind::Attribute, binding, declared: None }
}

/// Resolves an alias to the attribute that it stands for. `said` is the number of mistakes before.
fn found(view: &View<'_>, alias: &Alias, said: usize) -> Result<Found, Box<Diagnostic>> {
    let attribute = &alias.attribute;
    match &alias.of {
        AliasOf::Index(index, span) => {
            let count = view.signature.participants.len();
            let number = *index as usize;
            if number >= count {
                return Err(Box::new(no_such_index(view, number, count, *span)));
            }
            // The point of a collision is the same for both.
            if view.kind == ContextKind::Collision && attribute.text == "collisionPoint" {
                let binding = Binding::Engine { index: None, name: attribute.text.clone() };
                let ty = Some(Type::vector(3));
                return Ok(Found { ty, kind: VariableKind::Given, binding, declared: None });
            }
            view.attribute(number, &attribute.text).ok_or_else(|| {
                let whose = format!("the object with index {number}");
                let names = if said < MOST_GUESSES { view.names_of(number) } else { Vec::new() };
                Box::new(no_such_attribute(alias, &whose, &names))
            })
        }
        AliasOf::Object(name) => {
            let Some(named) = view.participants.object(&name.text) else {
                return Err(Box::new(no_such_object(view, name, said)));
            };
            let Some((canonical, ty)) = named.attribute(&attribute.text) else {
                let all = named.object.attributes.iter().filter(|_| said < MOST_GUESSES);
                let names: Vec<String> = all.map(|(name, _)| name.clone()).collect();
                let whose = format!("the object `{}`", name.text);
                return Err(Box::new(no_such_attribute(alias, &whose, &names)));
            };
            let binding = Binding::Named { object: name.text.clone(), attribute: canonical.to_owned() };
            Ok(Found { ty: Some(ty.clone()), kind: VariableKind::Given, binding, declared: None })
        }
    }
}

fn no_such_index(view: &View<'_>, index: usize, count: usize, span: Span) -> Diagnostic {
    let objects = match (view.kind, count) {
        (ContextKind::FreeFall, _) => "a free fall has one object, with index 0".to_owned(),
        (ContextKind::Collision, _) => "a collision has two objects, with index 0 and 1".to_owned(),
        (ContextKind::Contact, 1) => "this contact has one object, with index 0".to_owned(),
        (ContextKind::Contact, n) => {
            format!("this contact has {n} objects, with index 0 to {}", n.saturating_sub(1))
        }
    };
    Diagnostic::new(Code::E432, span, format!("there is no object with index {index} in this context"))
        .label("counted from 0")
        .help(objects)
}

fn no_such_object(view: &View<'_>, name: &Name, said: usize) -> Diagnostic {
    let names = view.signature.named.iter().map(|named| named.name.as_str());
    let message = format!("there is no object called `{}`", name.text);
    let diagnostic = Diagnostic::new(Code::E434, name.span, message).label("not an object");
    match guess(said, &name.text, names) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant.to_owned()),
        None => {
            diagnostic.help("name an object of this experiment, or a participant: `of object with index 0`")
        }
    }
}

fn no_such_attribute(alias: &Alias, whose: &str, names: &[String]) -> Diagnostic {
    let attribute = &alias.attribute;
    let message = format!("{whose} has no attribute `{}`", attribute.text);
    let diagnostic = Diagnostic::new(Code::E431, attribute.span, message).label("not an attribute of it");
    match similar(&attribute.text, names.iter().map(String::as_str)) {
        Some(meant) => {
            diagnostic.help(format!("did you mean `{meant}`?")).edit(attribute.span, meant.to_owned())
        }
        None => diagnostic.help(format!(
            "add `{}` to the attributes of the object, or to those of this context",
            attribute.text
        )),
    }
}

fn hides(alias: &Alias) -> Diagnostic {
    let name = &alias.name.text;
    Diagnostic::new(
        Code::E433,
        alias.name.span,
        format!("the alias `{name}` hides another attribute of that name"),
    )
    .label(format!("without an alias, `{name}` means something else here"))
    .help("choose a name that is not taken, such as one that says which object is meant")
}
