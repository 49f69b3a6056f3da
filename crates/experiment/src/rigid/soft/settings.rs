//! Reads the settings of the solver `soft`.

use super::{NAME, SoftDefaults, SoftSettings};
use crate::read::fields::{Fields, choice, spaced};
use crate::read::numbers::Numbers;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_multibody::model::{Algorithm, Cone, Integrator, LineSearch, Stopping};

/// Algorithms by name, with their meaning.
pub(crate) const ALGORITHMS: [(&str, Algorithm, &str); 2] = [
    ("newton", Algorithm::Newton, "Newton's method with the exact Hessian: few and costly iterations"),
    (
        "conjugate gradient",
        Algorithm::ConjugateGradient,
        "conjugate gradients, preconditioned by the mass matrix: many and cheap iterations",
    ),
];

/// Searches along a direction by name, with their meaning.
pub(crate) const LINE_SEARCHES: [(&str, LineSearch, &str); 2] = [
    ("exact", LineSearch::Exact, "the minimum along a direction"),
    ("armijo", LineSearch::Armijo, "halving, until the cost falls enough"),
];

/// Shapes of the friction cone by name, with their meaning.
pub(crate) const CONES: [(&str, Cone, &str); 2] = [
    ("pyramid", Cone::Pyramid { edges: DEFAULT_EDGES }, "a pyramid with 4 edges, or as many as `cone edges`"),
    ("elliptic", Cone::Elliptic, "Coulomb's cone"),
];

/// Rules by which iterations stop, with their meaning.
pub(crate) const STOPPINGS: [(&str, Stopping, &str); 2] = [
    ("certificate", Stopping::Certificate(1e-9), "a bound of the error of the acceleration, relative"),
    ("improvement", Stopping::Improvement(1e-8), "the gradient, or what an iteration improves"),
];

/// Defaults by name, with their meaning.
pub(crate) const DEFAULTS: [(&str, SoftDefaults, &str); 2] = [
    ("mujoco", SoftDefaults::Mujoco, "a time constant of 0.02 s; surfaces mix by weight"),
    ("genesis", SoftDefaults::Genesis, "a time constant of 0.01 s; surfaces mix by the mean"),
];

/// Ways to take a step by name, with their meaning.
pub(crate) const INTEGRATORS: [(&str, Integrator, &str); 5] = [
    ("semi-implicit", Integrator::SemiImplicit, "velocities first, then positions with the new velocities"),
    ("euler", Integrator::Euler, "the same, implicit in the damping of joints"),
    ("implicit", Integrator::Implicit, "implicit in all forces that depend on velocity"),
    ("implicit fast", Integrator::ImplicitFast, "implicit in damping and motors, with a symmetric matrix"),
    ("rk4", Integrator::RungeKutta, "Runge and Kutta's method of order 4"),
];

/// Edges of a pyramid that does not say how many it has.
const DEFAULT_EDGES: usize = 4;

/// Numbers of edges that a pyramid can have.
const EDGES: [usize; 3] = [DEFAULT_EDGES, 8, 16];

/// Largest number of passes that take slip away.
const MAX_NO_SLIP_ITERATIONS: f64 = 1e6;

/// Settings that no other solver has a use for.
const KEYS: [&str; 8] = [
    "algorithm",
    "line_search",
    "stopping",
    "cone",
    "cone_edges",
    "impedance_ratio",
    "no_slip_iterations",
    "defaults",
];

/// Settings of other solvers, why soft constraints have no use for them, and the way out. Those of
/// `variational` are refused where they are read.
const FOREIGN: [(&str, &str, &str); 6] = [
    ("substeps", "`soft` takes a step as a whole", "take a shorter `time step` instead"),
    (
        "slop",
        "a soft contact pushes against any overlap",
        "the `time constant` and the `impedance` of a material say how far bodies sink in",
    ),
    (
        "correction",
        "a soft contact is a spring, which takes overlap away by itself",
        "the `time constant` of a material says how fast it does",
    ),
    (
        "combination",
        "of two surfaces the rougher one counts, as in MuJoCo and Genesis",
        "`defaults = mujoco` or `defaults = genesis` says how their softness mixes",
    ),
    (
        "rest_speed",
        "soft contacts know no impacts, and no body is put to rest",
        "the `damping ratio` of a material says whether it bounces",
    ),
    (
        "touching_tolerance",
        "a soft contact begins at the `margin` of its surfaces",
        "write `margin` in a material instead",
    ),
];

/// Returns `true` if a name, its words joined by hyphens, is that of an integrator of this solver.
pub(crate) fn has_integrator(name: &str) -> bool {
    INTEGRATORS.iter().any(|(known, ..)| known.replace(' ', "-") == name)
}

/// Reads the settings of the solver. `solver` is the solver of the simulation, `None` if it was a mistake that
/// has been reported; `tolerance` is that of the simulation.
pub(crate) fn read(
    numbers: &Numbers<'_>,
    solver: Option<&str>,
    tolerance: Option<f64>,
    diagnostics: &mut Vec<Diagnostic>,
) -> SoftSettings {
    let fields = numbers.fields;
    let usual = SoftSettings::default();
    let settings = SoftSettings {
        algorithm: one_of(fields, "algorithm", &ALGORITHMS, diagnostics).unwrap_or(usual.algorithm),
        line_search: one_of(fields, "line_search", &LINE_SEARCHES, diagnostics).unwrap_or(usual.line_search),
        stopping: stopping(fields, usual.stopping, tolerance, diagnostics),
        cone: cone(numbers, usual.cone, solver, diagnostics),
        impedance_ratio: numbers
            .within("impedance_ratio", 0.0, f64::MAX, diagnostics)
            .unwrap_or(usual.impedance_ratio),
        no_slip_iterations: no_slip_iterations(numbers, diagnostics).unwrap_or(usual.no_slip_iterations),
        defaults: one_of(fields, "defaults", &DEFAULTS, diagnostics).unwrap_or(usual.defaults),
        integrator: usual.integrator,
    };
    match solver {
        Some(NAME) => {
            refuse_foreign(fields, diagnostics);
            SoftSettings {
                integrator: integrator(fields, diagnostics).unwrap_or(usual.integrator),
                ..settings
            }
        }
        Some(other) => {
            refuse_own(fields, other, diagnostics);
            settings
        }
        None => settings,
    }
}

