//! Persistent impulses: the part of a contact's impulse that acts all the time, and its turning with the
//! contact, so that momentum and angular momentum are conserved.
//!
//! Both bodies of a contact take opposite impulses p and -p at one point: that of the start of the step. As
//! they move, the point of one is not that of the other any more, and the angular momentum about any place
//! would change. In a sub-step of length h the centre of a body, which the step has shifted by s so far, goes
//! by d = h (w + (k + c)/2). Here k is the kick of the laws, c the steady push of its contacts, and w the
//! velocity without either. So m d × v⁺ is ½ h w × m (k + c), and of one contact with the impulse p, of which
//! p_s is steady,
//!
//! ΔL = (s_b - s_a) × p + ½ h (w_b - w_a) × p_s.
//!
//! Where the contact turns, impulses turn with it: bodies that go round each other get the difference q
//! (`aside`) at their centres, which takes (r_b - r_a) × q of ΔL. The normal of two balls goes with their
//! centres, that of a ball on a face with the face, any other with both bodies. The rest of ΔL is due to the
//! point that moves along the bodies. It is taken from their spins (`turn`), but never from that of a ball,
//! through whose centre every normal goes. So L is conserved to rounding, up to the error of the laws' own
//! points. Immovable bodies take no part: they conserve nothing.
//!
//! Impulses that do not persist are no warm start of the next sub-step either. A blow takes a hundred times
//! the impulse that carries a weight, and bodies that got it again would fly apart.

use super::finish_substep::ContactEntries;
use super::substep_motion::SubstepMotion;
use super::tuning::{AT_REST_RATIO, CENTRAL_RATIO, MAX_CARRIED_RATIO};
use crate::contacts::contact_rows::{Manifold, Rows};
use gedanken_math::{Twist, Vec3};

/// Impulses of contacts from sub-step to sub-step; memory.
#[derive(Debug, Default)]
pub(super) struct PersistentImpulses {
    /// Last impulse that persisted, by contact, in its frame.
    before: Vec<Vec3>,
    /// Share of the impulse that persists, by contact.
    shares: Vec<f64>,
    /// By body: it, or a body that leans on it, changes its velocity more than laws alone would.
    restless: Vec<bool>,
    /// Impulse of this sub-step and its steady part, by contact, in the world.
    now: Vec<[Vec3; 2]>,
    /// Pressing contacts of two movable bodies that are not at rest.
    turned: Vec<TurningContact>,
}

/// Contact of two movable bodies whose impulse turns with it.
#[derive(Debug, Clone, Copy)]
struct TurningContact {
    /// Number of the contact.
    number: usize,
    /// Places of A and B.
    ends: [usize; 2],
    /// Share of `turn` that A and B take.
    shares: [f64; 2],
    /// Impulse q at the centre of B; A takes -q.
    aside: Vec3,
    /// Change of angular momentum, shared by both.
    turn: Vec3,
}

/// Returns the contacts with their impulses on B.
fn totals(rows: &Rows) -> impl Iterator<Item = (&Manifold, Vec3)> {
    rows.manifolds.iter().map(|manifold| {
        let own = &rows.points[manifold.first as usize..][..manifold.count as usize];
        (manifold, own.iter().fold(Vec3::ZERO, |sum, point| sum + point.impulse))
    })
}

fn has_grown(impulse: Vec3, before: Vec3) -> bool {
    impulse.length_squared() > before.length_squared()
}

impl PersistentImpulses {
    /// Starts a step, with the impulses of its warm start.
    pub(super) fn begin(&mut self, rows: &Rows) {
        self.before.clear();
        self.before.extend(totals(rows).map(|(_, total)| total));
    }

