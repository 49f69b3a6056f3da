//! From an experiment to a world of rigid bodies: shapes, masses, materials, laws, joints and settings.

use super::constraint::UserConstraint;
use super::curve::curve;
use super::formula::{Around, Failures};
use super::joint::Placed;
use super::law::UserForce;
use super::potential::Potential;
use crate::run::options::Options;
use gedanken_dynamics::laws::{Laws, UniformGravity};
use gedanken_dynamics::{ComponentId, INTEGRATORS};
use gedanken_experiment::{
    CheckedForceLaw, DEFAULT_FRICTION, DEFAULT_RESTITUTION, Experiment, ForceLawKind, Joint, JointKind,
    Object, Simulation,
};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Vec3};
use gedanken_rigid::joints::Sense;
use gedanken_rigid::{Body, Constraint, Material, RigidError, Settings, World};
use std::collections::HashMap;
use std::sync::Arc;

/// A simulation of rigid bodies, ready to begin.
#[derive(Debug)]
pub struct Built {
    /// What there is.
    pub world: World,
    /// How it is computed.
    pub settings: Settings,
    /// The object of the experiment and its component, for every object of the simulation, in its order.
    pub bodies: Vec<(usize, ComponentId)>,
    /// Why something of the user's had no value, after a step that failed.
    pub failures: Arc<Failures>,
}

/// The world of a simulation of rigid bodies. Laws run as native code, where that pays, if the options say so,
/// and steps end when their token is asked.
///
/// # Errors
/// What is wrong with it as a whole; a checked experiment has no such fault.
pub fn build(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Result<Built, Vec<Diagnostic>> {
    Builder { experiment, simulation, options }.build()
}

/// Bodies, laws and constraints of a simulation whose joints and contacts are held by soft constraints: a world
/// without gravity and joints.
///
/// # Errors
/// What is wrong with it as a whole.
pub(crate) fn build_surroundings(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Result<BuiltWorld, Vec<Diagnostic>> {
    let (built, said) = Builder { experiment, simulation, options }.world(JointHolder::Tree)?;
    if said.is_empty() { Ok(built) } else { Err(said) }
}

/// A world, before it is said how it is computed.
pub(crate) struct BuiltWorld {
    pub(crate) world: World,
    /// The object of the experiment and its component, for every object of the simulation, in its order.
    pub(crate) bodies: Vec<(usize, ComponentId)>,
    pub(crate) failures: Arc<Failures>,
}

/// Who holds joints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JointHolder {
    /// The world: they are constraints, and gravity is a law.
    World,
    /// A tree of bodies that knows gravity too: of joints only springs are laws of the world.
    Tree,
}

/// The body of an object: its shape, mass, inertia, material and initial motion.
///
/// # Errors
/// A shape that cannot be.
pub(crate) fn body(object: &Object, experiment: &Experiment) -> Result<Body, Box<Diagnostic>> {
    let (shape, pose) = (object.weighty_solid(&experiment.objects)?, object.pose());
    let vector = |name: &str| {
        let attribute = object.attribute(name).filter(|_| !object.is_static);
        Vec3::from_array(attribute.and_then(|it| it.vector()).unwrap_or_default())
    };
    let mut body = match (object.is_static, object.is_kinematic) {
        (true, _) => Body::fixed(shape, pose),
        (_, true) => Body::kinematic(shape, pose),
        _ => Body::dynamic(shape, pose),
    };
    body = body.with_velocity(vector("velocity")).with_angular_velocity(vector("angular_velocity"));
    if !object.is_static && !object.is_kinematic {
        if let Some(mass) = object.real("mass") {
            body = body.with_mass(mass);
        }
        if let Some(Value::Matrix(tensor)) = object.attribute("inertia_tensor").map(|it| &it.value)
            && let Ok(elements) = <[f64; 9]>::try_from(tensor.elements.as_slice())
        {
            body = body.with_inertia(Mat3::from_cols_array(&elements));
        }
    }
    if let Some(material) = &object.material {
        body = body.with_material(in_file(&material.text));
    } else if is_surface(object) {
        body = body.with_material(own(object));
    }
    Ok(if object.collides { body } else { body.without_contacts() })
}

/// Builds the world of a simulation.
struct Builder<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    options: &'e Options,
}

/// By how much a user's constraint may be off when the simulation begins; solvers bring it the rest of the
/// way.
const LOOSE: f64 = 1e-3;

