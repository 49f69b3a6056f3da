//! Soft constraints: rows J with violation r, reference acceleration a_ref and regularisation R.
//!
//! A constraint that is off by r, and changes at the rate J v, asks for a_ref = −b J v − k d(r) r − J̇ v, and
//! resists with D = 1 / R, where R = (1 − d) / d times the inverse inertia that it feels. One file per kind;
//! rows stand in the order equalities, dry friction, motors, limits, inequalities, contacts.
//!
//! | file | rows |
//! |---|---|
//! | `connect`, `weld`, `hinge`, `slide`, `universal`, `polynomial`, `distance` | equalities |
//! | `friction_loss`, `motor` | dry friction of freedoms, drives at a speed |
//! | `limit`, `closure_limit`, `rope` | limits of joints, of joints that close loops, distances that are bounded |
//! | `outside` | conditions of the surroundings, equalities or inequalities |
//! | `contact` | contacts: frictionless, pyramid, elliptic cone |
//! | `softness` | impedance and reference |
//! | `regularise` | R, D and a_ref of all rows |

mod closure_limit;
mod connect;
pub mod contact;
mod distance;
mod friction_loss;
mod hinge;
mod limit;
mod motor;
mod outside;
mod pair;
mod place;
mod polynomial;
mod regularise;
mod rope;
pub mod rows;
mod slide;
pub mod softness;
mod universal;
mod weld;

use crate::compile::Model;
use crate::contacts::Contact;
use crate::model::{BodyId, Equality, EqualityKind, Inequality, InequalityKind};
use crate::state::State;
use crate::surroundings::OutsideRow;
use crate::tree::kinematics::Kinematics;
use crate::tree::mass_matrix::TreeFactor;
use place::Place;
use rows::Rows;

/// Writes the rows of a state, with its contacts and the conditions of the surroundings given.
pub fn assemble(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    factor: &TreeFactor,
    contacts: &[Contact],
    outside: &[OutsideRow],
    rows: &mut Rows,
) {
    rows.clear();
    let disabled = &model.description.settings.disabled;
    if disabled.constraints {
        return;
    }
    let place = Place { model, state, kinematics, outside };
    if !disabled.equalities {
        for (number, equality) in model.description.equalities.iter().enumerate() {
            if equality.is_active {
                push_equality(&place, rows, number, equality);
            }
        }
    }
    if !disabled.friction_loss {
        friction_loss::push_all(&place, rows);
    }
    motor::push_all(&place, rows);
    if !disabled.limits {
        limit::push_all(&place, rows);
    }
    for (number, inequality) in model.description.inequalities.iter().enumerate() {
        push_inequality(&place, rows, number, inequality);
    }
    if !disabled.contacts {
        contact::push_all(&place, rows, contacts);
    }
    regularise::regularise(&place, factor, contacts, rows);
}

fn push_equality(place: &Place<'_>, rows: &mut Rows, number: usize, equality: &Equality) {
    let softness = equality.softness;
    // An equality that no freedom moves says nothing. Where two ends move as one its rows are zero but for
    // rounding; they stay, or their number would change with it.
    let moves = |body: BodyId| place.model.topology.last_freedom[body.index()].is_some();
    if equality.kind.bodies().is_some_and(|bodies| !bodies.into_iter().any(moves)) {
        return;
    }
    match equality.kind {
        EqualityKind::Connect { first, second } => {
            connect::push(place, rows, number, softness, [first, second]);
        }
        EqualityKind::Weld { first, second, torque_scale } => {
            weld::push(place, rows, number, softness, [first, second], torque_scale);
        }
        EqualityKind::Hinge { first, second } => {
            hinge::push(place, rows, number, softness, [first, second]);
        }
        EqualityKind::Slide { first, second } => {
            slide::push(place, rows, number, softness, [first, second]);
        }
        EqualityKind::Universal { first, second } => {
            universal::push(place, rows, number, softness, [first, second]);
        }
        EqualityKind::Polynomial { driven, driver, coefficients } => {
            polynomial::push(place, rows, number, softness, driven, driver, coefficients);
        }
        EqualityKind::Distance { first, second, length } => {
            distance::push(place, rows, number, softness, [first, second], length);
        }
        EqualityKind::Outside { number: condition, bodies } => {
            outside::push_equality(place, rows, number, softness, (condition, bodies));
        }
    }
}

fn push_inequality(place: &Place<'_>, rows: &mut Rows, number: usize, inequality: &Inequality) {
    let softness = inequality.softness;
    match inequality.kind {
        InequalityKind::Rope { first, second, length } => {
            rope::push(place, rows, number, softness, [first, second], length);
        }
        InequalityKind::Angle { first, second, limits } => {
            closure_limit::push_angle(place, rows, number, softness, [first, second], limits);
        }
        InequalityKind::Shift { first, second, limits } => {
            closure_limit::push_shift(place, rows, number, softness, [first, second], limits);
        }
        InequalityKind::Outside { number: condition, bodies } => {
            outside::push_inequality(place, rows, number, softness, (condition, bodies));
        }
    }
}
