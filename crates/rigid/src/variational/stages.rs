//! The two systems of equations of a step: positions, then velocities.
//!
//! **Positions.** With x = (Δc, ψ) of every body and impulses λ of all rows,
//!
//! | | linear | angular | rows act at |
//! |---|---|---|---|
//! | order 2 | m Δc/h = p + ½h F | Π(ψ) = π + h τ₋ | the start |
//! | order 1 | m Δc/h = p + h F | Π(ψ) = π + h τ | the end |
//! | seed | m Δc/h = p + h F | 𝓘 ψ/h = 𝓘ω + h Jₗᵀτ | the end, as gradients |
//!
//! each with Jᵀλ added on the right; p and π are momenta at the start, Π(ψ) is in `rotation_step`. Values of
//! rows are those at the end of the step.
//!
//! **Velocities** (order 2 only). The momenta at the end are those of the middle with the second half of the
//! forces; impulses at the end make the motion respect what holds there: J v = 0 for joints, ≥ 0 for
//! contacts, with friction against the sliding that is left.

use super::block_lu::{Block, ZERO_BLOCK};
use super::law_field::LawField;
use super::newton::{Equations, FIXED, Friction, Group, Kind, Row, Scale, Stage, mass_block};
use super::points::{Displaced, Point};
use super::rotation_step::{backward_euler, first_share_slopes, midpoint, torque_shares};
use super::settings::{Kinetic, Order, VariationalSettings};
use crate::joints::constraint::{Configuration, Constraint, Row as JointRow, Sense};
use crate::joints::direct::WORLD;
use crate::world::solver_body::SolverBody;
use gedanken_math::matrix::cross_matrix;
use gedanken_math::{Mat3, Pose, Twist, Vec3};
use std::sync::Arc;

/// Angle through which a body may turn in a step, rad: beyond, the rotation vector of a step is no longer
/// unique.
pub(super) const MAX_TURN: f64 = 3.0;

/// A joint of an island with the places of its bodies, or [`WORLD`].
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) constraint: Arc<dyn Constraint>,
    pub(super) ends: [u32; 2],
    /// Rows at the start of the step: where their forces act in a step of order 2.
    pub(super) first: usize,
    pub(super) count: usize,
}

/// What both stages know of an island.
#[derive(Debug)]
pub(super) struct Island<'a> {
    pub(super) h: f64,
    /// Time at the start of the step, s.
    pub(super) time: f64,
    pub(super) method: VariationalSettings,
    /// Movable bodies first, then the others.
    pub(super) bodies: &'a [SolverBody],
    pub(super) movable: usize,
    /// 𝓘 = R I Rᵀ at the start, by movable body.
    pub(super) inertias: &'a [Mat3],
    /// Sizes, m.
    pub(super) sizes: &'a [f64],
    pub(super) points: &'a [Point],
    pub(super) joints: &'a [Joint],
    /// Rows of the joints at the start.
    pub(super) start_rows: &'a [JointRow],
}

impl Island<'_> {
    fn place(&self, end: u32) -> u32 {
        if (end as usize) < self.movable { end } else { FIXED }
    }

    /// Momenta of a body at the start.
    fn momentum(&self, body: usize) -> Twist {
        let SolverBody { mass, twist, .. } = &self.bodies[body];
        Twist::new(twist.linear * *mass, self.inertias[body] * twist.angular)
    }

    /// The change of a value per impulse, from the forces and slopes of a row.
    fn compliance(&self, ends: [u32; 2], row: &Row) -> f64 {
        (0..2).fold(0.0, |sum, side| match self.place(ends[side]) {
            FIXED => sum,
            body => sum + self.bodies[body as usize].inverse.apply(row.force[side]).dot(row.slope[side]),
        })
    }
}

/// Where all bodies are at a motion.
fn displaced(island: &Island<'_>, x: &[Twist], out: &mut Vec<Displaced>) {
    out.clear();
    for (k, body) in island.bodies.iter().enumerate() {
        // What forces do not move goes on as it did.
        let motion = if k < island.movable { x[k] } else { body.twist * island.h };
        out.push(Displaced::new(&body.pose, motion));
    }
}

