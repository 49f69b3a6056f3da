//! Equilibria, and the linear motion of small disturbances about them.
//!
//! ```text
//! Equations ──equilibria──► Equilibria: points q with f(q, q̇ = 0) + Aᵀλ = 0, as formulas or as numbers
//!     ├──linearised──► Linearised: M, C, G, K as formulas
//!     └──modes──► Modes: eigenvalues and shapes of M δq̈ + (C + G) δq̇ + K δq = 0, and their Stability
//! ```

mod equilibrium;
mod linearised;
mod modes;
mod root;
mod stability;

pub use equilibrium::Equilibria;
pub use linearised::Linearised;
pub use modes::{Fate, Mode, Modes};
pub use stability::Stability;
