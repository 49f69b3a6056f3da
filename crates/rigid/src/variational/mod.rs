//! The solver `variational`: the whole step is one stationary point of a discrete action, with contacts,
//! friction, joints and limits as its constraints.
//!
//! The other solvers move bodies by an integrator and correct velocities where bodies touch. This one asks for
//! the positions at the end of the step: unknowns are the displacement Δc of every centre of mass and the
//! rotation vector ψ of every body, R₊ = exp(\[ψ\]) R. With F and τ the forces of laws, λ the impulses of
//! constraints and J their rows,
//!
//! | `order` | linear | angular | constraints |
//! |---|---|---|---|
//! | 1, backward Euler | m Δc/h = p + h F₊ + Jᵀλ | R₊ I Rᵀψ/h = π + h τ₊ + Jᵀλ | C(q₊) = 0, gaps ≥ 0; v₊ = Δc/h, ω₊ = ψ/h |
//! | 2, midpoint | m Δc/h = p + ½h F_½ + J₀ᵀλ | Π(ψ) = π + h τ₋ + J₀ᵀλ | the same, then velocities: J₊ v₊ = 0 or ≥ 0 |
//!
//! p and π are momenta at the start. Π(ψ) is the momentum of the discrete Lagrangian ψ·𝓘ψ/(2h) on the group of
//! rotations (`rotation_step`). Both orders keep the angular momentum of a free body to rounding, for any
//! inertia. The second is symplectic in free motion and on joints (RATTLE); after its positions, impulses at
//! the end of the step project the velocities, so that an inelastic landing does not rebound and joints do not
//! ring.
//!
//! # A minimum, or a stationary point
//!
//! `kinetic = seed` is the step of the dice. It minimises
//!
//! m/(2h²)|c - c_p|² + ½(θ - θ_p)·I(θ - θ_p)/h² - F·c + Σ μ λ_k |Δd_k|,   no corner below the plane,
//!
//! with the prediction c_p = c + h ċ, θ_p = h Ω: a true minimum. Its kinetic term is right where the inertia is
//! a multiple of the unit matrix. The equations of the table are not the gradient of any function when bodies
//! turn, for a force field of momenta on rotations is not closed; they are solved as equations, and the merit
//! of a Newton step is their residual.
//!
//! # Files, in the order of the step
//!
//! | file | holds |
//! |---|---|
//! | `solver`, `settings` | the entry of the registry, and what experiments set |
//! | `flow` | the step as a flow of rules; impacts and books are those of all solvers |
//! | `island` | one island: gather, solve positions, project velocities, tell |
//! | `points` | contact points: material points, gaps, tangential displacements |
//! | `stages` | the equations of positions and of velocities |
//! | `rotation_step` | exponential map, left Jacobian, discrete angular momentum |
//! | `law_field` | forces of laws where the step ends, or half way |
//! | `continuation` | the solution that is reached from the prediction; laws that no step of this length follows |
//! | `newton` | semismooth Newton on motions and multipliers; what to do where it fails |
//! | `block_lu` | its sparse linear systems |
//! | `least_norm` | multipliers of least norm, for lagged friction |
//! | `inspection` | a look inside: cost, multipliers |
//!
//! # What is promised
//!
//! A law that a step cannot follow is refused by name (`continuation`), so that no step goes on from a motion
//! at which nothing balances.
//!
//! After every step four residuals stand in [`crate::contacts::Report`], and `converged` means that all are
//! below 1e-8. A step that did not converge is the best that was found, and says so. Where friction is lagged,
//! `friction_residual` is the difference between the normal forces of both passes: it is small only where
//! friction does not change them. Bodies that bounce are left to `impact`, as with all solvers.
//!
//! A body may turn by 3 rad in a step; more is refused. Contacts that no candidate pair of the start of the
//! step shows, because other contacts made a body fast, are found in the next step.

mod block_lu;
mod continuation;
pub(crate) mod flow;
pub(crate) mod inspection;
mod island;
mod law_field;
mod least_norm;
pub(crate) mod newton;
mod points;
mod rotation_step;
pub(crate) mod settings;
pub(crate) mod solver;
mod stages;

pub use inspection::{Cost, GivenForce, Inspection, Multiplier};
pub use settings::{FrictionIteration, Kinetic, Order, VariationalSettings};
pub use solver::{VARIATIONAL, Variational};
