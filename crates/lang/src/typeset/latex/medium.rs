//! LaTeX as a medium: how it writes what the layout asks for.

use crate::typeset::layout::{Fence, Gap, Medium, Part, Place, Symbol, Times, Written, greek_name};

/// LaTeX being written.
#[derive(Debug, Default)]
pub(super) struct Latex {
    text: String,
    place: Place,
    /// A command has just been written, and a letter would become part of its name.
    after_command: bool,
}

/// Signs and their commands.
const SIGNS: &[(&str, &str)] = &[
    ("−", "-"),
    ("⋅", "\\cdot"),
    ("∗", "\\cdot"),
    ("×", "\\times"),
    ("≠", "\\ne"),
    ("≤", "\\le"),
    ("≥", "\\ge"),
    ("∧", "\\land"),
    ("∨", "\\lor"),
    ("¬", "\\lnot"),
    ("⇔", "\\iff"),
    ("++", "\\mathbin{+\\!\\!+}"),
];

/// Functions that have a command of their own.
const FUNCTIONS: &[&str] =
    &["sin", "cos", "tan", "arcsin", "arccos", "arctan", "ln", "exp", "det", "min", "max"];

/// Commands for one, two and three dots above a letter.
const DOTS: [&str; 3] = ["\\dot", "\\ddot", "\\dddot"];

impl Latex {
    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn verbatim(&mut self, text: &str) {
        self.braced("\\texttt", |latex| latex.escape(text));
    }

    /// Something that is no command.
    fn push(&mut self, text: &str) {
        if self.after_command && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.text.push(' ');
        }
        self.after_command = false;
        self.text.push_str(text);
    }

    fn command(&mut self, command: &str) {
        self.text.push_str(command);
        self.after_command = command.ends_with(|c: char| c.is_ascii_alphabetic());
    }

    fn braced(&mut self, command: &str, content: impl FnOnce(&mut Self)) {
        self.command(command);
        self.push("{");
        content(self);
        self.push("}");
    }

    /// Returns what `content` writes, taken out again.
    fn apart(&mut self, content: impl FnOnce(&mut Self)) -> String {
        let (start, after_command) = (self.text.len(), self.after_command);
        self.after_command = false;
        content(self);
        self.after_command = after_command;
        self.text.split_off(start)
    }

    /// Writes the base of a mark; braces around it if it has one of this kind already, since LaTeX allows
    /// one.
    fn base(&mut self, base: impl FnOnce(&mut Self), mark: char) {
        let base = self.apart(base);
        if base.contains(mark) {
            self.push("{");
            self.push(&base);
            self.push("}");
        } else {
            self.push(&base);
        }
    }

    /// `^2` or `_{ij}`.
    fn mark(&mut self, mark: char, content: impl FnOnce(&mut Self)) {
        let content = self.apart(content);
        let content = content.trim();
        self.text.push(mark);
        self.after_command = false;
        if content.chars().count() == 1 {
            self.text.push_str(content);
        } else {
            self.text.extend(["{", content, "}"]);
        }
    }

    /// A letter, slanted, or a word, upright.
    fn word(&mut self, word: &str) {
        match greek_name(word) {
            Some(name) => {
                self.push("\\");
                self.command(name);
            }
            None if word.chars().count() == 1 => self.escape(word),
            None => self.braced("\\mathrm", |latex| latex.escape(word)),
        }
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '_' | '{' | '}' | '$' | '&' | '#' | '%' => {
                    self.push("\\");
                    self.text.push(c);
                }
                '\\' => self.push("\\backslash{}"),
                '^' => self.push("\\hat{}"),
                '~' => self.push("\\sim{}"),
                '\u{a0}' => self.push("\\ "),
                '−' => self.push("-"),
                '∞' => self.push("\\infty{}"),
                c if c.is_control() => self.push("?"),
                c => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
    }
}

impl Medium for Latex {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    fn number(&mut self, Written { digits, exponent }: &Written) {
        self.escape(digits);
        if let Some(exponent) = exponent {
            if !digits.is_empty() {
                self.sign("×");
            }
            self.push("10");
            self.mark('^', |latex| latex.escape(exponent));
        }
    }

    fn text(&mut self, text: &str) {
        self.braced("\\text", |latex| latex.escape(&text.replace('\u{a0}', " ")));
    }

    fn missing(&mut self) {
        self.text("?");
    }

