//! Articulated bodies with soft constraints (`solver = soft`): their answers in cases 2 to 5, 12, 16 to 19 and 24.
//!
//! Softness is part of the question here. Where an exact value belongs to rigid bodies the contact is made stiff,
//! and the cell says how stiff; where softness has a closed form of its own (how deep a body sinks, what a pyramid
//! holds), that is the exact value.

mod friction;
mod motion;
mod rest;
mod scene;

pub(crate) use friction::{cone, creep, down_an_incline, stopping};
pub(crate) use motion::{Top, double_pendulum, pendulum, top, tumbling};
pub(crate) use rest::{landing, stacks};
