//! The cases, one per file.

pub mod chapter_five;
mod collision_by_hand;
mod derivation_against_sympy;
mod dice_throws;
mod die_against_slsqp;
mod free_fall_by_hand;
mod free_fall_in_the_lab;
mod gas;
mod geometry;
mod gravity_against_rebound;
mod gravity_on_two_threads;
mod leapfrog;
mod mechanisms_against_mujoco;
mod pendulum_by_hand;
mod rigid_against_rapier;
mod text_to_native;
mod variational_pyramid;
mod workflow_by_hand;

use crate::table::Row;

/// What a case gives: rows, or why it could not run.
pub type Outcome = Result<Vec<Row>, String>;

/// Name and function.
pub type Case = (&'static str, fn() -> Outcome);

/// Every case.
pub const ALL: &[Case] = &[
    ("broad phase against parry", geometry::broad_against_parry::run),
    ("chapter 5", chapter_five::run),
    ("contact against parry", geometry::contact_against_parry::run),
    ("derivation against SymPy", derivation_against_sympy::run),
    ("derived pendulum against Rust by hand", pendulum_by_hand::run),
    ("dice, 10,000 throws", dice_throws::run),
    ("die against SLSQP", die_against_slsqp::run),
    ("free fall in the lab", free_fall_in_the_lab::run),
    ("gas", gas::run),
    ("gravity against REBOUND", gravity_against_rebound::run),
    ("gravity on two threads", gravity_on_two_threads::run),
    ("hull against Qhull", geometry::hull_against_qhull::run),
    ("laws of free fall against Rust by hand", free_fall_by_hand::run),
    ("laws of collision against Rust by hand", collision_by_hand::run),
    ("mechanisms against MuJoCo", mechanisms_against_mujoco::run),
    ("rigid bodies against rapier", rigid_against_rapier::run),
    ("text to native code", text_to_native::run),
    ("variational pyramid against gauss-seidel", variational_pyramid::run),
    ("workflow against steps by hand", workflow_by_hand::run),
];
