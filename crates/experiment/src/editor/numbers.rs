//! Every number of a text, with a label for a slider that changes it.

use super::declarations::{name_of, parsed};
use super::tokens::Tokens;
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::{Binary, Block, Expr, ExprKind, Item, Unary, Value};
use std::collections::BTreeMap;

/// A number as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The first byte of its digits, or of the minus that belongs to it.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Value; finite.
    pub value: f64,
    /// Label: `restitution`, `ball.v#1`, `drop.duration`, `flight: position (0.5)`. No two have
    /// the same.
    pub label: String,
    /// `true` if it counts: the index behind `#`, an index of an object, a number of objects. Only whole
    /// numbers can stand there.
    pub counts: bool,
    /// The attribute of the world or of an object whose value it is part of.
    pub owner: Option<Owner>,
}

/// An attribute that can be set from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Name in settings: `restitution`, `ball.v`.
    pub attribute: String,
    /// The first byte of its whole value.
    pub start: usize,
    /// One past the last byte of its value.
    pub end: usize,
}

/// The numbers of an experiment, in the order of the text, comments left out.
pub fn numbers(text: &str) -> Vec<Number> {
    let file = parsed(text, Dialect::Experiment);
    let mut finder = NumberFinder { text, found: Vec::new() };
    let mut counted: Vec<(usize, usize)> = Vec::new();
    let mut blocks: Vec<&Block> = Vec::new();
    for item in &file.items {
        let Item::Block(block) = item else { continue };
        blocks.push(block);
        let name = stem(block);
        for entry in &block.entries {
            finder.entry(&name, &block.keyword.text, &entry.key.text, &entry.value);
            if matches!(entry.value, Value::Aliases(_) | Value::Applicability(_)) {
                counted.push((entry.span.start as usize, entry.span.end as usize));
            }
        }
    }
    let mut found = finder.found;
    found.sort_by_key(|number| number.start);
    let mut others = Vec::new();
    for token in &Tokens::of(text).tokens {
        let Some(value) = literal(token.text) else { continue };
        let next = found.partition_point(|number| number.end <= token.start);
        if found.get(next).is_some_and(|number| number.start < token.end) {
            continue;
        }
        // Blocks and entries follow one another: only the last that begins before the token can hold it.
        let block = blocks.partition_point(|it| it.span.start as usize <= token.start).checked_sub(1);
        let block = block.map(|last| blocks[last]).filter(|it| token.end <= it.span.end as usize);
        let stem = block.map(stem).unwrap_or_default();
        let label = format!("{stem} ({})", token.text).trim_start().to_owned();
        let entry = counted.partition_point(|&(start, _)| start <= token.start).checked_sub(1);
        let counts = entry.is_some_and(|last| token.end <= counted[last].1);
        others.push(Number { start: token.start, end: token.end, value, label, counts, owner: None });
    }
    found.extend(others);
    found.sort_by_key(|number| number.start);
    tell_apart(&mut found);
    found
}

/// Value of a text that is a number in digits.
fn literal(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

/// Name of a block, or its keyword if it has none.
fn stem(block: &Block) -> String {
    let name = name_of(block);
    if name.is_empty() { block.keyword.text.clone() } else { name }
}

/// Numbers the second and all later ones of a label.
fn tell_apart(numbers: &mut [Number]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for number in numbers {
        let count = seen.entry(number.label.clone()).or_default();
        *count += 1;
        if *count > 1 {
            number.label = format!("{} [{count}]", number.label);
        }
    }
}

struct NumberFinder<'t> {
    text: &'t str,
    found: Vec<Number>,
}

/// Path from a whole value to one of its elements.
struct NumberPath<'w> {
    /// Label of the whole value.
    stem: &'w str,
    /// Element of the value: `#1#2`.
    index: String,
    /// `true` if nothing but brackets has been passed: the element is the number.
    direct: bool,
    owner: Option<&'w Owner>,
}

