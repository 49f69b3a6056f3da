//! The variational step: against SciPy, against closed forms, against other solvers.

mod bouncing;
mod free;
mod friction;
mod heap;
mod implicit_laws;
mod jointed;
mod laws;
mod same_motion;
mod seed;
mod touching;

use gedanken_rigid::Settings;
use gedanken_rigid::variational::{Order, VariationalSettings};

/// Settings of `variational` of an order.
pub(crate) fn of_order(order: Order) -> Settings {
    let variational = VariationalSettings { order, ..VariationalSettings::default() };
    Settings { variational, ..Settings::of_solver("variational").unwrap() }
}

pub(crate) const ORDERS: [Order; 2] = [Order::First, Order::Second];
