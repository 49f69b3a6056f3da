//! The ledger: work by cause, added up step by step.
//!
//! The work of a force over a step is taken as the force at its start times the mean of the velocities before
//! and after; in a step of Runge and Kutta as the power at each stage with the weight of the stage. What the
//! change of energy is beyond all work is the numerical error of the steps.

use crate::compile::Model;
use crate::constraints::rows::{RowKind, Rows};
use crate::dynamics::Dynamics;
use crate::forces::laws::LawForces;

/// Work by cause since the start, in J: positive where the mechanism gained it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    /// Dampers of joints.
    pub damping: f64,
    /// Actuators and gravity compensation.
    pub actuators: f64,
    /// Equalities, one entry each.
    pub equalities: Vec<f64>,
    /// Dry friction of joints.
    pub friction_loss: f64,
    /// Limits of joints.
    pub limits: f64,
    /// Normal forces of contacts.
    pub normal: f64,
    /// Friction of contacts.
    pub friction: f64,
    /// Motors.
    pub motors: f64,
    /// Prescribed bodies, by way of joints, of equalities and of what they carry. What their surfaces do stands
    /// among contacts.
    pub prescribed: f64,
    /// Inequalities.
    pub inequalities: f64,
    /// Laws of the surroundings, one entry each.
    pub laws: Vec<f64>,
    row_speeds: Vec<f64>,
}

impl Ledger {
    /// An empty ledger of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        Self { equalities: vec![0.0; model.description.equalities.len()], ..Self::default() }
    }

    /// Makes this ledger equal to another of the same mechanism; unlike a clone it allocates nothing.
    pub(crate) fn take_over(&mut self, other: &Ledger) {
        let mut equalities = core::mem::take(&mut self.equalities);
        equalities.clone_from(&other.equalities);
        let mut laws = core::mem::take(&mut self.laws);
        laws.clone_from(&other.laws);
        let row_speeds = core::mem::take(&mut self.row_speeds);
        *self = Self { equalities, laws, row_speeds, ..*other };
    }

    /// All work, but that of laws.
    #[must_use]
    pub fn total(&self) -> f64 {
        let drives = self.actuators + self.motors + self.prescribed;
        self.damping + drives + self.joints() + self.normal + self.friction
    }

    /// Work of all that holds joints: equalities, inequalities, limits and dry friction.
    #[must_use]
    pub fn joints(&self) -> f64 {
        self.equalities.iter().sum::<f64>() + self.friction_loss + self.limits + self.inequalities
    }

    /// Books what the forces of `dynamics`, at the velocities `before`, do for a time `h` at the velocities
    /// `speeds`. `prescribed_power` is that of prescribed bodies on the trees that they carry.
    pub fn book(
        &mut self,
        model: &Model,
        dynamics: &Dynamics,
        before: &[f64],
        speeds: &[f64],
        prescribed_power: f64,
        h: f64,
    ) {
        let disabled = &model.description.settings.disabled;
        for (freedom, speed) in speeds.iter().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            if !disabled.dampers {
                self.damping -= h * joint.damping * before[freedom] * speed;
            }
            self.actuators += h * dynamics.actuation[freedom] * speed;
        }
        self.prescribed += h * prescribed_power;
        self.book_laws(&dynamics.laws, speeds, h);
        let rows = &dynamics.rows;
        self.row_speeds.clear();
        self.row_speeds.resize(rows.len(), 0.0);
        rows.times(speeds, &mut self.row_speeds);
        self.take_given(rows, &dynamics.solver.forces, h);
        for number in 0..rows.blocks.len() {
            self.book_block(rows, number, &dynamics.solver.forces, h);
        }
    }

    /// Books the work of laws on all that moves, and takes from prescribed bodies what laws did for them.
    fn book_laws(&mut self, laws: &LawForces, speeds: &[f64], h: f64) {
        self.laws.resize(laws.by_law.len(), 0.0);
        for (law, work) in self.laws.iter_mut().enumerate() {
            let own: f64 = laws.by_law[law].iter().zip(speeds).map(|(force, speed)| force * speed).sum();
            *work += h * (own + laws.given_powers[law]);
            self.prescribed -= h * laws.given_powers[law];
        }
    }

    /// Adds the rates that are given beside J v, and takes the work at them from prescribed bodies.
    ///
    /// As in all ledgers of rigid bodies: a joint does work at the rate at which it is violated, and the rest is
    /// that of the prescribed body; a contact does the work that bodies with freedoms get, moving belts included.
    fn take_given(&mut self, rows: &Rows, forces: &[f64], h: f64) {
        let mut blocks = rows.blocks.iter();
        let mut block = blocks.next();
        for given in &rows.given {
            while block.is_some_and(|it| it.first + it.count <= given.row) {
                block = blocks.next();
            }
            let rate = match block.map(|it| it.kind) {
                Some(RowKind::Motor) | None => 0.0,
                Some(RowKind::Frictionless | RowKind::PyramidEdge | RowKind::Elliptic) => {
                    given.rate - given.direct
                }
                Some(_) => given.rate,
            };
            self.row_speeds[given.row] += rate;
            self.prescribed -= h * forces[given.row] * rate;
        }
    }

    fn book_block(&mut self, rows: &Rows, number: usize, forces: &[f64], h: f64) {
        let block = &rows.blocks[number];
        let all = block.first..block.first + block.count;
        let work: f64 = all.clone().map(|row| h * forces[row] * self.row_speeds[row]).sum();
        match block.kind {
            RowKind::Equality => self.equalities[block.owner] += work,
            RowKind::FrictionLoss => self.friction_loss += work,
            RowKind::Motor => self.motors += work,
            RowKind::Limit => self.limits += work,
            RowKind::Inequality => self.inequalities += work,
            RowKind::Frictionless => self.normal += work,
            RowKind::Elliptic => {
                let normal = h * forces[block.first] * self.row_speeds[block.first];
                self.normal += normal;
                self.friction += work - normal;
            }
            RowKind::PyramidEdge => {
                // Edges come in opposite pairs n ± μ t: their mean is the normal.
                let force: f64 = all.clone().map(|row| forces[row]).sum();
                let rate = 0.5 * (self.row_speeds[block.first] + self.row_speeds[block.first + 1]);
                self.normal += h * force * rate;
                self.friction += work - h * force * rate;
            }
        }
    }
}
