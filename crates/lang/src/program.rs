//! The resolved program: the syntax tree after every name has found its meaning and every parenthesis has
//! done its work.
//!
//! The checker makes it, in full or not at all. The evaluator, the builder of the intermediate form and the
//! queries about types all read it, and nothing else.
//!
//! A name's meaning depends on who asks: while a first-time-only attribute is computed, attribute names mean
//! stored values, also inside the helpers it calls. Such helpers occur twice among the functions, once for
//! each [`Phase`].

use crate::native::Native;
use crate::source::Span;
use crate::syntax::tree::{Binary, Unary};
use crate::types::Type;

/// An index into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// An index into [`Program::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// A whole program: the functions of a context with all they call, or those of a session.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Values that the laws read, in the order of the scope they were checked in.
    pub inputs: Vec<Input>,
    /// Functions, each after nothing in particular: calls go by id.
    pub functions: Vec<Function>,
    /// Laws that the program computes, in the order of the text.
    pub outputs: Vec<Output>,
}

/// Something stored that a law can read: an attribute, its previous value, `t`, `dt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// As the user writes it: `position`, `previous(v)`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Index of the name in the scope that the program was checked in.
    pub scope_index: usize,
    /// `true` for the value at the last completed frame or event.
    pub previous: bool,
}

/// A value that the program gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The attribute.
    pub name: String,
    /// Index of the attribute in the scope.
    pub scope_index: usize,
    /// The function without parameters that computes it.
    pub function: FunctionId,
    /// Value, rate of change, or value at the start.
    pub kind: OutputKind,
    /// The type of the attribute, which is the type of the function's result.
    pub ty: Type,
}

/// Role of an output for its attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// Its new value: `v = …`.
    Law,
    /// Its derivative in time: `v' = …`.
    Rate,
    /// Its value from the start of the context on.
    FirstTime,
}

/// Meaning of attribute names inside a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The law's new value where there is a law.
    Laws,
    /// The stored value, always: first-time-only attributes are being computed.
    Start,
}

/// A function with its meaning.
#[derive(Clone, Debug)]
pub struct Function {
    /// As the user writes it.
    pub name: String,
    /// Place at which its name is defined.
    pub name_span: Span,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// Meaning of its attribute names.
    pub phase: Phase,
    /// The right side.
    pub body: Expr,
}

/// An expression with its meaning. Its height is bounded like that of the syntax tree.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Kind of expression.
    pub kind: ExprKind,
    /// Place at which it was written.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Real(f64),
    /// A constant.
    Bool(bool),
    /// The parameter with this index.
    Param(u32),
    /// A stored value.
    Input(InputId),
    /// A function of the program. Without arguments it is computed at most once in an evaluation, and only
    /// when needed.
    Call(FunctionId, Vec<Expr>),
    /// A native.
    Native(Native, Vec<Expr>),
    /// A sign and what it applies to.
    Unary(Unary, Box<Expr>),
    /// An operator, where its sign stands, and its sides. `&` and `|` look at the right side only if they
    /// must.
    Binary(Binary, Span, Box<Expr>, Box<Expr>),
    /// Condition and arms, of which one is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A vector of reals, or a matrix of rows.
    Vector(Vec<Expr>),
    /// A sequence.
    Sequence(Vec<Expr>),
}

impl Program {
    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The input with this id.
    pub fn input(&self, id: InputId) -> &Input {
        &self.inputs[id.0 as usize]
    }

    /// The function of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        u32::try_from(index).ok().map(FunctionId)
    }
}
