//! The narrow phase: where candidate pairs touch, or nearly do, with the impulses of the last step carried
//! over.
//!
//! A pair is asked for points up to its margin apart, the way that it can close within the step:
//!
//!   2·slop + 5/4·(|v_a − v_b| + turning)·h + (|g_a| + |g_b|)·h²,
//!
//! g being the acceleration that the laws give a body at the start of the step. Two kinds of pairs are left
//! to [`crate::impact`], which locates their meeting inside the step:
//!
//! - those that can bounce and do not lie still on each other, whether they approach or part (`PairState`): a
//!   ball that flies up again is free, and its parabola exact;
//! - those that are fast: they pass each other by more than half of the smaller width. Their margin has no
//!   part of the way, so only what touches already is a contact, and only if it does not move along the
//!   normal: the contact of a wheel that rolls lasts, that of a brick that tumbles through several turns in a
//!   step does not.

mod resting_pairs;
#[cfg(test)]
mod tests;
mod warm_start;

use super::broad_phase::{Candidates, CollisionBodies, CollisionBody};
use super::contact_table::{Contacts, Touch, TouchChanges, TouchList, TouchPoint};
use crate::impact::eligibility::{BALANCED_RATIO, PairState, may_bounce};
use crate::world::World;
use crate::world::material::Curve;
use crate::world::settings::Settings;
use crate::world::solver_body::{SolverBodies, SolverBody};
use crate::world::surface::{Surface, Surfaces, jumps};
use gedanken_dynamics::{ComponentId, Life, Rule, Table, Trouble, memory, read_table, write_table};
use gedanken_geometry::Shape;
use gedanken_geometry::narrow::{self, Manifold, QueryError, Scratch};
use gedanken_math::Vec3;
use rayon::prelude::*;
use std::sync::Arc;

/// Pairs that are looked at together. Whoever looks, results are put together in order.
const CHUNK_PAIRS: usize = 256;
/// Below this many pairs, waking other threads costs more than they give.
const MIN_PARALLEL_PAIRS: usize = 2 * CHUNK_PAIRS;

/// Candidate pairs that have no contact and can meet within the step all the same: they bounce, or are fast.
/// In order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ImpactCandidates {
    /// The pairs of rows, the smaller one first.
    pub pairs: Vec<(u32, u32)>,
}

impl Table for ImpactCandidates {
    const NAME: &'static str = "impact candidates";
    const LIFE: Life = Life::Step;
}

/// Memory of the narrow phase.
#[derive(Debug, Default)]
struct Finder {
    chunks: Vec<Chunk>,
    /// The contacts of the last step; while no step is made, a list that is free to be written over.
    before: Arc<Vec<Touch>>,
    /// By row: whether something pressed on the body in the last step.
    held: Vec<bool>,
    /// The pairs that touched in the last step, and those that touch now.
    then: Vec<[u32; 2]>,
    now: Vec<[u32; 2]>,
    loose: Vec<Touch>,
}

/// Memory for some of the pairs, and what was found there.
#[derive(Debug, Default)]
struct Chunk {
    scratch: Scratch,
    manifolds: Vec<Manifold>,
    touches: TouchList,
    touching: Vec<[u32; 2]>,
    left: Vec<(u32, u32)>,
    /// Contacts of pairs that are left and would be kept if something pressed on them.
    loose: Vec<Touch>,
    trouble: Option<Trouble>,
}

/// Inputs of the narrow phase at the start of the step.
struct Start<'a> {
    h: f64,
    world: &'a World,
    settings: &'a Settings,
    surfaces: &'a Surfaces,
    movers: &'a [SolverBody],
    bodies: &'a [CollisionBody],
    held: &'a [bool],
    before: &'a [Touch],
}

fn is_pressed(touch: &Touch) -> bool {
    touch.points().iter().any(|point| point.normal_impulse > 0.0)
}

