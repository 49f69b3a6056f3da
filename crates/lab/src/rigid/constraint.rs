//! `constraint` blocks: C and its slopes by exact differentiation, for the direct solver.

use super::body_view::Seen;
use super::formula::{Around, Desk, Formula, locked};
use super::gradient::Gradient;
use super::second_rate::Bend;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{ForceLaw, ForceLawProgram};
use gedanken_math::Pose;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_rigid::Twist;
use gedanken_rigid::joints::{Configuration, Constraint, Gains, Row, Sense};
use std::sync::Mutex;

/// A `constraint` block for one body, or for two.
#[derive(Debug)]
pub(super) struct UserConstraint {
    name: String,
    gradient: Gradient,
    bend: Bend,
    sense: Sense,
    gains: Gains,
    desk: Mutex<Desk>,
}

impl UserConstraint {
    /// Compiles the block for one row of a group, called `name`. An error says why it cannot be
    /// differentiated.
    pub(super) fn new(
        name: String,
        law: &ForceLaw,
        acted: &ForceLawProgram,
        row: usize,
        around: &Around<'_>,
    ) -> Result<Self, String> {
        let one =
            ForceLawProgram { members: vec![acted.members[row].clone()], checked: acted.checked.clone() };
        let formula = Formula::new(law, &one, around);
        let desk = Mutex::new(formula.desk());
        let bend = Bend::new(&formula, &around.options.compile())?;
        let [alpha, beta] = law.gains;
        Ok(Self {
            name,
            gradient: Gradient::new(formula, &around.options.compile())?,
            bend,
            sense: if law.inequality { Sense::AtLeast } else { Sense::Equal },
            gains: Gains { alpha, beta },
            desk,
        })
    }

    fn members(&self) -> &[ComponentId] {
        &self.gradient.formula.members[0]
    }

    /// What is seen of the bodies in a configuration, moving like this.
    fn looking(&self, at: &Configuration, a: Twist, b: Twist) -> impl Fn(ComponentId) -> Seen + '_ {
        let second = self.members().get(1).copied();
        let at = *at;
        move |id| {
            let (pose, twist) = if second == Some(id) { (at.b, b) } else { (at.a, a) };
            self.gradient.formula.seen(id, pose, twist)
        }
    }

    fn try_rows(&self, at: &Configuration, rows: &mut Vec<Row>) -> Result<(), String> {
        let members = self.members();
        let look = self.looking(at, Twist::ZERO, Twist::ZERO);
        let mut desk = locked(&self.desk);
        self.gradient.evaluate(at.time, &look, &mut desk)?;
        let a = self.gradient.slopes(0, at.time, &look, &mut desk)?;
        let b = match members.len() {
            2 => self.gradient.slopes(1, at.time, &look, &mut desk)?,
            _ => vec![vec![Twist::ZERO]; self.gradient.width],
        };
        for k in 0..self.gradient.width {
            rows.push(Row {
                value: self.gradient.value(&desk, k, 0),
                a: a[k][0],
                b: b[k][0],
                rate: self.gradient.in_time(&desk, k, 0),
                sense: self.sense,
            });
        }
        Ok(())
    }
}

impl UserConstraint {
    /// J̇ v from exact slopes a little later and a little sooner: for where Euler angles have no rates.
    fn difference(&self, at: &Configuration, a: Twist, b: Twist) -> Vec<f64> {
        let fastest = a.angular.length().max(b.angular.length()).max(1.0);
        // The cube root of the rounding error, in the time of a turn by one radian.
        let step = 6e-6 / fastest;
        let moved = |pose: Pose, twist: Twist, h: f64| {
            let turn = from_rotation_vector(twist.angular * h);
            Pose::new((turn * pose.rotation).normalize(), pose.translation + twist.linear * h)
        };
        let rates = |h: f64| -> Vec<f64> {
            let mut rows = Vec::new();
            let at = Configuration { a: moved(at.a, a, h), b: moved(at.b, b, h), time: at.time + h };
            self.rows(&at, &mut rows);
            rows.iter().map(|row| row.a.dot(a) + row.b.dot(b) + row.rate).collect()
        };
        let (later, sooner) = (rates(step), rates(-step));
        later.iter().zip(&sooner).map(|(later, sooner)| (later - sooner) / (2.0 * step)).collect()
    }
}

impl Constraint for UserConstraint {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &'static str {
        "constraint"
    }

    fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        (self.members()[0], self.members().get(1).copied())
    }

    fn dimension(&self) -> usize {
        self.gradient.width
    }

    fn has_limits(&self) -> bool {
        self.sense == Sense::AtLeast
    }

    /// Where there is no value, rows of what is not a number: whoever solves stops, and the failure that was
    /// kept tells why.
    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let before = rows.len();
        if self.try_rows(at, rows).is_err() {
            rows.truncate(before);
            let nothing =
                Row { value: f64::NAN, a: Twist::ZERO, b: Twist::ZERO, rate: 0.0, sense: self.sense };
            rows.resize(before + self.dimension(), nothing);
        }
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        let exact = {
            let mut desk = locked(&self.desk);
            self.gradient.formula.gather(at.time, &self.looking(at, a, b), &mut desk);
            self.bend.along(&self.gradient.formula, &desk)
        };
        out.extend(exact.unwrap_or_else(|| self.difference(at, a, b)));
    }

    fn gains(&self) -> Gains {
        self.gains
    }

    fn lets_touch(&self) -> bool {
        true
    }
}
