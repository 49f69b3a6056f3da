//! The rules by which [`crate::Mechanics`] seeks the middle of a kick.

use super::{Corrector, KickSearch};
use crate::attributes::{
    AngularVelocity, Force, Inertia, Mass, Orientation, Position, Settled, Torque, Velocity,
};
use crate::core::access::{memory, read, write, write_at};
use crate::core::component::ComponentId;
use crate::core::fault::Trouble;
use crate::core::model::Model;
use crate::core::rows::Rows;
use crate::core::rule::Rule;
use crate::core::state::State;
use crate::core::table::write_table;
use crate::laws::Term;
use crate::space::Space;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::{Quantity, Time};
use gedanken_math::{Quat, Twist, Vec3};
use std::sync::Arc;

/// The laws that depend on velocities, and a state in which they can be asked for slopes.
#[derive(Debug, Clone)]
pub(crate) struct MovingLaws<S: Space> {
    terms: Arc<[Term<S>]>,
    template: State,
}

/// Memory of the rule that seeks.
#[derive(Debug, Default)]
struct Seeker {
    corrector: Corrector,
    ends: Vec<Twist>,
}

/// Begins to seek: the start is tried first.
pub(crate) fn begin<S: Space>(turns: bool) -> Rule {
    const NAME: &str = "begin kick";
    let flag = write_at::<Settled>(Rows::only([ComponentId::WORLD]));
    if turns {
        let view = (read::<Velocity<S>>(), read::<AngularVelocity>(), write_table::<KickSearch>(), flag);
        return Rule::new(NAME, view, |_, (v, omega, search, mut settled)| -> Result<(), Trouble> {
            let twist = |(v, omega): (&_, &_)| twist::<S>(v, Some(omega));
            search.begin(v.iter().zip(omega).map(twist));
            *settled.at_mut(ComponentId::WORLD)? = false;
            Ok(())
        });
    }
    let view = (read::<Velocity<S>>(), write_table::<KickSearch>(), flag);
    Rule::new(NAME, view, |_, (v, search, mut settled)| -> Result<(), Trouble> {
        search.begin(v.iter().map(|v| twist::<S>(v, None)));
        *settled.at_mut(ComponentId::WORLD)? = false;
        Ok(())
    })
}

fn twist<S: Space>(
    v: &crate::space::Directed<S, gedanken_math::units::Velocity>,
    omega: Option<&gedanken_math::units::Vector<gedanken_math::units::AngularVelocity>>,
) -> Twist {
    Twist::new(S::to_space(v.si()), omega.map_or(Vec3::ZERO, |omega| omega.si()))
}

impl<S: Space> MovingLaws<S> {
    /// Of all these laws those that depend on velocities; `None` if none does.
    pub(crate) fn of(terms: impl Iterator<Item = Term<S>>, model: &Model) -> Option<Self> {
        let terms: Arc<[Term<S>]> = terms.collect();
        (!terms.is_empty()).then(|| Self { terms, template: model.state() })
    }