/// Finds the contacts at the start of the step.
pub(crate) fn rule(world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let surfaces = Surfaces::of(world);
    let (world, settings) = (world.clone(), settings.clone());
    let given = (read_table::<SolverBodies>(), read_table::<Candidates>(), read_table::<CollisionBodies>());
    let found = (write_table::<Contacts>(), write_table::<ImpactCandidates>(), write_table::<TouchChanges>());
    let view = (given, found, memory::<Finder>());
    Rule::new("narrow", view, move |step, ((at_start, candidates, places), found, finder)| {
        let (contacts, left, changes) = found;
        std::mem::swap(&mut finder.before, &mut contacts.touches);
        let Finder { chunks, before, held, then, now, loose } = finder;
        held.clear();
        held.resize(places.bodies.len(), false);
        then.clear();
        for touch in before.iter() {
            let rows = [touch.a, touch.b];
            if is_pressed(touch) {
                rows.iter().for_each(|&row| held[row as usize] = true);
            }
            if then.last() != Some(&rows) && touch.touching {
                then.push(rows);
            }
        }
        let start = Start {
            h: step.h.si(),
            world: &world,
            settings: &settings,
            surfaces: &surfaces,
            movers: &at_start.bodies,
            bodies: &places.bodies,
            held,
            before,
        };
        let touches = Arc::make_mut(&mut contacts.touches);
        let mut found = Found { touches, touching: now, left: &mut left.pairs, loose };
        find_all(&start, &candidates.pairs, chunks, &mut found)?;
        if !found.loose.is_empty() {
            resting_pairs::keep_supported(&mut found, &places.bodies, held);
        }
        changes.find(step.t.si(), then, now);
        Ok(())
    })
}

/// The contacts of all pairs, the pairs that touch, those that are left, and what these would have for
/// contacts, in order.
struct Found<'a> {
    touches: &'a mut Vec<Touch>,
    touching: &'a mut Vec<[u32; 2]>,
    left: &'a mut Vec<(u32, u32)>,
    loose: &'a mut Vec<Touch>,
}

/// Looks at all pairs.
fn find_all(
    start: &Start<'_>,
    pairs: &[(u32, u32)],
    chunks: &mut Vec<Chunk>,
    found: &mut Found<'_>,
) -> Result<(), Trouble> {
    let Found { touches, touching, left, loose } = found;
    left.clear();
    touching.clear();
    loose.clear();
    let wide = pairs.len() > MIN_PARALLEL_PAIRS && rayon::current_num_threads() > 1;
    let count = if wide { pairs.len().div_ceil(CHUNK_PAIRS) } else { 1 };
    chunks.resize_with(count.max(chunks.len()), Chunk::default);
    if !wide {
        // Straight to where they belong.
        let chunk = &mut chunks[0];
        std::mem::swap(&mut chunk.touches.touches, *touches);
        chunk.trouble = start.find(pairs, chunk).err();
        std::mem::swap(&mut chunk.touches.touches, *touches);
        touches.truncate(chunk.touches.count);
        touching.extend_from_slice(&chunk.touching);
        left.extend_from_slice(&chunk.left);
        loose.extend_from_slice(&chunk.loose);
        return chunk.trouble.take().map_or(Ok(()), Err);
    }
    pairs.par_chunks(CHUNK_PAIRS).zip(chunks.par_iter_mut()).for_each(|(pairs, chunk)| {
        chunk.trouble = start.find(pairs, chunk).err();
    });
    let mut list = TouchList::over(std::mem::take(*touches));
    for chunk in &mut chunks[..count] {
        if let Some(trouble) = chunk.trouble.take() {
            return Err(trouble);
        }
        chunk.touches.filled().iter().for_each(|touch| list.next().copy_from(touch));
        touching.extend_from_slice(&chunk.touching);
        left.extend_from_slice(&chunk.left);
        loose.extend_from_slice(&chunk.loose);
    }
    **touches = list.touches;
    touches.truncate(list.count);
    Ok(())
}

