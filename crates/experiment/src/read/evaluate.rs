//! The values of expressions outside laws: initial values, durations, directions.
//!
//! They are computed once, by the evaluator, from numbers, natives, imported functions and the attributes
//! that come before them.

use crate::object::attribute::Attribute;
use gedanken_lang::check::{Library, check_expression};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind, Name};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::Cancel;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of expressions with unknown names for which all names are looked through for one that was
/// meant.
const MOST_GUESSES: usize = 20;

/// Evaluates expressions that name numbers, natives, imported functions and attributes. A clone costs as much as
/// the attributes that were added to it: the library and the world are shared.
#[derive(Clone)]
pub(crate) struct Evaluator {
    imported: Rc<Imported>,
    world: Rc<Attributes>,
    /// Attributes that were added; they hide those of the world.
    own: Attributes,
    /// Number of expressions that unknown names were guessed for, together with all clones.
    guesses: Rc<Cell<usize>>,
    cancel: Cancel,
}

/// The functions of the library.
struct Imported {
    definitions: Vec<Definition>,
    /// Index of the last one of each name.
    by_name: HashMap<String, usize>,
}

/// Attributes in the order in which they were added.
#[derive(Clone, Default)]
struct Attributes {
    /// `None` for a value that is a mistake which has been reported: whatever needs it says nothing more.
    values: Vec<(String, Option<(Value, Span)>)>,
    /// Index of the last one of each name.
    by_name: HashMap<String, usize>,
}

impl Attributes {
    fn set(&mut self, name: &str, value: Option<(Value, Span)>) {
        self.by_name.insert(name.to_owned(), self.values.len());
        self.values.push((name.to_owned(), value));
    }

    fn get(&self, name: &str) -> Option<&Option<(Value, Span)>> {
        self.by_name.get(name).map(|&index| &self.values[index].1)
    }

    /// The last ones of each name, in their order.
    fn all(&self) -> impl Iterator<Item = (&String, &Option<(Value, Span)>)> {
        let is_last = |(index, (name, _)): &(usize, &(String, _))| self.by_name.get(name) == Some(index);
        self.values.iter().enumerate().filter(is_last).map(|(_, (name, value))| (name, value))
    }
}

impl Evaluator {
    /// An evaluator that knows the library and the world; `failed` are attributes of the world whose value is
    /// a mistake that has been reported.
    pub(crate) fn new(library: &Library, world: &[Attribute], failed: &[String], cancel: &Cancel) -> Self {
        let definitions = library.definitions.clone();
        let names = definitions.iter().enumerate().map(|(index, it)| (it.name.text.clone(), index));
        let imported = Rc::new(Imported { by_name: names.collect(), definitions });
        let mut attributes = Attributes::default();
        for name in failed {
            attributes.set(name, None);
        }
        for attribute in world {
            attributes.set(&attribute.name, Some((attribute.value.clone(), attribute.span)));
        }
        let (world, own, guesses) = (Rc::new(attributes), Attributes::default(), Rc::default());
        Self { imported, world, own, guesses, cancel: cancel.clone() }
    }

    /// From now on `name` is something whose value is a mistake that has been reported.
    pub(crate) fn fail(&mut self, name: &str) {
        self.own.set(name, None);
    }

    /// From now on `name` has this value.
    pub(crate) fn add(&mut self, name: &str, value: &Value, span: Span) {
        self.own.set(name, Some((value.clone(), span)));
    }

