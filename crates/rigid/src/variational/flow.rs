//! The step of `variational` as a flow: find contacts, minimise, settle impacts, keep books.

use super::inspection::Inspection;
use super::island::{IslandSolver, Members, Scene};
use super::law_field::LawField;
use super::settings::Order;
use crate::collide::contact_table::Contacts;
use crate::collide::island::Islands;
use crate::collide::{broad_phase, island, narrow_phase};
use crate::contacts::position_correction;
use crate::contacts::report::Report;
use crate::impact;
use crate::joints::jointed_motion::JointedIslands;
use crate::ledger::Exchange;
use crate::step::start::start_rule;
use crate::step::{bookkeeping, external_force, outcome};
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{Displacements, SolverBodies};
use crate::world::surface::Surfaces;
use gedanken_dynamics::{
    AngularVelocity, BuildError, Flow, Force, Mechanics, Moves as _, Orientation, Position, Rule, State,
    ThreeD, Torque, Trouble, Velocity, Workflow, memory, read, read_table, seq, write, write_table,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;

/// One step, of a world that starts in this state.
pub(crate) fn flow(world: &Arc<World>, settings: &Arc<Settings>, start: &State) -> Result<Flow, BuildError> {
    let touching = world.has_contacts();
    let plain = Mechanics::<ThreeD>::new(world.model(), world.laws().clone())?;
    let constant = world.laws().terms().iter().all(|term| term.law.is_constant());
    let field = if constant {
        None
    } else {
        let workflow = plain.forces().build(world.model())?.until(settings.cancel.clone());
        Some((Arc::new(workflow), start.clone()))
    };
    let mechanics = if settings.ledger { plain.with_ledger()? } else { plain };
    let laws = seq![mechanics.forces(), external_force::act()];
    let find = if touching {
        seq![broad_phase::rule(world, settings), narrow_phase::rule(world, settings)]
    } else {
        seq![]
    };
    let order = settings.variational.implied().order;
    // Laws that depend on the motion are booked with the forces that the step used.
    let again = match (constant, order) {
        (true, _) => seq![clock()],
        (false, Order::First) => seq![clock(), laws.clone(), finish()],
        (false, Order::Second) => seq![clock().scaled(0.5), laws.clone(), clock().scaled(0.5), finish()],
    };
    let book = if settings.ledger { bookkeeping::book_laws(world, start, None) } else { seq![] };
    let settle = if touching {
        seq![impact::rule(world, settings), position_correction::rule(world, settings)]
    } else {
        seq![]
    };
    Ok(seq![
        laws,
        start_rule(),
        bookkeeping::begin(world),
        find,
        island::rule(world),
        minimise(world, settings, field),
        again,
        settle,
        book,
        external_force::end(),
        outcome::rest(settings),
        outcome::events(touching)
    ])
}

/// Time passes.
fn clock() -> Flow {
    Rule::new("clock", (), |_, ()| {}).advancing().into()
}

/// Memory of the rule: islands, laws, and the ends of the step.
#[derive(Debug, Default)]
struct Minimiser {
    island: IslandSolver,
    field: Option<LawField>,
    rows: Vec<u32>,
    touches: Vec<u32>,
    constraints: Vec<u32>,
}

/// The ends of the bodies, kept while laws are evaluated elsewhere.
#[derive(Debug, Clone, PartialEq, Default)]
struct Ends {
    list: Vec<(u32, Pose, Twist)>,
    /// `true` if a law gave no force during the step.
    failed: bool,
}

impl Ends {
    /// Adds the bodies that forces do not move: static ones have no motion, kinematic ones the given one.
    fn add_given(&mut self, at_start: &SolverBodies, h: f64) {
        let given = at_start.bodies.iter().enumerate().filter(|(_, body)| !body.inverse.is_movable());
        for (row, body) in given.filter(|(_, body)| body.twist != Twist::ZERO) {
            let pose = super::points::moved(&body.pose, body.twist * h);
            self.list.push((row as u32, pose, body.twist));
        }
    }
}

impl gedanken_dynamics::Table for Ends {
    const NAME: &'static str = "variational ends";
    const LIFE: gedanken_dynamics::Life = gedanken_dynamics::Life::Step;
}

/// Rule `minimise`: takes every island, and every body that is in none, to the end of the step.
fn minimise(world: &Arc<World>, settings: &Arc<Settings>, field: Option<(Arc<Workflow>, State)>) -> Rule {
    let (world, settings) = (world.clone(), settings.clone());
    let surfaces = Surfaces::of(&world);
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        write::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    let tables = (read_table::<SolverBodies>(), read_table::<Islands>(), write_table::<Contacts>());
    let books = (
        write_table::<Displacements>(),
        write_table::<Exchange>(),
        write_table::<Report>(),
        write_table::<Inspection>(),
        (write_table::<Ends>(), write_table::<JointedIslands>()),
    );
    let view = (forces, moves, tables, books, memory::<Minimiser>());
    Rule::new("minimise", view, move |step, view| -> Result<(), Trouble> {
        let ((force, torque), (r, q, v, omega), (at_start, islands, contacts), books, memory) = view;
        let (displacements, exchange, report, inspection, (ends, jointed)) = books;
        let h = step.h.si();
        inspection.clear();
        ends.list.clear();
        ends.failed = false;
        memory.island.report = Report::nothing();
        if let (None, Some((workflow, state))) = (&memory.field, &field) {
            memory.field = Some(LawField::new(workflow.clone(), world.laws(), state));
        }
        let push = |row: usize| Twist::new(force[row].si(), torque[row].si());
        let scene = Scene {
            world: &world,
            h,
            time: step.t.si(),
            settings: &settings,
            surfaces: &surfaces,
            constraints: world.constraints(),
            bodies: &at_start.bodies,
            force: &push,
        };
        let Minimiser { island: solver, field, rows, touches: numbers, constraints } = memory;
        let touches = Arc::make_mut(&mut contacts.touches);
        let movable = |row: u32| at_start.bodies[row as usize].inverse.is_movable();
        let mut solve = |members: Members<'_>, laws: Option<&mut LawField>| -> Result<Exchange, Trouble> {
            settings.cancel.check()?;
            let mut page = Exchange::default();
            solver.solve(&scene, members, touches, laws, (&mut page, inspection))?;
            exchange.absorb(&page);
            ends.failed |= solver.law_failed;
            for body in &solver.bodies {
                ends.list.push((body.row, body.pose, body.twist));
                displacements.moved[body.row as usize] += body.moved;
                displacements.shifted[body.row as usize] += body.shifted;
            }
            Ok(page)
        };
        if let Some(field) = field {
            // Forces of laws couple all bodies, so all are one system.
            for list in [&mut *rows, &mut *numbers, &mut *constraints] {
                list.clear();
            }
            rows.extend((0..at_start.bodies.len() as u32).filter(|&row| movable(row)));
            numbers.extend(0..islands.touches.len() as u32);
            constraints.extend(0..world.constraints().len() as u32);
            solve(Members { rows, touches: numbers, constraints }, Some(field))?;
        } else {
            let mut untouched = 0;
            for island in &islands.islands {
                let members = Members {
                    rows: &islands.rows[island.rows.clone()],
                    touches: &islands.touches[island.touches.clone()],
                    constraints: &islands.constraints[island.constraints.clone()],
                };
                let page = solve(members, None)?;
                if !island.is_touching() {
                    jointed.note_booked(untouched, page);
                    untouched += 1;
                }
            }
            for row in (0..at_start.bodies.len() as u32).filter(|&row| movable(row)) {
                if islands.is_free(row as usize) {
                    solve(Members { rows: &[row], touches: &[], constraints: &[] }, None)?;
                }
            }
        }
        *report = report.and(memory.island.report);
        ends.add_given(at_start, h);
        let part = match (memory.field.is_some(), settings.variational.implied().order) {
            (true, Order::Second) => 0.5,
            _ => 1.0,
        };
        for &(row, pose, twist) in &ends.list {
            let k = row as usize;
            let (pose, twist) = if part == 1.0 {
                (pose, twist)
            } else {
                on_the_way(&at_start.bodies[k].pose, &pose, part, h)
            };
            r[k] = Quantity::new(pose.translation);
            q[k] = pose.rotation;
            v[k] = Quantity::new(twist.linear);
            omega[k] = Quantity::new(twist.angular);
        }
        Ok(settings.cancel.check()?)
    })
}

/// Pose after a part of the way between two poses, and the velocity of the whole way, which takes a time h.
fn on_the_way(from: &Pose, to: &Pose, part: f64, h: f64) -> (Pose, Twist) {
    let turn = crate::step::free_rotation::rotation_vector(to.rotation * from.rotation.conjugate());
    let motion = Twist::new(to.translation - from.translation, turn);
    (super::points::moved(from, motion * part), motion * (1.0 / h))
}

/// Rule `finish`: puts bodies to the end of the step, after laws were evaluated in its middle.
fn finish() -> Rule {
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        write::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    Rule::new("finish", (moves, read_table::<Ends>()), |_, ((r, q, v, omega), ends)| {
        for &(row, pose, twist) in &ends.list {
            let k = row as usize;
            // What is no number is looked for in all rules, and the law that gave it is blamed.
            let place = if ends.failed { Vec3::NAN } else { pose.translation };
            r[k] = Quantity::new(place);
            q[k] = pose.rotation;
            v[k] = Quantity::new(twist.linear);
            omega[k] = Quantity::new(twist.angular);
        }
    })
}
