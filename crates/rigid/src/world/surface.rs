//! Surfaces: properties of every body that can be touched, computed once for a world.

use super::World;
use super::body::{Body, BodyKind};
use super::solver_body::SolverBody;
use gedanken_geometry::{Shape, Solid, sweep};
use gedanken_math::{Pose, Vec3};

/// The surface of one body.
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    /// The shape.
    pub(crate) shape: Shape,
    /// The frame of the shape in the principal frame.
    pub(crate) frame: Pose,
    /// `true` if both are one.
    centred: bool,
    /// `true` if impulses move it.
    pub(crate) dynamic: bool,
    /// Displacement of the surface to the outside by turning, per radian: the distance of the
    /// farthest point from the centre of mass. A ball that turns about its own centre carries none. Infinite
    /// for a half-space.
    pub(crate) sway: f64,
    /// The smallest width: a body that moves farther than half of it in a step may jump over another one.
    /// Infinite for half-spaces and meshes, whose inside is unbounded or empty.
    pub(crate) width: f64,
    /// Distance of the farthest point from the centre of mass.
    pub(crate) reach: f64,
    /// Radius of a sphere about the centre of mass; `None` for any other shape or place.
    pub(crate) ball: Option<f64>,
    /// `true` if a plane lies between it and any convex body that it does not touch.
    pub(crate) convex: bool,
}

impl Surface {
    fn of(body: &Body) -> Option<Self> {
        let shape = body.shape().filter(|_| body.has_surface())?.clone();
        let frame = body.frame();
        let centre = frame.inverse().translation;
        let reach = sweep::reach(&shape, centre);
        let sway = if matches!(shape, Shape::Sphere(_)) { centre.length() } else { reach };
        let ball = match &shape {
            Shape::Sphere(sphere) if centre == Vec3::ZERO => Some(sphere.radius()),
            _ => None,
        };
        let convex = !matches!(shape, Shape::Compound(_) | Shape::Mesh(_));
        let width = match &shape {
            Shape::HalfSpace(_) | Shape::Mesh(_) => f64::INFINITY,
            _ => shape.bounds(&Pose::IDENTITY).size().min_element(),
        };
        Some(Self {
            shape,
            frame,
            centred: frame == Pose::IDENTITY,
            dynamic: body.kind() == BodyKind::Dynamic,
            sway,
            width,
            reach,
            ball,
            convex,
        })
    }

    /// Pose of the shape for a pose of the principal frame.
    pub(crate) fn pose(&self, body: &Pose) -> Pose {
        // Most bodies are made around their centre of mass: nothing to compute, and nothing to round.
        if self.centred { *body } else { *body * self.frame }
    }

    /// Bound on the displacement by turning through `angle` of a point of the surface that is at most
    /// `within` from the centre of mass.
    pub(crate) fn turning(&self, angle: f64, within: f64) -> f64 {
        // No point goes farther than through the centre and out on the other side. No angle, no way: also of
        // half-spaces.
        if angle == 0.0 { 0.0 } else { angle.min(2.0) * self.sway.min(within) }
    }
}

/// The surfaces of a world, by row.
#[derive(Debug, Clone)]
pub(crate) struct Surfaces {
    rows: Vec<Option<Surface>>,
    /// Pairs of rows that pass through each other, in order.
    apart: Vec<(u32, u32)>,
    /// By row: whether it is in one of these.
    choosy: Vec<bool>,
}

impl Surfaces {
    /// Of all bodies of a world.
    pub(crate) fn of(world: &World) -> Self {
        let count = world.bodies().last().map_or(1, |(id, _)| id.row() + 1);
        let rows = (0..count).map(|row| world.at_row(row).and_then(Surface::of)).collect();
        let apart: Vec<(u32, u32)> = world.passing().collect();
        let mut choosy = vec![false; count];
        for &(a, b) in &apart {
            choosy[a as usize] = true;
            choosy[b as usize] = true;
        }
        Self { rows, apart, choosy }
    }

    /// The surface of the body in a row, if it has one.
    pub(crate) fn at(&self, row: u32) -> Option<&Surface> {
        self.rows.get(row as usize).and_then(Option::as_ref)
    }

    /// All surfaces with their rows, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Surface)> {
        (0..).zip(&self.rows).filter_map(|(row, surface)| Some((row, surface.as_ref()?)))
    }

    /// Returns `true` if two bodies with surfaces, the smaller row first, can touch: the same as
    /// [`World::may_touch`].
    pub(crate) fn may_touch(&self, a: u32, b: u32) -> bool {
        let dynamic = |row: u32| self.at(row).is_some_and(|surface| surface.dynamic);
        let choosy = self.choosy[a as usize] && self.choosy[b as usize];
        (dynamic(a) || dynamic(b)) && !(choosy && self.apart.binary_search(&(a, b)).is_ok())
    }
}

/// Returns `true` if two bodies that pass each other by `way` and turn through these angles do so by more
/// than half of the smaller width. A contact found at the start of such a step says little about where they
/// meet; the meeting is located inside the step.
pub(crate) fn jumps([one, two]: [&Surface; 2], way: f64, angles: [f64; 2]) -> bool {
    let turning = one.turning(angles[0], two.width) + two.turning(angles[1], one.width);
    way + turning > 0.5 * one.width.min(two.width)
}

/// The acceleration that the laws give a body; zero for what they do not move.
pub(crate) fn pull(force: Vec3, mover: &SolverBody) -> Vec3 {
    if mover.mass > 0.0 { force / mover.mass } else { Vec3::ZERO }
}