/// Memory of a stage.
#[derive(Debug, Default)]
pub(super) struct StageMemory {
    pub(super) ends: Vec<Displaced>,
    rows: Vec<JointRow>,
    forces: Vec<Twist>,
    /// Impulses by which forces of laws change when places are rounded, by movable body.
    rounding: Vec<f64>,
}

/// Adds a block of 3 by 3 to a part of one of 6 by 6.
pub(super) fn put(block: &mut Block, [row, column]: [usize; 2], part: &Mat3) {
    for j in 0..3 {
        let entries = part.col(j);
        for i in 0..3 {
            block[(row + i) * 6 + column + j] += entries[i];
        }
    }
}

/// The part that friction has in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rubbing {
    /// None: the first pass of lagged friction.
    None,
    /// At most μ times the normal impulses of the first pass.
    Lagged,
    /// At most μ times the normal impulses of the same pass.
    Coupled,
}

/// The equations of positions.
pub(super) struct Positions<'a> {
    pub(super) island: &'a Island<'a>,
    pub(super) memory: &'a mut StageMemory,
    /// The part that friction has in this pass.
    pub(super) rubbing: Rubbing,
    /// Laws whose forces depend on the motion; without them forces are constant.
    pub(super) laws: Option<&'a mut LawField>,
    /// `true` until the groups of rows are made.
    pub(super) fresh: bool,
}

