//! The words of experiment files: which blocks there are, and what each key is set to.
//!
//! The table is all that the grammar of blocks knows. A key that is not in it is read by what stands there,
//! so that new blocks need a row here at most.

use strsim::osa_distance;

/// The blocks. `world attributes` is the only one of two words.
pub(crate) const BLOCKS: &[&str] = &[
    "world attributes",
    "object",
    "context",
    "simulation",
    "measure",
    "force",
    "potential",
    "constraint",
    "joint",
    "material",
    "lagrangian",
    "rule",
    "event",
    "view",
];

/// Shape of the value that a key is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `{ name = e … }`, or `{a, b}`: what an object calls attributes has values, what a context calls so has
    /// none.
    Attributes,
    Definitions,
    Names,
    Expressions,
    /// `{norm(v), y against x}`
    Curves,
    Aliases,
    Applicability,
    Words,
    Expression,
    /// Whatever fits.
    Any,
}

const KEYS: &[(&str, Shape)] = &[
    ("attributes", Shape::Attributes),
    ("functions", Shape::Definitions),
    ("rates", Shape::Definitions),
    ("momenta", Shape::Definitions),
    ("parameters", Shape::Definitions),
    ("forces", Shape::Definitions),
    ("constraints", Shape::Definitions),
    ("velocity_constraints", Shape::Definitions),
    ("stops", Shape::Definitions),
    ("positions", Shape::Definitions),
    ("orientations", Shape::Definitions),
    ("compute_first_time_only_attributes", Shape::Names),
    ("objects_involved", Shape::Names),
    ("contexts_involved", Shape::Names),
    ("parts", Shape::Names),
    ("of", Shape::Names),
    ("between", Shape::Names),
    ("reads", Shape::Names),
    ("writes", Shape::Names),
    ("adds", Shape::Names),
    ("coordinates", Shape::Attributes),
    ("geometric_data_directions", Shape::Expressions),
    ("aliases", Shape::Aliases),
    ("applicability", Shape::Applicability),
    ("name", Shape::Words),
    ("type", Shape::Words),
    ("physical_type", Shape::Words),
    ("geometrical_type", Shape::Words),
    ("mechanics", Shape::Words),
    ("material", Shape::Words),
    ("lagrangian", Shape::Words),
    ("integrator", Shape::Words),
    ("solver", Shape::Words),
    ("combination", Shape::Words),
    ("kinetic", Shape::Words),
    ("friction_iteration", Shape::Words),
    ("algorithm", Shape::Words),
    ("line_search", Shape::Words),
    ("stopping", Shape::Words),
    ("cone", Shape::Words),
    ("defaults", Shape::Words),
    ("kind", Shape::Words),
    ("workflow", Shape::Any),
    ("initial_time", Shape::Expression),
    ("duration", Shape::Expression),
    ("frame_rate", Shape::Expression),
    ("time_step", Shape::Expression),
    ("advances", Shape::Expression),
    ("tolerance", Shape::Expression),
    ("touching_tolerance", Shape::Expression),
    ("gravity", Shape::Expression),
    ("substeps", Shape::Expression),
    ("iterations", Shape::Expression),
    ("slop", Shape::Expression),
    ("correction", Shape::Expression),
    ("rest_speed", Shape::Expression),
    ("order", Shape::Expression),
    ("cone_edges", Shape::Expression),
    ("impedance_ratio", Shape::Expression),
    ("no_slip_iterations", Shape::Expression),
    ("record_forces", Shape::Expression),
    ("up", Shape::Expression),
    ("value", Shape::Expression),
    ("at", Shape::Expression),
    ("expected", Shape::Expression),
    ("mass", Shape::Expression),
    ("density", Shape::Expression),
    ("restitution", Shape::Expression),
    ("friction", Shape::Expression),
    ("force", Shape::Expression),
    ("torque", Shape::Expression),
    ("energy", Shape::Expression),
    ("inequality", Shape::Expression),
    ("alpha", Shape::Expression),
    ("beta", Shape::Expression),
    ("anchor", Shape::Expression),
    ("anchor1", Shape::Expression),
    ("anchor2", Shape::Expression),
    ("axis", Shape::Expression),
    ("axis2", Shape::Expression),
    ("length", Shape::Expression),
    ("limits", Shape::Expression),
    ("motor_speed", Shape::Expression),
    ("motor_force", Shape::Expression),
    ("motor_torque", Shape::Expression),
    ("stiffness", Shape::Expression),
    ("damping", Shape::Expression),
    ("rest_length", Shape::Expression),
    ("rest", Shape::Expression),
    ("armature", Shape::Expression),
    ("friction_loss", Shape::Expression),
    ("time_constant", Shape::Expression),
    ("damping_ratio", Shape::Expression),
    ("softness_stiffness", Shape::Expression),
    ("softness_damping", Shape::Expression),
    ("impedance", Shape::Expression),
    ("torsional_friction", Shape::Expression),
    ("rolling_friction", Shape::Expression),
    ("margin", Shape::Expression),
    ("gap", Shape::Expression),
    ("T", Shape::Expression),
    ("V", Shape::Expression),
    ("L", Shape::Expression),
    ("H", Shape::Expression),
    ("dissipation", Shape::Expression),
    ("plots", Shape::Curves),
    ("arrows", Shape::Expressions),
    ("draw", Shape::Expressions),
    ("overlays", Shape::Names),
    ("camera", Shape::Expression),
    ("moment", Shape::Expression),
    ("speed", Shape::Expression),
    ("level", Shape::Expression),
    ("title", Shape::Expression),
    ("group", Shape::Expression),
    ("follow", Shape::Words),
    ("drawer", Shape::Words),
    ("collide", Shape::Expression),
    ("collides", Shape::Expression),
];

