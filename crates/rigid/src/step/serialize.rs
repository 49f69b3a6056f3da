//! Serialization: saves a simulation as `u64` words and restores it bit for bit.
//!
//! The words are the columns in the order of the model, then contacts, ledger, and external forces. What
//! never changes (shapes, laws, constraints) belongs to the world, which the caller makes again.

use super::external_force::{ExternalForce, ExternalForces};
use super::simulation::Simulation;
use crate::collide::contact_table::{Contacts, EMPTY, Touch, TouchPoint};
use crate::ledger::{Account, Entry, Ledger, LedgerPage};
use crate::world::solver_body::{SolverBodies, SolverBody};
use gedanken_dynamics::{State, Values};
use gedanken_geometry::narrow::{Feature, FeatureKind};
use gedanken_math::units::Quantity;
use gedanken_math::{Quat, Twist, Vec3};
use std::sync::Arc;

impl Simulation {
    /// Puts the clock to a time, s: nothing else changes. Who counts steps sets the time of each, so that no
    /// rounding adds up.
    pub fn set_time(&mut self, time: f64) {
        let tick = self.state().tick();
        self.state_mut().set_clock(Quantity::new(time), tick);
    }

    /// Every body by row as it was when the last step began; empty before the first.
    #[must_use]
    pub fn bodies_at_start(&self) -> &[SolverBody] {
        self.step_table::<SolverBodies>().map_or(&[], |at_start| &at_start.bodies)
    }

    /// Saves the simulation as words: everything that decides how it goes on.
    #[must_use]
    pub fn to_words(&self) -> Vec<u64> {
        let state = self.state();
        let mut words = vec![state.time().si().to_bits(), state.tick()];
        for column in state.columns() {
            if !matches!(column.values(), Values::Table(_)) {
                column.values().for_each_word(|word| words.push(word));
            }
        }
        let mut out = Writer(words);
        out.count(self.contacts().touches.len());
        self.contacts().touches.iter().for_each(|touch| out.touch(touch));
        out.ledger(self.ledger());
        let forces = state.table::<ExternalForces>().map_or(&[][..], |it| &it.list);
        out.count(forces.len());
        for force in forces {
            out.pair([0, force.row]);
            out.vector(force.force.linear);
            out.vector(force.force.angular);
        }
        out.0
    }

    /// Goes on from what [`Simulation::to_words`] gave in a run of the same world; `false`, and nothing has
    /// changed, if these are words of another one.
    pub fn load_words(&mut self, words: &[u64]) -> bool {
        let mut state = self.state().clone();
        let mut reader = Reader(words);
        let taken = reader.state(&mut state, self.world().model().components().len());
        if taken.is_none() || !reader.0.is_empty() || state.validate().is_err() {
            return false;
        }
        *self.state_mut() = state;
        true
    }
}

/// Puts words together.
struct Writer(Vec<u64>);

impl Writer {
    fn count(&mut self, count: usize) {
        self.0.push(count as u64);
    }

    fn real(&mut self, real: f64) {
        self.0.push(real.to_bits());
    }

    fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|x| self.real(x));
    }

    fn pair(&mut self, [high, low]: [u32; 2]) {
        self.0.push(u64::from(high) << 32 | u64::from(low));
    }

    fn touch(&mut self, touch: &Touch) {
        self.pair([touch.a, touch.b]);
        self.pair(touch.parts);
        self.vector(touch.normal);
        self.real(touch.friction);
        self.real(touch.lasting);
        self.count(usize::from(touch.touching));
        self.count(usize::from(touch.count));
        for point in touch.points() {
            self.vector(point.arm_a);
            self.vector(point.arm_b);
            self.real(point.gap);
            for feature in point.features {
                let (kind, numbers) = match feature.kind() {
                    FeatureKind::Vertex(vertex) => (0, [vertex, 0]),
                    FeatureKind::Edge(from, to) => (1, [from, to]),
                    FeatureKind::Face(face) => (2, [face, 0]),
                };
                self.count(kind);
                self.pair(numbers);
            }
            self.real(point.normal_impulse);
            self.vector(point.friction_impulse);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.real(entry.energy);
        self.vector(entry.momentum);
    }

    fn maybe(&mut self, real: Option<f64>) {
        self.count(usize::from(real.is_some()));
        self.real(real.unwrap_or(0.0));
    }

    fn ledger(&mut self, ledger: &Ledger) {
        self.real(ledger.kinetic);
        self.vector(ledger.momentum);
        self.entry(&ledger.given);
        self.count(ledger.potentials.len());
        ledger.potentials.iter().for_each(|potential| self.maybe(*potential));
        for page in [&ledger.step, &ledger.total] {
            for law in &page.laws {
                self.entry(&law.entry);
                self.maybe(law.potential_change);
            }
            Account::ALL.iter().for_each(|account| self.entry(&page.exchange.of(*account)));
            self.real(page.kinetic_change);
            self.vector(page.momentum_change);
        }
    }
}

