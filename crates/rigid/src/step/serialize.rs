//! A run as words, and back: everything that decides how it goes on, so that it can go on elsewhere, later,
//! with equal bits.
//!
//! The words of the columns in the order of the model, then contacts, books, and what is pushed. What never
//! changes (shapes, laws, constraints) belongs to the world, which whoever goes on has made again.

use super::external_force::{Push, Pushes};
use super::simulation::Simulation;
use crate::world::solver_body::{Mover, Starts};
use crate::collide::contact_table::{Contacts, Touch, TouchPoint};
use crate::ledger::{Account, Books, Entry, Page};
use gedanken_dynamics::{State, Values};
use gedanken_geometry::narrow::{Feature, FeatureKind};
use gedanken_math::Twist;
use gedanken_math::units::Quantity;
use gedanken_math::{Quat, Vec3};
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
    pub fn starts(&self) -> &[Mover] {
        self.step_table::<Starts>().map_or(&[], |starts| &starts.movers)
    }

    /// Everything that decides how the run goes on.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
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
        out.books(self.books());
        let pushes = state.table::<Pushes>().map_or(&[][..], |it| &it.list);
        out.count(pushes.len());
        for push in pushes {
            out.pair([0, push.row]);
            out.vector(push.force.linear);
            out.vector(push.force.angular);
        }
        out.0
    }

    /// Goes on from what [`Simulation::words`] gave in a run of the same world; `false`, and nothing has
    /// changed, if these are words of another one.
    pub fn take_up(&mut self, words: &[u64]) -> bool {
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

    fn books(&mut self, books: &Books) {
        self.real(books.kinetic);
        self.vector(books.momentum);
        self.entry(&books.given);
        self.count(books.potentials.len());
        books.potentials.iter().for_each(|potential| self.maybe(*potential));
        for page in [&books.step, &books.total] {
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

/// What stands in the place of a point that is not there.
const EMPTY: TouchPoint = TouchPoint {
    arm_a: Vec3::ZERO,
    arm_b: Vec3::ZERO,
    gap: 0.0,
    features: [Feature::face(0); 2],
    normal_impulse: 0.0,
    friction_impulse: Vec3::ZERO,
};

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
        self.books(state.table_mut::<Books>().ok()?)?;
        let pushes = (0..self.count()?).map(|_| self.push(rows)).collect::<Option<Vec<Push>>>()?;
        state.table_mut::<Pushes>().ok()?.list = pushes;
        Some(())
    }

    fn push(&mut self, rows: usize) -> Option<Push> {
        let [_, row] = self.pair().filter(|[_, row]| (*row as usize) < rows)?;
        Some(Push { row, force: Twist::new(self.vector()?, self.vector()?) })
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
    fn books(&mut self, books: &mut Books) -> Option<()> {
        (books.kinetic, books.momentum, books.given) = (self.real()?, self.vector()?, self.entry()?);
        let laws = books.potentials.len();
        (self.word()? == laws as u64).then_some(())?;
        books.potentials.iter_mut().try_for_each(|it| self.maybe().map(|potential| *it = potential))?;
        for page in [&mut books.step, &mut books.total] {
            self.page(page)?;
        }
        Some(())
    }

    fn page(&mut self, page: &mut Page) -> Option<()> {
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
