//! Results of a derivation as text: part of every recording.

use super::{Left, Line, Section, canonical, conserve, solve, state};
use gedanken_experiment::Lagrangian;
use gedanken_lang::symbolic::Notation;
use gedanken_symbolic::lagrange::EquationsOfMotion;

/// Returns the results of a derivation, without intermediate steps but with the energies: the name of each,
/// and its formula as the language writes it.
pub(crate) fn results(lagrangian: &Lagrangian) -> Vec<(String, String)> {
    let (derived, system) = (lagrangian.derived(), &lagrangian.system);
    let mut pool = derived.pool.clone();
    let sections = match &derived.equations {
        EquationsOfMotion::Lagrange(equations) => {
            let mut sections = state(&pool, system, equations);
            sections.extend(solve(system, equations));
            sections.push(conserve(&equations.conserved));
            sections
        }
        EquationsOfMotion::Hamilton(hamilton) => canonical(&pool, system, hamilton),
    };
    let kept = sections.iter().filter(|it| !it.step || it.title == "Energies");
    let mut told = Vec::new();
    for section in kept {
        for line in &section.lines {
            let formula = pool.text(line.right);
            let what = match &line.left {
                Left::Zero(name) => format!("{} {name}, = 0", singular(section)),
                _ => because(line, line.left.show(&mut pool, Notation::Vfl)),
            };
            told.push((what, formula));
        }
    }
    told
}

/// Kind of a line that is zero, for the sections that have such lines.
fn singular(section: &Section) -> &'static str {
    if section.title == "Constraints" { "constraint" } else { "equation of" }
}

/// Name of a line; for a conserved quantity, its description and the reason.
fn because(line: &Line, name: String) -> String {
    match &line.why {
        Some(why) => format!("conserved: {why}"),
        None => name,
    }
}
