//! The ledger: every joule and every newton-second of a step has an owner.
//!
//! A change of velocity from v⁻ to v⁺ is made by an impulse p with an owner, and its work is p·(v⁻ + v⁺)/2:
//! so works add up to the change of kinetic energy by algebra. The changes of the laws' potentials, and the
//! work of moving bodies apart, are booked beside it. What is then left of the change of total energy is the
//! residual, and is called numerical error.

use gedanken_dynamics::{Life, Table};
use gedanken_math::Vec3;
use std::ops::AddAssign;
use std::sync::Arc;

/// Accounts of energy and momentum other than laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// Joints, limits and user constraints.
    Joint,
    /// Motors, and kinematic bodies that pull at joints.
    Motor,
    /// The normal force of contacts that last.
    Normal,
    /// Friction of contacts that last.
    Friction,
    /// Impacts.
    Impact,
    /// Moving bodies apart that overlap, and back to joints from which they drifted: energy of position, not
    /// of motion.
    Stabilisation,
    /// Forces and impulses that were given from outside, between steps.
    User,
}

impl Account {
    /// Every account, in the order of the books.
    pub const ALL: [Account; 7] = [
        Self::Joint,
        Self::Motor,
        Self::Normal,
        Self::Friction,
        Self::Impact,
        Self::Stabilisation,
        Self::User,
    ];

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Motor => "motor",
            Self::Normal => "normal contact",
            Self::Friction => "friction",
            Self::Impact => "impact",
            Self::Stabilisation => "stabilisation",
            Self::User => "user",
        }
    }
}

/// Energy and momentum that one account gave to the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// Energy, J: positive if the bodies gained it.
    pub energy: f64,
    /// Momentum, N·s.
    pub momentum: Vec3,
}

impl AddAssign for Entry {
    fn add_assign(&mut self, other: Self) {
        self.energy += other.energy;
        self.momentum += other.momentum;
    }
}

/// Entries of all accounts during one step, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Exchange {
    entries: [Entry; Account::ALL.len()],
}

impl Exchange {
    /// Books an entry.
    pub fn book(&mut self, account: Account, entry: Entry) {
        self.entries[account as usize] += entry;
    }

    /// Entry of an account.
    #[must_use]
    pub fn of(&self, account: Account) -> Entry {
        self.entries[account as usize]
    }

    /// Takes over all entries of another exchange.
    pub fn absorb(&mut self, other: &Exchange) {
        self.entries.iter_mut().zip(other.entries).for_each(|(mine, theirs)| *mine += theirs);
    }
}

impl Exchange {
    /// Takes back what another exchange has booked here.
    pub(crate) fn strike(&mut self, other: &Exchange) {
        for (mine, theirs) in self.entries.iter_mut().zip(other.entries) {
            mine.energy -= theirs.energy;
            mine.momentum -= theirs.momentum;
        }
    }
}

impl Table for Exchange {
    const NAME: &'static str = "exchange";
    const LIFE: Life = Life::Step;
}

/// Entry of one law.
#[derive(Debug, Clone, PartialEq)]
pub struct LawEntry {
    /// The law.
    pub law: Arc<str>,
    /// The work and momentum it gave to the bodies.
    pub entry: Entry,
    /// The change of its potential energy; `None` for a law without a potential.
    pub potential_change: Option<f64>,
}

/// The books: of the last step, or since the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LedgerPage {
    /// One entry per law.
    pub laws: Vec<LawEntry>,
    /// The other accounts.
    pub exchange: Exchange,
    /// The change of kinetic energy, J.
    pub kinetic_change: f64,
    /// The change of momentum, N·s.
    pub momentum_change: Vec3,
}

impl LedgerPage {
    /// The change of kinetic and potential energy, J.
    #[must_use]
    pub fn energy_change(&self) -> f64 {
        self.laws.iter().filter_map(|law| law.potential_change).fold(self.kinetic_change, |sum, v| sum + v)
    }

