//! The keys of a context block.

use super::context::ContextKind;
use super::mistakes::similar::similar;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{Alias, Block, Definition, Entry, Name, Value};
use std::collections::BTreeMap;

/// The keys of a context and what they are set to, in words.
pub const KEYS: [(&str, &str); 8] = [
    ("name", "a name"),
    ("type", "`free fall`, `collision` or `contact`"),
    ("functions", "definitions in braces: `{ v = v0 + a*(t-t0) }`"),
    ("attributes", "names in braces: `{t0, v0}`"),
    ("compute_first_time_only_attributes", "names in braces: `{t0, v0}`"),
    ("aliases", "aliases in braces: `{ use v1 as attribute v of object with index 0 }`"),
    ("applicability", "roles in braces: `{ mandatory 2 dynamic objects }`"),
    ("geometric_data_directions", "vectors in braces: `{[0,0,1], [0,0,-1]}`"),
];

/// Entries of a context block.
#[derive(Default)]
pub(super) struct Entries<'b> {
    pub(super) kind: Option<ContextKind>,
    pub(super) functions: &'b [Definition],
    pub(super) attributes: &'b [Name],
    pub(super) first_time: &'b [Name],
    pub(super) aliases: &'b [Alias],
    /// Number of directions, and the place of their list.
    pub(super) directions: Option<(u32, Span)>,
    /// `true` if `applicability` names roles.
    pub(super) has_roles: bool,
    /// Place at which another alias could be written.
    pub(super) alias_place: Option<Span>,
    /// `true` if something is missing that the parser has reported.
    pub(super) incomplete: bool,
}

impl<'b> Entries<'b> {
    /// Reads the block, reporting keys it cannot use.
    pub(super) fn read(block: &'b Block, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut entries = Self::default();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for entry in &block.entries {
            let key = entry.key.text.as_str();
            if let Some(&first) = seen.get(key) {
                let message = format!("`{key}` is given twice");
                diagnostics.push(
                    Diagnostic::new(Code::E423, entry.key.span, message)
                        .label("again here")
                        .also(first, "first here")
                        .help("put everything into one of the two"),
                );
                continue;
            }
            seen.insert(key, entry.key.span);
            if matches!(entry.value, Value::Missing) {
                entries.incomplete = true;
                continue;
            }
            let Some(&(_, wanted)) = KEYS.iter().find(|(known, _)| *known == key) else {
                diagnostics.push(unknown_key(entry));
                continue;
            };
            if !entries.take(key, &entry.value, entry.span, diagnostics) {
                let message = format!("`{key}` cannot be set to this");
                let help = format!("`{key}` is set to {wanted}");
                diagnostics.push(Diagnostic::new(Code::E424, entry.span, message).help(help));
            }
        }
        if !seen.contains_key("type") {
            diagnostics.push(
                Diagnostic::new(Code::E421, block.keyword.span, "this context has no type")
                    .label("when does it apply?")
                    .help("say when it applies: `type = free fall`, `type = collision` or `type = contact`"),
            );
        }
        entries
    }

    /// Takes the value of a known key; false if it is of the wrong kind.
    fn take(&mut self, key: &str, value: &'b Value, span: Span, diagnostics: &mut Vec<Diagnostic>) -> bool {
        match (key, value) {
            ("type", Value::Words(words)) => match ContextKind::by_name(&words.text) {
                Some(kind) => self.kind = Some(kind),
                None => {
                    let message = format!("there is no context of type `{}`", words.text);
                    let diagnostic =
                        Diagnostic::new(Code::E422, words.span, message).label("not a type of context");
                    let meant =
                        similar(&words.text, ContextKind::NAMES).or_else(|| kind_of_word(&words.text));
                    diagnostics.push(match meant {
                        Some(meant) => {
                            diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant)
                        }
                        None => diagnostic.help("a context is of type `free fall`, `collision` or `contact`"),
                    });
                }
            },
            ("type", Value::Text(text)) => {
                self.kind = ContextKind::by_name(&text.text);
                let message = format!("`{key}` is written without quotes");
                let diagnostic = Diagnostic::new(Code::E424, text.span, message)
                    .help("quotes are for names of files; write the words alone");
                diagnostics.push(diagnostic.edit(text.span, text.text.clone()));
            }
            ("functions", Value::Definitions(definitions)) => self.functions = definitions,
            ("attributes", Value::Names(names)) => self.attributes = names,
            ("compute_first_time_only_attributes", Value::Names(names)) => self.first_time = names,
            ("aliases", Value::Aliases(aliases)) => {
                self.aliases = aliases;
                self.alias_place = aliases.last().map(|alias| alias.span.after());
            }
            ("geometric_data_directions", Value::Expressions(directions)) => {
                self.directions = Some((u32::try_from(directions.len()).unwrap_or(u32::MAX), span));
            }
            ("applicability", Value::Applicability(roles)) => self.has_roles = !roles.is_empty(),
            ("name", Value::Words(_) | Value::Text(_)) => {}
            // `{}` may be any list.
            (_, value) => return key != "name" && key != "type" && is_empty(value),
        }
        true
    }
}

/// The type of context that another word for it means.
fn kind_of_word(word: &str) -> Option<&'static str> {
    match word {
        "fall" | "falling" | "flight" | "flying" | "free" | "motion" | "continuous" => Some("free fall"),
        "bounce" | "hit" | "impact" | "collide" | "crash" | "event" => Some("collision"),
        "rest" | "resting" | "touch" | "touching" | "sliding" | "rolling" => Some("contact"),
        _ => None,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Names(list) => list.is_empty(),
        Value::Expressions(list) => list.is_empty(),
        Value::Curves(list) => list.is_empty(),
        Value::Definitions(list) => list.is_empty(),
        Value::Aliases(list) => list.is_empty(),
        Value::Applicability(list) => list.is_empty(),
        Value::Words(_) | Value::Text(_) | Value::Expression(_) | Value::Function(_) | Value::Missing => {
            false
        }
    }
}

/// Words of other laboratories for keys.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("laws", "functions"),
    ("law", "functions"),
    ("equations", "functions"),
    ("rules", "functions"),
    ("rates", "functions"),
    ("definitions", "functions"),
    ("kind", "type"),
    ("variables", "attributes"),
    ("applies_to", "applicability"),
    ("when", "applicability"),
    ("objects", "applicability"),
    ("between", "applicability"),
    ("directions", "geometric_data_directions"),
];

fn unknown_key(entry: &Entry) -> Diagnostic {
    let key = &entry.key;
    let diagnostic = Diagnostic::new(Code::E420, key.span, format!("a context has no `{}`", key.text))
        .label("not a key of a context");
    if let Some((_, meant)) = OTHER_WORDS.iter().find(|row| row.0 == key.text) {
        return diagnostic.help(format!("it is called `{meant}` here")).edit(key.span, *meant);
    }
    if matches!(entry.value, Value::Expression(_) | Value::Function(_)) {
        return diagnostic
            .help(format!("a law stands among the functions: write `functions = {{ {} = … }}`", key.text));
    }
    match similar(&key.text, KEYS.iter().map(|(known, _)| *known)) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(key.span, meant),
        None => {
            let known: Vec<String> = KEYS.iter().map(|(known, _)| format!("`{known}`")).collect();
            diagnostic.help(format!("its keys are {}", known.join(", ")))
        }
    }
}
