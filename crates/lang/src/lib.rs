//! VFLang: the small equation language in which users write the laws of physics.
//!
//! ```text
//! text ──syntax──► tree ──check──► Program ──vm──► values                       the meaning
//!                                     ├─────ir──► Graph ──► columns, native code   the speed
//!                                     └──symbolic──► formulas ──► text, Graph          the mathematics
//! ```
//!
//! A [`kernel::Kernel`] ties meaning and speed together: the fastest executor there is, and the words of the
//! evaluator for a row that fails.
//!
//! The crate knows no body, no file and no clock. Places in texts are [`source::Span`]s; everything that is
//! said to the user is a [`diagnostic::Diagnostic`]. Operators and natives are written once, over
//! [`arithmetic::Arithmetic`], and every executor gets them from there: that is why they agree to the bit.

pub mod arithmetic;
pub mod check;
pub mod diagnostic;
pub mod ir;
pub mod kernel;
pub mod load;
pub mod native;
pub mod operation;
pub mod program;
pub mod session;
pub mod source;
pub mod symbolic;
pub mod syntax;
pub mod transform;
pub mod types;
pub mod typeset;
pub mod value;
pub mod vm;
mod walk;
