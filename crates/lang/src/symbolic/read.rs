//! From a program to formulas: walks the functions that are asked for, with formulas in place of values.
//!
//! Every call is inlined. A function without parameters is walked once; one with parameters once for each
//! combination of arguments, which formulas being one where they are equal makes few. Recursion has no
//! formula, and neither has what only a run can tell: the length of a sequence, the pivots of a large matrix.

use super::decimal::decimal;
use super::formulas::Formulas;
use super::not_symbolic::Trouble;
use super::{Formula, NotSymbolic};
use crate::arithmetic::{self, Arithmetic};
use crate::diagnostic::Code;
use crate::native::{Native, adjugate_inverse};
use crate::operation::{self, Mismatch};
use crate::program::{Expr, ExprKind, FunctionId, Input, InputId, Program};
use crate::source::{Sources, Span};
use crate::syntax::tree::{Binary, Unary};
use crate::types::{Dim, Type};
use crate::value::{Matrix, Shaped};
use crate::walk::{helpers_first, left_spine};
use gedanken_symbolic::{Pool, Truth};
use std::collections::HashMap;

/// Expressions inside calls inside expressions: the walk is recursive, and test threads have 2 MB of stack.
const MOST_DEEP: usize = 400;
/// Expressions that are walked.
const MOST_STEPS: usize = 1_000_000;

/// Says what an element of an input is.
pub(super) type Inputs<'i> = &'i mut dyn FnMut(&mut Pool, &Input, u32) -> gedanken_symbolic::Expr;

/// The outputs with these indices as formulas, in this order. `input` says what each scalar of each input is,
/// row by row; for a boolean, a real that is 0 where it is false.
///
/// # Errors
/// If one of them has no symbolic form, with the reason.
pub fn read(
    pool: &mut Pool,
    program: &Program,
    outputs: &[usize],
    input: &mut dyn FnMut(&mut Pool, &Input, u32) -> gedanken_symbolic::Expr,
) -> Result<Vec<Formula>, NotSymbolic> {
    let mut walker = Walker::new(pool, program, input, None);
    outputs.iter().map(|&index| walker.root(program.outputs[index].function, &[])).collect()
}

/// A function of the program as a formula of its arguments, of which there are as many as it has parameters.
///
/// # Errors
/// If it has no symbolic form, with the reason.
pub fn function(
    pool: &mut Pool,
    program: &Program,
    function: FunctionId,
    arguments: &[Formula],
    input: &mut dyn FnMut(&mut Pool, &Input, u32) -> gedanken_symbolic::Expr,
) -> Result<Formula, NotSymbolic> {
    Walker::new(pool, program, input, None).root(function, arguments)
}

/// As [`function`], without arguments, with numbers read from the text itself, to their last digit.
pub(super) fn written(
    pool: &mut Pool,
    program: &Program,
    function: FunctionId,
    sources: &Sources,
    input: Inputs<'_>,
) -> Result<Formula, NotSymbolic> {
    Walker::new(pool, program, input, Some(sources)).root(function, &[])
}

/// Why a walk did not come to its end.
#[derive(Clone, Debug)]
enum Stop {
    /// There is no formula.
    Refused(Trouble, Option<Span>),
    /// It always fails here, and has no value.
    Fails(Trouble, Option<Span>),
}

type Walked = Result<Formula, Stop>;

/// Arguments as words: equal ones have equal shapes and equal scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    Shape(u8, usize),
    Real(gedanken_symbolic::Expr),
    Bool(Truth),
}

struct Walker<'w> {
    program: &'w Program,
    formulas: Formulas<'w>,
    inputs: Inputs<'w>,
    sources: Option<&'w Sources>,
    given: HashMap<InputId, Formula>,
    /// Functions without parameters, by number.
    kept: Vec<Option<Walked>>,
    /// Functions with parameters, by number and arguments.
    called: HashMap<(FunctionId, Vec<Word>), Walked>,
    /// Functions that are being walked.
    open: Vec<FunctionId>,
    depth: usize,
    steps: usize,
}

impl<'w> Walker<'w> {
    fn new(
        pool: &'w mut Pool,
        program: &'w Program,
        inputs: Inputs<'w>,
        sources: Option<&'w Sources>,
    ) -> Self {
        Self {
            program,
            formulas: Formulas::new(pool),
            inputs,
            sources,
            given: HashMap::new(),
            kept: vec![None; program.functions.len()],
            called: HashMap::new(),
            open: Vec::new(),
            depth: 0,
            steps: 0,
        }
    }

