//! The ledger: every joule of a step has an owner.
//!
//! Whatever changes a velocity from v⁻ to v⁺ is an impulse J = m(v⁺ - v⁻), and its work is
//!
//! W = J·(v⁻ + v⁺)/2 = ½m v⁺² - ½m v⁻²
//!
//! exactly, by algebra. When several laws push at once, J = Σ J_k with J_k = h F_k, each law is credited with
//! W_k = J_k·(v⁻ + v⁺)/2, and the W_k add up to the change of kinetic energy, to rounding. Rotation is the
//! same with torque and angular velocity. A law with a potential V should do the work -ΔV; what it did beyond
//! that is the error of the integrator, and the ledger says so: **work + ΔV** is numerical error, and nothing
//! else is.

use crate::attributes::Work;
use crate::core::state::{State, StateError};
use crate::core::workflow::{Scratch, Workflow};
use crate::diagnostics;
use crate::laws::law::Laws;
use crate::mechanics::Mechanics;
use crate::space::Space;
use gedanken_math::units::{Energy, Quantity};
use std::sync::Arc;

/// Entry of one law.
#[derive(Debug, Clone, PartialEq)]
pub struct LawEntry {
    /// The law.
    pub law: Arc<str>,
    /// The work of its impulses and angular impulses.
    pub work: Quantity<Energy>,
    /// The change of its potential energy; `None` for a law without a potential.
    pub potential_change: Option<Quantity<Energy>>,
}

impl LawEntry {
    /// Work of the law beyond its potential: zero for an exact integrator; zero by definition without a
    /// potential.
    #[must_use]
    pub fn numerical_error(&self) -> Quantity<Energy> {
        self.potential_change.map_or_else(Quantity::default, |change| self.work + change)
    }

    /// Energy that the law put in (positive) or took out (negative) for good: the work of a law without a
    /// potential.
    #[must_use]
    pub fn exchanged(&self) -> Quantity<Energy> {
        if self.potential_change.is_some() { Quantity::default() } else { self.work }
    }
}

/// The account of energy from the moment it was opened.
#[derive(Debug, Clone)]
pub struct Ledger<S: Space> {
    laws: Laws<S>,
    entries: Vec<LawEntry>,
    potentials: Vec<Option<Quantity<Energy>>>,
    kinetic: Quantity<Energy>,
    kinetic_change: Quantity<Energy>,
}

impl<S: Space> Ledger<S> {
    /// Opens the account at a state.
    pub fn open(mechanics: &Mechanics<S>, state: &State) -> Result<Self, StateError> {
        let laws = mechanics.laws().clone();
        let mut potentials = Vec::new();
        for term in laws.terms() {
            potentials.push(term.energy(state)?);
        }
        let entries = laws.terms().iter().zip(&potentials).map(|(term, v)| LawEntry {
            law: term.label.clone(),
            work: Quantity::default(),
            potential_change: v.map(|_| Quantity::default()),
        });
        let entries = entries.collect();
        let kinetic = diagnostics::kinetic_energy::<S>(state)?;
        Ok(Self { laws, entries, potentials, kinetic, kinetic_change: Quantity::default() })
    }

    /// Posts the step that has just been made: its work from the scratch memory, its potentials from the new
    /// state.
    pub fn post(&mut self, workflow: &Workflow, scratch: &Scratch, state: &State) -> Result<(), StateError> {
        let kinetic = diagnostics::kinetic_energy::<S>(state)?;
        self.kinetic_change += kinetic - self.kinetic;
        self.kinetic = kinetic;
        for ((term, entry), before) in
            self.laws.terms().iter().zip(&mut self.entries).zip(&mut self.potentials)
        {
            if let Some(work) = workflow.transient_labelled::<Work>(scratch, &term.label) {
                entry.work += work.iter().fold(Quantity::default(), |sum, w| sum + *w);
            }
            let now = term.energy(state)?;
            if let (Some(change), Some(before), Some(now)) = (&mut entry.potential_change, *before, now) {
                *change += now - before;
            }
            *before = now;
        }
        Ok(())
    }

    /// One entry per law.
    #[must_use]
    pub fn entries(&self) -> &[LawEntry] {
        &self.entries
    }

    /// The change of kinetic energy.
    #[must_use]
    pub fn kinetic_change(&self) -> Quantity<Energy> {
        self.kinetic_change
    }

    /// The change of total energy: kinetic and potential.
    #[must_use]
    pub fn energy_change(&self) -> Quantity<Energy> {
        let potentials = self.entries.iter().filter_map(|e| e.potential_change);
        potentials.fold(self.kinetic_change, |sum, change| sum + change)
    }

    /// Kinetic energy that no impulse accounts for: rounding, and the error of an approximate free rotation.
    #[must_use]
    pub fn unbooked(&self) -> Quantity<Energy> {
        self.entries.iter().fold(self.kinetic_change, |rest, e| rest - e.work)
    }

    /// Energy that came or went through the integrator's error: all that no law exchanged.
    #[must_use]
    pub fn numerical_error(&self) -> Quantity<Energy> {
        self.entries.iter().fold(self.unbooked(), |sum, e| sum + e.numerical_error())
    }
}
