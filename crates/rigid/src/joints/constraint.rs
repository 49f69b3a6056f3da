//! The interface of constraints: C, its gradient J, and ∂C/∂t at a configuration of one or two bodies.

use super::coordinate::Coordinate;
use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Twist, Vec3};
use std::fmt;

/// The most rows a constraint can have: two rigid bodies have six freedoms between them.
pub const MAX_ROWS: usize = 6;

/// Poses of the principal frames of a constraint's bodies, and the time. A missing second body is the
/// world: the identity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// The pose of A.
    pub a: Pose,
    /// The pose of B.
    pub b: Pose,
    /// The time, s.
    pub time: f64,
}

/// Kind of condition of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sense {
    /// C = 0, whatever force that takes.
    Equal,
    /// C ≥ 0; the force only pushes.
    AtLeast,
    /// Ċ = speed, with at most this force (N or N·m): a motor. C itself means nothing.
    Driven {
        /// The rate it aims at.
        speed: f64,
        /// The greatest force.
        most: f64,
    },
}

/// One row of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// C.
    pub value: f64,
    /// ∂Ċ/∂twist of A.
    pub a: Twist,
    /// ∂Ċ/∂twist of B.
    pub b: Twist,
    /// ∂C/∂t.
    pub rate: f64,
    /// Kind of condition.
    pub sense: Sense,
}

/// The gains of Baumgarte's stabilisation, for solvers of accelerations: C̈ + β Ċ + α C = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// Of the position error, 1/s².
    pub alpha: f64,
    /// Of the velocity error, 1/s.
    pub beta: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { alpha: 10.0, beta: 10.0 }
    }
}

/// A condition on one or two bodies. Open: implement it for conditions of your own.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// Name in messages and ledgers.
    fn name(&self) -> &str;

    /// Kind of constraint: "hinge", "rope".
    fn kind(&self) -> &'static str;

    /// The bodies: A, and B unless the world takes its place.
    fn bodies(&self) -> (ComponentId, Option<ComponentId>);

    /// Number of rows, 1 to [`MAX_ROWS`].
    fn dimension(&self) -> usize;

    /// Pushes its rows, [`Constraint::dimension`] of them, in a fixed order.
    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>);

    /// J̇·v for each row: how the rate of C changes by the motion alone, without acceleration. Unless given,
    /// by a central difference along the motion.
    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        difference_drift(self, at, a, b, out);
    }

    /// The one freedom that it leaves, if it has a name: the angle of a hinge, the travel of a slider. For
    /// recordings.
    fn coordinate(&self) -> Option<Coordinate> {
        None
    }

    /// If it is a ball joint and nothing else (C = p_A - p_B, three rows along the axes of the world), its
    /// anchors in the principal frames of A and B: groups of such joints are solved in a shorter way. The
    /// rows must say the same.
    fn anchors(&self) -> Option<[Vec3; 2]> {
        None
    }

    /// Returns `true` if any of its rows is a limit, [`Sense::AtLeast`]: then arrivals there are located
    /// inside of a step.
    fn has_limits(&self) -> bool {
        false
    }

    /// Gains for solvers of accelerations.
    fn gains(&self) -> Gains {
        Gains::default()
    }

    /// Returns `true` if its two bodies may also touch each other.
    fn lets_touch(&self) -> bool {
        false
    }
}

/// J̇·v by a central difference along the motion: (J(q + εv) − J(q − εv))·v/2ε, time going along.
fn difference_drift<C: Constraint + ?Sized>(
    constraint: &C,
    at: &Configuration,
    a: Twist,
    b: Twist,
    out: &mut Vec<f64>,
) {
    // Of the order of the cube root of the rounding error, in the time in which something turns by one
    // radian.
    let fastest = a.angular.length().max(b.angular.length()).max(1.0);
    let step = 6e-6 / fastest;
    let moved = |pose: Pose, twist: Twist, h: f64| {
        let turn = from_rotation_vector(twist.angular * h);
        Pose::new((turn * pose.rotation).normalize(), pose.translation + twist.linear * h)
    };
    let mut rows = Vec::with_capacity(2 * MAX_ROWS);
    let begin = out.len();
    for (h, sign) in [(step, 1.0), (-step, -1.0)] {
        rows.clear();
        let at = Configuration { a: moved(at.a, a, h), b: moved(at.b, b, h), time: at.time + h };
        constraint.rows(&at, &mut rows);
        for (k, row) in rows.iter().enumerate() {
            let rate = (row.a.dot(a) + row.b.dot(b) + row.rate) * (sign / (2.0 * step));
            match out.get_mut(begin + k) {
                Some(sum) => *sum += rate,
                None => out.push(rate),
            }
        }
    }
}
