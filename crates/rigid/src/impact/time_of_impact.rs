//! Time of impact of two bodies on their trajectories.
//!
//! Closed forms where there are any: a ball and a plane, two balls with the same acceleration. All others
//! advance from distance to distance. At t the bodies are apart by a gap along a normal n, with a plane
//! between them if they are convex. No point can pass that plane before
//!
//! c₁ s + ½ c₂ s² = gap,   c₁ = n·(v_a - v_b) + |n × ω_a| r_a + |n × ω_b| r_b,   c₂ = n·(a_a - a_b),
//!
//! so the time may go on by s; that is Newton's method on the gap for bodies that do not turn. Where bodies
//! touch and do not approach, turning may make c₁ positive although no point comes closer: there the time
//! goes on by a fixed part of the step, and a root between two distances is found by bisection and secants.

use super::robust_query::ask;
use super::trajectory::{Trajectory, TurnRate};
use crate::world::surface::Surface;
use gedanken_dynamics::Trouble;
use gedanken_geometry::Shape;
use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_math::Vec3;

/// The bound on the number of distances that are measured for one pair.
const MAX_DISTANCES: u32 = 20_000;
/// Number of distances after which the time advances by at least [`MIN_JUMP`].
const DISTANCES_BEFORE_JUMPS: u32 = 60;
/// That part.
const MIN_JUMP: f64 = 1.0 / 64.0;

/// Two bodies on their trajectories.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// Surfaces of both.
    pub(super) surfaces: [&'a Surface; 2],
    /// Their trajectories.
    pub(super) trajectories: [&'a Trajectory; 2],
    /// The end of the step.
    pub(super) end: f64,
    /// The gap that counts as touching.
    pub(super) touch: f64,
}

/// Relative motion of bodies that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trend {
    /// They approach, or are pressed together: something has to happen.
    Closing,
    /// They do not.
    Parting,
    /// They do, and it can wait for the next step.
    Waiting,
}

/// The closest points.
#[derive(Debug, Clone, Copy)]
struct Look {
    gap: f64,
    normal: Vec3,
}

