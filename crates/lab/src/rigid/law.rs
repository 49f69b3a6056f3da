//! `force` blocks as laws: on each body a force, at its centre of mass or at a point, and a torque; between
//! two bodies on the first, and the opposite on the second.

use super::formula::{Around, Desk, Formula, locked};
use super::law_slopes::{self, ForceOutputs, LazySlopes};
use crate::run::kernel::Kernel;
use gedanken_dynamics::laws::{Law, SlopeAnswer, Slopes, Target};
use gedanken_dynamics::{
    AngularVelocity, BuildError, ComponentId, Model, Orientation, Position, Rule, State, StateError, ThreeD,
    Trouble, Velocity, read,
};
use gedanken_experiment::{ForceLaw, ForceLawProgram};
use gedanken_lang::kernel::resize;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::Twist;
use std::sync::{Arc, Mutex};

/// A `force` block.
#[derive(Debug)]
pub(super) struct UserForce {
    name: Arc<str>,
    groups: Arc<[Group]>,
}

/// The law for bodies that it cannot tell apart.
struct Group {
    formula: Formula,
    kernel: Kernel,
    /// Where force, torque and point begin among the results.
    outputs: ForceOutputs,
    slopes: LazySlopes,
    desk: Mutex<Desk>,
}

impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group").field("formula", &self.formula).finish_non_exhaustive()
    }
}

impl UserForce {
    pub(super) fn new(law: &ForceLaw, groups: &[ForceLawProgram], around: &Around<'_>) -> Self {
        let group = |acted: &ForceLawProgram| {
            let formula = Formula::new(law, acted, around);
            let outputs = (0..formula.reference.program().outputs.len()).collect();
            let access = |slot| formula.access(slot);
            let kernel = Kernel::new(&formula.reference, outputs, access, &around.options.compile());
            // Every formula of a force has three components.
            let place = |key: &str| law.formulas.iter().position(|it| it.0 == key).map(|place| 3 * place);
            let desk = Mutex::new(formula.desk());
            let outputs = ForceOutputs { force: place("force"), torque: place("torque"), at: place("at") };
            let slopes = LazySlopes::new(around.options.compile());
            Group { kernel, outputs, slopes, desk, formula }
        };
        Self { name: law.name.as_str().into(), groups: groups.iter().map(group).collect() }
    }
}

impl Group {
    /// Calls `push` with every body and the force and torque on it.
    fn act(
        &self,
        time: f64,
        look: &dyn Fn(ComponentId) -> (Pose, Twist),
        push: &mut dyn FnMut(ComponentId, Twist),
    ) -> Result<(), Trouble> {
        let mut desk = locked(&self.desk);
        let desk = &mut *desk;
        let see = |id: ComponentId| {
            let (pose, twist) = look(id);
            self.formula.seen(id, pose, twist)
        };
        self.formula.gather(time, &see, desk);
        let Desk { inputs, results, .. } = desk;
        let count = self.formula.members.len();
        resize(results, self.kernel.width(), count);
        let run = self.kernel.run(inputs, None, 0..count, results);
        run.map_err(|failed| Trouble::Failed(self.formula.fail(failed, inputs, time)))?;
        for (row, members) in self.formula.members.iter().enumerate() {
            let vector = |place: usize| {
                Vec3::new(results[place][row], results[place + 1][row], results[place + 2][row])
            };
            let force = self.outputs.force.map_or(Vec3::ZERO, vector);
            let torque = self.outputs.torque.map_or(Vec3::ZERO, vector);
            for (number, &id) in members.iter().enumerate() {
                let sign = if number == 0 { 1.0 } else { -1.0 };
                let arm =
                    self.outputs.at.map_or(Vec3::ZERO, |at| vector(at) - desk.seen[row][number].centre());
                push(id, (Twist::of_impulse(force, arm) + Twist::new(Vec3::ZERO, torque)) * sign);
            }
        }
        Ok(())
    }

    fn slopes(
        &self,
        time: f64,
        look: &dyn Fn(ComponentId) -> (Pose, Twist),
        out: &mut Slopes,
    ) -> SlopeAnswer {
        let outputs: Vec<usize> = (0..self.formula.reference.program().outputs.len()).collect();
        let Some(derivatives) = self.slopes.first(&self.formula, &outputs) else {
            return SlopeAnswer::Unknown;
        };
        let mut desk = locked(&self.desk);
        let see = |id: ComponentId| {
            let (pose, twist) = look(id);
            self.formula.seen(id, pose, twist)
        };
        self.formula.gather(time, &see, &mut desk);
        law_slopes::of_force(derivatives, &self.formula, self.outputs, &see, &mut desk, out)
    }
}

/// Poses and velocities of all bodies in a state.
pub(super) fn looking(state: &State) -> Result<impl Fn(ComponentId) -> (Pose, Twist) + '_, StateError> {
    let (r, q) = (state.all::<Position<ThreeD>>()?, state.all::<Orientation>()?);
    let (v, omega) = (state.all::<Velocity<ThreeD>>()?, state.all::<AngularVelocity>()?);
    Ok(move |id: ComponentId| {
        let k = id.row();
        (Pose::new(q[k], r[k].si()), Twist::new(v[k].si(), omega[k].si()))
    })
}

impl Law<ThreeD> for UserForce {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let groups = self.groups.clone();
        let cost = groups.iter().map(|group| group.kernel.cost()).max().unwrap_or(1);
        Ok(acting(self.name.clone(), target, move |time, look, push| {
            groups.iter().try_for_each(|group| group.act(time, look, push))
        })
        .with_cost(cost as f64))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let look = looking(state)?;
        let mut groups = self.groups.iter();
        let unknown = groups.any(|group| group.slopes(state.time().si(), &look, out) == SlopeAnswer::Unknown);
        Ok(if unknown { SlopeAnswer::Unknown } else { SlopeAnswer::Exact })
    }

    fn depends_on_motion(&self) -> bool {
        self.groups.iter().any(|group| group.formula.reads_motion())
    }

    fn turns(&self) -> bool {
        true
    }
}

/// A rule that looks at places and motions, and pushes.
pub(super) fn acting<F>(name: Arc<str>, target: &Target, act: F) -> Rule
where
    F: Fn(
            f64,
            &dyn Fn(ComponentId) -> (Pose, Twist),
            &mut dyn FnMut(ComponentId, Twist),
        ) -> Result<(), Trouble>
        + Send
        + Sync
        + 'static,
{
    let places = (read::<Position<ThreeD>>(), read::<Orientation>());
    let motions = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>());
    let view = (places, motions, target.force::<ThreeD>(), target.torque());
    Rule::new(name, view, move |step, ((r, q), (v, omega), force, torque)| -> Result<(), Trouble> {
        let look = |id: ComponentId| {
            let k = id.row();
            (Pose::new(q[k], r[k].si()), Twist::new(v[k].si(), omega[k].si()))
        };
        act(step.t.si(), &look, &mut |id, push| {
            force[id.row()] += Quantity::new(push.linear);
            torque[id.row()] += Quantity::new(push.angular);
        })
    })
}
