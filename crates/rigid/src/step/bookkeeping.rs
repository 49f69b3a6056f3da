//! Bookkeeping: the rules that fill the [`Ledger`] during a step, and its opening and closing around one.

use super::external_force;
use super::kick_middle::MovingLaws;
use crate::collide::island::Islands;
use crate::ledger::{Account, Entry, Exchange, LawEntry, LawWork, Ledger, LedgerPage};
use crate::world::World;
use crate::world::error::RigidError;
use crate::world::solver_body::{Displacements, SolverBodies};
use gedanken_dynamics::{
    Fault, Flow, Force, Mass, Rule, Scratch, State, StateError, ThreeD, Torque, Workflow, diagnostics, read,
    read_table, write_table,
};
use gedanken_math::{Twist, Vec3};

/// No law has done anything yet in this step.
pub(crate) fn begin(world: &World) -> Rule {
    let count = world.laws().terms().len();
    Rule::new("open ledger", (write_table::<LawWork>(),), move |_, (work,)| {
        work.entries.clear();
        work.entries.resize(count, Entry::default());
    })
}

/// Books the work of every law since the last time, W = F·displacement + τ·rotation, and its momentum F h.
/// Displacements start anew.
///
/// Shifts were booked as if all forces had potentials: laws that have none take their part of the
/// stabilisation back.
///
/// A contact solver is given forces at the velocities at the start of the step. What such a constant force does along
/// the way is the work of the law only if the law could have done it ([`work_in_contact`]); the rest is numerical error.
pub(crate) fn book_laws(world: &World, state: &State, moving: Option<&MovingLaws>) -> Flow {
    let laws = world.laws().terms().iter().enumerate().map(|(k, term)| {
        let forces = (
            read::<Force<ThreeD>>().labelled(&term.label),
            read::<Torque>().labelled(&term.label),
            read::<Mass>(),
        );
        let has_potential = !matches!(term.energy(state), Ok(None));
        if !has_potential && moving.is_some_and(|moving| moving.has(&term.label)) {
            return book_moving_law(k, &term.label);
        }
        let view =
            (forces, read_table::<Displacements>(), write_table::<LawWork>(), write_table::<Exchange>());
        Rule::new("book laws", view, move |step, ((force, torque, mass), displacements, work, exchange)| {
            let entry = &mut work.entries[k];
            let mut shifting = Entry::default();
            for row in (0..mass.len()).filter(|&row| mass[row].si() > 0.0) {
                let push = Twist::new(force[row].si(), torque[row].si());
                entry.energy += push.dot(displacements.moved[row]);
                entry.momentum += push.linear * step.h.si();
                shifting.energy += push.dot(displacements.shifted[row]);
            }
            if !has_potential {
                exchange.book(Account::Stabilisation, shifting);
            }
        })
    });
    let view = (write_table::<Displacements>(),);
    let clear = Rule::new("clear displacements", view, |_, (displacements,)| {
        displacements.moved.fill(Twist::ZERO);
        displacements.shifted.fill(Twist::ZERO);
    });
    Flow::seq(laws) >> external_force::book() >> clear
}

/// The same for law number `k`, whose forces depend on velocities.
fn book_moving_law(k: usize, label: &str) -> Rule {
    let forces = (read::<Force<ThreeD>>().labelled(label), read::<Torque>().labelled(label), read::<Mass>());
    let bodies = (read_table::<SolverBodies>(), read_table::<Islands>(), read_table::<Displacements>());
    let view = (forces, bodies, write_table::<LawWork>(), write_table::<Exchange>());
    Rule::new("book laws", view, move |step, ((force, torque, mass), bodies, work, exchange)| {
        let (at_start, islands, displacements) = bodies;
        let (entry, h) = (&mut work.entries[k], step.h.si());
        let mut shifting = Entry::default();
        for row in (0..mass.len()).filter(|&row| mass[row].si() > 0.0) {
            let push = Twist::new(force[row].si(), torque[row].si());
            let moved = displacements.moved[row];
            entry.energy += match islands.is_touching(row) {
                true => work_in_contact(push, at_start.bodies[row].twist, moved, h),
                false => push.dot(moved),
            };
            entry.momentum += push.linear * h;
            shifting.energy += push.dot(displacements.shifted[row]);
        }
        exchange.book(Account::Stabilisation, shifting);
    })
}

