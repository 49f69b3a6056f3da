//! A sub-step of a small island solved directly: semismooth Newton on velocities and impulses at once.
//!
//! It is the iteration of `variational`, given the equations of a sub-step: M (v - v_free) = Jᵀλ with
//! Signorini's and Coulomb's laws at every point. It is used where sweeps do not get there.
//!
//! - Friction so strong that sliding presses a point the more (a rod that is dragged, Painlevé).
//! - Loads that statics leaves open: a plate on many balls. Bodies at rest or in quiet motion then share loads
//!   as if every contact were a spring of the same compliance c,
//!
//!   u_n + b + c λ_n = 0, u_t + c λ_t = 0,
//!
//!   c being a millionth of the mean of K_nn. These forces are unique, and symmetric where the island is. A few
//!   further steps from there take the compliance away, and leave the sharing as it is.

use crate::contacts::contact_rows::{Manifold, Point, Rows, SweepBody};
use crate::contacts::natural_map::NaturalResidual;
use crate::variational::newton::{
    Equations, FIXED, Friction, Group, Kind, Newton, Row, Scale, Stage, mass_block,
};
use gedanken_math::{Cancel, Mat3, Twist, Vec3};

/// Compliance of contacts that share a load, in units of the mean of K_nn. It is that of the first Newton
/// steps of `variational`, so that these are exact here.
const SHARING_COMPLIANCE: f64 = 1e-6;
/// Ratio of effective masses up to which all contacts of an island get the same compliance. Beyond it the
/// heavy ones would yield.
const MAX_MASS_RATIO: f64 = 1e3;
/// Relative residual at which a solution is accepted.
const ACCEPTED: f64 = 1e-9;

/// Memory of the solver.
#[derive(Debug, Default)]
pub(super) struct DirectContacts {
    newton: Newton,
    equations: Equations,
    /// By place of a body: its number among the movable ones, or [`FIXED`].
    numbers: Vec<u32>,
    /// M of the movable bodies.
    inertias: Vec<(f64, Mat3)>,
    /// Their velocities without contacts.
    free: Vec<Twist>,
    /// Twists and impulses before, should nothing be gained.
    saved_twists: Vec<Twist>,
    saved_impulses: Vec<Vec3>,
}

/// The equations of a sub-step.
struct SubstepStage<'a> {
    rows: &'a Rows,
    numbers: &'a [u32],
    inertias: &'a [(f64, Mat3)],
    free: &'a [Twist],
    /// c, s/kg; zero for rigid contacts.
    compliance: f64,
    /// 1/K_nn of all points, or zero if each has its own.
    stiffness: f64,
    /// Unit of speed.
    speed: f64,
    fresh: bool,
}

impl SubstepStage<'_> {
    fn rows(&self, x: &[Twist], lambda: &[f64], out: &mut Vec<Row>) {
        out.clear();
        let mut number = 0;
        for manifold in &self.rows.manifolds {
            let ends = [manifold.a, manifold.b].map(|place| place as usize);
            let twists = ends.map(|place| match self.numbers[place] {
                FIXED => self.rows.bodies[place].twist(),
                k => x[k as usize],
            });
            for point in self.rows.of(manifold) {
                let axes = [manifold.frame.x_axis, manifold.frame.y_axis, manifold.frame.z_axis];
                for (k, axis) in axes.into_iter().enumerate() {
                    let force = [-Twist::of_impulse(axis, point.arm_a), Twist::of_impulse(axis, point.arm_b)];
                    let allowed = if k == 0 { point.allowed } else { 0.0 };
                    let yields = self.compliance * lambda.get(number).copied().unwrap_or(0.0);
                    let value = force[0].dot(twists[0]) + force[1].dot(twists[1]) + allowed + yields;
                    out.push(Row { force, slope: force, value });
                    number += 1;
                }
            }
        }
    }

    fn groups(&self, out: &mut Vec<Group>) {
        out.clear();
        let mut first = 0;
        for manifold in &self.rows.manifolds {
            for point in self.rows.of(manifold) {
                let stiffness =
                    if self.stiffness > 0.0 { [self.stiffness; 2] } else { [point.normal_mass, point.step] };
                out.push(Group {
                    kind: Kind::Contact(Friction::Coupled(manifold.friction)),
                    bodies: [manifold.a, manifold.b].map(|place| self.numbers[place as usize]),
                    first,
                    size: self.speed,
                    stiffness,
                    stretch: 1.0,
                });
                first += 3;
            }
        }
    }
}

