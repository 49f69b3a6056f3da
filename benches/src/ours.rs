//! What is measured, in one place: the rest of this package names the project only through here.

pub use gedanken_dynamics::integrate::LEAPFROG_DKD;
pub use gedanken_dynamics::laws::{Laws, NewtonianGravity, Springs, UniformGravity};
pub use gedanken_dynamics::nbody::{Cloud, Width};
pub use gedanken_dynamics::scenes::{Scene, point_masses};
pub use gedanken_dynamics::{
    ComponentId, Components, Coordinates, Mass, OneD, Position, Space, State, Stepper, ThreeD, Velocity,
};
pub use gedanken_experiment::{Files, mjcf};
pub use gedanken_geometry::bounds::Aabb;
pub use gedanken_geometry::broad::{BroadPhase, Manager};
pub use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
pub use gedanken_jit::{NativeProgram, compile};
pub use gedanken_lab::read as read_experiment;
pub use gedanken_lab::sweep::{Axis, Grid};
pub use gedanken_lab::{Options, Run, SharedCode, Stop};
pub use gedanken_lang::check::{Library, Participant, Signature, check_context, check_library};
pub use gedanken_lang::diagnostic::Diagnostic;
pub use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, Slot, build};
pub use gedanken_lang::program::{OutputKind, Program};
pub use gedanken_lang::source::Sources;
pub use gedanken_lang::symbolic::graph as symbolic_graph;
pub use gedanken_lang::syntax::tree::{Block, Definition, Item};
pub use gedanken_lang::syntax::{Dialect, parse};
pub use gedanken_lang::types::Type;
pub use gedanken_lang::value::Value;
pub use gedanken_lang::vm::{Limits, Machine, compile as compile_to_bytecode};
pub use gedanken_math::rotation::to_world;
pub use gedanken_math::units::{METRE, Quantity, SECOND};
pub use gedanken_math::{Pose, Quat, Vec3};
pub use gedanken_multibody as multibody;
pub use gedanken_recording::{Event, EventKind, Frame, Notice, Owner, Recording, Schema, Sink};
pub use gedanken_rigid as rigid;
pub use gedanken_symbolic::lagrange::{Coordinate, Effort, Equations, Statement, System};
pub use gedanken_symbolic::{Derivation, Expr, Pool, Rational, Symbol};
