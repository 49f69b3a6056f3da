//! Values set from outside, such as `--set ball.v=[0, 0, 1]`: they replace expressions of the file.
//!
//! | setting | what gets the value |
//! |---|---|
//! | `NAME=VALUE` | the attribute of the world; if it has none of that name, the parameter, coordinate, rate or momentum of every `lagrangian` block that has one |
//! | `OWNER.NAME=VALUE` | the attribute of the object; if there is none, that of the `lagrangian` block of that name |

use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{SourceId, Sources, Span};
use gedanken_lang::syntax::tree::{Expr, ExprKind, Item};
use gedanken_lang::syntax::{Dialect, parse_as};

/// Another value for an attribute of the world or of an object, or for a parameter or an initial value of a
/// `lagrangian` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Name of an object or a `lagrangian` block; `None` for the world, and for all such blocks.
    pub object: Option<String>,
    /// Name of the attribute.
    pub attribute: String,
    /// The expression that replaces the one in the file.
    pub text: String,
    /// Option of the command line that it was given with, for messages.
    pub option: &'static str,
}

impl Override {
    /// Reads `NAME=VALUE` or `OBJECT.NAME=VALUE`.
    ///
    /// # Errors
    /// Reason why it cannot be read, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let example = "write NAME=VALUE for the world, or OBJECT.NAME=VALUE";
        let (left, value) = text.split_once('=').ok_or_else(|| format!("there is no `=`: {example}"))?;
        let (object, attribute) = match left.split_once('.') {
            Some((object, attribute)) => (Some(object.trim()), attribute.trim()),
            None => (None, left.trim()),
        };
        let is_name = |name: &str| {
            let mut bytes = name.bytes();
            bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        match [object, Some(attribute)].into_iter().flatten().find(|name| !is_name(name)) {
            Some(wrong) => Err(format!("`{wrong}` is not a name: {example}")),
            None => Ok(Self {
                object: object.map(str::to_owned),
                attribute: attribute.to_owned(),
                text: value.trim().to_owned(),
                option: "--set",
            }),
        }
    }
}

/// A setting that was read.
struct Setting<'o> {
    given: &'o Override,
    expression: Option<Expr>,
    /// Positions of its parts in its own source.
    object_span: Span,
    attribute_span: Span,
    taken: Option<SettingUse>,
}

/// Use that was made of a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SettingUse {
    /// An attribute took it, and nothing else gets it.
    Attribute,
    /// A line of a `lagrangian` block: others may have the same.
    Line,
}

/// All settings, and which of them have found what they are for.
pub(crate) struct Settings<'o> {
    settings: Vec<Setting<'o>>,
}

impl<'o> Settings<'o> {
    /// Reads the expressions. Each becomes a source of its own, so that messages can point into it.
    pub(crate) fn read(
        overrides: &'o [Override],
        sources: &mut Sources,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let settings = overrides.iter().map(|given| one(given, sources, diagnostics)).collect();
        Self { settings }
    }

    /// The expression for an attribute, the last one given. `name` is what laws call it, `written` what the
    /// file does.
    pub(crate) fn take(&mut self, owner: Option<&str>, name: &str, written: &str) -> Option<Expr> {
        let mut found = None;
        for setting in &mut self.settings {
            let attribute = &setting.given.attribute;
            if setting.given.object.as_deref() == owner && (attribute == name || attribute == written) {
                setting.taken = Some(SettingUse::Attribute);
                found = setting.expression.clone();
            }
        }
        found
    }

    /// The expression for a line of a `lagrangian` block, the last one given. What is an attribute has taken
    /// its setting before.
    pub(crate) fn take_line(&mut self, block: &str, name: &str) -> Option<Expr> {
        let mut found = None;
        for setting in &mut self.settings {
            let is_meant = setting.given.object.as_deref().is_none_or(|owner| owner == block);
            if is_meant && setting.given.attribute == name && setting.taken != Some(SettingUse::Attribute) {
                setting.taken = Some(SettingUse::Line);
                found = setting.expression.clone();
            }
        }
        found
    }

    /// Reports settings that nothing took. `objects` are all objects with the names of their attributes,
    /// `blocks` all `lagrangian` blocks with the names of their lines.
    pub(crate) fn unused(
        &self,
        world: &[String],
        objects: &[(String, Vec<String>)],
        blocks: &[(String, Vec<String>)],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for setting in self.settings.iter().filter(|setting| setting.taken.is_none()) {
            let attribute = &setting.given.attribute;
            let known: Option<Vec<&String>> = match &setting.given.object {
                None => Some(world.iter().chain(blocks.iter().flat_map(|(_, lines)| lines)).collect()),
                Some(name) => {
                    let owners = objects.iter().chain(blocks).filter(|(known, _)| known == name);
                    let owned: Vec<&Vec<String>> = owners.map(|(_, known)| known).collect();
                    (!owned.is_empty()).then(|| owned.into_iter().flatten().collect())
                }
            };
            diagnostics.push(match (known, &setting.given.object) {
                (None, Some(object)) => {
                    let message = format!("there is no object called `{object}` to set `{attribute}` of");
                    let diagnostic =
                        Diagnostic::new(Code::E717, setting.object_span, message).label("not an object");
                    let names = objects.iter().chain(blocks).map(|(name, _)| name.as_str());
                    meant(diagnostic, object, names, setting.object_span)
                }
                (known, object) => {
                    let whose = object.as_ref().map_or("the world".to_owned(), |name| format!("`{name}`"));
                    let message = format!("{whose} has no attribute `{attribute}` to set");
                    let diagnostic =
                        Diagnostic::new(Code::E717, setting.attribute_span, message).label("not in the file");
                    let names = known.unwrap_or_default().into_iter().map(String::as_str);
                    meant(diagnostic, attribute, names, setting.attribute_span)
                }
            });
        }
    }
}

fn meant<'n>(
    diagnostic: Diagnostic,
    name: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    span: Span,
) -> Diagnostic {
    if let Some(meant) = similar(name, names.clone()) {
        return diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant);
    }
    let all: Vec<String> = names.take(12).map(|name| format!("`{name}`")).collect();
    match all.is_empty() {
        true => diagnostic.help("only what the file gives a value can be set: add it there first"),
        false => diagnostic.help(format!("what can be named here: {}", all.join(", "))),
    }
}

fn one<'o>(given: &'o Override, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Setting<'o> {
    let before = given.object.as_ref().map_or(String::new(), |object| format!("{object}."));
    let left = format!("{before}{}=", given.attribute);
    let name = format!("{} {before}{}", given.option, given.attribute);
    // The parser reads expressions from their first byte on. It gets blanks where the reader sees the left
    // side.
    let padded = " ".repeat(left.len()) + &given.text;
    let source: SourceId = sources.add(name, left + &given.text);
    let (file, found) = parse_as(source, &padded, Dialect::Expression);
    diagnostics.extend(found);
    let expression = file.items.into_iter().find_map(|item| match item {
        Item::Evaluate(expression) if !matches!(expression.kind, ExprKind::Missing) => Some(expression),
        _ => None,
    });
    let object = given.object.as_ref().map_or(0, String::len);
    Setting {
        given,
        expression,
        object_span: Span::new(source, 0..object),
        attribute_span: Span::new(source, before.len()..before.len() + given.attribute.len()),
        taken: None,
    }
}
