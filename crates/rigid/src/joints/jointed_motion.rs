//! Joints in motion: drifts and kicks of bodies that have joints and touch nothing, kept on their constraints
//! (RATTLE).
//!
//! A kick is followed by the impulses that make the motion respect the joints again; laws and joints act
//! together, and share the work accordingly. A drift begins and ends with impulses of the joints
//! ([`Group::drift`]). Both are symmetric in time and keep the structure of phase space, so compositions of
//! them do. The factorisation at the end of a drift serves the kick after it, and the drift after that.

use super::constraint::{Constraint, Row, Sense};
use super::direct::{Group, WORLD};
use crate::collide::island::{Islands, rows_of};
use crate::contacts::report::Report;
use crate::ledger::Exchange;
use crate::step::start_notice::Notice;
use crate::world::World;
use crate::world::error::RigidError;
use crate::world::settings::Settings;
use crate::world::solver_body::{Displacements, InverseMass, SolverBody};
use gedanken_dynamics::{
    AngularVelocity, ComponentId, Flow, Force, Inertia, Life, Mass, Orientation, Position, Rule, State,
    Table, ThreeD, Torque, Velocity, read, read_table, seq, write, write_table,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;

/// At the start, a joint may be off by this much, m or rad; with long arms by this part of them.
const START_TOLERANCE: f64 = 1e-3;

/// One island in motion.
#[derive(Debug, Clone, Default)]
struct JointedIsland {
    /// The movable bodies in order of rows, then the others that joints hold on to.
    movers: Vec<SolverBody>,
    /// By constraint: the bodies at its ends.
    ends: Vec<[u32; 2]>,
    group: Group,
    /// Exchange of its joints in this step.
    booked: Exchange,
    /// `true` if it has come to a limit in this step.
    has_arrived: bool,
}

/// The islands that have joints and touch nothing, with their factorisations. Rules share it to save work;
/// everything in it follows from the columns.
#[derive(Debug, Clone, Default)]
pub struct JointedIslands {
    islands: Vec<JointedIsland>,
    /// By row: the place among the bodies of the island at hand.
    place: Vec<u32>,
}

/// It carries no information.
impl PartialEq for JointedIslands {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Table for JointedIslands {
    const NAME: &'static str = "jointed islands";
    const LIFE: Life = Life::Step;
}

/// An island that touches nothing, lent to the rule that repeats its step.
pub(crate) struct JointedIslandMut<'a> {
    /// The movable bodies in order of rows, then the others that joints hold on to.
    pub(crate) movers: &'a mut [SolverBody],
    pub(crate) group: &'a mut Group,
    /// Exchange of its joints in this step.
    pub(crate) booked: &'a mut Exchange,
    /// `true` if it has come to a limit in this step.
    pub(crate) has_arrived: bool,
}

impl JointedIsland {
    /// Puts a body in the next place. M⁻¹ is taken over from what stood there if nothing that it depends on
    /// has changed.
    fn enter(&mut self, count: &mut usize, row: usize, put: impl Fn(usize, &mut SolverBody)) -> u32 {
        if *count == self.movers.len() {
            self.movers.push(SolverBody::default());
        }
        let body = &mut self.movers[*count];
        let (rotation, mass, moments) = (body.pose.rotation, body.mass, body.moments);
        body.row = row as u32;
        put(row, body);
        if body.pose.rotation != rotation || body.mass != mass || body.moments != moments {
            body.inverse = InverseMass::new(body.mass, body.moments, body.pose.rotation);
        }
        *count += 1;
        *count as u32 - 1
    }
}

impl JointedIslands {
    /// Opens a new page of the ledger.
    pub(crate) fn open(&mut self) {
        for jointed in &mut self.islands {
            (jointed.booked, jointed.has_arrived) = (Exchange::default(), false);
        }
    }

    /// Notes what the joints of the island in this place, among those that touch nothing, exchanged in this
    /// step: an impact that repeats the step of the island takes it back.
    pub(crate) fn note_booked(&mut self, place: usize, page: Exchange) {
        if self.islands.len() <= place {
            self.islands.resize_with(place + 1, JointedIsland::default);
        }
        self.islands[place].booked = page;
    }

    /// Exchange of the joints of an island that touches nothing, in this step.
    pub(crate) fn booked(&self, islands: &Islands, island: usize) -> Exchange {
        let place = islands.islands[..island].iter().filter(|island| !island.is_touching()).count();
        self.islands.get(place).map_or_else(Exchange::default, |jointed| jointed.booked)
    }

    /// The islands that touch nothing, in order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = JointedIslandMut<'_>> {
        self.islands.iter_mut().map(|jointed| JointedIslandMut {
            movers: &mut jointed.movers,
            group: &mut jointed.group,
            booked: &mut jointed.booked,
            has_arrived: jointed.has_arrived,
        })
    }

    /// Kicks the islands that have been gathered, and books what their joints exchange. `settle` gets the motion of
    /// every body after it.
    fn kick(
        &mut self,
        islands: &Islands,
        (time, h): (f64, f64),
        mut exchange: Option<&mut Exchange>,
        mut settle: impl FnMut(usize, Twist),
    ) {
        let untouched = islands.islands.iter().filter(|island| !island.is_touching());
        for (island, jointed) in untouched.zip(&mut self.islands) {
            let JointedIsland { movers, group, booked, .. } = jointed;
            let mut page = Exchange::default();
            group.kick(movers, time, h, exchange.is_some().then_some(&mut page));
            if let Some(exchange) = &mut exchange {
                booked.absorb(&page);
                exchange.absorb(&page);
            }
            for (&row, mover) in islands.rows[island.rows.clone()].iter().zip(&*movers) {
                settle(row as usize, mover.twist);
            }
        }
    }

    /// Gathers the jointed islands; `put` reads the columns.
    fn gather(&mut self, islands: &Islands, joints: &Joints, put: impl Fn(usize, &mut SolverBody)) {
        self.place.clear();
        self.place.resize(islands.of_row.len(), WORLD);
        let untouched = islands.islands.iter().filter(|island| !island.is_touching());
        self.islands.resize_with(untouched.clone().count().max(self.islands.len()), JointedIsland::default);
        for (island, jointed) in untouched.zip(&mut self.islands) {
            let mut count = 0;
            for &row in &islands.rows[island.rows.clone()] {
                self.place[row as usize] = jointed.enter(&mut count, row as usize, &put);
            }
            let numbers = &islands.constraints[island.constraints.clone()];
            jointed.ends.clear();
            for &number in numbers {
                let mut ends = [WORLD; 2];
                for (end, &row) in
                    ends.iter_mut().zip(&joints.rows[number as usize]).filter(|(_, row)| **row > 0)
                {
                    *end = self.place[row as usize];
                    if (*end as usize) >= count || jointed.movers[*end as usize].row != row {
                        // Immovable bodies are in no island: every island that holds on to one has a copy.
                        *end = jointed.enter(&mut count, row as usize, &put);
                        self.place[row as usize] = *end;
                    }
                }
                jointed.ends.push(ends);
            }
            jointed.movers.truncate(count);
            let constraints = numbers.iter().map(|&number| &joints.constraints[number as usize]);
            jointed.group.rebuild(constraints, jointed.ends.iter().copied(), &jointed.movers);
        }
    }
}

