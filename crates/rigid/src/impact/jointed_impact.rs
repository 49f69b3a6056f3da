//! Bodies with joints that are hit: the impulse goes through the joints, and the island goes on together.
//!
//! An island that is hit is brought to the instant of the impact by the drifts and kicks that move it in a
//! whole step, from its start or from the last impact, under the constant forces of the step: so its joints
//! hold then, in place and in motion. Its bodies give way to an impulse p by M⁻¹(p + Jᵀλ) with J M⁻¹(p + Jᵀλ)
//! = 0, which couples both bodies of an impact if they are of one island. Then it goes on to the end of the
//! step in the same way; in between, its bodies are looked for on the parabolas from here to there. Limits
//! that are reached take their part without restitution.
//!
//! An island that touched something when the step began is taken from where its solver brought it, and put on
//! its joints; its contacts are looked for as impacts from there on, as those of all bodies that are hit.

use super::restitution::{self, HitPair, Point};
use super::timeline::{Memory, Timeline};
use super::trajectory::Trajectory;
use crate::collide::island::NONE;
use crate::joints::linkage::Linkage;
use crate::ledger::{Account, Entry, Exchange};
use crate::world::solver_body::SolverBody;
use gedanken_math::{Twist, Vec3};

/// The part of its free mobility that a body keeps in directions in which joints hold it. Without it nothing
/// could tell how an impulse that does nothing is shared.
const RESIDUAL_MOBILITY: f64 = 1e-10;

/// A body with joints: its island's number among the links, and its place there.
pub(super) type Place = (usize, usize);

/// An island that was hit.
#[derive(Debug, Default)]
struct HitIsland {
    island: u32,
    /// Its bodies as they are at `since`, after its last impact.
    own: Linkage,
    since: f64,
    /// The same at the end of the step.
    ahead: Vec<SolverBody>,
    changes: Vec<Twist>,
    /// By body: its displacement before the island was last advanced.
    ways: Vec<Twist>,
}

/// The islands with joints that were hit in this step; the others are memory.
#[derive(Debug, Default)]
pub(super) struct HitIslands {
    list: Vec<HitIsland>,
    used: usize,
}

impl HitIslands {
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// Their bodies at the end of the step, and the ways on which the laws moved them.
    pub(super) fn final_bodies(&self) -> impl Iterator<Item = (usize, SolverBody, Twist)> {
        let bodies = self.list[..self.used].iter().flat_map(|link| &link.own.movers[..link.own.movable]);
        bodies.map(|mover| (mover.row as usize, *mover, mover.moved))
    }
}

/// Two bodies of which at least one has joints.
#[derive(Debug)]
pub(super) struct JointedPair {
    bodies: [SolverBody; 2],
    pub(super) places: [Option<Place>; 2],
    /// By body and component of an impulse on it: what it changes in both motions.
    answers: [[[Twist; 2]; 6]; 2],
}

impl HitPair for JointedPair {
    fn bodies(&self) -> &[SolverBody; 2] {
        &self.bodies
    }

    fn answer(&self, impulses: [Twist; 2]) -> [Twist; 2] {
        let mut changes = [Twist::ZERO; 2];
        for (impulse, answers) in impulses.into_iter().zip(&self.answers) {
            let parts = impulse.linear.to_array().into_iter().chain(impulse.angular.to_array());
            for (part, answer) in parts.zip(answers) {
                changes[0] += answer[0] * part;
                changes[1] += answer[1] * part;
            }
        }
        changes
    }
}

/// The unit impulses.
fn units() -> impl Iterator<Item = Twist> {
    let linear = Vec3::AXES.into_iter().map(|axis| Twist::new(axis, Vec3::ZERO));
    linear.chain(Vec3::AXES.into_iter().map(|axis| Twist::new(Vec3::ZERO, axis)))
}

