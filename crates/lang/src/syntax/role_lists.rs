//! Two lists in words: the aliases of a context, and to which objects it applies.
//!
//! ```text
//! use n1 as attribute collisionNormal of object with index 0      use g as attribute a of object floor
//! mandatory 1 dynamic sphere and 1 static object                  mandatory 2 dynamic objects and floor
//! ```

use super::cursor::{Parsed, Parser, Stop};
use super::keys::{SHAPES, nearest};
use super::token::Kind;
use super::tree::{Alias, AliasOf, Name, Role, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

const ALIAS: &str =
    "an alias reads `use n1 as attribute collisionNormal of object with index 0`, or `… of object floor`";
const APPLICABILITY: &str = "it reads `mandatory 1 dynamic sphere and 1 static object`, or names an object: `mandatory 1 dynamic object and floor`";

impl Parser<'_> {
    /// `{ use … use … }`.
    pub(crate) fn aliases(&mut self) -> Parsed<Value> {
        let opening = self.bump();
        let mut aliases = Vec::new();
        loop {
            match self.kind() {
                Kind::CloseCurly => {
                    self.bump();
                    return Ok(Value::Aliases(aliases));
                }
                Kind::Comma => {
                    self.bump();
                }
                Kind::End => return Err(self.unclosed(Kind::OpenCurly, opening)),
                _ if self.at_definition_line() => return Err(self.unclosed(Kind::OpenCurly, opening)),
                _ => match self.alias() {
                    Ok(alias) => aliases.push(alias),
                    Err(_) => self.skip_to_alias(),
                },
            }
        }
    }

    fn skip_to_alias(&mut self) {
        while !matches!(self.kind(), Kind::End | Kind::CloseCurly) && !self.at_definition_line() {
            if self.word(0) == Some("use") && self.token(0).opens_line {
                return;
            }
            self.bump();
        }
    }

    fn alias(&mut self) -> Parsed<Alias> {
        let start = self.span();
        self.keyword("use", Code::E125, ALIAS)?;
        let name = self.name_of("the new name", Code::E125, ALIAS)?;
        self.keyword("as", Code::E125, ALIAS)?;
        self.keyword("attribute", Code::E125, ALIAS)?;
        let attribute = self.name_of("the name of an attribute", Code::E125, ALIAS)?;
        self.keyword("of", Code::E125, ALIAS)?;
        self.keyword("object", Code::E125, ALIAS)?;
        let of = if self.word(0) == Some("with") && self.word(1) == Some("index") {
            self.at += 2;
            let (index, span) = self.index_number()?;
            AliasOf::Index(index, span)
        } else {
            AliasOf::Object(self.name_of("`with index`, or the name of an object", Code::E125, ALIAS)?)
        };
        Ok(Alias { name, attribute, of, span: start.to(self.last_span()) })
    }

    fn index_number(&mut self) -> Parsed<(u32, Span)> {
        let (span, met) = (self.span(), self.slice());
        if matches!(met, "O" | "o") {
            self.report(
                Diagnostic::new(Code::E126, span, format!("this is the letter `{met}`, not the number 0"))
                    .help("did you mean `0`?")
                    .edit(span, "0"),
            );
            self.bump();
            return Ok((0, span));
        }
        let Some(index) = self.whole() else {
            self.report(
                Diagnostic::new(Code::E126, span, format!("an index is a whole number, but here is `{met}`"))
                    .help("0 is the object that fills the first role of the context, 1 the second"),
            );
            return Err(Stop::Here);
        };
        self.bump();
        Ok((index, span))
    }

    /// The whole number that stands here.
    fn whole(&self) -> Option<u32> {
        if self.kind() == Kind::Real { self.slice().parse().ok() } else { None }
    }

    fn keyword(&mut self, word: &str, code: Code, help: &str) -> Parsed<()> {
        if self.word(0) == Some(word) {
            self.bump();
            return Ok(());
        }
        let (span, met) = (self.span(), self.slice());
        let met = if self.at_end() { "the end" } else { met };
        let mut diagnostic =
            Diagnostic::new(code, span, format!("`{word}` is expected, but here is `{met}`")).help(help);
        if self.kind() == Kind::Name && nearest(met, &[word]).is_some() {
            diagnostic = diagnostic.edit(span, word);
            self.report(diagnostic);
            self.bump();
            return Ok(());
        }
        self.report(diagnostic);
        Err(Stop::Here)
    }

    fn name_of(&mut self, what: &str, code: Code, help: &str) -> Parsed<Name> {
        if self.kind() == Kind::Name {
            return Ok(self.name());
        }
        let span = self.span();
        let met = if self.at_end() { "the end" } else { self.slice() };
        self.report(
            Diagnostic::new(code, span, format!("{what} is expected, but here is `{met}`")).help(help),
        );
        Err(Stop::Here)
    }

    /// `{ mandatory ITEM and ITEM }`.
    pub(crate) fn applicability(&mut self) -> Parsed<Value> {
        let opening = self.bump();
        let mut roles = Vec::new();
        if self.eat(Kind::CloseCurly).is_some() {
            return Ok(Value::Applicability(roles));
        }
        let result = self.role_list(&mut roles);
        if result.is_err() {
            self.past_brace();
            return Ok(Value::Applicability(roles));
        }
        match self.kind() {
            Kind::CloseCurly => {
                self.bump();
            }
            Kind::End => return Err(self.unclosed(Kind::OpenCurly, opening)),
            _ if self.at_definition_line() => return Err(self.unclosed(Kind::OpenCurly, opening)),
            _ => {
                let (span, met) = (self.span(), self.slice());
                self.report(
                    Diagnostic::new(
                        Code::E127,
                        span,
                        format!("`and` or `}}` is expected, but here is `{met}`"),
                    )
                    .help(APPLICABILITY),
                );
                self.past_brace();
            }
        }
        Ok(Value::Applicability(roles))
    }

    fn role_list(&mut self, roles: &mut Vec<Role>) -> Parsed<()> {
        self.keyword("mandatory", Code::E127, APPLICABILITY)?;
        loop {
            roles.push(self.role()?);
            if matches!(self.kind(), Kind::Comma | Kind::And | Kind::Plus) {
                let (span, met) = (self.span(), self.slice());
                let gap = Span { start: self.last_span().end, ..span };
                self.report(
                    Diagnostic::new(Code::E127, span, format!("`and` is expected, but here is `{met}`"))
                        .help("objects are joined by `and`")
                        .edit(gap, " and"),
                );
            } else if self.word(0) != Some("and") {
                return Ok(());
            }
            self.bump();
        }
    }

    fn role(&mut self) -> Parsed<Role> {
        let start = self.span();
        if self.kind() != Kind::Real {
            return Ok(Role::Object(self.name_of(
                "a number of objects, or the name of one,",
                Code::E127,
                APPLICABILITY,
            )?));
        }
        let Some(count) = self.whole().filter(|&count| count > 0) else {
            let met = self.slice();
            self.report(
                Diagnostic::new(Code::E127, start, format!("`{met}` is not a number of objects"))
                    .help("count with 1, 2, 3, …"),
            );
            return Err(Stop::Here);
        };
        self.bump();
        let physical =
            if matches!(self.word(0), Some("static" | "dynamic")) { Some(self.name()) } else { None };
        let shape = self.shape_name()?;
        Ok(Role::Count { count, physical, shape, span: start.to(self.last_span()) })
    }

    /// A shape in the singular or plural; `None` for `object` and `objects`.
    fn shape_name(&mut self) -> Parsed<Option<Name>> {
        if matches!(self.word(0), Some("object" | "objects")) {
            self.bump();
            return Ok(None);
        }
        let first = self.name_of("a shape, or `object`,", Code::E127, APPLICABILITY)?;
        let mut words = first.text.replace('_', " ");
        let mut span = first.span;
        if matches!(first.text.as_str(), "half" | "convex") {
            if self.kind() == Kind::Minus {
                self.bump();
            }
            if self.kind() == Kind::Name {
                let second = self.name();
                words = format!("{} {}", first.text, second.text);
                span = span.to(second.span);
            }
        }
        let singular = SHAPES.iter().find(|&&shape| {
            words == shape || words.strip_prefix(shape).is_some_and(|ending| matches!(ending, "s" | "es"))
        });
        if let Some(&shape) = singular {
            return Ok(Some(Name { text: shape.to_owned(), span }));
        }
        let meant = if matches!(words.as_str(), "box" | "boxes" | "cube" | "cubes") {
            Some("cuboid")
        } else {
            nearest(&words, SHAPES)
        };
        let diagnostic = Diagnostic::new(Code::E127, span, format!("there is no shape called `{words}`"));
        if matches!(words.as_str(), "ball" | "balls" | "circle" | "circles") {
            self.report(diagnostic.help(format!(
                "a ball is a `sphere`; to mean an object called `{words}`, write its name alone: `mandatory {words}`"
            )));
            return Ok(Some(Name { text: "sphere".to_owned(), span }));
        }
        let Some(meant) = meant else {
            let all = SHAPES.join(", ");
            self.report(diagnostic.help(format!("the shapes are {all}; `object` means any of them; a certain object is named alone, without a number: `mandatory {words}`")));
            return Err(Stop::Here);
        };
        self.report(diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant));
        Ok(Some(Name { text: meant.to_owned(), span }))
    }
}
