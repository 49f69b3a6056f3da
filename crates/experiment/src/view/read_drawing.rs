//! From an item of `draw` to a drawing.

use super::drawing::{Argument, Drawing, DrawingKind, Length, Place};
use super::read::{ViewReader, refused};
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Expr, ExprKind};
use gedanken_lang::value::Value;

/// Reads one item of `draw`.
pub(super) fn read(reader: &ViewReader<'_>, item: &Expr, found: &mut Vec<Diagnostic>) -> Option<Drawing> {
    let ExprKind::Call { callee, arguments, .. } = &item.kind else {
        if !matches!(item.kind, ExprKind::Missing) {
            found.push(
                refused(item.span, "this cannot be drawn")
                    .help("write what is drawn between which places, such as `rod(pivot, bob)`"),
            );
        }
        return None;
    };
    let Some(kind) = DrawingKind::ALL.iter().find(|row| row.0 == callee.text).map(|row| row.1) else {
        found.push(unknown(callee.span, &callee.text));
        return None;
    };
    let Some(wanted) = kind.arguments(arguments.len()) else {
        let message = format!("`{}` cannot be drawn from {} arguments", callee.text, arguments.len());
        found.push(refused(item.span, message).help(format!("write `{}`", kind.example())));
        return None;
    };
    let mut drawing = Drawing { kind, places: Vec::new(), direction: None, length: None };
    for (argument, expression) in wanted.into_iter().zip(arguments) {
        match argument {
            Argument::Place => drawing.places.push(place(reader, expression, found)?),
            Argument::Direction => drawing.direction = Some(direction(reader, expression, found)?),
            Argument::Length => drawing.length = Some(length(reader, expression, found)?),
        }
    }
    if kind == DrawingKind::Track && !matches!(drawing.places.as_slice(), [Place::Object(_)]) {
        found.push(refused(item.span, "a track is the way of an object").help("name one: `track(ball)`"));
        return None;
    }
    Some(drawing)
}

fn unknown(span: Span, name: &str) -> Diagnostic {
    let names = DrawingKind::ALL.iter().map(|row| row.0);
    let diagnostic = refused(span, format!("there is no drawing called `{name}`"));
    match similar(name, names.clone()) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
        None => {
            let all: Vec<String> = names.map(|it| format!("`{it}`")).collect();
            diagnostic.help(format!("what can be drawn is {}", all.join(", ")))
        }
    }
}

fn place(reader: &ViewReader<'_>, expression: &Expr, found: &mut Vec<Diagnostic>) -> Option<Place> {
    if let ExprKind::Name(name) = &expression.kind
        && reader.names_object(name)
    {
        return reader.takes_part(name, expression.span, found).then(|| Place::Object(name.clone()));
    }
    direction(reader, expression, found)
}

fn direction(reader: &ViewReader<'_>, expression: &Expr, found: &mut Vec<Diagnostic>) -> Option<Place> {
    match reader.constant(expression) {
        None => Some(Place::Formula(reader.written(expression)?)),
        Some(Value::Vector(it)) if it.len() == 3 => it.try_into().ok().map(Place::Fixed),
        Some(other) => {
            let message = format!("a place is a vector of 3, but this is {}", other.type_of());
            found.push(Diagnostic::new(Code::E709, expression.span, message));
            None
        }
    }
}

fn length(reader: &ViewReader<'_>, expression: &Expr, found: &mut Vec<Diagnostic>) -> Option<Length> {
    match reader.constant(expression) {
        None => Some(Length::Formula(reader.written(expression)?)),
        Some(Value::Real(it)) if it >= 0.0 => Some(Length::Fixed(it)),
        Some(other) => {
            let message = format!("a length is a real that is not negative, but this is {other}");
            found.push(Diagnostic::new(Code::E709, expression.span, message));
            None
        }
    }
}
