//! Measures under way: from the values of attributes at one moment to the totals of all measures.
//!
//! A [`Meter`] knows nothing of where values are kept: it asks for them, attribute by attribute, and computes
//! the value of one object after the other. Sums go by the names of objects, whatever the order of the file,
//! so that a total has the same bits in every run. Who has the values in columns can run the
//! [`graph`](Gauge::graph) of each [`Gauge`] over them instead, and add up in the same [order](Meter::order).
//!
//! `gauge` is one expression for one kind of object; `verdict` compares a total with what the experiment
//! expects.

mod gauge;
mod verdict;

pub use gauge::{Gauge, Reading};
pub use verdict::{Verdict, verdict};

use super::options::Options;
use gedanken_experiment::{Experiment, Measure, Simulation};
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::vm::Fault;
use gedanken_math::Cancel;
use gedanken_recording::Notice;

/// Gives the scalars of an attribute, row by row, booleans as 0 and 1: of an object, by its index in the
/// experiment, or of the world, to which the time `t` belongs. They go to the end of the list.
pub type Read<'r> = dyn FnMut(Option<usize>, &str, &mut Vec<f64>) + 'r;

/// Computes the measures of a simulation.
#[derive(Debug)]
pub struct Meter {
    measures: Vec<Total>,
}

/// One measure.
#[derive(Debug)]
struct Total {
    /// Place among the measures of the experiment.
    index: usize,
    name: String,
    ty: Type,
    /// Place of its expression.
    span: Span,
    gauges: Vec<Gauge>,
    /// For every object in the order of names, its gauge and its place among the gauge's objects.
    order: Vec<(usize, usize)>,
    /// `true` if a failure has been told.
    told: bool,
}

impl Meter {
    /// A meter for all measures that belong to a simulation. If `cancel` is asked, none of them has a value.
    pub fn new(experiment: &Experiment, simulation: &Simulation, cancel: &Cancel) -> Self {
        let belonging = experiment.measures.iter().enumerate().filter(|(_, it)| it.belongs_to(simulation));
        let total = |(index, measure): (usize, &Measure)| {
            let gauges: Vec<Gauge> =
                measure.programs.iter().map(|it| Gauge::new(it, &experiment.objects, cancel)).collect();
            let mut order: Vec<(usize, usize, usize)> = Vec::new();
            for (number, gauge) in gauges.iter().enumerate() {
                order.extend(gauge.objects().iter().enumerate().map(|(row, &object)| (object, number, row)));
            }
            order.sort_unstable();
            Total {
                index,
                name: measure.name.clone(),
                ty: measure.ty.clone(),
                span: gauges.first().map_or(measure.span, Gauge::span),
                gauges,
                order: order.into_iter().map(|(_, gauge, row)| (gauge, row)).collect(),
                told: false,
            }
        };
        Self { measures: belonging.map(total).collect() }
    }

    /// Lets what is computed often become native code, with the same bits, if the options allow it.
    #[must_use]
    pub fn natively(mut self, options: &Options) -> Self {
        let compile = options.compile();
        let gauges = self.measures.iter_mut().flat_map(|it| &mut it.gauges);
        gauges.for_each(|it| it.natively(&compile));
        self
    }

    /// Number of measures.
    pub fn len(&self) -> usize {
        self.measures.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.measures.is_empty()
    }

    /// The names of the measures, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.measures.iter().map(|it| it.name.as_str())
    }

    /// Their types, reals and vectors.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.measures.iter().map(|it| &it.ty)
    }

    /// The place of a measure among those of the experiment.
    pub fn index(&self, measure: usize) -> usize {
        self.measures[measure].index
    }

    /// Gauges of a measure: one for objects of each kind.
    pub fn gauges(&self, measure: usize) -> &[Gauge] {
        &self.measures[measure].gauges
    }

    /// In which order the values of objects are added up: gauge, and place among its objects. Empty for a
    /// measure of the world.
    pub fn order(&self, measure: usize) -> &[(usize, usize)] {
        &self.measures[measure].order
    }

    /// Everything that a measure reads: object and attribute, each once, sorted.
    pub fn inputs(&self, measure: usize) -> Vec<(Option<usize>, String)> {
        let mut inputs = Vec::new();
        for gauge in &self.measures[measure].gauges {
            for reading in gauge.inputs() {
                let mut add = |owner| inputs.push((owner, reading.attribute.clone()));
                match reading.of_object {
                    true => gauge.objects().iter().for_each(|&object| add(Some(object))),
                    false => add(None),
                }
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// The scalars of a measure, summed over its objects in the order of their names.
    ///
    /// # Errors
    /// If it has no value, for the first object by name that has none; or if the sum is too large for a
    /// number.
    ///
    /// # Panics
    /// If `read` gives another number of scalars than an attribute has: a mistake in the engine.
    pub fn total(&mut self, measure: usize, read: &mut Read<'_>) -> Result<Vec<f64>, Fault> {
        self.measures[measure].sum(read).map_err(|failure| *failure.fault)
    }

    /// Appends the scalars of all measures to a row. One without a value is NaN there and, the first time, a
    /// notice; one for whose number `is_known` returns `false` is not computed, and NaN.
    ///
    /// # Panics
    /// As [`total`](Self::total).
    pub fn append(
        &mut self,
        time: f64,
        read: &mut Read<'_>,
        is_known: &dyn Fn(usize) -> bool,
        row: &mut Vec<f64>,
        notices: &mut Vec<Notice>,
    ) {
        for (number, total) in self.measures.iter_mut().enumerate() {
            let sum = is_known(number).then(|| total.sum(read));
            if let Some(Ok(scalars)) = sum {
                row.extend(scalars);
                continue;
            }
            row.extend(std::iter::repeat_n(f64::NAN, total.ty.scalars().unwrap_or(0)));
            if let Some(Err(Failure { whose, fault })) = sum
                && !std::mem::replace(&mut total.told, true)
            {
                let of = whose
                    .map_or(String::new(), |(gauge, row)| format!(" of `{}`", total.gauges[gauge].name(row)));
                let message = format!("the measure `{}`{of} has no value: {}", total.name, fault.message);
                notices.push(Notice { time, message });
            }
        }
    }
}

/// Why a sum has no value.
struct Failure {
    /// Gauge and place of the object that has none; `None` if it is not due to one of them.
    whose: Option<(usize, usize)>,
    fault: Box<Fault>,
}

impl Total {
    /// The sum over all objects.
    fn sum(&mut self, read: &mut Read<'_>) -> Result<Vec<f64>, Failure> {
        let failure = |whose, fault| Failure { whose, fault: Box::new(fault) };
        if self.order.is_empty() {
            let value = self.gauges[0].value(None, read).map_err(|fault| failure(None, fault))?;
            return Ok(value.to_vec());
        }
        let mut sum = vec![0.0; self.ty.scalars().unwrap_or(0)];
        for &(number, row) in &self.order {
            let value = self.gauges[number].value(Some(row), read);
            let value = value.map_err(|fault| failure(Some((number, row)), fault))?;
            sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
        }
        match sum.iter().all(|it| it.is_finite()) {
            true => Ok(sum),
            false => Err(failure(None, too_large(&self.name, self.span))),
        }
    }
}

/// A sum of finite values that is not.
fn too_large(name: &str, span: Span) -> Fault {
    let message = format!("the sum of `{name}` over all objects is too large for a number");
    Fault::new(Code::E505, span, &format!("measure {name}"), message)
        .label("summed here")
        .help("measure in larger units")
}
