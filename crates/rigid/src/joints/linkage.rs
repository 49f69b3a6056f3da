//! Linkages: the joints of one island with their bodies, outside of the drifts and kicks of a step: to pass
//! an impact on through them, or to bring bodies back to them.

use super::direct::{Group, WORLD};
use crate::collide::island::{Islands, rows_of};
use crate::ledger::Exchange;
use crate::world::World;
use crate::world::solver_body::SolverBody;

/// The joints of one island, and their bodies.
#[derive(Debug, Default)]
pub(crate) struct Linkage {
    /// The movable bodies in order of rows, then the others that joints hold on to.
    pub(crate) movers: Vec<SolverBody>,
    /// Number of movable bodies.
    pub(crate) movable: usize,
    pub(crate) group: Group,
    ends: Vec<[u32; 2]>,
}

impl Linkage {
    /// Makes it that of an island; `body` tells the bodies by row.
    pub(crate) fn gather(
        &mut self,
        world: &World,
        islands: &Islands,
        island: usize,
        mut body: impl FnMut(usize) -> SolverBody,
    ) {
        let Self { movers, movable, group, ends } = self;
        let island = &islands.islands[island];
        movers.clear();
        movers.extend(islands.rows[island.rows.clone()].iter().map(|&row| body(row as usize)));
        *movable = movers.len();
        let numbers = islands.constraints[island.constraints.clone()].iter();
        let constraints = numbers.map(|&number| &world.constraints()[number as usize]);
        ends.clear();
        for constraint in constraints.clone() {
            ends.push(rows_of(&**constraint).map(|row| {
                if row == 0 {
                    return WORLD;
                }
                let known = movers[..*movable].binary_search_by_key(&row, |mover| mover.row).ok();
                let known = known.or_else(|| {
                    movers[*movable..].iter().position(|mover| mover.row == row).map(|k| k + *movable)
                });
                known.unwrap_or_else(|| {
                    movers.push(body(row as usize));
                    movers.len() - 1
                }) as u32
            }));
        }
        group.rebuild(constraints, ends.iter().copied(), movers);
    }

    /// Goes on from `time` by `tau` under the constant forces that the bodies carry: half a drift, a kick,
    /// half a drift. Tells whether one of the drifts came to a limit.
    pub(crate) fn advance(
        movers: &mut [SolverBody],
        group: &mut Group,
        time: f64,
        tau: f64,
        exchange: &mut Exchange,
    ) -> bool {
        if tau <= 0.0 {
            return false;
        }
        let half = 0.5 * tau;
        group.drift(movers, time, half, Some(&mut *exchange));
        let mut arrives = group.has_arrived();
        movers.iter_mut().for_each(|mover| mover.moved += mover.twist * half);
        group.kick(movers, time + half, tau, Some(&mut *exchange));
        movers.iter_mut().for_each(|mover| mover.moved += mover.twist * half);
        group.drift(movers, time + half, half, Some(exchange));
        arrives |= group.has_arrived();
        arrives
    }

    /// Σ F·x: what moving its bodies without a velocity gives them is the change of it, taken back.
    pub(crate) fn height(&self) -> f64 {
        self.movers.iter().map(|mover| mover.force.linear.dot(mover.pose.translation)).sum()
    }
}
