//! Settings of a simulation of rigid bodies: gravity, contact solver, and their numbers.

use crate::read::fields::{Fields, no_such, truth};
use crate::read::numbers::Numbers;
use crate::rigid::quantities::StepKind;
use crate::rigid::soft::SoftSettings;
use crate::rigid::{soft, variational};
use gedanken_dynamics::INTEGRATORS;
use gedanken_dynamics::integrate::{Control, IMPLICIT_MIDPOINT};
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_rigid::Combination;
use gedanken_rigid::Settings;
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::variational::VariationalSettings;

/// Settings of a simulation of rigid bodies; those that are `None` are left to the solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidSettings {
    /// The acceleration of free fall; none, if the simulation does not say.
    pub gravity: Option<[f64; 3]>,
    /// Method that moves the bodies, as the registry calls it; chosen by the solver if `None`.
    pub integrator: Option<String>,
    /// Distance below which surfaces touch.
    pub touching_tolerance: Option<f64>,
    /// The contact solver, as the registry calls it.
    pub solver: Option<&'static str>,
    /// Sub-steps of a step, where bodies touch.
    pub substeps: Option<u32>,
    /// Passes over all contacts.
    pub iterations: Option<u32>,
    /// The overlap that is left alone, m.
    pub slop: Option<f64>,
    /// Part of an overlap that a step takes away.
    pub correction: Option<f64>,
    /// Combination of the coefficients of two surfaces.
    pub combination: Option<Combination>,
    /// The speed below which a body counts as resting.
    pub rest_speed: Option<f64>,
    /// `true` if contacts, and forces of joints, are recorded in every frame.
    pub record_forces: bool,
    /// Order, kinetic term and friction of the solver `variational`; other solvers have no use for them.
    pub variational: VariationalSettings,
    /// Settings of the solver `soft`; other solvers have no use for them.
    pub soft: SoftSettings,
}

impl RigidSettings {
    /// How steps are solved.
    pub fn step_kind(&self) -> StepKind {
        match self.solver {
            Some(variational::NAME) => StepKind::Variational,
            Some(soft::NAME) => StepKind::Soft,
            _ => StepKind::Impulses,
        }
    }

    /// Returns `true` if every step is solved as a stationary point of the action.
    pub fn is_variational(&self) -> bool {
        self.solver == Some(variational::NAME)
    }
}

/// The keys of a simulation that only rigid bodies have a use for.
const RIGID_KEYS: [&str; 20] = [
    "gravity",
    "record_forces",
    "solver",
    "substeps",
    "iterations",
    "slop",
    "correction",
    "combination",
    "rest_speed",
    "order",
    "kinetic",
    "friction_iteration",
    "algorithm",
    "line_search",
    "stopping",
    "cone",
    "cone_edges",
    "impedance_ratio",
    "no_slip_iterations",
    "defaults",
];

/// Reports settings of rigid bodies in a simulation of another mechanics.
pub(crate) fn refuse(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for key in RIGID_KEYS.into_iter().filter(|key| fields.has(key)) {
        let spoken = key.replace('_', " ");
        let message = format!("`{spoken}` has no effect: it is a setting of rigid bodies");
        diagnostics.push(
            Diagnostic::new(Code::E761, fields.span_of(key), message)
                .label("has no effect here")
                .help("add `mechanics = rigid`, or remove the line; laws in contexts state their own forces"),
        );
    }
}

/// Reads the settings that no other mechanics has, and the integrator. `tolerance` is that of the simulation.
pub(crate) fn read(
    numbers: &Numbers<'_>,
    tolerance: Option<f64>,
    diagnostics: &mut Vec<Diagnostic>,
) -> RigidSettings {
    let fields = numbers.fields;
    // The implicit midpoint rule is the step of order 2 of the solver `variational`, contacts or none.
    let implicit = is_implicit(fields) && !fields.has("solver");
    let solver = solver(fields, diagnostics).or_else(|| implicit.then_some(variational::NAME));
    // A solver that was a mistake has been reported; which settings it has is not known.
    let known = solver.or_else(|| (!fields.has("solver")).then(|| Settings::default().solver.name()));
    RigidSettings {
        gravity: gravity(numbers, diagnostics),
        integrator: integrator(fields, known, diagnostics),
        solver,
        substeps: numbers.count("substeps", diagnostics),
        iterations: numbers.count("iterations", diagnostics),
        slop: numbers.not_negative("slop", diagnostics),
        correction: numbers.share("correction", diagnostics),
        combination: combination(fields, diagnostics),
        rest_speed: numbers.not_negative("rest_speed", diagnostics),
        record_forces: truth(fields, "record_forces", false, diagnostics),
        variational: variational::read(numbers, known, diagnostics),
        soft: soft::settings::read(numbers, known, tolerance, diagnostics),
        ..RigidSettings::default()
    }
}