impl Positions<'_> {
    fn is_seed(&self) -> bool {
        self.island.method.kinetic == Kinetic::Seed
    }

    /// Forces on the movable bodies at the motion that was evaluated last.
    pub(super) fn forces_now(&self) -> &[Twist] {
        &self.memory.forces
    }

    /// Forces on the movable bodies at a motion.
    fn forces(&mut self, x: &[Twist], equations: &mut Equations) {
        let island = self.island;
        let out = &mut self.memory.forces;
        out.clear();
        out.extend(island.bodies[..island.movable].iter().map(|body| body.force));
        equations.couplings.clear();
        if let Some(laws) = &mut self.laws {
            laws.forces(island, x, out);
            laws.slopes(island, x, &mut equations.couplings);
        }
    }

    fn bodies(&mut self, x: &[Twist], equations: &mut Equations) {
        self.forces(x, equations);
        let island = self.island;
        let (h, order) = (island.h, island.method.order);
        equations.unbalanced.clear();
        equations.diagonal.clear();
        for body in 0..island.movable {
            let Displaced { motion, turn, jacobian, .. } = &self.memory.ends[body];
            let (force, start) = (self.memory.forces[body], island.momentum(body));
            let (mass, inertia) = (island.bodies[body].mass, &island.inertias[body]);
            let psi = motion.angular;
            let share = if order == Order::Second { 0.5 * h } else { h };
            let linear = motion.linear * (mass / h) - start.linear - force.linear * share;
            let (value, slope, torque) = match (island.method.kinetic, order) {
                (Kinetic::Seed, _) => (*inertia * psi, *inertia, jacobian.transpose() * force.angular),
                (Kinetic::Exact, Order::First) => {
                    let momentum = backward_euler(inertia, psi, turn, jacobian);
                    (momentum.value, momentum.slope, force.angular)
                }
                (Kinetic::Exact, Order::Second) => {
                    let momentum = midpoint(inertia, psi);
                    (momentum.value, momentum.slope, torque_shares(psi, force.angular)[0])
                }
            };
            let angular = value * (1.0 / h) - start.angular - torque * h;
            equations.unbalanced.push(Twist::new(linear, angular));
            let mut block = ZERO_BLOCK;
            put(&mut block, [0, 0], &Mat3::from_diagonal(Vec3::splat(mass / h)));
            put(&mut block, [3, 3], &(slope * (1.0 / h)));
            if (island.method.kinetic, order) == (Kinetic::Exact, Order::Second) {
                put(&mut block, [3, 3], &(first_share_slopes(psi, force.angular)[1] * -h));
            }
            equations.diagonal.push(block);
        }
        self.take_shares(equations);
    }

    /// Turns slopes of forces and torques into those of the balances.
    fn take_shares(&mut self, equations: &mut Equations) {
        let (h, order) = (self.island.h, self.island.method.order);
        for (pair, block) in &mut equations.couplings {
            let share = if order == Order::Second { -0.5 * h } else { -h };
            let Displaced { motion, jacobian, .. } = &self.memory.ends[pair[0] as usize];
            let angular = match (self.island.method.kinetic, order) {
                (Kinetic::Seed, _) => jacobian.transpose() * -h,
                (Kinetic::Exact, Order::First) => Mat3::from_diagonal(Vec3::splat(-h)),
                (Kinetic::Exact, Order::Second) => first_share_slopes(motion.angular, Vec3::ZERO)[0] * -h,
            };
            block[..18].iter_mut().for_each(|entry| *entry *= share);
            for column in 0..6 {
                let torque = Vec3::new(block[18 + column], block[24 + column], block[30 + column]);
                let [x, y, z] = (angular * torque).to_array();
                (block[18 + column], block[24 + column], block[30 + column]) = (x, y, z);
            }
            if pair[0] == pair[1] {
                let diagonal = &mut equations.diagonal[pair[0] as usize];
                diagonal.iter_mut().zip(&*block).for_each(|(mine, theirs)| *mine += theirs);
            }
        }
        self.note_rounding(equations);
        equations.couplings.retain(|(pair, _)| pair[0] != pair[1]);
    }

    /// Notes what rounding of places makes of the forces of laws: no motion balances them better.
    fn note_rounding(&mut self, equations: &Equations) {
        let StageMemory { rounding, ends, .. } = &mut *self.memory;
        rounding.clear();
        rounding.resize(self.island.movable, 0.0);
        for ([i, j], block) in &equations.couplings {
            let end = &ends[*j as usize];
            let far = (end.start + end.motion.linear).length();
            let size = self.island.sizes[*i as usize];
            for (k, entry) in block.iter().enumerate() {
                let (row, column) = (k / 6, k % 6);
                let change = entry.abs() * f64::EPSILON * if column < 3 { far } else { 1.0 };
                let impulse = if row < 3 { change } else { change / size };
                rounding[*i as usize] = rounding[*i as usize].max(impulse);
            }
        }
    }

    /// Rows of a contact point.
    fn point(&self, point: &Point) -> [Row; 3] {
        let ends = point.ends.map(|end| &self.memory.ends[end as usize]);
        let at = [point.end(0, ends[0]), point.end(1, ends[1])];
        let axes = [point.frame.x_axis, point.frame.y_axis, point.frame.z_axis];
        let (apart, slid) = (at[1].place - at[0].place, at[1].way - at[0].way);
        let slopes = [point.slopes(0, &at[0], ends[0]), point.slopes(1, &at[1], ends[1])];
        let arms = match self.island.method.order {
            Order::Second => point.force_arms,
            Order::First => {
                let place = point.place(&at);
                [0, 1].map(|k| place - ends[k].start - ends[k].motion.linear)
            }
        };
        [0, 1, 2].map(|k| {
            let value = if k == 0 { axes[0].dot(apart) - point.target } else { axes[k].dot(slid) };
            let slope = [-slopes[0][k], slopes[1][k]];
            let force = if self.is_seed() {
                slope
            } else {
                [-Twist::of_impulse(axes[k], arms[0]), Twist::of_impulse(axes[k], arms[1])]
            };
            Row { force, slope, value }
        })
    }

    /// Adds -∂(Jᵀλ)/∂x of a point where its force turns with the body.
    fn stiffen(&self, point: &Point, lambda: &[f64], diagonal: &mut [Block]) {
        if self.island.method.order == Order::Second {
            return;
        }
        let push = point.frame * Vec3::new(lambda[0], lambda[1], lambda[2]);
        for side in 0..2 {
            let body = self.island.place(point.ends[side]);
            if body == FIXED || point.rolls[side] {
                continue;
            }
            let end = &self.memory.ends[body as usize];
            let push = if side == 0 { -push } else { push };
            let turning = cross_matrix(push) * cross_matrix(end.turn * point.arms[side]);
            let slope =
                if self.is_seed() { (turning + turning.transpose()) * 0.5 } else { turning * end.jacobian };
            put(&mut diagonal[body as usize], [3, 3], &(slope * -1.0));
        }
    }

    /// Appends the rows of a joint at the end of the step.
    fn joint(&mut self, joint: &Joint, out: &mut Vec<Row>) {
        let island = self.island;
        let pose = |end: u32| {
            if end == WORLD {
                return Pose::IDENTITY;
            }
            super::points::moved(&island.bodies[end as usize].pose, self.memory.ends[end as usize].motion)
        };
        let at =
            Configuration { a: pose(joint.ends[0]), b: pose(joint.ends[1]), time: island.time + island.h };
        self.memory.rows.clear();
        joint.constraint.rows(&at, &mut self.memory.rows);
        for (k, row) in self.memory.rows.iter().enumerate() {
            let twists = [row.a, row.b];
            let slope = [0, 1].map(|side| match joint.ends[side] {
                WORLD => Twist::ZERO,
                end => {
                    let jacobian = &self.memory.ends[end as usize].jacobian;
                    Twist::new(twists[side].linear, jacobian.transpose() * twists[side].angular)
                }
            });
            let start = &island.start_rows[joint.first + k];
            let force = match island.method {
                VariationalSettings { kinetic: Kinetic::Seed, .. } => slope,
                VariationalSettings { order: Order::Second, .. } => [start.a, start.b],
                VariationalSettings { order: Order::First, .. } => twists,
            };
            let value = match row.sense {
                Sense::Equal | Sense::AtLeast => row.value,
                Sense::Driven { speed, .. } => {
                    let way = |side: usize| match joint.ends[side] {
                        WORLD => 0.0,
                        end => twists[side].dot(self.memory.ends[end as usize].motion),
                    };
                    way(0) + way(1) - speed * island.h
                }
            };
            out.push(Row { force, slope, value });
        }
    }

    /// Makes the groups: three rows per point, then those of the joints.
    fn make_groups(&self, equations: &mut Equations) {
        let island = self.island;
        equations.groups.clear();
        let stiffness =
            |ends: [u32; 2], row: &Row| 1.0 / (island.h * island.compliance(ends, row)).max(1e-300);
        for (k, point) in island.points.iter().enumerate() {
            let rows = &equations.rows[3 * k..3 * k + 3];
            let friction = match self.rubbing {
                Rubbing::None => Friction::Lagged(0.0),
                Rubbing::Lagged => Friction::Lagged(point.friction * point.first_pass),
                Rubbing::Coupled => Friction::Coupled(point.friction),
            };
            let across = stiffness(point.ends, &rows[1]).min(stiffness(point.ends, &rows[2]));
            equations.groups.push(Group {
                kind: Kind::Contact(friction),
                bodies: point.ends.map(|end| island.place(end)),
                first: 3 * k as u32,
                size: point.size,
                stiffness: [stiffness(point.ends, &rows[0]), across],
                stretch: 1.0,
            });
        }
        let part = if island.method.order == Order::Second { 0.5 } else { 1.0 };
        for joint in island.joints {
            for k in 0..joint.count {
                let first = 3 * island.points.len() + joint.first + k;
                let kind = match island.start_rows[joint.first + k].sense {
                    Sense::Equal => Kind::Equal,
                    Sense::AtLeast => Kind::AtLeast,
                    Sense::Driven { most, .. } => Kind::Driven(most * island.h * part),
                };
                equations.groups.push(joint_group(
                    island,
                    joint,
                    kind,
                    first,
                    &equations.rows[first],
                    island.h,
                ));
            }
        }
    }
}

