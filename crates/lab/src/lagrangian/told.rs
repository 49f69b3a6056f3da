//! What was derived, as text: part of every recording.

use crate::experiment::Lagrangian;

/// The Lagrangian, the equations of motion, accelerations where they are written out, and what is conserved: what each is, and its
/// formula as the language writes it.
pub(super) fn derived(lagrangian: &Lagrangian) -> Vec<(String, String)> {
    let (derived, system) = (lagrangian.derived(), &lagrangian.system);
    let (pool, equations) = (&derived.pool, &derived.equations);
    let mut told = vec![("L".to_owned(), pool.text(equations.lagrangian))];
    let energies = [("T", equations.kinetic), ("V", equations.potential)];
    told.extend(energies.into_iter().filter_map(|(name, it)| Some((name.to_owned(), pool.text(it?)))));
    for (coordinate, &motion) in system.coordinates.iter().zip(&equations.divided) {
        told.push((format!("equation of {}, = 0", coordinate.name), pool.text(motion)));
    }
    for (coordinate, &acceleration) in system.coordinates.iter().zip(equations.accelerations.iter().flatten())
    {
        told.push((format!("{}_dot_dot", coordinate.name), pool.text(acceleration)));
    }
    for conserved in &equations.conserved {
        told.push((
            format!("conserved: {}, because {}", conserved.name, conserved.why),
            pool.text(conserved.value),
        ));
    }
    told
}
