//! Finding contacts: boxes around geoms propose pairs, the filter keeps some, the narrow phase decides.
//!
//! Contacts come in the order of MuJoCo, whatever the broad phase does: by the pair of bodies; of one pair of
//! bodies first those of given pairs, then by the pair of geoms, of which the one with the earlier kind of
//! shape comes first.

use super::bounds::Bounds;
use super::contact::Contact;
use super::filter::CandidatePairs;
use super::narrow::{self, ShapeContact, frame, shape_contacts};
use crate::model::GeomId;
use gedanken_math::{Pose, Vec3};

/// Memory for the search, lent by the caller and reused.
#[derive(Debug, Clone, Default)]
pub struct FindScratch {
    /// Boxes around geoms.
    boxes: Vec<(Bounds, u32)>,
    /// Beginnings of the boxes along the axis of the sweep, with their places, sorted.
    starts: Vec<(f64, u32)>,
    /// The boxes in that order, their axes turned so that the sweep is along x.
    sorted: Vec<(Bounds, u32)>,
    /// Geoms that are planes.
    planes: Vec<u32>,
    /// Pairs for the narrow phase.
    proposed: Vec<Proposal>,
    /// Memory of the narrow phase.
    narrow: narrow::Scratch,
    /// Contacts of one pair.
    contacts: Vec<ShapeContact>,
}

/// A pair that the narrow phase is to decide. Its fields are in the order by which contacts are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Proposal {
    /// Bodies, the smaller id first.
    bodies: [u32; 2],
    /// Place in the list of given pairs, or above all of them.
    given: u32,
    /// Geoms, the earlier kind of shape first.
    geoms: [u32; 2],
}

/// Marks a proposal as not given.
const NOT_GIVEN: u32 = u32::MAX;

/// Finds all contacts of geoms at these poses, into `out`, which is cleared first.
///
/// Geoms without a pose, or with one that is not finite, have no contacts.
pub fn find(pairs: &CandidatePairs, poses: &[Pose], scratch: &mut FindScratch, out: &mut Vec<Contact>) {
    out.clear();
    scratch.proposed.clear();
    bound(pairs, poses, scratch);
    sweep(pairs, scratch);
    planes(pairs, poses, scratch);
    for (place, pair) in pairs.given.iter().enumerate() {
        if pair.geoms.iter().all(|&geom| is_placed(poses, geom as usize)) {
            let proposal = Proposal { bodies: pair.bodies, given: place as u32, geoms: pair.geoms };
            scratch.proposed.push(by_kind(pairs, proposal));
        }
    }
    scratch.proposed.sort_unstable();
    for k in 0..scratch.proposed.len() {
        decide(pairs, poses, scratch.proposed[k], scratch, out);
    }
}

/// Returns `true` if the geom has a finite pose.
fn is_placed(poses: &[Pose], geom: usize) -> bool {
    poses.get(geom).is_some_and(Pose::is_finite)
}

/// Lays boxes around all geoms that can meet others.
fn bound(pairs: &CandidatePairs, poses: &[Pose], scratch: &mut FindScratch) {
    scratch.boxes.clear();
    scratch.planes.clear();
    for (index, geom) in pairs.geoms.iter().enumerate() {
        if !is_placed(poses, index) || pairs.is_ghost(index) {
            continue;
        }
        match Bounds::new(&geom.shape, &poses[index], reach(pairs, index)) {
            Some(bounds) => scratch.boxes.push((bounds, index as u32)),
            None => scratch.planes.push(index as u32),
        }
    }
}

/// Distance from a geom's surface at which it may be found.
fn reach(pairs: &CandidatePairs, geom: usize) -> f64 {
    let surface = &pairs.geoms[geom].surface;
    surface.margin.max(0.0) + surface.gap.max(0.0)
}

