//! Order in which people write terms and factors.
//!
//! Terms: accelerations, then rates, then the rest; among these, terms without functions first, as in
//!
//! l₂θ̈₂ + l₁θ̈₁ cos(θ₁ − θ₂) − l₁θ̇₁² sin(θ₁ − θ₂) + g sin θ₂.
//!
//! Factors: numbers, masses, other constants and coordinates by name, rates, functions, sums: m g l sin θ.

use crate::{Expr, Node, Pool};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Features of an expression that decide its place.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    /// Highest derivative: 2 with accelerations, 1 with rates.
    rate: usize,
    /// `true` if a function, a root or a condition is in it.
    functions: bool,
    /// Degree as a polynomial.
    degree: f64,
}

/// Features of all parts of some expressions.
pub(super) struct WrittenOrder<'p> {
    pool: &'p Pool,
    features: HashMap<Expr, Features>,
}

/// Groups of factors, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Number,
    /// Symbols that are no rates.
    Plain,
    /// Sums without rates and functions.
    PlainSum,
    Rate,
    Function,
    Sum,
    Choice,
}

impl<'p> WrittenOrder<'p> {
    pub(super) fn new(pool: &'p Pool, exprs: impl IntoIterator<Item = Expr>) -> Self {
        let mut parts = Vec::new();
        let mut features = HashMap::new();
        for expr in exprs {
            pool.each_part(expr, |part| parts.push(part));
        }
        // Operands are older than what they are in.
        parts.sort_unstable_by_key(|part| part.0);
        for part in parts {
            let found = features_of(pool, &features, part);
            features.insert(part, found);
        }
        Self { pool, features }
    }

    fn of(&self, expr: Expr) -> Features {
        self.features.get(&expr).copied().unwrap_or_default()
    }

    /// Compares terms of a sum; `None` is the constant.
    pub(super) fn order_terms(&self, a: Option<Expr>, b: Option<Expr>) -> Ordering {
        let (Some(a), Some(b)) = (a, b) else { return a.is_none().cmp(&b.is_none()) };
        let (x, y) = (self.of(a), self.of(b));
        y.rate
            .cmp(&x.rate)
            .then(x.functions.cmp(&y.functions))
            .then_with(|| if x.rate > 0 { self.order_leads(a, b, x.rate) } else { Ordering::Equal })
            .then_with(|| y.degree.total_cmp(&x.degree))
            .then_with(|| self.pool.order(a, b))
    }

    /// Compares by the first of the highest derivatives, then by its power, the higher one first.
    fn order_leads(&self, a: Expr, b: Expr, rate: usize) -> Ordering {
        match (self.lead(a, rate), self.lead(b, rate)) {
            (Some((x, p)), Some((y, q))) => order_names(x, y).then_with(|| q.total_cmp(&p)),
            (x, y) => x.is_none().cmp(&y.is_none()),
        }
    }

    fn lead(&self, term: Expr, rate: usize) -> Option<(&'p str, f64)> {
        let factors = match self.pool.node(term) {
            Node::Product(factors) => factors,
            _ => std::slice::from_ref(&term),
        };
        let leads = factors.iter().filter_map(|&factor| {
            let symbol = self.pool.as_symbol(self.pool.base(factor))?;
            let name = self.pool.name(symbol);
            (rates(name).1 == rate).then(|| (name, self.of(factor).degree))
        });
        leads.min_by(|(x, _), (y, _)| order_names(x, y))
    }

    /// Returns the factors of a product in the order in which they are written.
    pub(super) fn ordered(&self, factors: &[Expr]) -> Vec<Expr> {
        let mut grouped: Vec<(Group, Expr)> =
            factors.iter().map(|&factor| (self.group(factor), factor)).collect();
        // m (l + x) θ̇², but x (x + 1).
        if !grouped.iter().any(|(group, _)| matches!(group, Group::Rate | Group::Function)) {
            for (group, _) in &mut grouped {
                *group = if *group == Group::PlainSum { Group::Sum } else { *group };
            }
        }
        grouped.sort_by(|&(g, a), &(h, b)| g.cmp(&h).then_with(|| self.order_factors(a, b)));
        grouped.into_iter().map(|(_, factor)| factor).collect()
    }