    /// Judges the middle at which forces were evaluated: raises the flag and goes back to the start, or goes to
    /// the next middle.
    pub(crate) fn seek(&self, turns: bool) -> Rule {
        const NAME: &str = "seek middle";
        let laws = self.clone();
        let flag = write_at::<Settled>(Rows::only([ComponentId::WORLD]));
        let tables = (write_table::<KickSearch>(), flag, memory::<Seeker>());
        let linear = (read::<Force<S>>(), read::<Mass>(), read::<Position<S>>(), write::<Velocity<S>>());
        if !turns {
            return Rule::new(NAME, (linear, tables), move |step, ((f, m, r, v), tables)| {
                let (search, mut settled, seeker) = tables;
                let inverse = |row: usize, force: Twist| point(m[row].si(), force);
                let weights = |row: usize| [m[row].si().max(f64::MIN_POSITIVE), 0.0];
                let force = |row: usize| Twist::new(S::to_space(f[row].si()), Vec3::ZERO);
                let place = |state: &mut State, row: usize| {
                    state.overwrite::<Mass>(row, m[row]);
                    state.overwrite::<Position<S>>(row, r[row]);
                };
                let time = (step.t, step.h.si());
                let found = laws.advance(search, seeker, time, (force, inverse, weights, place))?;
                for (row, v) in v.iter_mut().enumerate() {
                    *v = Quantity::new(S::from_space(next(search, row, found).linear));
                }
                *settled.at_mut(ComponentId::WORLD)? = found;
                Ok::<(), Trouble>(())
            });
        }
        let angular =
            (read::<Torque>(), read::<Inertia>(), read::<Orientation>(), write::<AngularVelocity>());
        Rule::new(NAME, (linear, angular, tables), move |step, (linear, angular, tables)| {
            let ((f, m, r, v), (torque, inertia, q, omega)) = (linear, angular);
            let (search, mut settled, seeker) = tables;
            let inverse = |row: usize, force: Twist| {
                let angular = turned(inertia[row].si(), q[row], force.angular);
                Twist { angular, ..point(m[row].si(), force) }
            };
            let weights =
                |row: usize| [m[row].si().max(f64::MIN_POSITIVE), inertia[row].si().element_sum() / 3.0];
            let force = |row: usize| Twist::new(S::to_space(f[row].si()), torque[row].si());
            let place = |state: &mut State, row: usize| {
                state.overwrite::<Mass>(row, m[row]);
                state.overwrite::<Inertia>(row, inertia[row]);
                state.overwrite::<Position<S>>(row, r[row]);
                state.overwrite::<Orientation>(row, q[row]);
            };
            let time = (step.t, step.h.si());
            let found = laws.advance(search, seeker, time, (force, inverse, weights, place))?;
            for row in 0..v.len() {
                let next = next(search, row, found);
                v[row] = Quantity::new(S::from_space(next.linear));
                omega[row] = Quantity::new(next.angular);
            }
            *settled.at_mut(ComponentId::WORLD)? = found;
            Ok::<(), Trouble>(())
        })
    }

    fn advance(
        &self,
        search: &mut KickSearch,
        seeker: &mut Seeker,
        (t, h): (Quantity<Time>, f64),
        (force, inverse, weights, place): (
            impl Fn(usize) -> Twist,
            impl Fn(usize, Twist) -> Twist,
            impl Fn(usize) -> [f64; 2],
            impl Fn(&mut State, usize),
        ),
    ) -> Result<bool, Trouble> {
        let Seeker { corrector, ends } = seeker;
        ends.clear();
        ends.extend((0..search.rows()).map(|row| search.start(row) + inverse(row, force(row)) * h));
        let found = search.advance(ends, weights, |middle, gaps| {
            let put = |state: &mut State| {
                for (row, middle) in middle.iter().enumerate() {
                    place(state, row);
                    state.overwrite::<Velocity<S>>(row, Quantity::new(S::from_space(middle.linear)));
                    state.overwrite::<AngularVelocity>(row, Quantity::new(middle.angular));
                }
                let tick = state.tick();
                state.set_clock(t, tick);
            };
            corrector.correct((&self.terms, &self.template), put, h, &inverse, gaps);
        });
        match corrector.strain(&self.terms) {
            Some(strain) if !found => Err(Trouble::Strained(strain)),
            _ => Ok(found),
        }
    }
}

fn next(search: &KickSearch, row: usize, found: bool) -> Twist {
    if found { search.start(row) } else { search.middle(row) }
}

/// F/m, zero without a mass.
fn point(mass: f64, force: Twist) -> Twist {
    let linear = if mass > 0.0 { force.linear * (1.0 / mass) } else { Vec3::ZERO };
    Twist::new(linear, Vec3::ZERO)
}

/// I⁻¹ τ in the world, zero without moments.
fn turned(moments: Vec3, q: Quat, torque: Vec3) -> Vec3 {
    if moments.x > 0.0 { to_world(q, to_body(q, torque) / moments) } else { Vec3::ZERO }
}
