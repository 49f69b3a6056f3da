//! Settings of the solver `variational`: its order, its kinetic term, and how friction is found.

use super::settings::is_implicit;
use crate::read::fields::{Fields, choice, spaced};
use crate::read::numbers::Numbers;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_rigid::variational::{FrictionIteration, Kinetic, Order, VariationalSettings};

/// Name of the solver in the registry.
pub(crate) const NAME: &str = "variational";

/// Settings that no other solver has a use for.
const KEYS: [&str; 3] = ["order", "kinetic", "friction_iteration"];

/// Settings of other solvers, and why a variational step has no use for them.
const FOREIGN: [(&str, &str); 5] = [
    ("integrator", "the `order` of `variational` says how bodies move"),
    ("substeps", "`variational` solves a step as a whole"),
    ("iterations", "`variational` iterates until it has converged"),
    ("slop", "`variational` leaves no overlap"),
    ("correction", "`variational` leaves no overlap that a later step could take away"),
];

/// Reads the settings of the solver, with what they imply. `solver` is the solver of the simulation, `None` if
/// it was a mistake that has been reported.
pub(crate) fn read(
    numbers: &Numbers<'_>,
    solver: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> VariationalSettings {
    let fields = numbers.fields;
    let written = diagnostics.len();
    let order = order(numbers, diagnostics);
    let kinetic = choice(fields, "kinetic", "kinetic term", &Kinetic::ALL, diagnostics);
    let friction =
        choice(fields, "friction_iteration", "friction iteration", &FrictionIteration::ALL, diagnostics);
    match solver {
        Some(NAME) => refuse_foreign(fields, diagnostics),
        Some(other) => refuse_own(fields, other, diagnostics),
        None => {}
    }
    if solver == Some(NAME)
        && is_implicit(fields)
        && (order == Some(Order::First) || kinetic == Some(Kinetic::Seed))
    {
        let key = if order == Some(Order::First) { "order" } else { "kinetic" };
        diagnostics.push(
            Diagnostic::new(
                Code::E771,
                fields.span_of(key),
                "the implicit midpoint rule has order 2".to_owned(),
            )
            .label("contradicts the integrator")
            .also(fields.span_of("integrator"), "implies `order = 2`")
            .help("remove one of the two lines"),
        );
    }
    if diagnostics.len() == written && kinetic == Some(Kinetic::Seed) {
        contradictions(fields, order, friction, diagnostics);
    }
    VariationalSettings {
        order: order.unwrap_or_default(),
        kinetic: kinetic.unwrap_or_default(),
        friction: friction.unwrap_or_default(),
    }
    .implied()
}

fn order(numbers: &Numbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Order> {
    let real = numbers.real("order", diagnostics)?;
    let found = [Order::First, Order::Second].into_iter().find(|it| f64::from(it.number()) == real);
    if found.is_none() {
        let message = format!("`order` cannot be {}", Value::Real(real));
        diagnostics.push(
            Diagnostic::new(Code::E723, numbers.fields.span_of("order"), message)
                .label("must be 1 or 2")
                .help("`order = 1` is backward Euler, `order = 2` the midpoint rule"),
        );
    }
    found
}

/// Reports settings of other solvers.
fn refuse_foreign(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let is_own = |key: &str| key == "integrator" && is_implicit(fields);
    for (key, why) in FOREIGN.into_iter().filter(|(key, _)| fields.has(key) && !is_own(key)) {
        let help = match key {
            "integrator" => "remove the line; `order = 1` is backward Euler, `order = 2` the midpoint rule",
            _ => "remove the line, or write `solver = gauss-seidel`",
        };
        diagnostics.push(
            Diagnostic::new(Code::E770, fields.span_of(key), format!("`{key}` has no effect: {why}"))
                .label("has no effect here")
                .help(help),
        );
    }
}

/// Reports settings of this solver in a simulation with another one.
fn refuse_own(fields: &Fields<'_>, solver: &str, diagnostics: &mut Vec<Diagnostic>) {
    for key in KEYS.into_iter().filter(|key| fields.has(key)) {
        let message = format!(
            "`{}` has no effect: it is a setting of the solver `{NAME}`, and this is `{solver}`",
            spaced(key)
        );
        diagnostics.push(
            Diagnostic::new(Code::E770, fields.span_of(key), message)
                .label("has no effect here")
                .help(format!("write `solver = {NAME}`, or remove the line")),
        );
    }
}

/// Reports what cannot go with `kinetic = seed`.
fn contradictions(
    fields: &Fields<'_>,
    order: Option<Order>,
    friction: Option<FrictionIteration>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut report = |key: &str, message: &str, implied: &str| {
        diagnostics.push(
            Diagnostic::new(Code::E771, fields.span_of(key), message)
                .label("contradicts the kinetic term")
                .also(fields.span_of("kinetic"), format!("implies `{implied}`"))
                .help("remove this line, or write `kinetic = exact`"),
        );
    };
    if order == Some(Order::Second) {
        report("order", "a step with `kinetic = seed` has order 1, not 2", "order = 1");
    }
    if friction == Some(FrictionIteration::Coupled) {
        report(
            "friction_iteration",
            "a step with `kinetic = seed` has lagged friction, not coupled",
            "friction iteration = lagged",
        );
    }
}