/// All constraints of the world, and the rows of their bodies.
#[derive(Debug)]
struct Joints {
    constraints: Vec<Arc<dyn Constraint>>,
    rows: Vec<[u32; 2]>,
}

/// The kicks and drifts of jointed bodies.
pub(crate) struct Moves {
    joints: Arc<Joints>,
    books: bool,
    tolerance: f64,
}

impl Moves {
    pub(crate) fn new(world: &Arc<World>, settings: &Arc<Settings>) -> Self {
        let constraints = world.constraints().to_vec();
        let rows = constraints.iter().map(|constraint| rows_of(&**constraint)).collect();
        let joints = Arc::new(Joints { constraints, rows });
        Self { joints, books: settings.ledger, tolerance: settings.joint_tolerance }
    }

    fn has_joints(&self) -> bool {
        !self.joints.constraints.is_empty()
    }

    /// Kicks by the forces of the laws, then takes away what would violate a constraint.
    pub(crate) fn kick(&self) -> Flow {
        if !self.has_joints() {
            return seq![];
        }
        let forces = (read::<Force<ThreeD>>(), read::<Torque>());
        let bodies = (read::<Mass>(), read::<Inertia>(), read::<Position<ThreeD>>(), read::<Orientation>());
        let moves = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>());
        let books = (write_table::<Displacements>(), write_table::<Exchange>());
        let view = (forces, bodies, moves, books, read_table::<Islands>(), write_table::<JointedIslands>());
        let (joints, books) = (self.joints.clone(), self.books);
        let rule = Rule::new(
            "kick joints",
            view,
            move |step,
                  (
                (force, torque),
                (m, i, r, q),
                (v, omega),
                (displacements, exchange),
                islands,
                jointed_islands,
            )| {
                let h = step.h.si();
                jointed_islands.gather(islands, &joints, |k, body| {
                    (body.mass, body.moments) = (m[k].si(), i[k].si());
                    body.pose = Pose::new(q[k], r[k].si());
                    body.twist = Twist::new(v[k].si(), omega[k].si());
                    body.force = Twist::new(force[k].si(), torque[k].si());
                });
                let exchange = books.then_some(exchange);
                jointed_islands.kick(islands, (step.t.si(), h), exchange, |row, after| {
                    let before = Twist::new(v[row].si(), omega[row].si());
                    displacements.moved[row] += (before + after) * (0.5 * h);
                    v[row] = Quantity::new(after.linear);
                    omega[row] = Quantity::new(after.angular);
                });
            },
        );
        seq![rule.with_cost(64.0)]
    }

    /// The same kick, of which nothing is booked: it tells where the forces at hand lead.
    pub(crate) fn respond(&self) -> Flow {
        if !self.has_joints() {
            return seq![];
        }
        let forces = (read::<Force<ThreeD>>(), read::<Torque>());
        let bodies = (read::<Mass>(), read::<Inertia>(), read::<Position<ThreeD>>(), read::<Orientation>());
        let moves = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>());
        let view = (forces, bodies, moves, read_table::<Islands>(), write_table::<JointedIslands>());
        let joints = self.joints.clone();
        let rule =
            Rule::new("seek middle", view, move |step, (forces, bodies, (v, omega), islands, jointed)| {
                let ((force, torque), (m, i, r, q)) = (forces, bodies);
                jointed.gather(islands, &joints, |k, body| {
                    (body.mass, body.moments) = (m[k].si(), i[k].si());
                    body.pose = Pose::new(q[k], r[k].si());
                    body.twist = Twist::new(v[k].si(), omega[k].si());
                    body.force = Twist::new(force[k].si(), torque[k].si());
                });
                jointed.kick(islands, (step.t.si(), step.h.si()), None, |row, after| {
                    v[row] = Quantity::new(after.linear);
                    omega[row] = Quantity::new(after.angular);
                });
            });
        seq![rule.with_cost(64.0)]
    }

    /// Drifts along the constraints.
    pub(crate) fn drift(&self) -> Flow {
        if !self.has_joints() {
            return seq![];
        }
        let bodies = (read::<Mass>(), read::<Inertia>());
        let moves = (
            write::<Position<ThreeD>>(),
            write::<Orientation>(),
            write::<Velocity<ThreeD>>(),
            write::<AngularVelocity>(),
        );
        let books = (write_table::<Exchange>(), write_table::<Report>());
        let view = (bodies, moves, books, read_table::<Islands>(), write_table::<JointedIslands>());
        let (joints, books, tolerance) = (self.joints.clone(), self.books, self.tolerance);
        let rule = Rule::new(
            "drift joints",
            view,
            move |step, ((m, i), (r, q, v, omega), (exchange, report), islands, jointed_islands)| {
                let (h, time) = (step.h.si(), step.t.si());
                jointed_islands.gather(islands, &joints, |k, body| {
                    (body.mass, body.moments) = (m[k].si(), i[k].si());
                    body.pose = Pose::new(q[k], r[k].si());
                    body.twist = Twist::new(v[k].si(), omega[k].si());
                });
                let untouched = islands.islands.iter().filter(|island| !island.is_touching());
                for (island, jointed) in untouched.zip(&mut jointed_islands.islands) {
                    let JointedIsland { movers, group, booked, has_arrived, .. } = jointed;
                    let mut page = Exchange::default();
                    let error = group.drift(movers, time, h, books.then_some(&mut page));
                    *has_arrived |= group.has_arrived();
                    booked.absorb(&page);
                    exchange.absorb(&page);
                    report.joints = report.joints.max(error);
                    report.converged &= error <= tolerance;
                    for (&row, mover) in islands.rows[island.rows.clone()].iter().zip(&*movers) {
                        let row = row as usize;
                        r[row] = Quantity::new(mover.pose.translation);
                        q[row] = mover.pose.rotation;
                        v[row] = Quantity::new(mover.twist.linear);
                        omega[row] = Quantity::new(mover.twist.angular);
                    }
                }
            },
        );
        seq![rule.with_cost(256.0)]
    }
}

