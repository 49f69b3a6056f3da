//! Initial values of attributes, evaluated in the order of the file.

use super::attribute::Attribute;
use crate::read::evaluate::Evaluator;
use crate::read::overrides::Settings;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Expr, ExprKind, Name};
use gedanken_lang::value::Value;
use std::collections::HashMap;

/// One `name = expression` of the file.
pub(crate) struct AttributeLine<'b> {
    pub(crate) name: &'b Name,
    pub(crate) body: &'b Expr,
}

/// Evaluates attributes in their order, each of them seeing what the `evaluator` knows, and those before it.
/// `owner` is an object, or `None` for the world; `proper` gives the name that laws use. Attributes without a
/// value are left out; they have been reported.
pub(crate) fn evaluate(
    lines: &[AttributeLine<'_>],
    owner: Option<&str>,
    proper: impl Fn(&str) -> String,
    mut evaluator: Evaluator,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Attribute> {
    let mut attributes: Vec<Attribute> = Vec::new();
    let mut seen: HashMap<String, &Name> = HashMap::new();
    let places = Places::of(lines);
    for (number, line) in lines.iter().enumerate() {
        let name = proper(&line.name.text);
        if let Some(first) = seen.get(&name) {
            let again = &line.name.text;
            let both = if first.text == *again {
                format!("`{again}` has two values")
            } else {
                format!("`{again}` and `{}` are one attribute, and it has two values", first.text)
            };
            diagnostics.push(
                Diagnostic::new(Code::E708, line.name.span, both)
                    .label("again here")
                    .also(first.span, "first here")
                    .help("remove one of the two"),
            );
            continue;
        }
        // A name that only the engine sets is reported before its value is computed.
        seen.insert(name.clone(), line.name);
        if let Some(diagnostic) = engine_given(line.name, owner.is_none()) {
            diagnostics.push(diagnostic);
            continue;
        }
        let before = diagnostics.len();
        let written = value(&evaluator, &line.name.text, line.body, diagnostics);
        // The setting is taken even if the written value is wrong: it has found its attribute.
        let set = settings.take(owner, &name, &line.name.text);
        let Some(written) = written else {
            diagnostics[before..].iter_mut().for_each(|it| comes_later(it, places.after(number, it)));
            evaluator.fail(&name);
            evaluator.fail(&line.name.text);
            continue;
        };
        let set = set.map(|it| (it.span, value(&evaluator, &line.name.text, &it, diagnostics)));
        let (value, span) = chosen((written, line.body.span), set, &name, line.name.span, diagnostics);
        evaluator.add(&name, &value, span);
        if line.name.text != name {
            evaluator.add(&line.name.text, &value, span);
        }
        attributes.push(Attribute { name, value, span });
    }
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    attributes
}

/// The value that is set from outside, if it has the type of the written one; else the written one. `name` is
/// written at `place`.
pub(crate) fn chosen(
    written: (Value, Span),
    set: Option<(Span, Option<Value>)>,
    name: &str,
    place: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Value, Span) {
    let Some((span, Some(set))) = set else { return written };
    let (is, was) = (set.type_of(), written.0.type_of());
    if is == was {
        return (set, span);
    }
    let message = format!("`{name}` is {was} in the file, but is set to {is}");
    diagnostics.push(
        Diagnostic::new(Code::E718, span, message)
            .label(format!("this is {is}"))
            .also(place, format!("this is {was}"))
            .help(format!("set it to {was}")),
    );
    written
}

/// Lines of each name, by their numbers.
struct Places<'b>(HashMap<&'b str, Vec<(usize, &'b Name)>>);

impl<'b> Places<'b> {
    fn of(lines: &[AttributeLine<'b>]) -> Self {
        let mut places: HashMap<&str, Vec<(usize, &Name)>> = HashMap::new();
        for (number, line) in lines.iter().enumerate() {
            places.entry(&line.name.text).or_default().push((number, line.name));
        }
        Self(places)
    }

    /// The first line after `number` whose name a diagnostic quotes.
    fn after(&self, number: usize, diagnostic: &Diagnostic) -> Option<&'b Name> {
        let quoted = diagnostic.message.split('`').skip(1).step_by(2);
        let later = quoted.filter_map(|name| {
            let numbers = self.0.get(name)?;
            numbers.get(numbers.partition_point(|(it, _)| *it <= number)).copied()
        });
        later.min_by_key(|(number, _)| *number).map(|(_, name)| name)
    }
}

/// Says so, where a name that is not known belongs to an attribute further down.
fn comes_later(diagnostic: &mut Diagnostic, later: Option<&Name>) {
    if diagnostic.code == Code::E201
        && let Some(Name { text: name, span }) = later
    {
        diagnostic.help = Some(format!("a value sees only those above it: move `{name}` up"));
        diagnostic.edit = None;
        *diagnostic = diagnostic.clone().also(*span, format!("`{name}` has its value from here on"));
    }
}

/// The value of an expression that an attribute can have.
fn value(evaluator: &Evaluator, name: &str, body: &Expr, diagnostics: &mut Vec<Diagnostic>) -> Option<Value> {
    if matches!(body.kind, ExprKind::Missing) {
        return None;
    }
    match evaluator.value(body) {
        Ok(Value::Sequence(_)) => {
            let message = format!("the attribute `{name}` cannot be a sequence");
            diagnostics.push(
                Diagnostic::new(Code::E306, body.span, message)
                    .label("this is a sequence")
                    .help("write it in square brackets: `[1, 2, 3]` is a vector"),
            );
            None
        }
        Ok(value) => Some(value),
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    }
}

/// Message for a name whose value only the engine gives.
fn engine_given(name: &Name, in_world: bool) -> Option<Diagnostic> {
    let text = name.text.as_str();
    let of_direction = text
        .rsplit_once("DirVec")
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    let is_time = text == "t" && !in_world;
    if !(is_time || of_direction || matches!(text, "dt" | "collisionPoint" | "collisionNormal")) {
        return None;
    }
    let help = match text {
        "t" => "the time is the same for all objects: its first value is `initial time` of the simulation",
        _ => "laws can read it without a declaration: choose another name for your own value",
    };
    let message = format!("`{text}` is given by the engine and cannot be declared");
    Some(Diagnostic::new(Code::E711, name.span, message).label("the engine sets it").help(help))
}
