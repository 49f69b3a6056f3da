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

use super::core::access::{read, write};
use super::core::column::Coordinates;
use super::core::flow::Flow;
use super::core::rule::Rule;
use super::core::state::{State, StateError};
use super::core::workflow::{Scratch, Workflow};
use crate::attributes::{
    AngularImpulse, AngularVelocity, AngularVelocityBefore, Force, Impulse, Torque, Velocity, VelocityBefore,
    Work,
};
use crate::diagnostics;
use crate::laws::Laws;
use crate::mechanics::{Mechanics, clear};
use crate::space::Space;
use crate::{par, seq};
use gedanken_math::units::{Energy, Quantity};
use std::marker::PhantomData;
use std::sync::Arc;

/// The rules that book impulses and work, for a set of laws.
#[derive(Debug)]
pub(crate) struct Booking<S: Space> {
    labels: Vec<Arc<str>>,
    turns: bool,
    space: PhantomData<S>,
}

impl<S: Space> Booking<S> {
    pub(crate) fn new(laws: &Laws<S>, turns: bool) -> Self {
        Self { labels: laws.terms().iter().map(|t| t.label.clone()).collect(), turns, space: PhantomData }
    }

    fn for_each_law(&self, rules: impl Fn(&str) -> Vec<Rule>) -> Flow {
        Flow::par(self.labels.iter().flat_map(|label| rules(label)))
    }

    /// No work done yet in this step.
    pub(crate) fn begin(&self) -> Flow {
        self.for_each_law(|label| vec![Rule::zero("book work", write::<Work>().labelled(label))])
    }

    pub(crate) fn clear_forces(&self) -> Flow {
        let laws = self.labels.iter().map(|label| clear::<S>(Some(label), self.turns));
        Flow::par(laws.chain([clear::<S>(None, self.turns)]))
    }

    /// F = Σ F_k in the order of the laws: the same sum, to the bit, as without a ledger.
    pub(crate) fn add_up_forces(&self) -> Flow {
        let forces = self.labels.iter().map(|label| {
            let view = (read::<Force<S>>().labelled(label), write::<Force<S>>());
            Rule::new("add up forces", view, |_, (part, total)| {
                total.iter_mut().zip(part).for_each(|(total, part)| *total += *part);
            })
        });
        let torques = self.labels.iter().filter(|_| self.turns).map(|label| {
            let view = (read::<Torque>().labelled(label), write::<Torque>());
            Rule::new("add up torques", view, |_, (part, total)| {
                total.iter_mut().zip(part).for_each(|(total, part)| *total += *part);
            })
        });
        par![Flow::seq(forces), Flow::seq(torques)]
    }

    /// Remembers the velocities; no impulse yet.
    pub(crate) fn open(&self) -> Flow {
        let before =
            Rule::new("open", (read::<Velocity<S>>(), write::<VelocityBefore<S>>()), |_, (v, before)| {
                before.copy_from_slice(v);
            });
        let view = (read::<AngularVelocity>(), write::<AngularVelocityBefore>());
        let spins = Rule::new("open", view, |_, (omega, before)| before.copy_from_slice(omega));
        let impulses = self.for_each_law(|label| {
            let mut rules = vec![Rule::zero("book impulse", write::<Impulse<S>>().labelled(label))];
            if self.turns {
                rules.push(Rule::zero("book angular impulse", write::<AngularImpulse>().labelled(label)));
            }
            rules
        });
        if self.turns { par![before, spins, impulses] } else { par![before, impulses] }
    }

    /// J_k += weight·h·F_k.
    pub(crate) fn gather(&self, weight: f64) -> Flow {
        self.for_each_law(|label| {
            let linear = (read::<Force<S>>().labelled(label), write::<Impulse<S>>().labelled(label));
            let angular = (read::<Torque>().labelled(label), write::<AngularImpulse>().labelled(label));
            let mut rules = vec![Rule::new("book impulse", linear, move |step, (f, j)| {
                j.iter_mut().zip(f).for_each(|(j, f)| *j += *f * (step.h * weight));
            })];
            if self.turns {
                rules.push(Rule::new("book angular impulse", angular, move |step, (t, j)| {
                    j.iter_mut().zip(t).for_each(|(j, t)| *j += *t * (step.h * weight));
                }));
            }
            rules
        })
    }

    /// W_k += J_k·(v⁻ + v⁺)/2, and the same for rotation.
    pub(crate) fn close(&self) -> Flow {
        self.for_each_law(|label| {
            let speeds = (read::<VelocityBefore<S>>(), read::<Velocity<S>>());
            let linear = (speeds, read::<Impulse<S>>().labelled(label), write::<Work>().labelled(label));
            vec![Rule::new("book work", linear, |_, ((before, after), j, work)| {
                for (k, work) in work.iter_mut().enumerate() {
                    let mean = (before[k].si() + after[k].si()) * 0.5;
                    *work += Quantity::new(j[k].si().dot(mean));
                }
            })]
        }) >> self.close_rotation()
    }

    fn close_rotation(&self) -> Flow {
        if !self.turns {
            return seq![];
        }
        self.for_each_law(|label| {
            let speeds = (read::<AngularVelocityBefore>(), read::<AngularVelocity>());
            let angular = (speeds, read::<AngularImpulse>().labelled(label), write::<Work>().labelled(label));
            vec![Rule::new("book work", angular, |_, ((before, after), j, work)| {
                for (k, work) in work.iter_mut().enumerate() {
                    *work += j[k].dot((before[k] + after[k]) * 0.5);
                }
            })]
        })
    }
}

/// What one law did.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerEntry {
    /// The law.
    pub law: Arc<str>,
    /// The work of its impulses and angular impulses.
    pub work: Quantity<Energy>,
    /// The change of its potential energy; `None` for a law without a potential.
    pub potential_change: Option<Quantity<Energy>>,
}

impl LedgerEntry {
    /// What the law did beyond its potential: zero for an exact integrator; zero by definition without a
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
    entries: Vec<LedgerEntry>,
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
        let entries = laws.terms().iter().zip(&potentials).map(|(term, v)| LedgerEntry {
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
    pub fn entries(&self) -> &[LedgerEntry] {
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
