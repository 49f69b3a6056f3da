//! The contact solver `gauss-seidel`: sub-steps, warm-started symmetric sweeps, and a direct method where
//! sweeps converge slowly.
//!
//! **The equations.** A step is cut into sub-steps of length h. In each, with v⁻ the velocities before it, M
//! the masses, F the forces of the laws, and J the rows that take velocities to the relative velocities of
//! the contact points,
//!
//! v⁺ = v⁻ + M⁻¹ (h F + Jᵀ λ), u = J v⁺,
//!
//! λ_n ≥ 0, u_n + b ≥ 0, λ_n (u_n + b) = 0 (Signorini; b = gap/h is the approach that is allowed),
//!
//! |λ_t| ≤ μ λ_n; u_t = 0 where it is less, and u_t points against λ_t where it is equal (Coulomb).
//!
//! **A sweep** (`sweep`) visits all contact points. Each visit solves these conditions for one point, with
//! its own block of K = J M⁻¹ Jᵀ and all other impulses as they are. A *symmetric sweep* goes forwards and
//! backwards. Impulses start from those of the sub-step before (warm start), so at rest one symmetric sweep
//! is enough.
//!
//! **A strategy** (`strategy`) is chosen once per island and step. It says what happens where one symmetric
//! sweep is not enough:
//!
//! | strategy | islands | method |
//! |---|---|---|
//! | `WithJoints` | with joints | sweeps alternate with direct solves of the joints (`with_joints`) |
//! | `LargeIsland` | many contacts, in loops | few sweeps, in lanes of four, no rows (`large_island`) |
//! | `LargeStack` | many contacts, a tree | Newton's method (`tree`) after a sweep in lanes of four (`wide`) |
//! | `SmallStack` | few contacts, a tree | Newton's method after one symmetric sweep |
//! | `LooseTree` | single bodies, balls in a tree | Newton's method if quiet, else conjugate directions |
//! | `SmallIsland` | few contacts, in loops | directly if quiet, else sweeps along conjugate directions |
//!
//! **Directly** (`direct_contacts`) means semismooth Newton on velocities and impulses at once. Quiet islands that
//! statics leaves open share their loads by it, and it completes what the methods above have left where friction is
//! strong or an island is small. Nothing here knows whether it has arrived but the natural map of Coulomb's law
//! (`contacts::natural_map`), which says so for all solvers.
//!
//! **The end of a sub-step** (`finish_substep`) books work and momentum, and moves the gaps by the
//! displacements of the bodies (`substep_motion`). Arms, normals and effective masses are those at the start
//! of the step. Impulses turn with their contacts, so that angular momentum is conserved (`persistent`), but in
//! islands that lean on something immovable, which conserve none. At the end of the step the island gives back
//! what it has gained (`contacts::energy_bound`).
//!
//! All numbers that were tuned stand in `tuning`, each with the measurement behind it.

mod conjugate;
mod convergence;
mod direct_contacts;
mod finish_substep;
mod free_island;
mod joint_pushes;
mod large_island;
mod memory;
mod persistent;
mod simd;
mod solver;
mod strategy;
mod substep_motion;
mod sweep;
mod tree;
mod tuning;
mod wide;
mod with_joints;

pub use memory::Memory;
pub use solver::GAUSS_SEIDEL;
