//! Every tuned constant of the solver, with the measurement that speaks for its value.
//!
//! Each was measured against a smaller and a larger value, everything else being equal. Factors are processor
//! time of all steps on one thread, best of three runs, against the value that stands here; two runs of the
//! same value differ by up to 0.06. *Overlap* is the largest of the whole run, and *unconverged* the number
//! of steps whose report says so. The overlap of 1,000 spheres varies from 7 mm to 11 mm by chance, so it is
//! cited only where it is far from that. Steps are 1/240 s, boxes and balls measure 1 m unless said, μ is
//! 0.5. The scenes, the first four as in `benches`:
//!
//! | scene | bodies, steps |
//! |---|---|
//! | *spheres* | 1,000 poured into a box, 480; also with 50 and 200 |
//! | *heap* | 1,000 boxes of 0.8 m poured into a box, 480; also with 200 |
//! | *pyramid* | 210 boxes, 1200; also with 55 |
//! | *stack* | 20 boxes, one on the other, 1200 |
//! | *falling tower* | 20 boxes 5 cm apart fall together, 480 |
//! | *crash* | a box falls from 1 m onto a tower of 20, 480 |
//! | *hit tower* | a ball of twice the density at 6 m/s hits a tower of 10 boxes, 480 |
//! | *wall* | 25 bricks of 2 m × 1 m × 0.6 m in 5 courses, 480; also 81 in 9 |
//! | *sliding*, *tumbling* | 50 separate boxes of 1 m × 0.6 m × 0.5 m, 240 and 480 |
//! | *ragdolls* | 5 of three boxes on ball joints fall on each other, 480 |
//!
//! Ratios compare speeds, and enter squared where energies are compared (`convergence`). A *sweep* is a
//! symmetric one, forwards and backwards.

/// Minimum number of contacts of a large island.
///
/// At 100 the pyramid of 55 takes 0.84 with an overlap of 47 µm instead of 5 µm, the wall of 81 takes 0.50
/// with 0.20 mm instead of 0.08 mm. At 400, 200 spheres take 1.22. Without large islands the pyramid takes
/// 1.89, and 1,000 spheres take 1.76 with an overlap of 0.11 m.
pub(super) const MIN_CONTACTS_LARGE_ISLAND: usize = 200;

/// Minimum number of contacts of a stack that is swept four at a time.
///
/// At 6 the heap of 200 takes 0.94 and the hit tower 0.54, but with an overlap of 2.7 mm instead of 0.7 mm.
/// At 26 the stack takes 1.56, the crash and the heap 1.14.
pub(super) const MIN_CONTACTS_WIDE: usize = 13;

/// Maximum number of visits of contact points per sub-step, unless `Settings::iterations` asks for more.
///
/// It bounds the time of a sub-step where islands grow. At 1600 the pyramid takes 0.95 with 508 steps
/// unconverged instead of 212, the wall of 25 takes 2.02 with seven times the overlap. At 6400 the pyramid
/// takes 1.18 with 95 unconverged, the spheres 1.20, the wall of 81 1.71.
pub(super) const POINT_VISITS: usize = 3200;

/// Maximum number of sweeps in a sub-step.
///
/// Islands of up to 50 points get there. At 32 ragdolls take 0.91 with 81 steps unconverged instead of 52; at
/// 128 they take 1.06 with 51.
pub(super) const MAX_SWEEPS: usize = 64;

/// Maximum number of sweeps in a sub-step for several bodies that rest on each other.
///
/// At 8 the wall of 25 takes 1.91 with an overlap of 14 µm instead of 1 µm, the hit tower takes 1.39. At 32
/// the wall takes 1.62 with the same overlap.
pub(super) const MAX_SWEEPS_RESTING: u32 = 16;

/// Maximum number of sweeps in a sub-step for islands with impacts or sliding.
///
/// At 3 the hit tower takes 0.61 with an overlap of 3.0 mm instead of 0.7 mm, and 50 spheres take 0.79 with
/// 4.5 mm instead of 1.1 mm. At 12, 50 spheres take 1.31 with the same overlap.
pub(super) const MAX_SWEEPS_IMPACTING: u32 = 6;

/// Minimum number of turns that contacts and joints take.
///
/// At 1 ragdolls take 0.99 with 63 steps unconverged instead of 52; at 8 they take 1.14 with 51.
pub(super) const MIN_SWEEPS_WITH_JOINTS: u32 = 4;

/// Ratio of surface speeds to the laws' kicks up to which an island counts as quiet.
///
/// At 1 the hit tower takes 0.70 with an overlap of 0.97 mm instead of 0.75 mm. At 10, 50 spheres take 1.25
/// and tumbling takes 1.11 with the same overlaps.
pub(super) const QUIET_RATIO: f64 = 3.0;

