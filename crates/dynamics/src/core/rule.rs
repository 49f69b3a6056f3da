//! Rules: the atoms of mechanics. A rule is a pure function of what it declared, with a name.
//!
//! Numeric laws, Boolean events and rigid-body moves are all rules. A numeric rule uses the step; an event
//! rule looks at flags, decides what they are on the next tick, and may announce phenomena; both run in the
//! same interpreter. Purity is a promise about the function: the same cells and the same step give the same
//! result. The rest is enforced: a rule gets its declared cells and nothing else.

use super::access::{Access, Declaration, Lease, MakeMemory, View, Write};
use super::attribute::Attribute;
use super::column::Value;
use super::fault::Trouble;
use gedanken_math::units::{Quantity, Time};
use std::fmt;
use std::sync::Arc;

/// The moment and the length of the step that a rule is run for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The time at which the rule runs.
    pub t: Quantity<Time>,
    /// The rule's share of the step.
    pub h: Quantity<Time>,
    /// The tick at which the rule runs.
    pub tick: u64,
}

/// Return value of a rule's function: nothing, or success or trouble.
pub trait Outcome {
    /// As success or trouble.
    fn into_result(self) -> Result<(), Trouble>;
}

impl Outcome for () {
    fn into_result(self) -> Result<(), Trouble> {
        Ok(())
    }
}

impl Outcome for Result<(), Trouble> {
    fn into_result(self) -> Result<(), Trouble> {
        self
    }
}

trait Body: Send + Sync {
    fn run(&self, lease: &mut Lease<'_>, step: Step) -> Result<(), Trouble>;
}

struct Typed<V, F> {
    view: V,
    function: F,
}

impl<V, F, O> Body for Typed<V, F>
where
    V: View,
    F: for<'a> Fn(Step, V::Item<'a>) -> O + Send + Sync,
    O: Outcome,
{
    fn run(&self, lease: &mut Lease<'_>, step: Step) -> Result<(), Trouble> {
        (self.function)(step, self.view.lend(lease)).into_result()
    }
}

struct Untyped<F>(F);

