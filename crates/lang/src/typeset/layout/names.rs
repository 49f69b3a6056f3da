//! Names as symbols: `v_in` has a subscript, `pos0` too, `omega` is a Greek letter, `theta1_dot` is a rate
//! with a dot above it and `mean_anomaly` are two words.

use super::medium::Medium;

const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// Subscript of a name whose previous value is meant.
const PREVIOUS: &str = "prev";
/// Ending of a name that is the rate of another.
const RATE: &str = "_dot";
/// More dots than this nobody counts.
const MOST_DOTS: usize = 3;
/// A part of this many letters behind one underscore is a subscript of any word; a longer one is another
/// word.
const LONGEST_MARK: usize = 3;
/// A name of this many letters is a symbol and not a word.
const LONGEST_SYMBOL: usize = 2;

/// A name taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Symbol<'n> {
    /// As it stands in the text.
    pub(crate) name: &'n str,
    /// A letter, or one or more words with spaces that do not break.
    pub(crate) base: String,
    /// Number of dots above it: it is a rate, or the rate of a rate.
    pub(crate) dots: usize,
    subscripts: Vec<&'n str>,
}

/// A part of a subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'n> {
    /// Digits.
    Number(&'n str),
    /// A letter or a word.
    Word(&'n str),
    /// A letter with digits below it.
    Indexed(&'n str, &'n str),
}

/// Gap before a part of a subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// It is the first one.
    None,
    /// A comma.
    Comma,
    /// A space.
    Space,
}

impl Symbol<'_> {
    /// Returns `true` if nothing stands below it.
    pub(crate) fn is_plain(&self) -> bool {
        self.subscripts.is_empty()
    }

    /// Returns the parts below it, and the gaps between.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Gap, Part<'_>)> {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        self.subscripts.iter().enumerate().map(move |(index, part)| {
            let gap = match index {
                0 => Gap::None,
                _ if is_number(self.subscripts[index - 1]) || *part == PREVIOUS => Gap::Comma,
                _ => Gap::Space,
            };
            let part = match split_digits(part) {
                _ if is_number(part) => Part::Number(part),
                (stem, Some(digits)) if glyph(stem).is_some() => Part::Indexed(stem, digits),
                _ => Part::Word(part),
            };
            (gap, part)
        })
    }
}

/// The Greek letter that a word names.
fn greek(word: &str) -> Option<&'static str> {
    GREEK.iter().find(|(name, _)| *name == word).map(|(_, letter)| *letter)
}

/// The letter that a word is, or names; `None` if it is a word.
pub(crate) fn glyph(word: &str) -> Option<&str> {
    greek(word).or_else(|| (word.chars().count() == 1).then_some(word))
}

/// The name of a Greek letter, if a word is one.
pub(crate) fn greek_name(word: &str) -> Option<&'static str> {
    GREEK.iter().find(|(name, _)| *name == word).map(|(name, _)| *name)
}

/// A word and the digits at its end.
fn split_digits(word: &str) -> (&str, Option<&str>) {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.is_empty() || stem.len() == word.len() {
        true => (word, None),
        false => (stem, Some(&word[stem.len()..])),
    }
}

/// A name without the `_dot` at its end, and how often that stands there.
fn split_dots(name: &str) -> (&str, usize) {
    let (mut rest, mut dots) = (name, 0);
    while let Some(less) = rest.strip_suffix(RATE)
        && dots < MOST_DOTS
        && !less.trim_matches('_').is_empty()
    {
        (rest, dots) = (less, dots + 1);
    }
    (rest, dots)
}

