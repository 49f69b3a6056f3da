//! Exact slopes of `force` and `potential` blocks, for solvers that take laws implicitly.
//!
//! The graph of a force gives another one with its derivatives by every number of the bodies that it reads;
//! that of a potential is differentiated twice. Derivatives by numbers become slopes along shifts, rotations
//! and velocities by [`Seen::along`]. Of a potential V(p₁, p₂, …) with the slopes pᵢ′ of its numbers,
//!
//! ∂(-V′)/∂ξ = -Σ Vᵢⱼ pᵢ′ pⱼ′ - Σ Vᵢ pᵢ″.
//!
//! Nothing is compiled before a solver asks. Where a slope is not finite, or Euler angles are near their lock,
//! nothing is told, and the solver takes differences.

use super::body_view::{Part, Seen};
use super::formula::{Desk, Formula, Source};
use crate::run::kernel::{Compile, GraphKernel};
use gedanken_dynamics::ComponentId;
use gedanken_dynamics::laws::{SlopeAnswer, SlopeBlock, Slopes};
use gedanken_lang::ir::{self, Executor as _, Feed, Layout};
use gedanken_lang::kernel::resize;
use gedanken_lang::transform::jacobian;
use gedanken_math::matrix::{cross_matrix, outer};
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::Twist;
use std::sync::OnceLock;

/// Derivatives of a law, made when they are first asked for.
#[derive(Debug)]
pub(super) struct LazySlopes {
    compile: Compile,
    made: OnceLock<Option<Derivatives>>,
}

impl LazySlopes {
    pub(super) fn new(compile: Compile) -> Self {
        Self { compile, made: OnceLock::new() }
    }

    /// First derivatives of some outputs by all that moves.
    pub(super) fn first(&self, formula: &Formula, outputs: &[usize]) -> Option<&Derivatives> {
        self.made.get_or_init(|| Derivatives::first(formula, outputs, &self.compile)).as_ref()
    }

    /// Second derivatives of the only output, by places.
    pub(super) fn second(&self, formula: &Formula) -> Option<&Derivatives> {
        self.made.get_or_init(|| Derivatives::second(formula, &self.compile)).as_ref()
    }
}

/// A graph of derivatives.
#[derive(Debug)]
pub(super) struct Derivatives {
    kernel: GraphKernel,
    /// For every slot, the place of its scalar among those of all inputs.
    places: Vec<usize>,
    /// Number of values that are differentiated last.
    width: usize,
    /// The numbers by which they are differentiated, in the order of the results.
    along: Vec<Number>,
}

/// A number of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    body: Whose,
    part: Part,
}

/// The body of a number: one of the row, or another, the same for all rows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Whose {
    Own(usize),
    Other(ComponentId),
}

impl Derivatives {
    fn first(formula: &Formula, outputs: &[usize], compile: &Compile) -> Option<Self> {
        let graph = ir::build(formula.reference.program(), outputs).ok()?;
        let (sought, along) = sought(formula, &graph, |_| true);
        let width = graph.outputs.iter().map(|output| output.nodes.len()).sum();
        Some(Self::compiled(formula, jacobian(&graph, &sought).ok()?, width, along, compile))
    }

    fn second(formula: &Formula, compile: &Compile) -> Option<Self> {
        let graph = ir::build(formula.reference.program(), &[0]).ok()?;
        let (sought, along) = sought(formula, &graph, Part::is_place);
        let once = jacobian(&graph, &sought).ok()?;
        let twice = jacobian(&once, &sought).ok()?;
        Some(Self::compiled(formula, twice, 1 + along.len(), along, compile))
    }

    fn compiled(
        formula: &Formula,
        graph: ir::Graph,
        width: usize,
        along: Vec<Number>,
        compile: &Compile,
    ) -> Self {
        let layout = Layout { slots: graph.slots.iter().map(|&slot| formula.access(slot)).collect() };
        let places = formula.reference.places_of(&graph);
        Self { kernel: GraphKernel::new(graph, layout, compile), places, width, along }
    }

