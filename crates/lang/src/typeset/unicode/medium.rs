//! Plain Unicode as a medium: how it writes what the layout asks for.

use crate::typeset::layout::{Fence, Gap, Medium, Part, Place, Symbol, Times, Written, glyph};

/// A line being written.
#[derive(Debug)]
pub(super) struct Line {
    text: String,
    place: Place,
}

/// Characters that have a raised form.
const RAISED: &[(char, char)] = &[
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('−', '⁻'),
    ('n', 'ⁿ'),
    ('T', 'ᵀ'),
];

/// Characters that have a lowered form, and a comma, which is low already.
const LOWERED: &[(char, char)] = &[
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
    (',', ','),
    ('×', '×'),
];

/// Above the letter before them: one, two and three dots.
const DOTS: [char; 3] = ['\u{307}', '\u{308}', '\u{20db}'];
/// Above the letter before it.
const HAT: char = '\u{302}';

/// The text in other characters, if all of it has them.
fn moved(text: &str, table: &[(char, char)]) -> Option<String> {
    let find = |c: char| table.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
    text.chars().filter(|c| *c != ' ').map(find).collect()
}

impl Line {
    pub(super) fn new() -> Self {
        Self { text: String::new(), place: Place { is_line: true, ..Place::default() } }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Returns what `content` writes, taken out again.
    fn apart(&mut self, content: impl FnOnce(&mut Self)) -> String {
        let start = self.text.len();
        content(self);
        self.text.split_off(start)
    }

    fn word(&mut self, word: &str) {
        // A space in a name would look like a product.
        self.text.push_str(&glyph(word).unwrap_or(word).replace('\u{a0}', "_"));
    }

    fn below(&mut self, content: impl FnOnce(&mut Self)) {
        let content = self.apart(content);
        match moved(&content, LOWERED) {
            Some(lowered) => self.text.push_str(&lowered),
            None => self.text.extend(["[", &content, "]"]),
        }
    }

    fn above(&mut self, content: impl FnOnce(&mut Self)) {
        let content = self.apart(content);
        match moved(&content, RAISED) {
            Some(raised) => self.text.push_str(&raised),
            None if content.chars().all(|c| c.is_alphanumeric() || DOTS.contains(&c)) => {
                self.text.extend(["^", &content]);
            }
            None => self.text.extend(["^(", &content, ")"]),
        }
    }
}

impl Medium for Line {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    fn number(&mut self, Written { digits, exponent }: &Written) {
        self.text.push_str(digits);
        if let Some(exponent) = exponent {
            self.text.push_str(if digits.is_empty() { "10" } else { "×10" });
            self.above(|line| line.text.push_str(exponent));
        }
    }

    fn text(&mut self, text: &str) {
        self.text.push_str(&text.replace('\u{a0}', " "));
    }

    fn missing(&mut self) {
        self.text.push('?');
    }

    fn symbol(&mut self, symbol: &Symbol<'_>, accent: Option<&str>) {
        self.word(&symbol.base);
        let is_letter = glyph(&symbol.base).is_some();
        if is_letter {
            self.text.extend(symbol.dots.checked_sub(1).and_then(|more| DOTS.get(more)));
            self.text.extend(accent.map(|_| HAT));
        }
        for (gap, part) in symbol.parts() {
            match part {
                Part::Number(digits) => {
                    self.text.push_str(if gap == Gap::Comma { "," } else { "" });
                    self.below(|line| line.text.push_str(digits));
                }
                Part::Word(word) => {
                    self.text.push('_');
                    self.word(word);
                }
                Part::Indexed(letter, digits) => {
                    self.text.push('_');
                    self.word(letter);
                    self.below(|line| line.text.push_str(digits));
                }
            }
        }
        if !is_letter {
            // As the language writes rates of words.
            (0..symbol.dots).for_each(|_| self.text.push('′'));
        }
    }

    fn function(&mut self, _: &str, word: &str) {
        self.text.push_str(word);
    }

    fn letter(&mut self, _: &str, letter: &str) {
        self.text.push_str(letter);
    }

    fn upright(&mut self, letter: &str) {
        self.text.push_str(letter);
    }

    fn prefix(&mut self, sign: &str) {
        self.text.push_str(sign);
    }

    fn sign(&mut self, sign: &str) {
        let sign = match sign {
            "⋅" | "∗" => "·",
            other => other,
        };
        self.text.extend([" ", sign, " "]);
    }

    fn comma(&mut self) {
        self.text.push_str(", ");
    }

    fn times(&mut self, times: Times) {
        self.text.push_str(match times {
            Times::Letters | Times::Calls => " ",
            Times::Words => " · ",
        });
    }

    fn slash(&mut self) {
        self.text.push('/');
    }

    fn space(&mut self) {
        self.text.push(' ');
    }

    fn row(&mut self, content: impl FnOnce(&mut Self)) {
        content(self);
    }

    fn fenced(&mut self, fence: Fence, content: impl FnOnce(&mut Self)) {
        let [opening, closing] = fence.signs();
        self.text.push_str(opening);
        content(self);
        self.text.push_str(closing);
    }

    fn apply(&mut self, arguments: impl FnOnce(&mut Self)) {
        self.fenced(Fence::Round, arguments);
    }

    fn fraction(&mut self, above: impl FnOnce(&mut Self), below: impl FnOnce(&mut Self)) {
        above(self);
        self.slash();
        below(self);
    }

    fn root(&mut self, content: impl FnOnce(&mut Self)) {
        let content = self.apart(content);
        let is_number = content.bytes().all(|byte| byte.is_ascii_digit());
        let [opening, closing] = if is_number { ["", ""] } else { ["(", ")"] };
        self.text.extend(["√", opening, &content, closing]);
    }

    fn power(&mut self, base: impl FnOnce(&mut Self), exponent: impl FnOnce(&mut Self)) {
        base(self);
        self.above(exponent);
    }

    fn index(&mut self, base: impl FnOnce(&mut Self), index: impl FnOnce(&mut Self)) {
        base(self);
        self.below(index);
    }

    fn index_and_power(
        &mut self,
        base: impl FnOnce(&mut Self),
        index: impl FnOnce(&mut Self),
        exponent: impl FnOnce(&mut Self),
    ) {
        base(self);
        self.below(index);
        self.above(exponent);
    }

    fn cases(
        &mut self,
        rows: usize,
        mut value: impl FnMut(&mut Self, usize),
        mut when: impl FnMut(&mut Self, usize),
    ) {
        self.text.push('{');
        for row in 0..rows {
            self.text.push_str(if row > 0 { "; " } else { "" });
            value(self, row);
            self.text.push(' ');
            when(self, row);
        }
        self.text.push('}');
    }

    fn table(&mut self, rows: usize, columns: usize, mut cell: impl FnMut(&mut Self, usize, usize)) {
        self.text.push('[');
        for row in 0..rows {
            self.text.push_str(if row > 0 { ", [" } else { "[" });
            for column in 0..columns {
                self.text.push_str(if column > 0 { ", " } else { "" });
                cell(self, row, column);
            }
            self.text.push(']');
        }
        self.text.push(']');
    }
}