/// Refuses joints that are far from holding at the start, and brings the others to hold, in place and in
/// motion. Tells which of them repeat or contradict others.
pub(crate) fn settle(
    world: &World,
    settings: &Settings,
    state: &mut State,
) -> Result<Vec<Notice>, RigidError> {
    if world.constraints().is_empty() {
        return Ok(Vec::new());
    }
    let mut movers = Vec::new();
    {
        let (m, i) = (state.all::<Mass>()?, state.all::<Inertia>()?);
        let (r, q) = (state.all::<Position<ThreeD>>()?, state.all::<Orientation>()?);
        let (v, omega) = (state.all::<Velocity<ThreeD>>()?, state.all::<AngularVelocity>()?);
        for k in 0..m.len() {
            movers.push(SolverBody {
                row: k as u32,
                inverse: InverseMass::new(m[k].si(), i[k].si(), q[k]),
                mass: m[k].si(),
                moments: i[k].si(),
                pose: Pose::new(q[k], r[k].si()),
                twist: Twist::new(v[k].si(), omega[k].si()),
                ..SolverBody::default()
            });
        }
    }
    let time = state.time().si();
    let mut group = Group::default();
    let ends = world.constraints().iter().map(|constraint| rows_of(&**constraint));
    group.rebuild(world.constraints().iter(), ends, &movers);
    group.factor(&movers, time);
    refuse(&group)?;
    // Placed first, then asked which rows repeat others: rank is a property of the poses that hold.
    group.hold_place(&mut movers, time);
    group.factor(&movers, time);
    let repeating: Vec<(usize, usize)> = group.redundant().map(|c| (c, group.repeated(c))).collect();
    // For no time, so that motors do nothing yet.
    group.hold_motion_now(&mut movers, 0.0);
    group.note_after(&movers);
    for mover in movers.iter().filter(|mover| mover.inverse.is_movable()) {
        let id = ComponentId::from_row(mover.row as usize);
        state.set::<Position<ThreeD>>(id, Quantity::new(mover.pose.translation))?;
        state.set::<Orientation>(id, mover.pose.rotation)?;
        state.set::<Velocity<ThreeD>>(id, Quantity::new(mover.twist.linear))?;
        state.set::<AngularVelocity>(id, Quantity::new(mover.twist.angular))?;
    }
    let notice = |&(number, repeated): &(usize, usize)| {
        let constraint = group.constraint(number);
        let joint = constraint.name().to_owned();
        match conflict(&group, number, settings) {
            Some((error, unit)) => Notice::Conflicting { joint, error, unit },
            None => Notice::Redundant { joint, repeated, conditions: constraint.dimension() },
        }
    };
    Ok(repeating.iter().map(notice).collect())
}