    /// Computes all rows from the inputs on the desk; `false` where a number is not finite.
    fn run(&self, formula: &Formula, desk: &mut Desk) -> bool {
        let Desk { inputs, results, .. } = desk;
        let count = formula.members.len();
        resize(results, self.kernel.width(), count);
        let feeds: Vec<Feed<'_>> = self.places.iter().map(|&place| inputs[place].feed()).collect();
        let mut columns: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        self.kernel.run(&feeds, &[], 0..count, &mut columns).is_none()
    }

    /// The bodies of a row by whose numbers there are derivatives, each once.
    fn bodies(&self, members: usize) -> Vec<Whose> {
        let mut bodies: Vec<Whose> = (0..members).map(Whose::Own).collect();
        for number in &self.along {
            if !bodies.contains(&number.body) {
                bodies.push(number.body);
            }
        }
        bodies
    }

    /// Derivatives of a vector among the results of a row by the shift, rotation and velocities of a body.
    fn vector(
        &self,
        desk: &Desk,
        (first, row): (usize, usize),
        body: Whose,
        seen: &Seen,
    ) -> Option<VectorSlope> {
        let mut slope = VectorSlope::ZERO;
        for (place, number) in self.along.iter().enumerate().filter(|(_, it)| it.body == body) {
            let [by_place, by_motion] = seen.along(number.part)?;
            let result = |k: usize| desk.results[self.width * (1 + place) + first + k][row];
            let g = Vec3::new(result(0), result(1), result(2));
            slope.add(g, by_place, by_motion);
        }
        Some(slope)
    }
}

/// The slots of a graph that are numbers of bodies of some kind, and which.
fn sought(formula: &Formula, graph: &ir::Graph, is_sought: impl Fn(Part) -> bool) -> (Vec<u32>, Vec<Number>) {
    let number = |slot: &ir::Slot| match formula.sources[formula.reference.place(*slot)] {
        Source::Own(number, part) => Some(Number { body: Whose::Own(number), part }),
        Source::Other(id, part) => Some(Number { body: Whose::Other(id), part }),
        _ => None,
    };
    let numbers = (0..).zip(&graph.slots).filter_map(|(k, slot)| Some((k, number(slot)?)));
    numbers.filter(|(_, number)| is_sought(number.part)).unzip()
}

/// Slopes of a vector along the shift, rotation, velocity and angular velocity of a body.
#[derive(Clone, Copy, Debug)]
struct VectorSlope {
    shift: Mat3,
    turn: Mat3,
    velocity: Mat3,
    spin: Mat3,
}

impl VectorSlope {
    const ZERO: Self = Self { shift: Mat3::ZERO, turn: Mat3::ZERO, velocity: Mat3::ZERO, spin: Mat3::ZERO };

    fn add(&mut self, g: Vec3, place: Twist, motion: Twist) {
        self.shift += outer(g, place.linear);
        self.turn += outer(g, place.angular);
        self.velocity += outer(g, motion.linear);
        self.spin += outer(g, motion.angular);
    }

    fn map(self, map: impl Fn(Mat3) -> Mat3) -> Self {
        let Self { shift, turn, velocity, spin } = self;
        Self { shift: map(shift), turn: map(turn), velocity: map(velocity), spin: map(spin) }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            shift: self.shift + other.shift,
            turn: self.turn + other.turn,
            velocity: self.velocity + other.velocity,
            spin: self.spin + other.spin,
        }
    }
}

/// Places of force, torque and point among the results of a `force` block.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForceOutputs {
    pub(super) force: Option<usize>,
    pub(super) torque: Option<usize>,
    pub(super) at: Option<usize>,
}

