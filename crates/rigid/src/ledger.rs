//! The ledger: every joule and every newton-second of a step has an owner.
//!
//! Whatever changes a velocity from v⁻ to v⁺ does so by an impulse p with an owner, and its work is p·(v⁻ +
//! v⁺)/2: so works add up to the change of kinetic energy by algebra. What the laws' potentials took in
//! exchange, and what moving bodies apart did to them, is booked beside it. What then is left of the change
//! of total energy is the residual, and is called numerical error.

use super::step::external_force;
use super::world::solver_body::Ways;
use super::world::World;
use super::world::error::RigidError;
use gedanken_dynamics::{
    Fault, Flow, Force, Life, Mass, Rule, Scratch, State, StateError, Table, ThreeD, Torque, Workflow,
    diagnostics, read, read_table, write_table,
};
use gedanken_math::Twist;
use gedanken_math::Vec3;
use std::ops::AddAssign;
use std::sync::Arc;

/// Who exchanges energy and momentum with the bodies.
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

/// What one account gave to the bodies.
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

/// What the accounts gave during one step, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Exchange {
    entries: [Entry; Account::ALL.len()],
}

impl Exchange {
    /// Books an entry.
    pub fn book(&mut self, account: Account, entry: Entry) {
        self.entries[account as usize] += entry;
    }