impl Stage for SubstepStage<'_> {
    fn evaluate(&mut self, x: &[Twist], lambda: &[f64], equations: &mut Equations) {
        equations.unbalanced.clear();
        for ((v, free), (mass, inertia)) in x.iter().zip(self.free).zip(self.inertias) {
            let change = *v - *free;
            equations.unbalanced.push(Twist::new(change.linear * *mass, *inertia * change.angular));
        }
        self.rows(x, lambda, &mut equations.rows);
        if self.fresh {
            self.fresh = false;
            self.groups(&mut equations.groups);
            equations.couplings.clear();
            equations.diagonal.clear();
            equations.scales.clear();
            for (mass, inertia) in self.inertias {
                equations.diagonal.push(mass_block(*mass, inertia));
                let size = ((inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / (3.0 * mass)).sqrt();
                equations.scales.push(Scale { impulse: mass * self.speed, size });
            }
        }
    }
}

impl DirectContacts {
    /// Solves the contacts of a sub-step, whose bodies move as its forces and the present impulses make them.
    /// With `shares` loads that statics leaves open are shared evenly. Returns the number of Newton steps, or
    /// `None`, with nothing changed, if the residual has not become smaller.
    pub(super) fn solve(&mut self, rows: &mut Rows, shares: bool, cancel: &Cancel) -> Option<u32> {
        let before = NaturalResidual::of(rows);
        self.gather(rows);
        let stiffness = if shares { common_stiffness(rows) } else { 0.0 };
        let Self { newton, equations, numbers, inertias, free, .. } = self;
        let mut stage = SubstepStage {
            rows,
            numbers,
            inertias,
            free,
            compliance: if stiffness > 0.0 { SHARING_COMPLIANCE / stiffness } else { 0.0 },
            stiffness,
            speed: speed_scale(rows, numbers, free),
            fresh: true,
        };
        // The iteration begins with as many multipliers as there are rows.
        stage.evaluate(&newton.x, &newton.lambda, equations);
        let mut steps = 0;
        if stiffness > 0.0 {
            steps += newton.solve(&mut stage, equations, cancel).steps;
            stage.compliance = 0.0;
        }
        let outcome = newton.solve(&mut stage, equations, cancel);
        steps += outcome.steps;
        self.saved_twists.clear();
        self.saved_twists.extend(rows.bodies.iter().map(SweepBody::twist));
        self.saved_impulses.clear();
        self.saved_impulses.extend(rows.points.iter().map(|point| point.impulse));
        self.write(rows);
        let after = NaturalResidual::of(rows);
        if after.relative() <= ACCEPTED || after.largest < before.largest {
            return Some(steps);
        }
        self.undo(rows);
        None
    }

    /// Takes all impulses away if no point approaches without them.
    pub(super) fn let_go(&mut self, rows: &mut Rows) {
        self.gather(rows);
        let twist = |place: u32| match self.numbers[place as usize] {
            FIXED => rows.bodies[place as usize].twist(),
            number => self.free[number as usize],
        };
        let parts = |manifold: &Manifold| {
            let [a, b] = [manifold.a, manifold.b].map(twist);
            let approaches = |point: &Point| {
                (b.at(point.arm_b) - a.at(point.arm_a)).dot(manifold.frame.x_axis) + point.allowed < 0.0
            };
            !rows.of(manifold).iter().any(approaches)
        };
        if rows.points.iter().all(|point| point.impulse == Vec3::ZERO) || !rows.manifolds.iter().all(parts) {
            return;
        }
        self.newton.lambda.fill(0.0);
        self.write(rows);
    }

