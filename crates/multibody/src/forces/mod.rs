//! Forces of freedoms that are known before constraints: springs, dampers, gravity compensation, actuators,
//! laws of the surroundings.

pub mod actuation;
pub mod laws;
pub mod passive;
