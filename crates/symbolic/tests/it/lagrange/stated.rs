//! Systems from texts, and their values from names.

use crate::reader::read;
use gedanken_symbolic::lagrange::{
    Constraint, ConstraintKind, Coordinate, Effort, Equations, Refusal, Statement, System,
};
use gedanken_symbolic::{Expr, Pool};

/// A system as an author writes it; what is empty is not there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stated<'t> {
    /// Names, with blanks between.
    pub(crate) coordinates: &'t str,
    /// `L`, or
    pub(crate) lagrangian: &'t str,
    /// `T` and
    pub(crate) kinetic: &'t str,
    /// `V`, or
    pub(crate) potential: &'t str,
    /// `H`
    pub(crate) hamiltonian: &'t str,
    pub(crate) dissipation: &'t str,
    /// Forces along coordinates: name of the coordinate, and formula.
    pub(crate) forces: &'t [(&'t str, &'t str)],
    pub(crate) constraints: &'t [(&'t str, &'t str)],
    pub(crate) velocity_constraints: &'t [(&'t str, &'t str)],
}

impl Stated<'_> {
    /// The system.
    pub(crate) fn system(&self, pool: &mut Pool) -> System {
        let coordinates: Vec<Coordinate> =
            self.coordinates.split_whitespace().map(|name| Coordinate::named(pool, name)).collect();
        let statement = match (self.lagrangian, self.hamiltonian) {
            ("", "") => Statement::Energies {
                kinetic: read(pool, self.kinetic),
                potential: read(pool, if self.potential.is_empty() { "0" } else { self.potential }),
            },
            ("", text) => Statement::Hamiltonian(read(pool, text)),
            (text, _) => Statement::Lagrangian(read(pool, text)),
        };
        let forces = (coordinates.iter())
            .map(|it| match self.forces.iter().find(|(name, _)| *name == it.name) {
                Some((_, text)) => read(pool, text),
                None => pool.zero(),
            })
            .collect();
        let mut constraints = Vec::new();
        for (list, kind) in [
            (self.constraints, ConstraintKind::Position),
            (self.velocity_constraints, ConstraintKind::Velocity),
        ] {
            for (name, text) in list {
                constraints.push(Constraint {
                    name: (*name).to_owned(),
                    value: read(pool, text),
                    kind,
                    multiplier: pool.symbol(&format!("lambda_{name}")),
                });
            }
        }
        let dissipation = read(pool, if self.dissipation.is_empty() { "0" } else { self.dissipation });
        System { time: pool.symbol("t"), coordinates, statement, dissipation, forces, constraints }
    }

    /// Its equations.
    pub(crate) fn equations(&self, pool: &mut Pool, effort: Effort) -> Equations {
        self.system(pool).equations(pool, effort).expect("it is a mechanical system")
    }

    /// Why it has none.
    pub(crate) fn refusal(&self) -> Refusal {
        let mut pool = Pool::new();
        let system = self.system(&mut pool);
        system.equations(&mut pool, Effort::Readable).expect_err("it is no mechanical system")
    }
}

/// The value of a symbol by its name; those that are not named have none.
pub(crate) fn value(values: &[(&str, f64)], name: &str) -> f64 {
    values.iter().find(|(it, _)| *it == name).unwrap_or_else(|| panic!("{name} has no value")).1
}

/// The value of an expression where its symbols have these values.
pub(crate) fn at(pool: &Pool, expr: Expr, values: &[(&str, f64)]) -> f64 {
    pool.evaluate(expr, &|symbol| value(values, pool.name(symbol)))
}

/// Results of the straight-line code of the equations at these values.
pub(crate) fn course_at(pool: &mut Pool, equations: &Equations, values: &[(&str, f64)]) -> Vec<f64> {
    let course = equations.straight_line(pool);
    course.evaluate(pool, &|symbol| value(values, pool.name(symbol)))
}

/// Fails unless the two agree to 1e-12 of their size.
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{found} is not {expected}");
}
