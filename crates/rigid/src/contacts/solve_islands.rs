//! Rule `solve`: gives every touching island to the contact solver, side by side.
//!
//! Islands are gathered into batches, each with memory of its own, so that batches can run on several
//! threads. No island depends on another, and batches are written back in order: the bits do not depend on
//! the number of threads.

use super::gauss_seidel::Memory;
use super::report::Report;
use super::solver::{IslandSolver, Problem};
use crate::collide::contact_table::{Contacts, Touch};
use crate::collide::island::{Island, Islands, rows_of};
use crate::joints::constraint::Constraint;
use crate::joints::direct::{Group, WORLD};
use crate::ledger::Exchange;
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{Displacements, SolverBodies, SolverBody};
use gedanken_dynamics::{
    AngularVelocity, Flow, Force, Orientation, Position, Rule, ThreeD, Torque, Trouble, Velocity, memory,
    read, read_table, seq, write, write_table,
};
use gedanken_math::Twist;
use gedanken_math::units::Quantity;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};
use std::ops::Range;
use std::sync::Arc;

/// Contacts in a batch, about: below twice as many one thread does it all, for waking a second one costs some
/// 10 µs.
const BATCH_CONTACTS: usize = 256;

/// Islands that one thread solves, one after the other; memory, kept to avoid allocation.
#[derive(Debug, Default)]
struct Batch {
    /// Its islands, as places among the touching ones.
    islands: Range<usize>,
    movers: Vec<SolverBody>,
    /// The contacts gathered so far, and what earlier steps left behind them.
    touches: Vec<Touch>,
    gathered: usize,
    /// `true` if these are all contacts there are, lent because they belong to one island: nothing is copied.
    lent: bool,
    ends: Vec<[u32; 2]>,
    /// By row: for which island an immovable body was copied last, and where to.
    copies: Vec<(u32, u32)>,
    /// By island: how many bodies there are, copies of immovable ones included.
    sizes: Vec<usize>,
    /// The ends of the joints of the island at hand.
    joint_ends: Vec<[u32; 2]>,
    /// By island: its joints.
    joints: Vec<Group>,
    memory: Memory,
    exchange: Exchange,
    report: Report,
}

/// Memory of the rule.
#[derive(Debug, Default)]
struct Batches {
    batches: Vec<Batch>,
    /// The touching islands.
    touching: Vec<u32>,
    /// By row: the place of a movable body among the bodies of its island.
    place: Vec<u32>,
}

/// Inputs that all batches share.
struct Source<'a> {
    solver: &'a dyn IslandSolver,
    settings: &'a Settings,
    constraints: &'a [Arc<dyn Constraint>],
    at_start: &'a SolverBodies,
    islands: &'a Islands,
    contacts: &'a Contacts,
    touching: &'a [u32],
    place: &'a [u32],
    forces: &'a (dyn Fn(usize) -> Twist + Sync),
    h: f64,
    time: f64,
}

impl Source<'_> {
    fn island(&self, k: usize) -> &Island {
        &self.islands.islands[self.touching[k] as usize]
    }
}

impl Batch {
    /// Gathers and solves all islands of the batch.
    fn run(&mut self, source: &Source<'_>) {
        self.movers.clear();
        self.gathered = 0;
        self.ends.clear();
        self.sizes.clear();
        self.copies.clear();
        self.copies.resize(source.at_start.bodies.len(), (u32::MAX, 0));
        self.exchange = Exchange::default();
        self.report = Report::nothing();
        for k in self.islands.clone() {
            // A batch that ends here is not complete, and the rule fails for it.
            if source.settings.cancel.is_asked() {
                return;
            }
            self.gather(source, k);
            self.solve(source);
        }
    }

    fn gather(&mut self, source: &Source<'_>, k: usize) {
        let island = source.island(k);
        let first = self.movers.len();
        for &row in &source.islands.rows[island.rows.clone()] {
            let row = row as usize;
            self.movers.push(SolverBody { force: (source.forces)(row), ..source.at_start.bodies[row] });
        }
        let contacts = &source.islands.touches[island.touches.clone()];
        let start = self.gathered;
        self.gathered += contacts.len();
        if !self.lent {
            for (place, &number) in (start..).zip(contacts) {
                let touch = &source.contacts.touches[number as usize];
                match self.touches.get_mut(place) {
                    Some(slot) => slot.copy_from(touch),
                    None => self.touches.push(*touch),
                }
            }
        }
        for place in start..self.gathered {
            let Touch { a, b, .. } = self.touches[place];
            let ends = [a, b].map(|row| self.place(source, k, first, row));
            self.ends.push(ends);
        }
        let constraints = &source.islands.constraints[island.constraints.clone()];
        self.joint_ends.clear();
        for &number in constraints {
            let ends = rows_of(&*source.constraints[number as usize]);
            let ends = ends.map(|row| if row == 0 { WORLD } else { self.place(source, k, first, row) });
            self.joint_ends.push(ends);
        }
        let joints = k - self.islands.start;
        if self.joints.len() <= joints {
            self.joints.resize_with(joints + 1, Group::default);
        }
        self.joints[joints].rebuild(
            constraints.iter().map(|&number| &source.constraints[number as usize]),
            self.joint_ends.iter().copied(),
            &self.movers[first..],
        );
        self.sizes.push(self.movers.len() - first);
    }

