//! From a `lagrangian` block to a system in its initial state.

use super::fields::LagrangianLists;
use super::initial_values::InitialValues;
use super::model::Lagrangian;
use super::{initial_state, names, system};
use crate::environment::Environment;
use crate::read::fields::{BlockForm, Fields};
use crate::read::overrides::Settings;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::syntax::tree::{Block, Name};

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a Lagrangian",
    keys: &[
        ("coordinates", "initial values in braces: `{ theta = 2 }`"),
        ("rates", "initial rates in braces: `{ theta_dot = 0.5 }`"),
        ("momenta", "initial momenta in braces: `{ p_theta = 0.5 }`"),
        ("parameters", "values in braces: `{ m = 1  l = 2 }`"),
        ("functions", "definitions in braces: `{ x = l * sine(theta) }`"),
        ("T", "the kinetic energy, a real"),
        ("V", "the potential energy, a real"),
        ("L", "the Lagrangian, a real"),
        ("H", "the Hamiltonian, a real"),
        ("dissipation", "half the power that is lost, a real"),
        ("forces", "forces along coordinates in braces: `{ theta = -c * theta_dot }`"),
        ("constraints", "what is zero, in braces: `{ rod = x^2 + y^2 - l^2 }`"),
        (
            "velocity_constraints",
            "what is zero and linear in rates, in braces: `{ rolling = x_dot - r * phi_dot }`",
        ),
        ("stops", "what is never negative, in braces: `{ floor = y - radius }`"),
        ("restitution", "a real from 0 to 1"),
        ("positions", "where objects are, in braces: `{ bob = [x, 0, z] }`"),
        ("orientations", "how objects are turned, in braces: `{ rod = [0, theta, 0] }`"),
    ],
};

/// Reads a block. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Lagrangian>) {
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("pendulum", diagnostics);
    let written = LagrangianLists::read(&fields, diagnostics);
    names::check(&written, environment, diagnostics);
    let values = InitialValues::read(&name.text, &written, environment, settings, diagnostics);
    let Some(values) = values else { return (name, None) };
    if diagnostics[before..].iter().any(Diagnostic::is_error) {
        return (name, None);
    }
    let lagrangian = system::stated(&name, &written, &values, environment, diagnostics)
        .and_then(|stated| initial_state::settle(stated, &written, &values, diagnostics));
    (name, lagrangian)
}