/// Proposes all pairs of overlapping boxes, by a sweep along the axis along which the boxes spread most.
fn sweep(pairs: &CandidatePairs, scratch: &mut FindScratch) {
    let FindScratch { boxes, starts, sorted, proposed, .. } = scratch;
    let axis = widest(boxes);
    // Boxes are large: their keys are sorted, and they are moved once.
    starts.clear();
    starts.extend((0..).zip(boxes.iter()).map(|(place, (bounds, _))| (bounds.min[axis], place)));
    starts.sort_unstable_by(|(a, i), (b, j)| a.total_cmp(b).then(i.cmp(j)));
    sorted.clear();
    sorted.extend(starts.iter().map(|&(_, place)| {
        let (bounds, geom) = &boxes[place as usize];
        (bounds.turned(axis), *geom)
    }));
    for (place, (bounds, geom)) in sorted.iter().enumerate() {
        let end = bounds.max.x;
        for (other, other_geom) in sorted[place + 1..].iter().take_while(|(other, _)| other.min.x <= end) {
            let near = bounds.is_beside(other) && bounds.balls_overlap(other);
            if near && pairs.can_meet(*geom as usize, *other_geom as usize) {
                proposed.push(proposal(pairs, *geom, *other_geom));
            }
        }
    }
}

/// Returns the axis along which the centres of boxes vary most.
fn widest(boxes: &[(Bounds, u32)]) -> usize {
    let (mut sum, mut squares) = (Vec3::ZERO, Vec3::ZERO);
    for (bounds, _) in boxes {
        sum += bounds.centre;
        squares += bounds.centre * bounds.centre;
    }
    let count = boxes.len().max(1) as f64;
    let variance = squares - sum * sum / count;
    let [x, y, z] = variance.to_array();
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}

/// Proposes the pairs of planes and the boxes that reach them.
fn planes(pairs: &CandidatePairs, poses: &[Pose], scratch: &mut FindScratch) {
    let FindScratch { boxes, planes, proposed, .. } = scratch;
    for &plane in planes.iter() {
        let Pose { translation: origin, .. } = poses[plane as usize];
        let normal = poses[plane as usize].vector_to_world(Vec3::Z);
        let margin = reach(pairs, plane as usize);
        for (bounds, geom) in boxes.iter() {
            if bounds.reaches(origin, normal, margin) && pairs.can_meet(plane as usize, *geom as usize) {
                proposed.push(proposal(pairs, plane, *geom));
            }
        }
    }
}

/// The proposal of two geoms that no pair was given for.
fn proposal(pairs: &CandidatePairs, a: u32, b: u32) -> Proposal {
    let body = |geom: u32| pairs.geoms[geom as usize].body;
    // Of two shapes of one kind the one of the earlier body comes first.
    let geoms = if (body(a), a) <= (body(b), b) { [a, b] } else { [b, a] };
    by_kind(pairs, Proposal { bodies: geoms.map(body), given: NOT_GIVEN, geoms })
}

/// The proposal with the earlier kind of shape first.
fn by_kind(pairs: &CandidatePairs, mut proposal: Proposal) -> Proposal {
    let rank = |geom: u32| pairs.geoms[geom as usize].shape.rank();
    if rank(proposal.geoms[0]) > rank(proposal.geoms[1]) {
        proposal.geoms.swap(0, 1);
    }
    proposal
}

/// Appends the contacts of one pair.
fn decide(
    pairs: &CandidatePairs,
    poses: &[Pose],
    proposal: Proposal,
    scratch: &mut FindScratch,
    out: &mut Vec<Contact>,
) {
    let [first, second] = proposal.geoms.map(|geom| geom as usize);
    let given = pairs.given.get(proposal.given as usize).map(|pair| &pair.parameters);
    let detection = given.map_or_else(|| pairs.detection(first, second), |own| own.margin + own.gap);
    let (a, b) = (&pairs.geoms[first].shape, &pairs.geoms[second].shape);
    scratch.contacts.clear();
    shape_contacts(
        (a, &poses[first]),
        (b, &poses[second]),
        detection,
        &mut scratch.narrow,
        &mut scratch.contacts,
    );
    // Most proposals end here: parameters are mixed only where they are needed.
    if scratch.contacts.is_empty() {
        return;
    }
    let parameters = given.copied().unwrap_or_else(|| pairs.mix(first, second));
    out.extend(scratch.contacts.iter().map(|found| Contact {
        geoms: [GeomId::new(first), GeomId::new(second)],
        position: found.position,
        frame: frame(found.normal, found.tangent),
        distance: found.distance,
        dimension: parameters.dimension,
        friction: parameters.friction,
        softness: parameters.softness,
        friction_reference: parameters.friction_reference,
        include_margin: parameters.margin,
        in_gap: found.distance >= parameters.margin,
    }));
}