/// The group of one row of a joint; `time` is the time over which an impulse acts on the value.
fn joint_group(island: &Island<'_>, joint: &Joint, kind: Kind, first: usize, row: &Row, time: f64) -> Group {
    let ends = joint.ends.map(|end| if end == WORLD { FIXED } else { end });
    let sizes = ends.iter().filter(|end| (**end as usize) < island.movable);
    let size = sizes.map(|&end| island.sizes[end as usize]).fold(1.0, f64::min);
    let stiffness = 1.0 / (time * island.compliance(ends, row)).max(1e-300);
    let bodies = ends.map(|end| if end == FIXED { FIXED } else { island.place(end) });
    Group { kind, bodies, first: first as u32, size, stiffness: [stiffness; 2], stretch: 1.0 }
}

/// Ratio of the scale of a body to the rounding of the laws on it: a balance to rounding is well within the
/// tolerance.
const SCALE_PER_ROUNDING: f64 = 4e9;

/// Scales by which the balance of bodies is judged, but for impulses of constraints: weight, momentum and angular
/// momentum, and what rounding makes of laws.
fn set_scales(island: &Island<'_>, rounding: &[f64], scales: &mut Vec<Scale>) {
    scales.clear();
    for (k, (body, &size)) in island.bodies[..island.movable].iter().zip(island.sizes).enumerate() {
        let least = rounding.get(k).map_or(0.0, |rounding| rounding * SCALE_PER_ROUNDING);
        let momentum = island.momentum(k);
        let impulse = (body.force.linear.length() * island.h)
            .max(body.force.angular.length() * island.h / size)
            .max(momentum.linear.length())
            .max(momentum.angular.length() / size)
            .max(least);
        scales.push(Scale { impulse: impulse.max(f64::MIN_POSITIVE), size });
    }
}

