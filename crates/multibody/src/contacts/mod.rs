//! Contacts: which geoms meet, where, and by which parameters.
//!
//! [`CandidatePairs`] is made once per description and knows which geoms can meet at all. [`find`] then gives
//! the contacts at any poses: boxes around geoms propose pairs, [`narrow`] finds the points, [`mix`] the
//! parameters.

mod bounds;
mod contact;
mod filter;
mod find;
mod forces;
mod mixing;
pub mod narrow;

pub use contact::Contact;
pub use filter::CandidatePairs;
pub use find::{FindScratch, find};
pub use mixing::{ContactParameters, mix, of_pair};
