//! What is measured, in one place: the rest of this package names the project only through here.

pub use gedanken_algebra::Vec3;
pub use gedanken_algebra::units::{METRE, Quantity, SECOND};
pub use gedanken_dynamics::integrate::LEAPFROG_DKD;
pub use gedanken_dynamics::laws::{Laws, NewtonianGravity, Springs, UniformGravity};
pub use gedanken_dynamics::nbody::{Cloud, Width};
pub use gedanken_dynamics::scenes::{Scene, point_masses};
pub use gedanken_dynamics::{
    Components, Coordinates, Mass, OneD, Position, Space, State, Stepper, ThreeD, Velocity,
};
pub use gedanken_geometry::bounds::Aabb;
pub use gedanken_geometry::broad::{BroadPhase, Manager};
