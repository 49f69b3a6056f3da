//! Signs that other notations have and VFLang has not: what to write instead.
//!
//! Text copied from a book or a word processor brings `−`, `×`, `²` and curly quotes; other languages bring
//! `&&` and `**`. Each gets a message that teaches the sign used here, the edit, and the tokens that were
//! meant, so that reading goes on.

use super::super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Meaning of a foreign sign.
pub(crate) struct Meaning {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) kinds: &'static [Kind],
}

/// Sign, what to write, its tokens, and a word of explanation.
type Row = (&'static str, &'static str, &'static [Kind], &'static str);

const OPERATORS: &[Row] = &[
    ("&&", "&", &[Kind::And], "\"and\" is written with one sign"),
    ("||", "|", &[Kind::Or], "\"or\" is written with one sign"),
    ("**", "^", &[Kind::Caret], "a power is written with `^`"),
    ("===", "==", &[Kind::Equal], "two values are compared with `==`"),
    ("!==", "!=", &[Kind::NotEqual], "\"not equal\" is written `!=`"),
    ("=>", ">=", &[Kind::GreaterEqual], "\"greater or equal\" is written `>=`"),
    ("=<", "<=", &[Kind::LessEqual], "\"less or equal\" is written `<=`"),
    ("<>", "!=", &[Kind::NotEqual], "\"not equal\" is written `!=`"),
    (":=", "=", &[Kind::Equals], "a definition is written with `=`"),
];

