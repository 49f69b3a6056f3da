//! Types: the program is run on what is known of values instead of values.
//!
//! A function's result is found for each combination of argument types (and constants, so that
//! `subMatrix(m, n, n)` has a shape) that it is called with, and kept. There is no recursion here: a right
//! side that needs the result of another call is put off until that is known, so that long chains of helpers
//! need no stack.
//!
//! Functions that need themselves are found as a knot: at first nothing is known of any result in it, then
//! all are computed again until nothing changes. Constants are dropped there, and so is what does not settle.
//! Finding nothing (`None`) is also the result of a mistake; whatever depends on it stays silent.

use super::cycles::Graph;
use super::expressions::MOST_PARAMS;
use super::resolve::uses;
use crate::diagnostic::{Code, Diagnostic};
use crate::operation::Known;
use crate::program::{ExprKind, FunctionId, InputId, Program};
use crate::source::Span;
use crate::types::Type;
use std::collections::{BTreeSet, HashMap};

/// Types of the results of all functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    results: Vec<Type>,
}

impl Types {
    /// The type of a function's result; of one with parameters, what is common to all its calls.
    pub fn of(&self, function: FunctionId) -> &Type {
        self.results.get(function.0 as usize).unwrap_or(&Type::Unknown)
    }
}

/// The type of a function's result, as far as it can be told before it runs; its parameters can be anything.
pub fn infer_type(program: &Program, function: FunctionId) -> Type {
    let inputs = program.inputs.iter().map(|input| InputType::Is(input.ty.clone())).collect();
    let mut inference = Inference::new(program, inputs);
    inference.root(function);
    inference.result(function)
}

/// Type of a stored value, as far as it is known.
#[derive(Clone, Debug)]
pub(super) enum InputType {
    /// The type it was born with.
    Is(Type),
    /// The type of the law that sets it.
    Of(FunctionId),
}

/// A call: a function and what is known of its arguments.
struct Call {
    function: FunctionId,
    arguments: Vec<Known>,
    state: State,
    /// Place at which it was first met.
    from: Option<Span>,
}

#[derive(Clone)]
enum State {
    /// Nobody has looked at it.
    New,
    /// Part of the knot being worked on: what is known so far.
    Assumed(Option<Known>),
    /// Finished.
    Done(Option<Known>),
}

type Key = (FunctionId, Vec<(Type, Option<u64>)>);

/// Maximum number of combinations of arguments of one function that are told apart with constants; twice as
/// many by type.
const MOST_COMBINATIONS: u32 = 32;
/// Maximum number of rounds through a knot of functions; what has not settled by then is given up.
const MOST_ROUNDS: u32 = 16;
/// Maximum depth to which sequences of sequences are followed.
const DEEPEST_SEQUENCE: usize = 16;

/// The work in progress.
pub(super) struct Inference<'p> {
    pub(super) program: &'p Program,
    pub(super) inputs: Vec<InputType>,
    /// The knot a function belongs to.
    knot: Vec<Option<usize>>,
    calls: Vec<Call>,
    ids: HashMap<Key, usize>,
    combinations: Vec<u32>,
    pub(super) diagnostics: Vec<Diagnostic>,
    reported: BTreeSet<(Code, Span)>,
}

/// One look at a right side.
pub(super) struct Look<'c> {
    pub(super) arguments: &'c [Known],
    knot: Option<usize>,
    /// Calls whose results are needed first.
    missing: Vec<usize>,
    /// Calls into the same knot that were not known before.
    found: Vec<usize>,
    /// All of `missing` and `found`.
    wanted: BTreeSet<usize>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Outcome of a look at a function.
struct Seen {
    result: Option<Known>,
    missing: Vec<usize>,
    found: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

enum Task {
    One(usize),
    Knot(Round),
}

/// One pass through the members of a knot. It stops where a result from outside is missing, and goes on from
/// there.
#[derive(Default)]
struct Round {
    members: Vec<usize>,
    /// Number of passes before.
    rounds: u32,
    /// The member to look at next.
    next: usize,
    /// `true` if more has become known in this pass.
    changed: bool,
    diagnostics: Vec<(usize, Diagnostic)>,
}

impl<'p> Inference<'p> {
    pub(super) fn new(program: &'p Program, inputs: Vec<InputType>) -> Self {
        // A stored value without a type of its own needs the type of its law: an edge like a call.
        let mut graph = Graph::of_calls(&program.functions);
        for (function, edges) in program.functions.iter().zip(&mut graph.edges) {
            uses(&function.body, &mut |kind, span| {
                if let ExprKind::Input(InputId(input)) = kind
                    && let Some(InputType::Of(law)) = inputs.get(*input as usize)
                {
                    edges.push((law.0 as usize, span));
                }
            });
        }
        let mut knot = vec![None; program.functions.len()];
        for (number, members) in graph.knots().iter().enumerate() {
            for &member in members {
                knot[member] = Some(number);
            }
        }
        Self {
            program,
            inputs,
            knot,
            calls: Vec::new(),
            ids: HashMap::new(),
            combinations: vec![0; program.functions.len()],
            diagnostics: Vec::new(),
            reported: BTreeSet::new(),
        }
    }

