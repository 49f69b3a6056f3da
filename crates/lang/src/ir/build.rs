//! From a program to its intermediate form: walks the functions that the outputs need, and lets the
//! [`Builder`] write down what the operators and natives do.
//!
//! Every call is inlined. A function without parameters is walked once; one with parameters once for each
//! combination of argument nodes. What it asks for is remembered with its value, and asked for again wherever
//! it is used.
//!
//! Not every program has this form. Recursion, sequences and shapes that only the run knows stay with the
//! evaluator, and [`NotFixed`] says so in words for the user.

use super::builder::{Builder, Full, Group, MOST_ARMS, MOST_NODES, Side};
use super::node_values::{Later, encode, flatten, slot_name, unflatten};
use super::{Graph, GraphOutput, NodeId};
use crate::arithmetic::{Arithmetic, Comparison};
use crate::native::Native;
use crate::operation::{self, Mismatch};
use crate::program::{Expr, ExprKind, FunctionId, InputId, Output, OutputKind, Program};
use crate::syntax::tree::{Binary, Unary};
use crate::types::{Dim, Type};
use crate::value::{Matrix, Shaped};
use crate::walk::{helpers_first, left_spine};
use std::collections::HashMap;

/// Expressions inside calls inside expressions: the walk is recursive, and test threads have 2 MB of stack.
const MOST_DEEP: usize = 400;

/// Maximum number of expressions that the evaluator may have to compute for one row, and maximum depth of its
/// calls. Both are far below its own limits: a program that has an intermediate form never meets those, so
/// that its results do not tell which executor has run it.
const MOST_STEPS: u64 = 1_000_000;
const MOST_LEVELS: usize = 5_000;

/// Reason why an output has no intermediate form, and is left to the evaluator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{output} runs in the evaluator because {reason}")]
pub struct NotFixed {
    /// The output: ``law `v` ``.
    pub output: String,
    /// A clause: `` `gauss` calls itself ``.
    pub reason: String,
}

/// Executor of an output of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Index into [`Program::outputs`].
    pub output: usize,
    /// As native code, or why not.
    pub native: Result<(), NotFixed>,
}

/// The graph that gives the outputs with these indices, in this order.
///
/// # Errors
/// If one of them has none, with the reason.
pub fn build(program: &Program, outputs: &[usize]) -> Result<Graph, NotFixed> {
    let mut walker = Walker::new(program);
    let mut results = Vec::with_capacity(outputs.len());
    for &index in outputs {
        let output = &program.outputs[index];
        let nodes = walker.output(output).map_err(|reason| NotFixed { output: describe(output), reason })?;
        results.push(GraphOutput {
            name: output.name.clone(),
            kind: output.kind,
            ty: output.ty.clone(),
            nodes,
        });
    }
    Ok(walker.builder.finish(results))
}

/// For every output of the program, whether it runs as native code or why it does not.
pub fn placement(program: &Program) -> Vec<Placement> {
    let all = 0..program.outputs.len();
    all.map(|output| Placement { output, native: build(program, &[output]).map(|_| ()) }).collect()
}

/// In words: ``law `v` ``.
fn describe(output: &Output) -> String {
    match output.kind {
        OutputKind::Law => format!("law `{}`", output.name),
        OutputKind::Rate => format!("rate `{}'`", output.name),
        OutputKind::FirstTime => format!("the first value of `{}`", output.name),
    }
}

/// Reason why a walk did not come to its end.
#[derive(Clone, Debug)]
enum Stop {
    /// There is no fixed form; a clause says why.
    NotFixed(String),
    /// It always fails here: nothing after it is ever computed, and what shape it would have is of no
    /// interest.
    Fails,
}

/// Result of walking a function, and the nodes it asks for on the way.
#[derive(Clone, Debug)]
struct Walked {
    value: Result<Later, Stop>,
    group: Group,
    /// Expressions in it and in the functions with parameters that it calls, at most.
    steps: u64,
    /// Maximum depth of its calls.
    levels: usize,
}

/// One side of an `if`: its type and results, or none if taking it always fails.
struct Taken {
    side: Side,
    value: Option<(Type, Vec<NodeId>)>,
}