    fn gather(&mut self, rows: &Rows) {
        let Self { newton, numbers, inertias, free, .. } = self;
        numbers.clear();
        inertias.clear();
        newton.x.clear();
        for body in &rows.bodies {
            if body.inv_mass > 0.0 {
                numbers.push(newton.x.len() as u32);
                newton.x.push(body.twist());
                inertias.push((1.0 / body.inv_mass, body.inv_inertia.inverse()));
            } else {
                numbers.push(FIXED);
            }
        }
        free.clone_from(&newton.x);
        newton.lambda.clear();
        for manifold in &rows.manifolds {
            for point in rows.of(manifold) {
                newton.lambda.extend(point.impulse.to_array());
                let impulse = manifold.frame * point.impulse;
                let ends = [(manifold.a, -impulse, point.arm_a), (manifold.b, impulse, point.arm_b)];
                for (place, impulse, arm) in ends {
                    if let Some(free) = free.get_mut(numbers[place as usize] as usize) {
                        *free -= rows.bodies[place as usize].response(impulse, arm);
                    }
                }
            }
        }
    }

    /// Gives points and bodies what was found. Velocities follow from the impulses, so that momentum is kept
    /// to rounding.
    fn write(&mut self, rows: &mut Rows) {
        let Self { newton, numbers, free, .. } = self;
        let Rows { bodies, manifolds, points } = rows;
        for (body, &number) in bodies.iter_mut().zip(&*numbers) {
            if let Some(free) = free.get(number as usize) {
                body.set_twist(*free);
            }
        }
        let mut found = newton.lambda.chunks_exact(3);
        for manifold in manifolds.iter() {
            for point in &mut points[manifold.first as usize..][..manifold.count as usize] {
                let new = found.next().map_or(Vec3::ZERO, |three| Vec3::new(three[0], three[1], three[2]));
                point.impulse = into_cone(new, manifold.friction);
                let impulse = manifold.frame * point.impulse;
                bodies[manifold.a as usize].push(-impulse, point.arm_a);
                bodies[manifold.b as usize].push(impulse, point.arm_b);
            }
        }
    }

    fn undo(&self, rows: &mut Rows) {
        rows.bodies.iter_mut().zip(&self.saved_twists).for_each(|(body, twist)| body.set_twist(*twist));
        let impulses = rows.points.iter_mut().zip(&self.saved_impulses);
        impulses.for_each(|(point, impulse)| point.impulse = *impulse);
    }
}

/// Brings an impulse that is out of its cone by rounding onto it.
fn into_cone(impulse: Vec3, friction: f64) -> Vec3 {
    if impulse.x <= 0.0 {
        return Vec3::ZERO;
    }
    let (most, across) = (friction * impulse.x, (impulse.y * impulse.y + impulse.z * impulse.z).sqrt());
    let scale = if across > most { most / across } else { 1.0 };
    Vec3::new(impulse.x, impulse.y * scale, impulse.z * scale)
}

/// One over the mean of K_nn; zero if effective masses differ too much for one number.
fn common_stiffness(rows: &Rows) -> f64 {
    let (mut least, mut most, mut sum) = (f64::INFINITY, 0.0f64, 0.0);
    for point in &rows.points {
        least = least.min(point.response);
        most = most.max(point.response);
        sum += point.response;
    }
    if most > MAX_MASS_RATIO * least { 0.0 } else { rows.points.len() as f64 / sum }
}

/// The unit of speed: the largest change that contacts make, or have to make.
fn speed_scale(rows: &Rows, numbers: &[u32], free: &[Twist]) -> f64 {
    let made = |(body, &number): (&SweepBody, &u32)| {
        free.get(number as usize).map_or(0.0, |free| (body.linear - free.linear).length())
    };
    let pushed = rows.bodies.iter().zip(numbers).map(made).fold(0.0, f64::max);
    let meeting = rows.points.iter().map(|point| point.before.length()).fold(0.0, f64::max);
    pushed.max(meeting).max(f64::MIN_POSITIVE)
}
