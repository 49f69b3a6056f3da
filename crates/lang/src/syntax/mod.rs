//! From text to a tree: lexer, parser and formatter.
//!
//! ```text
//! text ──token──► tokens ──definition, expression, block──► tree ──format──► text in the one style
//! ```
//!
//! [`parse`] always returns a tree; what could not be understood is missing from it and has been reported.
//! One run reports every mistake: after one, reading goes on behind the next comma or closing bracket, or
//! with the next definition.

mod block;
mod cursor;
mod definition;
mod dotted_name;
mod expression;
mod foreign;
mod foreign_laws;
mod foreign_words;
mod format;
mod keys;
mod other_notations;
mod parse_errors;
mod role_lists;
pub(crate) mod token;
pub mod tree;

pub use dotted_name::Dotted;
pub use format::format;

use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, Sources};
use cursor::Parser;
use token::Tokens;

/// Maximum number of brackets, signs and `if`s that may stand inside each other.
pub const MOST_NESTED: u32 = 256;

/// The height of the tallest expression: how many nodes lie on the way from its root to a leaf. A sum of as
/// many terms is as tall, since it leans to the left. Whoever walks over a tree may recurse, and needs this
/// much stack.
pub const TALLEST: u32 = 512;

/// Dialect of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// A `.vfl` file: definitions and imports.
    Library,
    /// A `.lab` file: blocks and imports.
    Experiment,
    /// An input of a session: definitions, expressions, imports and exports.
    Session,
    /// Exactly one expression, as [`tree::Item::Evaluate`].
    Expression,
}

/// Reads a text. The tree holds all that could be understood; the diagnostics, in the order of their places,
/// say what could not.
pub fn parse(sources: &Sources, source: SourceId, dialect: Dialect) -> (tree::File, Vec<Diagnostic>) {
    parse_as(source, sources.text(source), dialect)
}

/// Reads a text whose places are told as places of `source`.
pub fn parse_as(source: SourceId, text: &str, dialect: Dialect) -> (tree::File, Vec<Diagnostic>) {
    parse_tokens(source, text, token::tokens(source, text), dialect)
}

/// Reads exactly one expression in which whatever `is_name` accepts is one name, spelled as it is written.
/// `None` if no expression could be made out.
pub fn parse_dotted(
    sources: &Sources,
    source: SourceId,
    is_name: &dyn Fn(&Dotted<'_>) -> bool,
) -> (Option<tree::Expr>, Vec<Diagnostic>) {
    let text = sources.text(source);
    let mut tokens = token::tokens(source, text);
    dotted_name::join(text, &mut tokens, is_name);
    let (file, diagnostics) = parse_tokens(source, text, tokens, Dialect::Expression);
    let expression =
        file.items.into_iter().find_map(|it| if let tree::Item::Evaluate(it) = it { Some(it) } else { None });
    (expression, diagnostics)
}

fn parse_tokens(
    source: SourceId,
    text: &str,
    mut tokens: Tokens,
    dialect: Dialect,
) -> (tree::File, Vec<Diagnostic>) {
    let comments = std::mem::take(&mut tokens.comments);
    let mut parser = Parser::new(source, text, tokens);
    let items = parser.items(dialect);
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    (tree::File { items, comments }, diagnostics)
}

/// Returns `true` if an input of a session is whole: no bracket or comment is open, no operator waits for its
/// right side, and no `if` for its `else`. A text with a mistake is whole, so that the mistake is told at
/// once.
pub fn is_complete(text: &str) -> bool {
    let mut sources = Sources::new();
    let source = sources.add("input", text);
    let tokens = token::tokens(source, sources.text(source));
    if tokens.open_comment {
        return false;
    }
    let mut parser = Parser::new(source, sources.text(source), tokens);
    parser.items(Dialect::Session);
    !parser.ended
}