impl Stage for Positions<'_> {
    fn evaluate(&mut self, x: &[Twist], lambda: &[f64], equations: &mut Equations) {
        displaced(self.island, x, &mut self.memory.ends);
        self.bodies(x, equations);
        let mut rows = std::mem::take(&mut equations.rows);
        rows.clear();
        for (k, point) in self.island.points.iter().enumerate() {
            rows.extend(self.point(point));
            if let Some(lambda) = lambda.get(3 * k..3 * k + 3) {
                self.stiffen(point, lambda, &mut equations.diagonal);
            }
        }
        for joint in self.island.joints {
            self.joint(joint, &mut rows);
        }
        equations.rows = rows;
        if self.fresh {
            self.make_groups(equations);
            self.fresh = false;
        }
        set_scales(self.island, &self.memory.rounding, &mut equations.scales);
    }

    /// Equations on rotations have other roots, a turn or so away.
    fn admits(&self, x: &[Twist]) -> bool {
        x.iter().all(|motion| motion.angular.length() <= MAX_TURN)
    }
}

/// The equations of velocities at the end of a step.
pub(super) struct Velocities<'a> {
    pub(super) island: &'a Island<'a>,
    pub(super) memory: &'a mut StageMemory,
    /// Momenta at the end without impulses.
    pub(super) momenta: &'a [Twist],
    /// 𝓘 at the end.
    pub(super) inertias: &'a [Mat3],
    /// By point: `true` if it touches at the end.
    pub(super) touching: &'a [bool],
    pub(super) fresh: bool,
}

