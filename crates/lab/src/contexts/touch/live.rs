//! Live geometry: normals and points of contacts at any instant.
//!
//! Which objects a law sees in a direction, and in which order, is measured when a contact begins and at the
//! end of every frame. Their normals and points follow the motion in between. They are functions of the poses
//! of the two objects, which are functions of time, so that a segment stays a pure function of time and of the
//! values frozen at its start. In rates the poses are those that the integrator tries: a ball that slides over
//! a dome feels the normal of the place where it is.
//!
//! A law that *gives* the pose of one of the two cannot read them: the pose would need the normal, and the
//! normal the pose. Such a law reads the measured ones.

use super::{Touch, touches};
use crate::contexts::ids::ActorId;
use crate::contexts::trajectory::Trajectory;
use crate::contexts::world::{Instant, World};
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::value::{Matrix, Value};
use gedanken_math::Vec3;

/// Normals or points of an object's contacts in one direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveRows {
    /// Object whose contacts they are.
    pub(crate) object: ActorId,
    /// Touched objects, one for each row.
    pub(crate) touched: Vec<ActorId>,
    pub(crate) direction: Vec3,
    pub(crate) kind: RowKind,
}

/// Contents of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Own normals of the object: out of the touched ones, towards it.
    Normal,
    /// Points of contact.
    Point,
}

/// Normal and point of one contact.
pub(crate) type LiveContact = [Vec3; 2];

impl LiveRows {
    /// Returns the rows at an instant; `None` if one cannot be found.
    pub(crate) fn value(&self, world: &World<'_>, at: &Instant<'_>) -> Option<Value> {
        let mut elements = Vec::with_capacity(3 * self.touched.len());
        for row in 0..self.touched.len() {
            elements.extend(self.row(world, at, row)?.to_array());
        }
        Some(Value::Matrix(Matrix { rows: self.touched.len(), columns: 3, elements }))
    }

    /// Returns one scalar of the rows at an instant; `None` if it cannot be found.
    pub(crate) fn scalar(&self, world: &World<'_>, at: &Instant<'_>, element: usize) -> Option<f64> {
        Some(self.row(world, at, element / 3)?[element % 3])
    }

    fn row(&self, world: &World<'_>, at: &Instant<'_>, row: usize) -> Option<Vec3> {
        let other = *self.touched.get(row)?;
        let key = (self.object, other);
        let known = at.known.and_then(|it| it.contact(key));
        let [normal, point] = match known {
            Some(known) => known,
            None => {
                let found = self.contact(world, at, other)?;
                at.known.into_iter().for_each(|it| it.keep_contact(key, found));
                found
            }
        };
        Some(match self.kind {
            RowKind::Normal => normal,
            RowKind::Point => point,
        })
    }

    /// Returns the contact with another object that is best aligned with the direction.
    fn contact(&self, world: &World<'_>, at: &Instant<'_>, other: ActorId) -> Option<LiveContact> {
        let place = |actor| Trajectory { world, actor }.place_at(at).ok();
        let (own, others) = (place(self.object)?, place(other)?);
        let found = touches(self.object, &own, other, &others, &mut Scratch::default()).ok()?;
        let aligned = |it: &Touch| -it.normal_of(self.object).dot(self.direction);
        let best = found.iter().reduce(|best, it| if aligned(it) > aligned(best) { it } else { best })?;
        Some([best.normal_of(self.object), best.point])
    }
}