impl Pair<'_> {
    /// The first time from `t` on at which the bodies touch and close; `trend` tells whether they do when
    /// they touch.
    pub(super) fn meet(
        &self,
        t: f64,
        scratch: &mut Scratch,
        mut trend: impl FnMut(f64, &mut Scratch) -> Result<Trend, Trouble>,
    ) -> Result<Option<f64>, Trouble> {
        if let Some(gap) = self.as_quadratic(t) {
            // A step beyond the first root of bodies that only graze each other is not needed: they part.
            let Some(s) = gap.first(self.touch) else { return Ok(None) };
            let at = t + s;
            if at >= self.end {
                return Ok(None);
            }
            match trend(at, scratch)? {
                Trend::Closing => return Ok(Some(at)),
                Trend::Waiting => return Ok(None),
                Trend::Parting => {}
            }
            let Some(s) = gap.again(s) else { return Ok(None) };
            let at = t + s;
            return Ok((at < self.end && trend(at, scratch)? == Trend::Closing).then_some(at));
        }
        self.advance(t, scratch, trend)
    }

    /// The gap as a polynomial of the time since `t`, whose sign is that of the gap; `None` if it is none.
    fn as_quadratic(&self, t: f64) -> Option<Quadratic> {
        let [a, b] = self.surfaces;
        let [one, two] = self.trajectories;
        match (a.ball, b.ball) {
            (Some(r), None) => self.on_plane(t, (r, one), (b, two)),
            (None, Some(r)) => self.on_plane(t, (r, two), (a, one)),
            (Some(r_a), Some(r_b)) => {
                let acceleration = two.path_acceleration() - one.path_acceleration();
                let left = self.end - t;
                if acceleration.length() * left * left > self.touch {
                    return None;
                }
                let p = two.place(t) - one.place(t);
                let v = two.velocity(t) - one.velocity(t);
                let sum = r_a + r_b;
                let length = p.length();
                // |p + v s|² = (r_a + r_b)², divided by |p| + r_a + r_b so that the constant is the gap.
                let scale = 1.0 / (length + sum);
                Some(Quadratic {
                    gap: length - sum,
                    rate: 2.0 * p.dot(v) * scale,
                    bend: 2.0 * v.length_squared() * scale,
                })
            }
            (None, None) => None,
        }
    }

    /// A ball above a plane that does not turn: the gap is n·(r - r₀) - d - R, a parabola in time.
    fn on_plane(
        &self,
        t: f64,
        ball: (f64, &Trajectory),
        plane: (&Surface, &Trajectory),
    ) -> Option<Quadratic> {
        let Shape::HalfSpace(half_space) = &plane.0.shape else { return None };
        let (radius, trajectory) = ball;
        if plane.1.spin(self.end) != TurnRate::Steady(Vec3::ZERO) {
            return None;
        }
        let pose = plane.0.pose(&plane.1.at(t).pose);
        let n = pose.vector_to_world(half_space.normal());
        let height = n.dot(trajectory.place(t) - pose.translation) - half_space.offset();
        Some(Quadratic {
            gap: height - radius,
            rate: n.dot(trajectory.velocity(t) - plane.1.velocity(t)),
            bend: n.dot(trajectory.path_acceleration() - plane.1.path_acceleration()),
        })
    }

    fn look(&self, t: f64, scratch: &mut Scratch) -> Result<Look, Trouble> {
        let [a, b] = self.surfaces;
        let poses = [a.pose(&self.trajectories[0].at(t).pose), b.pose(&self.trajectories[1].at(t).pose)];
        let found = ask(poses, |p, q| narrow::distance(&a.shape, p, &b.shape, q, scratch))?;
        Ok(match found {
            Distance::Separated(apart) => Look { gap: apart.distance, normal: apart.normal },
            Distance::Overlapping(contact) => Look { gap: -contact.depth, normal: contact.normal },
        })
    }

    /// From distance to distance; see the head of the file.
    fn advance(
        &self,
        start: f64,
        scratch: &mut Scratch,
        mut trend: impl FnMut(f64, &mut Scratch) -> Result<Trend, Trouble>,
    ) -> Result<Option<f64>, Trouble> {
        let least = (self.end - start) * MIN_JUMP;
        let thinnest = self.surfaces[0].width.min(self.surfaces[1].width);
        let mut t = start;
        // The last time before t at which they did not overlap.
        let mut apart: Option<f64> = None;
        for looks in 0..MAX_DISTANCES {
            let seen = self.look(t, scratch)?;
            if seen.gap < -self.touch
                && let Some(before) = apart.take()
            {
                let root = self.root(before, t, scratch)?;
                if trend(root, scratch)? == Trend::Closing {
                    return Ok(Some(root));
                }
            }
            let touching = seen.gap <= self.touch;
            if touching {
                match trend(t, scratch)? {
                    Trend::Closing => return Ok(Some(t)),
                    Trend::Waiting => return Ok(None),
                    Trend::Parting => {}
                }
            }
            let room = if touching { 0.0 } else { seen.gap - 0.5 * self.touch };
            let closing = self.closing(seen.normal, t);
            let Some(s) = closing.reach(room) else { return Ok(None) };
            if seen.gap > -self.touch {
                apart = Some(t);
            }
            // Never so far that anything could pass through.
            let jump = least.min(0.25 * thinnest / closing.rate.abs());
            let next = t + if touching || looks > DISTANCES_BEFORE_JUMPS { s.max(jump) } else { s };
            // Time that does not go on any more by rounding: as close as numbers can tell.
            if next <= t {
                return Ok((trend(t, scratch)? == Trend::Closing).then_some(t));
            }
            if next >= self.end {
                if t + s >= self.end {
                    return Ok(None);
                }
                let last = self.end;
                if self.look(last, scratch)?.gap > -self.touch {
                    return Ok(None);
                }
                t = last;
                continue;
            }
            t = next;
        }
        Ok(None)
    }

    /// Returns `true` if the bodies cannot pass each other from `t` to the end of the step, however they
    /// turn: nothing is lost if the pair waits for the next one.
    pub(super) fn may_wait(&self, t: f64) -> bool {
        let [a, b] = self.trajectories.map(|trajectory| trajectory.now(t).twist);
        let turning = [(a, 0), (b, 1)].map(|(twist, k)| {
            let speed = twist.angular.length();
            if speed == 0.0 { 0.0 } else { speed * self.surfaces[k].sway }
        });
        let way = ((a.linear - b.linear).length() + turning[0] + turning[1]) * (self.end - t);
        way < 0.25 * self.surfaces[0].width.min(self.surfaces[1].width)
    }

    /// Bound on the approach of the bodies along a normal from `t` on.
    fn closing(&self, normal: Vec3, t: f64) -> Closing {
        let [a, b] = self.trajectories;
        let velocity = a.velocity(t) - b.velocity(t);
        let acceleration = a.path_acceleration() - b.path_acceleration();
        let flat = self.surfaces.iter().all(|surface| surface.convex);
        let turning = [0, 1].map(|k| {
            let swing = self.surfaces[k].sway;
            let speed = match self.trajectories[k].spin(self.end) {
                TurnRate::Steady(omega) if flat => normal.cross(omega).length(),
                TurnRate::Steady(omega) => omega.length(),
                TurnRate::Bounded(most) => most,
            };
            if speed == 0.0 { 0.0 } else { speed * swing }
        });
        let speed = turning[0] + turning[1];
        if flat {
            Closing { rate: normal.dot(velocity) + speed, bend: normal.dot(acceleration) }
        } else {
            Closing { rate: velocity.length() + speed, bend: acceleration.length() }
        }
    }

    /// Root of the gap between a time at which the bodies are apart and one at which they overlap.
    fn root(&self, apart: f64, overlap: f64, scratch: &mut Scratch) -> Result<f64, Trouble> {
        let (mut low, mut high) = (apart, overlap);
        let mut gaps = [self.look(low, scratch)?.gap, self.look(high, scratch)?.gap];
        for round in 0..80 {
            let secant = low + (high - low) * (gaps[0] / (gaps[0] - gaps[1]));
            // Secants alone creep where the gap bends: every third point halves.
            let usable = round % 3 < 2 && secant > low && secant < high;
            let middle = if usable { secant } else { 0.5 * (low + high) };
            if middle <= low || middle >= high {
                break;
            }
            let gap = self.look(middle, scratch)?.gap;
            if gap.abs() <= self.touch {
                return Ok(middle);
            }
            if gap > 0.0 { (low, gaps[0]) = (middle, gap) } else { (high, gaps[1]) = (middle, gap) }
        }
        Ok(low)
    }
}