    fn root(&mut self, id: FunctionId, arguments: &[Formula]) -> Result<Formula, NotSymbolic> {
        // What is refused is told only if it turns out to be needed.
        for helper in helpers_first(self.program, id) {
            let _ = self.keep(helper);
        }
        let value = if arguments.is_empty() { self.keep(id) } else { self.walk(id, arguments) };
        value.map_err(|stop| {
            let (Stop::Refused(trouble, place) | Stop::Fails(trouble, place)) = stop;
            let name = &self.program.function(id).name;
            let what = if name.is_empty() { "the expression".to_owned() } else { format!("`{name}`") };
            NotSymbolic { what, reason: trouble.reason, place, code: trouble.code }
        })
    }

    /// The value of a function without parameters.
    fn keep(&mut self, id: FunctionId) -> Walked {
        if let Some(walked) = &self.kept[id.0 as usize] {
            return walked.clone();
        }
        let walked = self.walk(id, &[]);
        self.kept[id.0 as usize] = Some(walked.clone());
        walked
    }

    fn call(&mut self, id: FunctionId, arguments: &[Expr], params: &[Formula]) -> Walked {
        if arguments.is_empty() {
            return self.keep(id);
        }
        let arguments = self.all(arguments, params)?;
        let mut words = Vec::new();
        arguments.iter().for_each(|argument| encode(argument, &mut words));
        let key = (id, words);
        if let Some(walked) = self.called.get(&key) {
            return walked.clone();
        }
        let walked = self.walk(id, &arguments);
        self.called.insert(key, walked.clone());
        walked
    }

    /// Walks the body of a function.
    fn walk(&mut self, id: FunctionId, params: &[Formula]) -> Walked {
        let function = self.program.function(id);
        if self.open.contains(&id) {
            let reason = format!("`{}` calls itself, and a formula has an end", function.name);
            return Err(Stop::Refused(Trouble::new(Code::E605, reason), Some(function.name_span)));
        }
        self.open.push(id);
        let value = self.expr(&function.body, params);
        self.open.pop();
        value
    }

    fn expr(&mut self, expr: &Expr, params: &[Formula]) -> Walked {
        if self.depth >= MOST_DEEP {
            return refused(
                Trouble::too_large(format!("its calls and expressions nest deeper than {MOST_DEEP}")),
                expr,
            );
        }
        self.depth += 1;
        self.steps += 1;
        let value = self.kind(expr, params);
        self.depth -= 1;
        if self.steps > MOST_STEPS {
            return refused(Trouble::too_large(format!("it takes more than {MOST_STEPS} steps")), expr);
        }
        value
    }

