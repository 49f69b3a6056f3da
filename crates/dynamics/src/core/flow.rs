//! Flows: rules put together. `seq` is one after the other, `par` is side by side on the same state.
//!
//! A flow is a description, printable and comparable by eye; [`Flow::build`](super::workflow) checks it
//! against a model and makes a runnable [`Workflow`](super::workflow::Workflow) of it. Flows compose with
//! [`seq!`](crate::seq), [`par!`](crate::par), or the operators `>>` (then) and `|` (beside):
//!
//! ```text
//! leapfrog = drift·½ >> clear >> (gravity | springs | drag) >> kick >> drift·½
//! ```

use super::attribute::Attribute;
use super::rule::Rule;
use std::fmt;
use std::ops::{BitOr, Shr};
use std::sync::Arc;

/// A composition of rules.
#[derive(Debug, Clone)]
pub enum Flow {
    /// One rule.
    Rule(Rule),
    /// One after the other; each sees what the one before has done.
    Seq(Vec<Flow>),
    /// Side by side: all see the same state, none may touch another's cells.
    Par(Vec<Flow>),
    /// The flow for this fraction of the step.
    Scaled(f64, Box<Flow>),
    /// The flow several times.
    Repeat(u32, Box<Flow>),
    /// The flow again and again, until the flag (on the world's row) is raised; a fault if that takes too
    /// long.
    Until {
        /// The column of the flag.
        flag: Arc<str>,
        /// The greatest number of rounds.
        limit: u32,
        /// Repeated flow.
        flow: Box<Flow>,
    },
    /// The flow only when the state is not as this workflow left it: it computes values that are otherwise
    /// kept from step to step. It saves work and must not decide results: running it once more has to change
    /// nothing.
    Prime(Box<Flow>),
}

impl Flow {
    /// One after the other.
    pub fn seq<F: Into<Flow>>(flows: impl IntoIterator<Item = F>) -> Self {
        Self::Seq(flows.into_iter().map(Into::into).collect())
    }

    /// Side by side.
    pub fn par<F: Into<Flow>>(flows: impl IntoIterator<Item = F>) -> Self {
        Self::Par(flows.into_iter().map(Into::into).collect())
    }

    /// The flow for `fraction` of the step; fractions multiply when nested.
    #[must_use]
    pub fn scaled(self, fraction: f64) -> Self {
        Self::Scaled(fraction, Box::new(self))
    }

    /// The flow `count` times.
    #[must_use]
    pub fn repeated(self, count: u32) -> Self {
        Self::Repeat(count, Box::new(self))
    }

    /// The flow again and again until some rule in it raises the flag `A` on the world's row.
    #[must_use]
    pub fn until<A: Attribute<Value = bool>>(self, limit: u32) -> Self {
        Self::Until { flag: A::NAME.into(), limit, flow: Box::new(self) }
    }

    /// The flow only when kept values are out of date.
    #[must_use]
    pub fn primed(self) -> Self {
        Self::Prime(Box::new(self))
    }

    /// All rules, in order.
    #[must_use]
    pub fn rules(&self) -> Vec<&Rule> {
        match self {
            Self::Rule(rule) => vec![rule],
            Self::Seq(flows) | Self::Par(flows) => flows.iter().flat_map(Flow::rules).collect(),
            Self::Scaled(_, flow) | Self::Repeat(_, flow) | Self::Until { flow, .. } | Self::Prime(flow) => {
                flow.rules()
            }
        }
    }
}