/// gap + rate·s + ½ bend·s².
#[derive(Debug, Clone, Copy)]
struct Quadratic {
    gap: f64,
    rate: f64,
    bend: f64,
}

impl Quadratic {
    /// The first s ≥ 0 at which it is touching, as far as it comes from above.
    fn first(self, touch: f64) -> Option<f64> {
        if self.gap <= touch {
            return Some(0.0);
        }
        let root = self.discriminant()?.sqrt();
        if self.rate < 0.0 {
            // The smaller root, without cancellation.
            Some(2.0 * self.gap / (root - self.rate))
        } else if self.bend < 0.0 {
            Some((self.rate + root) / -self.bend)
        } else {
            None
        }
    }

    /// The s after `s`, at which it was zero or nearly, where it comes down again.
    fn again(self, s: f64) -> Option<f64> {
        if self.bend >= 0.0 {
            return None;
        }
        // Without a root it never leaves: it turns round inside of the tolerance.
        let root = self.discriminant().map_or(0.0, f64::sqrt);
        let next = (self.rate + root) / -self.bend;
        (next > s).then_some(next)
    }

    fn discriminant(self) -> Option<f64> {
        let value = self.rate * self.rate - 2.0 * self.bend * self.gap;
        (value >= 0.0).then_some(value)
    }
}

/// rate·s + ½ bend·s²: how much closer the bodies can come in a time s.
#[derive(Debug, Clone, Copy)]
struct Closing {
    rate: f64,
    bend: f64,
}

impl Closing {
    /// First time at which it reaches `room` ≥ 0; `None` if never.
    fn reach(self, room: f64) -> Option<f64> {
        if !self.rate.is_finite() {
            return Some(0.0);
        }
        if self.rate <= 0.0 && self.bend <= 0.0 {
            return None;
        }
        let discriminant = self.rate * self.rate + 2.0 * self.bend * room;
        if discriminant < 0.0 {
            return None;
        }
        let root = discriminant.sqrt();
        Some(if self.rate >= 0.0 {
            if room == 0.0 { 0.0 } else { 2.0 * room / (self.rate + root) }
        } else {
            (root - self.rate) / self.bend
        })
    }
}
