//! Attributes that several participants have, told in one message.
//!
//! A collision context that applies to two dynamic objects has no meaning for any attribute without an alias.
//! That is one mistake, however many attributes its laws name.

use crate::diagnostic::{Code, Diagnostic};

/// Maximum number of further places in the message.
const MOST_PLACES: usize = 6;

/// The diagnostics, those about attributes of several objects joined to the first of them.
pub(crate) fn in_one(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_ambiguous = |it: &Diagnostic| it.code == Code::E209 && it.message.contains(" of which object?");
    let (mut several, others): (Vec<_>, Vec<_>) = diagnostics.drain(..).partition(is_ambiguous);
    several.sort_by_key(|it| it.primary.span);
    several.dedup_by_key(|it| it.primary.span);
    let mut several = several.into_iter();
    let joined = several.next().map(|first| {
        several.take(MOST_PLACES).fold(first, |joined, it| joined.also(it.primary.span, "this one as well"))
    });
    others.into_iter().chain(joined).collect()
}
