//! What a rule does when it runs: look at all its cells, evaluate its functions for all objects, then set
//! what they give.
//!
//! Everything is looked at before anything is set, so that all objects are evaluated from the same state.

use super::plan::{Leaf, Plan, Real};
use crate::run::kernel::Kernel;
use crate::run::options::Options;
use gedanken_dynamics::{Access, Cells, CellsMut, ComponentId, Lease, Step, Trouble};
use gedanken_experiment::{RuleProgram, Verb, WHEN};
use gedanken_lang::check::Binding;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::ir::{self, Slot};
use gedanken_lang::kernel::{Column, Reference, resize};
use gedanken_lang::vm::{Fault, Limits};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What an event announces. Its name is the rule's.
pub(super) const HAPPENED: &str = "happened";

/// Where a scalar of an input comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The time.
    Time,
    /// The length of the step.
    Step,
    /// One cell, for all rows.
    One { access: usize, id: ComponentId },
    /// The object's own.
    Each { access: usize },
}

/// Where a scalar of an output goes.
#[derive(Clone, Copy, Debug)]
struct Target {
    access: usize,
    of_world: bool,
    adds: bool,
}

/// A rule for the objects that it cannot tell apart.
struct Part {
    rows: Vec<ComponentId>,
    /// For every scalar of every input.
    sources: Vec<Source>,
    /// The condition of an event.
    when: Option<Kernel>,
    /// What is set.
    laws: Kernel,
    /// For every scalar of the laws' outputs.
    targets: Vec<Target>,
}

/// What a part works with; it carries nothing from one run to the next.
struct Desk {
    /// For every scalar of every input.
    inputs: Vec<Column>,
    holds: Vec<Vec<f64>>,
    results: Vec<Vec<f64>>,
    /// The rows whose results are set.
    chosen: Vec<u32>,
}

/// Why a rule had no result.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The row that failed.
    pub(super) row: usize,
    /// The function that failed.
    pub(super) function: String,
    /// What is said, without rule, object and time.
    pub(super) diagnostic: Diagnostic,
}

/// A rule that can run.
pub(super) struct Body {
    accesses: Vec<Access>,
    parts: Vec<Part>,
    desks: Mutex<Vec<Desk>>,
    failure: Mutex<Option<Failure>>,
    is_event: bool,
}

/// Cells on loan.
enum Loan<'a> {
    Reads(Cells<'a, Real>),
    Changes(CellsMut<'a, Real>),
}

impl Loan<'_> {
    fn at(&self, id: ComponentId) -> Result<f64, Trouble> {
        match self {
            Self::Reads(cells) => cells.at(id).map(Real::si),
            Self::Changes(cells) => cells.at(id).map(Real::si),
        }
    }

    fn change(&mut self, id: ComponentId, target: Target, value: f64) -> Result<(), Trouble> {
        let Self::Changes(cells) = self else {
            return Err(Trouble::Failed("a column that is read was to be set".to_owned()));
        };
        let cell = cells.at_mut(id)?;
        *cell = Real::new(if target.adds { cell.si() + value } else { value });
        Ok(())
    }
}

impl Body {
    /// Compiles the functions of a leaf.
    pub(super) fn new(plan: &Plan<'_>, leaf: &Leaf<'_>, objects: &[String], options: &Options) -> Self {
        let parts: Vec<Part> =
            leaf.checked.groups.iter().map(|group| Part::new(plan, leaf, group, objects, options)).collect();
        let desks = parts.iter().map(Part::desk).collect();
        Self {
            accesses: leaf.domain.accesses.clone(),
            parts,
            desks: Mutex::new(desks),
            failure: Mutex::new(None),
            is_event: leaf.rule.is_event,
        }
    }

