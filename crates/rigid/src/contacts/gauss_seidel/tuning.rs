//! Constants.

pub(super) const POINT_VISITS: usize = 3200;
pub(super) const MAX_SWEEPS: usize = 64;
pub(super) const MAX_SWEEPS_RESTING: u32 = 16;
pub(super) const MAX_SWEEPS_IMPACTING: u32 = 6;
pub(super) const TOLERATED_RATIO_OF_KICKS: f64 = 1e-6;
pub(super) const TOLERATED_RATIO_OF_MEETING: f64 = 1e-3;
pub(super) const MIN_RATIO: f64 = 1e-10;
pub(super) const STACK_RATIO: f64 = 2e-8;
pub(super) const QUIET_RATIO: f64 = 3.0;
pub(super) const MIN_SWEEPS_WITH_JOINTS: u32 = 4;
pub(super) const CONVERGED_RATIO: f64 = 1e-2;
pub(super) const MIN_CONTACTS_WIDE: usize = 13;
pub(super) const MIN_CONTACTS_LARGE_ISLAND: usize = 200;
pub(super) const NEWTON_STIFFNESS: f64 = 1e7;
pub(super) const MAX_NEWTON_STEPS: usize = 12;
pub(super) const NEWTON_FORCE_RATIO: f64 = 1e-6;
pub(super) const NEWTON_MERIT_RATIO: f64 = 1e-10;
pub(super) const MERIT_ROUNDING: f64 = 1e-12;
pub(super) const MIN_STEP_FRACTION: f64 = 0.1;
pub(super) const CENTRAL_RATIO: f64 = 1e-8;
pub(super) const MAX_CARRIED_RATIO: f64 = 0.5;
pub(super) const AT_REST_RATIO: f64 = 1e-10;
