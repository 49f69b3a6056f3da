//! A small library of scenes with known answers: what examples, tests, benches and demonstrations share.
//!
//! Each scene is a state and its laws; [`Scene::prepare`] gives it to an integrator. Units are natural (G =
//! 1, unit masses and lengths) unless a scene says otherwise.

use super::core::component::{ComponentId, Components};
use super::core::fault::BuildError;
use super::core::model::Model;
use super::core::state::State;
use crate::attributes::{AngularVelocity, Inertia, Mass, Orientation, Position, Velocity};
use crate::integrate::{Integrator, Stepper};
use crate::laws::{Body, Custom, Laws, NewtonianGravity, Springs};
use crate::mechanics::Mechanics;
use crate::space::{Directed, OneD, Space, ThreeD};
use gedanken_math::units::{self, METRE, Quantity};
use gedanken_math::{Quat, Vec3};

/// A state and the laws that act on it.
#[derive(Debug, Clone)]
pub struct Scene<S: Space> {
    /// Name.
    pub name: &'static str,
    /// The initial state.
    pub state: State,
    /// The laws.
    pub laws: Laws<S>,
    /// A natural unit of time: the period of a periodic motion.
    pub period: f64,
}

impl<S: Space> Scene<S> {
    /// The mechanics of the scene, in a model that has what the integrator keeps, and the initial state in
    /// it.
    pub fn mechanics(&self, integrator: &Integrator) -> Result<(Mechanics<S>, State), BuildError> {
        let model = integrator.equip::<S>(self.state.model().clone());
        Ok((Mechanics::new(&model, self.laws.clone())?, self.state.onto(&model)))
    }

    /// A stepper for the scene and the initial state.
    pub fn prepare(&self, integrator: &'static Integrator) -> Result<(Stepper<S>, State), BuildError> {
        let (mechanics, state) = self.mechanics(integrator)?;
        Ok((integrator.prepare(&mechanics)?, state))
    }
}

/// A model of point masses.
#[must_use]
pub fn point_masses<S: Space>(components: Components) -> Model {
    Model::new(components).with::<Position<S>>().with::<Velocity<S>>().with::<Mass>()
}

/// A model of rigid bodies.
#[must_use]
pub fn rigid_bodies(components: Components) -> Model {
    point_masses::<ThreeD>(components).with::<Orientation>().with::<AngularVelocity>().with::<Inertia>()
}

const FITS: &str = "a scene's own names, masses and values are sound";

fn place<S: Space>(state: &mut State, id: ComponentId, m: f64, r: S::Vector, v: S::Vector) {
    state.set::<Mass>(id, Quantity::new(m)).expect(FITS);
    state.set::<Position<S>>(id, Quantity::new(r)).expect(FITS);
    state.set::<Velocity<S>>(id, Quantity::new(v)).expect(FITS);
}

/// One body of unit mass called `name`, under one law.
fn one_body<S: Space>(
    name: &'static str,
    law: Custom<S>,
    r: S::Vector,
    v: S::Vector,
    period: f64,
) -> Scene<S> {
    let model = point_masses::<S>(Components::atoms([name]).expect(FITS));
    let mut state = model.state();
    place::<S>(&mut state, model.id(name).expect(FITS), 1.0, r, v);
    Scene { name, state, laws: law.without_velocity().into(), period }
}

fn force<S: Space>(f: S::Vector) -> Directed<S, units::Force> {
    Quantity::new(f)
}

/// A planet on an ellipse of eccentricity `e` and semi-major axis 1 about a fixed centre, from perihelion, in
/// the x-y plane. Period 2π, energy -½, angular momentum √(1 - e²).
#[must_use]
pub fn kepler(e: f64) -> Scene<ThreeD> {
    let sun = Custom::new("sun", |b: &Body<ThreeD>| {
        let r = b.position.si();
        let d2 = r.length_squared();
        force::<ThreeD>(r * (-1.0 / (d2 * d2.sqrt())))
    });
    let sun = sun.with_energy(|b| Quantity::new(-1.0 / b.position.si().length()));
    let speed = ((1.0 + e) / (1.0 - e)).sqrt();
    let (r, v) = (Vec3::new(1.0 - e, 0.0, 0.0), Vec3::new(0.0, speed, 0.0));
    one_body("planet", sun, r, v, 2.0 * std::f64::consts::PI)
}

/// A body under a central force -rⁿ, at distance 1, with 1 + `excess` times the circular speed.
#[must_use]
pub fn power_law(n: f64, excess: f64) -> Scene<ThreeD> {
    let centre = Custom::new("centre", move |b: &Body<ThreeD>| {
        let r = b.position.si();
        force::<ThreeD>(r * -libm::pow(r.length(), n - 1.0))
    });
    let speed = Vec3::new(0.0, 1.0 + excess, 0.0);
    one_body("body", centre, Vec3::X, speed, 2.0 * std::f64::consts::PI)
}

/// A body on a line bound to the origin with angular frequency ω, at x = 1 at rest.
#[must_use]
pub fn oscillator(omega: f64) -> Scene<OneD> {
    let k = omega * omega;
    let spring = Custom::new("spring", move |b: &Body<OneD>| force::<OneD>(-k * b.position.si()));
    let spring = spring.with_energy(move |b| Quantity::new(0.5 * k * b.position.si() * b.position.si()));
    one_body("body", spring, 1.0, 0.0, 2.0 * std::f64::consts::PI / omega)
}

