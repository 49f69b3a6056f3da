//! Mechanisms from MJCF, against MuJoCo.

mod oracle;
