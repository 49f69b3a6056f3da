//! The world: bodies, materials, laws and constraints, checked and numbered. It does not change while bodies
//! move.
//!
//! # Representations of a body
//!
//! A body has four representations. Each exists because one part of the step reads it for every pair, point
//! or iteration, and needs nothing else in its cache lines.
//!
//! | type | holds | lives | read by |
//! |---|---|---|---|
//! | [`Body`] | shape, mass, material, start | with the world | set-up, once |
//! | `CollisionBody` | pose of the shape, velocity, acceleration | a step | broad and narrow phase, per pair |
//! | `SolverBody` | pose, twist, force, M⁻¹, displacement | a step | solvers of joints, contacts, impacts |
//! | `SweepBody` | twist and M⁻¹ | a solve | Gauss-Seidel sweeps, per contact point |
//!
//! `Body` is described by the user, `CollisionBody` is filled by the rule `broad`, `SolverBody` by the rule
//! `start`, `SweepBody` by `Rows::set_up`.
//!
//! Between steps a body is nothing but its row in the columns of the state (position, orientation, velocity,
//! angular velocity). The rule `start` reads these columns into [`SolverBodies`](solver_body::SolverBodies);
//! every rule that moves bodies writes them at its end.
//!
//! Types that describe a motion, not a body, are named after the motion:
//!
//! - `SubstepMotion` (in `contacts/gauss_seidel`): kick, push and displacement of one body in a sub-step;
//! - `Trajectory` (in `impact`): pose of one body as a function of time within the step, from impact to
//!   impact;
//! - `SymmetricTop` (in `step/free_rotation.rs`): moments of inertia with two equal, whose free rotation is
//!   exact.

pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod material;
pub(crate) mod settings;
pub(crate) mod solver_body;
pub(crate) mod surface;

use super::joints::constraint::Constraint;
use body::{Body, BodyKind};
use error::RigidError;
use gedanken_dynamics::laws::Laws;
use gedanken_dynamics::{
    Acceleration, AngularAcceleration, AngularVelocity, AtRest, ComponentId, Components, Inertia, Mass,
    Model, Orientation, Position, State, ThreeD, Velocity,
};
use gedanken_math::units::Quantity;
use material::Material;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bodies, materials, laws and constraints.
#[derive(Debug, Clone)]
pub struct World {
    model: Model,
    /// By row; the world's own row has none.
    bodies: Vec<Option<Body>>,
    materials: Vec<Material>,
    /// By row: the index of the body's material.
    material_of: Vec<usize>,
    laws: Laws<ThreeD>,
    constraints: Vec<Arc<dyn Constraint>>,
    constraint_names: BTreeSet<String>,
    /// Pairs of rows that pass through each other, the smaller row first.
    apart: BTreeSet<(u32, u32)>,
}

/// Default material: no rebound, a friction of 0.5.
fn plain() -> Material {
    Material { name: "plain".to_owned(), restitution: 0.0.into(), friction: 0.5.into() }
}

