//! Forces of freedoms that are known before constraints: springs, dampers, gravity compensation, actuators.

pub mod actuation;
pub mod passive;