impl NumberFinder<'_> {
    fn entry(&mut self, name: &str, keyword: &str, key: &str, value: &Value) {
        match (keyword, value) {
            ("world attributes", Value::Expression(body)) => self.attribute(key.to_owned(), body),
            ("object", Value::Definitions(definitions)) => {
                for it in definitions {
                    self.attribute(format!("{name}.{}", it.name.text), &it.body);
                }
            }
            (_, Value::Definitions(definitions)) => {
                for it in definitions {
                    self.value(&format!("{name}: {}", it.name.text), &it.body, None);
                }
            }
            (_, Value::Expression(body)) => self.value(&format!("{name}.{key}"), body, None),
            (_, Value::Expressions(list)) => {
                for (index, body) in list.iter().enumerate() {
                    self.value(&format!("{name}.{key}#{}", index + 1), body, None);
                }
            }
            _ => {}
        }
    }

    fn attribute(&mut self, name: String, body: &Expr) {
        let owner = Owner { attribute: name, start: body.span.start as usize, end: body.span.end as usize };
        self.value(&owner.attribute, body, Some(&owner));
    }

    fn value(&mut self, stem: &str, body: &Expr, owner: Option<&Owner>) {
        self.expr(body, &NumberPath { stem, index: String::new(), direct: true, owner });
    }

    /// Recursion is bounded by the height of expressions.
    fn expr(&mut self, expr: &Expr, way: &NumberPath<'_>) {
        let inside = || NumberPath { index: way.index.clone(), direct: false, ..*way };
        match &expr.kind {
            ExprKind::Real(_) => self.number(expr, None, way, false),
            ExprKind::Unary { operator: Unary::Minus, operator_span, operand }
                if matches!(operand.kind, ExprKind::Real(_)) =>
            {
                self.number(operand, Some(operator_span.start as usize), way, false);
            }
            ExprKind::Group(inner) => self.expr(inner, way),
            ExprKind::Unary { operand, .. } => self.expr(operand, &inside()),
            ExprKind::Vector(elements) if way.direct => {
                for (number, element) in elements.iter().enumerate() {
                    self.expr(
                        element,
                        &NumberPath { index: format!("{}#{}", way.index, number + 1), ..*way },
                    );
                }
            }
            ExprKind::Vector(several)
            | ExprKind::Sequence(several)
            | ExprKind::Call { arguments: several, .. } => {
                several.iter().for_each(|one| self.expr(one, &inside()));
            }
            ExprKind::Binary { operator, left, right, .. } => {
                self.expr(left, &inside());
                match right.kind {
                    ExprKind::Real(_) if *operator == Binary::Element => {
                        self.number(right, None, &inside(), true);
                    }
                    _ => self.expr(right, &inside()),
                }
            }
            ExprKind::If { condition, then, otherwise } => {
                for one in [condition, then, otherwise] {
                    self.expr(one, &inside());
                }
            }
            ExprKind::Name(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        }
    }

    fn number(&mut self, real: &Expr, minus: Option<usize>, way: &NumberPath<'_>, counts: bool) {
        let (digits, end) = (real.span.start as usize, real.span.end as usize);
        let Some(value) = self.text.get(digits..end).and_then(literal) else { return };
        // A comment between the two would be lost with the old number.
        let joined = |&at: &usize| {
            self.text.get(at + 1..digits).is_some_and(|gap| gap.chars().all(char::is_whitespace))
        };
        let minus = minus.filter(joined);
        let sign = if minus.is_some() { "-" } else { "" };
        let start = minus.unwrap_or(digits);
        let value = if minus.is_some() { -value } else { value };
        let label = match way.direct {
            true => format!("{}{}", way.stem, way.index),
            false => format!("{}{} ({sign}{})", way.stem, way.index, &self.text[digits..end]),
        };
        self.found.push(Number { start, end, value, label, counts, owner: way.owner.cloned() });
    }
}
