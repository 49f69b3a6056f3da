//! Laws whose forces depend on where bodies are and how they move: evaluated at the motion that is looked for.
//!
//! A step of order 2 takes forces in its middle, F(q + ½x, x/h, t + ½h), one of order 1 at its end. So drag is
//! the gradient of its Rayleigh potential of x/h, and a magnetic force at the mean velocity does no work.
//!
//! # Slopes
//!
//! Laws tell their slopes P by small shifts and rotations of the bodies and M by their velocities
//! ([`gedanken_dynamics::laws::Slopes`]). With part = ½ or 1 and the left Jacobian Jₗ at part·ψ,
//!
//! ∂F/∂Δc = part P + M/h,   ∂F/∂ψ = part P Jₗ + M/h.
//!
//! They are exact and taken at every evaluation. A law that cannot tell them, such as a closure, has central
//! differences of its own, which are taken again every few evaluations: they only decide how fast Newton's
//! method converges, never where to.

use super::block_lu::{Block, ZERO_BLOCK};
use super::newton::six;
use super::points::moved;
use super::rotation_step::exponential;
use super::settings::Order;
use super::stages::{Island, put};
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::laws::{Laws, PairSlope, SlopeAnswer, Slopes, Term};
use gedanken_dynamics::{
    AngularVelocity, Fault, Force, Mechanics, Moves as _, Orientation, Position, Scratch, State, ThreeD,
    Torque, Velocity, Workflow,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Twist, Vec3};
use std::sync::Arc;

/// Part of a body's size, and angle in radians, over which differences are taken: the cube root of rounding.
const DIFFERENCE: f64 = 6e-6;
/// Differences are taken again after so many evaluations.
const EVALUATIONS_PER_DIFFERENCE: u32 = 6;
/// In the place of a row that is not movable.
const NOWHERE: u32 = u32::MAX;

/// The laws of a world, ready to be asked at any motion.
#[derive(Debug)]
pub(super) struct LawField {
    workflow: Arc<Workflow>,
    state: State,
    scratch: Scratch,
    /// The laws that are not constant.
    terms: Vec<LawSlopes>,
    /// Factor on the forces of all laws: below 1 while a solution is followed from none to all of them.
    strength: f64,
    /// Forces that stand for those of the laws, wherever bodies are.
    frozen: Option<Vec<Twist>>,
    /// Forces at the start of the step beside those of the laws, by movable body.
    others: Vec<Twist>,
    evaluations: u32,
    told: Slopes,
    /// Slopes where the laws were asked last.
    slopes: Vec<([u32; 2], Block)>,
    /// By row, the place among the movable bodies.
    places: Vec<u32>,
    /// By movable body, ∂φ/∂ψ of the rotation where laws are evaluated.
    turns: Vec<Mat3>,
    /// Rows of bodies between which laws act.
    partners: Vec<[u32; 2]>,
    /// Bodies that forces do not move, at the start of the step.
    bystanders: Vec<SolverBody>,
    /// The failure of a law where it was asked last.
    failure: Option<Fault>,
    /// `true` if a force was no number there.
    failed: bool,
}

/// One law, with differences for where it cannot tell its slopes.
#[derive(Debug)]
struct LawSlopes {
    term: Term<ThreeD>,
    /// The law alone, made when it is needed.
    alone: Option<(Workflow, Scratch)>,
    /// Its last differences, and the evaluation at which they were taken.
    differences: Vec<([u32; 2], Block)>,
    taken: Option<u32>,
}

impl LawField {
    pub(super) fn new(workflow: Arc<Workflow>, laws: &Laws<ThreeD>, state: &State) -> Self {
        let scratch = workflow.scratch();
        let terms = laws.terms().iter().filter(|term| !term.law.is_constant());
        Self {
            workflow,
            state: state.clone(),
            scratch,
            terms: terms
                .map(|term| LawSlopes {
                    term: term.clone(),
                    alone: None,
                    differences: Vec::new(),
                    taken: None,
                })
                .collect(),
            strength: 1.0,
            frozen: None,
            others: Vec::new(),
            evaluations: 0,
            told: Slopes::new(),
            slopes: Vec::new(),
            places: Vec::new(),
            turns: Vec::new(),
            partners: Vec::new(),
            bystanders: Vec::new(),
            failure: None,
            failed: false,
        }
    }

