//! From an experiment with `solver = soft` to a mechanism.
//!
//! Joints become a [`tree`] from the ground and from kinematic bodies; those that close loops become equalities of
//! their kind. Tree joints are exact, loops are soft, so the choice is fixed by names and told when a run begins.
//! Laws and conditions of the file are left to the [`surroundings`](super::surroundings).

mod joint;
mod shape;
mod tree;
mod velocity;

use super::build::Built;
use super::surroundings::{Outside, UniformMotion};
use crate::rigid;
use crate::run::options::Options;
use gedanken_experiment::{Coefficient, Experiment, Joint, Object, Simulation};
use gedanken_experiment::{DEFAULT_FRICTION, rigid::soft::SoftSettings};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::{
    Body, BodyId, ContactDimension, Description, Equality, EqualityKind, Geom, Inequality, InequalityKind,
    JointId, Settings, SolverSettings, Surface,
};
use gedanken_multibody::surroundings::Surroundings as _;
use gedanken_rigid::World;
use joint::JointPlace;
use tree::{Carrier, SpanningTree};

/// Makes the mechanism of a simulation with soft constraints.
///
/// # Errors
/// What soft constraints cannot do, and bodies or joints that cannot be.
pub(super) fn build(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Result<Built, Vec<Diagnostic>> {
    let maker = Maker { experiment, simulation, soft: soft(simulation) };
    let mut said = Vec::new();
    let world = rigid::build_surroundings(experiment, simulation, options)?;
    let movers: Vec<usize> =
        simulation.objects.iter().copied().filter(|&it| moves(&experiment.objects[it])).collect();
    let joints = maker.joints();
    let ends: Vec<[Option<usize>; 2]> = joints.iter().map(|joint| maker.ends(joint, &movers)).collect();
    let is_kinematic: Vec<bool> = movers.iter().map(|&it| experiment.objects[it].is_kinematic).collect();
    let spanned = SpanningTree::new(&is_kinematic, &joints, &ends);
    // What stands still comes first, each thing for itself.
    let standing: Vec<usize> =
        simulation.objects.iter().copied().filter(|&it| !moves(&experiment.objects[it])).collect();
    let first_mover = 1 + standing.len();
    let mut ids = vec![BodyId::WORLD; movers.len()];
    for (at, &mover) in spanned.order.iter().enumerate() {
        ids[mover] = BodyId::new(first_mover + at);
    }
    let mut description = Description::new(simulation.name.clone());
    description.settings = maker.settings();
    maker.add_ground(&standing, &mut description, &mut said);
    for &mover in &spanned.order {
        let carrier = spanned.carriers[mover].unwrap_or(Carrier::Free);
        maker.add_body(&movers, mover, carrier, (&joints, &ids), &mut description, &mut said);
    }
    let mut notices = Vec::new();
    for &number in &spanned.cut {
        let bodies = ends[number].map(|end| end.map_or(BodyId::WORLD, |mover| ids[mover]));
        let place = maker.place(joints[number]);
        place.close_loop(bodies, maker.soft.defaults.softness(), &mut description, &mut notices, &mut said);
    }
    maker.keep_apart(&joints, &mut description);
    maker.couple(&mut description, &mut notices, &mut said);
    let body_of = |object: &usize| movers.binary_search(object).ok().map(|mover| ids[mover]);
    let bodies: Vec<Option<BodyId>> = simulation.objects.iter().map(body_of).collect();
    maker.add_conditions(&world.world, &bodies, &mut description);
    if !said.is_empty() {
        return Err(said);
    }
    let model = Model::new(description)
        .map_err(|error| vec![Diagnostic::new(Code::E808, simulation.span, error.to_string())])?;
    let mut state = model.initial_state();
    state.time = simulation.initial_time;
    let courses = spanned.order.iter().filter(|&&mover| is_kinematic[mover]);
    let courses = courses.map(|&mover| maker.course(&experiment.objects[movers[mover]])).collect();
    let mut outside = Outside::new(courses, world, &bodies)
        .map_err(|error| vec![rigid::refused(&error, experiment, simulation)])?;
    outside.prescribe(state.time, &mut state.prescribed);
    let given = |mover: usize| &experiment.objects[movers[mover]];
    let objects = (first_mover..).zip(spanned.order.iter().map(|&mover| given(mover)));
    velocity::set(&model, &mut state, objects, &mut notices);
    // A geom has the name of its object, and objects stand by name.
    let place = |name: &str| {
        let by_name = |&index: &usize| experiment.objects[index].name.as_str().cmp(name);
        simulation.objects.binary_search_by(by_name).ok()
    };
    let places = model.description.geoms.iter().map(|geom| place(&geom.name)).collect();
    Ok(Built { model, bodies, places, state, outside, notices })
}

fn soft(simulation: &Simulation) -> SoftSettings {
    simulation.rigid().map(|it| it.soft).unwrap_or_default()
}

/// Returns `true` if an object moves, by forces or as it is told.
fn moves(object: &Object) -> bool {
    !object.is_static
}

struct Maker<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    soft: SoftSettings,
}

