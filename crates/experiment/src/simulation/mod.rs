//! Simulations: the objects that take part, the time that they cover, and the mechanics that moves them.

pub(crate) mod model;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod time_grid;
