//! The trait [`Law`], and sums of laws with strengths ([`Laws`]).

use crate::attributes::{AngularVelocity, Force, Torque, Velocity};
use crate::core::access::{Access, Add, AddAt, Verb, add, add_at};
use crate::core::attribute::Attribute as _;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rows::Rows;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::laws::slopes::{SlopeAnswer, Slopes};
use crate::space::Space;
use gedanken_math::units::{Energy, Quantity};
use std::collections::BTreeMap;
use std::ops::{Add as Plus, Mul};
use std::sync::Arc;

/// A law of motion: forces, perhaps torques, perhaps a potential.
pub trait Law<S: Space>: std::fmt::Debug + Send + Sync {
    /// Name of the law in messages and ledgers.
    fn name(&self) -> &str;

    /// The law as a rule that adds to `target`.
    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError>;

    /// The potential energy, if the law has a potential.
    fn energy(&self, _state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        Ok(None)
    }

    /// Lists the exact slopes of its forces and torques in a state.
    ///
    /// The state is one in which forces have been asked for. A law that is constant lists nothing. One that has
    /// no slopes, at all or at this place, says so, and implicit methods take differences.
    fn slopes(&self, _state: &State, _out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        Ok(if self.is_constant() { SlopeAnswer::Exact } else { SlopeAnswer::Unknown })
    }

    /// Lists the slopes of its forces and torques by velocities, those by places at will: near enough for
    /// Newton's method to find the middle of a kick.
    fn motion_slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        self.slopes(state, out)
    }

    /// Returns `true` if its forces can depend on velocities, given that its rule reads them.
    fn depends_on_motion(&self) -> bool {
        true
    }

    /// Returns `true` if its forces depend neither on places and motions nor on time: implicit methods then
    /// ask for them once.
    fn is_constant(&self) -> bool {
        false
    }

    /// Returns `true` if its potential depends on time by itself, so that it gives and takes energy that is nobody's
    /// work.
    fn is_driven(&self) -> bool {
        false
    }

    /// Returns `true` if the law adds to torque as well as to force.
    fn turns(&self) -> bool {
        false
    }
}

/// Destination of a law's force and torque: the sums of all laws, or columns of the law's own, which a ledger
/// reads.
#[derive(Debug, Clone)]
pub struct Target {
    label: Option<Arc<str>>,
}

impl Target {
    /// The sums of all laws.
    pub(crate) fn total() -> Self {
        Self { label: None }
    }

    /// The columns of one law.
    pub(crate) fn labelled(label: Arc<str>) -> Self {
        Self { label: Some(label) }
    }

    /// The force column to add to.
    #[must_use]
    pub fn force<S: Space>(&self) -> Add<Force<S>> {
        let whole = add::<Force<S>>();
        if let Some(label) = &self.label { whole.labelled(label) } else { whole }
    }

    /// The force column to add to, for some bodies.
    #[must_use]
    pub fn force_at<S: Space>(&self, rows: Rows) -> AddAt<Force<S>> {
        let some = add_at::<Force<S>>(rows);
        if let Some(label) = &self.label { some.labelled(label) } else { some }
    }

    /// The torque column to add to.
    #[must_use]
    pub fn torque(&self) -> Add<Torque> {
        let whole = add::<Torque>();
        if let Some(label) = &self.label { whole.labelled(label) } else { whole }
    }

    /// The torque column to add to, for some bodies.
    #[must_use]
    pub fn torque_at(&self, rows: Rows) -> AddAt<Torque> {
        let some = add_at::<Torque>(rows);
        if let Some(label) = &self.label { some.labelled(label) } else { some }
    }
}

/// Several laws acting together, each with a strength.
#[derive(Debug, Clone)]
pub struct Laws<S: Space> {
    terms: Vec<Term<S>>,
}

/// One law of a sum.
#[derive(Debug, Clone)]
pub struct Term<S: Space> {
    /// The factor on its force, torque and energy.
    pub strength: f64,
    /// The law.
    pub law: Arc<dyn Law<S>>,
    /// Its name, made unique among the laws of the sum.
    pub label: Arc<str>,
}

impl<S: Space> Default for Laws<S> {
    fn default() -> Self {
        Self::none()
    }
}

impl<S: Space> Laws<S> {
    /// No law at all: bodies move uniformly.
    #[must_use]
    pub fn none() -> Self {
        Self { terms: Vec::new() }
    }

    /// One law.
    pub fn of(law: impl Law<S> + 'static) -> Self {
        let label = law.name().into();
        Self { terms: vec![Term { strength: 1.0, law: Arc::new(law), label }] }
    }

    /// The laws with their strengths, in the order in which they were added.
    #[must_use]
    pub fn terms(&self) -> &[Term<S>] {
        &self.terms
    }

    /// The potential energy of all laws that have one.
    pub fn energy(&self, state: &State) -> Result<Quantity<Energy>, StateError> {
        let mut total = Quantity::new(0.0);
        for term in &self.terms {
            total += term.energy(state)?.unwrap_or_default();
        }
        Ok(total)
    }

    /// Numbers laws of the same name: spring, spring 2, spring 3.
    fn relabel(mut self) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for term in &mut self.terms {
            let count = seen.entry(term.law.name().to_owned()).or_default();
            *count += 1;
            let name = term.law.name();
            term.label = if *count == 1 { name.into() } else { format!("{name} {count}").into() };
        }
        self
    }
}

impl<S: Space> Term<S> {
    /// The potential energy with the strength applied.
    pub fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        Ok(self.law.energy(state)?.map(|v| v * self.strength))
    }

    /// Lists the slopes with the strength applied; slopes that are not finite are unknown.
    pub fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        out.with_strength(self.strength, |out| self.law.slopes(state, out))
    }

    /// Lists the slopes by velocities with the strength applied.
    pub(crate) fn motion_slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        out.with_strength(self.strength, |out| self.law.motion_slopes(state, out))
    }

    /// Returns `true` if its forces depend on velocities, as far as its rule and the law itself can tell.
    pub fn depends_on_motion(&self, model: &Model) -> Result<bool, BuildError> {
        let motions = [Velocity::<S>::NAME, AngularVelocity::NAME];
        let reads =
            |access: &Access| access.verb == Verb::Reads && motions.contains(&&*access.attribute.name);
        let rule = self.rule(model, &Target::total())?;
        Ok(self.law.depends_on_motion() && rule.domain().iter().any(reads))
    }

    pub(crate) fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        Ok(self.law.rule(model, target)?.with_gain(self.strength))
    }
}

impl<S: Space> From<Term<S>> for Laws<S> {
    /// One law with its strength and its label.
    fn from(term: Term<S>) -> Self {
        Self { terms: vec![term] }
    }
}

impl<S: Space, L: Into<Laws<S>>> Plus<L> for Laws<S> {
    type Output = Self;
    fn add(mut self, other: L) -> Self {
        self.terms.extend(other.into().terms);
        self.relabel()
    }
}

impl<S: Space> std::iter::Sum for Laws<S> {
    /// All laws acting together. The work is that of one sum, however many there are.
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        Self { terms: all.flat_map(|laws| laws.terms).collect() }.relabel()
    }
}

impl<S: Space> Mul<Laws<S>> for f64 {
    type Output = Laws<S>;
    fn mul(self, mut laws: Laws<S>) -> Laws<S> {
        laws.terms.iter_mut().for_each(|term| term.strength *= self);
        laws
    }
}
