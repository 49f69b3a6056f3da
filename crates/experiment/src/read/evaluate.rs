//! The values of expressions outside laws: initial values, durations, directions.
//!
//! They are computed once, by the evaluator, from numbers, natives, imported functions and the attributes
//! that come before them.

use crate::object::attribute::Attribute;
use gedanken_lang::check::{Library, check_expression};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind, Name};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::Cancel;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Evaluates expressions that name numbers, natives, imported functions and attributes.
#[derive(Clone)]
pub(crate) struct Evaluator {
    /// Names of the imported functions.
    imported: BTreeSet<String>,
    /// The library, and an attribute each: found by name like functions without parameters.
    definitions: Vec<Definition>,
    /// Attributes with the name of an imported function. They stand in for the name in the expression itself;
    /// functions of the library go on to mean their own.
    hidden: Vec<(String, Value)>,
    /// Attributes whose value is a mistake that has been reported: whatever needs one of them says nothing
    /// more.
    failed: Vec<String>,
    cancel: Cancel,
}

impl Evaluator {
    /// An evaluator that knows the library and the world; `failed` are attributes of the world whose value is
    /// a mistake that has been reported.
    pub(crate) fn new(library: &Library, world: &[Attribute], failed: &[String], cancel: &Cancel) -> Self {
        let definitions = library.definitions.clone();
        let imported = definitions.iter().map(|it| it.name.text.clone()).collect();
        let (hidden, failed, cancel) = (Vec::new(), failed.to_vec(), cancel.clone());
        let mut evaluator = Self { imported, definitions, hidden, failed, cancel };
        for attribute in world {
            evaluator.add(&attribute.name, &attribute.value, attribute.span);
        }
        evaluator
    }

    /// From now on `name` is something whose value is a mistake that has been reported.
    pub(crate) fn fail(&mut self, name: &str) {
        self.failed.push(name.to_owned());
    }

    /// From now on `name` has this value.
    pub(crate) fn add(&mut self, name: &str, value: &Value, span: Span) {
        self.failed.retain(|failed| failed != name);
        if self.imported.contains(name) {
            self.hidden.retain(|(known, _)| known != name);
            self.hidden.push((name.to_owned(), value.clone()));
            return;
        }
        self.definitions.retain(|definition| definition.name.text != name);
        self.definitions.push(Definition {
            name: Name { text: name.to_owned(), span },
            prime: None,
            params: Vec::new(),
            body: literal(value, span),
            span,
        });
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// Mistakes in the expression; empty if they have been reported before, or if reading was cancelled.
    pub(crate) fn value(&self, expression: &Expr) -> Result<Value, Vec<Diagnostic>> {
        if self.cancel.is_asked() || (!self.failed.is_empty() && self.needs_failed(expression)) {
            return Err(Vec::new());
        }
        let mut expression = expression.clone();
        if !self.hidden.is_empty() {
            self.substitute(&mut expression);
        }
        let (program, id) = check_expression(&expression, &self.definitions)?;
        let mut machine = Machine::new(Arc::new(compile(&program)), Limits::until(&self.cancel));
        machine.start(Vec::new());
        machine.get(id).map_err(|fault| vec![fault.diagnostic()])
    }

    /// Returns `true` if an expression names something without a value. Recursion is bounded by the height of
    /// expressions.
    fn needs_failed(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.failed.contains(name),
            ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => false,
            ExprKind::Call { arguments: several, .. }
            | ExprKind::Vector(several)
            | ExprKind::Sequence(several) => several.iter().any(|one| self.needs_failed(one)),
            ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => self.needs_failed(one),
            ExprKind::Binary { left, right, .. } => self.needs_failed(left) || self.needs_failed(right),
            ExprKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().any(|one| self.needs_failed(one))
            }
        }
    }

    /// Puts values in the place of names that the library has too.
    fn substitute(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if let Some((_, value)) = self.hidden.iter().find(|(hidden, _)| hidden == name) {
                    expr.kind = literal(value, expr.span).kind;
                }
            }
            ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
            ExprKind::Call { arguments: several, .. }
            | ExprKind::Vector(several)
            | ExprKind::Sequence(several) => several.iter_mut().for_each(|one| self.substitute(one)),
            ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => self.substitute(one),
            ExprKind::Binary { left, right, .. } => {
                self.substitute(left);
                self.substitute(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.substitute(condition);
                self.substitute(then);
                self.substitute(otherwise);
            }
        }
    }
}

/// The expression that has this value.
fn literal(value: &Value, span: Span) -> Expr {
    let real = |real: &f64| Expr { kind: ExprKind::Real(*real), span };
    let kind = match value {
        Value::Real(real) => ExprKind::Real(*real),
        Value::Bool(truth) => ExprKind::Bool(*truth),
        Value::Vector(elements) => ExprKind::Vector(elements.iter().map(real).collect()),
        Value::Matrix(matrix) => {
            let row = |row| Expr { kind: ExprKind::Vector(matrix.row(row).iter().map(real).collect()), span };
            ExprKind::Vector((0..matrix.rows).map(row).collect())
        }
        Value::Sequence(items) => ExprKind::Sequence(items.iter().map(|item| literal(item, span)).collect()),
    };
    Expr { kind, span }
}
