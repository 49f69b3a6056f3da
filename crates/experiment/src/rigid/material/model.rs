//! A material of the experiment.

use crate::rigid::soft::SoftSurface;
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
    /// Numbers that only soft constraints have a use for.
    pub soft: SoftSurface,
    /// Keys that only soft constraints have a use for, as far as they are written, with their positions.
    pub soft_keys: Vec<(&'static str, Span)>,
    /// Position of its restitution in the text, else of its name.
    pub restitution_span: Span,
    /// Position of its friction in the text, else of its name.
    pub friction_span: Span,
    /// Position of its name in the text.
    pub span: Span,
}

/// A number, or a function of a speed.
#[derive(Clone, Debug)]
pub enum Coefficient {
    /// One value for all speeds.
    Number(f64),
    /// A program with one output. Its inputs are the speed, `SPEED` of the engine, and attributes of the
    /// world.
    Curve(Box<Checked>),
}

/// Name of the speed, the argument of a coefficient.
pub const SPEED: &str = "speed";

/// Restitution of a surface unless it says otherwise: it does not rebound.
pub const DEFAULT_RESTITUTION: f64 = 0.0;

/// Friction of a surface unless it says otherwise.
pub const DEFAULT_FRICTION: f64 = 0.5;