/// Work of a constant force along a way, for a law that gave it at the velocity at the start. A force across that
/// velocity, such as a magnetic one, does none; nor does one that slows down, such as drag, feed a body on the way, or
/// the other way round: then it is the power at the start that counts.
fn work_in_contact(push: Twist, start: Twist, moved: Twist, h: f64) -> f64 {
    let (power, work) = (push.dot(start), push.dot(moved));
    let size = (push.dot(push) * start.dot(start)).sqrt();
    let is_across = power.abs() <= ACROSS * size;
    if start != Twist::ZERO && (is_across || power * work < 0.0) { power * h } else { work }
}

/// Part of force times velocity below which their product is rounding.
const ACROSS: f64 = 1e-12;

/// Evaluates the potential energies of all laws; the first that is no number is an error with the law's name.
fn evaluate(world: &World, state: &State, potentials: &mut Vec<Option<f64>>) -> Result<(), Fault> {
    potentials.clear();
    for term in world.laws().terms() {
        let failed =
            |message: String| Fault::Failed { rule: term.label.clone(), time: state.time().si(), message };
        let energy = term.energy(state).map_err(|error| failed(error.to_string()))?.map(|energy| energy.si());
        if let Some(bad) = energy.filter(|energy| !energy.is_finite()) {
            return Err(failed(format!(
                "its potential energy is {bad} J where the bodies are now; give it one that is finite there"
            )));
        }
        potentials.push(energy);
    }
    Ok(())
}

/// Kinetic energy and momentum of all bodies.
fn motion(state: &State) -> (f64, Vec3) {
    const HAS: &str = "every world has masses and motions";
    let kinetic = diagnostics::kinetic_energy::<ThreeD>(state).expect(HAS);
    (kinetic.si(), diagnostics::momentum::<ThreeD>(state).expect(HAS).si())
}

/// Opens the ledger at a state; with the sums of earlier ledger, if there were any, for laws of the same
/// name.
pub(crate) fn open(world: &World, state: &mut State) -> Result<(), RigidError> {
    let mut ledger = std::mem::take(state.table_mut::<Ledger>()?);
    evaluate(world, state, &mut ledger.potentials).map_err(Box::new)?;
    (ledger.kinetic, ledger.momentum) = motion(state);
    let fresh = world.laws().terms().iter().zip(&ledger.potentials).map(|(term, potential)| LawEntry {
        law: term.label.clone(),
        entry: Entry::default(),
        potential_change: potential.map(|_| 0.0),
    });
    let fresh: Vec<LawEntry> = fresh.collect();
    let mut earlier = std::mem::take(&mut ledger.total.laws);
    for law in &fresh {
        let same = |old: &LawEntry| {
            old.law == law.law && old.potential_change.is_some() == law.potential_change.is_some()
        };
        let sum = earlier.iter().position(same).map(|place| earlier.remove(place));
        ledger.total.laws.push(sum.unwrap_or_else(|| law.clone()));
    }
    ledger.total.laws.append(&mut earlier);
    // What the user gave just before is in the motion that the ledger start from.
    let given = std::mem::take(&mut ledger.given);
    ledger.total.exchange.book(Account::User, given);
    ledger.total.kinetic_change += given.energy;
    ledger.total.momentum_change += given.momentum;
    ledger.step = LedgerPage { laws: fresh, ..LedgerPage::default() };
    *state.table_mut::<Ledger>()? = ledger;
    Ok(())
}

/// The user gave something between two steps: it stands on the page of the next one.
pub(crate) fn expect(state: &mut State, entry: Entry) -> Result<(), StateError> {
    state.table_mut::<Ledger>()?.given += entry;
    Ok(())
}

/// Closes the page of the step that has just been made; a fault, and the ledger as they were, if a law has no
/// finite energy. `potentials` is memory.
pub(crate) fn close(
    world: &World,
    workflow: &Workflow,
    scratch: &Scratch,
    state: &mut State,
    potentials: &mut Vec<Option<f64>>,
) -> Result<(), Fault> {
    const HAS: &str = "every world has a ledger";
    let mut ledger = std::mem::take(state.table_mut::<Ledger>().expect(HAS));
    let now = motion(state);
    let mut evaluated = evaluate(world, state, potentials);
    if !now.0.is_finite() {
        let message = "bodies are so fast that their energy is no number any more".to_owned();
        evaluated = Err(Fault::Failed { rule: "ledger".into(), time: state.time().si(), message });
    }
    if evaluated.is_ok() {
        let work = workflow.transient_table::<LawWork>(scratch);
        let exchange = workflow.transient_table::<Exchange>(scratch).copied().unwrap_or_default();
        ledger.post(work, exchange, now, potentials);
        std::mem::swap(&mut ledger.potentials, potentials);
    }
    *state.table_mut::<Ledger>().expect(HAS) = ledger;
    evaluated
}