    /// The energy that no law, joint, contact, impact or correction accounts for: numerical error, J.
    #[must_use]
    pub fn residual(&self) -> f64 {
        let given = Account::ALL.iter().map(|account| self.exchange.of(*account).energy);
        let by_laws =
            self.laws.iter().filter(|law| law.potential_change.is_none()).map(|law| law.entry.energy);
        given.chain(by_laws).fold(self.energy_change(), |rest, energy| rest - energy)
    }

    /// Momentum without an owner, N·s.
    #[must_use]
    pub fn momentum_residual(&self) -> Vec3 {
        let given = Account::ALL.iter().map(|account| self.exchange.of(*account).momentum);
        let by_laws = self.laws.iter().map(|law| law.entry.momentum);
        given.chain(by_laws).fold(self.momentum_change, |rest, p| rest - p)
    }
}

/// The ledger of a simulation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    /// The kinetic energy when the books were last closed, J.
    pub(crate) kinetic: f64,
    /// The momentum then, N·s.
    pub(crate) momentum: Vec3,
    /// The potential energy of each law then.
    pub(crate) potentials: Vec<Option<f64>>,
    /// Energy and momentum that the user gave since then.
    pub(crate) given: Entry,
    /// The last step.
    pub step: LedgerPage,
    /// Since the start. Laws that a world had before it became another one stand at the end.
    pub total: LedgerPage,
}

impl Table for Ledger {
    const NAME: &'static str = "ledger";
    const LIFE: Life = Life::State;

    fn words(&self, word: &mut dyn FnMut(u64)) {
        let mut number = |x: f64| word(x.to_bits());
        let entry = |entry: &Entry, number: &mut dyn FnMut(f64)| {
            number(entry.energy);
            entry.momentum.to_array().into_iter().for_each(number);
        };
        number(self.kinetic);
        self.momentum.to_array().into_iter().for_each(&mut number);
        self.potentials.iter().flatten().copied().for_each(&mut number);
        entry(&self.given, &mut number);
        let total = &self.total;
        number(total.kinetic_change);
        total.momentum_change.to_array().into_iter().for_each(&mut number);
        total.exchange.entries.iter().for_each(|given| entry(given, &mut number));
        for law in &total.laws {
            entry(&law.entry, &mut number);
            law.potential_change.into_iter().for_each(&mut number);
        }
    }

    fn is_finite(&self) -> bool {
        self.kinetic.is_finite() && self.potentials.iter().flatten().all(|v| v.is_finite())
    }
}

/// Entries of the laws since the step began, in the order of the laws.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LawWork {
    pub(crate) entries: Vec<Entry>,
}

impl Table for LawWork {
    const NAME: &'static str = "law work";
    const LIFE: Life = Life::Step;
}

impl Ledger {
    /// Posts a step: the work of the laws, the exchange, and the new kinetic energy, momentum and potentials.
    pub(crate) fn post(
        &mut self,
        work: Option<&LawWork>,
        mut exchange: Exchange,
        (kinetic, momentum): (f64, Vec3),
        potentials: &[Option<f64>],
    ) {
        exchange.book(Account::User, std::mem::take(&mut self.given));
        let Self { step, total, .. } = self;
        step.exchange = exchange;
        step.kinetic_change = kinetic - self.kinetic;
        step.momentum_change = momentum - self.momentum;
        for (k, law) in step.laws.iter_mut().enumerate() {
            law.entry = work.and_then(|work| work.entries.get(k)).copied().unwrap_or_default();
            law.potential_change = potentials[k].zip(self.potentials[k]).map(|(now, before)| now - before);
        }
        total.exchange.absorb(&exchange);
        total.kinetic_change += step.kinetic_change;
        total.momentum_change += step.momentum_change;
        for (sum, law) in total.laws.iter_mut().zip(&step.laws) {
            sum.entry += law.entry;
            sum.potential_change = sum.potential_change.zip(law.potential_change).map(|(a, b)| a + b);
        }
        (self.kinetic, self.momentum) = (kinetic, momentum);
    }
}