fn symbol(name: &str) -> Symbol<'_> {
    let (rest, dots) = split_dots(name);
    let parts: Vec<&str> = rest.split('_').filter(|part| !part.is_empty()).collect();
    let Some((first, rest)) = parts.split_first() else {
        return Symbol { name, base: rest.to_owned(), dots, subscripts: Vec::new() };
    };
    let (stem, digits) = split_digits(first);
    let length = |word: &str| word.chars().count();
    let has_subscripts = rest.is_empty()
        || length(stem) <= LONGEST_SYMBOL
        || greek(stem).is_some()
        || rest.len() == 1 && length(rest[0]) <= LONGEST_MARK;
    if has_subscripts {
        let subscripts = digits.into_iter().chain(rest.iter().copied()).collect();
        return Symbol { name, base: stem.to_owned(), dots, subscripts };
    }
    let (last, digits) = split_digits(rest[rest.len() - 1]);
    let words: Vec<&str> = parts[..parts.len() - 1].iter().copied().chain([last]).collect();
    Symbol { name, base: words.join("\u{a0}"), dots, subscripts: digits.into_iter().collect() }
}

/// Returns `true` if a name is a single letter, with or without dots and subscripts.
pub(super) fn is_letter(name: &str) -> bool {
    glyph(&symbol(name).base).is_some()
}

/// Returns `true` if a name is shown as several words.
pub(super) fn has_spaces(name: &str) -> bool {
    symbol(name).base.contains('\u{a0}')
}

/// Returns `true` if a name has a subscript already.
pub(super) fn has_subscript(name: &str) -> bool {
    !symbol(name).is_plain()
}

/// A name.
pub(super) fn name<M: Medium>(medium: &mut M, name: &str) {
    medium.symbol(&symbol(name), None);
}

/// The previous value of an attribute.
pub(super) fn previous<M: Medium>(medium: &mut M, name: &str) {
    let mut symbol = symbol(name);
    symbol.subscripts.push(PREVIOUS);
    medium.symbol(&symbol, None);
}

/// A name with a sign above its letter.
pub(super) fn accented<M: Medium>(medium: &mut M, name: &str, accent: &str) {
    medium.symbol(&symbol(name), Some(accent));
}

/// The rate of change of an attribute.
pub(super) fn rate<M: Medium>(medium: &mut M, name: &str) {
    let mut symbol = symbol(name);
    if glyph(&symbol.base).is_some() && symbol.dots < MOST_DOTS {
        symbol.dots += 1;
        return medium.symbol(&symbol, None);
    }
    medium.fraction(
        |medium| {
            medium.row(|medium| {
                medium.upright("d");
                medium.space();
                medium.symbol(&symbol, None);
            });
        },
        |medium| {
            medium.row(|medium| {
                medium.upright("d");
                self::name(medium, "t");
            });
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        for (name, base, subscripts) in [
            ("v", "v", &[] as &[&str]),
            ("v_in", "v", &["in"]),
            ("pos0", "pos", &["0"]),
            ("v1_in", "v", &["1", "in"]),
            ("omega_max", "omega", &["max"]),
            ("a_v_before", "a", &["v", "before"]),
            ("position_in", "position", &["in"]),
            ("mean_anomaly", "mean\u{a0}anomaly", &[]),
            ("light_cart_2", "light\u{a0}cart\u{a0}2", &[]),
            ("light_cart2", "light\u{a0}cart", &["2"]),
            ("collisionNormalsDirVec2", "collisionNormalsDirVec", &["2"]),
            ("theta1_dot", "theta", &["1"]),
            ("p_theta1_dot_dot", "p", &["theta1"]),
            ("lambda_rod", "lambda", &["rod"]),
            ("_", "_", &[]),
            ("_dot", "dot", &[]),
            ("__x_", "x", &[]),
            ("_1", "1", &[]),
        ] {
            let found = symbol(name);
            assert_eq!((found.base.as_str(), found.subscripts.as_slice()), (base, subscripts), "{name}");
        }
    }

    #[test]
    fn rates_have_dots() {
        for (name, dots) in
            [("theta", 0), ("theta_dot", 1), ("x1_dot_dot", 2), ("_dot", 0), ("dot", 0), ("x_dot_y", 0)]
        {
            assert_eq!(symbol(name).dots, dots, "{name}");
        }
    }
}