impl World {
    /// A world of these bodies, made of these materials. The order in which they are given leaves no trace.
    pub fn new<N: Into<String>>(
        bodies: impl IntoIterator<Item = (N, Body)>,
        materials: impl IntoIterator<Item = Material>,
    ) -> Result<Self, RigidError> {
        let mut bodies: Vec<(String, Body)> =
            bodies.into_iter().map(|(name, body)| (name.into(), body)).collect();
        // Rows follow names, so that the order of creation cannot change a bit of any result.
        bodies.sort_by(|a, b| by_name(&a.0, &b.0));
        if let Some(twice) = bodies.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(RigidError::NameTaken { what: "body", name: twice[0].0.clone() });
        }
        let components = Components::atoms(bodies.iter().map(|(name, _)| name.clone()))?;
        let model = Model::new(components)
            .with::<Position<ThreeD>>()
            .with::<Velocity<ThreeD>>()
            .with::<Mass>()
            .with::<Orientation>()
            .with::<AngularVelocity>()
            .with::<Inertia>()
            .with::<Acceleration<ThreeD>>()
            .with::<AngularAcceleration>()
            .with::<AtRest>()
            .with_table::<super::collide::contact_table::Contacts>()
            .with_table::<super::step::external_force::ExternalForces>()
            .with_table::<crate::ledger::Ledger>();
        let mut materials: Vec<Material> = materials.into_iter().collect();
        materials.insert(0, plain());
        let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, material) in materials.iter().enumerate() {
            if indices.insert(&material.name, index).is_some() {
                return Err(RigidError::NameTaken { what: "material", name: material.name.clone() });
            }
        }
        // Row 0 is the world itself, which has no body.
        let (mut placed, mut material_of) = (vec![None], vec![0]);
        for (name, body) in bodies {
            let material = body.material.as_deref().unwrap_or("plain");
            let index = indices.get(material).copied();
            material_of.push(index.ok_or_else(|| RigidError::Unknown {
                what: "material",
                name: material.to_owned(),
                known: materials.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", "),
            })?);
            placed.push(Some(body.settled(&name)?));
        }
        Ok(Self {
            model,
            bodies: placed,
            materials,
            material_of,
            laws: Laws::none(),
            constraints: Vec::new(),
            constraint_names: BTreeSet::new(),
            apart: BTreeSet::new(),
        })
    }

    /// The world with these laws acting beside those it has.
    #[must_use]
    pub fn with_laws(mut self, laws: impl Into<Laws<ThreeD>>) -> Self {
        self.laws = self.laws + laws;
        self
    }

    /// The world with one more constraint.
    pub fn with_constraint(self, constraint: impl Constraint + 'static) -> Result<Self, RigidError> {
        self.with_shared_constraint(Arc::new(constraint))
    }

    /// The same for a constraint that is shared already.
    pub fn with_shared_constraint(mut self, constraint: Arc<dyn Constraint>) -> Result<Self, RigidError> {
        self.accepts(&*constraint)?;
        let (a, b) = constraint.bodies();
        if let Some(b) = b
            && !constraint.lets_touch()
        {
            self.apart.insert(ordered(a.row() as u32, b.row() as u32));
        }
        self.constraint_names.insert(constraint.name().to_owned());
        self.constraints.push(constraint);
        Ok(self)
    }

    /// Checks that a constraint can be added.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn accepts(&self, constraint: &dyn Constraint) -> Result<(), RigidError> {
        let name = constraint.name().to_owned();
        if self.constraint_names.contains(&name) {
            return Err(RigidError::NameTaken { what: "constraint", name });
        }
        let (a, b) = constraint.bodies();
        let nothing =
            |reason: &str| Err(RigidError::JoinsNothing { joint: name.clone(), reason: reason.to_owned() });
        if Some(a) == b {
            let body = self.model.components().name(a);
            return nothing(&format!("both of its ends are '{body}'"));
        }
        let moves = |id: ComponentId| self.body(id).is_some_and(|body| body.kind() == BodyKind::Dynamic);
        if !moves(a) && !b.is_some_and(moves) {
            return nothing("none of its bodies is dynamic, so there is nothing to hold");
        }
        Ok(())
    }

    /// The world in which these two bodies pass through each other.
    #[must_use]
    pub fn with_passing(mut self, a: ComponentId, b: ComponentId) -> Self {
        self.apart.insert(ordered(a.row() as u32, b.row() as u32));
        self
    }

    /// Components and columns.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The body called `name`.
    pub fn id(&self, name: &str) -> Result<ComponentId, RigidError> {
        Ok(self.model.id(name)?)
    }

    /// The body of a component; `None` for the world itself.
    #[must_use]
    pub fn body(&self, id: ComponentId) -> Option<&Body> {
        self.at_row(id.row())
    }

    /// The body in a row; `None` for the world itself.
    #[must_use]
    pub fn at_row(&self, row: usize) -> Option<&Body> {
        self.bodies.get(row).and_then(Option::as_ref)
    }

    /// All bodies with their ids, in order.
    pub fn bodies(&self) -> impl Iterator<Item = (ComponentId, &Body)> {
        let rows = self.bodies.iter().enumerate();
        rows.filter_map(|(row, body)| Some((ComponentId::from_row(row), body.as_ref()?)))
    }

    /// The material of the body in a row.
    #[must_use]
    pub fn material(&self, row: usize) -> &Material {
        &self.materials[self.material_of[row]]
    }

    /// The laws.
    #[must_use]
    pub fn laws(&self) -> &Laws<ThreeD> {
        &self.laws
    }

    /// The constraints, in the order in which they were given.
    #[must_use]
    pub fn constraints(&self) -> &[Arc<dyn Constraint>] {
        &self.constraints
    }

    /// Pairs of rows that pass through each other, the smaller row first, in order.
    pub(super) fn passing(&self) -> impl Iterator<Item = (u32, u32)> {
        self.apart.iter().copied()
    }

    /// Returns `true` if the bodies in these rows can touch: both have a surface, one of them moves, and
    /// nothing keeps them apart.
    #[must_use]
    pub fn may_touch(&self, a: u32, b: u32) -> bool {
        let [one, two] = [a, b].map(|row| self.at_row(row as usize).filter(|body| body.has_surface()));
        let (Some(one), Some(two)) = (one, two) else { return false };
        let moving = [one, two].iter().any(|body| body.kind() == BodyKind::Dynamic);
        moving && !self.apart.contains(&ordered(a, b))
    }

    /// Returns `true` if any two bodies can touch.
    #[must_use]
    pub fn has_contacts(&self) -> bool {
        let surfaces = self.bodies().filter(|(_, body)| body.has_surface());
        let (moving, fixed): (Vec<_>, Vec<_>) =
            surfaces.partition(|(_, body)| body.kind() == BodyKind::Dynamic);
        moving.len() > 1 || (moving.len() == 1 && !fixed.is_empty())
    }

    /// The state at the start: every body where it was put.
    ///
    /// # Errors
    /// A model without the attributes of bodies, which no world has.
    pub fn start(&self) -> Result<State, RigidError> {
        let mut state = self.model.state();
        for (id, body) in self.bodies() {
            let (pose, twist) = (body.principal_pose(), body.twist());
            state.set::<Position<ThreeD>>(id, Quantity::new(pose.translation))?;
            state.set::<Orientation>(id, pose.rotation)?;
            if body.kind() == BodyKind::Static {
                continue;
            }
            state.set::<Velocity<ThreeD>>(id, Quantity::new(twist.linear))?;
            state.set::<AngularVelocity>(id, Quantity::new(twist.angular))?;
            if body.kind() == BodyKind::Dynamic {
                state.set::<Mass>(id, Quantity::new(body.mass()))?;
                state.set::<Inertia>(id, Quantity::new(body.moments()))?;
            }
        }
        Ok(state)
    }
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Names as people order them: numbers inside by their value, so that box 2 comes before box 10.
fn by_name(a: &str, b: &str) -> Ordering {
    let pieces = |name: &str| -> Vec<(bool, String)> {
        let mut pieces: Vec<(bool, String)> = Vec::new();
        for c in name.chars() {
            let digit = c.is_ascii_digit();
            match pieces.last_mut() {
                Some((kind, piece)) if *kind == digit => piece.push(c),
                _ => pieces.push((digit, c.to_string())),
            }
        }
        pieces
    };
    let compared = pieces(a).into_iter().zip(pieces(b)).find_map(|((number, x), (other, y))| {
        let ordering = if number && other {
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            x.cmp(&y)
        };
        (ordering != Ordering::Equal).then_some(ordering)
    });
    compared.unwrap_or_else(|| a.len().cmp(&b.len()).then_with(|| a.cmp(b)))
}