    /// Begins a step of a world with these bodies, by row: remembers which forces are not of the laws, but
    /// given for the step.
    pub(super) fn begin(&mut self, island: &Island<'_>, all: &[SolverBody]) -> Result<(), Fault> {
        (self.evaluations, self.failure, self.strength, self.frozen) = (0, None, 1.0, None);
        self.terms.iter_mut().for_each(|law| law.taken = None);
        self.places.clear();
        self.places.resize(all.len(), NOWHERE);
        for (place, body) in island.bodies[..island.movable].iter().enumerate() {
            self.places[body.row as usize] = place as u32;
        }
        self.bystanders.clear();
        // Row 0 is the world, which laws do not look at.
        let others = all.iter().enumerate().skip(1).filter(|(row, _)| self.places[*row] == NOWHERE);
        self.bystanders.extend(others.map(|(row, body)| SolverBody { row: row as u32, ..*body }));
        self.put(island, None, 0.0);
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

    /// Sets the factor on the forces of all laws.
    pub(super) fn set_strength(&mut self, strength: f64) {
        self.strength = strength;
    }

    /// Lets these forces stand for those of the laws, or the laws speak again.
    pub(super) fn freeze(&mut self, forces: Option<Vec<Twist>>) {
        self.frozen = forces;
    }

    /// Slopes ∂F_i/∂x_j where the laws were asked last; a pair may stand there several times.
    pub(super) fn last_slopes(&self) -> &[([u32; 2], Block)] {
        &self.slopes
    }

    /// Rows of bodies between which laws act; the second may be one that does not move by forces.
    pub(super) fn partners(&self) -> &[[u32; 2]] {
        &self.partners
    }

    /// Puts bodies where they are after a part of a motion; without one, of that at the start of the step.
    fn put(&mut self, island: &Island<'_>, x: Option<&[Twist]>, part: f64) {
        let movable = island.bodies[..island.movable].iter().enumerate();
        for (place, body) in movable {
            let motion = x.and_then(|x| x.get(place)).copied();
            place_body(&mut self.state, body.row as usize, placed(island, body, motion, part));
        }
        for body in &self.bystanders {
            place_body(&mut self.state, body.row as usize, placed(island, body, None, part));
        }
        let tick = self.state.tick();
        self.state.set_clock(Quantity::new(island.time + part * island.h), tick);
    }

    /// Place and displacement of a body over the step, by row.
    pub(super) fn way(&self, island: &Island<'_>, x: &[Twist], row: u32) -> Option<[Vec3; 2]> {
        if let Some(place) = self.place(row) {
            let place = place as usize;
            return Some([island.bodies[place].pose.translation, x[place].linear]);
        }
        let found = self.bystanders.binary_search_by_key(&row, |body| body.row).ok()?;
        let body = &self.bystanders[found];
        Some([body.pose.translation, body.twist.linear * island.h])
    }

    /// Place of a row among the movable bodies.
    pub(super) fn place(&self, row: u32) -> Option<u32> {
        self.places.get(row as usize).copied().filter(|place| *place != NOWHERE)
    }

    /// Forces of the laws on the movable bodies, where they have been put.
    fn ask(&mut self, island: &Island<'_>, out: &mut Vec<Twist>) {
        // An iteration may look where a law has no force: only where it ends counts.
        self.failure = self.workflow.evaluate(&mut self.state, &mut self.scratch).err();
        read_forces(&self.workflow, &self.scratch, island, out);
        if self.failure.is_some() {
            out.fill(Twist::new(Vec3::NAN, Vec3::NAN));
        }
        self.failed = out.iter().any(|force| !force.is_finite());
    }

    /// Forces of the laws on the movable bodies after a part of a motion, whose velocity is that of the step.
    pub(super) fn forces_on_the_way(
        &mut self,
        island: &Island<'_>,
        x: &[Twist],
        part: f64,
        out: &mut Vec<Twist>,
    ) {
        self.put(island, Some(x), part);
        self.ask(island, out);
    }

    /// Forces on the movable bodies at a motion.
    pub(super) fn forces(&mut self, island: &Island<'_>, x: &[Twist], out: &mut Vec<Twist>) {
        if let Some(frozen) = &self.frozen {
            out.clone_from(frozen);
            return;
        }
        self.forces_on_the_way(island, x, part_of(island), out);
        for (force, other) in out.iter_mut().zip(&self.others) {
            *force = *force * self.strength + *other;
        }
    }

    /// Slopes ∂F_i/∂x_j at the motion at which forces were asked last.
    pub(super) fn slopes(&mut self, island: &Island<'_>, x: &[Twist], out: &mut Vec<([u32; 2], Block)>) {
        self.slopes.clear();
        self.partners.clear();
        if self.frozen.is_some() || self.failed {
            return;
        }
        let (part, h) = (part_of(island), island.h);
        self.turns.clear();
        self.turns.extend(x.iter().map(|motion| exponential(motion.angular * part).1 * part));
        for k in 0..self.terms.len() {
            self.told.clear();
            let answer = self.terms[k].term.slopes(&self.state, &mut self.told);
            if !matches!(answer, Ok(SlopeAnswer::Exact)) {
                self.take_differences(k, island, x);
                self.slopes.extend_from_slice(&self.terms[k].differences);
                continue;
            }
            for pair in self.told.pairs() {
                let [i, j] = [pair.on, pair.of].map(|body| self.place(body.row() as u32));
                let Some(i) = i else { continue };
                if pair.on != pair.of {
                    self.partners.push([pair.on.row() as u32, pair.of.row() as u32]);
                }
                if let Some(j) = j {
                    self.slopes.push(([i, j], along_motion(pair, &self.turns[j as usize], part, 1.0 / h)));
                }
            }
        }
        for (_, block) in &mut self.slopes {
            block.iter_mut().for_each(|entry| *entry *= self.strength);
        }
        self.evaluations += 1;
        out.extend_from_slice(&self.slopes);
    }

    /// Takes central differences of one law, unless those of a nearby motion are there.
    fn take_differences(&mut self, k: usize, island: &Island<'_>, x: &[Twist]) {
        let Self { terms, state, .. } = self;
        let law = &mut terms[k];
        let age = law.taken.map(|taken| self.evaluations - taken);
        if age.is_some_and(|age| age < EVALUATIONS_PER_DIFFERENCE) {
            return;
        }
        law.taken = Some(self.evaluations);
        law.differences.clear();
        if law.alone.is_none() {
            law.alone = law.workflow(state);
        }
        // A law that cannot be asked alone has no slopes here; the iteration is slower, and as right.
        let Some((workflow, scratch)) = &mut law.alone else { return };
        let part = part_of(island);
        let [mut low, mut high] = [Vec::new(), Vec::new()];
        for (j, &motion) in x.iter().enumerate().take(island.movable) {
            let (begin, body) = (law.differences.len(), &island.bodies[j]);
            law.differences.extend((0..island.movable).map(|i| ([i as u32, j as u32], ZERO_BLOCK)));
            for column in 0..6 {
                let step = if column < 3 { DIFFERENCE * island.sizes[j] } else { DIFFERENCE };
                let mut unit = [0.0; 6];
                unit[column] = step;
                let change = super::newton::twist(&unit);
                for (motion, out) in [(motion + change, &mut high), (motion - change, &mut low)] {
                    place_body(state, body.row as usize, placed(island, body, Some(motion), part));
                    // A failure leaves what is no number, or what was there: no slope.
                    let failed = workflow.evaluate(state, scratch).is_err();
                    read_forces(workflow, scratch, island, out);
                    if failed {
                        out.fill(Twist::new(Vec3::NAN, Vec3::NAN));
                    }
                }
                for (i, (high, low)) in high.iter().zip(&low).enumerate() {
                    let change = *high - *low;
                    let slope = if change.is_finite() { six(change * (0.5 / step)) } else { [0.0; 6] };
                    for (row, entry) in slope.into_iter().enumerate() {
                        law.differences[begin + i].1[row * 6 + column] = entry;
                    }
                }
            }
            place_body(state, body.row as usize, placed(island, body, Some(motion), part));
        }
        law.differences.retain(|([i, j], block)| i == j || block.iter().any(|entry| *entry != 0.0));
    }

    /// The label of the law that changes most with the motion of these movable bodies, where the laws were
    /// asked last.
    pub(super) fn blame(&mut self, bodies: &[u32]) -> Arc<str> {
        let mut most: Option<(f64, Arc<str>)> = None;
        for k in 0..self.terms.len() {
            self.told.clear();
            let law = &self.terms[k];
            let size = match law.term.slopes(&self.state, &mut self.told) {
                Ok(SlopeAnswer::Exact) => {
                    let is_own = |pair: &&PairSlope| {
                        self.place(pair.on.row() as u32).is_some_and(|place| bodies.contains(&place))
                    };
                    let own = self.told.pairs().iter().filter(is_own);
                    own.fold(0.0, |most: f64, pair| most.max(pair.place.max_abs()).max(pair.motion.max_abs()))
                }
                _ => {
                    let own = law.differences.iter().filter(|([i, _], _)| bodies.contains(i));
                    own.flat_map(|(_, block)| block).fold(0.0, |most: f64, entry| most.max(entry.abs()))
                }
            };
            if most.as_ref().is_none_or(|(largest, _)| size > *largest) {
                most = Some((size, law.term.label.clone()));
            }
        }
        most.map_or_else(|| "laws".into(), |(_, label)| label)
    }
}

impl LawSlopes {
    /// The law alone, as a workflow; `None` if there is none, which the workflow of all laws excludes.
    fn workflow(&self, state: &State) -> Option<(Workflow, Scratch)> {
        let mechanics = Mechanics::<ThreeD>::new(state.model(), Laws::from(self.term.clone())).ok()?;
        let workflow = mechanics.forces().build(state.model()).ok()?;
        let scratch = workflow.scratch();
        Some((workflow, scratch))
    }
}

/// The part of the motion after which laws are evaluated.
fn part_of(island: &Island<'_>) -> f64 {
    if island.method.order == Order::Second { 0.5 } else { 1.0 }
}

/// Pose and velocity of a body after a part of its motion; one that forces do not move goes on as it did.
fn placed(island: &Island<'_>, body: &SolverBody, motion: Option<Twist>, part: f64) -> (Pose, Twist) {
    match motion {
        Some(motion) => (moved(&body.pose, motion * part), motion * (1.0 / island.h)),
        None => (moved(&body.pose, body.twist * (part * island.h)), body.twist),
    }
}

fn place_body(state: &mut State, row: usize, (pose, twist): (Pose, Twist)) {
    state.overwrite::<Position<ThreeD>>(row, Quantity::new(pose.translation));
    state.overwrite::<Orientation>(row, pose.rotation);
    state.overwrite::<Velocity<ThreeD>>(row, Quantity::new(twist.linear));
    state.overwrite::<AngularVelocity>(row, Quantity::new(twist.angular));
}

/// Reads the forces on the movable bodies that a workflow has computed.
fn read_forces(workflow: &Workflow, scratch: &Scratch, island: &Island<'_>, out: &mut Vec<Twist>) {
    let force = workflow.transient::<Force<ThreeD>>(scratch);
    let torque = workflow.transient::<Torque>(scratch);
    out.clear();
    out.extend(island.bodies[..island.movable].iter().map(|body| {
        let row = body.row as usize;
        let linear = force.map_or_else(Default::default, |force| force[row].si());
        let angular = torque.map_or_else(Default::default, |torque| torque[row].si());
        Twist::new(linear, angular)
    }));
}

/// The slope of a pair by the motion of the second body over the step.
fn along_motion(pair: &PairSlope, turn: &Mat3, part: f64, rate: f64) -> Block {
    let PairSlope { place, motion, .. } = pair;
    let mut block = ZERO_BLOCK;
    put(&mut block, [0, 0], &(place.force_linear * part + motion.force_linear * rate));
    put(&mut block, [0, 3], &(place.force_angular * *turn + motion.force_angular * rate));
    put(&mut block, [3, 0], &(place.torque_linear * part + motion.torque_linear * rate));
    put(&mut block, [3, 3], &(place.torque_angular * *turn + motion.torque_angular * rate));
    block
}
