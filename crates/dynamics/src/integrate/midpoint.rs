//! The implicit midpoint rule (@hairer2006, II.1.1): symplectic, symmetric, order 2, for any force.
//!
//! r½ = r₀ + ½h v½,  v½ = v₀ + ½h F(r½, v½)/m,   then   r₁ = r₀ + h v½,  v₁ = v₀ + h F(r½, v½)/m
//!
//! The midpoint is found by fixed-point iteration until it stops changing or the changes stop shrinking,
//! which is the rounding floor: stopping earlier at a typed tolerance would spoil the long-time behaviour
//! (@hairer2006, VIII.6).

use super::moves::Moves;
use crate::attributes::{Change, Force, Mass, Position, Settled, StartPosition, StartVelocity, Velocity};
use crate::core::access::{read, write, write_at};
use crate::core::column::Coordinates;
use crate::core::component::ComponentId;
use crate::core::fault::Trouble;
use crate::core::flow::Flow;
use crate::core::rows::Rows;
use crate::core::rule::Rule;
use crate::space::Space;
use gedanken_math::units::Quantity;

/// More rounds than a contraction of rate 0.8 needs from 1 to the rounding floor.
const MAX_ITERATIONS: u32 = 160;

/// The whole step. The force column holds F(r½, v½) when the iteration has settled.
pub(super) fn flow(moves: &dyn Moves) -> Flow {
    let world = || Rows::only([ComponentId::WORLD]);
    let view = (write_at::<Settled>(world()), write_at::<Change>(world()));
    let guess = Rule::new("guess", view, |_, (mut settled, mut change)| -> Result<(), Trouble> {
        *settled.at_mut(ComponentId::WORLD)? = false;
        *change.at_mut(ComponentId::WORLD)? = Quantity::new(f64::INFINITY);
        Ok(())
    });
    let half = || moves.clock().scaled(0.5);
    let round = moves.forces() >> moves.midpoint_round();
    moves.save()
        >> guess
        >> half()
        >> round.until::<Settled>(MAX_ITERATIONS)
        >> half()
        >> moves.midpoint_finish()
}

/// (r, v) = (r₀ + ½h v½, v₀ + ½h F/m), with a verdict on whether that was still a change.
pub(crate) fn round<S: Space>() -> Flow {
    let world = || Rows::only([ComponentId::WORLD]);
    let starts = (read::<StartPosition<S>>(), read::<StartVelocity<S>>());
    let reads = (read::<Force<S>>(), read::<Mass>());
    let writes = (write::<Position<S>>(), write::<Velocity<S>>());
    let verdict = (write_at::<Settled>(world()), write_at::<Change>(world()));
    let view = (starts, reads, writes, verdict);
    let rule = Rule::new("midpoint", view, |step, ((r0, v0), (f, m), (r, v), (mut settled, mut change))| {
        let half = 0.5 * step.h.si();
        let mut moved: f64 = 0.0;
        for k in 0..r.len() {
            let kick = if m[k].si() > 0.0 { f[k].si() * (half / m[k].si()) } else { S::Vector::ZERO };
            let v_new = v0[k].si() + kick;
            let r_new = r0[k].si() + v_new * half;
            let size = r_new.length() + v_new.length() * half + f64::MIN_POSITIVE;
            let change = (r_new - r[k].si()).length() + (v_new - v[k].si()).length() * half;
            moved = moved.max(change / size);
            (r[k], v[k]) = (Quantity::new(r_new), Quantity::new(v_new));
        }
        let before = change.at(ComponentId::WORLD)?.si();
        // Changes that no longer shrink are rounding only if they are that small already.
        let floor = 64.0 * f64::EPSILON;
        *settled.at_mut(ComponentId::WORLD)? = moved == 0.0 || (moved >= before && moved <= floor);
        *change.at_mut(ComponentId::WORLD)? = Quantity::new(moved);
        Ok(())
    });
    rule.with_cost(4.0).into()
}

/// r₁ = r₀ + h v½, v₁ = v₀ + h F/m with the force of the last round.
pub(crate) fn finish<S: Space>() -> Flow {
    let starts = (read::<StartPosition<S>>(), read::<StartVelocity<S>>());
    let reads = (read::<Force<S>>(), read::<Mass>());
    let writes = (write::<Position<S>>(), write::<Velocity<S>>());
    let rule = Rule::new("finish", (starts, reads, writes), |step, ((r0, v0), (f, m), (r, v))| {
        for k in 0..r.len() {
            r[k] = r0[k] + v[k] * step.h;
            let h_over_m = if m[k].si() > 0.0 { step.h.si() / m[k].si() } else { 0.0 };
            v[k] = v0[k] + Quantity::new(f[k].si() * h_over_m);
        }
    });
    rule.into()
}
