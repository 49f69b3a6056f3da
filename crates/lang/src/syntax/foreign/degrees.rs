//! The sign of degrees behind a number: `30°`.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Returns `true` for the sign of degrees, and for the raised o that keyboards offer beside it.
pub(crate) fn is_sign(sign: &str) -> bool {
    matches!(sign, "°" | "º" | "˚")
}

/// What is said of the sign at `sign`, behind the number at `number` if there is one.
pub(crate) fn explain(text: &str, sign: Span, number: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::E134, sign, "angles are in radians here, not in degrees");
    let Some(number) = number else {
        return diagnostic.help("an angle in degrees becomes one in radians by `* pi / 180`");
    };
    let digits = &text[number.range()];
    // `2 / 30°` divides by the whole angle, so it needs parentheses wherever an operator may stand beside it.
    let before = text[..number.start as usize].trim_end();
    let after = text[sign.end as usize..].trim_start_matches([' ', '\t']);
    let is_alone = before.ends_with(['(', ',', '[', '='])
        && after.starts_with([')', ',', ']', '\n', '\r', '}'])
        || before.ends_with('=') && after.is_empty();
    let radians = if is_alone { format!("{digits} * pi / 180") } else { format!("({digits} * pi / 180)") };
    diagnostic.help(format!("{digits} degrees in radians are `{radians}`")).edit(number.to(sign), radians)
}
