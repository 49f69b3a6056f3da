//! Expressions: every name, call and operator of a right side with its meaning.

use super::laws::Role;
use super::mistakes::decimal_commas;
use super::names::Meaning;
use super::resolve::{ERRONEOUS, Frame, Origin, Resolver};
use super::{Binding, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::{Expr, ExprKind, Phase};
use crate::source::Span;
use crate::syntax::tree::{self, Binary, Definition};

/// Name that an expression asks for, with arguments if there are parentheses.
struct Asked<'t> {
    name: &'t str,
    /// Place of the name.
    span: Span,
    /// Place of the whole call.
    whole: Span,
    arguments: Option<Vec<Expr>>,
    /// Commas between arguments that may be decimal commas.
    commas: Vec<Span>,
}

impl<'a> Resolver<'a> {
    /// The expression with its meaning. Expressions are tall, so this only says who does it: the less it
    /// holds itself, the less stack there is on the way down.
    pub(super) fn expr(&mut self, expr: &'a tree::Expr, frame: &mut Frame<'a>) -> Expr {
        Expr { kind: self.kind_of(expr, frame), span: expr.span }
    }

    fn kind_of(&mut self, expr: &'a tree::Expr, frame: &mut Frame<'a>) -> ExprKind {
        match &expr.kind {
            tree::ExprKind::Real(real) => ExprKind::Real(*real),
            tree::ExprKind::Bool(truth) => ExprKind::Bool(*truth),
            tree::ExprKind::Name(name) => self.bare(name, expr.span, frame),
            tree::ExprKind::Call { callee, native, arguments } => {
                self.call(callee, *native, arguments, expr.span, frame)
            }
            tree::ExprKind::Unary { operator, operand, .. } => {
                ExprKind::Unary(*operator, self.boxed(operand, frame))
            }
            tree::ExprKind::Binary { operator, operator_span, left, right } => {
                self.binary(*operator, *operator_span, left, right, frame)
            }
            tree::ExprKind::If { condition, then, otherwise } => ExprKind::If(
                self.boxed(condition, frame),
                self.boxed(then, frame),
                self.boxed(otherwise, frame),
            ),
            tree::ExprKind::Vector(elements) => ExprKind::Vector(self.several(elements, frame)),
            tree::ExprKind::Sequence(elements) => ExprKind::Sequence(self.several(elements, frame)),
            // The parentheses have done their work, but messages underline them too.
            tree::ExprKind::Group(inner) => self.kind_of(inner, frame),
            tree::ExprKind::Missing => {
                self.incomplete = true;
                ERRONEOUS
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        sign: Span,
        left: &'a tree::Expr,
        right: &'a tree::Expr,
        frame: &mut Frame<'a>,
    ) -> ExprKind {
        if operator == Binary::Dot
            && let Some(explained) = self.dotted(left, sign, right, frame)
        {
            return explained;
        }
        let left = self.boxed(left, frame);
        let outer = std::mem::replace(&mut self.after_hash, operator == Binary::Element);
        let right = self.boxed(right, frame);
        self.after_hash = outer;
        ExprKind::Binary(operator, sign, left, right)
    }

    fn boxed(&mut self, expr: &'a tree::Expr, frame: &mut Frame<'a>) -> Box<Expr> {
        Box::new(self.expr(expr, frame))
    }

    /// A name without parentheses.
    fn bare(&mut self, name: &str, span: Span, frame: &mut Frame<'a>) -> ExprKind {
        self.name(Asked { name, span, whole: span, arguments: None, commas: Vec::new() }, frame)
    }

    fn several(&mut self, exprs: &'a [tree::Expr], frame: &mut Frame<'a>) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr, frame)).collect()
    }

    fn call(
        &mut self,
        callee: &'a tree::Name,
        native: bool,
        arguments: &'a [tree::Expr],
        whole: Span,
        frame: &mut Frame<'a>,
    ) -> ExprKind {
        let name = callee.text.as_str();
        let is_own = frame.param(name).is_some();
        if name == "previous" && !native && !is_own && self.names.meaning(name, frame.in_library).is_none() {
            return self.previous(arguments, whole, frame);
        }
        let commas = decimal_commas::commas(arguments).into_iter().map(|(comma, ..)| comma).collect();
        let arguments = Some(self.several(arguments, frame));
        let asked = Asked { name, span: callee.span, whole, arguments, commas };
        if !native {
            return self.name(asked, frame);
        }
        if self.names.native(name).is_some() {
            return self.native(asked);
        }
        let diagnostic =
            Diagnostic::new(Code::E205, callee.span, format!("there is no native called `{name}`"))
                .label("after `VFLangNative.` stands the name of a native");
        self.report(match self.names.similar_native(name) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(callee.span, meant),
            None => diagnostic.help(format!("for a function of your own write `{name}` alone")),
        })
    }

    /// A name, by the order of the language: parameter, function, attribute, imported function, native.
    fn name(&mut self, asked: Asked<'_>, frame: &mut Frame<'a>) -> ExprKind {
        if let Some(index) = frame.param(asked.name) {
            frame.used[index] = true;
            return match asked.arguments {
                None => ExprKind::Param(u32::try_from(index).expect("texts are bounded below 2^32 bytes")),
                Some(_) => {
                    let declared = frame.params[index].span;
                    self.report(not_a_function(&asked, "a parameter").also(declared, "the parameter"))
                }
            };
        }
        match self.names.meaning(asked.name, frame.in_library) {
            Some(Meaning::Function(index)) => match self.names.variable(asked.name) {
                // Laws may be called `v()`: a law is a function without parameters.
                Some(variable) if self.laws.roles[index] != Role::Helper => {
                    let empty = asked.arguments.as_ref().is_some_and(Vec::is_empty);
                    let arguments = if empty { None } else { asked.arguments };
                    self.variable(variable, Asked { arguments, ..asked }, frame)
                }
                // It was meant to be something else, and that has been said.
                None if self.laws.roles[index] == Role::Wrong => {
                    self.incomplete = true;
                    ERRONEOUS
                }
                _ => self.function_call(Origin::Own(index), asked, frame),
            },
            Some(Meaning::Variable(variable)) => self.variable(variable, asked, frame),
            Some(Meaning::Library(index)) => self.function_call(Origin::Imported(index), asked, frame),
            Some(Meaning::Native(_)) => self.native(asked),
            None if asked.name == "previous" => self.report(previous_of_nothing(asked.whole)),
            None => {
                self.unknown(asked.name, asked.span, frame);
                ERRONEOUS
            }
        }
    }

    fn function_call(&mut self, origin: Origin, asked: Asked<'_>, frame: &Frame<'_>) -> ExprKind {
        let definition = match origin {
            Origin::Own(index) => &self.definitions[index],
            Origin::Imported(index) => &self.imported[index],
        };
        let wanted = definition.params.len();
        match asked.arguments {
            None if wanted > 0 => self.report(without_arguments(&asked, definition)),
            Some(ref given) if given.len() != wanted => {
                let signature = signature(definition);
                let diagnostic = wrong_number(&asked, wanted, given.len(), &signature);
                self.report(diagnostic.also(definition.name.span, format!("defined as `{signature}`")))
            }
            arguments => {
                let id = self.request(origin, frame.phase);
                ExprKind::Call(id, arguments.unwrap_or_default())
            }
        }
    }

    fn native(&mut self, asked: Asked<'_>) -> ExprKind {
        let Some(native) = self.names.native(asked.name) else { return ERRONEOUS };
        let params = native.entry().params;
        let given = asked.arguments.as_ref().map_or(0, Vec::len);
        if given != params.len() {
            let signature = written(asked.name, params);
            let diagnostic = wrong_number(&asked, params.len(), given, &signature);
            let is_of_collision = asked.name == "normal" && asked.arguments.is_none();
            return self.report(if is_of_collision && self.names.variable("collisionNormal").is_some() {
                diagnostic
                    .help("`normal(seed, k)` is a number by chance; the normal of a collision is `collisionNormal`")
                    .edit(asked.span, "collisionNormal")
            } else {
                diagnostic
            });
        }
        ExprKind::Native(native, asked.arguments.unwrap_or_default())
    }

    /// The name of an attribute, alias or given value.
    fn variable(&mut self, variable: usize, asked: Asked<'_>, frame: &Frame<'_>) -> ExprKind {
        self.used_variables.insert(variable);
        if asked.arguments.is_some() {
            return self.report(not_a_function(&asked, "an attribute"));
        }
        let variable = self.laws.same[variable];
        let is_of_context = matches!(self.scope.variables[variable].binding, Binding::Context { .. });
        let kind = self.kind(variable);
        if let (Some(law), false) = (self.laws.law[variable], kind == VariableKind::Given) {
            let is_computed = match frame.phase {
                Phase::Laws => kind == VariableKind::Attribute,
                Phase::Start => is_of_context,
            };
            if is_computed {
                return ExprKind::Call(self.request(Origin::Own(law), frame.phase), Vec::new());
            }
        } else if is_of_context && self.laws.rate[variable].is_none() && kind != VariableKind::Given {
            // A definition of this name that is no law has been reported.
            if matches!(self.names.meaning(asked.name, frame.in_library), Some(Meaning::Function(_))) {
                self.incomplete = true;
                return ERRONEOUS;
            }
            let message = format!("`{}` is read, but nothing gives it a value", asked.name);
            let mut diagnostic =
                Diagnostic::new(Code::E409, asked.span, message).label("read here").help(format!(
                    "an attribute of the context is born without a value: give it a law, `{} = …`",
                    asked.name
                ));
            if let Some(declared) = self.scope.variables[variable].declared {
                diagnostic = diagnostic.also(declared, "declared here");
            }
            self.incomplete = true;
            // Once for each attribute, however often it is read.
            if self.valueless.insert(asked.name.to_owned()) {
                self.diagnostics.push(diagnostic);
            }
            return ERRONEOUS;
        }
        ExprKind::Input(self.input(variable, false))
    }

    /// `previous(x)`: the value of an attribute at the last completed frame or event.
    fn previous(&mut self, arguments: &'a [tree::Expr], whole: Span, frame: &mut Frame<'a>) -> ExprKind {
        let [argument] = arguments else { return self.report(previous_of_nothing(whole)) };
        let mut inner = argument;
        while let tree::ExprKind::Group(group) = &inner.kind {
            inner = group;
        }
        let diagnostic = match &inner.kind {
            tree::ExprKind::Missing => {
                self.incomplete = true;
                return ERRONEOUS;
            }
            _ if frame.in_library => {
                Diagnostic::new(Code::E208, whole, "an imported function has no previous values")
                    .label("attributes are not seen here")
                    .help("give the function a parameter, and pass `previous(x)` where it is called")
            }
            tree::ExprKind::Name(name) => match self.names.variable(name) {
                _ if frame.param(name).is_some() => only_attributes(
                    argument.span,
                    format!("`{name}` is a parameter, it has no previous value"),
                ),
                Some(variable) => {
                    self.used_variables.insert(variable);
                    let variable = self.laws.same[variable];
                    if !matches!(self.scope.variables[variable].binding, Binding::Engine { .. }) {
                        return ExprKind::Input(self.input(variable, true));
                    }
                    only_attributes(
                        argument.span,
                        format!("`{name}` is computed anew by the engine, its previous value is not kept"),
                    )
                }
                None if self.scope.hints.ambiguous && self.names.needs_alias(name, inner.span).is_some() => {
                    self.unknown(name, inner.span, frame);
                    return ERRONEOUS;
                }
                None if self.names.meaning(name, frame.in_library).is_some() => only_attributes(
                    argument.span,
                    format!("`{name}` is a function, its previous value is not kept"),
                ),
                None => {
                    self.unknown(name, inner.span, frame);
                    return ERRONEOUS;
                }
            },
            tree::ExprKind::Binary { operator: Binary::Dot, operator_span, left, right } => {
                match self.dotted(left, *operator_span, right, frame) {
                    Some(explained) => return explained,
                    None => not_a_name(argument.span),
                }
            }
            _ => not_a_name(argument.span),
        };
        self.report(diagnostic)
    }
}