const CHARACTERS: &[Row] = &[
    ("−", "-", &[Kind::Minus], "a minus from a word processor; type the one of the keyboard"),
    ("–", "-", &[Kind::Minus], "a dash from a word processor; type the minus of the keyboard"),
    ("—", "-", &[Kind::Minus], "a dash from a word processor; type the minus of the keyboard"),
    ("×", "*", &[Kind::Star], "a product is written with `*`, the cross product of two vectors too"),
    ("∗", "*", &[Kind::Star], "a product is written with `*`"),
    ("✕", "*", &[Kind::Star], "a product is written with `*`, the cross product of two vectors too"),
    ("⨯", "*", &[Kind::Star], "a product is written with `*`, the cross product of two vectors too"),
    ("‐", "-", &[Kind::Minus], "a hyphen from a word processor; type the minus of the keyboard"),
    ("‑", "-", &[Kind::Minus], "a hyphen from a word processor; type the minus of the keyboard"),
    ("⁄", "/", &[Kind::Slash], "a quotient is written with `/`"),
    ("←", "=", &[Kind::Equals], "a definition is written with `=`"),
    ("÷", "/", &[Kind::Slash], "a quotient is written with `/`"),
    ("∕", "/", &[Kind::Slash], "a quotient is written with `/`"),
    ("≤", "<=", &[Kind::LessEqual], "\"less or equal\" is written `<=`"),
    ("≥", ">=", &[Kind::GreaterEqual], "\"greater or equal\" is written `>=`"),
    ("≠", "!=", &[Kind::NotEqual], "\"not equal\" is written `!=`"),
    ("∧", "&", &[Kind::And], "\"and\" is written with `&`"),
    ("∨", "|", &[Kind::Or], "\"or\" is written with `|`"),
    ("¬", "!", &[Kind::Not], "\"not\" is written with `!`"),
    ("²", "^2", &[Kind::Caret, Kind::Real], "a power is written with `^`"),
    ("³", "^3", &[Kind::Caret, Kind::Real], "a power is written with `^`"),
    ("¼", "0.25", &[Kind::Real], "a fraction is written as a decimal number or with `/`"),
    ("¾", "0.75", &[Kind::Real], "a fraction is written as a decimal number or with `/`"),
    ("\u{20d7}", "", &[], "an arrow over a name is a sign of its own; delete it: names of vectors are plain"),
    ("½", "0.5", &[Kind::Real], "a fraction is written as a decimal number or with `/`"),
    ("′", "'", &[Kind::Prime], "a prime from a book; type the straight one of the keyboard"),
    ("’", "'", &[Kind::Prime], "a curly quote from a word processor; type the straight one of the keyboard"),
    ("‘", "'", &[Kind::Prime], "a curly quote from a word processor; type the straight one of the keyboard"),
    ("，", ",", &[Kind::Comma], "type the comma of the keyboard"),
    ("（", "(", &[Kind::OpenRound], "type the parenthesis of the keyboard"),
    ("）", ")", &[Kind::CloseRound], "type the parenthesis of the keyboard"),
    ("＝", "=", &[Kind::Equals], "type the sign of the keyboard"),
    ("\u{a0}", " ", &[], "a space that looks like any other, but is not; type it anew"),
    ("\u{202f}", " ", &[], "a space that looks like any other, but is not; type it anew"),
    ("\u{200b}", "", &[], "a space of no width, pasted along; delete it"),
    ("\u{feff}", "", &[], "a mark that some editors leave behind; delete it"),
];

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('ι', "iota"),
    ('υ', "upsilon"),
    ('ϕ', "phi"),
    ('ϑ', "theta"),
    ('ϵ', "epsilon"),
    ('µ', "mu"),
    ('Γ', "Gamma"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Π', "Pi"),
    ('Ψ', "Psi"),
    ('Δ', "Delta"),
    ('∆', "Delta"),
    ('Ω', "Omega"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
];

/// Returns the number of bytes from `start` on that belong to one foreign sign: a word of foreign letters, a
/// text in curly quotes, or one sign.
pub(crate) fn length(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    if let Some((sign, ..)) =
        OPERATORS.iter().filter(|row| rest.starts_with(row.0)).max_by_key(|row| row.0.len())
    {
        return sign.len();
    }
    let Some(first) = rest.chars().next() else { return 0 };
    if is_double_quote(first) {
        let line = rest.find('\n').unwrap_or(rest.len());
        let inside = &rest[first.len_utf8()..line];
        if let Some((at, close)) = inside.char_indices().find(|&(_, c)| is_double_quote(c) || c == '"') {
            return first.len_utf8() + at + close.len_utf8();
        }
    }
    if super::degrees::is_sign(&rest[..first.len_utf8()]) {
        return first.len_utf8();
    }
    if is_raised(first) {
        return rest.find(|c| !is_raised(c)).unwrap_or(rest.len());
    }
    if is_letter(first) {
        return rest
            .find(|c: char| !(is_letter(c) || c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
    }
    if is_meaningless(first) {
        // A picture or a compressed file is one mistake, not a thousand.
        return rest.find(|c| !is_meaningless(c)).unwrap_or(rest.len());
    }
    first.len_utf8()
}

/// Returns `true` if a value begins on this line.
fn is_before_value(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_alphanumeric() || "([{_".contains(c))
}

/// Signs without an equal, and what to say of them.
const WITHOUT_EQUAL: &[(&str, &[Kind], &str)] = &[
    ("∞", &[Kind::Explained], "no value is infinite; take a number that is large enough"),
    ("±", &[Kind::Plus], "a name has one value: write `+` or `-`, and two laws or two runs for both"),
    ("∓", &[Kind::Minus], "a name has one value: write `+` or `-`, and two laws or two runs for both"),
    ("∑", &[Kind::Plus], "write `sum(s)` for the sum of a sequence or the elements of a vector"),
    ("∂", &[Kind::Plus], "a law gives a rate with a prime, `x' = v`; of values there are no derivatives"),
    (
        "∇",
        &[Kind::Plus],
        "there are no derivatives of values: write the force itself, or a `potential` block for rigid bodies",
    ),
    ("‖", &[], "write `norm(v)` for the length of a vector"),
    ("∥", &[], "write `norm(v)` for the length of a vector"),
    ("⟨", &[], "a vector is written in square brackets: `[x, y, z]`"),
    ("⟩", &[], "a vector is written in square brackets: `[x, y, z]`"),
    ("\\", &[], "no sign is needed where a definition goes on in the next line: delete it"),
];

/// The raised signs of powers, but for `²` and `³` alone.
const RAISED: &[(char, char)] = &[
    ('⁻', '-'),
    ('⁺', '+'),
    ('⁰', '0'),
    ('¹', '1'),
    ('²', '2'),
    ('³', '3'),
    ('⁴', '4'),
    ('⁵', '5'),
    ('⁶', '6'),
    ('⁷', '7'),
    ('⁸', '8'),
    ('⁹', '9'),
];

fn is_raised(c: char) -> bool {
    lowered(c).is_some()
}

/// The sign of the keyboard for a raised one.
fn lowered(c: char) -> Option<char> {
    RAISED.iter().find(|row| row.0 == c).map(|row| row.1)
}

/// Returns `true` if there is nothing to say of it but that it does not belong here.
fn is_meaningless(c: char) -> bool {
    let known = c.is_ascii_graphic() && !"@~`".contains(c) || c.is_ascii_whitespace();
    let mut buffer = [0; 4];
    let sign: &str = c.encode_utf8(&mut buffer);
    !known
        && !is_letter(c)
        && !is_double_quote(c)
        && !"·⋅•∙√°º˚∫".contains(c)
        && WITHOUT_EQUAL.iter().all(|row| row.0 != sign)
        && !is_raised(c)
        && CHARACTERS.iter().all(|row| row.0 != sign)
}

/// Letters, and what stands in names on paper: lowered digits, and a difference.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphabetic() || c == '∆' || lowered_digit(c).is_some()
}

/// The digit of the keyboard for a lowered one.
fn lowered_digit(c: char) -> Option<char> {
    let digit = u32::from(c).checked_sub(u32::from('₀')).filter(|digit| *digit < 10)?;
    char::from_digit(digit, 10)
}

fn is_double_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '«' | '»')
}