    /// Returns the factor of a product that reads better negated: a sum with at least as many negative terms
    /// as positive ones.
    pub(super) fn turnable(&self, product: Expr) -> Option<Expr> {
        let Node::Product(factors) = self.pool.node(product) else { return None };
        self.ordered(factors).into_iter().find(|&factor| {
            let Node::Sum { constant, terms } = self.pool.node(factor) else { return false };
            let scales = || terms.iter().map(|(_, scale)| scale).chain([constant]);
            let (added, taken) = (
                scales().filter(|it| it.is_positive()).count(),
                scales().filter(|it| it.is_negative()).count(),
            );
            added <= taken
        })
    }

    fn group(&self, factor: Expr) -> Group {
        let base = self.pool.base(factor);
        let is_root = match self.pool.node(factor) {
            Node::Power(_, exponent) => self.pool.as_number(*exponent).is_none_or(|it| !it.is_integer()),
            _ => false,
        };
        match self.pool.node(base) {
            Node::Number(_) | Node::Pi => Group::Number,
            Node::Choice(..) => Group::Choice,
            _ if is_root => Group::Function,
            Node::Symbol(symbol) if rates(self.pool.name(*symbol)).1 == 0 => Group::Plain,
            Node::Symbol(_) => Group::Rate,
            Node::Call(..) | Node::Call2(..) => Group::Function,
            _ => {
                let found = self.of(base);
                if found.rate == 0 && !found.functions { Group::PlainSum } else { Group::Sum }
            }
        }
    }

    fn order_factors(&self, a: Expr, b: Expr) -> Ordering {
        let name = |expr| self.pool.as_symbol(self.pool.base(expr)).map(|symbol| self.pool.name(symbol));
        match (name(a), name(b)) {
            (Some(x), Some(y)) => constancy(x)
                .cmp(&constancy(y))
                .then_with(|| order_names(x, y))
                .then_with(|| self.pool.order(a, b)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.pool.order(a, b),
        }
    }
}

fn features_of(pool: &Pool, features: &HashMap<Expr, Features>, expr: Expr) -> Features {
    let of = |part: Expr| features.get(&part).copied().unwrap_or_default();
    let mut found = Features::default();
    pool.operands(expr, |operand| {
        let part = of(operand);
        found.rate = found.rate.max(part.rate);
        found.functions |= part.functions;
    });
    match pool.node(expr) {
        Node::Number(_) | Node::Pi => {}
        Node::Symbol(symbol) => {
            found.rate = rates(pool.name(*symbol)).1;
            found.degree = 1.0;
        }
        Node::Sum { terms, .. } => {
            found.degree = terms.iter().fold(f64::NEG_INFINITY, |most, (term, _)| most.max(of(*term).degree));
        }
        Node::Product(factors) => found.degree = factors.iter().map(|factor| of(*factor).degree).sum(),
        Node::Power(base, exponent) => match pool.as_number(*exponent) {
            Some(exponent) => {
                found.functions |= !exponent.is_integer();
                found.degree = of(*base).degree * exponent.to_f64();
            }
            None => found.functions = true,
        },
        Node::Call(..) | Node::Call2(..) | Node::Choice(..) => found.functions = true,
    }
    // Degrees beyond all numbers are all the same.
    found.degree = found.degree.clamp(f64::MIN, f64::MAX);
    found
}

/// Returns a name without the `_dot` at its end, and the number of these.
fn rates(name: &str) -> (&str, usize) {
    let (mut base, mut count) = (name, 0);
    while let Some(rest) = base.strip_suffix("_dot")
        && !rest.is_empty()
    {
        (base, count) = (rest, count + 1);
    }
    (base, count)
}

/// Returns the rank of a constant: 0 for `G`, the constant of gravitation, 1 for masses, which people write
/// first, 2 for the rest.
fn constancy(name: &str) -> u8 {
    let rest = name.strip_prefix(['m', 'M']);
    match rest {
        _ if name == "G" => 0,
        Some(rest) if rest.is_empty() || rest.starts_with("ass") => 1,
        Some(rest) if rest.starts_with(|c: char| c == '_' || c.is_ascii_digit()) => 1,
        _ => 2,
    }
}

/// Compares by letters, and by the value of the digits behind them: `m2` is before `m10`.
fn order_names(a: &str, b: &str) -> Ordering {
    let parts = |name| {
        let (base, count) = rates(name);
        let letters = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = base[letters.len()..].trim_start_matches('0');
        (letters, digits.len(), digits, count)
    };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}