    fn symbol(&mut self, symbol: &Symbol<'_>, accent: Option<&str>) {
        let dots = symbol.dots.checked_sub(1).and_then(|more| DOTS.get(more).copied());
        let accents: Vec<&str> = accent.map(|_| "\\hat").into_iter().chain(dots).collect();
        for accent in &accents {
            self.command(accent);
            self.push("{");
        }
        self.word(&symbol.base);
        accents.iter().for_each(|_| self.push("}"));
        if symbol.is_plain() {
            return;
        }
        self.mark('_', |latex| {
            for (gap, part) in symbol.parts() {
                match gap {
                    Gap::None => {}
                    Gap::Comma => latex.push(","),
                    Gap::Space => latex.push("\\,"),
                }
                match part {
                    Part::Number(digits) => latex.push(digits),
                    Part::Word(word) => latex.word(word),
                    Part::Indexed(letter, digits) => {
                        latex.word(letter);
                        latex.mark('_', |latex| latex.push(digits));
                    }
                }
            }
        });
    }

    fn function(&mut self, _: &str, word: &str) {
        if FUNCTIONS.contains(&word) {
            self.push("\\");
            self.command(word);
        } else {
            self.braced("\\operatorname", |latex| latex.escape(word));
        }
    }

    fn letter(&mut self, _: &str, letter: &str) {
        self.push(letter);
    }

    fn upright(&mut self, letter: &str) {
        self.braced("\\mathrm", |latex| latex.push(letter));
    }

    fn prefix(&mut self, sign: &str) {
        match SIGNS.iter().find(|(it, _)| *it == sign) {
            Some((_, command)) => self.command(command),
            None => self.push(sign),
        }
    }

    fn sign(&mut self, sign: &str) {
        self.push(" ");
        self.prefix(sign);
        self.push(" ");
    }

    fn comma(&mut self) {
        self.push(", ");
    }

    fn times(&mut self, times: Times) {
        self.push(match times {
            Times::Letters | Times::Calls => " ",
            Times::Words => " \\, ",
        });
    }

    fn slash(&mut self) {
        self.push("/");
    }

    fn space(&mut self) {
        self.push("\\,");
    }

    fn row(&mut self, content: impl FnOnce(&mut Self)) {
        content(self);
    }

    fn fenced(&mut self, fence: Fence, content: impl FnOnce(&mut Self)) {
        let content = self.apart(content);
        let [opening, closing] = match fence {
            Fence::Brace => ["\\{", "\\}"],
            Fence::Norm => ["\\lVert", "\\rVert"],
            Fence::Magnitude => ["\\lvert", "\\rvert"],
            Fence::Floor => ["\\lfloor", "\\rfloor"],
            Fence::Ceiling => ["\\lceil", "\\rceil"],
            Fence::Round | Fence::Square => fence.signs(),
        };
        let grows = ["\\frac", "\\sqrt", "\\begin", "\\left"].iter().any(|tall| content.contains(tall));
        self.push(if grows { "\\left" } else { "" });
        self.command(opening);
        self.push(&content);
        self.push(if grows { "\\right" } else { "" });
        self.command(closing);
    }

    fn apply(&mut self, arguments: impl FnOnce(&mut Self)) {
        self.fenced(Fence::Round, arguments);
    }

    fn fraction(&mut self, above: impl FnOnce(&mut Self), below: impl FnOnce(&mut Self)) {
        self.braced("\\frac", above);
        self.braced("", below);
    }

    fn root(&mut self, content: impl FnOnce(&mut Self)) {
        self.braced("\\sqrt", content);
    }

    fn power(&mut self, base: impl FnOnce(&mut Self), exponent: impl FnOnce(&mut Self)) {
        self.base(base, '^');
        self.mark('^', exponent);
    }

    fn index(&mut self, base: impl FnOnce(&mut Self), index: impl FnOnce(&mut Self)) {
        self.base(base, '_');
        self.mark('_', index);
    }

    fn index_and_power(
        &mut self,
        base: impl FnOnce(&mut Self),
        index: impl FnOnce(&mut Self),
        exponent: impl FnOnce(&mut Self),
    ) {
        let base = self.apart(base);
        let marked = base.contains(['_', '^']);
        self.push(if marked { "{" } else { "" });
        self.push(&base);
        self.push(if marked { "}" } else { "" });
        self.mark('_', index);
        self.mark('^', exponent);
    }

    fn cases(
        &mut self,
        rows: usize,
        mut value: impl FnMut(&mut Self, usize),
        mut when: impl FnMut(&mut Self, usize),
    ) {
        self.push("\\begin{cases} ");
        for row in 0..rows {
            self.push(if row > 0 { " \\\\ " } else { "" });
            value(self, row);
            self.push(" & ");
            when(self, row);
        }
        self.push(" \\end{cases}");
    }

    fn table(&mut self, rows: usize, columns: usize, mut cell: impl FnMut(&mut Self, usize, usize)) {
        self.push("\\begin{bmatrix} ");
        for row in 0..rows {
            self.push(if row > 0 { " \\\\ " } else { "" });
            for column in 0..columns {
                self.push(if column > 0 { " & " } else { "" });
                cell(self, row, column);
            }
        }
        self.push(" \\end{bmatrix}");
    }

    fn one(&mut self, _: bool, content: impl FnOnce(&mut Self)) {
        content(self);
    }
}