/// Number of words of the longest key.
pub(crate) const MOST_WORDS: usize = 5;

/// Shapes of objects, in the singular. Those of two words may also be joined by `-` or `_`.
pub(crate) const SHAPES: &[&str] =
    &["sphere", "cuboid", "capsule", "cylinder", "cone", "half space", "convex hull", "compound", "mesh"];

/// Returns the shape of the value of `key`, its words joined by underscores.
pub(crate) fn shape(key: &str) -> Shape {
    KEYS.iter().find(|row| row.0 == key).map_or(Shape::Any, |row| row.1)
}

/// Returns `true` if `key` is in the table and is set to something in braces.
pub(crate) fn is_braced(key: &str) -> bool {
    !matches!(shape(key), Shape::Words | Shape::Expression | Shape::Any)
}

/// Returns `true` if `key` is in the table.
pub(crate) fn is_known(key: &str) -> bool {
    KEYS.iter().any(|row| row.0 == key)
}

/// The block that another word for it means.
pub(crate) fn block_of_word(word: &str) -> Option<&'static str> {
    match word {
        "ball" | "sphere" | "body" | "box" | "cuboid" | "particle" | "floor" | "thing" => Some("object"),
        "simulate" | "run" | "experiment" => Some("simulation"),
        "law" | "laws" | "collision" | "free_fall" | "contact" | "functions" => Some("context"),
        "constants" | "globals" | "parameters" | "attributes" => Some("world attributes"),
        "measurement" | "test" | "probe" => Some("measure"),
        _ => None,
    }
}

/// The one of `candidates` that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let most = (word.chars().count() / 3).max(1);
    // A difference in length is a lower bound on the distance: a very long word costs nothing.
    let is_as_long = |candidate: &str| candidate.len().abs_diff(word.len()) <= most;
    candidates
        .iter()
        .filter(|candidate| is_as_long(candidate))
        .map(|&candidate| (osa_distance(&word, candidate), candidate))
        .filter(|&(far, _)| far <= most)
        .min_by_key(|&(far, _)| far)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_more_words() {
        let words = KEYS.iter().map(|(key, _)| key.split('_').count()).max();
        assert_eq!(words, Some(MOST_WORDS));
    }
}
