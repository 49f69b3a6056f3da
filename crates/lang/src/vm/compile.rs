//! Bytecode: a program as one list of operations for a stack machine, and beside it the places they were
//! written at.
//!
//! Every operation finds its operands on top of the stack and leaves one value. Arguments become the first
//! slots of the callee's frame where they lie. The layout of an `if`:
//!
//! ```text
//! condition   SkipUnless else   then-arm   Skip end   else: else-arm   end:
//! ```
//!
//! and of `a & b`, whose left side decides alone when it is false (of `a | b`, when it is true):
//!
//! ```text
//! a   Decide(&) end   b   Binary(&)   end:
//! ```

use crate::native::Native;
use crate::program::{Expr, ExprKind, FunctionId, Phase, Program};
use crate::source::Span;
use crate::syntax::tree::{Binary, Unary};
use std::ops::Range;

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    /// Puts a constant on the stack.
    Real(f64),
    /// Puts a constant on the stack.
    Bool(bool),
    /// Puts a copy of a parameter on the stack.
    Param(u32),
    /// Puts a stored value on the stack.
    Input(u32),
    /// Calls a function; its arguments are on the stack.
    Call(FunctionId),
    /// Calls a native with so many arguments.
    Native(Native, u32),
    /// Applies a sign.
    Unary(Unary),
    /// Applies an operator.
    Binary(Binary),
    /// `&` and `|`: goes on at the target, the left side being the result, if that decides.
    Decide(Binary, u32),
    /// Goes on at the target.
    Skip(u32),
    /// Takes a condition and goes on at the target if it is false.
    SkipUnless(u32),
    /// Makes a vector, or a matrix, of so many.
    Vector(u32),
    /// Makes a sequence of so many.
    Sequence(u32),
    /// Ends the function; its result is on the stack.
    Return,
}

/// Places in the text of an operation and its operands.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its sign, or all of it.
    pub(super) span: Span,
    /// Its operands, in [`Code::operands`].
    operands: Range<u32>,
}

/// A function of the program, compiled.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    /// As the user writes it; empty for an expression that stands alone.
    pub(super) name: String,
    /// Meaning of its attribute names.
    pub(super) phase: Phase,
    /// Number of parameters.
    pub(super) params: u32,
    /// Its first operation.
    pub(super) start: u32,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Code {
    pub(super) routines: Vec<Routine>,
    pub(super) operations: Vec<Operation>,
    /// Places of each operation.
    places: Vec<Place>,
    /// The operands of all operations: where each was written, unless it is a constant, which speaks for
    /// itself.
    operands: Vec<Option<Span>>,
    pub(super) inputs: usize,
}

impl Code {
    /// Number of operations.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Returns `true` if there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    pub(super) fn routine(&self, id: FunctionId) -> &Routine {
        &self.routines[id.0 as usize]
    }

    pub(super) fn span(&self, operation: usize) -> Span {
        self.places[operation].span
    }

    /// Places in the text of the operands of an operation; `None` for constants.
    pub(super) fn operands(&self, operation: usize) -> &[Option<Span>] {
        let Range { start, end } = self.places[operation].operands;
        &self.operands[start as usize..end as usize]
    }
}

/// Compiles a program.
pub fn compile(program: &Program) -> Code {
    let code = Code {
        routines: Vec::with_capacity(program.functions.len()),
        operations: Vec::new(),
        places: Vec::new(),
        operands: Vec::new(),
        inputs: program.inputs.len(),
    };
    let mut compiler = Compiler { code };
    for function in &program.functions {
        let start = compiler.here();
        compiler.code.routines.push(Routine {
            name: function.name.clone(),
            phase: function.phase,
            params: count(function.params.len()),
            start,
        });
        compiler.expression(&function.body);
        compiler.add(Operation::Return, function.body.span, &[]);
    }
    compiler.code
}

struct Compiler {
    code: Code,
}

impl Compiler {
    /// Recursion is safe: the height of expressions is bounded.
    fn expression(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Real(real) => self.add(Operation::Real(*real), span, &[]),
            ExprKind::Bool(truth) => self.add(Operation::Bool(*truth), span, &[]),
            ExprKind::Param(index) => self.add(Operation::Param(*index), span, &[]),
            ExprKind::Input(id) => self.add(Operation::Input(id.0), span, &[]),
            ExprKind::Call(id, arguments) => self.apply(Operation::Call(*id), span, arguments),
            ExprKind::Native(native, arguments) => {
                self.apply(Operation::Native(*native, count(arguments.len())), span, arguments);
            }
            ExprKind::Vector(elements) => {
                self.apply(Operation::Vector(count(elements.len())), span, elements)
            }
            ExprKind::Sequence(items) => self.apply(Operation::Sequence(count(items.len())), span, items),
            ExprKind::Unary(operator, operand) => {
                self.expression(operand);
                self.add(Operation::Unary(*operator), span, &[operand]);
            }
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), sign, left, right) => {
                self.expression(left);
                let decide = self.here();
                self.add(Operation::Decide(*operator, 0), *sign, &[left]);
                self.expression(right);
                self.add(Operation::Binary(*operator), *sign, &[left, right]);
                self.code.operations[decide as usize] = Operation::Decide(*operator, self.here());
            }
            ExprKind::Binary(operator, sign, left, right) => {
                self.expression(left);
                self.expression(right);
                self.add(Operation::Binary(*operator), *sign, &[left, right]);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expression(condition);
                let unless = self.here();
                self.add(Operation::SkipUnless(0), condition.span, &[condition]);
                self.expression(then);
                let skip = self.here();
                self.add(Operation::Skip(0), span, &[]);
                self.code.operations[unless as usize] = Operation::SkipUnless(self.here());
                self.expression(otherwise);
                self.code.operations[skip as usize] = Operation::Skip(self.here());
            }
        }
    }

    fn apply(&mut self, operation: Operation, span: Span, arguments: &[Expr]) {
        for argument in arguments {
            self.expression(argument);
        }
        self.add(operation, span, &arguments.iter().collect::<Vec<_>>());
    }

    fn add(&mut self, operation: Operation, span: Span, operands: &[&Expr]) {
        let first = count(self.code.operands.len());
        self.code
            .operands
            .extend(operands.iter().map(|operand| (!is_constant(operand)).then_some(operand.span)));
        self.code.operations.push(operation);
        self.code.places.push(Place { span, operands: first..count(self.code.operands.len()) });
    }

    fn here(&self) -> u32 {
        count(self.code.operations.len())
    }
}

/// Returns `true` if its value can be read off the text.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) => true,
        ExprKind::Unary(_, operand) => is_constant(operand),
        ExprKind::Vector(items) | ExprKind::Sequence(items) => items.iter().all(is_constant),
        _ => false,
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("texts are bounded to 64 MiB, and a byte makes a few operations at most")
}
