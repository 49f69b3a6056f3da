//! Laws whose forces depend on where bodies are and how they move: evaluated at the motion that is looked for.
//!
//! A step of order 2 takes forces in its middle, F(q + ½x, x/h, t + ½h), one of order 1 at its end. So drag is
//! the gradient of its Rayleigh potential of x/h, and a magnetic force at the mean velocity does no work.
//!
//! Forces are exact. Their slopes, which only decide how fast Newton's method converges, are central
//! differences, and are taken again every few evaluations.

use super::block_lu::{Block, ZERO_BLOCK};
use super::newton::six;
use super::points::moved;
use super::settings::Order;
use super::stages::Island;
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::{
    AngularVelocity, Fault, Force, Orientation, Position, Scratch, State, ThreeD, Torque, Velocity, Workflow,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;

/// Part of a body's size, and angle in radians, over which differences are taken: the cube root of rounding.
const DIFFERENCE: f64 = 6e-6;
/// Slopes are taken again after so many evaluations.
const EVALUATIONS_PER_SLOPE: u32 = 6;

/// The laws of a world, ready to be asked at any motion.
#[derive(Debug)]
pub(super) struct LawField {
    workflow: Arc<Workflow>,
    state: State,
    scratch: Scratch,
    /// Forces at the start of the step beside those of the laws, by movable body.
    others: Vec<Twist>,
    evaluations: u32,
    slopes: Vec<([u32; 2], Block)>,
    near: [Vec<Twist>; 2],
    /// The failure of a law where it was asked last.
    failure: Option<Fault>,
    /// `true` if a force was no number there.
    failed: bool,
}

impl LawField {
    pub(super) fn new(workflow: Arc<Workflow>, state: &State) -> Self {
        let scratch = workflow.scratch();
        Self {
            workflow,
            state: state.clone(),
            scratch,
            others: Vec::new(),
            evaluations: 0,
            slopes: Vec::new(),
            near: Default::default(),
            failure: None,
            failed: false,
        }
    }

    /// Begins a step: remembers which forces are not of the laws, but given for the step.
    pub(super) fn begin(&mut self, island: &Island<'_>) -> Result<(), Fault> {
        (self.evaluations, self.failure) = (0, None);
        self.put(island, |_, body| (body.pose, body.twist), island.time);
        let mut forces = Vec::new();
        self.ask(island, &mut forces);
        self.others.clear();
        self.others
            .extend(island.bodies[..island.movable].iter().zip(&forces).map(|(body, f)| body.force - *f));
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The failure of a law where it was asked last.
    pub(super) fn take_failure(&mut self) -> Option<Fault> {
        self.failure.take()
    }

    /// Returns `true` if a force was no number where the laws were asked last.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    fn put(&mut self, island: &Island<'_>, at: impl Fn(usize, &SolverBody) -> (Pose, Twist), time: f64) {
        for (place, body) in island.bodies.iter().enumerate() {
            let (row, (pose, twist)) = (body.row as usize, at(place, body));
            self.state.overwrite::<Position<ThreeD>>(row, Quantity::new(pose.translation));
            self.state.overwrite::<Orientation>(row, pose.rotation);
            self.state.overwrite::<Velocity<ThreeD>>(row, Quantity::new(twist.linear));
            self.state.overwrite::<AngularVelocity>(row, Quantity::new(twist.angular));
        }
        let tick = self.state.tick();
        self.state.set_clock(Quantity::new(time), tick);
    }

    /// Forces of the laws on the movable bodies, where they have been put.
    fn ask(&mut self, island: &Island<'_>, out: &mut Vec<Twist>) {
        out.clear();
        // An iteration may look where a law has no force: only where it ends counts.
        self.failure = self.workflow.evaluate(&mut self.state, &mut self.scratch).err();
        let force = self.workflow.transient::<Force<ThreeD>>(&self.scratch);
        let torque = self.workflow.transient::<Torque>(&self.scratch);
        for body in &island.bodies[..island.movable] {
            let row = body.row as usize;
            let linear = force.map_or_else(Default::default, |force| force[row].si());
            let angular = torque.map_or_else(Default::default, |torque| torque[row].si());
            let force = Twist::new(linear, angular);
            out.push(if self.failure.is_some() { Twist::new(Vec3::NAN, Vec3::NAN) } else { force });
        }
        self.failed = out.iter().any(|force| !force.is_finite());
    }

    fn ask_at(&mut self, island: &Island<'_>, x: &[Twist], out: &mut Vec<Twist>) {
        let part = if island.method.order == Order::Second { 0.5 } else { 1.0 };
        let h = island.h;
        let at = |place: usize, body: &SolverBody| match x.get(place) {
            Some(motion) => (moved(&body.pose, *motion * part), *motion * (1.0 / h)),
            None => (moved(&body.pose, body.twist * (part * h)), body.twist),
        };
        self.put(island, at, island.time + part * h);
        self.ask(island, out);
    }

    /// Forces on the movable bodies at a motion.
    pub(super) fn forces(&mut self, island: &Island<'_>, x: &[Twist], out: &mut Vec<Twist>) {
        self.ask_at(island, x, out);
        out.iter_mut().zip(&self.others).for_each(|(force, other)| *force += *other);
    }

    /// Slopes ∂F_i/∂x_j at a motion.
    pub(super) fn slopes(&mut self, island: &Island<'_>, x: &[Twist], out: &mut Vec<([u32; 2], Block)>) {
        if self.evaluations.is_multiple_of(EVALUATIONS_PER_SLOPE) {
            self.take_slopes(island, x);
        }
        self.evaluations += 1;
        out.extend_from_slice(&self.slopes);
    }

    fn take_slopes(&mut self, island: &Island<'_>, x: &[Twist]) {
        let mut slopes = std::mem::take(&mut self.slopes);
        slopes.clear();
        let [mut low, mut high] = std::mem::take(&mut self.near);
        let mut at = x.to_vec();
        for j in 0..island.movable {
            let begin = slopes.len();
            slopes.extend((0..island.movable).map(|i| ([i as u32, j as u32], ZERO_BLOCK)));
            for column in 0..6 {
                let step = if column < 3 { DIFFERENCE * island.sizes[j] } else { DIFFERENCE };
                let mut unit = [0.0; 6];
                unit[column] = step;
                let change = super::newton::twist(&unit);
                at[j] = x[j] + change;
                self.ask_at(island, &at, &mut high);
                at[j] = x[j] - change;
                self.ask_at(island, &at, &mut low);
                at[j] = x[j];
                for (i, (high, low)) in high.iter().zip(&low).enumerate() {
                    let change = *high - *low;
                    let slope = if change.is_finite() { six(change * (0.5 / step)) } else { [0.0; 6] };
                    for (row, entry) in slope.into_iter().enumerate() {
                        slopes[begin + i].1[row * 6 + column] = entry;
                    }
                }
            }
        }
        slopes.retain(|([i, j], block)| i == j || block.iter().any(|entry| *entry != 0.0));
        self.near = [low, high];
        self.slopes = slopes;
    }
}