impl Builder<'_> {
    /// The world and its settings, or what is wrong with it.
    fn build(&self) -> Result<Built, Vec<Diagnostic>> {
        let (BuiltWorld { world, bodies, failures }, mut said) = self.world(JointHolder::World)?;
        let settings = self.settings(&world, &mut said);
        if said.is_empty() { Ok(Built { world, settings, bodies, failures }) } else { Err(said) }
    }

    /// The world with what is wrong with its laws and joints; an error if there is none.
    fn world(&self, holder: JointHolder) -> Result<(BuiltWorld, Vec<Diagnostic>), Vec<Diagnostic>> {
        let failures = Arc::new(Failures::default());
        let mut said = Vec::new();
        let mut bodies = Vec::new();
        for &index in &self.simulation.objects {
            if self.options.cancel.is_asked() {
                return Err(said);
            }
            match body(&self.experiment.objects[index], self.experiment) {
                Ok(body) => bodies.push((self.experiment.objects[index].name.as_str(), body)),
                Err(diagnostic) => said.push(*diagnostic),
            }
        }
        if !said.is_empty() {
            return Err(said);
        }
        let materials = self.materials(&failures);
        let mut world = World::new(bodies, materials).map_err(|error| vec![self.refused(&error)])?;
        let ids: Vec<(usize, ComponentId)> = self
            .simulation
            .objects
            .iter()
            .map(|&index| Ok((index, world.id(&self.experiment.objects[index].name)?)))
            .collect::<Result<_, RigidError>>()
            .map_err(|error| vec![self.refused(&error)])?;
        let id = |object: usize| {
            ids.binary_search_by_key(&object, |it| it.0).map_or(ComponentId::WORLD, |place| ids[place].1)
        };
        let frames: Vec<Pose> =
            std::iter::once(Pose::IDENTITY).chain(world.bodies().map(|(_, body)| body.frame())).collect();
        let frames: Arc<[Pose]> = frames.into();
        let objects: HashMap<ComponentId, usize> = ids.iter().map(|&(object, id)| (id, object)).collect();
        let around = Around {
            experiment: self.experiment,
            id: &id,
            object: &|id| objects.get(&id).copied(),
            frames: &frames,
            failures: &failures,
            options: self.options,
        };
        let mut laws = Vec::new();
        if let Some(gravity) = self.simulation.rigid().and_then(|it| it.gravity)
            && holder == JointHolder::World
        {
            laws.push(Laws::of(UniformGravity::new(Quantity::new(Vec3::from_array(gravity)))));
        }
        let mut constraints: Vec<(Arc<dyn Constraint>, Span)> = Vec::new();
        let number = self.experiment.simulations.iter().position(|it| it.name == self.simulation.name);
        let checked = self.experiment.checked_force_laws.iter();
        for law in checked.filter(|it| Some(it.simulation) == number) {
            self.law(law, &around, &mut laws, &mut constraints, &mut said);
        }
        for joint in self
            .experiment
            .joints
            .iter()
            .filter(|it| it.belongs_to(self.simulation, &self.experiment.objects))
        {
            self.joint((joint, holder), &world, &id, &mut laws, &mut constraints, &mut said);
        }
        world = world.with_laws(laws.into_iter().sum::<Laws<_>>());
        // One by one, to tell of all that cannot be.
        let refused = |error: RigidError, span| Diagnostic { primary: label(span), ..self.refused(&error) };
        for (constraint, span) in constraints {
            match world.accepts(&*constraint) {
                Ok(()) => {
                    let more = world.with_shared_constraint(constraint);
                    world = more.map_err(|error| vec![refused(error, span)])?;
                }
                Err(error) => said.push(refused(error, span)),
            }
        }
        Ok((BuiltWorld { world, bodies: ids, failures }, said))
    }

    fn materials(&self, failures: &Arc<Failures>) -> Vec<Material> {
        let (world, options) = (&self.experiment.world, self.options);
        let of_file = self.experiment.materials.iter().map(|it| Material {
            name: in_file(&it.name),
            restitution: curve("restitution", 1.0, &it.restitution, world, failures, options),
            friction: curve("friction", f64::MAX, &it.friction, world, failures, options),
        });
        let surfaces = self.simulation.objects.iter().map(|&index| &self.experiment.objects[index]);
        let of_objects =
            surfaces.filter(|it| it.material.is_none() && is_surface(it)).map(|object| Material {
                name: own(object),
                restitution: object.real("restitution").unwrap_or(DEFAULT_RESTITUTION).into(),
                friction: object.real("friction").unwrap_or(DEFAULT_FRICTION).into(),
            });
        of_file.chain(of_objects).collect()
    }

    fn law(
        &self,
        checked: &CheckedForceLaw,
        around: &Around<'_>,
        laws: &mut Vec<Laws<gedanken_dynamics::ThreeD>>,
        constraints: &mut Vec<(Arc<dyn Constraint>, Span)>,
        said: &mut Vec<Diagnostic>,
    ) {
        let law = &self.experiment.force_laws[checked.law];
        let steep = |reason: String| {
            let message = format!("`{}` cannot be differentiated: {reason}", law.name);
            Diagnostic::new(Code::E758, law.span, message).help("state the force itself in a `force` block")
        };
        match law.kind {
            ForceLawKind::Force => {
                laws.push(Laws::of(UserForce::new(law, &checked.groups, around)));
            }
            ForceLawKind::Potential => match Potential::new(law, &checked.groups, around) {
                Ok(potential) => laws.push(Laws::of(potential)),
                Err(reason) => said.push(steep(reason)),
            },
            ForceLawKind::Constraint => {
                let several = checked.groups.iter().map(|group| group.members.len()).sum::<usize>() > 1;
                for (group, row) in
                    checked.groups.iter().flat_map(|it| (0..it.members.len()).map(move |row| (it, row)))
                {
                    let body = &self.experiment.objects[group.members[row][0]].name;
                    let name = if several { format!("{} of {body}", law.name) } else { law.name.clone() };
                    match UserConstraint::new(name, law, group, row, around) {
                        Ok(constraint) => {
                            said.extend(self.loose(&constraint, law, around));
                            constraints.push((Arc::new(constraint), law.span));
                        }
                        Err(reason) => said.push(steep(reason)),
                    }
                }
            }
        }
    }

    /// What is wrong with a constraint where the bodies are.
    fn loose(
        &self,
        constraint: &UserConstraint,
        law: &gedanken_experiment::ForceLaw,
        around: &Around<'_>,
    ) -> Option<Diagnostic> {
        let (a, b) = constraint.bodies();
        let principal = |id: ComponentId| {
            let object = (around.object)(id);
            let pose = object.map_or(Pose::IDENTITY, |index| self.experiment.objects[index].pose());
            pose * around.frames[id.row()].inverse()
        };
        let at = gedanken_rigid::joints::Configuration {
            a: principal(a),
            b: b.map_or(Pose::IDENTITY, principal),
            time: self.simulation.initial_time,
        };
        let mut rows = Vec::new();
        constraint.rows(&at, &mut rows);
        if let Some(failure) = around.failures.take() {
            return Some(failure);
        }
        let off = |value: f64, sense: Sense| match sense {
            Sense::AtLeast => (-value).max(0.0),
            _ => value.abs(),
        };
        let row = rows.iter().find(|row| off(row.value, row.sense) > LOOSE)?;
        let (what, value) = (constraint.name(), Value::Real(row.value));
        let wanted = if law.inequality { "0 or greater" } else { "0" };
        let message =
            format!("`{what}` does not hold at the start: its value is {value}, and should be {wanted}");
        let place = law.formulas.first().map_or(law.span, |(_, formula)| formula.span);
        Some(
            Diagnostic::new(Code::E760, place, message)
                .label("not so at the start")
                .help("place the bodies where it holds, or subtract the value it has there"),
        )
    }

    fn joint(
        &self,
        (joint, holder): (&Joint, JointHolder),
        world: &World,
        id: &dyn Fn(usize) -> ComponentId,
        laws: &mut Vec<Laws<gedanken_dynamics::ThreeD>>,
        constraints: &mut Vec<(Arc<dyn Constraint>, Span)>,
        said: &mut Vec<Diagnostic>,
    ) {
        let find = |name: &str| {
            let index = self.experiment.object_of(self.simulation, name)?;
            Some((&self.experiment.objects[index], id(index)))
        };
        let ends = [find(&joint.a.text), joint.b.as_ref().and_then(|name| find(&name.text))];
        let Some(placed) = Placed::new(joint, ends) else { return };
        if let Some(loose) = placed.loose() {
            said.push(loose);
            return;
        }
        if holder == JointHolder::Tree && joint.kind != JointKind::Spring {
            return;
        }
        match placed.made(world) {
            Ok((made, more)) => {
                constraints.extend(made.into_iter().map(|it| (it, joint.span)));
                laws.extend(more);
            }
            Err(error) => said.push(Diagnostic { primary: label(joint.span), ..self.refused(&error) }),
        }
    }

    fn settings(&self, world: &World, said: &mut Vec<Diagnostic>) -> Settings {
        let simulation = self.simulation;
        let written = simulation.rigid().cloned().unwrap_or_default();
        let mut settings = match written.solver.map(Settings::of_solver) {
            Some(Ok(settings)) => settings,
            Some(Err(error)) => {
                said.push(self.refused(&error));
                Settings::default()
            }
            None => Settings::default(),
        };
        if let Some(name) = &written.integrator
            && let Some(integrator) = INTEGRATORS.iter().find(|it| it.name == name)
        {
            settings.integrator = integrator;
        }
        settings.substeps = written.substeps.unwrap_or(settings.substeps);
        settings.iterations = written.iterations.unwrap_or(settings.iterations);
        settings.slop = written.slop.unwrap_or(settings.slop);
        settings.correction = written.correction.unwrap_or(settings.correction);
        settings.combination = written.combination.unwrap_or(settings.combination);
        settings.rest_speed = written.rest_speed.unwrap_or(settings.rest_speed);
        settings.variational = written.variational;
        settings.cancel = self.options.cancel.clone();
        settings.touch = written.touching_tolerance.unwrap_or(settings.touch);
        if world.has_contacts() && !settings.integrator.kicks_once() {
            let message = format!(
                "`{}` kicks several times in a step, which contacts cannot follow, and bodies can touch here",
                settings.integrator.name
            );
            said.push(
                Diagnostic::new(Code::E762, simulation.span, message)
                    .label("in this simulation")
                    .help("write `integrator = leapfrog` or `integrator = symplectic_euler`, or let bodies pass through each other with `collides = false`"),
            );
        }
        if let Err(error) = settings.check() {
            said.push(self.refused(&error));
        }
        settings
    }

    /// A refusal of the core, at the place of what it names.
    fn refused(&self, error: &RigidError) -> Diagnostic {
        let object =
            |name: &str| self.experiment.objects.iter().find(|it| it.name == *name).map(|it| it.span);
        let joint = |name: &str| {
            let own = |it: &&Joint| it.name == name || name.ends_with(&format!(" of {}", it.name));
            let law = self.experiment.force_laws.iter().find(|it| it.name == name).map(|it| it.span);
            self.experiment.joints.iter().find(own).map(|it| it.span).or(law)
        };
        let place = match error {
            RigidError::BadNumber { of, .. } => object(of).or_else(|| joint(of)),
            RigidError::BadInertia { body, .. }
            | RigidError::NoMass { body }
            | RigidError::CannotMove { body, .. } => object(body),
            RigidError::NameTaken { name, .. } => object(name).or_else(|| joint(name)),
            RigidError::NoBody { of, .. } => joint(of),
            RigidError::JoinsNothing { joint: name, .. } | RigidError::DoesNotHold { joint: name, .. } => {
                joint(name)
            }
            _ => None,
        };
        let code = match error {
            RigidError::DoesNotHold { .. } => Code::E760,
            RigidError::JoinsNothing { .. } => Code::E755,
            _ => Code::E762,
        };
        // The core quotes names as people do; the language has its own quotes.
        let message = error.to_string().replace('\'', "`");
        Diagnostic::new(code, place.unwrap_or(self.simulation.span), message).label("here")
    }
}

/// What the core refuses of an experiment when it begins, at the place of what it names.
pub fn refused(error: &RigidError, experiment: &Experiment, simulation: &Simulation) -> Diagnostic {
    // Words need no options.
    Builder { experiment, simulation, options: &Options::default() }.refused(error)
}

fn label(span: Span) -> gedanken_lang::diagnostic::Label {
    gedanken_lang::diagnostic::Label { span, text: "here".to_owned() }
}

/// Whether an object says itself how its surface behaves.
fn is_surface(object: &Object) -> bool {
    object.attribute("restitution").is_some() || object.attribute("friction").is_some()
}

/// What the core calls the material that an object is alone to have.
fn own(object: &Object) -> String {
    format!("surface of {}", object.name)
}

/// What the core calls a material of the file: `plain` is what it calls its own.
fn in_file(name: &str) -> String {
    if name == "plain" { "plain of the file".to_owned() } else { name.to_owned() }
}
