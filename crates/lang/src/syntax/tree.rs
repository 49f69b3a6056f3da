//! The syntax tree: what was written, with its places, before anybody asks what it means.
//!
//! The parser always returns a tree. Where the text made no sense there is an [`ExprKind::Missing`], and a
//! diagnostic has been reported; later stages pass over it in silence. The height of every expression is at
//! most [`TALLEST`](super::TALLEST), so walking it recursively is safe.

use crate::source::Span;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// One source text: items in their order, and its comments.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// In the order of the text.
    pub items: Vec<Item>,
    /// In the order of the text; for the formatter.
    pub comments: Vec<Comment>,
}

impl File {
    /// Its definitions, in the order of the text, without all else.
    pub fn into_definitions(self) -> Vec<Definition> {
        let definition = |item| if let Item::Definition(definition) = item { Some(definition) } else { None };
        self.items.into_iter().filter_map(definition).collect()
    }
}

/// `// …` or `/* … */`, delimiters included.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Place, with its delimiters.
    pub span: Span,
    /// `true` if something other than white space stands before it on its line.
    pub trailing: bool,
}

/// Item of a file or of an input of a session.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name(a, b) = e`, `name = e`, `name' = e`.
    Definition(Definition),
    /// `import "f.vfl"`.
    Import(FileName),
    /// `export "f.vfl"`; sessions only.
    Export(FileName),
    /// `$ e`, or a bare expression; sessions only.
    Evaluate(Expr),
    /// `object { … }` and its like; `.lab` files only.
    Block(Block),
}

/// The quoted name of a file, after `import` or `export`.
#[derive(Clone, Debug)]
pub struct FileName {
    /// Between the quotes.
    pub path: String,
    /// Keyword and string.
    pub span: Span,
    /// The string with its quotes.
    pub path_span: Span,
}

/// A function, a law or a rate.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Name that is defined.
    pub name: Name,
    /// Place of the `'` of a rate `v' = …`.
    pub prime: Option<Span>,
    /// Empty for `name = e` and `name() = e`.
    pub params: Vec<Name>,
    /// The right side.
    pub body: Expr,
    /// All of it.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Kind of expression.
    pub kind: ExprKind,
    /// All of it, parentheses around it excluded.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `0.5`
    Real(f64),
    /// `true`
    Bool(bool),
    /// `position`
    Name(String),
    /// `f(x, y)`; also `previous(x)`. `native` is true for `VFLangNative.f(x)`.
    Call {
        /// Function that is called.
        callee: Name,
        /// `true` if it was written `VFLangNative.f`.
        native: bool,
        /// In order.
        arguments: Vec<Expr>,
    },
    /// `-x`
    Unary {
        /// Which.
        operator: Unary,
        /// Place of the sign.
        operator_span: Span,
        /// Expression that it applies to.
        operand: Box<Expr>,
    },
    /// `a + b`, also `v # 1` and the logical operators.
    Binary {
        /// Which.
        operator: Binary,
        /// Place of the sign.
        operator_span: Span,
        /// The left side.
        left: Box<Expr>,
        /// The right side.
        right: Box<Expr>,
    },
    /// `if c then a else b`
    If {
        /// After `if`.
        condition: Box<Expr>,
        /// After `then`.
        then: Box<Expr>,
        /// After `else`.
        otherwise: Box<Expr>,
    },
    /// `[a, b]`: a vector, or the rows of a matrix.
    Vector(Vec<Expr>),
    /// `{a, b}`
    Sequence(Vec<Expr>),
    /// `(e)`: kept, because the formatter must not move what the author grouped.
    Group(Box<Expr>),
    /// A mistake that has been reported.
    Missing,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `|`
    Or,
    /// `&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `++`
    Join,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `.`
    Dot,
    /// `^`
    Power,
    /// `#`
    Element,
}

impl Unary {
    /// As written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Not => "!",
        }
    }
}

impl Binary {
    /// As written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Or => "|",
            Self::And => "&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Join => "++",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Dot => ".",
            Self::Power => "^",
            Self::Element => "#",
        }
    }
}

/// `object { … }`, `world attributes { … }`, `measure NAME { … }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The words before the brace that say what it is, joined by one space: `world attributes`.
    pub keyword: Name,
    /// The name after the keyword, where the block has one.
    pub name: Option<Name>,
    /// Entries in the braces. In `world attributes { … }` every entry is a [`Value::Expression`].
    pub entries: Vec<Entry>,
    /// All of it.
    pub span: Span,
}

/// `key = value`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, its words joined by one underscore whatever was written: `physical_type`.
    pub key: Name,
    /// Value that it is set to.
    pub value: Value,
    /// All of it.
    pub span: Span,
}

/// Value of a key of a block. The key decides on its form; unknown keys get the one that fits what stands
/// there.
#[derive(Clone, Debug)]
pub enum Value {
    /// `free fall`, `dynamic`, `my_sphere`: words, joined by one space.
    Words(Name),
    /// `"ramp.stl"`, without its quotes.
    Text(Name),
    /// Any expression.
    Expression(Expr),
    /// `{t0, v0}`
    Names(Vec<Name>),
    /// `{[0,0,1], [0,0,-1]}`
    Expressions(Vec<Expr>),
    /// `{norm(ball.v), ball.position # 3 against ball.position # 1}`
    Curves(Vec<Curve>),
    /// `{ position = [0, 5, 0]  size = 1 }`: also the functions of a context.
    Definitions(Vec<Definition>),
    /// `restitution(v) = 0.9 - 0.01 * v`: a key that is a function.
    Function(Definition),
    /// `{ use n1 as attribute collisionNormal of object with index 0 }`
    Aliases(Vec<Alias>),
    /// `{ mandatory 1 dynamic sphere and floor }`
    Applicability(Vec<Role>),
    /// A mistake that has been reported.
    Missing,
}

/// `value`, or `value against other`: what a plot shows upwards and to the right.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Upwards.
    pub value: Expr,
    /// To the right; time, if `None`.
    pub against: Option<Expr>,
}

impl Curve {
    /// Its one or two expressions, in the order of the text.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        std::iter::once(&self.value).chain(&self.against)
    }
}

/// `use NAME as attribute A of object …`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The name in this context.
    pub name: Name,
    /// Of which attribute.
    pub attribute: Name,
    /// Of which object.
    pub of: AliasOf,
    /// All of it.
    pub span: Span,
}

/// Owner of the attribute that an alias names.
#[derive(Clone, Debug)]
pub enum AliasOf {
    /// `with index 0`, and where the number stands.
    Index(u32, Span),
    /// `NAME`: any object of the experiment.
    Object(Name),
}

/// One item of an `applicability`.
#[derive(Clone, Debug)]
pub enum Role {
    /// `2 dynamic spheres`: how many, `static` or `dynamic` or either, and a shape or `object`.
    Count {
        /// Number of them.
        count: u32,
        /// `static` or `dynamic`.
        physical: Option<Name>,
        /// `sphere`, `cuboid`, … in the singular; absent for `object(s)`.
        shape: Option<Name>,
        /// All of it.
        span: Span,
    },
    /// An object by its name.
    Object(Name),
}