    /// Decides the steady part of every impulse: all of it if it is no larger than before, or if laws alone
    /// would change the velocities as much; else the impulse before.
    pub(super) fn classify(&mut self, rows: &Rows, motions: &mut [SubstepMotion]) {
        for motion in motions.iter_mut() {
            (motion.steady, motion.correction) = (Vec3::ZERO, Twist::ZERO);
        }
        self.find_restless(rows, motions);
        self.now.clear();
        self.shares.clear();
        for ((manifold, total), before) in totals(rows).zip(&mut self.before) {
            let ends = [manifold.a, manifold.b].map(|place| place as usize);
            let lasts = !has_grown(total, *before) || ends.iter().all(|&end| !self.restless[end]);
            let steady = manifold.frame * if lasts { total } else { *before };
            motions[ends[0]].steady -= steady * rows.bodies[ends[0]].inv_mass;
            motions[ends[1]].steady += steady * rows.bodies[ends[1]].inv_mass;
            self.now.push([manifold.frame * total, steady]);
            self.shares.push(if lasts { 1.0 } else { before.length() / total.length() });
            // What a blow took is no measure for what comes after it.
            if lasts {
                *before = total;
            }
        }
    }

    /// Takes the transient part from the impulses of the warm start. Returns `true` if there was any.
    pub(super) fn drop_transient(&self, rows: &mut Rows) -> bool {
        let Rows { manifolds, points, .. } = rows;
        for (manifold, &share) in manifolds.iter().zip(&self.shares).filter(|(_, share)| **share < 1.0) {
            let own = &mut points[manifold.first as usize..][..manifold.count as usize];
            own.iter_mut().for_each(|point| point.impulse *= share);
        }
        self.shares.iter().any(|&share| share < 1.0)
    }

    /// Shares of the impulses that persist, by contact.
    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Finds the bodies that something suddenly stops or pushes, and those through which that goes on to
    /// others. Between two blows that cancel a body is calm, but neither of them persists.
    fn find_restless(&mut self, rows: &Rows, motions: &[SubstepMotion]) {
        let Self { before, restless, .. } = self;
        restless.clear();
        restless.extend(motions.iter().zip(&rows.bodies).map(|(motion, body)| !motion.is_calm(body)));
        loop {
            let mut has_spread = false;
            for ((manifold, total), before) in totals(rows).zip(&*before) {
                let ends = [manifold.a, manifold.b].map(|place| place as usize);
                if restless[ends[0]] != restless[ends[1]]
                    && ends.iter().all(|&end| rows.bodies[end].inv_mass > 0.0)
                    && has_grown(total, *before)
                {
                    ends.into_iter().for_each(|end| restless[end] = true);
                    has_spread = true;
                }
            }
            if !has_spread {
                return;
            }
        }
    }

    /// Lets impulses turn with their contacts and act where the bodies are, `elapsed` after the start of the
    /// step. Books the work of that.
    pub(super) fn conserve_angular_momentum(
        &mut self,
        rows: &mut Rows,
        motions: &mut [SubstepMotion],
        [elapsed, h]: [f64; 2],
        entries: &mut ContactEntries,
    ) {
        self.find(rows, motions, [elapsed, h]);
        for turned in &self.turned {
            for (end, sign) in turned.ends.into_iter().zip([-1.0, 1.0]) {
                let change = turned.aside * (sign * rows.bodies[end].inv_mass);
                rows.bodies[end].linear += change;
                motions[end].correction.linear += change;
            }
        }
        // What is left is known only when all bodies have their impulses aside.
        for turned in &mut self.turned {
            let [impulse, steady] = self.now[turned.number];
            let apart = apart(rows, motions, turned);
            let made = made(rows, motions, turned.ends, h, [impulse, steady]) + apart.cross(turned.aside);
            turned.turn = -made;
            for (end, share) in turned.ends.into_iter().zip(turned.shares) {
                let change = rows.bodies[end].inv_inertia * (turned.turn * share);
                rows.bodies[end].angular += change;
                motions[end].correction.angular += change;
            }
        }
        // Works are p·(v⁻ + v⁺)/2: when all motions are known.
        for TurningContact { ends, shares, aside, turn, .. } in &self.turned {
            let [a, b] = ends.map(|end| motions[end].before + rows.bodies[end].twist());
            let spun = a.angular * shares[0] + b.angular * shares[1];
            entries.normal.energy += 0.5 * (aside.dot(b.linear - a.linear) + turn.dot(spun));
        }
    }

