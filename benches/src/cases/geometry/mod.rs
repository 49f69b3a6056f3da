//! Cases of geometry: candidate pairs, contacts, hulls.

pub mod broad_against_parry;
pub mod contact_against_parry;
pub mod hull_against_qhull;