/// Violation of a joint that contradicts others, in place or in motion, with its unit.
fn conflict(group: &Group, number: usize, settings: &Settings) -> Option<(f64, &'static str)> {
    let equations = || {
        let rows = group.rows(number).iter().zip(group.rates_after(number));
        rows.filter(|(row, _)| row.sense == Sense::Equal)
    };
    let off = equations().find(|(row, _)| row.value.abs() > settings.joint_tolerance);
    if let Some((row, _)) = off {
        return Some((row.value.abs(), if is_length(row) { "m" } else { "rad" }));
    }
    let torn = equations().find(|(_, rate)| rate.abs() > settings.rest_speed);
    torn.map(|(row, rate)| (rate.abs(), if is_length(row) { "m/s" } else { "rad/s" }))
}

/// Returns `true` if a row is about a length, and not about an angle.
fn is_length(row: &Row) -> bool {
    row.a.linear != Vec3::ZERO || row.b.linear != Vec3::ZERO
}

/// An error for the first joint that is off by more than a hair.
fn refuse(group: &Group) -> Result<(), RigidError> {
    for number in 0..group.len() {
        for row in group.rows(number) {
            let [a, b] = [row.a, row.b];
            let is_length = is_length(row);
            let arm = if is_length { a.angular.length().max(b.angular.length()) } else { 1.0 };
            let error = match row.sense {
                Sense::Equal => row.value.abs(),
                Sense::AtLeast => -row.value,
                Sense::Driven { .. } => continue,
            };
            if error <= START_TOLERANCE * arm.max(1.0) {
                continue;
            }
            let joint = group.constraint(number).name().to_owned();
            return Err(RigidError::DoesNotHold { joint, error, unit: if is_length { "m" } else { "rad" } });
        }
    }
    Ok(())
}
