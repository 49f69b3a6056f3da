//! A material of the experiment.

use gedanken_lang::check::Checked;
use gedanken_lang::source::Span;

/// `material NAME { … }`.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its name; no two materials have the same.
    pub name: String,
    /// Newton's coefficient: from 0 to 1.
    pub restitution: Coefficient,
    /// Coulomb's coefficient: 0 or greater.
    pub friction: Coefficient,
    /// Where its name is written.
    pub span: Span,
}

/// A number, or a function of a speed.
#[derive(Clone, Debug)]
pub enum Coefficient {
    /// The same at all speeds.
    Number(f64),
    /// A program with one output. Its inputs are the speed, `SPEED` of the engine, and attributes of the
    /// world.
    Curve(Box<Checked>),
}

/// What a coefficient is a function of.
pub const SPEED: &str = "speed";

/// What surfaces do unless they say otherwise: they do not rebound, and rub a little.
pub const DEFAULT_RESTITUTION: f64 = 0.0;

/// See [`DEFAULT_RESTITUTION`].
pub const DEFAULT_FRICTION: f64 = 0.5;
