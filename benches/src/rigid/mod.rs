//! Scenes of rigid bodies that both sides run, and what is measured on the poses that come out.
//!
//! A [`Scene`] is plain data; [`ours`] and `peers::rapier` build it. [`quality`] looks at the result: it
//! knows poses and shapes, and shares nothing with either solver. [`links`] is the converged reference of the
//! chain, in other coordinates.

pub mod links;
pub mod ours;
pub mod quality;
pub mod scenes;

use crate::ours::{Quat, Vec3};

/// What a body looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// A ball of this radius.
    Ball(f64),
    /// A box of these half edges.
    Block(Vec3),
}

/// A body at the start.
#[derive(Debug, Clone, Copy)]
pub struct Solid {
    /// Its shape.
    pub form: Form,
    /// Its centre.
    pub at: Vec3,
    /// Whether it never moves.
    pub fixed: bool,
    /// Whether it touches others.
    pub touches: bool,
}

/// A ball joint between two neighbours, or the world and the first.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The bodies; the world where there is none.
    pub bodies: [Option<usize>; 2],
    /// The anchors, in the frame of each.
    pub anchors: [Vec3; 2],
}

/// A scene.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// The bodies.
    pub solids: Vec<Solid>,
    /// The joints.
    pub links: Vec<Link>,
    /// The step, s.
    pub step: f64,
    /// How many steps.
    pub steps: usize,
}

/// kg/m³ of all bodies.
pub const DENSITY: f64 = 1.0;
/// Of all contacts.
pub const FRICTION: f64 = 0.5;
/// m/s², downwards along z.
pub const GRAVITY: f64 = 9.81;

/// Where a body ended, and how it moves.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// Its centre.
    pub at: Vec3,
    /// Body to world.
    pub turned: Quat,
    /// m/s.
    pub velocity: Vec3,
    /// rad/s, in the world.
    pub spin: Vec3,
}

/// One side of the comparison.
pub trait Runner {
    /// One step.
    fn step(&mut self) -> Result<(), String>;
    /// All bodies as they are now.
    fn ends(&self) -> Vec<End>;
}
