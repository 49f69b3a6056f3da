//! Parts of a text outside blocks: definitions, imports and exports, and the inputs of a session.

use super::Dialect;
use super::cursor::{Parsed, Parser, Stop};
use super::token::Kind;
use super::tree::{Definition, Expr, ExprKind, FileName, Item, Name};
use crate::diagnostic::{Code, Diagnostic};

impl Parser<'_> {
    /// The whole text.
    pub(crate) fn items(&mut self, dialect: Dialect) -> Vec<Item> {
        let mut items = Vec::new();
        if dialect == Dialect::Expression {
            items.extend(self.only_expression());
        }
        while !self.at_end() {
            let before = self.at;
            if let Some(item) = self.item(dialect) {
                items.push(item);
            }
            if self.at == before {
                self.bump();
            }
        }
        items
    }

    fn item(&mut self, dialect: Dialect) -> Option<Item> {
        match self.kind() {
            Kind::Import => return self.file_name().map(Item::Import),
            Kind::Export => {
                let item = self.file_name()?;
                if dialect == Dialect::Session {
                    return Some(Item::Export(item));
                }
                self.report(
                    Diagnostic::new(Code::E122, item.span, "`export` belongs to a session, not to a file")
                        .help("type it at the prompt: it writes the functions defined there to a file"),
                );
                return None;
            }
            Kind::Comma | Kind::Semicolon => {
                self.needless_separator();
                return None;
            }
            kind if kind.closes().is_some() => {
                self.too_many_closed();
                self.skip_to_definition();
                return None;
            }
            _ => {}
        }
        match dialect {
            Dialect::Experiment => self.block().map(Item::Block),
            Dialect::Session => self.input(),
            Dialect::Library | Dialect::Expression => self.library_item().map(Item::Definition),
        }
    }

    fn library_item(&mut self) -> Option<Definition> {
        let (span, met) = (self.span(), self.slice());
        match self.kind() {
            Kind::Name => self.definition(),
            Kind::Dollar => {
                self.report(
                    Diagnostic::new(Code::E117, span, "`$` belongs to a session, not to a file")
                        .help("delete it: a file holds definitions")
                        .edit(span, ""),
                );
                self.bump();
                None
            }
            kind if kind.is_word() && self.kind_after(1) == Kind::Equals => {
                self.reserved();
                None
            }
            _ if self.foreign_comment() => None,
            Kind::If if self.at_conditional_law() => {
                self.conditional_law();
                None
            }
            _ => {
                self.report(
                    Diagnostic::new(Code::E117, span, format!("a definition cannot begin with `{met}`"))
                        .help("a definition reads `name = value` or `name(a, b) = value`"),
                );
                self.bump();
                self.skip_to_definition();
                None
            }
        }
    }

    /// A word of the language used as a name.
    fn reserved(&mut self) {
        let (span, met) = (self.span(), self.slice());
        self.report(
            Diagnostic::new(
                Code::E130,
                span,
                format!("`{met}` is a word of the language and cannot be a name"),
            )
            .help(format!("choose another name, for instance `{met}_value`"))
            .edit(span, format!("{met}_value")),
        );
        self.bump();
        self.skip_to_definition();
    }

    /// `$ e`, `e` or a definition.
    fn input(&mut self) -> Option<Item> {
        self.eat(Kind::Dollar);
        if self.kind().is_word() && self.kind_after(1) == Kind::Equals {
            self.reserved();
            return None;
        }
        let is_foreign =
            self.at_compound_assignment() || self.at_declaring_word() || self.derivative().is_some();
        if self.at_definition() || is_foreign {
            return self.definition().map(Item::Definition);
        }
        let start = self.at;
        match self.expression() {
            Ok((value, _)) => {
                if self.kind() == Kind::Equals {
                    self.bad_head(&value);
                    self.skip_to_definition();
                    return None;
                }
                self.finish();
                Some(Item::Evaluate(*value))
            }
            Err(_) => {
                if self.at == start {
                    self.bump();
                }
                self.skip_to_definition();
                None
            }
        }
    }

    /// An expression that looks like the left side of a definition, but is none.
    fn bad_head(&mut self, value: &Expr) {
        let ExprKind::Call { arguments, callee, .. } = &value.kind else { return self.unexpected() };
        let wrong = arguments.iter().find(|argument| !matches!(argument.kind, ExprKind::Name(_)));
        let span = wrong.map_or(value.span, |argument| argument.span);
        self.report(
            Diagnostic::new(Code::E118, span, format!("the parameters of `{}` must be names", callee.text))
                .help("name each parameter, and use the names on the right: `f(x, y) = x + y`"),
        );
    }

    fn only_expression(&mut self) -> Option<Item> {
        match self.expression() {
            Ok((value, _)) => {
                if !self.at_end() {
                    if self.kind().closes().is_some() {
                        self.too_many_closed();
                    } else {
                        self.unexpected();
                    }
                    self.at = self.tokens.len() - 1;
                }
                Some(Item::Evaluate(*value))
            }
            Err(_) => {
                self.at = self.tokens.len() - 1;
                None
            }
        }
    }

    /// `import "f.vfl"`, `export "f.vfl"`.
    fn file_name(&mut self) -> Option<FileName> {
        let word = self.slice();
        let start = self.bump();
        let quoted = self.span();
        if self.eat(Kind::String).is_none() {
            let mut diagnostic =
                Diagnostic::new(Code::E122, start, format!("`{word}` needs the name of a file in quotes"))
                    .help(format!("write `{word} \"functions.vfl\"`"));
            // `import functions.vfl`: the quotes are all that is missing.
            if self.kind() == Kind::Name
                && self.kind_after(1) == Kind::Dot
                && self.kind_after(2) == Kind::Name
            {
                let path = quoted.to(self.span_of(self.token(2)));
                diagnostic = diagnostic.edit(path, format!("\"{}\"", self.text_of(path)));
                self.at += 3;
            } else if self.kind() == Kind::Equals {
                self.at -= 1;
                self.reserved();
                return None;
            } else if self.kind() == Kind::Prime {
                diagnostic = diagnostic.note("quotes are written with `\"`, not with `'`");
                self.skip_to_definition();
            }
            self.report(diagnostic);
            return None;
        }
        let path = self.text_of(quoted).trim_matches(['"', '“', '”', '„', '«', '»']).to_owned();
        Some(FileName { path, span: start.to(quoted), path_span: quoted })
    }

    /// A definition; the current token is its name. `None` if not even its left side can be understood.
    pub(crate) fn definition(&mut self) -> Option<Definition> {
        if let Some(derivative) = self.derivative() {
            return Some(self.derivative_definition(&derivative));
        }
        if self.at_component_law() {
            return Some(self.component_law());
        }
        if self.word(0) == Some("return") && self.kind_after(1).starts_value() {
            self.return_statement();
            return None;
        }
        if self.at_declaring_word() {
            self.declaring_word();
        }
        let is_compound = self.at_compound_assignment();
        let name = self.name();
        if is_compound {
            return Some(self.compound_assignment(name));
        }
        let outer = self.function.replace(name.text.clone());
        let definition = self.definition_of(name);
        self.function = outer;
        definition
    }

    fn definition_of(&mut self, name: Name) -> Option<Definition> {
        if name.text == "VFLangNative" {
            self.report(
                Diagnostic::new(
                    Code::E130,
                    name.span,
                    "`VFLangNative` is a word of the language and cannot be a name",
                )
                .help("choose another name"),
            );
            self.skip_to_definition();
            return None;
        }
        let prime = self.eat(Kind::Prime);
        let is_second = prime.is_some() && self.second_prime(&name);
        let params = match self.parameters() {
            Ok(params) => params,
            Err(_) => {
                self.skip_to_definition();
                return None;
            }
        };
        if self.eat(Kind::Equals).is_none() && !self.other_equals(&name) {
            self.skip_to_definition();
            return None;
        }
        let mut body = match self.expression() {
            Ok((body, _)) => {
                self.finish();
                *body
            }
            Err(_) => {
                let body = Expr { kind: ExprKind::Missing, span: self.last_span().after() };
                self.skip_to_definition();
                body
            }
        };
        if is_second {
            body.kind = ExprKind::Missing;
        }
        let span = name.span.to(body.span);
        Some(Definition { name, prime, params, body, span })
    }

    fn parameters(&mut self) -> Parsed<Vec<Name>> {
        let mut params = Vec::new();
        if self.kind() != Kind::OpenRound {
            return Ok(params);
        }
        let opening = self.bump();
        self.open.push((Kind::OpenRound, opening));
        while self.kind() != Kind::CloseRound {
            if self.kind() != Kind::Name {
                if self.at_end() || self.kind() == Kind::Equals {
                    return self.close().map(|_| params);
                }
                let (span, met) = (self.span(), self.slice());
                self.report(
                    Diagnostic::new(
                        Code::E118,
                        span,
                        format!("a parameter must be a name, but here is `{met}`"),
                    )
                    .help("name each parameter, and use the names on the right: `f(x, y) = x + y`"),
                );
                self.open.pop();
                return Err(Stop::Definition);
            }
            params.push(self.name());
            match self.kind() {
                Kind::Comma => {
                    self.bump();
                }
                Kind::Name if !self.at_definition_line() => {
                    self.missing_comma();
                }
                _ => break,
            }
        }
        if self.kind() != Kind::CloseRound
            && !matches!(self.kind(), Kind::Equals | Kind::End)
            && self.kind().closes().is_none()
        {
            let (span, met) = (self.span(), self.slice());
            self.report(
                Diagnostic::new(Code::E118, span, format!("`{met}` does not belong between parameters"))
                    .help("parameters are names with commas between them: `f(x, y) = x + y`"),
            );
            self.open.pop();
            return Err(Stop::Definition);
        }
        self.close()?;
        Ok(params)
    }

    /// `==` or another sign where `=` belongs. Whether the right side can be read.
    fn other_equals(&mut self, name: &Name) -> bool {
        let span = self.span();
        let starts = self.kind_after(1).starts_value() || self.kind_after(1) == Kind::Minus;
        if self.kind() == Kind::Colon && starts {
            self.report(
                Diagnostic::new(
                    Code::E118,
                    span,
                    format!("`{}` is defined with `=`, not with `:`", name.text),
                )
                .help("a definition reads `name = value`")
                .edit(span, " ="),
            );
            self.bump();
            return true;
        }
        if let Some(arrow) = self.arrow(0) {
            let diagnostic = self.explain_arrow(arrow);
            self.report(diagnostic);
            self.bump();
            self.bump();
            return true;
        }
        if self.kind() == Kind::Equal {
            self.report(
                Diagnostic::new(Code::E106, span, "`==` compares; a definition is written with `=`")
                    .help("write `=`")
                    .edit(span, "="),
            );
            self.bump();
            return true;
        }
        let here = self.last_span().after();
        self.report(
            Diagnostic::new(Code::E118, here, format!("`=` is missing in the definition of `{}`", name.text))
                .label("`=` is expected here")
                .help("a definition reads `name = value` or `name(a, b) = value`"),
        );
        false
    }

    /// Makes sure that a definition or input ends here; otherwise says what is wrong and passes over the
    /// rest.
    pub(crate) fn finish(&mut self) {
        match self.kind() {
            Kind::End | Kind::Dollar | Kind::Import | Kind::Export => return,
            Kind::CloseCurly if self.in_braces => return,
            Kind::Comma if self.in_braces => return,
            Kind::Comma | Kind::Semicolon => return self.needless_separator(),
            _ if self.at_definition() || self.at_broken_definition() => return,
            Kind::Name if self.in_braces && self.at_block() => return,
            kind if kind.closes().is_some() => {
                if !self.is_owed() {
                    self.too_many_closed();
                }
            }
            _ => self.unexpected(),
        }
        self.skip_to_definition();
    }
}