    /// Small, with everything that needs memory in functions of its own, because it is on the stack at every
    /// level.
    fn kind(&mut self, expr: &Expr, params: &[Formula]) -> Walked {
        match &expr.kind {
            ExprKind::Real(constant) => self.number(expr, *constant),
            ExprKind::Bool(constant) => Ok(Shaped::Bool(self.formulas.truth(*constant))),
            ExprKind::Param(index) => Ok(params[*index as usize].clone()),
            ExprKind::Input(id) => self.input(expr, *id),
            ExprKind::Call(id, arguments) => self.call(*id, arguments, params),
            ExprKind::Native(native, arguments) => self.native(expr, *native, arguments, params),
            ExprKind::Unary(operator, operand) => self.unary(expr, *operator, operand, params),
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), _, left, right) => {
                self.logical(expr, *operator, left, right, params)
            }
            ExprKind::Binary(..) => self.binary(expr, params),
            ExprKind::If(condition, then, otherwise) => self.choice(expr, condition, then, otherwise, params),
            ExprKind::Vector(elements) => {
                let elements = self.all(elements, params)?;
                self.settle(expr, operation::vector(&elements))
            }
            ExprKind::Sequence(items) => {
                let items = self.all(items, params)?;
                self.settle(expr, operation::sequence(&items))
            }
        }
    }

    fn all(&mut self, exprs: &[Expr], params: &[Formula]) -> Result<Vec<Formula>, Stop> {
        exprs.iter().map(|expr| self.expr(expr, params)).collect()
    }

    /// As it is written, if the text is there; else what people mean who write it shortest.
    fn number(&mut self, expr: &Expr, constant: f64) -> Walked {
        let exact = self.sources.and_then(|sources| decimal(sources.slice(expr.span)));
        let number = match exact {
            Some(number) => self.formulas.number(number),
            None => self.formulas.real(constant),
        };
        self.settle(expr, Ok(Shaped::Real(number)))
    }

    fn unary(&mut self, expr: &Expr, operator: Unary, operand: &Expr, params: &[Formula]) -> Walked {
        let operand = self.expr(operand, params)?;
        let value = operation::unary(&mut self.formulas, operator, &operand);
        self.settle(expr, value)
    }

    /// Along its left sides, in a loop.
    fn binary(&mut self, expr: &Expr, params: &[Formula]) -> Walked {
        let (first, mut spine) = left_spine(expr);
        let mut value = self.expr(first, params)?;
        while let Some((whole, operator, right)) = spine.pop() {
            let right = self.expr(right, params)?;
            let combined = match (operator, &value, &right) {
                // Not as the product that a run computes: a power stays a power.
                (Binary::Power, Shaped::Real(base), Shaped::Real(exponent)) => {
                    let power = self.formulas.binary(arithmetic::Binary::Pow, *base, *exponent);
                    Ok(Shaped::Real(power))
                }
                _ => operation::binary(&mut self.formulas, operator, &value, &right),
            };
            value = self.settle(whole, combined)?;
        }
        Ok(value)
    }

    fn native(&mut self, expr: &Expr, native: Native, arguments: &[Expr], params: &[Formula]) -> Walked {
        let arguments = self.all(arguments, params)?;
        let value = match (native.entry().name, arguments.as_slice()) {
            // Lowered to arithmetic they would no longer be what they are.
            ("pi", []) => Ok(Shaped::Real(self.formulas.pool.pi())),
            ("sign", [Shaped::Real(x)]) => Ok(Shaped::Real(self.formulas.sign(*x))),
            ("squareMatrixInverse", [Shaped::Matrix(m)]) if m.rows == m.columns && !self.is_known(m) => {
                match adjugate_inverse(&mut self.formulas, m) {
                    Some(inverse) => Ok(Shaped::Matrix(inverse)),
                    None => return refused(large_matrix("inverse", m), expr),
                }
            }
            ("determinant", [Shaped::Matrix(m)]) if m.rows > 4 && !self.is_known(m) => {
                return refused(large_matrix("determinant", m), expr);
            }
            _ => native.call(&mut self.formulas, &arguments),
        };
        self.settle(expr, value)
    }

    /// Returns `true` if all its elements are numbers, so that a pivot can be chosen.
    fn is_known(&self, m: &Matrix<gedanken_symbolic::Expr>) -> bool {
        m.elements.iter().all(|&element| self.formulas.pool.as_number(element).is_some())
    }

    /// `l & r` is `if l then r else false`; `l | r` is `if l then true else r`.
    fn logical(
        &mut self,
        expr: &Expr,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        params: &[Formula],
    ) -> Walked {
        let left = self.expr(left, params)?;
        if let Shaped::Bool(condition) = left
            && let Some(known) = self.formulas.known_truth(condition)
            && known == (operator == Binary::Or)
        {
            return Ok(left);
        }
        let right = self.expr(right, params)?;
        let value = operation::binary(&mut self.formulas, operator, &left, &right);
        self.settle(expr, value)
    }

    /// An arm that always fails is left out: there is no value that the formula could have there.
    fn choice(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        params: &[Formula],
    ) -> Walked {
        let Shaped::Bool(truth) = self.expr(condition, params)? else {
            return refused(Trouble::new(Code::E510, "the condition of an `if` is no boolean"), condition);
        };
        match self.formulas.known_truth(truth) {
            Some(true) => return self.expr(then, params),
            Some(false) => return self.expr(otherwise, params),
            None => {}
        }
        self.formulas.enter_arm();
        let sides = (self.expr(then, params), self.expr(otherwise, params));
        self.formulas.leave_arm();
        match sides {
            (Ok(then), Ok(otherwise)) => match self.join(truth, &then, &otherwise) {
                Some(value) => self.settle(expr, Ok(value)),
                None => {
                    let (x, y) = (then.type_of(), otherwise.type_of());
                    let reason = format!("which of {x} and {y} an `if` gives is known only when it runs");
                    refused(Trouble::new(Code::E510, reason), expr)
                }
            },
            (Err(stop @ Stop::Refused(..)), _) | (_, Err(stop @ Stop::Refused(..))) => Err(stop),
            (Ok(value), Err(Stop::Fails(..))) | (Err(Stop::Fails(..)), Ok(value)) => Ok(value),
            (Err(stop), Err(_)) => Err(stop),
        }
    }

    /// One value or the other, scalar by scalar; `None` if they have different shapes.
    fn join(&mut self, condition: Truth, then: &Formula, otherwise: &Formula) -> Option<Formula> {
        let mut several =
            |x: &[gedanken_symbolic::Expr], y: &[gedanken_symbolic::Expr]| -> Vec<gedanken_symbolic::Expr> {
                x.iter().zip(y).map(|(x, y)| self.formulas.choice(condition, *x, *y)).collect()
            };
        Some(match (then, otherwise) {
            (Shaped::Real(x), Shaped::Real(y)) => Shaped::Real(self.formulas.choice(condition, *x, *y)),
            (Shaped::Bool(x), Shaped::Bool(y)) => Shaped::Bool(self.formulas.truth_choice(condition, *x, *y)),
            (Shaped::Vector(x), Shaped::Vector(y)) if x.len() == y.len() => Shaped::Vector(several(x, y)),
            (Shaped::Matrix(x), Shaped::Matrix(y)) if (x.rows, x.columns) == (y.rows, y.columns) => {
                let elements = several(&x.elements, &y.elements);
                Shaped::Matrix(Matrix { rows: x.rows, columns: x.columns, elements })
            }
            (Shaped::Sequence(x), Shaped::Sequence(y)) if x.len() == y.len() => {
                let items = x.iter().zip(y).map(|(x, y)| self.join(condition, x, y));
                Shaped::Sequence(items.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    fn input(&mut self, expr: &Expr, id: InputId) -> Walked {
        if let Some(given) = self.given.get(&id) {
            return Ok(given.clone());
        }
        let input = self.program.input(id);
        let (inputs, pool) = (&mut self.inputs, &mut *self.formulas.pool);
        let mut scalar = |element: usize| {
            let element = u32::try_from(element).unwrap_or(u32::MAX);
            inputs(pool, input, element)
        };
        let value = match input.ty {
            Type::Real => Shaped::Real(scalar(0)),
            Type::Bool => {
                let stored = scalar(0);
                let zero = self.formulas.pool.zero();
                Shaped::Bool(self.formulas.pool.compare(gedanken_symbolic::Comparison::Ne, stored, zero))
            }
            Type::Vector(Dim::Is(length)) => Shaped::Vector((0..length as usize).map(scalar).collect()),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                let (rows, columns) = (rows as usize, columns as usize);
                let elements = (0..rows * columns).map(scalar).collect();
                Shaped::Matrix(Matrix { rows, columns, elements })
            }
            _ => {
                let reason = format!("the shape of `{}` is known only when it runs", input.name);
                return refused(Trouble::new(Code::E510, reason), expr);
            }
        };
        self.given.insert(id, value.clone());
        Ok(value)
    }

    /// The value of an operation, unless it gave up or refused its operands.
    fn settle(&mut self, expr: &Expr, value: Result<Formula, Mismatch>) -> Walked {
        let failure = self.formulas.failure();
        if let Some(refusal) = self.formulas.refusal() {
            return refused(refusal.clone(), expr);
        }
        if let Some(failure) = failure {
            return Err(Stop::Fails(failure, Some(expr.span)));
        }
        value.or_else(|mismatch| refused(Trouble::new(Code::E510, mismatch.message), expr))
    }
}

fn refused<T>(trouble: Trouble, expr: &Expr) -> Result<T, Stop> {
    Err(Stop::Refused(trouble, Some(expr.span)))
}

fn large_matrix(what: &str, m: &Matrix<gedanken_symbolic::Expr>) -> Trouble {
    let reason =
        format!("the {what} of a {} by {} matrix with symbols in it is too long a formula", m.rows, m.rows);
    Trouble::too_large(reason)
}

fn encode(value: &Formula, into: &mut Vec<Word>) {
    match value {
        Shaped::Real(x) => into.push(Word::Real(*x)),
        Shaped::Bool(x) => into.push(Word::Bool(*x)),
        Shaped::Vector(v) => {
            into.push(Word::Shape(0, v.len()));
            into.extend(v.iter().map(|x| Word::Real(*x)));
        }
        Shaped::Matrix(m) => {
            into.extend([Word::Shape(1, m.rows), Word::Shape(2, m.columns)]);
            into.extend(m.elements.iter().map(|x| Word::Real(*x)));
        }
        Shaped::Sequence(items) => {
            into.push(Word::Shape(3, items.len()));
            items.iter().for_each(|item| encode(item, into));
        }
    }
}
