//! Keys of each kind of block, for completion and hover.

use super::fields::spaced;
use crate::lagrangian::read as lagrangian;
use crate::measure::read as measure;
use crate::object::read as object;
use crate::rigid::force_law::read as force_law;
use crate::rigid::joint::read as joint;
use crate::rigid::material::read as material;
use crate::rule::read as rule;
use crate::simulation::read as simulation;
use crate::view::read as view;
use gedanken_lang::check::CONTEXT_KEYS;

/// The blocks that an experiment consists of.
pub(crate) const BLOCKS: [&str; 14] = [
    "world attributes",
    "object",
    "context",
    "simulation",
    "measure",
    "rule",
    "event",
    "material",
    "force",
    "potential",
    "constraint",
    "joint",
    "lagrangian",
    "view",
];

/// The keys of a kind of block, with what they are set to in words. None for the world, whose entries are
/// attributes.
pub(crate) fn keys(block: &str) -> &'static [(&'static str, &'static str)] {
    match block {
        "object" => object::FORM.keys,
        "context" => &CONTEXT_KEYS,
        "simulation" => simulation::FORM.keys,
        "measure" => measure::FORM.keys,
        "rule" => rule::RULE.keys,
        "event" => rule::EVENT.keys,
        "material" => material::FORM.keys,
        "force" => force_law::FORCE.keys,
        "potential" => force_law::POTENTIAL.keys,
        "constraint" => force_law::CONSTRAINT.keys,
        "joint" => joint::FORM.keys,
        "lagrangian" => lagrangian::FORM.keys,
        "view" => view::FORM.keys,
        _ => &[],
    }
}

/// A key as people write it: with spaces, unless it is a name of the old language.
pub(crate) fn written(key: &str) -> String {
    match key {
        "compute_first_time_only_attributes" | "geometric_data_directions" => key.to_owned(),
        _ => spaced(key),
    }
}