/// Lists the slopes of a `force` block from the inputs on the desk.
pub(super) fn of_force(
    derivatives: &Derivatives,
    formula: &Formula,
    outputs: ForceOutputs,
    look: &impl Fn(ComponentId) -> Seen,
    desk: &mut Desk,
    out: &mut Slopes,
) -> SlopeAnswer {
    if !derivatives.run(formula, desk) {
        return SlopeAnswer::Unknown;
    }
    for (row, members) in formula.members.iter().enumerate() {
        let value = |place: Option<usize>| {
            place.map_or(Vec3::ZERO, |at| Vec3::from_array([0, 1, 2].map(|k| desk.results[at + k][row])))
        };
        for whose in derivatives.bodies(members.len()) {
            let (of, seen) = match whose {
                Whose::Own(number) => (members[number], desk.seen[row][number]),
                Whose::Other(id) => (id, look(id)),
            };
            let slope = |place: Option<usize>| match place {
                Some(first) => derivatives.vector(desk, (first, row), whose, &seen),
                None => Some(VectorSlope::ZERO),
            };
            let (Some(force), Some(torque), Some(mut point)) =
                (slope(outputs.force), slope(outputs.torque), slope(outputs.at))
            else {
                return SlopeAnswer::Unknown;
            };
            for (number, &on) in members.iter().enumerate() {
                let sign = if number == 0 { 1.0 } else { -1.0 };
                let mut turning = torque;
                if outputs.at.is_some() {
                    // τ = (at - centre) × F + torque.
                    let arm = value(outputs.at) - desk.seen[row][number].centre();
                    let own = if on == of { Mat3::IDENTITY } else { Mat3::ZERO };
                    point.shift -= own;
                    let swung = point.map(|slope| cross_matrix(value(outputs.force)) * slope * -1.0);
                    point.shift += own;
                    turning = turning.plus(swung).plus(force.map(|slope| cross_matrix(arm) * slope));
                }
                let place = SlopeBlock {
                    force_linear: force.shift,
                    force_angular: force.turn,
                    torque_linear: turning.shift,
                    torque_angular: turning.turn,
                };
                let motion = SlopeBlock {
                    force_linear: force.velocity,
                    force_angular: force.spin,
                    torque_linear: turning.velocity,
                    torque_angular: turning.spin,
                };
                out.add(on, of, place * sign, motion * sign);
            }
        }
    }
    SlopeAnswer::Exact
}

/// Lists the slopes of a `potential` block from the inputs on the desk.
pub(super) fn of_potential(
    derivatives: &Derivatives,
    formula: &Formula,
    look: &impl Fn(ComponentId) -> Seen,
    desk: &mut Desk,
    out: &mut Slopes,
) -> SlopeAnswer {
    if !derivatives.run(formula, desk) {
        return SlopeAnswer::Unknown;
    }
    let Derivatives { along, width, .. } = derivatives;
    for (row, members) in formula.members.iter().enumerate() {
        let seen = |whose: Whose| match whose {
            Whose::Own(number) => desk.seen[row][number],
            Whose::Other(id) => look(id),
        };
        let slope_of = |number: &Number| Some(seen(number.body).along(number.part)?[0]);
        let Some(slopes) = along.iter().map(slope_of).collect::<Option<Vec<Twist>>>() else {
            return SlopeAnswer::Unknown;
        };
        for (number, &on) in members.iter().enumerate() {
            for whose in derivatives.bodies(members.len()) {
                let mut place = SlopeBlock::ZERO;
                for (i, first) in along.iter().enumerate().filter(|(_, it)| it.body == Whose::Own(number)) {
                    for (j, _) in along.iter().enumerate().filter(|(_, it)| it.body == whose) {
                        // Results of the second pass are those of the first, and then their derivatives.
                        let bend = desk.results[width * (1 + j) + 1 + i][row];
                        place += product(slopes[i], slopes[j]) * -bend;
                    }
                    if whose == first.body {
                        let Some(second) = desk.seen[row][number].along_twice(first.part) else {
                            return SlopeAnswer::Unknown;
                        };
                        place += SlopeBlock::of_torque(second) * -desk.results[1 + i][row];
                    }
                }
                let of = match whose {
                    Whose::Own(number) => members[number],
                    Whose::Other(id) => id,
                };
                out.add(on, of, place, SlopeBlock::ZERO);
            }
        }
    }
    SlopeAnswer::Exact
}

/// The matrix u vᵀ of two twists.
fn product(u: Twist, v: Twist) -> SlopeBlock {
    SlopeBlock {
        force_linear: outer(u.linear, v.linear),
        force_angular: outer(u.linear, v.angular),
        torque_linear: outer(u.angular, v.linear),
        torque_angular: outer(u.angular, v.angular),
    }
}
