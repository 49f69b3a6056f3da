//! The middle of kicks by laws that depend on velocities ([`gedanken_dynamics::integrate::kick`]), for bodies that
//! touch nothing: free ones, and those with joints, whose joints act in the kick too.
//!
//! Bodies that touch something are moved by a contact solver, under forces that are constant in a step: for them
//! the laws see the velocity at its start.

use crate::collide::island::Islands;
use crate::joints::jointed_motion;
use crate::world::World;
use crate::world::solver_body::InverseMass;
use gedanken_dynamics::integrate::kick::{Corrector, KickSearch, MAX_ROUNDS};
use gedanken_dynamics::laws::Term;
use gedanken_dynamics::{
    AngularVelocity, BuildError, ComponentId, Flow, Force, Inertia, Mass, Orientation, Position, Rows, Rule,
    Settled, State, ThreeD, Torque, Trouble, Velocity, memory, read, read_table, seq, write, write_at,
    write_table,
};
use gedanken_math::Twist;
use gedanken_math::units::Quantity;
use std::sync::Arc;

/// The laws of a world that depend on velocities, and its state at the start.
#[derive(Debug, Clone)]
pub(crate) struct MovingLaws {
    terms: Arc<[Term<ThreeD>]>,
    template: Arc<State>,
}

/// Memory of the rule that seeks.
#[derive(Debug, Default)]
struct Seeker {
    corrector: Corrector,
    ends: Vec<Twist>,
    inverses: Vec<InverseMass>,
}

impl MovingLaws {
    /// Of a world that starts in this state; `None` if its forces do not depend on velocities.
    pub(crate) fn of(world: &World, start: &State) -> Result<Option<Self>, BuildError> {
        let mut terms = Vec::new();
        for term in world.laws().terms() {
            if term.depends_on_motion(world.model())? {
                terms.push(term.clone());
            }
        }
        let some = !terms.is_empty();
        Ok(some.then(|| Self { terms: terms.into(), template: Arc::new(start.clone()) }))
    }

    /// Returns `true` if the law with this label is one of them.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.terms.iter().any(|term| &*term.label == label)
    }

    /// Evaluates `laws` in the middle of the kick; velocities are those of its start afterwards.
    pub(crate) fn forces(&self, laws: &Flow, joints: &jointed_motion::Moves) -> Flow {
        let respond = joints.respond();
        let joints = if respond.rules().is_empty() { seq![] } else { seq![to_start(), respond] };
        let round = seq![laws.clone(), joints, self.seek()];
        seq![begin(), round.until::<Settled>(MAX_ROUNDS)]
    }

    /// Judges the middle at which forces were evaluated, and goes to the next one, or back to the start.
    fn seek(&self) -> Rule {
        let laws = self.clone();
        let forces = (read::<Force<ThreeD>>(), read::<Torque>());
        let bodies = (read::<Mass>(), read::<Inertia>(), read::<Position<ThreeD>>(), read::<Orientation>());
        let moves = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>());
        let flag = write_at::<Settled>(Rows::only([ComponentId::WORLD]));
        let tables = (write_table::<KickSearch>(), read_table::<Islands>(), flag, memory::<Seeker>());
        let view = (forces, bodies, moves, tables);
        let rule = Rule::new("seek middle", view, move |step, (forces, bodies, (v, omega), tables)| {
            let ((force, torque), (m, i, r, q)) = (forces, bodies);
            let (search, islands, mut settled, seeker) = tables;
            let Seeker { corrector, ends, inverses } = seeker;
            inverses.clear();
            inverses.extend((0..v.len()).map(|row| match islands.is_touching(row) {
                true => InverseMass::default(),
                false => InverseMass::new(m[row].si(), i[row].si(), q[row]),
            }));
            let h = step.h.si();
            ends.clear();
            ends.extend((0..v.len()).map(|row| {
                if islands.is_free(row) {
                    let force = Twist::new(force[row].si(), torque[row].si());
                    return search.start(row) + inverses[row].apply(force) * h;
                }
                if islands.is_touching(row) { search.start(row) } else { twist(v[row], omega[row]) }
            }));
            let weights = |row: usize| [m[row].si().max(f64::MIN_POSITIVE), i[row].si().element_sum() / 3.0];
            let found = search.advance(ends, weights, |middle, gaps| {
                let put = |state: &mut State| {
                    for (row, middle) in middle.iter().enumerate() {
                        state.overwrite::<Position<ThreeD>>(row, r[row]);
                        state.overwrite::<Orientation>(row, q[row]);
                        state.overwrite::<Velocity<ThreeD>>(row, Quantity::new(middle.linear));
                        state.overwrite::<AngularVelocity>(row, Quantity::new(middle.angular));
                    }
                    let tick = state.tick();
                    state.set_clock(step.t, tick);
                };
                let inverse = |row: usize, force: Twist| inverses[row].apply(force);
                corrector.correct((&laws.terms, &laws.template), put, h, inverse, gaps);
            });
            if let Some(strain) = corrector.strain(&laws.terms).filter(|_| !found) {
                return Err(Trouble::Strained(strain));
            }
            for row in 0..v.len() {
                let next = if found { search.start(row) } else { search.middle(row) };
                (v[row], omega[row]) = (Quantity::new(next.linear), Quantity::new(next.angular));
            }
            *settled.at_mut(ComponentId::WORLD)? = found;
            Ok(())
        });
        rule.with_cost(16.0)
    }
}

type Linear = gedanken_dynamics::Directed<ThreeD, gedanken_math::units::Velocity>;
type Angular = gedanken_math::units::Vector<gedanken_math::units::AngularVelocity>;

fn twist(v: Linear, omega: Angular) -> Twist {
    Twist::new(v.si(), omega.si())
}

/// Opens the count of kicks without a middle.
pub(crate) fn begin_step() -> Rule {
    Rule::new("begin kicks", (write_table::<KickSearch>(),), |_, (search,)| search.begin_step())
}

/// Begins to seek: the start is tried first.
fn begin() -> Rule {
    let flag = write_at::<Settled>(Rows::only([ComponentId::WORLD]));
    let moves = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>());
    let view = (moves, write_table::<KickSearch>(), flag);
    Rule::new("begin kick", view, |_, ((v, omega), search, mut settled)| -> Result<(), Trouble> {
        search.begin(v.iter().zip(omega).map(|(v, omega)| twist(*v, *omega)));
        *settled.at_mut(ComponentId::WORLD)? = false;
        Ok(())
    })
}

/// Goes back to the velocities at the start of the kick, from which joints respond to forces.
fn to_start() -> Rule {
    let moves = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>());
    Rule::new("seek middle", (moves, read_table::<KickSearch>()), |_, ((v, omega), search)| {
        for row in 0..v.len() {
            let start = search.start(row);
            (v[row], omega[row]) = (Quantity::new(start.linear), Quantity::new(start.angular));
        }
    })
}