/// One of the words of a table.
fn one_of<T: Copy, const N: usize>(
    fields: &Fields<'_>,
    key: &str,
    table: &[(&'static str, T, &'static str); N],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<T> {
    let choices = table.map(|(name, it, _)| (name, it));
    let what = match key {
        "cone" => "friction cone".to_owned(),
        "stopping" => "rule for stopping".to_owned(),
        "defaults" => "set of defaults".to_owned(),
        key => spaced(key),
    };
    choice(fields, key, &what, &choices, diagnostics)
}

fn stopping(
    fields: &Fields<'_>,
    usual: Stopping,
    tolerance: Option<f64>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Stopping {
    match one_of(fields, "stopping", &STOPPINGS, diagnostics).unwrap_or(usual) {
        Stopping::Certificate(usual) => Stopping::Certificate(tolerance.unwrap_or(usual)),
        Stopping::Improvement(usual) => Stopping::Improvement(tolerance.unwrap_or(usual)),
    }
}

fn cone(numbers: &Numbers<'_>, usual: Cone, solver: Option<&str>, diagnostics: &mut Vec<Diagnostic>) -> Cone {
    let fields = numbers.fields;
    let written = one_of(fields, "cone", &CONES, diagnostics);
    let edges = edges(numbers, diagnostics);
    let cone = written.unwrap_or(usual);
    if let Cone::Pyramid { edges: usual } = cone {
        return Cone::Pyramid { edges: edges.unwrap_or(usual) };
    }
    let is_mistaken = fields.has("cone") && written.is_none();
    if fields.has("cone_edges") && !is_mistaken && solver == Some(NAME) {
        let span = fields.span_of("cone_edges");
        let diagnostic = match fields.has("cone") {
            true => Diagnostic::new(Code::E771, span, "an elliptic cone has no edges")
                .label("contradicts the cone")
                .also(fields.span_of("cone"), "the cone is elliptic"),
            false => {
                let message = "`cone edges` has no effect: without `cone = pyramid` the cone is elliptic";
                Diagnostic::new(Code::E770, span, message).label("has no effect here")
            }
        };
        diagnostics.push(diagnostic.help("write `cone = pyramid`, or remove this line"));
    }
    cone
}

fn edges(numbers: &Numbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let real = numbers.real("cone_edges", diagnostics)?;
    let found = EDGES.into_iter().find(|&it| it as f64 == real);
    if found.is_none() {
        let message = format!("`cone edges` cannot be {}", Value::Real(real));
        diagnostics.push(
            Diagnostic::new(Code::E723, numbers.fields.span_of("cone_edges"), message)
                .label("must be 4, 8 or 16")
                .help("the more edges a pyramid has, the nearer it is to `cone = elliptic`"),
        );
    }
    found
}

/// A whole number from 0 on.
fn no_slip_iterations(numbers: &Numbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let real = numbers.real("no_slip_iterations", diagnostics)?;
    if (0.0..=MAX_NO_SLIP_ITERATIONS).contains(&real) && real.fract() == 0.0 {
        return Some(real as usize);
    }
    let message = format!("`no slip iterations` cannot be {}", Value::Real(real));
    diagnostics.push(
        Diagnostic::new(Code::E723, numbers.fields.span_of("no_slip_iterations"), message)
            .label("must be a whole number from 0 to 1000000"),
    );
    None
}

fn integrator(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Integrator> {
    let words = fields.words("integrator", diagnostics)?;
    let name = words.text.replace([' ', '_'], "-");
    let found = INTEGRATORS.iter().find(|(known, ..)| known.replace(' ', "-") == name).map(|row| row.1);
    if found.is_none() {
        let message = format!("the solver `{NAME}` has no integrator `{}`", words.text);
        let diagnostic = Diagnostic::new(Code::E735, words.span, message).label("not one of its integrators");
        let names = INTEGRATORS.map(|(name, ..)| name);
        diagnostics.push(match similar(&words.text, names) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
            None => diagnostic
                .help(format!("its integrators are {}", names.map(|it| format!("`{it}`")).join(", "))),
        });
    }
    found
}

/// Reports settings of other solvers.
fn refuse_foreign(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (key, why, instead) in FOREIGN.into_iter().filter(|(key, ..)| fields.has(key)) {
        let message = format!("`{}` has no effect: {why}", spaced(key));
        diagnostics.push(
            Diagnostic::new(Code::E770, fields.span_of(key), message)
                .label("has no effect here")
                .help(format!("remove the line; {instead}")),
        );
    }
}

/// Reports settings of this solver in a simulation with another one.
fn refuse_own(fields: &Fields<'_>, solver: &str, diagnostics: &mut Vec<Diagnostic>) {
    for key in KEYS.into_iter().filter(|key| fields.has(key)) {
        let key_words = spaced(key);
        let message = format!(
            "`{key_words}` has no effect: it is a setting of the solver `{NAME}`, and this is `{solver}`"
        );
        diagnostics.push(
            Diagnostic::new(Code::E770, fields.span_of(key), message)
                .label("has no effect here")
                .help(format!("write `solver = {NAME}`, or remove the line")),
        );
    }
}
