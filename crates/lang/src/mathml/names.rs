//! Names as symbols: `v_in` has a subscript, `pos0` too, `omega` is a Greek letter and `mean_anomaly` are two words.

use super::markup::Markup;

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

/// What goes below a name whose previous value is meant.
const PREVIOUS: &str = "prev";
/// A part of this many letters behind one underscore is a subscript of any word; a longer one is another word.
const LONGEST_MARK: usize = 3;
/// A name of this many letters is a symbol and not a word.
const LONGEST_SYMBOL: usize = 2;

/// A name taken apart.
struct Symbol<'n> {
    /// A letter, or one or more words with spaces that do not break.
    base: String,
    subscripts: Vec<&'n str>,
}

fn greek(name: &str) -> Option<&'static str> {
    GREEK.iter().find(|(word, _)| *word == name).map(|(_, letter)| *letter)
}

/// A word and the digits at its end.
fn split_digits(word: &str) -> (&str, Option<&str>) {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.is_empty() || stem.len() == word.len() {
        true => (word, None),
        false => (stem, Some(&word[stem.len()..])),
    }
}

fn symbol(name: &str) -> Symbol<'_> {
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    let Some((first, rest)) = parts.split_first() else {
        return Symbol { base: name.to_owned(), subscripts: Vec::new() };
    };
    let (stem, digits) = split_digits(first);
    let length = |word: &str| word.chars().count();
    let has_subscripts = rest.is_empty()
        || length(stem) <= LONGEST_SYMBOL
        || greek(stem).is_some()
        || rest.len() == 1 && length(rest[0]) <= LONGEST_MARK;
    if has_subscripts {
        return Symbol {
            base: stem.to_owned(),
            subscripts: digits.into_iter().chain(rest.iter().copied()).collect(),
        };
    }
    let (last, digits) = split_digits(rest[rest.len() - 1]);
    let words: Vec<&str> = parts[..parts.len() - 1].iter().copied().chain([last]).collect();
    Symbol { base: words.join("\u{a0}"), subscripts: digits.into_iter().collect() }
}

/// Whether a name is a single letter, with or without subscripts.
pub(super) fn is_letter(name: &str) -> bool {
    let base = symbol(name).base;
    base.chars().count() == 1 || greek(&base).is_some()
}

/// Whether a name is shown as several words.
pub(super) fn has_spaces(name: &str) -> bool {
    symbol(name).base.contains('\u{a0}')
}

/// Whether a name has a subscript already.
pub(super) fn has_subscript(name: &str) -> bool {
    !symbol(name).subscripts.is_empty()
}

impl Markup {
    /// A name.
    pub(super) fn name(&mut self, name: &str) {
        self.symbol(name, None, &[]);
    }

    /// The previous value of an attribute.
    pub(super) fn previous(&mut self, name: &str) {
        self.symbol(name, None, &[PREVIOUS]);
    }

    /// A name with a sign above its letter.
    pub(super) fn accented(&mut self, name: &str, accent: &str) {
        self.symbol(name, Some(accent), &[]);
    }

    /// The rate of change of an attribute.
    pub(super) fn rate(&mut self, name: &str) {
        if is_letter(name) {
            return self.accented(name, "˙");
        }
        self.element("mfrac", |markup| {
            markup.element("mrow", |markup| {
                markup.leaf("mi", &[("mathvariant", "normal")], "d");
                markup.leaf("mspace", &[("width", "0.1667em")], "");
                markup.name(name);
            });
            markup.element("mrow", |markup| {
                markup.leaf("mi", &[("mathvariant", "normal")], "d");
                markup.name("t");
            });
        });
    }

    fn symbol(&mut self, name: &str, accent: Option<&str>, more: &[&str]) {
        let Symbol { base, mut subscripts } = symbol(name);
        subscripts.extend(more);
        let attribute = ("data-name", name);
        let plain = subscripts.is_empty();
        let letter = |markup: &mut Self, attributes: &[(&str, &str)]| match accent {
            None => markup.word(&base, attributes),
            Some(accent) => {
                let attributes: Vec<(&str, &str)> =
                    attributes.iter().copied().chain([("accent", "true")]).collect();
                markup.element_with("mover", &attributes, |markup| {
                    markup.word(&base, &[]);
                    markup.sign(accent);
                });
            }
        };
        if plain {
            return letter(self, &[attribute]);
        }
        self.element_with("msub", &[attribute], |markup| {
            letter(markup, &[]);
            markup.element("mrow", |markup| {
                for (index, part) in subscripts.iter().enumerate() {
                    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
                    if index > 0 && (is_number(subscripts[index - 1]) || *part == PREVIOUS) {
                        markup.leaf("mo", &[("separator", "true")], ",");
                    } else if index > 0 {
                        markup.leaf("mspace", &[("width", "0.25em")], "");
                    }
                    if is_number(part) {
                        markup.leaf("mn", &[], part);
                    } else {
                        markup.word(part, &[]);
                    }
                }
            });
        });
    }

    /// A letter, slanted, or a word, upright.
    fn word(&mut self, word: &str, attributes: &[(&str, &str)]) {
        let letter = greek(word).or_else(|| (word.chars().count() == 1).then_some(word));
        let upright = ("mathvariant", "normal");
        match letter {
            Some(letter) => self.leaf("mi", attributes, letter),
            None => {
                let attributes: Vec<(&str, &str)> = attributes.iter().copied().chain([upright]).collect();
                self.leaf("mi", &attributes, word);
            }
        }
    }
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
            ("_", "_", &[]),
            ("__x_", "x", &[]),
            ("_1", "1", &[]),
        ] {
            let found = symbol(name);
            assert_eq!((found.base.as_str(), found.subscripts.as_slice()), (base, subscripts), "{name}");
        }
    }
}
