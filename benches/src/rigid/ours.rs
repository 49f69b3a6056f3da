//! A scene in our hands.

use super::{DENSITY, End, FRICTION, Form, GRAVITY, Runner, Scene};
use crate::ours::rigid::contacts::Report;
use crate::ours::rigid::joints::{Ends, JointAnchor, Point};
use crate::ours::rigid::{Body, Material, Settings, Simulation, World};
use crate::ours::{ComponentId, Cuboid, Pose, Quantity, Shape, Sphere, UniformGravity, Vec3};

/// A scene, ready to step.
pub struct Ours {
    run: Simulation,
    ids: Vec<ComponentId>,
    step: f64,
}

impl Ours {
    /// The scene with the default settings.
    pub fn new(scene: &Scene) -> Result<Self, String> {
        Self::with(scene, Settings::default())
    }

    /// The scene with these settings.
    pub fn with(scene: &Scene, settings: Settings) -> Result<Self, String> {
        Self::build(scene, settings).map_err(|error| error.to_string())
    }

    /// Residuals of the last step.
    pub fn report(&self) -> Report {
        self.run.report()
    }

    fn build(scene: &Scene, settings: Settings) -> Result<Self, Box<dyn std::error::Error>> {
        let mut bodies = Vec::new();
        for (k, solid) in scene.solids.iter().enumerate() {
            let shape = match solid.form {
                Form::Ball(radius) => Shape::Sphere(Sphere::new(radius)?),
                Form::Block(half) => Shape::Cuboid(Cuboid::new(half * 2.0)?),
            };
            let pose = Pose::at(solid.at);
            let body = if solid.fixed { Body::fixed(shape, pose) } else { Body::dynamic(shape, pose) };
            let body = body.with_density(DENSITY).with_material("all");
            bodies.push((format!("body{k}"), if solid.touches { body } else { body.without_contacts() }));
        }
        let gravity = UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -GRAVITY)));
        let mut world = World::new(bodies, [Material::new("all", 0.0, FRICTION)?])?.with_laws(gravity);
        let id = |world: &World, k: usize| world.id(&format!("body{k}"));
        for (k, link) in scene.links.iter().enumerate() {
            let [a, b] = link.bodies;
            let b = id(&world, b.ok_or("the second body of a link is a body")?)?;
            let a = a.map_or(Ok(ComponentId::WORLD), |a| id(&world, a))?;
            let grips = (JointAnchor::at(b, link.anchors[1]), JointAnchor::at(a, link.anchors[0]));
            let joint = Point::new(Ends::between(&world, format!("link{k}"), grips.0, grips.1)?)?;
            world = world.with_constraint(joint)?;
        }
        let ids = (0..scene.solids.len()).map(|k| id(&world, k)).collect::<Result<_, _>>()?;
        Ok(Self { run: Simulation::new(world, settings)?, ids, step: scene.step })
    }
}

impl Runner for Ours {
    fn step(&mut self) -> Result<(), String> {
        self.run.step(self.step).map_err(|fault| fault.to_string())
    }

    fn ends(&self) -> Vec<End> {
        let end = |id: &ComponentId| {
            let (pose, twist) = (self.run.pose(*id), self.run.twist(*id));
            End { at: pose.translation, turned: pose.rotation, velocity: twist.linear, spin: twist.angular }
        };
        self.ids.iter().map(end).collect()
    }
}
