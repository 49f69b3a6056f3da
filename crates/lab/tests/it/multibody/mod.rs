//! Mechanisms: from MJCF against MuJoCo, and from experiments.

mod oracle;
mod same_motion;
mod soft;
