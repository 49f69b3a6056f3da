//! Symbolic algebra: formulas as values, exactly.
//!
//! ```text
//! Pool ──constructors──► Expr ──derivative──► Expr ──simplify──► Expr ──text──► VFLang
//! ```
//!
//! A [`Pool`] owns expressions; an [`Expr`] is a number that names one of them. Equal expressions of a pool
//! are one, so comparing is comparing numbers, and what is shared stays shared. The pool is a value: there is
//! no global interner, two pools know nothing of each other, and what a pool computes depends on nothing but
//! what was asked of it.
//!
//! ```
//! use gedanken_symbolic::Pool;
//!
//! let mut pool = Pool::new();
//! let (m, l, rate) = (pool.symbol("m"), pool.symbol("l"), pool.symbol("theta_dot"));
//! let half = pool.rational(1, 2);
//! let (l_squared, rate_squared) = (pool.powi(l, 2), pool.powi(rate, 2));
//! let kinetic = pool.product(&[half, m, l_squared, rate_squared]);
//! assert_eq!(pool.text(kinetic), "m*l^2*theta_dot^2/2");
//!
//! let momentum = pool.derivative(kinetic, rate);
//! assert_eq!(pool.text(momentum), "m*l^2*theta_dot");
//!
//! // Made in another order, it is the same expression.
//! let same = pool.product(&[rate, l, m, l]);
//! assert_eq!(momentum, same);
//! ```
//!
//! **Constructors** ([`Pool::add`], [`Pool::mul`], [`Pool::pow`], [`Pool::call`]) do what nobody would want
//! undone: they compute with numbers, collect equal terms and equal bases, and put things in order. They
//! never expand. [`Pool::expand`], [`Pool::normal`] and [`Pool::simplify`] are asked for by name.
//!
//! **Validity.** All symbols are real. A rewrite is used only if both sides are equal for all real arguments
//! for which both are defined: √(x²) is |x|, and √(xy) stays as it is.
//!
//! ```
//! use gedanken_symbolic::Pool;
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.symbol("x"), pool.symbol("y"));
//! let square = pool.powi(x, 2);
//! let root = pool.sqrt(square);
//! assert_eq!(pool.text(root), "abs(x)");
//! let product = pool.mul(x, y);
//! let root = pool.sqrt(product);
//! assert_eq!(pool.text(root), "sqrt(x*y)");
//! ```
//!
//! **Depth.** An expression has a greater number than all that it is made of. So whatever walks over one
//! takes its parts in the order of their numbers ([`Pool::parts_of`]) and meets each after its own parts,
//! without recursion: expressions may be as deep as memory allows. What cannot be shared is text;
//! [`Pool::text_within`] gives up when it grows too long.

mod derivative;
mod evaluate;
pub mod lagrange;
pub mod matrix;
mod normal;
mod number;
mod pool;
mod simplify;
mod substitute;
mod text;

pub use derivative::Derivation;
pub use matrix::Matrix;
pub use number::Rational;
pub use pool::function::{Function, Function2};
pub use pool::truth::{Comparison, Truth, TruthNode};
pub use pool::{Expr, Node, Pool, Symbol};

/// The programs in the book, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/lagrangian.md")]
    mod lagrangian {}
}