impl<'e> Maker<'e> {
    /// How a kinematic object moves.
    fn course(&self, object: &Object) -> UniformMotion {
        let given = |name: &str| {
            Vec3::from_array(object.attribute(name).and_then(|it| it.vector()).unwrap_or_default())
        };
        UniformMotion {
            start: object.pose(),
            initial_time: self.simulation.initial_time,
            velocity: given("velocity"),
            angular_velocity: given("angular_velocity"),
        }
    }

    /// Adds the conditions of the file's own; `bodies` are those of the tree, by place in the simulation.
    fn add_conditions(&self, world: &World, bodies: &[Option<BodyId>], description: &mut Description) {
        let softness = self.soft.defaults.softness();
        let body_of = |id: gedanken_dynamics::ComponentId| {
            let name = world.model().components().name(id);
            let place =
                self.simulation.objects.iter().position(|&it| self.experiment.objects[it].name == name);
            place.and_then(|place| bodies[place]).unwrap_or(BodyId::WORLD)
        };
        for (number, constraint) in world.constraints().iter().enumerate() {
            let (a, b) = constraint.bodies();
            let bodies = [body_of(a), b.map_or(BodyId::WORLD, body_of)];
            let name = constraint.name().to_owned();
            if constraint.has_limits() {
                let kind = InequalityKind::Outside { number, bodies };
                description.inequalities.push(Inequality { name, kind, softness });
            } else {
                let kind = EqualityKind::Outside { number, bodies };
                description.equalities.push(Equality { name, kind, softness, is_active: true });
            }
        }
    }

    fn settings(&self) -> Settings {
        let rigid = self.simulation.rigid();
        let soft = &self.soft;
        let iterations = rigid.and_then(|it| it.iterations).map_or(100, |count| count as usize);
        let mut settings = Settings {
            time_step: self.simulation.steps().1,
            gravity: Vec3::from_array(rigid.and_then(|it| it.gravity).unwrap_or_default()),
            integrator: soft.integrator,
            cone: soft.cone,
            impedance_ratio: soft.impedance_ratio,
            mixing: soft.defaults.mixing(),
            solver: SolverSettings {
                algorithm: soft.algorithm,
                line_search: soft.line_search,
                iterations,
                stopping: soft.stopping,
                no_slip_iterations: soft.no_slip_iterations,
                ..SolverSettings::default()
            },
            ..Settings::default()
        };
        // Which bodies meet is said by joints, body by body.
        settings.disabled.parent_filter = true;
        settings
    }