    /// Finds the result of a function, for parameters that can be anything.
    pub(super) fn root(&mut self, function: FunctionId) {
        let params = self.program.function(function).params.len();
        let anything = vec![Known { ty: Type::Unknown, value: None }; params];
        let call = self.intern(function, anything, None);
        self.run(call);
    }

    /// Returns `true` if a function has been called.
    pub(super) fn is_called(&self, function: FunctionId) -> bool {
        self.combinations[function.0 as usize] > 0
    }

    /// Returns the type that all results of a function have in common.
    pub(super) fn result(&self, function: FunctionId) -> Type {
        let results = self.calls.iter().filter(|call| call.function == function).filter_map(done);
        results.reduce(|a, b| a.or(&b).unwrap_or(Type::Unknown)).unwrap_or(Type::Unknown)
    }

    /// The types of all functions.
    pub(super) fn types(&self) -> Types {
        let mut results: Vec<Option<Type>> = vec![None; self.program.functions.len()];
        for call in &self.calls {
            let Some(ty) = done(call) else { continue };
            let result = &mut results[call.function.0 as usize];
            *result = Some(result.take().map_or(ty.clone(), |known| known.or(&ty).unwrap_or(Type::Unknown)));
        }
        Types { results: results.into_iter().map(|ty| ty.unwrap_or(Type::Unknown)).collect() }
    }

    /// The call of `function` with `arguments`, as far as they are told apart.
    fn intern(&mut self, function: FunctionId, mut arguments: Vec<Known>, from: Option<Span>) -> usize {
        let index = function.0 as usize;
        let many = self.combinations[index];
        if self.knot[index].is_some() || many >= MOST_COMBINATIONS {
            arguments.iter_mut().for_each(|argument| argument.value = None);
        }
        if many >= 2 * MOST_COMBINATIONS {
            arguments.iter_mut().for_each(|argument| argument.ty = Type::Unknown);
        }
        let known = |it: &Known| (it.ty.clone(), it.value.map(f64::to_bits));
        let key = (function, arguments.iter().map(known).collect());
        let next = self.calls.len();
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.combinations[index] += 1;
            self.calls.push(Call { function, arguments, state: State::New, from });
        }
        id
    }

