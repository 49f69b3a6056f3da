//! Derivations: all that follows from a Lagrangian, line by line.
//!
//! ```text
//! System ──derive──► Derivation: sections of lines ──Line::show──► VFLang, LaTeX, MathML, Unicode
//!                                    └──results──► lines that a recording keeps
//! Equations ──equilibria──► Equilibria, modes ──sections──┘
//! ```
//!
//! A [`Section`] is a result or an intermediate step, so that the same derivation can be shown in full or in
//! short. This is the one list of derived equations: every page, command and recording takes it from here.

mod equilibria;
mod line;
mod results;
mod small_oscillations;

pub use equilibria::{AtValues, Equilibria, Equilibrium, Values, equilibria};
pub use line::{Left, Line};
pub(crate) use results::results;

use gedanken_symbolic::lagrange::{
    Conserved, Effort, Equations, EquationsOfMotion, Hamilton, Refusal, Statement, System,
};
use gedanken_symbolic::{Derivation as Rate, Expr, Matrix, Pool};

/// A derivation, section by section.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Sections in the order in which one would write them down.
    pub sections: Vec<Section>,
    /// Lagrange's equations, if the system has them.
    pub equations: Option<Equations>,
    /// Hamilton's equations, if they can be written down.
    pub hamilton: Option<Hamilton>,
}

/// Lines that belong together.
#[derive(Clone, Debug)]
pub struct Section {
    /// Title.
    pub title: &'static str,
    /// `true` for an intermediate step, `false` for a result.
    pub step: bool,
    /// At least one line, or a note.
    pub lines: Vec<Line>,
    /// Note on all of the lines.
    pub note: Option<String>,
}

/// Derives all equations of a system.
///
/// # Errors
/// If it has no equations of motion.
pub fn derive(pool: &mut Pool, system: &System) -> Result<Derivation, Refusal> {
    match system.equations_of_motion(pool, Effort::Readable)? {
        EquationsOfMotion::Lagrange(equations) => {
            let hamilton = equations.hamilton(pool, Effort::Readable).ok();
            let mut sections = state(pool, system, &equations);
            sections.extend(differentiate(pool, system, &equations));
            sections.extend(solve(system, &equations));
            sections.push(conserve(&equations.conserved));
            if let Some(hamilton) = &hamilton {
                sections.extend(transform(system, hamilton, true));
            }
            Ok(Derivation { sections, equations: Some(*equations), hamilton })
        }
        EquationsOfMotion::Hamilton(hamilton) => {
            let sections = canonical(pool, system, &hamilton);
            Ok(Derivation { sections, equations: None, hamilton: Some(*hamilton) })
        }
    }
}

/// Sections of an H that has no Lagrangian.
fn canonical(pool: &Pool, system: &System, hamilton: &Hamilton) -> Vec<Section> {
    let mut sections = Vec::new();
    if !pool.is_zero(system.dissipation) {
        let lines = vec![Line::named("R", system.dissipation)];
        sections.push(Section { title: "Dissipation", step: true, lines, note: None });
    }
    sections.extend(transform(system, hamilton, false));
    sections.push(conserve(&hamilton.conserved));
    sections
}

/// Sections of the energies.
fn state(pool: &Pool, system: &System, equations: &Equations) -> Vec<Section> {
    let (mut sections, mut lines) = (Vec::new(), Vec::new());
    if let Statement::Hamiltonian(hamiltonian) = system.statement {
        lines.push(Line::named("H", hamiltonian));
    }
    lines.extend(equations.kinetic.map(|kinetic| Line::named("T", kinetic)));
    lines.extend(equations.potential.map(|potential| Line::named("V", potential)));
    if !pool.is_zero(system.dissipation) {
        lines.push(Line::named("R", system.dissipation));
    }
    if !lines.is_empty() {
        sections.push(Section { title: "Energies", step: true, lines, note: None });
    }
    let lines = vec![Line::named("L", equations.lagrangian)];
    sections.push(Section { title: "Lagrangian", step: false, lines, note: None });
    if !system.constraints.is_empty() {
        let lines = system.constraints.iter().map(|it| Line::zero(&it.name, it.value)).collect();
        sections.push(Section { title: "Constraints", step: false, lines, note: None });
    }
    sections
}