impl Velocities<'_> {
    fn rows(&mut self, v: &[Twist], equations: &mut Equations) {
        let island = self.island;
        let twist = |end: u32| match island.place(end) {
            FIXED => island.bodies[end as usize].twist,
            body => v[body as usize],
        };
        let rows = &mut equations.rows;
        rows.clear();
        for point in island.points {
            let ends = point.ends.map(|end| &self.memory.ends[end as usize]);
            let at = [point.end(0, ends[0]), point.end(1, ends[1])];
            let place = point.place(&at);
            let arms = [0, 1].map(|k| place - ends[k].start - ends[k].motion.linear);
            let twists = point.ends.map(twist);
            for axis in [point.frame.x_axis, point.frame.y_axis, point.frame.z_axis] {
                let force = [-Twist::of_impulse(axis, arms[0]), Twist::of_impulse(axis, arms[1])];
                let value = force[0].dot(twists[0]) + force[1].dot(twists[1]);
                rows.push(Row { force, slope: force, value });
            }
        }
        for joint in island.joints {
            let pose = |end: u32| match end {
                WORLD => Pose::IDENTITY,
                end => {
                    let body = &island.bodies[end as usize].pose;
                    super::points::moved(body, self.memory.ends[end as usize].motion)
                }
            };
            let (a, b) = (pose(joint.ends[0]), pose(joint.ends[1]));
            self.memory.rows.clear();
            let at = Configuration { a, b, time: island.time + island.h };
            joint.constraint.rows(&at, &mut self.memory.rows);
            for row in &self.memory.rows {
                let force = [row.a, row.b];
                let rate = (0..2).fold(row.rate, |sum, side| match joint.ends[side] {
                    WORLD => sum,
                    end => sum + force[side].dot(twist(end)),
                });
                let value = match row.sense {
                    Sense::Driven { speed, .. } => rate - speed,
                    // A limit that is not reached holds nobody back.
                    Sense::AtLeast if row.value > AT_LIMIT => f64::INFINITY,
                    Sense::Equal | Sense::AtLeast => rate,
                };
                rows.push(Row { force, slope: force, value });
            }
        }
    }

    fn make_groups(&self, equations: &mut Equations) {
        let island = self.island;
        equations.groups.clear();
        let stiffness = |ends: [u32; 2], row: &Row| 1.0 / island.compliance(ends, row).max(1e-300);
        for (k, point) in island.points.iter().enumerate().filter(|(k, _)| self.touching[*k]) {
            let rows = &equations.rows[3 * k..3 * k + 3];
            let across = stiffness(point.ends, &rows[1]).min(stiffness(point.ends, &rows[2]));
            equations.groups.push(Group {
                kind: Kind::Contact(Friction::Coupled(point.friction)),
                bodies: point.ends.map(|end| island.place(end)),
                first: 3 * k as u32,
                size: point.size,
                stiffness: [stiffness(point.ends, &rows[0]), across],
                stretch: 1.0,
            });
        }
        for joint in island.joints {
            for k in 0..joint.count {
                let first = 3 * island.points.len() + joint.first + k;
                let row = &equations.rows[first];
                let kind = match island.start_rows[joint.first + k].sense {
                    Sense::Equal => Kind::Equal,
                    Sense::AtLeast if row.value.is_infinite() => continue,
                    Sense::AtLeast => Kind::AtLeast,
                    Sense::Driven { most, .. } => Kind::Driven(most * island.h * 0.5),
                };
                equations.groups.push(joint_group(island, joint, kind, first, row, 1.0));
            }
        }
        // Values of velocities are judged over the time of the step.
        equations.groups.iter_mut().for_each(|group| group.size /= island.h);
    }
}

/// A limit this near is reached, m or rad.
pub(super) const AT_LIMIT: f64 = 1e-9;

impl Stage for Velocities<'_> {
    fn evaluate(&mut self, v: &[Twist], _lambda: &[f64], equations: &mut Equations) {
        let island = self.island;
        equations.unbalanced.clear();
        equations.diagonal.clear();
        equations.couplings.clear();
        for (body, v) in v.iter().enumerate() {
            let (mass, inertia) = (island.bodies[body].mass, &self.inertias[body]);
            let momentum = Twist::new(v.linear * mass, *inertia * v.angular);
            equations.unbalanced.push(momentum - self.momenta[body]);
            equations.diagonal.push(mass_block(mass, inertia));
        }
        self.rows(v, equations);
        if self.fresh {
            self.make_groups(equations);
            self.fresh = false;
        }
        set_scales(island, &[], &mut equations.scales);
    }
}
