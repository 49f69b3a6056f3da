//! Searches for contacts against closed forms, brute force and each other.

mod balls;
mod edges;
mod fast_spins;
mod kinds;
mod movers;
mod solids;

use super::{Basis, Found, Meeting, Relation, Scales, SearchError, first_contact};
use crate::contexts::search::band::Band;
use crate::contexts::trajectory::bounds::Mover;
use gedanken_geometry::narrow::{self, Distance, Scratch};

/// The scales of an interval in which coordinates and sizes do not exceed `size`.
fn scales(from: f64, to: f64, size: f64) -> Scales {
    let last = from.abs().max(to.abs());
    let band = Band::chosen(1e-12 * size.max(1.0));
    Scales { band, depth: band, tick: (4.0 * (last.next_up() - last)).max(1e-12 * (to - from)) }
}

fn search(
    a: &mut dyn Mover,
    b: &mut dyn Mover,
    relation: Relation,
    from: f64,
    to: f64,
    scales: Scales,
) -> Result<Found, SearchError> {
    first_contact(a, b, relation, from, to, scales, &mut Scratch::default())
}

/// The same for pairs that begin apart and lie within 10 m of the origin.
fn meet(a: &mut dyn Mover, b: &mut dyn Mover, from: f64, to: f64) -> Found {
    search(a, b, Relation::Apart, from, to, scales(from, to, 10.0)).expect("a search without troubles")
}

/// The time of an impact without a jump, proven.
fn proven(found: Found) -> f64 {
    match found {
        Found { meeting: Meeting::Impact { time, jump: false }, basis: Basis::Proven, .. } => time,
        other => panic!("not a proven impact: {other:?}"),
    }
}

/// The signed separation at one instant.
fn separation(a: &mut dyn Mover, b: &mut dyn Mover, t: f64) -> f64 {
    let (a, b) = (a.place(t).expect("a place"), b.place(t).expect("a place"));
    match narrow::distance(&a.shape, &a.pose, &b.shape, &b.pose, &mut Scratch::default()).expect("a distance")
    {
        Distance::Separated(apart) => apart.distance,
        Distance::Overlapping(contact) => -contact.depth,
    }
}