    /// The place of a row among the bodies of island `k`, which begin at `first`; immovable bodies are
    /// copied.
    fn place(&mut self, source: &Source<'_>, k: usize, first: usize, row: u32) -> u32 {
        let mover = &source.at_start.bodies[row as usize];
        if mover.inverse.is_movable() {
            return source.place[row as usize];
        }
        let copy = &mut self.copies[row as usize];
        if copy.0 != k as u32 {
            *copy = (k as u32, (self.movers.len() - first) as u32);
            self.movers.push(*mover);
        }
        copy.1
    }

    /// Solves the island gathered last.
    fn solve(&mut self, source: &Source<'_>) {
        let island = source.island(self.islands.start + self.sizes.len() - 1);
        let size = *self.sizes.last().expect("an island was gathered");
        let (movers, touches) = (self.movers.len() - size, self.gathered - island.touches.len());
        let mut exchange = Exchange::default();
        let report = source.solver.solve(&mut Problem {
            h: source.h,
            time: source.time,
            settings: source.settings,
            movers: &mut self.movers[movers..],
            touches: &mut self.touches[touches..self.gathered],
            ends: &self.ends[touches..],
            joints: &mut self.joints[self.sizes.len() - 1],
            exchange: &mut exchange,
            memory: &mut self.memory,
        });
        self.exchange.absorb(&exchange);
        self.report = self.report.and(report);
    }
}

impl Batches {
    /// Cuts the touching islands into batches. How they are cut depends on their sizes alone.
    fn cut(&mut self, islands: &Islands) -> usize {
        self.touching.clear();
        let touching = islands.islands.iter().enumerate().filter(|(_, island)| island.is_touching());
        self.touching.extend(touching.map(|(k, _)| k as u32));
        for island in &islands.islands {
            for (place, &row) in islands.rows[island.rows.clone()].iter().enumerate() {
                self.place[row as usize] = place as u32;
            }
        }
        let (mut count, mut contacts) = (0, 0);
        for (k, &island) in self.touching.iter().enumerate() {
            if count == 0 || contacts >= BATCH_CONTACTS {
                if self.batches.len() == count {
                    self.batches.push(Batch::default());
                }
                self.batches[count].islands = k..k;
                count += 1;
                contacts = 0;
            }
            self.batches[count - 1].islands.end = k + 1;
            contacts += islands.islands[island as usize].touches.len();
        }
        count
    }
}

/// Solves the contacts of the step.
pub(crate) fn flow(world: &Arc<World>, settings: &Arc<Settings>, solver: &'static dyn IslandSolver) -> Flow {
    let (world, settings) = (world.clone(), settings.clone());
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        write::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    let tables = (read_table::<SolverBodies>(), read_table::<Islands>(), write_table::<Contacts>());
    let books = (write_table::<Displacements>(), write_table::<Exchange>(), write_table::<Report>());
    let view = (forces, moves, tables, books, memory::<Batches>());
    let solve = Rule::new("solve", view, move |step, view| -> Result<(), Trouble> {
        let ((force, torque), (r, q, v, omega), (at_start, islands, contacts), books, memory) = view;
        let (displacements, exchange, report) = books;
        memory.place.resize(at_start.bodies.len(), 0);
        let count = memory.cut(islands);
        let Batches { batches, touching, place } = memory;
        // Contacts that all belong to one island are lent to it: a touch is large, and copying is
        // avoided.
        for batch in &mut batches[..count] {
            batch.lent = touching.len() == 1
                && islands.islands[touching[0] as usize].touches.len() == contacts.touches.len();
            if batch.lent {
                std::mem::swap(&mut batch.touches, Arc::make_mut(&mut contacts.touches));
            }
        }
        let forces = |row: usize| Twist::new(force[row].si(), torque[row].si());
        let source = Source {
            solver,
            settings: &settings,
            constraints: world.constraints(),
            at_start,
            islands,
            contacts,
            touching,
            place,
            forces: &forces,
            h: step.h.si(),
            time: at_start.time,
        };
        // Every batch is a task of its own, so that an idle thread can take it.
        if count > 1 {
            batches[..count].par_iter_mut().with_max_len(1).for_each(|batch| batch.run(&source));
        } else {
            batches[..count].iter_mut().for_each(|batch| batch.run(&source));
        }
        // Written back in the order of batches, whichever thread was first: the bits do not depend on
        // threads.
        let solved = Arc::make_mut(&mut contacts.touches);
        for batch in &mut batches[..count] {
            if batch.lent {
                std::mem::swap(&mut batch.touches, solved);
            }
            let (mut movers, mut touches) = (batch.movers.as_slice(), batch.touches.as_slice());
            for (&k, &size) in touching[batch.islands.clone()].iter().zip(&batch.sizes) {
                let island = &islands.islands[k as usize];
                for (&row, mover) in islands.rows[island.rows.clone()].iter().zip(movers) {
                    let row = row as usize;
                    r[row] = Quantity::new(mover.pose.translation);
                    q[row] = mover.pose.rotation;
                    v[row] = Quantity::new(mover.twist.linear);
                    omega[row] = Quantity::new(mover.twist.angular);
                    displacements.moved[row] += mover.moved;
                    displacements.shifted[row] += mover.shifted;
                }
                movers = &movers[size..];
                if batch.lent {
                    continue;
                }
                for (&number, touch) in islands.touches[island.touches.clone()].iter().zip(touches) {
                    solved[number as usize].take_solved(touch);
                }
                touches = &touches[island.touches.len()..];
            }
            exchange.absorb(&batch.exchange);
            *report = report.and(batch.report);
        }
        Ok(settings.cancel.check()?)
    });
    seq![solve]
}
