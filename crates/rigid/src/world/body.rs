//! Bodies before they move: shape, mass, pose, velocity, material.
//!
//! The user describes a body in its own frame, that of its shape. Inside, bodies are kept at their centre of
//! mass along their principal axes, where Euler's equations are simplest; [`Body::frame`] is the pose of the
//! own frame there.

use super::error::RigidError;
use gedanken_geometry::mass::MassProperties;
use gedanken_geometry::{Shape, Solid};
use gedanken_math::linalg::symmetric3::diagonalise;
use gedanken_math::{Mat3, Pose, Quat, Twist, Vec3};

/// Cause of a body's motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// Forces and impulses.
    Dynamic,
    /// Rest: it stays where it is.
    Static,
    /// Its given velocity, whatever pushes it.
    Kinematic,
}

/// A body, under construction or in a [`crate::World`].
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) kind: BodyKind,
    pub(crate) shape: Option<Shape>,
    /// The pose of the body's own frame in the world.
    pub(crate) pose: Pose,
    /// The velocity of the frame's origin, and the angular velocity.
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    pub(crate) mass: Option<f64>,
    pub(crate) density: Option<f64>,
    pub(crate) inertia: Option<Mat3>,
    pub(crate) centre: Option<Vec3>,
    pub(crate) material: Option<String>,
    pub(crate) collides: bool,
    /// Filled in by [`Body::settled`].
    pub(crate) derived: DerivedProperties,
}

/// Derived properties: mass, moments, and the body's own frame in its principal one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DerivedProperties {
    pub(crate) mass: f64,
    pub(crate) moments: Vec3,
    /// The pose of the own frame in the principal frame.
    pub(crate) frame: Pose,
}

impl Body {
    fn new(kind: BodyKind, shape: Option<Shape>, pose: Pose) -> Self {
        let derived = DerivedProperties { mass: 0.0, moments: Vec3::ZERO, frame: Pose::IDENTITY };
        Self {
            kind,
            shape,
            pose,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: None,
            density: None,
            inertia: None,
            centre: None,
            material: None,
            collides: true,
            derived,
        }
    }

    /// A body that forces move.
    #[must_use]
    pub fn dynamic(shape: Shape, pose: Pose) -> Self {
        Self::new(BodyKind::Dynamic, Some(shape), pose)
    }

    /// A body that never moves.
    #[must_use]
    pub fn fixed(shape: Shape, pose: Pose) -> Self {
        Self::new(BodyKind::Static, Some(shape), pose)
    }

    /// A body that moves as it is told.
    #[must_use]
    pub fn kinematic(shape: Shape, pose: Pose) -> Self {
        Self::new(BodyKind::Kinematic, Some(shape), pose)
    }

    /// A body without a shape: it has a mass and an inertia, and touches nothing.
    #[must_use]
    pub fn shapeless(mass: f64, inertia: Mat3, pose: Pose) -> Self {
        Self::new(BodyKind::Dynamic, None, pose).with_mass(mass).with_inertia(inertia)
    }

    /// With this mass; the inertia follows from the shape unless given.
    #[must_use]
    pub fn with_mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// With this density.
    #[must_use]
    pub fn with_density(mut self, density: f64) -> Self {
        self.density = Some(density);
        self
    }

    /// With this inertia about the centre of mass, in the axes of the body's own frame.
    #[must_use]
    pub fn with_inertia(mut self, inertia: Mat3) -> Self {
        self.inertia = Some(inertia);
        self
    }

    /// With the centre of mass at this point of its own frame, instead of the shape's.
    #[must_use]
    pub fn with_centre(mut self, centre: Vec3) -> Self {
        self.centre = Some(centre);
        self
    }

    /// Moving: the velocity of its frame's origin.
    #[must_use]
    pub fn with_velocity(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// Turning, in the world frame.
    #[must_use]
    pub fn with_angular_velocity(mut self, angular_velocity: Vec3) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Made of the material of this name.
    #[must_use]
    pub fn with_material(mut self, material: impl Into<String>) -> Self {
        self.material = Some(material.into());
        self
    }

    /// Passing through everything.
    #[must_use]
    pub fn without_contacts(mut self) -> Self {
        self.collides = false;
        self
    }

    /// Kind of the body: the cause of its motion.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }

    /// Returns `true` if anything can touch it.
    #[must_use]
    pub fn has_surface(&self) -> bool {
        self.collides && self.shape.is_some()
    }

    /// Its mass; zero unless it is dynamic.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.derived.mass
    }

    /// Its principal moments of inertia; zero unless it is dynamic.
    #[must_use]
    pub fn moments(&self) -> Vec3 {
        self.derived.moments
    }

    /// The pose of its own frame, that of the shape, in its principal frame.
    #[must_use]
    pub fn frame(&self) -> Pose {
        self.derived.frame
    }

