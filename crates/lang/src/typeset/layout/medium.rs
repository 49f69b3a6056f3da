//! Media: the few things that every notation has a way to write.

use super::names::Symbol;
use super::numbers::Written;

/// Position of the next thing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Inside a superscript or subscript, where fractions would be too small to read.
    pub(crate) in_script: bool,
    /// Number of fractions around.
    pub(crate) fractions: u32,
    /// Everything is in one line, fractions too.
    pub(crate) is_line: bool,
}

/// A pair of signs around something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// ( )
    Round,
    /// [ ]
    Square,
    /// { }
    Brace,
    /// ‖ ‖
    Norm,
    /// | |
    Magnitude,
    /// ⌊ ⌋
    Floor,
    /// ⌈ ⌉
    Ceiling,
}

impl Fence {
    /// Its two signs.
    pub(crate) fn signs(self) -> [&'static str; 2] {
        match self {
            Self::Round => ["(", ")"],
            Self::Square => ["[", "]"],
            Self::Brace => ["{", "}"],
            Self::Norm => ["‖", "‖"],
            Self::Magnitude => ["|", "|"],
            Self::Floor => ["⌊", "⌋"],
            Self::Ceiling => ["⌈", "⌉"],
        }
    }
}

/// Sign between two factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    /// Hardly anything, between letters.
    Letters,
    /// A little more, beside words.
    Words,
    /// As much, beside a function with its arguments.
    Calls,
}

/// Something that mathematics is written on. Signs are given as Unicode has them.
pub(crate) trait Medium: Sized {
    /// Position of the next thing.
    fn place(&mut self) -> &mut Place;
    /// A number that is not negative.
    fn number(&mut self, number: &Written);
    /// Words, upright.
    fn text(&mut self, text: &str);
    /// Something that could not be read.
    fn missing(&mut self);
    /// A name, taken apart; `accent` is a sign above its letter.
    fn symbol(&mut self, symbol: &Symbol<'_>, accent: Option<&str>);
    /// The function `callee`, by the word that mathematics has for it.
    fn function(&mut self, callee: &str, word: &str);
    /// A letter that stands for the native `callee`.
    fn letter(&mut self, callee: &str, letter: &str);
    /// The T of a transposed matrix, the d of a differential.
    fn upright(&mut self, letter: &str);
    /// A sign before its operand.
    fn prefix(&mut self, sign: &str);
    /// A sign between its operands.
    fn sign(&mut self, sign: &str);
    /// A comma between things.
    fn comma(&mut self);
    /// A product without a sign.
    fn times(&mut self, times: Times);
    /// A quotient in one line.
    fn slash(&mut self);
    /// A small space.
    fn space(&mut self);
    /// Several things as one.
    fn row(&mut self, content: impl FnOnce(&mut Self));
    /// Something between two signs that grow with it.
    fn fenced(&mut self, fence: Fence, content: impl FnOnce(&mut Self));
    /// The arguments of a function, in parentheses.
    fn apply(&mut self, arguments: impl FnOnce(&mut Self));
    /// A fraction.
    fn fraction(&mut self, above: impl FnOnce(&mut Self), below: impl FnOnce(&mut Self));
    /// A square root.
    fn root(&mut self, content: impl FnOnce(&mut Self));
    /// Something with an exponent.
    fn power(&mut self, base: impl FnOnce(&mut Self), exponent: impl FnOnce(&mut Self));
    /// Something with an index.
    fn index(&mut self, base: impl FnOnce(&mut Self), index: impl FnOnce(&mut Self));
    /// Something with an index and an exponent.
    fn index_and_power(
        &mut self,
        base: impl FnOnce(&mut Self),
        index: impl FnOnce(&mut Self),
        exponent: impl FnOnce(&mut Self),
    );
    /// A brace with so many rows, each written by number: a value, and when it is that.
    fn cases(&mut self, rows: usize, value: impl FnMut(&mut Self, usize), when: impl FnMut(&mut Self, usize));
    /// A table in brackets, its cells written by row and column.
    fn table(&mut self, rows: usize, columns: usize, cell: impl FnMut(&mut Self, usize, usize));

    /// Something that must be one thing here; `is_one` if it is already.
    fn one(&mut self, is_one: bool, content: impl FnOnce(&mut Self)) {
        if is_one { content(self) } else { self.row(content) }
    }

    /// Writes a superscript or subscript.
    fn script(&mut self, content: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.place().in_script, true);
        self.row(content);
        self.place().in_script = outside;
    }

    /// Several things with commas between them.
    fn separated<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.comma();
            }
            write(self, item);
        }
    }
}
