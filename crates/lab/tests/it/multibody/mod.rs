//! Mechanisms: from MJCF against MuJoCo, and from experiments.

mod oracle;
mod soft;
