//! The notation table of the book is made from the registries, and the registries keep their word: units have
//! the dimensions of their types, and no rule writes a column that does not list it as a writer.

use gedanken_dynamics::integrate::INTEGRATORS;
use gedanken_dynamics::integrate::rotation::ROTATIONS;
use gedanken_dynamics::laws::{GravityGradient, Laws, LinearDrag, MagneticDipole, UniformGravity};
use gedanken_dynamics::*;
use gedanken_geometry::{Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::joints::{Ends, Point};
use gedanken_rigid::{Body, Ledger, Settings, Simulation, World};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

fn notation() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/notation.md");
    std::fs::read_to_string(path).expect("docs/notation.md is there")
}

/// The part of the page between two markers must be exactly this.
fn check_block(name: &str, expected: &str) {
    let page = notation();
    let block = page
        .split_once(&format!("<!-- {name} -->\n"))
        .and_then(|(_, rest)| rest.split_once(&format!("<!-- end of {name} -->")))
        .unwrap_or_else(|| panic!("docs/notation.md has the markers of '{name}'"))
        .0;
    assert!(
        block == expected,
        "docs/notation.md is out of date; between the markers of '{name}' put\n{expected}"
    );
}

fn mark(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

#[test]
fn the_table_of_attributes_is_fresh() {
    let mut table = String::from(
        "| symbol | column | unit | shape | frame | lives | under time reversal | written by |\n",
    );
    table.push_str("|---|---|---|---|---|---|---|---|\n");
    for a in built_in_attributes() {
        let life = if a.life == Life::State { "state" } else { "step" };
        let parity = if a.parity == Parity::Odd { "changes sign" } else { "stays" };
        let writers = if a.writers.is_empty() { "given".to_owned() } else { a.writers.join(", ") };
        writeln!(
            table,
            "| {} | `{}` | {} | {} | {} | {life} | {parity} | {writers} |",
            a.symbol, a.name, a.unit, a.kind, a.frame
        )
        .unwrap();
    }
    check_block("attributes", &table);
}

#[test]
fn the_tables_of_methods_are_fresh() {
    let mut table = String::from(
        "| name | order | with velocities | on joints | in contact | symplectic | reversible | forces per step | \
         what it does | source |\n",
    );
    table.push_str("|---|---|---|---|---|---|---|---|---|---|\n");
    let or_none = |order: Option<u32>| order.map_or_else(|| "-".to_owned(), |order| order.to_string());
    for i in INTEGRATORS {
        let (joints, contact) = (or_none(i.order_on_joints), or_none(i.order_in_contact));
        let velocities = i.order_with_velocities;
        let (symplectic, reversible) = (mark(i.symplectic), mark(i.reversible));
        let (name, order, evaluations, summary, cite) = (i.name, i.order, i.evaluations, i.summary, i.cite);
        writeln!(
            table,
            "| `{name}` | {order} | {velocities} | {joints} | {contact} | {symplectic} | {reversible} | {evaluations} | \
             {summary} | [@{cite}] |"
        )
        .unwrap();
    }
    check_block("integrators", &table);
    let mut table = String::from("| name | order | symplectic | reversible | what it does | source |\n");
    table.push_str("|---|---|---|---|---|---|\n");
    for r in ROTATIONS {
        let (symplectic, reversible) = (mark(r.symplectic), mark(r.reversible));
        let (name, order, summary, cite) = (r.name, r.order, r.summary, r.cite);
        writeln!(table, "| `{name}` | {order} | {symplectic} | {reversible} | {summary} | [@{cite}] |")
            .unwrap();
    }
    check_block("rotations", &table);
}

/// Metre, kilogram, second, ampere of a printed unit, such as `kg·m/s²`.
fn exponents(unit: &str) -> [i8; 4] {
    let mut sum = [0; 4];
    for (k, part) in unit.split('/').enumerate() {
        for factor in part.split('·') {
            let (name, power) = match factor.strip_suffix('²') {
                Some(name) => (name, 2),
                None => (factor, 1),
            };
            let base = match name {
                "1" | "rad" => [0, 0, 0, 0],
                "m" => [1, 0, 0, 0],
                "kg" => [0, 1, 0, 0],
                "s" => [0, 0, 1, 0],
                "A" => [0, 0, 0, 1],
                "N" => [1, 1, -2, 0],
                "J" => [2, 1, -2, 0],
                "C" => [0, 0, 1, 1],
                other => panic!("an unknown unit: {other}"),
            };
            let sign = if k == 0 { power } else { -power };
            (0..4).for_each(|j| sum[j] += sign * base[j]);
        }
    }
    sum
}

#[test]
fn units_have_the_dimensions_of_their_types() {
    for a in built_in_attributes() {
        assert_eq!(exponents(a.unit), a.exponents, "{} in {}", a.name, a.unit);
    }
}

/// The rules of every method, with and without a ledger, on bodies that turn and points that do not; laws are
/// called "law".
fn rules_of_mechanics() -> Vec<(String, Rule)> {
    let still: Laws<ThreeD> =
        Laws::of(GravityGradient::new(Quantity::new(1.0), Quantity::xyz(9.0, 0.0, 0.0)))
            + MagneticDipole::new(Quantity::xyz(0.0, 0.0, 1.0));
    let moving = still.clone() + LinearDrag::new(Quantity::new(1.0));
    let bodies = scenes::rigid_bodies(Components::atoms(["a"]).unwrap()).with::<MagneticMoment>();
    let points = scenes::point_masses::<ThreeD>(Components::atoms(["a"]).unwrap());
    let mut rules = Vec::new();
    let cases = [still, moving].into_iter().flat_map(|laws| INTEGRATORS.map(|it| (it, laws.clone())));
    for (integrator, turning) in cases {
        let (model, laws) = if integrator.splits() { (&bodies, turning) } else { (&points, Laws::none()) };
        let model = integrator.equip::<ThreeD>(model.clone());
        let rotations = if integrator.splits() { &ROTATIONS[..] } else { &ROTATIONS[..1] };
        for rotation in rotations {
            let mut mechanics = Mechanics::new(&model, laws.clone()).unwrap();
            if integrator.splits() {
                mechanics = mechanics.with_rotation(rotation).unwrap();
            }
            for mechanics in [mechanics.clone(), mechanics.with_ledger().unwrap()] {
                rules.extend(named(integrator.flow(&mechanics, 1e-9).unwrap().rules(), &laws));
            }
        }
    }
    rules
}

/// The rules of rigid simulations: with contacts or with joints, with a ledger and without, of every solver.
fn rules_of_rigid_bodies() -> Vec<(String, Rule)> {
    let ball = |x: f64| {
        let shape = Shape::Sphere(Sphere::new(0.1).unwrap());
        Body::dynamic(shape, Pose::new(Default::default(), Vec3::X * x)).with_mass(1.0)
    };
    let mut rules = Vec::new();
    let cases = [false, true].into_iter().flat_map(|drags| SOLVERS.map(|solver| (solver, drags)));
    for (solver, drags) in cases {
        for (ledger, passing) in [(true, true), (true, false), (false, true), (false, false)] {
            let bodies =
                [("a", ball(0.0)), ("b", if passing { ball(1.0).without_contacts() } else { ball(1.0) })];
            let law = UniformGravity::new(Quantity::xyz(0.0, 0.0, -9.81));
            let mut world = World::new(bodies, []).unwrap().with_laws(law);
            if drags {
                world = world.with_laws(LinearDrag::new(Quantity::new(1.0)));
            }
            if passing {
                let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
                let ends = Ends::at(&world, "joint", a, b, Vec3::X * 0.5).unwrap();
                world = world.with_constraint(Point::new(ends).unwrap()).unwrap();
            }
            let settings = Settings { ledger, ..Settings::of_solver(solver.name()).unwrap() };
            let run = Simulation::new(world, settings).unwrap();
            rules.extend(named(run.workflow().rules(), run.world().laws()));
        }
    }
    rules
}

fn named<'r>(rules: impl IntoIterator<Item = &'r Rule>, laws: &Laws<ThreeD>) -> Vec<(String, Rule)> {
    let is_law = |name: &str| laws.terms().iter().any(|term| *term.label == *name);
    let name = |rule: &Rule| if is_law(rule.name()) { "law".to_owned() } else { rule.name().to_string() };
    rules.into_iter().map(|rule| (name(rule), rule.clone())).collect()
}