impl From<Rule> for Flow {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl<R: Into<Flow>> Shr<R> for Flow {
    type Output = Flow;
    /// `self`, then `next`.
    fn shr(self, next: R) -> Flow {
        let mut flows = if let Self::Seq(flows) = self { flows } else { vec![self] };
        flows.push(next.into());
        Self::Seq(flows)
    }
}

impl<R: Into<Flow>> BitOr<R> for Flow {
    type Output = Flow;
    /// `self` beside `other`.
    fn bitor(self, other: R) -> Flow {
        let mut flows = if let Self::Par(flows) = self { flows } else { vec![self] };
        flows.push(other.into());
        Self::Par(flows)
    }
}

impl<R: Into<Flow>> Shr<R> for Rule {
    type Output = Flow;
    fn shr(self, next: R) -> Flow {
        Flow::from(self) >> next
    }
}

impl<R: Into<Flow>> BitOr<R> for Rule {
    type Output = Flow;
    fn bitor(self, other: R) -> Flow {
        Flow::from(self) | other
    }
}

/// A sequence of rules and flows.
#[macro_export]
macro_rules! seq {
    ($($flow:expr),* $(,)?) => { $crate::Flow::Seq(vec![$($crate::Flow::from($flow)),*]) };
}

/// Rules and flows side by side.
#[macro_export]
macro_rules! par {
    ($($flow:expr),* $(,)?) => { $crate::Flow::Par(vec![$($crate::Flow::from($flow)),*]) };
}

pub(crate) use {par, seq};

/// The flow in the notation of the operators, without what changes nothing:
/// `drift·0.5 >> (gravity | drag) >> kick`.
impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.simplified() {
            Some(flow) => flow.write(f),
            None => f.write_str("()"),
        }
    }
}

impl Flow {
    /// The same flow without what changes nothing: empty parts, a `seq` in a `seq`, a `par` in a `par`.
    /// `None` if nothing is left.
    #[must_use]
    pub fn simplified(&self) -> Option<Flow> {
        let inner = |flow: &Flow| flow.simplified().map(Box::new);
        let parts = |flows: &[Flow]| flows.iter().filter_map(Flow::simplified).collect::<Vec<_>>();
        let flat = |mut flows: Vec<Flow>, join: fn(Vec<Flow>) -> Flow| {
            if flows.len() > 1 { Some(join(flows)) } else { flows.pop() }
        };
        match self {
            Self::Rule(_) => Some(self.clone()),
            Self::Seq(flows) => {
                let each = |flow| if let Self::Seq(flows) = flow { flows } else { vec![flow] };
                flat(parts(flows).into_iter().flat_map(each).collect(), Self::Seq)
            }
            Self::Par(flows) => {
                let each = |flow| if let Self::Par(flows) = flow { flows } else { vec![flow] };
                flat(parts(flows).into_iter().flat_map(each).collect(), Self::Par)
            }
            Self::Scaled(fraction, flow) => Some(Self::Scaled(*fraction, inner(flow)?)),
            Self::Repeat(count, flow) => Some(Self::Repeat(*count, inner(flow)?)),
            Self::Until { flag, limit, flow } => {
                Some(Self::Until { flag: flag.clone(), limit: *limit, flow: inner(flow)? })
            }
            Self::Prime(flow) => Some(Self::Prime(inner(flow)?)),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => f.write_str(rule.name()),
            Self::Seq(flows) => write_joined(flows, " >> ", f),
            Self::Par(flows) => write_joined(flows, " | ", f),
            Self::Scaled(fraction, flow) => {
                flow.write_as_part(f)?;
                write!(f, "·{fraction}")
            }
            Self::Repeat(count, flow) => {
                write!(f, "{count} × ")?;
                flow.write_as_part(f)
            }
            Self::Until { flag, flow, .. } => {
                flow.write_as_part(f)?;
                write!(f, " until {flag}")
            }
            Self::Prime(flow) => {
                flow.write_as_part(f)?;
                f.write_str("?")
            }
        }
    }

    /// In brackets, unless it reads as one word.
    fn write_as_part(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self, Self::Rule(_) | Self::Scaled(..) | Self::Prime(_)) {
            return self.write(f);
        }
        f.write_str("(")?;
        self.write(f)?;
        f.write_str(")")
    }
}

fn write_joined(flows: &[Flow], sign: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (k, flow) in flows.iter().enumerate() {
        if k > 0 {
            f.write_str(sign)?;
        }
        flow.write_as_part(f)?;
    }
    Ok(())
}
