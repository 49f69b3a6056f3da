//! Prescribed bodies, motors, ropes, laws and conditions from outside.

mod laws;
mod motors;
mod prescribed;
mod ropes;
mod twins;