/// Sections of the partial derivatives, and of the rates of the momenta.
fn differentiate(pool: &mut Pool, system: &System, equations: &Equations) -> Vec<Section> {
    let one = pool.one();
    let rates = system.coordinates.iter().flat_map(|it| [(it.position, it.rate), (it.rate, it.acceleration)]);
    let mut time = Rate::in_time(rates.chain([(system.time, one)]));
    let [mut momenta, mut changes, mut pulls] = [const { Vec::new() }; 3];
    for (number, coordinate) in system.coordinates.iter().enumerate() {
        let momentum = equations.momenta[number];
        let change = time.of(pool, momentum);
        let change = pool.simplify(change);
        let left = Left::Partial { of: "L".to_owned(), by: coordinate.rate, also: coordinate.momentum };
        momenta.push(Line { left, right: momentum, why: None });
        let left = Left::PartialRate { of: "L".to_owned(), by: coordinate.rate, also: coordinate.momentum };
        changes.push(Line { left, right: change, why: None });
        let left = Left::Partial { of: "L".to_owned(), by: coordinate.position, also: coordinate.position };
        pulls.push(Line { left, right: equations.pulls[number], why: None });
    }
    let all = [("Momenta", momenta), ("Their rates", changes), ("Slopes of L", pulls)];
    all.map(|(title, lines)| Section { title, step: true, lines, note: None }).into()
}

/// Sections of the equations, and of the accelerations.
fn solve(system: &System, equations: &Equations) -> Vec<Section> {
    let mut sections = Vec::new();
    let lines = system.coordinates.iter().zip(&equations.motion);
    let lines = lines.map(|(coordinate, motion)| Line::zero(&coordinate.name, *motion)).collect();
    sections.push(Section { title: "Lagrange's equations", step: true, lines, note: None });
    let lines = system.coordinates.iter().zip(&equations.divided);
    let lines = lines.map(|(coordinate, motion)| Line::zero(&coordinate.name, *motion)).collect();
    let note = (equations.divided != equations.motion)
        .then(|| "without the factors that all terms share".to_owned());
    sections.push(Section { title: "Equations of motion", step: false, lines, note });
    let mut lines = matrix("M", &equations.mass);
    for (coordinate, &right) in system.coordinates.iter().zip(&equations.right) {
        lines.push(Line::named(&format!("f_{}", coordinate.name), right));
    }
    let note = "mass matrix and right-hand side: M q̈ = f".to_owned();
    sections.push(Section { title: "Separated", step: true, lines, note: Some(note) });
    match &equations.accelerations {
        Some(accelerations) => {
            let each = system.coordinates.iter().zip(accelerations);
            let lines = each.map(|(coordinate, &it)| Line::of(coordinate.acceleration, it)).collect();
            sections.push(Section { title: "Accelerations", step: false, lines, note: None });
        }
        None => {
            let why = match system.constraints.is_empty() {
                true => "solved for numerically: written out they would fill pages",
                false => "solved for numerically, together with the multipliers",
            };
            let note = Some(why.to_owned());
            sections.push(Section { title: "Accelerations", step: false, lines: Vec::new(), note });
        }
    }
    let lines = vec![Line::named("E", equations.energy)];
    let note = Some("the energy function, Σ p q̇ − L".to_owned());
    sections.push(Section { title: "Energy", step: true, lines, note });
    sections
}

fn conserve(conserved: &[Conserved]) -> Section {
    let lines: Vec<Line> = conserved.iter().map(line::conserved).collect();
    let note = lines.is_empty().then(|| "nothing was found".to_owned());
    Section { title: "Conserved", step: false, lines, note }
}

/// Sections of Hamilton's equations.
fn transform(system: &System, hamilton: &Hamilton, step: bool) -> [Section; 2] {
    let lines = vec![Line::named("H", hamilton.hamiltonian)];
    let stated = Section { title: "Hamiltonian", step, lines, note: None };
    let mut lines = Vec::new();
    for (coordinate, &rate) in system.coordinates.iter().zip(&hamilton.rates) {
        lines.push(Line::of(coordinate.rate, rate));
    }
    for (coordinate, &force) in system.coordinates.iter().zip(&hamilton.forces) {
        lines.push(Line { left: Left::Rate(coordinate.momentum), right: force, why: None });
    }
    [stated, Section { title: "Hamilton's equations", step, lines, note: None }]
}

/// Entries on and above the diagonal of a symmetric matrix.
fn matrix(name: &str, matrix: &Matrix) -> Vec<Line> {
    let entry = |i: usize, j: usize| -> (String, Expr) {
        (format!("{name}_{}_{}", i + 1, j + 1), matrix.entries[i * matrix.columns + j])
    };
    let all = (0..matrix.rows).flat_map(|i| (i..matrix.columns).map(move |j| (i, j)));
    all.map(|(i, j)| entry(i, j)).map(|(name, value)| Line::named(&name, value)).collect()
}