/// Takes words apart; `None` where they do not fit.
struct Reader<'w>(&'w [u64]);

impl Reader<'_> {
    fn word(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number of things, each of which takes a word at least.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.word()?).ok().filter(|count| *count <= self.0.len())
    }

    fn real(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits).filter(|real| real.is_finite())
    }

    fn vector(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.real()?, self.real()?, self.real()?))
    }

    fn pair(&mut self) -> Option<[u32; 2]> {
        self.word().map(|word| [(word >> 32) as u32, word as u32])
    }

    fn state(&mut self, state: &mut State, rows: usize) -> Option<()> {
        let (time, tick) = (self.real()?, self.word()?);
        state.set_clock(Quantity::new(time), tick);
        for values in state.values_mut() {
            self.column(values)?;
        }
        let touches = (0..self.count()?).map(|_| self.touch(rows)).collect::<Option<Vec<Touch>>>()?;
        state.table_mut::<Contacts>().ok()?.touches = Arc::new(touches);
        self.ledger(state.table_mut::<Ledger>().ok()?)?;
        let forces =
            (0..self.count()?).map(|_| self.external_force(rows)).collect::<Option<Vec<ExternalForce>>>()?;
        state.table_mut::<ExternalForces>().ok()?.list = forces;
        Some(())
    }

    fn external_force(&mut self, rows: usize) -> Option<ExternalForce> {
        let [_, row] = self.pair().filter(|[_, row]| (*row as usize) < rows)?;
        Some(ExternalForce { row, force: Twist::new(self.vector()?, self.vector()?) })
    }

    fn column(&mut self, values: &mut Values) -> Option<()> {
        match values {
            Values::Real(reals) => reals.iter_mut().try_for_each(|it| self.real().map(|real| *it = real)),
            Values::Vector(vectors) => vectors.iter_mut().try_for_each(|it| self.vector().map(|v| *it = v)),
            Values::Rotation(rotations) => rotations.iter_mut().try_for_each(|it| {
                let [x, y, z, w] = [self.real()?, self.real()?, self.real()?, self.real()?];
                *it = Quat::from_xyzw(x, y, z, w);
                Some(())
            }),
            Values::Flag(flags) => flags.iter_mut().try_for_each(|it| self.flag().map(|flag| *it = flag)),
            Values::Table(_) => Some(()),
        }
    }

    fn flag(&mut self) -> Option<bool> {
        self.word().filter(|word| *word <= 1).map(|word| word == 1)
    }

    fn touch(&mut self, rows: usize) -> Option<Touch> {
        let [a, b] = self.pair()?;
        let inside = a < b && (b as usize) < rows;
        let (parts, normal, friction) = (self.pair()?, self.vector()?, self.real()?);
        let lasting = self.real()?;
        let touching = self.flag()?;
        let count = self.word().filter(|count| inside && *count <= 4)? as u8;
        let mut points = [EMPTY; 4];
        for point in &mut points[..usize::from(count)] {
            *point = TouchPoint {
                arm_a: self.vector()?,
                arm_b: self.vector()?,
                gap: self.real()?,
                features: [self.feature()?, self.feature()?],
                normal_impulse: self.real()?,
                friction_impulse: self.vector()?,
            };
        }
        Some(Touch { a, b, parts, normal, friction, lasting, touching, count, points })
    }

    fn feature(&mut self) -> Option<Feature> {
        let (kind, [first, second]) = (self.word()?, self.pair()?);
        match kind {
            0 => Some(Feature::vertex(first)),
            1 => Some(Feature::edge(first, second)),
            2 => Some(Feature::face(first)),
            _ => None,
        }
    }

    fn entry(&mut self) -> Option<Entry> {
        Some(Entry { energy: self.real()?, momentum: self.vector()? })
    }

    fn maybe(&mut self) -> Option<Option<f64>> {
        let (is_some, real) = (self.flag()?, self.real()?);
        Some(is_some.then_some(real))
    }

    /// The books of a world with the same laws: their names stay.
    fn ledger(&mut self, ledger: &mut Ledger) -> Option<()> {
        (ledger.kinetic, ledger.momentum, ledger.given) = (self.real()?, self.vector()?, self.entry()?);
        let laws = ledger.potentials.len();
        (self.word()? == laws as u64).then_some(())?;
        ledger.potentials.iter_mut().try_for_each(|it| self.maybe().map(|potential| *it = potential))?;
        for page in [&mut ledger.step, &mut ledger.total] {
            self.page(page)?;
        }
        Some(())
    }

    fn page(&mut self, page: &mut LedgerPage) -> Option<()> {
        for law in &mut page.laws {
            law.entry = self.entry()?;
            law.potential_change = self.maybe()?;
        }
        page.exchange = Default::default();
        for account in Account::ALL {
            page.exchange.book(account, self.entry()?);
        }
        page.kinetic_change = self.real()?;
        page.momentum_change = self.vector()?;
        Some(())
    }
}