fn gravity(numbers: &Numbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<[f64; 3]> {
    let before = diagnostics.len();
    let gravity = numbers.vector("gravity", diagnostics);
    for said in diagnostics[before..].iter_mut().filter(|it| it.code == Code::E709) {
        said.help = Some("it has a direction: write `gravity = [0, 0, -9.81]`".to_owned());
    }
    gravity
}

fn solver(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<&'static str> {
    let words = fields.words("solver", diagnostics)?;
    let name = words.text.replace([' ', '_'], "-");
    let names: Vec<&'static str> = SOLVERS.iter().map(|it| it.name()).chain([soft::NAME]).collect();
    let found = names.iter().copied().find(|it| *it == name);
    if found.is_none() {
        let known = names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        diagnostics.push(no_such(words, "solver", names, &format!("the solvers are {known}")));
    }
    found
}

fn combination(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Combination> {
    let words = fields.words("combination", diagnostics)?;
    let name = words.text.replace('_', " ");
    let found = Combination::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, rule)| rule);
    if found.is_none() {
        let names = Combination::ALL.map(|(name, _)| name);
        let known = names.map(|it| format!("`{it}`")).join(", ");
        diagnostics.push(no_such(
            words,
            "combination",
            names,
            &format!("two coefficients combine by {known}"),
        ));
    }
    found
}

/// Returns `true` if the file asks for the implicit midpoint rule.
pub(super) fn is_implicit(fields: &Fields<'_>) -> bool {
    let words = fields.words("integrator", &mut Vec::new());
    words.is_some_and(|words| words.text.replace([' ', '_'], "-") == IMPLICIT_MIDPOINT.name)
}

/// The method that moves rigid bodies, as the registry calls it; none with the solver `soft`, which has
/// integrators of its own. `solver` is `None` if it was a mistake that has been reported.
fn integrator(
    fields: &Fields<'_>,
    solver: Option<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    if solver == Some(soft::NAME) {
        return None;
    }
    let words = fields.words("integrator", diagnostics)?;
    let name = words.text.replace([' ', '_'], "-");
    if name == IMPLICIT_MIDPOINT.name && solver == Some(variational::NAME) {
        return None;
    }
    let is_soft = soft::settings::has_integrator(&name);
    if is_soft && solver.is_none() {
        return None;
    }
    let turning = INTEGRATORS.iter().filter(|it| it.splits() && it.control == Control::Fixed);
    let known: Vec<&str> = turning.map(|it| it.name).collect();
    if known.contains(&name.as_str()) {
        return Some(name);
    }
    if name == IMPLICIT_MIDPOINT.name && solver.is_some() {
        let message = format!("`{name}` is the step of the solver `{}`, and of no other", variational::NAME);
        diagnostics.push(
            Diagnostic::new(Code::E735, words.span, message)
                .label("cannot move rigid bodies with this solver")
                .help("remove the line with `solver`, or take `integrator = leapfrog`"),
        );
        return None;
    }
    let message = match INTEGRATORS.iter().any(|it| it.name == name) {
        true => format!("`{name}` moves points only, and cannot turn bodies"),
        false => format!("there is no method `{name}`"),
    };
    let diagnostic = Diagnostic::new(Code::E735, words.span, message).label("cannot move rigid bodies");
    diagnostics.push(match similar(&name, known.iter().copied()) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
        None if is_soft => {
            diagnostic.help("it is a method of `solver = soft`; write that, or remove the line")
        }
        None => {
            let known = known.iter().chain([&IMPLICIT_MIDPOINT.name]);
            let known: Vec<String> = known.map(|it| format!("`{it}`")).collect();
            diagnostic.help(format!("rigid bodies can be moved by {}", known.join(", ")))
        }
    });
    None
}
