//! The shapes that objects can have, and the attributes that say how large they are.
//!
//! | shape | attributes | the body frame |
//! |---|---|---|
//! | sphere | `size`, also called `radius`: the radius | centre at the origin |
//! | cuboid | `size`: three full edge lengths | centre at the origin, edges along the axes |
//! | capsule | `radius`; `length` of its straight part | centre at the origin, along z |
//! | cylinder | `radius`, `height` | centre at the origin, along z |
//! | cone | `radius` of its base, `height` | centre of mass at the origin, apex along +z |
//! | half space | none | all below the xy plane, which is its surface |
//! | convex hull | `points`, a row of 3 for each; or the key `file` | as the points are given |
//! | mesh | the key `file` | as in the file; only static objects |
//! | compound | the key `parts` | parts stand in the compound's own coordinates |
//!
//! Every object has a `position` (also `pos`), may have an `orientation` (Euler XYZ, or a quaternion; no
//! rotation if it is absent) and the colours `color1` and `color2`.

use super::attribute::Attribute;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::Value;

/// The kind of shape of an object: its `geometrical type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeKind {
    /// A ball.
    Sphere,
    /// A box.
    Cuboid,
    /// A cylinder with half-spheres at its ends.
    Capsule,
    /// A cylinder.
    Cylinder,
    /// A cone.
    Cone,
    /// All that lies below a plane.
    HalfSpace,
    /// The convex hull of points.
    ConvexHull,
    /// A surface of triangles.
    Mesh,
    /// Other objects, glued together.
    Compound,
}

impl ShapeKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Sphere,
        Self::Cuboid,
        Self::Capsule,
        Self::Cylinder,
        Self::Cone,
        Self::HalfSpace,
        Self::ConvexHull,
        Self::Mesh,
        Self::Compound,
    ];

    /// Name in files: `half space`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Cuboid => "cuboid",
            Self::Capsule => "capsule",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::HalfSpace => "half space",
            Self::ConvexHull => "convex hull",
            Self::Mesh => "mesh",
            Self::Compound => "compound",
        }
    }

    /// The shape of this name, with a space or an underscore.
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.replace('_', " ");
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// The attributes that only this shape has a use for.
    pub const fn own_fields(self) -> &'static [Field] {
        match self {
            Self::Sphere => &[SPHERE_SIZE],
            Self::Cuboid => &[CUBOID_SIZE],
            Self::Capsule => &[RADIUS, LENGTH],
            Self::Cylinder | Self::Cone => &[RADIUS, HEIGHT],
            Self::ConvexHull => &[POINTS],
            Self::HalfSpace | Self::Mesh | Self::Compound => &[],
        }
    }

    /// Every attribute that means something for an object of this shape.
    pub fn fields(self) -> impl Iterator<Item = &'static Field> {
        COMMON_FIELDS.iter().chain(self.own_fields())
    }

    /// The name that laws use for an attribute that the file calls `name`.
    pub fn proper(self, name: &str) -> &str {
        self.fields().find(|field| field.synonym == name && !name.is_empty()).map_or(name, |field| field.name)
    }
}

/// An attribute that the engine reads to know where an object is, and what it looks like.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Another name for it; empty if there is none.
    pub synonym: &'static str,
    /// Values that it may have.
    pub form: Form,
    /// `true` if an object must have it.
    pub required: bool,
    /// In a few words.
    pub meaning: &'static str,
}

/// Values that a field may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A positive real.
    Length,
    /// Three positive reals.
    Lengths,
    /// A vector of 3.
    Point,
    /// Three angles, or a quaternion that is not zero.
    Rotation,
    /// Three reals from 0 to 1.
    Colour,
    /// A matrix of 3 columns.
    Points,
}

impl Field {
    const fn length(name: &'static str, synonym: &'static str, meaning: &'static str) -> Self {
        Self { name, synonym, form: Form::Length, required: true, meaning }
    }

