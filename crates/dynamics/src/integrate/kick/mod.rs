//! Kicks by laws that depend on velocities: the implicit midpoint rule for the velocities alone.
//!
//! At fixed places the velocities change by M v̇ = F(q, v, t). A kick takes them from v to v′ with
//!
//! v′ = v + h M⁻¹ F(q, v½, t),   v½ = (v + v′)/2
//!
//! which is symmetric in time and of order two, so that every composition of such kicks and drifts has the order
//! that it has for forces of position. The work of a law in the kick, h F(v½)·v½, is exactly its part of the
//! change of kinetic energy: a magnetic force turns the velocity and does no work, which is Boris's rotation
//! (@boris1970), and drag takes energy whatever the length of the step. Where no law depends on velocities this
//! is the explicit kick.
//!
//! v½ is found by Newton's method with the slopes that laws tell of their forces ([`Corrector`]), which for forces
//! linear in the velocities is one round; a law that cannot tell them is iterated as it is. [`KickSearch`] holds
//! the iteration, as a flow of a few rules: laws, and one that judges and corrects.

mod correction;
pub(crate) mod rules;
mod search;

pub use correction::Corrector;
pub use search::KickSearch;

/// The greatest number of rounds of a kick, the last one of which is explicit.
pub const MAX_ROUNDS: u32 = search::MAX_CORRECTIONS + 2;