/// Reads the foreign sign at `span`, where `before` was the token before, and `joined` says that it is a name
/// that touches it.
pub(crate) fn read(span: Span, text: &str, before: Option<Kind>, joined: bool) -> Meaning {
    let sign = &text[span.range()];
    if let Some(&(_, ours, kinds, why)) = OPERATORS.iter().find(|row| row.0 == sign) {
        let diagnostic = Diagnostic::new(Code::E105, span, format!("`{sign}` is written `{ours}` here"));
        return Meaning { diagnostic: diagnostic.help(why).edit(span, ours), kinds };
    }
    if sign == "%" && before == Some(Kind::Real) && !is_before_value(&text[span.end as usize..]) {
        let diagnostic = Diagnostic::new(Code::E105, span, "`%` is no sign for a hundredth here")
            .help("write the number itself: 0.8 for eighty percent");
        return Meaning { diagnostic, kinds: &[] };
    }
    if sign == "∫" {
        let diagnostic = unknown(span, sign)
            .help("there is no sign for an integral: give the rate of an attribute with a prime, `x' = v`, and the engine integrates it");
        return Meaning { diagnostic, kinds: &[Kind::Plus] };
    }
    if sign.starts_with(is_raised) && CHARACTERS.iter().all(|row| row.0 != sign) {
        let plain: String = sign.chars().filter_map(lowered).collect();
        let diagnostic =
            unknown(span, sign).help("a power is written with `^`").edit(span, format!("^{plain}"));
        return Meaning { diagnostic, kinds: &[Kind::Caret, Kind::Explained] };
    }
    if sign == "%" {
        let diagnostic = Diagnostic::new(Code::E105, span, "`%` is not an operator here")
            .help("write `mod(a, b)` for the remainder of a division, and 0.05 for five percent");
        return Meaning { diagnostic, kinds: &[Kind::Star] };
    }
    if sign == "?" {
        let diagnostic = Diagnostic::new(Code::E140, span, "`?` asks nothing here")
            .help("a condition reads `if condition then value else other_value`");
        return Meaning { diagnostic, kinds: &[] };
    }
    if let Some(&(_, kinds, why)) = WITHOUT_EQUAL.iter().find(|row| row.0 == sign) {
        return Meaning { diagnostic: unknown(span, sign).help(why), kinds };
    }
    if matches!(sign, "·" | "⋅" | "•" | "∙") {
        let number = before == Some(Kind::Real)
            || text[span.end as usize..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        let (ours, kinds): (_, &[Kind]) = if number { ("*", &[Kind::Star]) } else { (".", &[Kind::Dot]) };
        let diagnostic = unknown(span, sign)
            .help("write `.` for the inner product of two vectors, and `*` for any other product")
            .edit(span, ours);
        return Meaning { diagnostic, kinds };
    }
    if let Some(&(_, ours, kinds, why)) = CHARACTERS.iter().find(|row| row.0 == sign) {
        return Meaning { diagnostic: unknown(span, sign).help(why).edit(span, ours), kinds };
    }
    if sign == "√" {
        // Read on as if it were a sign of the value behind it; where that ends is not known here.
        let diagnostic = unknown(span, sign).help("write the root as `sqrt(x)`");
        return Meaning { diagnostic, kinds: &[Kind::Plus] };
    }
    if sign.starts_with(is_double_quote) {
        let inside = sign.trim_matches(|c| is_double_quote(c) || c == '"');
        let diagnostic = Diagnostic::new(Code::E101, span, "curly quotes come from a word processor")
            .help("type the straight quotes of the keyboard")
            .edit(span, format!("\"{inside}\""));
        return Meaning { diagnostic, kinds: &[Kind::String] };
    }
    if sign.starts_with(is_letter) {
        return letters(span, sign, joined);
    }
    Meaning { diagnostic: unknown(span, sign).help("it means nothing in this language"), kinds: &[] }
}

fn letters(span: Span, word: &str, joined: bool) -> Meaning {
    let spelled: String = word
        .chars()
        .map(|c| match GREEK.iter().find(|row| row.0 == c) {
            Some((_, name)) => (*name).to_owned(),
            None => lowered_digit(c).unwrap_or(c).to_string(),
        })
        .collect();
    let what = if joined { "the rest of this name" } else { "this name" };
    let mut diagnostic =
        Diagnostic::new(Code::E101, span, format!("{what} has letters that names cannot have: `{word}`"))
            .help("names are made of the letters a to z and A to Z, digits and `_`");
    if spelled.is_ascii() {
        diagnostic = diagnostic.edit(span, spelled);
    }
    Meaning { diagnostic, kinds: &[Kind::Name] }
}

fn unknown(span: Span, sign: &str) -> Diagnostic {
    let shown = match sign.chars().next() {
        Some(c)
            if c.is_control()
                || c.is_whitespace()
                || sign.trim().is_empty()
                || c == '\u{200b}'
                || c == '\u{feff}' =>
        {
            format!("the character U+{:04X}", u32::from(c))
        }
        _ => format!("`{sign}`"),
    };
    Diagnostic::new(Code::E101, span, format!("{shown} is not a sign of this language"))
}
