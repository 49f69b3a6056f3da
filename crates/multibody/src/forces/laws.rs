//! Forces of laws from outside, as forces of freedoms: τ = Σ Jᵀ f, one list for each law.

use crate::compile::Model;
use crate::model::BodyId;
use crate::surroundings::Surroundings;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::Wrench;

/// Forces of laws at a state.
#[derive(Debug, Clone, Default)]
pub struct LawForces {
    /// By law, forces of freedoms.
    pub by_law: Vec<Vec<f64>>,
    /// Their sum.
    pub total: Vec<f64>,
    /// By law, power at the motion that prescribed bodies give to what they carry.
    pub given_powers: Vec<f64>,
    /// By law and body, force and torque about the reference point of the tree.
    wrenches: Vec<Wrench>,
}

impl LawForces {
    /// Asks all laws.
    ///
    /// # Errors
    /// Why a law has no force here.
    pub(crate) fn ask(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        time: f64,
        outside: &mut dyn Surroundings,
    ) -> Result<(), String> {
        let (laws, bodies) = (outside.laws(), model.description.bodies.len());
        self.total.clear();
        self.total.resize(model.freedoms(), 0.0);
        self.by_law.resize(laws, Vec::new());
        self.given_powers.clear();
        self.given_powers.resize(laws, 0.0);
        self.wrenches.clear();
        self.wrenches.resize(laws * bodies, Wrench::ZERO);
        if laws == 0 {
            return Ok(());
        }
        outside.act(time, kinematics, &mut |law, body: BodyId, force, torque| {
            let arm = kinematics.centres[body.index()] - kinematics.references[body.index()];
            let wrench = Wrench { torque: torque + arm.cross(force), force };
            self.wrenches[law * bodies + body.index()] += wrench;
        })?;
        for law in 0..laws {
            self.hand_down(model, kinematics, law);
        }
        Ok(())
    }

    /// Adds up the wrenches of a law from the leaves to the roots, and takes the share of each freedom.
    fn hand_down(&mut self, model: &Model, kinematics: &Kinematics, law: usize) {
        let topology = &model.topology;
        let bodies = model.description.bodies.len();
        let wrenches = &mut self.wrenches[law * bodies..(law + 1) * bodies];
        let forces = &mut self.by_law[law];
        forces.clear();
        forces.resize(topology.freedoms, 0.0);
        for index in (1..bodies).rev() {
            let wrench = wrenches[index];
            for freedom in topology.freedoms_of[index].clone() {
                forces[freedom] = kinematics.axes[freedom].dot(wrench);
                self.total[freedom] += forces[freedom];
            }
            let parent = model.description.bodies[index].parent.index();
            if topology.last_freedom[parent].is_some() {
                wrenches[parent] += wrench;
            } else if topology.driver[index].is_some() && topology.last_freedom[index].is_some() {
                let speed = kinematics.velocities[topology.root_of[index].index()];
                self.given_powers[law] += speed.dot(wrench);
            }
        }
    }
}
