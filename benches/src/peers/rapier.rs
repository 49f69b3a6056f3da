//! rapier3d-f64 at its defaults, but for sleep, which is off: a scene that stands still would measure
//! nothing.

use crate::ours::{Quat, Vec3};
use crate::rigid::{DENSITY, End, FRICTION, Form, GRAVITY, Runner, Scene};
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder, Vector,
};

/// A scene, ready to step.
pub struct Rapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

impl Rapier {
    /// The scene.
    pub fn new(scene: &Scene) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -GRAVITY), ..PhysicsWorld::default() };
        world.integration_parameters.dt = scene.step;
        let anchor = world.bodies.insert(RigidBodyBuilder::fixed());
        let handles: Vec<RigidBodyHandle> = scene
            .solids
            .iter()
            .map(|solid| {
                let body = if solid.fixed { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
                let body = body.translation(vector(solid.at)).can_sleep(false);
                let collider = match solid.form {
                    Form::Ball(radius) => ColliderBuilder::ball(radius),
                    Form::Block(half) => ColliderBuilder::cuboid(half.x, half.y, half.z),
                };
                let collider = collider.density(DENSITY).friction(FRICTION);
                let collider = if solid.touches {
                    collider
                } else {
                    collider.collision_groups(rapier3d_f64::prelude::InteractionGroups::none())
                };
                world.insert(body, collider).0
            })
            .collect();
        for link in &scene.links {
            let [a, b] = link.bodies.map(|body| body.map_or(anchor, |k| handles[k]));
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vector(link.anchors[0]))
                .local_anchor2(vector(link.anchors[1]));
            world.impulse_joints.insert(a, b, joint, true);
        }
        Self { world, handles }
    }
}

impl Runner for Rapier {
    fn step(&mut self) -> Result<(), String> {
        self.world.step();
        Ok(())
    }

    fn ends(&self) -> Vec<End> {
        let end = |handle: &RigidBodyHandle| {
            let body = &self.world.bodies[*handle];
            let (at, q) = (body.translation(), body.rotation());
            let (v, w) = (body.linvel(), body.angvel());
            End {
                at: Vec3::new(at.x, at.y, at.z),
                turned: Quat::from_xyzw(q.x, q.y, q.z, q.w),
                velocity: Vec3::new(v.x, v.y, v.z),
                spin: Vec3::new(w.x, w.y, w.z),
            }
        };
        self.handles.iter().map(end).collect()
    }
}