fn not_a_name(span: Span) -> Diagnostic {
    only_attributes(span, "`previous` needs the name of an attribute".to_owned())
}

fn only_attributes(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::E208, span, message)
        .label("not an attribute")
        .help("only attributes are kept from one moment to the next: make it an attribute, and give it a law")
}

fn previous_of_nothing(whole: Span) -> Diagnostic {
    Diagnostic::new(Code::E208, whole, "`previous` needs the name of one attribute")
        .help("write `previous(x)` for the value that the attribute `x` had at the last moment")
}

fn not_a_function(asked: &Asked<'_>, what: &str) -> Diagnostic {
    let name = asked.name;
    let first = asked.arguments.iter().flatten().next().map(|argument| argument.span);
    let diagnostic = Diagnostic::new(Code::E204, asked.whole, format!("`{name}` is {what}, not a function"))
        .label("called like a function");
    match first {
        Some(_) => diagnostic
            .help(format!("for a product write `{name} * (…)`; for an element of a vector, `{name} # 1`")),
        None => diagnostic.help(format!("write `{name}` without parentheses")).edit(asked.whole, name),
    }
}

fn without_arguments(asked: &Asked<'_>, definition: &Definition) -> Diagnostic {
    let signature = signature(definition);
    Diagnostic::new(Code::E203, asked.span, format!("`{}` is a function and needs its arguments", asked.name))
        .label(format!("write `{signature}` with values for its parameters"))
        .also(definition.name.span, format!("defined as `{signature}`"))
        .help("functions are not values: a function is always called")
}

