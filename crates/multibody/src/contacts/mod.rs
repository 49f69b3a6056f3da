//! Contacts: which geoms meet, where, and by which parameters.

pub mod narrow;