    /// Finds the result of a call, and of all that it needs.
    fn run(&mut self, call: usize) {
        let mut tasks = vec![self.task(call)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::One(call) => {
                    if matches!(self.calls[call].state, State::Done(_)) {
                        continue;
                    }
                    let Seen { result, missing, diagnostics, .. } = self.look(call);
                    if missing.is_empty() {
                        self.calls[call].state = State::Done(result);
                        self.commit(call, diagnostics);
                        continue;
                    }
                    tasks.push(Task::One(call));
                    tasks.extend(missing.into_iter().rev().map(|call| self.task(call)));
                }
                Task::Knot(round) => self.round(round, &mut tasks),
            }
        }
    }

    fn task(&self, call: usize) -> Task {
        match self.knot[self.calls[call].function.0 as usize] {
            Some(_) => Task::Knot(Round { members: vec![call], ..Round::default() }),
            None => Task::One(call),
        }
    }

    /// Goes once through the members of a knot.
    fn round(&mut self, mut round: Round, tasks: &mut Vec<Task>) {
        // Another pass may have settled it; what is missing from outside never leads back into the knot.
        if round.next == 0 && round.members.iter().any(|&it| matches!(self.calls[it].state, State::Done(_))) {
            return;
        }
        while let Some(&member) = round.members.get(round.next) {
            if matches!(self.calls[member].state, State::New) {
                self.calls[member].state = State::Assumed(None);
            }
            let Seen { result, missing, found, diagnostics: said } = self.look(member);
            for call in found {
                self.calls[call].state = State::Assumed(None);
                round.members.push(call);
                round.changed = true;
            }
            if !missing.is_empty() {
                tasks.push(Task::Knot(round));
                tasks.extend(missing.into_iter().rev().map(|call| self.task(call)));
                return;
            }
            round.diagnostics.extend(said.into_iter().map(|diagnostic| (member, diagnostic)));
            let State::Assumed(assumed) = &self.calls[member].state else { return };
            let next = widen(assumed.clone(), result);
            if next != *assumed {
                round.changed = true;
                self.calls[member].state = State::Assumed(next);
            }
            round.next += 1;
        }
        let Round { members, rounds, changed, diagnostics, .. } = round;
        if changed && rounds < MOST_ROUNDS {
            tasks.push(Task::Knot(Round { members, rounds: rounds + 1, ..Round::default() }));
            return;
        }
        for member in members {
            let State::Assumed(assumed) = self.calls[member].state.clone() else { continue };
            let settled = if changed { Some(Known { ty: Type::Unknown, value: None }) } else { assumed };
            self.calls[member].state = State::Done(settled);
        }
        if !changed {
            for (member, diagnostic) in diagnostics {
                self.commit(member, vec![diagnostic]);
            }
        }
    }

    /// Keeps what is said about a call, each mistake once.
    fn commit(&mut self, call: usize, diagnostics: Vec<Diagnostic>) {
        for mut diagnostic in diagnostics {
            if !self.reported.insert((diagnostic.code, diagnostic.primary.span)) {
                continue;
            }
            let call = &self.calls[call];
            if let (Some(from), false) = (call.from, call.arguments.is_empty()) {
                let params = &self.program.function(call.function).params;
                let mut given: Vec<String> = params
                    .iter()
                    .zip(&call.arguments)
                    .take(MOST_PARAMS)
                    .map(|(name, known)| format!("`{name}` {}", known.ty))
                    .collect();
                if params.len() > MOST_PARAMS {
                    given.push("…".to_owned());
                }
                diagnostic = diagnostic.also(from, format!("called here, with {}", given.join(", ")));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Looks at a call: what is known of its result now, what is missing, what was found, and what is wrong
    /// with it.
    fn look(&mut self, call: usize) -> Seen {
        let function = self.calls[call].function;
        let arguments = self.calls[call].arguments.clone();
        let program = self.program;
        let mut look = Look {
            arguments: &arguments,
            knot: self.knot[function.0 as usize],
            missing: Vec::new(),
            found: Vec::new(),
            wanted: BTreeSet::new(),
            diagnostics: Vec::new(),
        };
        let result = self.expr(&program.function(function).body, &mut look);
        Seen { result, missing: look.missing, found: look.found, diagnostics: look.diagnostics }
    }

    /// Returns what is known of the result of `function` for `arguments`.
    pub(super) fn called(
        &mut self,
        function: FunctionId,
        arguments: Vec<Known>,
        from: Span,
        look: &mut Look<'_>,
    ) -> Option<Known> {
        let call = self.intern(function, arguments, Some(from));
        match &self.calls[call].state {
            State::Done(result) | State::Assumed(result) => return result.clone(),
            State::New => {}
        }
        let is_inside = look.knot.is_some() && self.knot[function.0 as usize] == look.knot;
        if look.wanted.insert(call) {
            let list = if is_inside { &mut look.found } else { &mut look.missing };
            list.push(call);
        }
        None
    }
}

fn done(call: &Call) -> Option<Type> {
    match &call.state {
        State::Done(Some(known)) => Some(known.ty.clone()),
        _ => None,
    }
}

/// Joins what was assumed with what a round found. The result only ever becomes less precise, so that rounds
/// come to an end.
fn widen(assumed: Option<Known>, result: Option<Known>) -> Option<Known> {
    let ty = match (assumed, result) {
        (None, None) => return None,
        (Some(one), None) | (None, Some(one)) => one.ty,
        (Some(a), Some(b)) => a.ty.or(&b.ty).unwrap_or(Type::Unknown),
    };
    Some(Known { ty: shallow(ty), value: None })
}

/// The type with sequences followed only so deep.
pub(super) fn shallow(ty: Type) -> Type {
    fn cut(ty: Type, depth: usize) -> Type {
        match ty {
            Type::Sequence(_) if depth == 0 => Type::Unknown,
            Type::Sequence(of) => Type::Sequence(Box::new(cut(*of, depth - 1))),
            other => other,
        }
    }
    cut(ty, DEEPEST_SEQUENCE)
}
