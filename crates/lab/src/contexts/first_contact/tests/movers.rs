//! Motions with closed forms and exact bounds, which count how often they are asked.

use crate::contexts::trajectory::bounds::{Bounds, Mover, Placed};
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere, bounds::radius_about};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::{Sources, Span};
use gedanken_math::{Pose, Quat, Vec3, rotation::from_rotation_vector};

pub(super) fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).expect("a positive radius"))
}

pub(super) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).expect("positive lengths"))
}

/// Everything below z = 0.
pub(super) fn floor() -> Trajectory {
    Trajectory::at(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).expect("a normal")), Vec3::ZERO)
}

/// x(t) = x0 + v t + a t²/2 with t counted from `epoch`, turning uniformly.
#[derive(Clone, Debug)]
pub(super) struct Trajectory {
    pub(super) shape: Shape,
    pub(super) start: Vec3,
    pub(super) velocity: Vec3,
    pub(super) acceleration: Vec3,
    pub(super) orientation: Quat,
    pub(super) spin: Vec3,
    pub(super) epoch: f64,
    /// `true` if the bounds include the axis about which it turns.
    pub(super) axis_known: bool,
    pub(super) places: u32,
    pub(super) bounds: u32,
}

impl Trajectory {
    pub(super) fn at(shape: Shape, start: Vec3) -> Self {
        Self {
            shape,
            start,
            velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            orientation: Quat::IDENTITY,
            spin: Vec3::ZERO,
            epoch: 0.0,
            axis_known: true,
            places: 0,
            bounds: 0,
        }
    }

    pub(super) fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    pub(super) fn falling(self, g: f64) -> Self {
        Self { acceleration: Vec3::new(0.0, 0.0, -g), ..self }
    }

    pub(super) fn spinning(self, spin: Vec3) -> Self {
        Self { spin, ..self }
    }

    fn position(&self, t: f64) -> Vec3 {
        let t = t - self.epoch;
        self.start + (self.velocity + self.acceleration * (0.5 * t)) * t
    }
}

impl Mover for Trajectory {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        self.places += 1;
        let turned = from_rotation_vector(self.spin * (t - self.epoch)) * self.orientation;
        Ok(Placed { shape: self.shape.clone(), pose: Pose::new(turned.normalize(), self.position(t)) })
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        self.bounds += 1;
        let velocity = |t: f64| self.velocity + self.acceleration * (t - self.epoch);
        let (first, last) = (velocity(from), velocity(to));
        let hair = |v: Vec3| v.abs() * 4.0 * f64::EPSILON;
        let slowest = first.min(last) - hair(first.min(last));
        let fastest = first.max(last) + hair(first.max(last));
        let (start, way) = (self.position(from), to - from);
        Some(Bounds {
            least: (start + slowest * way).min(start) - hair(start),
            greatest: (start + fastest * way).max(start) + hair(start),
            slowest,
            fastest,
            spin: self.spin.length() * (1.0 + 8.0 * f64::EPSILON),
            turning: self.axis_known.then(|| [self.spin - hair(self.spin), self.spin + hair(self.spin)]),
            radius: radius_about(&self.shape, Vec3::ZERO),
            growth: 0.0,
            steady: true,
        })
    }
}

/// A height h(t) above the floor, any function, of a ball with a radius r(t).
pub(super) struct Height<H, R> {
    /// The height and the radius at t.
    pub(super) at: H,
    /// Ranges of height, its rate and the radius's rate on an interval, and `true` without a jump; `None`
    /// without bounds.
    pub(super) range: R,
    /// Time from which on the law fails.
    pub(super) fails: f64,
}

/// The least and greatest height, its least and greatest rate, the greatest radius and its fastest change, no
/// jumps.
pub(super) type Range = (f64, f64, f64, f64, f64, f64, bool);

impl<H: FnMut(f64) -> (f64, f64), R: FnMut(f64, f64) -> Option<Range>> Mover for Height<H, R> {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        if t >= self.fails {
            return Err(Box::new(failure(t)));
        }
        let (height, radius) = (self.at)(t);
        Ok(Placed { shape: ball(radius), pose: Pose::at(Vec3::new(0.0, 0.0, height)) })
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        let (least, greatest, slowest, fastest, radius, growth, steady) = (self.range)(from, to)?;
        Some(Bounds {
            least: Vec3::new(0.0, 0.0, least),
            greatest: Vec3::new(0.0, 0.0, greatest),
            slowest: Vec3::new(0.0, 0.0, slowest),
            fastest: Vec3::new(0.0, 0.0, fastest),
            spin: 0.0,
            turning: None,
            radius,
            growth,
            steady,
        })
    }
}

/// A law that has failed at `t`.
fn failure(t: f64) -> Diagnostic {
    let mut sources = Sources::new();
    let source = sources.add("test.lab", "");
    let code = gedanken_lang::diagnostic::CATALOGUE[0].code;
    Diagnostic::new(code, Span::new(source, 0..0), format!("failed at {t}"))
}

/// Least and greatest value of cos on [from, to], with a hair of room.
pub(super) fn cosine(from: f64, to: f64) -> (f64, f64) {
    let turn = std::f64::consts::TAU;
    let contains = |phase: f64| ((to - phase) / turn).floor() >= ((from - phase) / turn).ceil();
    let (first, last) = (libm::cos(from), libm::cos(to));
    let least = if contains(0.5 * turn) { -1.0 } else { first.min(last) };
    let greatest = if contains(0.0) { 1.0 } else { first.max(last) };
    (least - 1e-15, greatest + 1e-15)
}

/// A motion whose bounds are known for short intervals only.
pub(super) struct Short<M>(pub(super) M, pub(super) f64);

impl<M: Mover> Mover for Short<M> {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        self.0.place(t)
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        if to - from > self.1 { None } else { self.0.bounds(from, to) }
    }
}

/// A body that swings about an axis through its origin: the angle is `amplitude` · sin(rate t).
pub(super) struct Swing {
    pub(super) shape: Shape,
    pub(super) axis: Vec3,
    pub(super) amplitude: f64,
    pub(super) rate: f64,
    pub(super) places: u32,
}

impl Mover for Swing {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        self.places += 1;
        let turned = from_rotation_vector(self.axis * (self.amplitude * libm::sin(self.rate * t)));
        Ok(Placed { shape: self.shape.clone(), pose: Pose::new(turned, Vec3::ZERO) })
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        let (least, greatest) = cosine(self.rate * from, self.rate * to);
        let speed = self.amplitude * self.rate;
        let ends = [self.axis * (speed * least), self.axis * (speed * greatest)];
        let hair = Vec3::splat(1e-14 * speed);
        Some(Bounds {
            least: Vec3::ZERO,
            greatest: Vec3::ZERO,
            slowest: Vec3::ZERO,
            fastest: Vec3::ZERO,
            spin: speed * least.abs().max(greatest.abs()),
            turning: Some([ends[0].min(ends[1]) - hair, ends[0].max(ends[1]) + hair]),
            radius: radius_about(&self.shape, Vec3::ZERO),
            growth: 0.0,
            steady: true,
        })
    }
}
