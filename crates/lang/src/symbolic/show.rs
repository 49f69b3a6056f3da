//! Formulas as people read them. There is one printer, that of the pool, which writes VFLang; everything else
//! renders the syntax tree of its text, and so can render any law.

use super::{Formula, NotSymbolic};
use crate::diagnostic::Code;
use crate::program::Input;
use crate::source::Sources;
use crate::syntax::tree::{Definition, Expr as Tree, Item};
use crate::syntax::{Dialect, parse};
use crate::types::{Dim, Type};
use crate::typeset::{latex, mathml, unicode};
use crate::value::Shaped;
use gedanken_symbolic::{Expr, Pool};

/// Longer texts, in bytes, are not written: what is shared in a pool is written each time it occurs, so a
/// text can be far longer than its formula.
const LONGEST: usize = 1 << 18;

/// Notation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// As a law: `m*l^2*theta_dot_dot`.
    Vfl,
    /// For a paper: `m l^2 \ddot{\theta}`.
    Latex,
    /// For a page.
    MathMl,
    /// For a terminal: `m l² θ̈`.
    Unicode,
}

/// An expression in some notation; that it is too long is said in its place.
pub fn show(pool: &Pool, expr: Expr, notation: Notation) -> String {
    show_value(pool, &Shaped::Real(expr), notation)
}

/// A value of any shape in some notation; that it is too long is said in its place.
pub fn show_value(pool: &Pool, value: &Formula, notation: Notation) -> String {
    match text(pool, value) {
        Ok(text) => rendered(text, notation),
        Err(reason) => verbatim(format!("({})", reason.reason), notation),
    }
}

/// `left = right` in some notation; in VFLang that is a comparison, `left == right`.
pub fn show_equation(pool: &Pool, left: Expr, right: Expr, notation: Notation) -> String {
    match (text(pool, &Shaped::Real(left)), text(pool, &Shaped::Real(right))) {
        (Ok(left), Ok(right)) => rendered(format!("{left} == {right}"), notation),
        (Err(reason), _) | (_, Err(reason)) => verbatim(format!("({})", reason.reason), notation),
    }
}

/// A definition in some notation: a law, a rate (`v'`) or a function of these parameters.
pub fn show_definition(
    pool: &Pool,
    name: &str,
    params: &[&str],
    value: &Formula,
    notation: Notation,
) -> String {
    let text = match definition(pool, name, params, value) {
        Ok(text) => text,
        Err(reason) => return verbatim(format!("{name} = ({})", reason.reason), notation),
    };
    match (notation, parsed_definition(&text)) {
        (Notation::Vfl, _) => text,
        (_, None) => verbatim(text, notation),
        (Notation::Latex, Some(tree)) => latex::definition(&tree),
        (Notation::MathMl, Some(tree)) => mathml::definition(&tree),
        (Notation::Unicode, Some(tree)) => unicode::definition(&tree),
    }
}

/// A value of any shape as the text of an expression, which read back is the same value.
///
/// # Errors
/// If the text would be longer than anybody can read.
pub fn text(pool: &Pool, value: &Formula) -> Result<String, NotSymbolic> {
    let written = match value {
        Shaped::Real(real) => pool.text_within(*real, LONGEST),
        Shaped::Bool(truth) => Some(pool.truth_text(*truth)),
        Shaped::Vector(elements) => row(pool, elements),
        Shaped::Matrix(matrix) => {
            let rows: Option<Vec<String>> =
                (0..matrix.rows).map(|index| row(pool, matrix.row(index))).collect();
            rows.map(|rows| format!("[{}]", rows.join(", ")))
        }
        Shaped::Sequence(items) => {
            let texts: Vec<String> = items.iter().map(|item| text(pool, item)).collect::<Result<_, _>>()?;
            Some(format!("{{{}}}", texts.join(", ")))
        }
    };
    written.filter(|text| text.len() <= LONGEST).ok_or_else(|| NotSymbolic {
        what: "the text".to_owned(),
        reason: format!("a formula of more than {LONGEST} letters is too long to be written"),
        place: None,
        code: Code::E522,
    })
}

fn row(pool: &Pool, elements: &[Expr]) -> Option<String> {
    let texts: Option<Vec<String>> = elements.iter().map(|it| pool.text_within(*it, LONGEST)).collect();
    texts.map(|texts| format!("[{}]", texts.join(", ")))
}

/// A value as the text of a definition: a law, a rate (`v'`) or a function of these parameters.
///
/// # Errors
/// As [`text`].
pub fn definition(pool: &Pool, name: &str, params: &[&str], value: &Formula) -> Result<String, NotSymbolic> {
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    Ok(format!("{name}{params} = {}", text(pool, value)?))
}

/// The symbol of a scalar input, called as the language writes it: `t`, `(position # 1)`,
/// `(if touching then 1 else 0)`. With these for inputs, the text of what was read from a program can stand
/// in the place of that program's own.
pub fn as_written(pool: &mut Pool, input: &Input, element: u32) -> Expr {
    let name = &input.name;
    match input.ty {
        Type::Bool => pool.symbol(&format!("(if {name} then 1 else 0)")),
        Type::Vector(_) => pool.symbol(&format!("({name} # {})", element + 1)),
        Type::Matrix(_, Dim::Is(columns)) if columns > 0 => {
            pool.symbol(&format!("({name} # {} # {})", element / columns + 1, element % columns + 1))
        }
        _ => pool.symbol(name),
    }
}

fn rendered(text: String, notation: Notation) -> String {
    match (notation, parsed(&text)) {
        (Notation::Vfl, _) => text,
        (_, None) => verbatim(text, notation),
        (Notation::Latex, Some(tree)) => latex::expression(&tree),
        (Notation::MathMl, Some(tree)) => mathml::expression(&tree),
        (Notation::Unicode, Some(tree)) => unicode::expression(&tree),
    }
}

/// Writes a text that cannot be laid out as it stands.
fn verbatim(text: String, notation: Notation) -> String {
    match notation {
        Notation::Vfl | Notation::Unicode => text,
        Notation::Latex => latex::verbatim(&text),
        Notation::MathMl => mathml::verbatim(&text),
    }
}

fn items(text: &str, dialect: Dialect) -> Vec<Item> {
    let mut sources = Sources::new();
    let source = sources.add("formula", text);
    let (file, diagnostics) = parse(&sources, source, dialect);
    if diagnostics.is_empty() { file.items } else { Vec::new() }
}

fn parsed(text: &str) -> Option<Tree> {
    let first = items(text, Dialect::Expression).into_iter().next();
    if let Some(Item::Evaluate(tree)) = first { Some(tree) } else { None }
}

fn parsed_definition(text: &str) -> Option<Definition> {
    let first = items(text, Dialect::Library).into_iter().next();
    if let Some(Item::Definition(tree)) = first { Some(tree) } else { None }
}