/// Every rule writes only where it is listed, and whoever is listed exists.
#[test]
fn rules_write_exactly_where_they_are_listed() {
    let mut used: BTreeSet<(Arc<str>, String)> = BTreeSet::new();
    for (name, rule) in rules_of_mechanics().into_iter().chain(rules_of_rigid_bodies()) {
        let columns = rule.domain().iter().filter(|a| !matches!(a.attribute.kind, Kind::Table(_)));
        for access in columns.filter(|a| a.verb != Verb::Reads) {
            assert!(
                access.attribute.writers.contains(&name.as_str()),
                "'{name}' {} '{}', whose writers are {:?}",
                access.verb,
                access.attribute.name,
                access.attribute.writers
            );
            let column = access.attribute.name.split('[').next().unwrap_or_default();
            used.insert((column.into(), name.clone()));
        }
    }
    // Step controls are not rules; they write between steps.
    let controls = ["adaptive-verlet", "dormand-prince"];
    for a in built_in_attributes() {
        for writer in a.writers.iter().filter(|w| !controls.contains(w)) {
            assert!(
                used.contains(&(a.name.clone(), (*writer).to_owned())),
                "nobody called '{writer}' writes '{}'",
                a.name
            );
        }
    }
}

/// Tables have no lists of their own: who writes them is asked of the rules.
#[test]
fn the_table_of_tables_is_fresh() {
    // The ledger is closed when the step is made, by no rule.
    let books = (Ledger::NAME.to_owned(), (Ledger::LIFE == Life::State, vec!["between steps".to_owned()]));
    let mut tables: BTreeMap<String, (bool, Vec<String>)> = BTreeMap::from([books]);
    for (name, rule) in rules_of_rigid_bodies() {
        for access in rule.domain().iter().filter(|a| matches!(a.attribute.kind, Kind::Table(_))) {
            let entry = tables.entry(access.attribute.name.to_string()).or_default();
            entry.0 = access.attribute.life == Life::State;
            if access.verb == Verb::Writes && !entry.1.contains(&name) {
                entry.1.push(name.clone());
            }
        }
    }
    let mut table = String::from("| table | lives | written by |\n|---|---|---|\n");
    for (name, (kept, writers)) in tables {
        let life = if kept { "state" } else { "step" };
        writeln!(table, "| `{name}` | {life} | {} |", writers.join(", ")).unwrap();
    }
    check_block("tables", &table);
}