impl<F> Body for Untyped<F>
where
    F: Fn(Step, &mut Lease<'_>) -> Result<(), Trouble> + Send + Sync,
{
    fn run(&self, lease: &mut Lease<'_>, step: Step) -> Result<(), Trouble> {
        (self.0)(step, lease)
    }
}

/// A named pure function with a declared domain. Cheap to clone.
///
/// ```
/// use gedanken_dynamics::{Position, Rule, ThreeD, Velocity, read, write};
/// // r′ = r + h·v, for every component. Force is not declared, so it cannot be touched.
/// let drift = Rule::new("drift", (read::<Velocity>(), write::<Position>()), |step, (v, r)| {
///     for (r, v) in r.iter_mut().zip(v) {
///         *r += *v * step.h;
///     }
/// });
/// assert_eq!(drift.to_string(), "drift: reads velocity, writes position");
/// ```
#[derive(Clone)]
pub struct Rule {
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    name: Arc<str>,
    accesses: Arc<[Access]>,
    memories: Arc<[MakeMemory]>,
    body: Arc<dyn Body>,
    ticks: u64,
    advances: bool,
    zeroes: bool,
    emitters: usize,
    gain: f64,
    cost_per_row: f64,
    goes_wide: bool,
}

impl Rule {
    /// The rule `name`, which is lent `view` and runs `function`.
    pub fn new<V, F, O>(name: impl Into<Arc<str>>, view: V, function: F) -> Self
    where
        V: View,
        F: for<'a> Fn(Step, V::Item<'a>) -> O + Send + Sync + 'static,
        O: Outcome + 'static,
    {
        let mut declaration = Declaration::default();
        view.declare(&mut declaration);
        Self::from_parts(name.into(), declaration, Arc::new(Typed { view, function }))
    }

    /// An event rule: like [`Rule::new`], and it takes one tick.
    pub fn event<V, F, O>(name: impl Into<Arc<str>>, view: V, function: F) -> Self
    where
        V: View,
        F: for<'a> Fn(Step, V::Item<'a>) -> O + Send + Sync + 'static,
        O: Outcome + 'static,
    {
        Self::new(name, view, function).change(|inner| inner.ticks = 1)
    }

    /// The rule that sets a column to zero, for sums to start from. The interpreter knows what it does: the
    /// first rule that adds to the column afterwards adds in place.
    pub fn zero<A: Attribute>(name: impl Into<Arc<str>>, column: Write<A>) -> Self {
        let rule = Self::new(name, (column,), |_, (values,): (&mut [A::Value],)| values.fill(A::Value::ZERO));
        rule.change(|inner| inner.zeroes = true)
    }

    /// A rule whose domain is known only at run time: the function takes checked cells from the lease, in the
    /// order of `accesses`.
    pub fn untyped<F>(name: impl Into<Arc<str>>, accesses: Vec<Access>, function: F) -> Self
    where
        F: Fn(Step, &mut Lease<'_>) -> Result<(), Trouble> + Send + Sync + 'static,
    {
        let declaration = Declaration { accesses, ..Declaration::default() };
        Self::from_parts(name.into(), declaration, Arc::new(Untyped(function)))
    }

    /// Like [`Rule::untyped`], for an event rule: it takes one tick, and its function may take an emitter
    /// from the lease.
    pub fn untyped_event<F>(name: impl Into<Arc<str>>, accesses: Vec<Access>, function: F) -> Self
    where
        F: Fn(Step, &mut Lease<'_>) -> Result<(), Trouble> + Send + Sync + 'static,
    {
        let declaration = Declaration { accesses, emitters: 1, ..Declaration::default() };
        Self::from_parts(name.into(), declaration, Arc::new(Untyped(function)))
            .change(|inner| inner.ticks = 1)
    }

    fn from_parts(name: Arc<str>, declaration: Declaration, body: Arc<dyn Body>) -> Self {
        let accesses = declaration.accesses.into();
        let memories = declaration.memories.into();
        let inner = Inner {
            name,
            accesses,
            memories,
            body,
            ticks: 0,
            advances: false,
            zeroes: false,
            emitters: declaration.emitters,
            gain: 1.0,
            cost_per_row: 1.0,
            goes_wide: false,
        };
        Self { inner: Arc::new(inner) }
    }

    fn change(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.inner));
        self
    }

    /// The rule, moving the clock by its share of the step: what drifts do, so that later rules of the same
    /// step see the right time.
    #[must_use]
    pub fn advancing(self) -> Self {
        self.change(|inner| inner.advances = true)
    }

    /// The rule with everything it adds multiplied by `gain`.
    #[must_use]
    pub fn with_gain(self, gain: f64) -> Self {
        self.change(|inner| inner.gain *= gain)
    }

    /// The rule with a hint of its work per component (1 is a few flops), by which a `par` decides whether
    /// several threads pay.
    #[must_use]
    pub fn with_cost(self, cost_per_row: f64) -> Self {
        self.change(|inner| inner.cost_per_row = cost_per_row)
    }

    /// The rule with a hint whether it goes wide by itself, so that a second thread had better be awake.
    #[must_use]
    pub(crate) fn going_wide(self, goes_wide: bool) -> Self {
        self.change(|inner| inner.goes_wide = goes_wide)
    }

    /// The rule's name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.inner.name
    }

    /// The rule's domain: what it reads, writes and adds to.
    #[must_use]
    pub fn domain(&self) -> &[Access] {
        &self.inner.accesses
    }

    /// Number of ticks of the rule: one for event rules, none for others.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.inner.ticks
    }

    pub(crate) fn moves_the_clock(&self) -> bool {
        self.inner.advances
    }

    pub(crate) fn zeroes(&self) -> bool {
        self.inner.zeroes
    }

    pub(crate) fn emitters(&self) -> usize {
        self.inner.emitters
    }

    pub(crate) fn gain(&self) -> f64 {
        self.inner.gain
    }

    pub(crate) fn cost_per_row(&self) -> f64 {
        self.inner.cost_per_row
    }

    pub(crate) fn goes_wide(&self) -> bool {
        self.inner.goes_wide
    }

    pub(crate) fn memories(&self) -> &[MakeMemory] {
        &self.inner.memories
    }

    pub(crate) fn run(&self, lease: &mut Lease<'_>, step: Step) -> Result<(), Trouble> {
        self.inner.body.run(lease, step)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name())?;
        for (k, access) in self.domain().iter().enumerate() {
            let comma = if k > 0 { "," } else { "" };
            write!(f, "{comma} {} {}", access.verb, access.attribute.name)?;
            if let super::rows::Rows::Only(rows) = &access.rows {
                write!(f, " of {}", rows.len())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({self})")
    }
}
