//! Formulas from text, by the one grammar there is. Names that are no natives are symbols.

use super::decimal::decimal;
use super::read::written;
use super::{Formula, NotSymbolic};
use crate::check::{Binding, Library, Scope, Variable, VariableKind, check};
use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::program::FunctionId;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::tree::{self, Definition, ExprKind, Item, Name};
use crate::syntax::{Dialect, parse};
use crate::types::Type;
use crate::value::Shaped;
use gedanken_symbolic::{Expr, Pool};
use std::collections::BTreeSet;

/// The real that a text stands for. Names that are no natives are symbols; numbers are read to their last
/// digit.
///
/// # Errors
/// All that is wrong with it, with places in a source of its own, the first and only one of its [`Sources`].
pub fn expression(pool: &mut Pool, text: &str) -> Result<Expr, Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let source = sources.add("expression", text);
    expression_in(pool, &sources, source)
}

/// As [`expression`], of a text that is among others.
///
/// # Errors
/// All that is wrong with it.
pub fn expression_in(pool: &mut Pool, sources: &Sources, source: SourceId) -> Result<Expr, Vec<Diagnostic>> {
    match value_in(pool, sources, source)? {
        Shaped::Real(real) => Ok(real),
        other => {
            let ty = other.type_of();
            let message = format!("the expression is {ty}, but a formula of one real is needed");
            let diagnostic = Diagnostic::new(Code::E510, whole(sources, source), message);
            Err(vec![diagnostic.help("an element of a vector is `v # 1`, its length is `norm(v)`")])
        }
    }
}

/// The value of any shape that a text stands for.
///
/// # Errors
/// All that is wrong with it.
pub fn value_in(pool: &mut Pool, sources: &Sources, source: SourceId) -> Result<Formula, Vec<Diagnostic>> {
    let (file, mut diagnostics) = parse(sources, source, Dialect::Expression);
    // What is too large for a real is not too large for a rational.
    diagnostics.retain(|it| !(it.code == Code::E102 && decimal(sources.slice(it.primary.span)).is_some()));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let whole = whole(sources, source);
    let body =
        file.items.into_iter().find_map(|it| if let Item::Evaluate(it) = it { Some(it) } else { None });
    let Some(body) = body else {
        return Err(vec![Diagnostic::new(Code::E107, whole, "there is no expression")]);
    };
    let mut names = BTreeSet::new();
    free_names(&body, &mut names);
    let scope = scope(names);
    // Nobody can write this name, so no symbol has it.
    let name = Name { text: String::new(), span: whole };
    let definition = Definition { name, prime: None, params: Vec::new(), body, span: whole };
    let checked = check(&[definition], &Library::default(), &scope)?;
    let symbol = &mut |pool: &mut Pool, input: &crate::program::Input, _| pool.symbol(&input.name);
    written(pool, &checked.program, FunctionId(0), sources, symbol)
        .map_err(|reason: NotSymbolic| vec![reason.diagnostic(whole)])
}

fn whole(sources: &Sources, source: SourceId) -> Span {
    Span::new(source, 0..sources.text(source).len())
}

/// Every name that is not called. A native that needs arguments is not meant by its bare name, so a symbol
/// may be called like it.
fn free_names<'t>(expr: &'t tree::Expr, names: &mut BTreeSet<&'t str>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            let is_constant = |native: Native| native.entry().params.is_empty();
            if !Native::by_name(name).is_some_and(is_constant) {
                names.insert(name);
            }
        }
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        ExprKind::Call { arguments: parts, .. } | ExprKind::Vector(parts) | ExprKind::Sequence(parts) => {
            parts.iter().for_each(|part| free_names(part, names));
        }
        ExprKind::Unary { operand: inner, .. } | ExprKind::Group(inner) => free_names(inner, names),
        ExprKind::Binary { left, right, .. } => {
            free_names(left, names);
            free_names(right, names);
        }
        ExprKind::If { condition, then, otherwise } => {
            free_names(condition, names);
            free_names(then, names);
            free_names(otherwise, names);
        }
    }
}

/// All of them reals.
fn scope(names: BTreeSet<&str>) -> Scope {
    let real = |name: &str| Variable {
        name: name.to_owned(),
        ty: Some(Type::Real),
        kind: VariableKind::Given,
        declared: None,
        binding: Binding::Engine { index: None, name: name.to_owned() },
    };
    Scope { variables: names.into_iter().map(real).collect(), ..Scope::default() }
}