struct Walker<'a> {
    program: &'a Program,
    builder: Builder,
    /// Functions without parameters, by number.
    kept: Vec<Option<Walked>>,
    /// Functions with parameters, by number and encoded arguments.
    called: HashMap<(FunctionId, Vec<u32>), Walked>,
    /// Functions that are being walked.
    open: Vec<FunctionId>,
    depth: usize,
    /// Of the function that is being walked, so far.
    steps: u64,
    levels: usize,
    /// Of all functions without parameters, each of which is computed once.
    kept_steps: u64,
}

impl<'a> Walker<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            program,
            builder: Builder::new(),
            kept: vec![None; program.functions.len()],
            called: HashMap::new(),
            open: Vec::new(),
            depth: 0,
            steps: 0,
            levels: 0,
            kept_steps: 0,
        }
    }

    fn output(&mut self, output: &Output) -> Result<Vec<NodeId>, String> {
        let unknown = || "its shape is known only when it runs".to_owned();
        let expected = output.ty.scalars().ok_or_else(unknown)?;
        // Walking more than is needed is harmless, since nothing is demanded until somebody asks.
        for helper in helpers_first(self.program, output.function) {
            self.once(helper);
        }
        match self.keep(output.function) {
            Ok(value) => flatten(&value).filter(|nodes| nodes.len() == expected).ok_or_else(unknown),
            Err(Stop::Fails) => Ok(vec![self.builder.failure(); expected]),
            Err(Stop::NotFixed(reason)) => Err(reason),
        }
    }

    /// Walks a function without parameters, unless it has been walked.
    fn once(&mut self, id: FunctionId) -> Walked {
        if let Some(walked) = &self.kept[id.0 as usize] {
            return walked.clone();
        }
        let walked = self.walk(id, &[]);
        self.kept_steps = self.kept_steps.saturating_add(walked.steps);
        self.kept[id.0 as usize] = Some(walked.clone());
        walked
    }

    /// The value of a function without parameters, asked for here.
    fn keep(&mut self, id: FunctionId) -> Result<Later, Stop> {
        let walked = self.once(id);
        self.levels = self.levels.max(walked.levels);
        self.builder.ask(walked.group);
        walked.value
    }

    fn call(&mut self, id: FunctionId, arguments: &[Expr], params: &[Later]) -> Result<Later, Stop> {
        if arguments.is_empty() {
            return self.keep(id);
        }
        let arguments = self.all(arguments, params)?;
        let key = (id, encode(&arguments));
        let walked = match self.called.get(&key) {
            Some(walked) => walked.clone(),
            None => {
                let walked = self.walk(id, &arguments);
                self.called.insert(key, walked.clone());
                walked
            }
        };
        self.steps = self.steps.saturating_add(walked.steps);
        self.levels = self.levels.max(walked.levels);
        self.builder.ask(walked.group);
        walked.value
    }

    /// Walks the body of a function.
    fn walk(&mut self, id: FunctionId, params: &[Later]) -> Walked {
        let function = self.program.function(id);
        let (outer_steps, outer_levels) = (self.steps, self.levels);
        (self.steps, self.levels) = (0, 0);
        self.builder.begin_group();
        let value = if self.open.contains(&id) {
            Err(Stop::NotFixed(format!("`{}` calls itself", function.name)))
        } else {
            self.open.push(id);
            let value = self.expr(&function.body, params);
            self.open.pop();
            value
        };
        let group = self.builder.end_group();
        let walked = Walked { value, group, steps: self.steps, levels: self.levels + 1 };
        (self.steps, self.levels) = (outer_steps, outer_levels);
        walked
    }

    fn expr(&mut self, expr: &Expr, params: &[Later]) -> Result<Later, Stop> {
        if self.depth >= MOST_DEEP {
            return self.not_fixed(format!("its calls and expressions nest deeper than {MOST_DEEP}"));
        }
        self.depth += 1;
        self.steps = self.steps.saturating_add(1);
        let value = self.kind(expr, params);
        self.depth -= 1;
        match self.builder.full() {
            Some(Full::Long) => self.not_fixed(format!("it takes more than {MOST_NODES} operations")),
            Some(Full::Deep) => self.not_fixed(format!("its `if`s nest deeper than {MOST_ARMS}")),
            None if self.steps.saturating_add(self.kept_steps) > MOST_STEPS => {
                self.not_fixed(format!("it may take more than {MOST_STEPS} steps"))
            }
            None if self.levels >= MOST_LEVELS => {
                self.not_fixed(format!("its calls nest deeper than {MOST_LEVELS}"))
            }
            None => value,
        }
    }

    /// Small, with everything that needs memory in functions of its own, because it is on the stack at every
    /// level.
    fn kind(&mut self, expr: &Expr, params: &[Later]) -> Result<Later, Stop> {
        match &expr.kind {
            ExprKind::Real(constant) => Ok(Shaped::Real(self.builder.real(*constant))),
            ExprKind::Bool(constant) => Ok(Shaped::Bool(self.builder.truth(*constant))),
            ExprKind::Param(index) => Ok(params[*index as usize].clone()),
            ExprKind::Input(id) => self.input(*id),
            ExprKind::Call(id, arguments) => self.call(*id, arguments, params),
            ExprKind::Native(native, arguments) => self.native(expr, *native, arguments, params),
            ExprKind::Unary(operator, operand) => self.unary(expr, *operator, operand, params),
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), _, left, right) => {
                self.logical(expr, *operator, left, right, params)
            }
            ExprKind::Binary(..) => self.binary(expr, params),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise, params),
            ExprKind::Vector(elements) => self.vector(elements, params),
            ExprKind::Sequence(_) => self.not_fixed(format!("`{}` uses a sequence", self.name())),
        }
    }

    fn all(&mut self, exprs: &[Expr], params: &[Later]) -> Result<Vec<Later>, Stop> {
        exprs.iter().map(|expr| self.expr(expr, params)).collect()
    }

    fn native(
        &mut self,
        expr: &Expr,
        native: Native,
        arguments: &[Expr],
        params: &[Later],
    ) -> Result<Later, Stop> {
        let arguments = self.all(arguments, params)?;
        self.builder.set_span(Some(expr.span));
        let value = native.call(&mut self.builder, &arguments);
        self.settle(value)
    }

    fn unary(
        &mut self,
        expr: &Expr,
        operator: Unary,
        operand: &Expr,
        params: &[Later],
    ) -> Result<Later, Stop> {
        let operand = self.expr(operand, params)?;
        self.builder.set_span(Some(expr.span));
        let value = operation::unary(&mut self.builder, operator, &operand);
        self.settle(value)
    }

    fn vector(&mut self, elements: &[Expr], params: &[Later]) -> Result<Later, Stop> {
        let elements = self.all(elements, params)?;
        self.settle(operation::vector(&elements))
    }

    /// Along its left sides, in a loop.
    fn binary(&mut self, expr: &Expr, params: &[Later]) -> Result<Later, Stop> {
        let (first, mut spine) = left_spine(expr);
        let mut value = self.expr(first, params)?;
        while let Some((whole, operator, right)) = spine.pop() {
            let right = self.expr(right, params)?;
            self.builder.set_span(Some(whole.span));
            let combined = operation::binary(&mut self.builder, operator, &value, &right);
            value = self.settle(combined)?;
        }
        Ok(value)
    }

    /// `l & r` is `if l then r else false`; `l | r` is `if l then true else r`.
    fn logical(
        &mut self,
        expr: &Expr,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        params: &[Later],
    ) -> Result<Later, Stop> {
        let left = self.expr(left, params)?;
        let settled = operator == Binary::Or;
        match left {
            Shaped::Bool(condition) => match self.builder.known_truth(condition) {
                Some(known) if known == settled => Ok(left),
                Some(_) => self.expr(right, params),
                None => {
                    let right = self.side(right, params)?;
                    let constant = self.builder.truth(settled);
                    let constant = Taken { side: Side::default(), value: Some((Type::Bool, vec![constant])) };
                    self.builder.set_span(Some(expr.span));
                    if settled {
                        self.join(condition, constant, right)
                    } else {
                        self.join(condition, right, constant)
                    }
                }
            },
            _ => self.not_fixed(format!(
                "`{}` in `{}` has a side that is no boolean",
                operator.sign(),
                self.name()
            )),
        }
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        params: &[Later],
    ) -> Result<Later, Stop> {
        let span = condition.span;
        let Shaped::Bool(condition) = self.expr(condition, params)? else {
            return self.not_fixed(format!("the condition of an `if` in `{}` is no boolean", self.name()));
        };
        match self.builder.known_truth(condition) {
            Some(true) => return self.expr(then, params),
            Some(false) => return self.expr(otherwise, params),
            None => {}
        }
        let then = self.side(then, params)?;
        let otherwise = self.side(otherwise, params)?;
        self.builder.set_span(Some(span));
        self.join(condition, then, otherwise)
    }

    /// Walks an expression in an arm of its own.
    fn side(&mut self, expr: &Expr, params: &[Later]) -> Result<Taken, Stop> {
        self.builder.begin_arm();
        let value = self.expr(expr, params);
        let side = self.builder.end_arm();
        let value = match value {
            Ok(value) => match flatten(&value) {
                Some(nodes) => Some((value.type_of(), nodes)),
                None => return self.not_fixed(format!("`{}` uses a sequence", self.name())),
            },
            Err(Stop::Fails) => None,
            Err(stop) => return Err(stop),
        };
        Ok(Taken { side, value })
    }

    /// The value of one side or the other. A side that always fails has any shape.
    fn join(&mut self, condition: NodeId, then: Taken, otherwise: Taken) -> Result<Later, Stop> {
        let ty = match (&then.value, &otherwise.value) {
            (Some((x, _)), Some((y, _))) if x != y => {
                let name = self.name();
                return self.not_fixed(format!(
                    "which of {x} and {y} an `if` in `{name}` gives is known only when it runs"
                ));
            }
            (Some((ty, _)), _) | (_, Some((ty, _))) => ty.clone(),
            (None, None) => Type::Real,
        };
        let always = then.value.is_none() && otherwise.value.is_none();
        let scalars = ty.scalars().unwrap_or(0);
        let [then, otherwise] = [then, otherwise].map(|Taken { side, value }| match value {
            Some((_, nodes)) => (side, nodes),
            None if ty == Type::Bool => (side, vec![self.builder.truth(false)]),
            None => (side, vec![self.builder.failure(); scalars]),
        });
        let joined = self.builder.join(condition, then, otherwise);
        match unflatten(&ty, &joined) {
            _ if always => Err(Stop::Fails),
            Some(value) => Ok(value),
            None => self.not_fixed(format!("`{}` uses a sequence", self.name())),
        }
    }

    /// The value of an operation, unless it gave up or refused its operands.
    fn settle(&self, value: Result<Later, Mismatch>) -> Result<Later, Stop> {
        if self.builder.failed() {
            return Err(Stop::Fails);
        }
        value.or_else(|mismatch| self.not_fixed(format!("in `{}`, {}", self.name(), mismatch.message)))
    }

    fn not_fixed<T>(&self, reason: String) -> Result<T, Stop> {
        Err(Stop::NotFixed(reason))
    }

    fn input(&mut self, id: InputId) -> Result<Later, Stop> {
        let input = self.program.input(id);
        self.builder.set_span(None);
        let mut slot = |element: usize| {
            let element = u32::try_from(element).unwrap_or(u32::MAX);
            self.builder.slot(id, element, || slot_name(input, element))
        };
        match input.ty {
            Type::Real => Ok(Shaped::Real(slot(0))),
            Type::Bool => {
                let stored = slot(0);
                let zero = self.builder.real(0.0);
                Ok(Shaped::Bool(self.builder.compare(Comparison::Ne, stored, zero)))
            }
            Type::Vector(Dim::Is(length)) => Ok(Shaped::Vector((0..length as usize).map(slot).collect())),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                let (rows, columns) = (rows as usize, columns as usize);
                Ok(Shaped::Matrix(Matrix {
                    rows,
                    columns,
                    elements: (0..rows * columns).map(slot).collect(),
                }))
            }
            _ => self.not_fixed(format!("the shape of `{}` is known only when it runs", input.name)),
        }
    }

    /// The function whose body is being walked.
    fn name(&self) -> &str {
        self.open.last().map_or("", |id| &self.program.function(*id).name)
    }
}
