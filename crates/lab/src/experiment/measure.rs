//! Measures: a quantity that is followed over time, and where it is known, the value it should have.

use super::fields::{BlockForm, Fields};
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Expr, Name};
use std::collections::BTreeSet;

/// `measure NAME { … }`. Its expressions are read, and evaluated when there are states to measure.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name; no two measures have the same.
    pub name: String,
    /// The objects it is summed over.
    pub of: Vec<String>,
    /// What is measured of each.
    pub value: Expr,
    /// When `expected` holds; at the end, if `None`.
    pub at: Option<Expr>,
    /// What it should be.
    pub expected: Option<Expr>,
    /// By how much it may miss.
    pub tolerance: Option<Expr>,
    /// Where its name is written.
    pub span: Span,
}

const FORM: BlockForm = BlockForm {
    what: "a measure",
    keys: &[
        ("of", "names of objects in braces: `{ball}`"),
        ("value", "an expression"),
        ("at", "an expression for a time"),
        ("expected", "an expression"),
        ("tolerance", "an expression"),
    ],
};

/// Reads a measure; `objects` are the names of all objects.
pub(super) fn read(
    block: &Block,
    objects: &BTreeSet<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Measure>) {
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = block.name.clone().unwrap_or_else(|| {
        diagnostics.push(
            Diagnostic::new("E702", block.keyword.span, "a measure needs a name")
                .label("it is called nothing")
                .help("write it before the brace: `measure energy { … }`"),
        );
        Name { text: String::new(), span: block.keyword.span }
    });
    fields.require("value", "0.5 * mass * (v . v)", diagnostics);
    for object in fields.names("of", diagnostics) {
        if !objects.contains(object.text.as_str()) {
            let message = format!("there is no object called `{}` to measure", object.text);
            let diagnostic = Diagnostic::new("E721", object.span, message).label("not an object");
            diagnostics.push(match similar(&object.text, objects.iter().copied()) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(object.span, meant),
                None => diagnostic.help("name objects of this file"),
            });
        }
    }
    let of = fields.names("of", &mut Vec::new()).iter().map(|object| object.text.clone()).collect();
    let value = fields.expression("value", diagnostics).cloned();
    let mut expression = |key: &str| fields.expression(key, diagnostics).cloned();
    let (at, expected, tolerance) = (expression("at"), expression("expected"), expression("tolerance"));
    let measure = value.map(|value| Measure {
        name: name.text.clone(),
        of,
        value,
        at,
        expected,
        tolerance,
        span: name.span,
    });
    (name, measure)
}
