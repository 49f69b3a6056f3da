//! The bodies: a Plummer sphere in equilibrium from a fixed seed (@aarseth1974), G = M = a = 1.
//!
//! ρ(r) ∝ (1 + r²)^(-5/2)      r = (u^(-2/3) - 1)^(-1/2)      v = q √2 (1 + r²)^(-1/4)
//!
//! with u uniform and q of density q² (1 - q²)^(7/2), found by rejection.

use crate::random::Random;

/// A point mass on its way.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Mass.
    pub mass: f64,
    /// Position.
    pub position: [f64; 3],
    /// Velocity.
    pub velocity: [f64; 3],
}

/// A sphere of n equal bodies, at rest as a whole. The tail beyond r = 10 is cut.
pub fn sphere(n: usize, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let mut bodies: Vec<Body> = (0..n).map(|_| random.body(1.0 / n as f64)).collect();
    for k in 0..3 {
        let position = bodies.iter().map(|body| body.position[k]).sum::<f64>() / n as f64;
        let velocity = bodies.iter().map(|body| body.velocity[k]).sum::<f64>() / n as f64;
        for body in &mut bodies {
            body.position[k] -= position;
            body.velocity[k] -= velocity;
        }
    }
    bodies
}

/// Kinetic and softened potential energy, by the plainest loop there is, the same for all sides.
pub fn energy(bodies: &[Body], softening: f64) -> f64 {
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let mut energy = 0.0;
    for (i, a) in bodies.iter().enumerate() {
        energy += a.mass * square(a.velocity) / 2.0;
        for b in &bodies[..i] {
            let d = std::array::from_fn(|k| a.position[k] - b.position[k]);
            energy -= a.mass * b.mass / (square(d) + softening * softening).sqrt();
        }
    }
    energy
}

/// Largest distance between the same body on two sides.
pub fn distance(a: &[Body], b: &[Body]) -> f64 {
    let of = |a: &Body, b: &Body| {
        let d: [f64; 3] = std::array::from_fn(|k| a.position[k] - b.position[k]);
        (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
    };
    a.iter().zip(b).map(|(a, b)| of(a, b)).fold(0.0, f64::max)
}

impl Random {
    /// Of the given length, in any direction.
    fn vector(&mut self, length: f64) -> [f64; 3] {
        loop {
            let v = [(); 3].map(|()| 2.0 * self.uniform() - 1.0);
            let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if square <= 1.0 && square > 0.01 {
                return v.map(|x| x * (length / square.sqrt()));
            }
        }
    }

    fn body(&mut self, mass: f64) -> Body {
        let r = loop {
            let root = libm::cbrt(self.uniform());
            let r = 1.0 / (1.0 / (root * root) - 1.0).sqrt();
            if r < 10.0 {
                break r;
            }
        };
        let q = loop {
            let (q, height) = (self.uniform(), self.uniform() * 0.1);
            let rest = 1.0 - q * q;
            if height < q * q * rest * rest * rest * rest.sqrt() {
                break q;
            }
        };
        let speed = q * (2.0 / (1.0 + r * r).sqrt()).sqrt();
        Body { mass, position: self.vector(r), velocity: self.vector(speed) }
    }
}