impl Start<'_> {
    /// The contacts of some pairs, in order.
    fn find(&self, pairs: &[(u32, u32)], chunk: &mut Chunk) -> Result<(), Trouble> {
        let Chunk { scratch, manifolds, touches, touching: met, left, loose, .. } = chunk;
        touches.count = 0;
        met.clear();
        left.clear();
        loose.clear();
        let Some(&first) = pairs.first() else { return Ok(()) };
        let skipped = self.before.partition_point(|touch| (touch.a, touch.b) < first);
        let mut old = warm_start::OrderedLookup::new(&self.before[skipped..]);
        for &(a, b) in pairs {
            self.settings.cancel.check()?;
            let (Some(one), Some(two)) = (self.surfaces.at(a), self.surfaces.at(b)) else { continue };
            let surfaces = [one, two];
            let (margin, fast) = self.margin(surfaces, [a, b]);
            let [p, q] = [a, b].map(|row| &self.bodies[row as usize].pose);
            narrow::pressing_manifolds(&one.shape, p, &two.shape, q, margin, scratch, manifolds)
                .map_err(|error| unanswered(self.world, [a, b], &error))?;
            let materials = [a, b].map(|row| self.world.material(row as usize));
            let bounces = may_bounce(self.settings.combination, materials[0], materials[1]);
            let start = touches.count;
            if !manifolds.is_empty() {
                let mut meeting = self.meeting(bounces, fast, [a, b]);
                for manifold in &*manifolds {
                    let before = old.find((a, b, manifold.parts));
                    self.add(
                        [a, b],
                        manifold,
                        before,
                        one.width.min(two.width),
                        &mut meeting,
                        touches.next(),
                    )?;
                }
                if meeting.is_located(self.settings, self.h) {
                    if meeting.is_loose(self.settings, self.h) {
                        loose.extend_from_slice(&touches.filled()[start..]);
                    }
                    touches.count = start;
                }
            }
            let own = &touches.filled()[start..];
            if own.iter().any(|touch| touch.touching) {
                met.push([a, b]);
            }
            if own.is_empty() && (bounces || fast) {
                left.push((a, b));
            }
        }
        Ok(())
    }

    /// Largest distance of points that count as contacts, and `true` if the bodies are fast.
    fn margin(&self, surfaces: [&Surface; 2], rows: [u32; 2]) -> (f64, bool) {
        let [one, two] = rows.map(|row| &self.bodies[row as usize]);
        let kept = 2.0 * self.settings.slop + (one.strength + two.strength) * self.h * self.h;
        let way = (one.velocity - two.velocity).length() * self.h;
        // Nothing gets behind a plane in a step that ends in front of it, however fast it is.
        let planar = surfaces.iter().any(|surface| matches!(surface.shape, Shape::HalfSpace(_)));
        let is_kept = planar && self.settings.solver.island_solver().is_none();
        if !is_kept && jumps(surfaces, way, [one.angle, two.angle]) {
            return (kept, true);
        }
        let mut turning = 0.0;
        if one.angle > 0.0 || two.angle > 0.0 {
            let apart = (one.centre - two.centre).length();
            // Of a half-space that turns, the part that counts is where the other body is.
            turning = surfaces[0].turning(one.angle, apart + surfaces[1].sway)
                + surfaces[1].turning(two.angle, apart + surfaces[0].sway);
        }
        (kept + 1.25 * (way + turning), false)
    }

    /// State of a pair before its contact points are known.
    fn meeting(&self, bounces: bool, fast: bool, rows: [u32; 2]) -> PairState {
        let held = |row: u32| self.bodies[row as usize].movable && self.held[row as usize];
        PairState {
            bounces,
            fast,
            pressed: false,
            // An immovable body holds others, and needs no support itself.
            pushed: bounces && rows.into_iter().any(held),
            gap: f64::INFINITY,
            speed: 0.0,
            pull: 0.0,
            stopped: 0.0,
        }
    }

    /// Fills in the contact of one manifold.
    fn add(
        &self,
        rows: [u32; 2],
        manifold: &Manifold,
        before: Option<&Touch>,
        width: f64,
        meeting: &mut PairState,
        touch: &mut Touch,
    ) -> Result<(), Trouble> {
        let [a, b] = rows.map(|row| self.bodies[row as usize].centre);
        let n = manifold.normal;
        (touch.a, touch.b, touch.parts, touch.normal) = (rows[0], rows[1], manifold.parts, n);
        touch.lasting = 1.0;
        for point in manifold.points() {
            touch.points[usize::from(touch.count)] = TouchPoint {
                arm_a: point.point_a - a,
                arm_b: point.point_b - b,
                gap: -point.depth,
                features: [point.feature_a, point.feature_b],
                normal_impulse: 0.0,
                friction_impulse: Vec3::ZERO,
            };
            touch.count += 1;
        }
        touch.touching = touch.points().iter().any(|point| point.gap <= self.settings.slop);
        if meeting.bounces || meeting.fast {
            self.look_closer(touch, before, meeting);
        }
        touch.friction = self.friction(touch)?;
        if let Some(before) = before {
            warm_start::carry_over(before, touch, width);
        }
        Ok(())
    }

    /// Adds to the state of a pair what decides whether bodies that can bounce rest on each other.
    fn look_closer(&self, touch: &Touch, before: Option<&Touch>, meeting: &mut PairState) {
        let n = touch.normal;
        meeting.pressed |= before.is_some_and(is_pressed);
        let impulse: f64 =
            before.map_or(0.0, |old| old.points().iter().map(|point| point.normal_impulse).sum());
        let [one, two] = [touch.a, touch.b].map(|row| self.movers[row as usize].inverse.inv_mass);
        meeting.stopped = meeting.stopped.max(impulse * (one + two));
        let [f, g] = [touch.a, touch.b].map(|row| self.bodies[row as usize].pull.dot(n));
        meeting.pull = meeting.pull.max(f.abs()).max(g.abs());
        meeting.pushed |= f - g > BALANCED_RATIO * (f.abs() + g.abs());
        if meeting.fast {
            let [v, w] = [touch.a, touch.b].map(|row| self.movers[row as usize].twist.linear);
            meeting.speed = meeting.speed.max((w - v).dot(n).abs());
        }
        for point in touch.points() {
            meeting.gap = meeting.gap.min(point.gap);
            if point.gap <= self.settings.slop {
                meeting.speed = meeting.speed.max(self.relative(touch, point).dot(n).abs());
            }
        }
    }

    /// The velocity of B against A at a point.
    fn relative(&self, touch: &Touch, point: &TouchPoint) -> Vec3 {
        let [a, b] = [touch.a, touch.b].map(|row| self.movers[row as usize].twist);
        b.at(point.arm_b) - a.at(point.arm_a)
    }

    /// The coefficient of friction, at the largest sliding speed of all points.
    fn friction(&self, touch: &Touch) -> Result<f64, Trouble> {
        let [one, two] = [touch.a, touch.b].map(|row| &self.world.material(row as usize).friction);
        let mut sliding = 0.0;
        if !matches!((one, two), (Curve::Constant(_), Curve::Constant(_))) {
            let n = touch.normal;
            for point in touch.points() {
                let relative = self.relative(touch, point);
                sliding = f64::max(sliding, (relative - n * relative.dot(n)).length());
            }
        }
        let mu = [one.at(sliding), two.at(sliding)];
        if !mu.iter().all(|&mu| mu >= 0.0 && mu.is_finite()) {
            return Err(bad_friction(self.world, [touch.a, touch.b], mu, sliding));
        }
        Ok(self.settings.combination.of(mu[0], mu[1]))
    }
}

fn name(world: &World, row: u32) -> &str {
    world.model().components().name(ComponentId::from_row(row as usize))
}

/// Geometry has no answer.
fn unanswered(world: &World, rows: [u32; 2], error: &QueryError) -> Trouble {
    let [one, two] = rows.map(|row| name(world, row));
    Trouble::Failed(format!(
        "where '{one}' (A) and '{two}' (B) touch cannot be told: {error}; let them pass through each other, or give one \
         of them another shape"
    ))
}

/// A curve of friction returns what no friction can be.
fn bad_friction(world: &World, rows: [u32; 2], found: [f64; 2], speed: f64) -> Trouble {
    let [one, two] = rows.map(|row| (name(world, row), &world.material(row as usize).name));
    Trouble::Failed(format!(
        "at a speed of {speed} m/s the friction of '{}' (material '{}') is {}, and of '{}' (material '{}') it is {}: it \
         must be zero or positive at all speeds, so mend the curve of the material",
        one.0, one.1, found[0], two.0, two.1, found[1]
    ))
}
