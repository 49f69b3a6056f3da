//! Prescribed bodies, motors, ropes, laws and conditions from outside.

mod closure_limits;
mod laws;
mod motors;
mod prescribed;
mod ropes;
mod twins;
