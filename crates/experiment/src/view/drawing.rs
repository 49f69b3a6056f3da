//! Things that a view draws beside the bodies: `draw = { rod(pivot, bob), spring([0, 0, 2], bob) }`.
//!
//! Places are objects, vectors, or formulas over the recording; what can be computed when the file is read is
//! computed then.

use super::model::Written;

/// Kind of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingKind {
    /// A coil between two places.
    Spring,
    /// A rod with ends.
    Rod,
    /// A rope of a length that hangs between two places; taut, where no length is given.
    Rope,
    /// A line through places.
    Line,
    /// A circle about a place, across a direction, of a radius.
    Circle,
    /// An axle through a place, along a direction.
    Axle,
    /// A wall through a place, across a direction.
    Wall,
    /// The whole way of an object.
    Track,
}

/// What an argument of a drawing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Place,
    Direction,
    Length,
}

impl DrawingKind {
    /// All of them, with an example and a meaning.
    pub const ALL: [(&'static str, Self, &'static str, &'static str); 8] = [
        ("spring", Self::Spring, "spring([0, 0, 2], ball)", "a coil between two places"),
        ("rod", Self::Rod, "rod(pivot, ball)", "a rod with ends"),
        ("rope", Self::Rope, "rope(hook, ball, 2)", "a rope of a length; without one it is taut"),
        ("line", Self::Line, "line([0, 0, 0], [1, 0, 0])", "a line through places"),
        ("circle", Self::Circle, "circle([0, 0, 0], [0, 1, 0], 1)", "centre, direction across it, radius"),
        ("axle", Self::Axle, "axle([0, 0, 0], [0, 1, 0])", "an axle through a place, along a direction"),
        ("wall", Self::Wall, "wall([2, 0, 0], [-1, 0, 0])", "a wall through a place, across a direction"),
        ("track", Self::Track, "track(ball)", "the whole way of an object"),
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|row| row.1 == self).map_or("", |row| row.0)
    }

    pub(super) fn example(self) -> &'static str {
        Self::ALL.iter().find(|row| row.1 == self).map_or("", |row| row.2)
    }

    /// The arguments that it takes, if it takes so many.
    pub(super) fn arguments(self, count: usize) -> Option<Vec<Argument>> {
        use Argument::{Direction, Length, Place};
        let fixed: &[Argument] = match (self, count) {
            (Self::Spring | Self::Rod | Self::Rope, 2) => &[Place, Place],
            (Self::Rope, 3) => &[Place, Place, Length],
            (Self::Circle, 3) => &[Place, Direction, Length],
            (Self::Axle | Self::Wall, 2) => &[Place, Direction],
            (Self::Track, 1) => &[Place],
            (Self::Line, 2..) => return Some(vec![Place; count]),
            _ => return None,
        };
        Some(fixed.to_vec())
    }
}

/// A place or a direction.
#[derive(Clone, Debug)]
pub enum Place {
    /// The position of an object.
    Object(String),
    /// Three reals that never change.
    Fixed([f64; 3]),
    /// A formula over the recording.
    Formula(Written),
}

/// A length.
#[derive(Clone, Debug)]
pub enum Length {
    /// A real that never changes.
    Fixed(f64),
    /// A formula over the recording.
    Formula(Written),
}

/// Something that is drawn beside the bodies.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Its kind.
    pub kind: DrawingKind,
    /// Its places, in the order of the text.
    pub places: Vec<Place>,
    /// Direction of an axle, across a circle or a wall.
    pub direction: Option<Place>,
    /// Length of a rope, radius of a circle.
    pub length: Option<Length>,
}

impl Drawing {
    /// Its formulas, with the number of scalars that each must have.
    pub(super) fn formulas(&self) -> impl Iterator<Item = (&Written, Option<usize>)> {
        let vectors = self.places.iter().chain(&self.direction).filter_map(|it| match it {
            Place::Formula(written) => Some((written, Some(3))),
            _ => None,
        });
        vectors.chain(self.length.iter().filter_map(|it| match it {
            Length::Formula(written) => Some((written, Some(1))),
            Length::Fixed(_) => None,
        }))
    }
}