    /// What an account gave.
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
    pub(super) fn strike(&mut self, other: &Exchange) {
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

/// What a law did.
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
pub struct Page {
    /// One entry per law.
    pub laws: Vec<LawEntry>,
    /// The other accounts.
    pub exchange: Exchange,
    /// The change of kinetic energy, J.
    pub kinetic_change: f64,
    /// The change of momentum, N·s.
    pub momentum_change: Vec3,
}

impl Page {
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

    /// The momentum that nobody accounts for, N·s.
    #[must_use]
    pub fn momentum_residual(&self) -> Vec3 {
        let given = Account::ALL.iter().map(|account| self.exchange.of(*account).momentum);
        let by_laws = self.laws.iter().map(|law| law.entry.momentum);
        given.chain(by_laws).fold(self.momentum_change, |rest, p| rest - p)
    }
}

/// The ledger of a simulation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Books {
    /// The kinetic energy when the books were last closed, J.
    pub(super) kinetic: f64,
    /// The momentum then, N·s.
    pub(super) momentum: Vec3,
    /// The potential energy of each law then.
    pub(super) potentials: Vec<Option<f64>>,
    /// What the user gave since then.
    pub(super) given: Entry,
    /// The last step.
    pub step: Page,
    /// Since the start. Laws that a world had before it became another one stand at the end.
    pub total: Page,
}

impl Table for Books {
    const NAME: &'static str = "books";
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

/// What each law gave since the step began, in the order of the laws.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LawWork {
    entries: Vec<Entry>,
}

impl Table for LawWork {
    const NAME: &'static str = "law work";
    const LIFE: Life = Life::Step;
}

/// No law has done anything yet in this step.
pub(super) fn begin(world: &World) -> Rule {
    let count = world.laws().terms().len();
    Rule::new("open books", (write_table::<LawWork>(),), move |_, (work,)| {
        work.entries.clear();
        work.entries.resize(count, Entry::default());
    })
}

/// Books what every law did since the last time: W = F·way + τ·turn, momentum F h. The ways start anew.
///
/// Shifts were booked as if all forces had potentials: laws that have none take their part of the
/// stabilisation back.
pub(super) fn book_laws(world: &World, state: &State) -> Flow {
    let laws = world.laws().terms().iter().enumerate().map(|(k, term)| {
        let forces = (
            read::<Force<ThreeD>>().labelled(&term.label),
            read::<Torque>().labelled(&term.label),
            read::<Mass>(),
        );
        let has_potential = !matches!(term.energy(state), Ok(None));
        let view = (forces, read_table::<Ways>(), write_table::<LawWork>(), write_table::<Exchange>());
        Rule::new("book laws", view, move |step, ((force, torque, mass), ways, work, exchange)| {
            let entry = &mut work.entries[k];
            let mut shifting = Entry::default();
            for row in (0..mass.len()).filter(|&row| mass[row].si() > 0.0) {
                let push = Twist::new(force[row].si(), torque[row].si());
                entry.energy += push.dot(ways.ways[row]);
                entry.momentum += push.linear * step.h.si();
                shifting.energy += push.dot(ways.shifts[row]);
            }
            if !has_potential {
                exchange.book(Account::Stabilisation, shifting);
            }
        })
    });
    let view = (write_table::<Ways>(),);
    let clear = Rule::new("clear ways", view, |_, (ways,)| {
        ways.ways.fill(Twist::ZERO);
        ways.shifts.fill(Twist::ZERO);
    });
    Flow::seq(laws) >> external_force::book() >> clear
}

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

/// Opens the books at a state; with the sums of earlier books, if there were any, for laws of the same name.
pub(super) fn open(world: &World, state: &mut State) -> Result<(), RigidError> {
    let mut books = std::mem::take(state.table_mut::<Books>()?);
    evaluate(world, state, &mut books.potentials).map_err(Box::new)?;
    (books.kinetic, books.momentum) = motion(state);
    let fresh = world.laws().terms().iter().zip(&books.potentials).map(|(term, potential)| LawEntry {
        law: term.label.clone(),
        entry: Entry::default(),
        potential_change: potential.map(|_| 0.0),
    });
    let fresh: Vec<LawEntry> = fresh.collect();
    let mut earlier = std::mem::take(&mut books.total.laws);
    for law in &fresh {
        let same = |old: &LawEntry| {
            old.law == law.law && old.potential_change.is_some() == law.potential_change.is_some()
        };
        let sum = earlier.iter().position(same).map(|place| earlier.remove(place));
        books.total.laws.push(sum.unwrap_or_else(|| law.clone()));
    }
    books.total.laws.append(&mut earlier);
    // What the user gave just before is in the motion that the books start from.
    let given = std::mem::take(&mut books.given);
    books.total.exchange.book(Account::User, given);
    books.total.kinetic_change += given.energy;
    books.total.momentum_change += given.momentum;
    books.step = Page { laws: fresh, ..Page::default() };
    *state.table_mut::<Books>()? = books;
    Ok(())
}

/// The user gave something between two steps: it stands on the page of the next one.
pub(super) fn expect(state: &mut State, entry: Entry) -> Result<(), StateError> {
    state.table_mut::<Books>()?.given += entry;
    Ok(())
}

/// Closes the page of the step that has just been made; a fault, and the books as they were, if a law has no
/// finite energy. `potentials` is memory.
pub(super) fn close(
    world: &World,
    workflow: &Workflow,
    scratch: &Scratch,
    state: &mut State,
    potentials: &mut Vec<Option<f64>>,
) -> Result<(), Fault> {
    const HAS: &str = "every world has books";
    let mut books = std::mem::take(state.table_mut::<Books>().expect(HAS));
    let now = motion(state);
    let mut evaluated = evaluate(world, state, potentials);
    if !now.0.is_finite() {
        let message = "bodies are so fast that their energy is no number any more".to_owned();
        evaluated = Err(Fault::Failed { rule: "ledger".into(), time: state.time().si(), message });
    }
    if evaluated.is_ok() {
        books.post(workflow, scratch, now, potentials);
        std::mem::swap(&mut books.potentials, potentials);
    }
    *state.table_mut::<Books>().expect(HAS) = books;
    evaluated
}

impl Books {
    fn post(
        &mut self,
        workflow: &Workflow,
        scratch: &Scratch,
        (kinetic, momentum): (f64, Vec3),
        potentials: &[Option<f64>],
    ) {
        let work = workflow.transient_table::<LawWork>(scratch);
        let mut exchange = workflow.transient_table::<Exchange>(scratch).copied().unwrap_or_default();
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
