//! `potential` blocks as laws: force and torque are minus the slopes of the energy, exactly, and the energy
//! is booked.

use super::body_view::Seen;
use super::formula::{Around, Desk, Formula, locked};
use super::gradient::Gradient;
use super::law::{acting, looking};
use super::law_slopes::{self, LazySlopes};
use gedanken_dynamics::laws::{Law, SlopeAnswer, Slopes, Target};
use gedanken_dynamics::{
    BuildError, ComponentId, Model, Orientation, Position, Rule, State, StateError, ThreeD, Trouble,
};
use gedanken_experiment::{ForceLaw, ForceLawProgram};
use gedanken_math::Pose;
use gedanken_math::units::{Energy, Quantity};
use gedanken_rigid::Twist;
use std::sync::{Arc, Mutex};

/// A `potential` block.
#[derive(Debug)]
pub(super) struct Potential {
    name: Arc<str>,
    groups: Arc<[Group]>,
}

#[derive(Debug)]
struct Group {
    gradient: Gradient,
    slopes: LazySlopes,
    desk: Mutex<Desk>,
}

impl Potential {
    /// Compiles the block. An error says why it cannot be differentiated.
    pub(super) fn new(
        law: &ForceLaw,
        groups: &[ForceLawProgram],
        around: &Around<'_>,
    ) -> Result<Self, String> {
        let group = |acted: &ForceLawProgram| {
            let formula = Formula::new(law, acted, around);
            let desk = Mutex::new(formula.desk());
            let slopes = LazySlopes::new(around.options.compile());
            Ok(Group { gradient: Gradient::new(formula, &around.options.compile())?, slopes, desk })
        };
        let groups = groups.iter().map(group).collect::<Result<_, String>>()?;
        Ok(Self { name: law.name.as_str().into(), groups })
    }
}

impl Group {
    fn act(
        &self,
        time: f64,
        look: &dyn Fn(ComponentId) -> (Pose, Twist),
        push: &mut dyn FnMut(ComponentId, Twist),
    ) -> Result<(), Trouble> {
        let mut desk = locked(&self.desk);
        let see = self.seeing(look);
        self.gradient.evaluate(time, &see, &mut desk).map_err(Trouble::Failed)?;
        let members = &self.gradient.formula.members;
        for number in 0..members.first().map_or(0, Vec::len) {
            let slopes = self.gradient.slopes(number, time, &see, &mut desk).map_err(Trouble::Failed)?;
            for (members, slope) in members.iter().zip(&slopes[0]) {
                push(members[number], -*slope);
            }
        }
        Ok(())
    }

    fn seeing<'s>(
        &'s self,
        look: &'s dyn Fn(ComponentId) -> (Pose, Twist),
    ) -> impl Fn(ComponentId) -> Seen + 's {
        move |id| {
            let (pose, twist) = look(id);
            self.gradient.formula.seen(id, pose, twist)
        }
    }

    fn slopes(
        &self,
        time: f64,
        look: &dyn Fn(ComponentId) -> (Pose, Twist),
        out: &mut Slopes,
    ) -> SlopeAnswer {
        let formula = &self.gradient.formula;
        let Some(derivatives) = self.slopes.second(formula) else { return SlopeAnswer::Unknown };
        let mut desk = locked(&self.desk);
        let see = self.seeing(look);
        formula.gather(time, &see, &mut desk);
        law_slopes::of_potential(derivatives, formula, &see, &mut desk, out)
    }

    /// The energy of all rows; `None` where it has no value, which has been kept.
    fn energy(&self, time: f64, look: &dyn Fn(ComponentId) -> (Pose, Twist)) -> Option<f64> {
        let mut desk = locked(&self.desk);
        self.gradient.evaluate(time, &self.seeing(look), &mut desk).ok()?;
        let rows = 0..self.gradient.formula.members.len();
        Some(rows.fold(0.0, |sum, row| sum + self.gradient.value(&desk, 0, row)))
    }
}

impl Law<ThreeD> for Potential {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let groups = self.groups.clone();
        let cost = groups.iter().map(|group| group.gradient.cost()).max().unwrap_or(1);
        let rule = acting(self.name.clone(), target, move |time, look, push| {
            groups.iter().try_for_each(|group| group.act(time, look, push))
        });
        Ok(rule.with_cost(cost as f64))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (r, q) = (state.all::<Position<ThreeD>>()?, state.all::<Orientation>()?);
        let look = |id: ComponentId| (Pose::new(q[id.row()], r[id.row()].si()), Twist::ZERO);
        let mut total = 0.0;
        for group in self.groups.iter() {
            match group.energy(state.time().si(), &look) {
                Some(energy) => total += energy,
                None => return Ok(None),
            }
        }
        Ok(Some(Quantity::new(total)))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let look = looking(state)?;
        let mut groups = self.groups.iter();
        let unknown = groups.any(|group| group.slopes(state.time().si(), &look, out) == SlopeAnswer::Unknown);
        Ok(if unknown { SlopeAnswer::Unknown } else { SlopeAnswer::Exact })
    }

    fn depends_on_motion(&self) -> bool {
        self.groups.iter().any(|group| group.gradient.formula.reads_motion())
    }

    fn is_driven(&self) -> bool {
        self.groups.iter().any(|group| group.gradient.formula.reads_time())
    }

    fn turns(&self) -> bool {
        true
    }
}
