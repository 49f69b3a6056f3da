//! Outlines: what locating an impact needs to know of a surface beyond what finding contacts does, worked out
//! once.

use crate::world::surface::Surface;
use gedanken_geometry::{Shape, bounds::radius_about};
use gedanken_math::{Pose, Vec3};

/// The surface of one body, seen from its centre of mass.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    /// The surface.
    pub(super) surface: Surface,
    /// The farthest point from the centre of mass.
    pub(super) reach: f64,
    /// The radius of a ball about the centre of mass.
    pub(super) ball: Option<f64>,
    /// Whether a plane lies between it and any convex body that it does not touch.
    pub(super) convex: bool,
}

impl Outline {
    /// Of a surface.
    pub(super) fn of(surface: &Surface) -> Self {
        let centre = surface.frame.inverse().translation;
        let ball = match &surface.shape {
            Shape::Sphere(sphere) if centre == Vec3::ZERO => Some(sphere.radius()),
            _ => None,
        };
        Self {
            reach: radius_about(&surface.shape, centre),
            ball,
            convex: !matches!(surface.shape, Shape::Compound(_) | Shape::Mesh(_)),
            surface: surface.clone(),
        }
    }

    /// The pose of the shape for a pose of the body.
    pub(super) fn pose(&self, body: &Pose) -> Pose {
        if self.surface.frame == Pose::IDENTITY { *body } else { *body * self.surface.frame }
    }
}