    /// An example of its value.
    pub const fn example(&self) -> &'static str {
        match self.form {
            Form::Length => "1",
            Form::Lengths => "[3, 2, 1]",
            Form::Point => "[0, 0, 5]",
            Form::Rotation => "[0, 0, 0]",
            Form::Colour => "[1, 0.5, 0]",
            Form::Points => "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        }
    }

    /// The mistake in a value, if there is one.
    pub(crate) fn check(&self, attribute: &Attribute) -> Option<Diagnostic> {
        let name = self.name;
        let is = attribute.ty();
        let fits = match self.form {
            Form::Length => is == Type::Real,
            Form::Lengths | Form::Point | Form::Colour => is == Type::vector(3),
            Form::Rotation => is == Type::vector(3) || is == Type::vector(4),
            Form::Points => matches!(is, Type::Matrix(_, Dim::Is(3))),
        };
        if !fits {
            let wanted = match self.form {
                Form::Length => "a real",
                Form::Lengths | Form::Point | Form::Colour => "a vector of 3",
                Form::Rotation => "a vector of 3 (angles about x, y and z) or of 4 (a quaternion)",
                Form::Points => "a matrix of 3 columns, a row for each point",
            };
            let message = format!("`{name}`, {}, must be {wanted}, but this is {is}", self.meaning);
            return Some(
                Diagnostic::new(Code::E709, attribute.span, message)
                    .label(format!("this is {is}"))
                    .help(format!("write `{name} = {}` with your own numbers", self.example())),
            );
        }
        let numbers: &[f64] = match &attribute.value {
            Value::Real(real) => std::slice::from_ref(real),
            Value::Vector(elements) => elements,
            _ => &[],
        };
        let (wrong, wanted) = match self.form {
            Form::Length | Form::Lengths => (numbers.iter().find(|x| **x <= 0.0), "greater than 0"),
            Form::Colour => (numbers.iter().find(|x| !(0.0..=1.0).contains(*x)), "from 0 to 1"),
            Form::Rotation if numbers.len() == 4 && numbers.iter().all(|x| *x == 0.0) => {
                (numbers.first(), "different from 0 somewhere")
            }
            Form::Point | Form::Rotation | Form::Points => (None, ""),
        };
        wrong.map(|wrong| {
            let message = match self.form {
                Form::Rotation => "a quaternion of four zeros is no rotation".to_owned(),
                _ => format!("`{name}`, {}, cannot be {}", self.meaning, Value::Real(*wrong)),
            };
            Diagnostic::new(Code::E710, attribute.span, message)
                .label(format!("must be {wanted}"))
                .help(format!("write `{name} = {}` with your own numbers", self.example()))
        })
    }
}

const SPHERE_SIZE: Field = Field::length("size", "radius", "the radius");
const RADIUS: Field = Field::length("radius", "", "the radius");
const HEIGHT: Field = Field::length("height", "", "the height");
const LENGTH: Field = Field::length("length", "", "the length of the straight part, without the caps");
const CUBOID_SIZE: Field = Field {
    name: "size",
    synonym: "",
    form: Form::Lengths,
    required: true,
    meaning: "the three full edge lengths",
};
/// Required unless the points come from a file.
const POINTS: Field = Field {
    name: "points",
    synonym: "",
    form: Form::Points,
    required: false,
    meaning: "the points of the hull",
};
const COMMON_FIELDS: [Field; 4] = [
    Field {
        name: "position",
        synonym: "pos",
        form: Form::Point,
        required: true,
        meaning: "the place of the object",
    },
    Field {
        name: "orientation",
        synonym: "",
        form: Form::Rotation,
        required: false,
        meaning: "the rotation of the object",
    },
    Field { name: "color1", synonym: "", form: Form::Colour, required: false, meaning: "the first colour" },
    Field { name: "color2", synonym: "", form: Form::Colour, required: false, meaning: "the second colour" },
];
