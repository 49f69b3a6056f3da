//! Pairs of geoms and pairs of bodies, in the order in which MuJoCo keeps them: by their numbers.

use super::geom::dimension;
use super::model::Compiled;
use crate::mjcf::report::Report;
use crate::mjcf::spec::sections::ModelSpec;
use gedanken_lang::diagnostic::Code;
use gedanken_multibody::model::{BodyId, ContactPair, GeomId, Reference};

/// Makes the pairs of geoms.
pub(crate) fn pairs(model: &ModelSpec, compiled: &mut Compiled, report: &mut Report) {
    let mut pairs = Vec::new();
    for spec in &model.pairs {
        let [Some(first), Some(second)] = &spec.geoms else { continue };
        let found = [first, second].map(|name| compiled.geom_names.find("geom", name, report));
        let [Some(a), Some(b)] = found else { continue };
        if a == b {
            report.error(Code::E012, second.1, "a geom does not meet itself");
        }
        let geoms = [a.min(b), a.max(b)];
        let bodies = geoms.map(|geom| compiled.description.geoms[geom].body);
        let pair = ContactPair {
            name: spec.name.clone(),
            geoms: geoms.map(GeomId::new),
            dimension: dimension(spec.condim, first.1, report),
            friction: spec.friction,
            softness: spec.softness.softness(),
            friction_reference: Reference::from_solreffriction(spec.friction_reference),
            margin: spec.margin,
            gap: spec.gap,
        };
        pairs.push((bodies, pair));
    }
    // By bodies only: pairs of the same bodies stay in the order of the file.
    pairs.sort_by_key(|(bodies, _)| [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])]);
    compiled.description.pairs = pairs.into_iter().map(|(_, pair)| pair).collect();
}

/// Makes the pairs of bodies that do not meet.
pub(crate) fn excludes(model: &ModelSpec, compiled: &mut Compiled, report: &mut Report) {
    for spec in &model.excludes {
        let found = spec.bodies.each_ref().map(|name| compiled.body_names.find("body", name, report));
        if let [Some(a), Some(b)] = found {
            compiled.description.excluded.push([a.min(b), a.max(b)].map(BodyId::new));
        }
    }
    compiled.description.excluded.sort();
}
