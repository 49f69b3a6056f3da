//! Notices: findings at the start of a simulation that are allowed and may surprise.

use crate::world::World;
use crate::world::settings::Settings;
use gedanken_dynamics::{ComponentId, Orientation, Position, State, StateError, ThreeD};
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_geometry::narrow::{Scratch, manifolds};
use gedanken_geometry::{Shape, Solid};
use gedanken_math::Pose;
use std::fmt;

/// A finding at the start of a simulation that is allowed and may surprise.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// Two bodies are inside of each other, deeper than the slop. They will be moved apart without gaining
    /// speed; what energy of position that costs is booked as stabilisation.
    Overlap {
        /// The names of both bodies.
        bodies: [String; 2],
        /// Depth of the overlap, m.
        depth: f64,
    },
    /// A joint holds, in part or as a whole, what others hold already. It gets no force for that, and
    /// everything moves as without it: how they would share the force is for elastic bodies to say.
    Redundant {
        /// The name of the joint.
        joint: String,
        /// Number of its conditions that follow from those of others.
        repeated: usize,
        /// Number of its conditions.
        conditions: usize,
    },
    /// A joint asks for what others forbid: nothing that moves could satisfy all of them.
    Conflicting {
        /// The name of the joint.
        joint: String,
        /// Violation, m or rad, or its rate, m/s or rad/s.
        error: f64,
        /// Unit of `error`.
        unit: &'static str,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap { bodies: [a, b], depth } => write!(
                f,
                "'{a}' and '{b}' overlap by {depth:.3e} m at the start: they will be moved apart; place them so that they \
                 only touch, or let them pass through each other"
            ),
            Self::Redundant { joint, repeated, conditions } => write!(
                f,
                "'{joint}' repeats what other joints hold already, in {repeated} of its {conditions} conditions: it \
                 carries no force there, and everything moves as without them; take it away, or a joint that leaves more \
                 freedom"
            ),
            Self::Conflicting { joint, error, unit } => write!(
                f,
                "'{joint}' cannot hold together with other joints: it is off by {error:.3e} {unit} at the start; take one \
                 of them away, or change them so that they agree"
            ),
        }
    }
}

/// Every pair that overlaps deeper than the slop, by row.
pub(crate) fn overlaps(world: &World, settings: &Settings, state: &State) -> Result<Vec<Notice>, StateError> {
    let (r, q) = (state.all::<Position<ThreeD>>()?, state.all::<Orientation>()?);
    let placed = |row: usize| -> Option<(&Shape, Pose)> {
        let body = world.at_row(row).filter(|body| body.has_surface())?;
        Some((body.shape()?, Pose::new(q[row], r[row].si()) * body.frame()))
    };
    let mut candidates = Vec::new();
    // Whatever cannot be looked at here is refused by the first step, which says why.
    if let Ok(mut manager) = Manager::new(BroadPhase::SweepAndPrune) {
        for row in 1..r.len() {
            if let Some((shape, pose)) = placed(row) {
                manager.insert(row as u32, shape.bounds(&pose)).ok();
            }
        }
        manager.pairs(&mut candidates);
    }
    let (mut scratch, mut found, mut notices) = (Scratch::default(), Vec::new(), Vec::new());
    for (a, b) in candidates.into_iter().filter(|&(a, b)| world.may_touch(a, b)) {
        let (Some((one, pose)), Some((two, other))) = (placed(a as usize), placed(b as usize)) else {
            continue;
        };
        if manifolds(one, &pose, two, &other, 0.0, &mut scratch, &mut found).is_err() {
            continue;
        }
        let points = found.iter().flat_map(|manifold| manifold.points());
        let depth = points.fold(0.0, |most: f64, point| most.max(point.depth));
        if depth > settings.slop {
            let name = |row: u32| world.model().components().name(ComponentId::from_row(row as usize));
            notices.push(Notice::Overlap { bodies: [a, b].map(|row| name(row).to_owned()), depth });
        }
    }
    Ok(notices)
}