/// Ratio of what a sweep moves to the laws' kicks below which sweeps end.
///
/// At 1e-5 the wall of 25 and the pyramid of 55 take 0.89, the latter with 30 times the energy left in it. At
/// 1e-7 they take 1.55 and 1.09. Overlaps are the same.
pub(super) const TOLERATED_RATIO_OF_KICKS: f64 = 1e-6;

/// Ratio of what a sweep moves to surface speeds below which sweeps end.
///
/// At 1e-2 tumbling takes 0.94 with 295 steps unconverged instead of 156, and the heap drifts sideways by 20
/// µm instead of 0.5 µm. At 1e-4 sliding takes 1.07 and tumbling 1.03 with 49 unconverged.
pub(super) const TOLERATED_RATIO_OF_MEETING: f64 = 1e-3;

/// Ratio of what a sweep moves to the laws' kicks that counts as nothing: the sweep back is left out.
///
/// At 1e-9 and at 1e-11 the stack, the falling tower, the crash and the heap take 0.95 to 1.03 with the same
/// overlaps. It stays two orders below [`STACK_RATIO`].
pub(super) const MIN_RATIO: f64 = 1e-10;

/// Ratio of what a sweep moves to the laws' kicks above which Newton's method solves a stack.
///
/// At 2e-7 the falling tower takes 1.41, the crash 1.37, the heap 1.30. At 2e-9 the stack takes 1.54, the
/// crash 1.43, the heap 1.18. Without Newton's method for stacks the heap takes 2.99 with an overlap of 14 mm
/// instead of 11 µm, and the stack takes 2.91 with a drift of 0.3 mm instead of 50 pm.
pub(super) const STACK_RATIO: f64 = 2e-8;

/// Ratio of the residuals to the laws' kicks up to which a report says that a step has converged.
///
/// It changes no motion. It was chosen, not measured: a hundredth of what the laws do in a sub-step.
pub(super) const CONVERGED_RATIO: f64 = 1e-2;

/// Stiffness of a contact in Newton's method, in units of its effective mass.
///
/// Larger ones converge faster until rounding takes the gain away. At 1e6 the crash takes 1.42, the heap
/// 1.25. At 1e8 the falling tower takes 1.38, the crash 1.30, the heap 1.33.
pub(super) const NEWTON_STIFFNESS: f64 = 1e7;

/// Maximum number of Newton's steps.
///
/// At 6 the hit tower takes 0.90 with 133 steps unconverged instead of 101. At 24 it takes 1.43 and ends with
/// the same numbers.
pub(super) const MAX_NEWTON_STEPS: usize = 12;

/// Ratio of what is left to the laws' kicks at which points that slide are solved by Newton's method.
///
/// It is the tolerance of sweeps, [`TOLERATED_RATIO_OF_KICKS`]. At 1e-5 and at 1e-7 the hit tower, sliding
/// and tumbling take 0.99 to 1.05 with the same overlaps.
pub(super) const NEWTON_FORCE_RATIO: f64 = 1e-6;

/// Ratio of the growth of the merit function to the laws' kicks up to which it has not grown.
///
/// At 1e-9 and at 1e-11 all scenes end with the same numbers.
pub(super) const NEWTON_MERIT_RATIO: f64 = 1e-10;

/// Part of the merit function that is rounding: an increase by less is none.
///
/// At 1e-13 all scenes end with the same numbers. At 1e-11 the hit tower takes 0.95 with 94 steps unconverged
/// instead of 101.
pub(super) const MERIT_ROUNDING: f64 = 1e-12;

/// Part of a Newton step below which it is not cut in half again.
///
/// At 0.02 the hit tower takes 1.07 with 98 steps unconverged instead of 101. At 0.6, where a step is cut
/// only once, it takes 0.86 with 99, and tumbling takes 0.94 with the same overlap.
pub(super) const MIN_STEP_FRACTION: f64 = 0.1;

/// Ratio of the distance at which a normal passes the centre of a body to the arm, up to which it goes
/// through the centre.
///
/// At 1e-4 and at 1e-12 all scenes end with the same numbers.
pub(super) const CENTRAL_RATIO: f64 = 1e-8;

/// Ratio of the way on which an impulse would carry the lighter body to the distance of both centres, up to
/// which impulses turn with their contacts.
///
/// A body under many thousand times its own weight is pressed so hard that rounding in its spin would throw
/// it about. No scene above comes near: at 0.05 and without a limit they end with the same numbers.
pub(super) const MAX_CARRIED_RATIO: f64 = 0.5;

/// Ratio of a relative displacement to the distance of the centres, and angle, up to which a contact is at
/// rest and does not turn.
///
/// At zero the stack takes 1.09, the heap 1.08, the hit tower 1.20. At 1e-8 all scenes take 0.96 to 1.03.
pub(super) const AT_REST_RATIO: f64 = 1e-10;