    fn attribute(&self, name: &str) -> Option<&Option<(Value, Span)>> {
        self.own.get(name).or_else(|| self.world.get(name))
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// Mistakes in the expression; empty if they have been reported before, or if reading was cancelled.
    pub(crate) fn value(&self, expression: &Expr) -> Result<Value, Vec<Diagnostic>> {
        let (mut fails, mut hides) = (false, false);
        names(expression, &mut |name, is_called| {
            let attribute = self.attribute(name).filter(|_| !is_called);
            fails |= attribute.is_some_and(Option::is_none);
            hides |= attribute.is_some() && self.imported.by_name.contains_key(name);
        });
        if fails || self.cancel.is_asked() {
            return Err(Vec::new());
        }
        let mut expression = expression.clone();
        if hides {
            self.substitute(&mut expression);
        }
        let checked = check_expression(&expression, &self.needed(&expression));
        let (program, id) = checked.or_else(|found| {
            let said = self.guesses.get();
            if said >= MOST_GUESSES || !found.iter().any(|it| it.code == Code::E201) {
                return Err(found);
            }
            // Among all names there may be one that was meant.
            self.guesses.set(said + 1);
            check_expression(&expression, &self.all())
        })?;
        let mut machine = Machine::new(Arc::new(compile(&program)), Limits::until(&self.cancel));
        machine.start(Vec::new());
        machine.get(id).map_err(|fault| vec![fault.diagnostic()])
    }

    /// All that can be named: the library, and an attribute each like a function without parameters. Attributes
    /// with the name of an imported function are not among them: they stand in for the name in the expression
    /// itself, and functions of the library go on to mean their own.
    fn all(&self) -> Vec<Definition> {
        let of_world = self.world.all().filter(|(name, _)| self.own.get(name).is_none());
        let attributes = of_world.chain(self.own.all());
        let free = attributes.filter(|(name, _)| !self.imported.by_name.contains_key(*name));
        let defined = free.filter_map(|(name, value)| Some(definition(name, value.as_ref()?)));
        self.imported.definitions.iter().cloned().chain(defined).collect()
    }

    /// Definitions of the names in an expression, and of all that those need: the work for one value depends on
    /// what it uses, and not on how much there is.
    fn needed(&self, expression: &Expr) -> Vec<Definition> {
        let mut found: Vec<Definition> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut next = 0;
        let mut look = |body: &Expr, found: &mut Vec<Definition>| {
            names(body, &mut |name, _| {
                if !seen.insert(name.to_owned()) {
                    return;
                }
                match (self.imported.by_name.get(name), self.attribute(name)) {
                    (Some(&index), _) => found.push(self.imported.definitions[index].clone()),
                    (None, Some(Some(value))) => found.push(definition(name, value)),
                    (None, Some(None) | None) => {}
                }
            });
        };
        look(expression, &mut found);
        while let Some(definition) = found.get(next) {
            let body = definition.body.clone();
            look(&body, &mut found);
            next += 1;
        }
        found
    }

    /// Puts values in the place of names that the library has too.
    fn substitute(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if let (true, Some(Some((value, _)))) =
                    (self.imported.by_name.contains_key(name), self.attribute(name))
                {
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

/// Calls `visit` with every name in an expression, and whether it is called. Recursion is bounded by the height
/// of expressions.
fn names(expr: &Expr, visit: &mut impl FnMut(&str, bool)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name, false),
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        ExprKind::Call { callee, arguments, .. } => {
            visit(&callee.text, true);
            arguments.iter().for_each(|one| names(one, visit));
        }
        ExprKind::Vector(several) | ExprKind::Sequence(several) => {
            several.iter().for_each(|one| names(one, visit));
        }
        ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => names(one, visit),
        ExprKind::Binary { left, right, .. } => {
            names(left, visit);
            names(right, visit);
        }
        ExprKind::If { condition, then, otherwise } => {
            for one in [condition, then, otherwise] {
                names(one, visit);
            }
        }
    }
}

/// An attribute like a function without parameters.
fn definition(name: &str, (value, span): &(Value, Span)) -> Definition {
    Definition {
        name: Name { text: name.to_owned(), span: *span },
        prime: None,
        params: Vec::new(),
        body: literal(value, *span),
        span: *span,
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

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_lang::source::Sources;
    use gedanken_lang::syntax::tree::Item;
    use gedanken_lang::syntax::{Dialect, parse};

    fn expression(text: &str) -> Expr {
        let mut sources = Sources::new();
        let source = sources.add("test", text);
        let item = parse(&sources, source, Dialect::Expression).0.items.into_iter().next();
        let Some(Item::Evaluate(expression)) = item else { panic!("{text} is an expression") };
        expression
    }

    fn library(text: &str) -> Library {
        let mut sources = Sources::new();
        let source = sources.add("test", text);
        Library { definitions: parse(&sources, source, Dialect::Library).0.into_definitions() }
    }

    /// An evaluator with many attributes `w0`, `w1`, … of the world and many functions `f0`, `f1`, …
    fn evaluator() -> Evaluator {
        let functions: String = (1..1000).map(|k| format!("f{k}(x) = f{}(x) + 1\n", k - 1)).collect();
        let mut evaluator =
            Evaluator::new(&library(&format!("f0(x) = x\n{functions}")), &[], &[], &Cancel::never());
        let span = expression("1").span;
        (0..1000).for_each(|k| evaluator.add(&format!("w{k}"), &Value::Real(f64::from(k)), span));
        evaluator
    }

    #[test]
    fn a_value_looks_at_what_it_uses_and_at_nothing_else() {
        let evaluator = evaluator();
        let needed = |text: &str| evaluator.needed(&expression(text)).len();
        assert_eq!([needed("1"), needed("w7 + w8"), needed("f3(w7)")], [0, 2, 5]);
        assert_eq!(evaluator.value(&expression("f3(w7)")), Ok(Value::Real(10.0)));
    }

    #[test]
    fn unknown_names_are_guessed_a_few_times() {
        let evaluator = evaluator();
        let meant = |_| {
            let said = evaluator.value(&expression("w9999")).unwrap_err();
            said[0].help.as_deref() == Some("did you mean `w999`?")
        };
        assert_eq!((0..100).map(meant).filter(|it| *it).count(), MOST_GUESSES);
    }

    #[test]
    fn own_attributes_hide_those_of_the_world_and_of_the_library() {
        let mut evaluator = evaluator();
        let span = expression("1").span;
        evaluator.add("w1", &Value::Real(5.0), span);
        evaluator.add("f0", &Value::Real(6.0), span);
        assert_eq!(evaluator.value(&expression("w1 + f0 + f1(1)")), Ok(Value::Real(13.0)));
        evaluator.fail("w1");
        assert_eq!(evaluator.value(&expression("w1")), Err(Vec::new()), "that has been told");
    }
}
