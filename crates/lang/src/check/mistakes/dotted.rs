//! Dots that are meant to lead to a part of something: `v.x`, `ball.v`.
//!
//! A dot is the inner product. It is taken for something else only if what stands beside it means nothing as a
//! value, and touches it.

use super::super::resolve::{ERRONEOUS, Frame, Resolver};
use super::super::{Binding, NamedObject};
use super::other_notations::{component, is_module, without_module};
use super::similar::guess;
use crate::diagnostic::{Code, Diagnostic};
use crate::program::ExprKind;
use crate::source::Span;
use crate::syntax::tree::{self, Binary};

impl<'a> Resolver<'a> {
    /// Explains an inner product that is none, or gives `None`.
    pub(crate) fn dotted(
        &mut self,
        left: &'a tree::Expr,
        dot: Span,
        right: &'a tree::Expr,
        frame: &mut Frame<'a>,
    ) -> Option<ExprKind> {
        if let Some(diagnostic) = self.module(left, dot, right, frame) {
            return Some(self.report(diagnostic));
        }
        let (part, part_span) = first_name(right).filter(|(_, span)| span.start == dot.end)?;
        if left.span.end != dot.start {
            return None;
        }
        let is_itself = |owner: &&str| ["self", "this"].contains(owner) && !self.has_meaning(owner, frame);
        if let Some(owner) = last_name(left).filter(is_itself) {
            let place = Span {
                start: dot.start.saturating_sub(u32::try_from(owner.len()).unwrap_or(0)),
                ..dot.to(part_span)
            };
            let message = format!("an object does not name itself: `{owner}.{part}`");
            let diagnostic = Diagnostic::new(Code::E213, place, message)
                .label("the dot is the inner product of two vectors")
                .help(format!("write `{part}` alone: it means that of the object that the law is for"))
                .edit(place, part.to_owned());
            return Some(self.report(diagnostic));
        }
        let owner = last_name(left).filter(|owner| self.is_object(owner, frame));
        if let Some(owner) = owner {
            let whole = dot.to(part_span);
            let start = whole.start.saturating_sub(u32::try_from(owner.len()).unwrap_or(0));
            let diagnostic = self.attribute_behind_dot(owner, part, Span { start, ..whole });
            return Some(self.report(diagnostic));
        }
        let number = component(part).filter(|_| !self.has_meaning(part, frame))?;
        // What stands before the dot may have mistakes of its own.
        self.expr(left, frame);
        let span = dot.to(part_span);
        let diagnostic = Diagnostic::new(Code::E212, span, format!("a vector has no component `{part}`"))
            .label("the dot is the inner product of two vectors")
            .help(format!("write `# {number}`: elements are counted, x is the first"))
            .edit(span, format!(" # {number}"));
        self.report(diagnostic);
        Some(ERRONEOUS)
    }

    /// Explains a function of a module: `np.sin(t)`.
    fn module(
        &self,
        left: &tree::Expr,
        dot: Span,
        right: &tree::Expr,
        frame: &Frame<'_>,
    ) -> Option<Diagnostic> {
        let module = last_name(left).filter(|it| is_module(it) && !self.has_meaning(it, frame))?;
        let (part, span) = first_called(right).or_else(|| first_name(right))?;
        if left.span.end != dot.start || dot.end != span.start {
            return None;
        }
        let start = dot.start.saturating_sub(u32::try_from(module.len()).unwrap_or(0));
        let (place, ours) = (Span { start, ..span }, without_module(part));
        let message = format!("functions are in no modules here: `{module}.{part}`");
        Some(
            Diagnostic::new(Code::E215, place, message)
                .label("the dot is the inner product of two vectors")
                .help(format!("write `{ours}`"))
                .edit(place, ours),
        )
    }

    fn has_meaning(&self, name: &str, frame: &Frame<'_>) -> bool {
        frame.param(name).is_some() || self.names.meaning(name, frame.in_library).is_some()
    }

    /// Returns `true` if the name is that of an object, and of nothing that has a value. A native without its
    /// arguments has none: `floor.friction`.
    fn is_object(&self, name: &str, frame: &Frame<'_>) -> bool {
        let is_value = frame.param(name).is_some()
            || self.names.variable(name).is_some()
            || self.names.is_function(name, frame.in_library);
        !is_value && !frame.in_library && self.object(name).is_some()
    }

    fn object(&self, name: &str) -> Option<&'a NamedObject> {
        self.scope.hints.named.iter().find(|object| object.name == name)
    }

    fn attribute_behind_dot(&self, owner: &str, part: &str, place: Span) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            Code::E213,
            place,
            format!("a dot does not lead to the attribute of an object: `{owner}.{part}`"),
        )
        .label("the dot is the inner product of two vectors");
        let attributes = self.object(owner).map_or(&[][..], |object| &object.object.attributes);
        let has = |name: &str| attributes.iter().any(|(attribute, _)| attribute == name);
        let is_named = |binding: &Binding| matches!(binding, Binding::Named { object, attribute } if object == owner && attribute == part);
        if let Some(alias) = self.scope.variables.iter().find(|variable| is_named(&variable.binding)) {
            return diagnostic
                .help(format!("write `{}`, which `aliases` declares", alias.name))
                .edit(place, alias.name.clone());
        }
        let synonym = |name: &str| {
            self.object(owner).is_some_and(|it| it.object.synonyms.iter().any(|(other, _)| other == name))
        };
        if !has(part) && !synonym(part) {
            let meant = guess(self.diagnostics.len(), part, attributes.iter().map(|(name, _)| name.as_str()));
            let hint = meant.map_or(String::new(), |meant| format!(": did you mean `{meant}`?"));
            return diagnostic.help(format!("`{owner}` has no attribute `{part}`{hint}"));
        }
        let line = format!("use {owner}_{part} as attribute {part} of object {owner}");
        let alias = format!("declare `{line}` in `aliases` and write `{owner}_{part}`");
        diagnostic.help(if self.names.variable(part).is_some() {
            format!("write `{part}` alone for the object that the law is for; for `{owner}` itself, whatever the law is for, {alias}")
        } else {
            alias
        })
    }
}

/// The name that an expression begins with, if it is not called.
fn first_name(expr: &tree::Expr) -> Option<(&str, Span)> {
    match &expr.kind {
        tree::ExprKind::Name(name) => Some((name, expr.span)),
        tree::ExprKind::Binary { left, .. } => first_name(left),
        _ => None,
    }
}

/// The function that an expression begins with a call of.
fn first_called(expr: &tree::Expr) -> Option<(&str, Span)> {
    match &expr.kind {
        tree::ExprKind::Call { callee, .. } => Some((&callee.text, callee.span)),
        tree::ExprKind::Binary { left, .. } => first_called(left),
        _ => None,
    }
}

/// The name that an expression ends with.
fn last_name(expr: &tree::Expr) -> Option<&str> {
    match &expr.kind {
        tree::ExprKind::Name(name) => Some(name),
        tree::ExprKind::Binary { right, operator, .. } if *operator != Binary::Element => last_name(right),
        tree::ExprKind::Unary { operand, .. } => last_name(operand),
        _ => None,
    }
}