    /// The rule of the core that runs this.
    pub(super) fn rule(self: &Arc<Self>, name: &Arc<str>) -> gedanken_dynamics::Rule {
        let (body, accesses) = (self.clone(), self.accesses.clone());
        let run = move |step: Step, lease: &mut Lease<'_>| body.run(step, lease);
        let cost = |part: &Part| part.laws.cost() + part.when.as_ref().map_or(0, Kernel::cost);
        let cost = self.parts.iter().map(cost).max().unwrap_or(1);
        let rule = if self.is_event {
            gedanken_dynamics::Rule::untyped_event(name.clone(), accesses, run)
        } else {
            gedanken_dynamics::Rule::untyped(name.clone(), accesses, run)
        };
        rule.with_cost(cost as f64)
    }

    /// Why the last run failed, if a function did.
    pub(super) fn take_failure(&self) -> Option<Failure> {
        locked(&self.failure).take()
    }

    fn run(&self, step: Step, lease: &mut Lease<'_>) -> Result<(), Trouble> {
        let mut loans = Vec::with_capacity(self.accesses.len());
        for access in &self.accesses {
            let loan = match access.verb {
                gedanken_dynamics::Verb::Reads => lease.cells().map(Loan::Reads),
                _ => lease.cells_mut().map(Loan::Changes),
            };
            loans.push(loan.ok_or_else(|| Trouble::Failed("a column is not of reals".to_owned()))?);
        }
        let mut desks = locked(&self.desks);
        for (part, desk) in self.parts.iter().zip(desks.iter_mut()) {
            part.gather(step, &loans, desk)?;
            if let Err((row, fault)) = part.evaluate(desk) {
                let message = fault.message.clone();
                *locked(&self.failure) = Some(part.failure(row, fault, desk));
                return Err(Trouble::Failed(message));
            }
        }
        let mut happened = Vec::new();
        for (part, desk) in self.parts.iter().zip(desks.iter()) {
            part.set(&mut loans, desk)?;
            happened.extend(desk.chosen.iter().map(|&row| part.rows[row as usize]));
        }
        if let Some(mut emitter) = lease.emitter().filter(|_| self.is_event) {
            happened.sort_unstable();
            happened.into_iter().for_each(|id| emitter.emit(id, HAPPENED));
        }
        Ok(())
    }
}