    fn joints(&self) -> Vec<&'e Joint> {
        let all = self.experiment.joints.iter();
        all.filter(|it| it.belongs_to(self.simulation, &self.experiment.objects)).collect()
    }

    /// The bodies of a joint; `None` for the ground.
    fn ends(&self, joint: &Joint, movers: &[usize]) -> [Option<usize>; 2] {
        let mover = |name: &str| {
            let object = self.experiment.object(name)?;
            movers.binary_search(&object).ok()
        };
        [mover(&joint.a.text), joint.b.as_ref().and_then(|name| mover(&name.text))]
    }

    fn place<'j>(&self, joint: &'j Joint) -> JointPlace<'j> {
        let object = |name: &str| self.experiment.object(name).map(|index| &self.experiment.objects[index]);
        let poses = [
            object(&joint.a.text).map_or(Pose::IDENTITY, Object::pose),
            joint.b.as_ref().and_then(|name| object(&name.text)).map_or(Pose::IDENTITY, Object::pose),
        ];
        // What stands still counts as the ground, in the world's frame.
        let stands = [
            object(&joint.a.text).is_none_or(|it| !moves(it)),
            joint.b.as_ref().and_then(|name| object(&name.text)).is_none_or(|it| !moves(it)),
        ];
        JointPlace::new(joint, poses, stands)
    }

    /// Everything that stands still: bodies that are fixed to the world, so that contacts with one of them can be
    /// left out.
    fn add_ground(&self, standing: &[usize], description: &mut Description, said: &mut Vec<Diagnostic>) {
        for &index in standing {
            let object = &self.experiment.objects[index];
            let id = BodyId::new(description.bodies.len());
            let body = Body { pose: object.pose(), ..Body::new(object.name.clone(), BodyId::WORLD) };
            description.bodies.push(body);
            self.add_geoms(object, id, description, said);
        }
    }

    /// A body that moves, with its joint and its geoms.
    fn add_body(
        &self,
        movers: &[usize],
        mover: usize,
        carrier: Carrier,
        (joints, ids): (&[&Joint], &[BodyId]),
        description: &mut Description,
        said: &mut Vec<Diagnostic>,
    ) {
        let object = &self.experiment.objects[movers[mover]];
        let weighed = match rigid::body(object, self.experiment) {
            Ok(body) => body,
            Err(diagnostic) => return said.push(*diagnostic),
        };
        let (parent, parent_pose) = match carrier {
            Carrier::Body(other, _) => (ids[other], self.experiment.objects[movers[other]].pose()),
            Carrier::Free | Carrier::Prescribed | Carrier::Ground(_) => (BodyId::WORLD, Pose::IDENTITY),
        };
        let mut body = Body::new(object.name.clone(), parent);
        body.pose = parent_pose.to(&object.pose());
        body.is_prescribed = carrier == Carrier::Prescribed;
        let weighed = match weighed.settled(&object.name) {
            Ok(weighed) => weighed,
            Err(error) => return said.push(rigid::refused(&error, self.experiment, self.simulation)),
        };
        body.mass = weighed.mass();
        body.inertia = weighed.moments();
        body.inertia_pose = weighed.frame().inverse();
        description.bodies.push(body);
        let id = ids[mover];
        match carrier {
            Carrier::Free => joint::add_free(id, description),
            Carrier::Prescribed => {}
            Carrier::Ground(number) | Carrier::Body(_, number) => {
                let place = self.place(joints[number]);
                place.carry(id, object, self.soft.defaults.softness(), description);
            }
        }
        self.add_geoms(object, id, description, said);
    }

    fn add_geoms(
        &self,
        object: &Object,
        body: BodyId,
        description: &mut Description,
        said: &mut Vec<Diagnostic>,
    ) {
        let shape = match object.solid(&self.experiment.objects) {
            Ok(shape) => shape,
            Err(diagnostic) => return said.push(*diagnostic),
        };
        let surface = self.surface(object);
        let mut parts = Vec::new();
        if let Err(why) = shape::geoms(&shape, Pose::IDENTITY, &mut parts) {
            let message = format!("`{}` cannot take part: {why}", object.name);
            let help = "choose another solver, or replace the shape by convex parts";
            return said.push(Diagnostic::new(Code::E761, object.span, message).help(help));
        }
        for (pose, shape) in parts {
            let mut geom = Geom::new(object.name.clone(), body, shape);
            geom.pose = pose;
            geom.surface = surface;
            if !object.collides {
                (geom.contact_type, geom.contact_affinity) = (0, 0);
            }
            description.geoms.push(geom);
        }
    }

    /// The surface of an object, by its material or its own numbers.
    fn surface(&self, object: &Object) -> Surface {
        let named = object.material.as_ref();
        let material =
            named.and_then(|name| self.experiment.materials.iter().find(|it| it.name == name.text));
        let soft = material.map(|it| it.soft).unwrap_or_default();
        let sliding = match material.map(|it| &it.friction) {
            Some(Coefficient::Number(friction)) => *friction,
            _ => object.real("friction").unwrap_or(DEFAULT_FRICTION),
        };
        let dimension = match (sliding > 0.0, soft.torsional_friction > 0.0, soft.rolling_friction > 0.0) {
            (_, _, true) => ContactDimension::Rolling,
            (_, true, _) => ContactDimension::Torsional,
            (true, ..) => ContactDimension::Sliding,
            _ => ContactDimension::Frictionless,
        };
        Surface {
            dimension,
            friction: [sliding, soft.torsional_friction, soft.rolling_friction],
            softness: soft.softness.or(self.soft.defaults.softness()),
            margin: soft.margin,
            gap: soft.gap,
            ..Surface::default()
        }
    }

    /// Keeps bodies of one joint from meeting, unless the joint says otherwise.
    fn keep_apart(&self, joints: &[&Joint], description: &mut Description) {
        let body = |name: &str| description.bodies.iter().skip(1).position(|it| it.name == name);
        for joint in joints.iter().filter(|it| !it.collide.unwrap_or(it.kind.lets_touch())) {
            // The world itself has no surface; what stands in it has bodies of its own.
            if let Some(b) = &joint.b
                && let [Some(a), Some(b)] = [&joint.a, b].map(|name| body(&name.text))
            {
                description.excluded.push([a, b].map(|place| BodyId::new(place + 1)));
            }
        }
    }

    /// Ties angles and shifts of joints to one another.
    fn couple(&self, description: &mut Description, notices: &mut Vec<String>, said: &mut Vec<Diagnostic>) {
        let Experiment { joints, objects, couplings, .. } = self.experiment;
        for coupling in couplings.iter().filter(|it| it.belongs_to(self.simulation, joints, objects)) {
            let ends = [&coupling.driven, &coupling.driver].map(|name| {
                let found = description.joints.iter().position(|it| it.name == name.text);
                if found.is_none() {
                    let message = format!(
                        "`{}` closes a loop, and has no coordinate that `{}` could tie",
                        name.text, coupling.name
                    );
                    let help = "couple other joints of the loop; joints are taken by distance from what stands still, then by name";
                    said.push(Diagnostic::new(Code::E761, coupling.span, message).help(help));
                }
                found.map(JointId::new)
            });
            let [Some(driven), Some(driver)] = ends else { continue };
            if coupling.coefficients[0] != 0.0 {
                notices
                    .push(format!("`{}` does not hold at the start: joints are pulled to it", coupling.name));
            }
            description.equalities.push(Equality {
                name: coupling.name.clone(),
                kind: EqualityKind::Polynomial {
                    driven,
                    driver: Some(driver),
                    coefficients: coupling.coefficients,
                },
                softness: coupling.softness.or(self.soft.defaults.softness()),
                is_active: true,
            });
        }
    }
}
