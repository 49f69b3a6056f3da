//! Mistakes on the left side of a definition: they are told when it is entered, while the right side has time
//! until it is evaluated.

use super::input_span::contains;
use crate::check::{Library, check_library};
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::Definition;

/// Returns what the checker says of names and parameters: two of one name, a native that is hidden, a rate
/// outside a context.
pub(crate) fn diagnostics(fresh: &[Definition], others: Vec<Definition>) -> Vec<Diagnostic> {
    let found = match check_library(fresh, &Library { definitions: others }) {
        Ok(checked) => checked.warnings,
        Err(found) => found,
    };
    let on_the_left = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary.span;
        fresh.iter().any(|it| contains(it.span, span) && !contains(it.body.span, span))
    };
    found.into_iter().filter(on_the_left).collect()
}