/// A lock that is held by one rule at a time; after a panic in a rule its memory is as good as any.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Part {
    fn new(
        plan: &Plan<'_>,
        leaf: &Leaf<'_>,
        group: &RuleProgram,
        objects: &[String],
        options: &Options,
    ) -> Self {
        let (columns, domain) = (&plan.columns, &leaf.domain);
        let own: Vec<usize> = if group.objects.is_empty() {
            vec![0]
        } else {
            group.objects.iter().map(|&object| columns.row(Some(object))).collect()
        };
        let reference = Reference::new(group.checked.program.clone(), Limits::until(&options.cancel));
        let program = reference.program();
        let variable = |index: usize| &group.checked.scope.variables[index];
        let one = |column: usize, row: usize| Source::One {
            access: domain.looking(column, row),
            id: columns.id(row),
        };
        let mut sources = Vec::new();
        for input in &program.inputs {
            let scalars = match &variable(input.scope_index).binding {
                Binding::World { name } if name == "t" => vec![Source::Time],
                Binding::Engine { .. } => vec![Source::Step],
                Binding::World { name } => {
                    columns.of(name, &input.ty).into_iter().map(|column| one(column, 0)).collect()
                }
                Binding::Named { object, attribute } => {
                    let place = objects.binary_search(object).map_or(0, |place| place + 1);
                    columns.of(attribute, &input.ty).into_iter().map(|column| one(column, place)).collect()
                }
                Binding::Object { attribute, .. } | Binding::Context { attribute, .. } => {
                    let each = |column| Source::Each { access: domain.looking(column, own[0]) };
                    columns.of(attribute, &input.ty).into_iter().map(each).collect()
                }
            };
            sources.extend(scalars);
        }
        let (mut when, mut laws, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for (index, output) in program.outputs.iter().enumerate() {
            let (of_world, attribute) = match &variable(output.scope_index).binding {
                Binding::World { name } => (true, name),
                Binding::Object { attribute, .. } => (false, attribute),
                _ => {
                    debug_assert_eq!(output.name, WHEN, "only attributes and the condition have laws");
                    when.push(index);
                    continue;
                }
            };
            laws.push(index);
            let is_it =
                |cell: &&gedanken_experiment::Cell| cell.of_world == of_world && cell.attribute == *attribute;
            let adds = group.cells.iter().find(is_it).is_some_and(|cell| cell.verb == Verb::Adds);
            for column in columns.of(attribute, &output.ty) {
                targets.push(Target { access: domain.changing(column), of_world, adds });
            }
        }
        let kernel = |outputs: Vec<usize>, own: ir::Access| {
            let access = |slot: Slot| match sources[reference.place(slot)] {
                Source::Each { .. } => own,
                _ => ir::Access::Same,
            };
            Kernel::new(&reference, outputs, access, &options.compile())
        };
        // Where an event does not happen nothing is set: its laws run for the list of rows where it does.
        let (when, laws) = match leaf.rule.is_event {
            true => (Some(kernel(when, ir::Access::Each)), kernel(laws, ir::Access::Picked(0))),
            false => (None, kernel(laws, ir::Access::Each)),
        };
        let rows = own.iter().map(|&row| columns.id(row)).collect();
        Self { rows, sources, when, laws, targets }
    }

    fn desk(&self) -> Desk {
        let given = |source: &Source| match source {
            Source::Each { .. } => Column::Each(vec![0.0; self.rows.len()]),
            _ => Column::Same(0.0),
        };
        Desk {
            inputs: self.sources.iter().map(given).collect(),
            holds: Vec::new(),
            results: Vec::new(),
            chosen: Vec::new(),
        }
    }

    fn gather(&self, step: Step, loans: &[Loan<'_>], desk: &mut Desk) -> Result<(), Trouble> {
        for (source, given) in self.sources.iter().zip(&mut desk.inputs) {
            match (*source, given) {
                (Source::Each { access }, Column::Each(values)) => {
                    for (value, &id) in values.iter_mut().zip(&self.rows) {
                        *value = loans[access].at(id)?;
                    }
                }
                (Source::Time, given) => *given = Column::Same(step.t.si()),
                (Source::Step, given) => *given = Column::Same(step.h.si()),
                (Source::One { access, id }, given) => *given = Column::Same(loans[access].at(id)?),
                (Source::Each { .. }, Column::Same(_)) => unreachable!("a desk is made from the sources"),
            }
        }
        Ok(())
    }

    fn evaluate(&self, desk: &mut Desk) -> Result<(), (usize, Fault)> {
        let Desk { inputs, holds, results, chosen } = desk;
        let rows = self.rows.len();
        chosen.clear();
        let all = 0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let Some(when) = &self.when else {
            chosen.extend(all);
            resize(results, self.laws.width(), rows);
            return self.laws.run(inputs, None, 0..rows, results);
        };
        resize(holds, when.width(), rows);
        when.run(inputs, None, 0..rows, holds)?;
        // Where the condition does not hold nothing is asked for, so nothing can fail.
        chosen.extend(all.filter(|&row| holds[0][row as usize] != 0.0));
        resize(results, self.laws.width(), chosen.len());
        self.laws.run(inputs, Some(chosen), 0..chosen.len(), results)
    }

    fn set(&self, loans: &mut [Loan<'_>], desk: &Desk) -> Result<(), Trouble> {
        for (&target, values) in self.targets.iter().zip(&desk.results) {
            for (&row, &value) in desk.chosen.iter().zip(values) {
                let id = if target.of_world { ComponentId::WORLD } else { self.rows[row as usize] };
                loans[target.access].change(id, target, value)?;
            }
        }
        Ok(())
    }

    fn failure(&self, row: usize, fault: Fault, desk: &Desk) -> Failure {
        let diagnostic = self.laws.reference().explain(&fault, &desk.inputs, row);
        Failure { row: self.rows[row].row(), function: fault.function, diagnostic }
    }
}