    /// Lists the pressing contacts of two movable bodies that are not at rest, with q and the shares of the
    /// turn.
    fn find(&mut self, rows: &Rows, motions: &[SubstepMotion], [elapsed, h]: [f64; 2]) {
        self.turned.clear();
        for (number, (manifold, &[impulse, steady])) in rows.manifolds.iter().zip(&self.now).enumerate() {
            let ends = [manifold.a, manifold.b].map(|place| place as usize);
            if impulse == Vec3::ZERO || ends.iter().any(|&end| rows.bodies[end].inv_mass == 0.0) {
                continue;
            }
            let mut turned =
                TurningContact { number, ends, shares: [0.5, 0.5], aside: Vec3::ZERO, turn: Vec3::ZERO };
            let apart = apart(rows, motions, &turned);
            if is_at_rest(rows, motions, ends, h, apart) {
                continue;
            }
            // Rounding in the spin of a light body under a heavy one would throw it about.
            let lighter = rows.bodies[ends[0]].inv_mass.max(rows.bodies[ends[1]].inv_mass);
            if impulse.length() * lighter * (elapsed + h) > MAX_CARRIED_RATIO * apart.length() {
                continue;
            }
            let point = &rows.points[manifold.first as usize];
            let normal = manifold.frame.x_axis;
            let [a, b] = [point.arm_a, point.arm_b].map(|arm| {
                manifold.count == 1
                    && arm.cross(normal).length_squared()
                        <= CENTRAL_RATIO * CENTRAL_RATIO * arm.length_squared()
            });
            let spins = ends.map(|end| rows.bodies[end].angular);
            let spin = match (a, b) {
                (true, true) => {
                    // Two balls: q takes all of ΔL but its part along the line of centres.
                    let made = made(rows, motions, ends, h, [impulse, steady]);
                    turned.aside = apart.cross(made) / apart.length_squared();
                    self.turned.push(turned);
                    continue;
                }
                (true, false) => {
                    turned.shares = [0.0, 1.0];
                    spins[1]
                }
                (false, true) => {
                    turned.shares = [1.0, 0.0];
                    spins[0]
                }
                (false, false) => (spins[0] + spins[1]) * 0.5,
            };
            turned.aside = spin.cross(impulse * elapsed + steady * (0.5 * h));
            self.turned.push(turned);
        }
    }
}

/// Returns `true` if two bodies hardly move against each other, nor turn.
fn is_at_rest(rows: &Rows, motions: &[SubstepMotion], ends: [usize; 2], h: f64, apart: Vec3) -> bool {
    let [a, b] = ends.map(|end| (&rows.bodies[end], motions[end].shift.linear));
    let turns = (a.0.angular.length_squared() + b.0.angular.length_squared()) * (h * h);
    let goes = (b.1 - a.1).length_squared() + (b.0.linear - a.0.linear).length_squared() * (h * h);
    turns <= AT_REST_RATIO * AT_REST_RATIO && goes <= AT_REST_RATIO * AT_REST_RATIO * apart.length_squared()
}

/// Returns the vector from the centre of A to that of B, at the start of the sub-step.
fn apart(rows: &Rows, motions: &[SubstepMotion], turned: &TurningContact) -> Vec3 {
    let point = &rows.points[rows.manifolds[turned.number].first as usize];
    let [a, b] = turned.ends;
    point.arm_a - point.arm_b + (motions[b].shift.linear - motions[a].shift.linear)
}

/// Returns ΔL of an impulse; see the head of the file.
fn made(
    rows: &Rows,
    motions: &[SubstepMotion],
    ends: [usize; 2],
    h: f64,
    [impulse, steady]: [Vec3; 2],
) -> Vec3 {
    let [a, b] = ends.map(|end| {
        let SubstepMotion { kick, steady, shift, .. } = &motions[end];
        (shift.linear, rows.bodies[end].linear - kick.linear - *steady)
    });
    (b.0 - a.0).cross(impulse) + ((b.1 - a.1) * (0.5 * h)).cross(steady)
}