/// A mathematical pendulum of length 1 m on Earth, let go at `angle` radians: the coordinate is the angle.
#[must_use]
pub fn pendulum(angle: f64) -> Scene<OneD> {
    let g = 9.81;
    let weight = Custom::new("weight", move |b: &Body<OneD>| force::<OneD>(-g * libm::sin(b.position.si())));
    let weight = weight.with_energy(move |b| Quantity::new(-g * libm::cos(b.position.si())));
    one_body("bob", weight, angle, 0.0, 2.0 * std::f64::consts::PI / g.sqrt())
}

/// Three equal masses chasing each other along a figure eight (@chenciner2000).
#[must_use]
pub fn figure_eight() -> Scene<ThreeD> {
    let model = point_masses::<ThreeD>(Components::atoms(["a", "b", "c"]).expect(FITS));
    let mut state = model.state();
    let r1 = Vec3::new(0.970_004_36, -0.243_087_53, 0.0);
    let v1 = Vec3::new(0.466_203_685, 0.432_365_73, 0.0);
    for (name, r, v) in [("a", r1, v1), ("b", -r1, v1), ("c", Vec3::ZERO, v1 * -2.0)] {
        place::<ThreeD>(&mut state, model.id(name).expect(FITS), 1.0, r, v);
    }
    let gravity = NewtonianGravity::new(Quantity::new(1.0)).with_softening(0.0 * METRE);
    Scene { name: "figure eight", state, laws: gravity.into(), period: 6.325_913_98 }
}

/// `count` unit masses on a line between two walls, joined by springs of stiffness 1, in the normal mode
/// `mode`: x_k = amplitude · sin(mode π k/(count + 1)) about the places of rest. Its angular frequency is 2
/// sin(mode π/2(count + 1)).
#[must_use]
pub fn chain(count: usize, mode: usize, amplitude: f64) -> Scene<OneD> {
    let names = std::iter::once("left wall".to_owned()).chain((1..=count).map(|k| format!("m{k}")));
    let components = Components::atoms(names.chain(["right wall".to_owned()])).expect(FITS);
    let model = point_masses::<OneD>(components);
    let ids: Vec<ComponentId> = model.components().iter().collect();
    let mut state = model.state();
    let phase = mode as f64 * std::f64::consts::PI / (count + 1) as f64;
    for (k, &id) in ids.iter().enumerate() {
        let swing = amplitude * libm::sin(phase * k as f64);
        state.set::<Position<OneD>>(id, (k as f64 + swing) * METRE).expect(FITS);
        if (1..=count).contains(&k) {
            state.set::<Velocity<OneD>>(id, Quantity::new(0.0)).expect(FITS);
            state.set::<Mass>(id, Quantity::new(1.0)).expect(FITS);
        }
    }
    let springs =
        ids.windows(2).fold(Springs::new(), |s, ab| s.link(ab[0], ab[1], Quantity::new(1.0), 1.0 * METRE));
    let period = std::f64::consts::PI / libm::sin(0.5 * phase);
    Scene { name: "harmonic chain", state, laws: springs.into(), period }
}

/// A free body with three different moments of inertia, spinning almost about the middle one: it tumbles
/// (Dzhanibekov). `omega` is the initial angular velocity, body and world frame coinciding.
#[must_use]
pub fn tumbling(moments: Vec3, omega: Vec3) -> Scene<ThreeD> {
    let model = rigid_bodies(Components::atoms(["body"]).expect(FITS));
    let mut state = model.state();
    let body = model.id("body").expect(FITS);
    place::<ThreeD>(&mut state, body, 1.0, Vec3::ZERO, Vec3::ZERO);
    state.set::<Orientation>(body, Quat::IDENTITY).expect(FITS);
    state.set::<Inertia>(body, Quantity::new(moments)).expect(FITS);
    state.set::<AngularVelocity>(body, Quantity::new(omega)).expect(FITS);
    Scene {
        name: "tumbling body",
        state,
        laws: Laws::none(),
        period: 2.0 * std::f64::consts::PI / omega.length(),
    }
}

/// `count` equal masses, of total mass 1, drawn from a Plummer sphere of scale length 1, at rest at the
/// start.
#[must_use]
pub fn cluster(count: usize, seed: u64, softening: f64) -> Scene<ThreeD> {
    let model = point_masses::<ThreeD>(Components::numbered("star", count).expect(FITS));
    let mut state = model.state();
    let mut random = Random(seed);
    for id in model.components().iter() {
        // The mass inside r is r³/(1 + r²)^(3/2): invert it, cutting off the far tail.
        let share = 0.001 + 0.998 * random.unit();
        let r = 1.0 / (libm::pow(share, -2.0 / 3.0) - 1.0).sqrt();
        place::<ThreeD>(&mut state, id, 1.0 / count as f64, random.direction() * r, Vec3::ZERO);
    }
    let gravity = NewtonianGravity::new(Quantity::new(1.0)).with_softening(softening * METRE);
    Scene { name: "star cluster", state, laws: gravity.into(), period: 1.0 }
}

/// SplitMix64 (@steele2014): a seed in, a reproducible sequence out.
struct Random(u64);

impl Random {
    /// Uniform between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform on the unit sphere.
    fn direction(&mut self) -> Vec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = libm::sincos(2.0 * std::f64::consts::PI * self.unit());
        let rho = (1.0 - z * z).sqrt();
        Vec3::new(rho * cos, rho * sin, z)
    }
}