impl Timeline<'_> {
    /// The two bodies of an impact at `t` with their joints; `None` if neither has any.
    pub(super) fn link(&mut self, rows: [u32; 2], t: f64, bodies: &[SolverBody; 2]) -> Option<JointedPair> {
        let places =
            [0, 1].map(|k| if bodies[k].inverse.is_movable() { self.place(rows[k], t) } else { None });
        if places == [None, None] {
            return None;
        }
        let mut linked = JointedPair { bodies: *bodies, places, answers: [[[Twist::ZERO; 2]; 6]; 2] };
        let time = self.start + t;
        for k in 0..2 {
            let Some((number, place)) = places[k] else {
                for (answer, unit) in linked.answers[k].iter_mut().zip(units()) {
                    answer[k] = bodies[k].inverse.apply(unit);
                }
                continue;
            };
            let HitIsland { own: Linkage { movers, group, .. }, changes, .. } =
                &mut self.memory.links.list[number];
            linked.bodies[k] = movers[place];
            let other = places[1 - k].filter(|other| other.0 == number);
            group.factor(movers, time);
            for (answer, unit) in linked.answers[k].iter_mut().zip(units()) {
                group.respond(place, unit, movers, changes);
                answer[k] = changes[place] + movers[place].inverse.apply(unit) * RESIDUAL_MOBILITY;
                answer[1 - k] = other.map_or(Twist::ZERO, |other| changes[other.1]);
            }
        }
        Some(linked)
    }

    /// Finds the impulses of the closing points, with the motions and masses that joints make.
    pub(super) fn solve_linked(&mut self, linked: &JointedPair, restitution: f64, friction: f64) -> f64 {
        let closing = &mut self.memory.closing;
        for point in closing.iter_mut() {
            *point = Point::new(point.place, point.normal, linked);
        }
        restitution::solve(closing, linked, restitution, friction)
    }

    /// The island of a body with joints.
    fn jointed(&self, row: u32) -> Option<u32> {
        let island = self.islands.of_row[row as usize];
        (island != NONE && !self.islands.islands[island as usize].constraints.is_empty()).then_some(island)
    }

    /// Returns `true` if joints are all that a solver has moved the body by, or impacts have taken it over.
    pub(super) fn goes_by_joints(&self, row: u32) -> bool {
        let links = &self.memory.links;
        self.jointed(row).is_some_and(|island| {
            !self.islands.islands[island as usize].is_touching()
                || links.list[..links.used].iter().any(|link| link.island == island)
        })
    }

    /// The place of a body with joints, its island being at `t`.
    pub(super) fn place(&mut self, row: u32, t: f64) -> Option<Place> {
        let island = self.jointed(row)?;
        let links = &self.memory.links;
        let number = links.list[..links.used].iter().position(|link| link.island == island);
        let number = number.unwrap_or_else(|| self.begin(island, t));
        self.bring(number, t);
        let own = &self.memory.links.list[number].own;
        let place = own.movers[..own.movable].iter().position(|mover| mover.row == row);
        place.map(|place| (number, place))
    }

    /// Brings an island on to `t`, and books what the forces did that hold its bodies.
    fn bring(&mut self, number: usize, t: f64) {
        let Memory { links, holds, .. } = &mut *self.memory;
        let HitIsland { own: Linkage { movers, movable, group, .. }, since, ways, .. } =
            &mut links.list[number];
        let tau = t - *since;
        if tau <= 0.0 {
            return;
        }
        ways.clear();
        ways.extend(movers.iter().map(|mover| mover.moved));
        Linkage::advance(movers, group, self.start + *since, tau, self.exchange);
        *since = t;
        for hold in holds.iter() {
            for k in 0..2 {
                let own = movers[..*movable].iter().position(|mover| mover.row == hold.rows[k]);
                if let Some(place) = own {
                    let entry = hold.entry(k, movers[place].moved - ways[place], tau);
                    self.exchange.book(Account::Normal, entry);
                }
            }
        }
    }

    /// Takes an island over from its solver.
    fn begin(&mut self, number: u32, t: f64) -> usize {
        let island = &self.islands.islands[number as usize];
        let Memory { trajectories, links, .. } = &mut *self.memory;
        if links.used == links.list.len() {
            links.list.push(HitIsland::default());
        }
        links.used += 1;
        let HitIsland { island: known, own, since, changes, .. } = &mut links.list[links.used - 1];
        (*known, *since) = (number, if island.is_touching() { t } else { 0.0 });
        own.gather(self.world, self.islands, number as usize, |row| {
            let trajectory = &trajectories[row];
            if island.is_touching() || !trajectory.is_movable() {
                return trajectory.now(*since);
            }
            SolverBody { force: trajectory.base.force, ..self.at_start.bodies[row] }
        });
        changes.clear();
        changes.resize(own.movers.len(), Twist::ZERO);
        if island.is_touching() {
            for mover in &own.movers[..own.movable] {
                if let Some(entry) = trajectories[mover.row as usize].taken_back(t) {
                    self.exchange.book(Account::Normal, entry);
                }
            }
            let (before, time) = (own.height(), self.start + t);
            let Linkage { movers, group, .. } = own;
            group.hold_place(movers, time);
            group.factor(movers, time);
            group.note_before(movers);
            group.hold_motion_now(movers, 0.0);
            group.note_after(movers);
            group.book(movers, self.exchange);
            let energy = before - own.height();
            self.exchange.book(Account::Stabilisation, Entry { energy, ..Entry::default() });
        } else {
            self.exchange.subtract(&self.holds.booked(self.islands, number as usize));
        }
        links.used - 1
    }

    /// Lets impulses act on bodies with joints at `t`, and lets their islands go on; `after` are the bodies
    /// then.
    pub(super) fn strike(
        &mut self,
        places: [Option<Place>; 2],
        impulses: [Twist; 2],
        t: f64,
        after: &mut [SolverBody; 2],
    ) {
        for k in 0..2 {
            let Some((number, place)) = places[k] else { continue };
            let together = places[1 - k].filter(|other| other.0 == number);
            if k == 1 && together.is_some() {
                continue;
            }
            let Linkage { movers, group, .. } = &mut self.memory.links.list[number].own;
            group.factor(movers, self.start + t);
            group.note_before(movers);
            let mut push = |place: usize, impulse: Twist| {
                let change = movers[place].inverse.apply(impulse);
                movers[place].twist += change;
            };
            push(place, impulses[k]);
            if let Some((_, other)) = together {
                push(other, impulses[1 - k]);
            }
            group.hold_motion_now(movers, 0.0);
            group.note_after(movers);
            group.book(movers, self.exchange);
            after[k] = movers[place];
            if let Some((_, other)) = together {
                after[1 - k] = movers[other];
            }
            self.go_on(number, t);
        }
    }

    /// Adds constant forces on bodies with joints from `t` on, and lets their islands go on.
    pub(super) fn pull_linked(&mut self, places: [Option<Place>; 2], forces: [Twist; 2], t: f64) {
        for (place, force) in places.into_iter().zip(forces) {
            if let Some((number, place)) = place {
                self.memory.links.list[number].own.movers[place].force += force;
            }
        }
        let [one, two] = places.map(|place| place.map(|(number, _)| number));
        for number in one.into_iter().chain(two.filter(|_| one != two)) {
            self.go_on(number, t);
        }
    }

    /// New trajectories for all bodies of an island that was hit at `t`.
    fn go_on(&mut self, number: usize, t: f64) {
        let Memory { trajectories, changed, links, .. } = &mut *self.memory;
        let HitIsland { own: Linkage { movers, movable, group, .. }, ahead, .. } = &mut links.list[number];
        ahead.clone_from(movers);
        Linkage::advance(ahead, group, self.start + t, self.h - t, &mut Exchange::default());
        for (here, there) in movers.iter().zip(&*ahead).take(*movable) {
            let trajectory = &mut trajectories[here.row as usize];
            let end = (there.pose, there.twist);
            let next = Trajectory::given(*here, end, [t, self.h], true);
            *trajectory = Trajectory { number: trajectory.number + 1, ..next };
            if !changed.contains(&here.row) {
                changed.push(here.row);
            }
        }
    }

    /// Brings all islands that were hit to the end of the step.
    pub(super) fn land(&mut self) {
        for number in 0..self.memory.links.used {
            self.bring(number, self.h);
        }
    }
}
