//! MathML as a medium: how it writes what the layout asks for.

use super::markup::Markup;
use crate::typeset::layout::{Fence, Gap, Medium, Part, Place, Symbol, Times, Written, glyph};

/// The signs for one, two and three dots above a letter.
const DOTS: [&str; 3] = ["˙", "¨", "⃛"];

impl Markup {
    /// A letter, slanted, or a word, upright.
    fn word(&mut self, word: &str, attributes: &[(&str, &str)]) {
        match glyph(word) {
            Some(letter) => self.leaf("mi", attributes, letter),
            None => {
                let upright = ("mathvariant", "normal");
                let attributes: Vec<(&str, &str)> = attributes.iter().copied().chain([upright]).collect();
                self.leaf("mi", &attributes, word);
            }
        }
    }

    /// A letter or word with signs above it, the last one on top.
    fn accented(&mut self, base: &str, accents: &[&str], attributes: &[(&str, &str)]) {
        let Some((top, others)) = accents.split_last() else { return self.word(base, attributes) };
        let attributes: Vec<(&str, &str)> = attributes.iter().copied().chain([("accent", "true")]).collect();
        self.element_with("mover", &attributes, |markup| {
            markup.accented(base, others, &[]);
            markup.sign(top);
        });
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Number(digits) => self.leaf("mn", &[], digits),
            Part::Word(word) => self.word(word, &[]),
            Part::Indexed(letter, digits) => self.element("msub", |markup| {
                markup.word(letter, &[]);
                markup.leaf("mn", &[], digits);
            }),
        }
    }
}

impl Medium for Markup {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    fn number(&mut self, Written { digits, exponent }: &Written) {
        if !digits.is_empty() {
            self.leaf("mn", &[], digits);
        }
        if let Some(exponent) = exponent {
            if !digits.is_empty() {
                self.sign("×");
            }
            self.element("msup", |markup| {
                markup.leaf("mn", &[], "10");
                markup.leaf("mn", &[], exponent);
            });
        }
    }

    fn text(&mut self, text: &str) {
        self.leaf("mtext", &[], text);
    }

    fn missing(&mut self) {
        self.element("merror", |markup| markup.leaf("mtext", &[], "?"));
    }

    fn symbol(&mut self, symbol: &Symbol<'_>, accent: Option<&str>) {
        let dots = symbol.dots.checked_sub(1).and_then(|more| DOTS.get(more).copied());
        let accents: Vec<&str> = dots.into_iter().chain(accent).collect();
        let attribute = ("data-name", symbol.name);
        if symbol.is_plain() {
            return self.accented(&symbol.base, &accents, &[attribute]);
        }
        self.element_with("msub", &[attribute], |markup| {
            markup.accented(&symbol.base, &accents, &[]);
            markup.element("mrow", |markup| {
                for (gap, part) in symbol.parts() {
                    match gap {
                        Gap::None => {}
                        Gap::Comma => markup.comma(),
                        Gap::Space => markup.leaf("mspace", &[("width", "0.25em")], ""),
                    }
                    markup.part(part);
                }
            });
        });
    }

    fn function(&mut self, callee: &str, word: &str) {
        self.leaf("mi", &[("data-name", callee), ("mathvariant", "normal")], word);
    }

    fn letter(&mut self, callee: &str, letter: &str) {
        self.leaf("mi", &[("data-name", callee)], letter);
    }

    fn upright(&mut self, letter: &str) {
        self.leaf("mi", &[("mathvariant", "normal")], letter);
    }

    fn prefix(&mut self, sign: &str) {
        self.leaf("mo", &[("form", "prefix")], sign);
    }

    fn sign(&mut self, sign: &str) {
        self.leaf("mo", &[], sign);
    }

    fn comma(&mut self) {
        self.leaf("mo", &[("separator", "true")], ",");
    }

    fn times(&mut self, times: Times) {
        let space = match times {
            Times::Letters => "0.1667em",
            Times::Words | Times::Calls => "0.25em",
        };
        self.leaf("mo", &[("lspace", "0"), ("rspace", space)], "\u{2062}");
    }

    fn slash(&mut self) {
        self.leaf("mo", &[("lspace", "0"), ("rspace", "0")], "/");
    }

    fn space(&mut self) {
        self.leaf("mspace", &[("width", "0.1667em")], "");
    }

    fn row(&mut self, content: impl FnOnce(&mut Self)) {
        self.element("mrow", content);
    }

    fn fenced(&mut self, fence: Fence, content: impl FnOnce(&mut Self)) {
        let [opening, closing] = fence.signs();
        self.element("mrow", |markup| {
            markup.leaf("mo", &[("fence", "true"), ("form", "prefix")], opening);
            content(markup);
            markup.leaf("mo", &[("fence", "true"), ("form", "postfix")], closing);
        });
    }

    fn apply(&mut self, arguments: impl FnOnce(&mut Self)) {
        self.sign("\u{2061}");
        self.fenced(Fence::Round, arguments);
    }

    fn fraction(&mut self, above: impl FnOnce(&mut Self), below: impl FnOnce(&mut Self)) {
        self.element("mfrac", |markup| {
            above(markup);
            below(markup);
        });
    }

    fn root(&mut self, content: impl FnOnce(&mut Self)) {
        self.element("msqrt", content);
    }

    fn power(&mut self, base: impl FnOnce(&mut Self), exponent: impl FnOnce(&mut Self)) {
        self.element("msup", |markup| {
            base(markup);
            exponent(markup);
        });
    }

    fn index(&mut self, base: impl FnOnce(&mut Self), index: impl FnOnce(&mut Self)) {
        self.element("msub", |markup| {
            base(markup);
            index(markup);
        });
    }

    fn index_and_power(
        &mut self,
        base: impl FnOnce(&mut Self),
        index: impl FnOnce(&mut Self),
        exponent: impl FnOnce(&mut Self),
    ) {
        self.element("msubsup", |markup| {
            base(markup);
            index(markup);
            exponent(markup);
        });
    }

    fn cases(
        &mut self,
        rows: usize,
        mut value: impl FnMut(&mut Self, usize),
        mut when: impl FnMut(&mut Self, usize),
    ) {
        self.element("mrow", |markup| {
            markup.leaf("mo", &[("fence", "true"), ("form", "prefix"), ("stretchy", "true")], "{");
            markup.element_with("mtable", &[("class", "cases"), ("columnalign", "left")], |markup| {
                for row in 0..rows {
                    markup.element("mtr", |markup| {
                        markup.element("mtd", |markup| value(markup, row));
                        markup.element("mtd", |markup| when(markup, row));
                    });
                }
            });
        });
    }

    fn table(&mut self, rows: usize, columns: usize, mut cell: impl FnMut(&mut Self, usize, usize)) {
        self.fenced(Fence::Square, |markup| {
            markup.element("mtable", |markup| {
                for row in 0..rows {
                    markup.element("mtr", |markup| {
                        for column in 0..columns {
                            markup.element("mtd", |markup| cell(markup, row, column));
                        }
                    });
                }
            });
        });
    }
}