fn wrong_number(asked: &Asked<'_>, wanted: usize, given: usize, signature: &str) -> Diagnostic {
    let takes = match wanted {
        0 => "takes no arguments".to_owned(),
        1 => "takes one argument".to_owned(),
        n => format!("takes {n} arguments"),
    };
    let gets = match given {
        0 => "none is given".to_owned(),
        1 => "one is given".to_owned(),
        n => format!("{n} are given"),
    };
    let diagnostic =
        Diagnostic::new(Code::E202, asked.whole, format!("`{}` {takes}, but {gets}", asked.name))
            .label("called here")
            .help(format!("call it as `{signature}`"));
    match &asked.commas[..] {
        [comma] if given == wanted + 1 => diagnostic
            .also(*comma, "a decimal comma?")
            .help("a decimal number is written with a point; a comma separates arguments")
            .edit(*comma, "."),
        _ => diagnostic,
    }
}

/// Maximum number of parameters that a message lists.
pub(super) const MOST_PARAMS: usize = 16;

/// `f(x, y)`, as it is defined.
fn signature(definition: &Definition) -> String {
    let params: Vec<&str> = definition.params.iter().map(|param| param.text.as_str()).collect();
    written(&definition.name.text, &params)
}

fn written(name: &str, params: &[&str]) -> String {
    match params {
        [] => name.to_owned(),
        [first @ .., _] if params.len() > MOST_PARAMS => {
            format!("{name}({}, …)", first[..MOST_PARAMS - 1].join(", "))
        }
        _ => format!("{name}({})", params.join(", ")),
    }
}