    /// The pose of its principal frame at the start, in the world.
    #[must_use]
    pub fn principal_pose(&self) -> Pose {
        self.pose * self.derived.frame.inverse()
    }

    /// The motion of its centre of mass at the start.
    #[must_use]
    pub fn twist(&self) -> Twist {
        let arm = self.principal_pose().translation - self.pose.translation;
        Twist::new(self.velocity + self.angular_velocity.cross(arm), self.angular_velocity)
    }

    /// The body with its mass, moments and principal frame worked out; an error says what is missing or
    /// impossible.
    ///
    /// # Errors
    /// A mass, an inertia or a shape that no moving body has.
    pub fn settled(mut self, name: &str) -> Result<Self, RigidError> {
        self.check_numbers(name)?;
        if self.kind != BodyKind::Dynamic {
            return Ok(self);
        }
        if let Some(shape @ (Shape::HalfSpace(_) | Shape::Mesh(_))) = &self.shape {
            return Err(RigidError::CannotMove { body: name.to_owned(), shape: shape.kind() });
        }
        let unit = self.shape.as_ref().map(|shape| shape.mass_properties(1.0)).transpose()?;
        let mass = self.mass.or_else(|| Some(self.density? * unit.as_ref()?.volume));
        let mass = mass.ok_or_else(|| RigidError::NoMass { body: name.to_owned() })?;
        let of_shape = unit.map(|unit: MassProperties| unit.inertia * (mass / unit.mass));
        let inertia =
            self.inertia.or(of_shape).ok_or_else(|| RigidError::NoMass { body: name.to_owned() })?;
        let centre = self.centre.or(unit.map(|unit| unit.centre)).unwrap_or(Vec3::ZERO);
        let (moments, axes) = principal(&inertia);
        let sum = moments.x + moments.y + moments.z;
        let most = moments.max_element();
        // The largest moment is at most the sum of the others; a hair of slack for rods and rounding.
        if moments.min_element() <= 0.0 || !moments.is_finite() || most > (sum - most) * (1.0 + 1e-9) {
            return Err(RigidError::BadInertia { body: name.to_owned(), moments: moments.to_array() });
        }
        let frame = Pose::new(axes, centre).inverse();
        self.derived = DerivedProperties { mass, moments, frame };
        Ok(self)
    }

    fn check_numbers(&self, name: &str) -> Result<(), RigidError> {
        let refused = |what: &'static str, value: String, reason: &'static str| {
            Err(RigidError::BadNumber { what, of: name.to_owned(), value, reason })
        };
        for (what, value) in [("mass", self.mass), ("density", self.density)] {
            if let Some(value) = value
                && !(value > 0.0 && value.is_finite())
            {
                return refused(
                    what,
                    value.to_string(),
                    "it must be positive; make the body static if nothing shall move it",
                );
            }
        }
        let q = self.pose.rotation;
        let turned = (q.length() - 1.0).abs() < 1e-6;
        for (what, fine, shown) in [
            ("position", self.pose.translation.is_finite(), format!("{}", self.pose.translation)),
            ("orientation", turned, format!("[{}, {}, {}, {}]", q.w, q.x, q.y, q.z)),
            ("velocity", self.velocity.is_finite(), format!("{}", self.velocity)),
            ("angular velocity", self.angular_velocity.is_finite(), format!("{}", self.angular_velocity)),
            ("centre of mass", self.centre.is_none_or(Vec3::is_finite), format!("{:?}", self.centre)),
        ] {
            if !fine {
                return refused(
                    what,
                    shown,
                    "it must be made of finite numbers, and an orientation of unit length",
                );
            }
        }
        let lopsided = |m: Mat3| {
            let largest = m.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let skew = (m - m.transpose()).to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            !m.is_finite() || skew > 1e-9 * largest
        };
        if let Some(inertia) = self.inertia
            && lopsided(inertia)
        {
            return refused(
                "inertia",
                format!("{inertia:?}"),
                "it must be a symmetric matrix of finite numbers",
            );
        }
        Ok(())
    }
}

/// The principal moments and the rotation from principal axes to the body's own. An inertia that is diagonal
/// already stays as it is, so that bodies along the axes are computed without rounding.
fn principal(inertia: &Mat3) -> (Vec3, Quat) {
    let off = [inertia.x_axis.y, inertia.x_axis.z, inertia.y_axis.z];
    if off.iter().all(|x| *x == 0.0) {
        return (Vec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z), Quat::IDENTITY);
    }
    let (moments, axes) = diagonalise(inertia);
    let rotation = Quat::from_mat3(&Mat3::from_cols(axes[0], axes[1], axes[2])).normalize();
    (Vec3::from_array(moments), rotation)
}
