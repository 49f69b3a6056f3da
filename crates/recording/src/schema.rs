//! The schema of a recording: names, types and places of all columns.

use gedanken_lang::types::Type;

/// Everything about a recording that is known before it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The version of the engine.
    pub engine: String,
    /// The experiment's own text.
    pub text: String,
    /// The path it was read from.
    pub path: String,
    /// Imported files, path and text.
    pub imports: Vec<(String, String)>,
    /// The name of the simulation.
    pub simulation: String,
    /// Settings from outside, as written: `g=1.62`.
    pub parameters: Vec<String>,
    /// The time of frame 0.
    pub initial_time: f64,
    /// Duration that was asked for.
    pub duration: f64,
    /// Frames per unit of time: frame k is at `initial_time + k / frame_rate`, but the last one at
    /// `initial_time + duration`.
    pub frame_rate: f64,
    /// The names of all objects that take part, sorted.
    pub objects: Vec<String>,
    /// The names of all contexts, sorted; where the mechanics is a workflow, of its events.
    pub contexts: Vec<String>,
    /// Quantities that vary, in the order of a row: the world, then objects by name, each with its attributes
    /// by name, context attributes and laws after them; then measures.
    pub quantities: Vec<Quantity>,
    /// Quantities that never change.
    pub constants: Vec<Constant>,
    /// `true` if frames come with the contacts of bodies.
    pub contacts: bool,
    /// Formulas that were derived before the run, such as equations of motion, each with its heading.
    pub derived: Vec<(String, String)>,
}

/// Owner of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// The world.
    World,
    /// An object: an index into [`Schema::objects`].
    Object(usize),
    /// No owner: a measure, which is a total.
    Measure,
}

/// A quantity that varies, with all its scalars.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its owner.
    pub owner: Owner,
    /// An attribute, or a law without arguments.
    pub name: String,
    /// Its type, which is fixed.
    pub ty: Type,
    /// The context outside which it has no value: an index into [`Schema::contexts`]. `None` for attributes
    /// of objects and of the world, and for measures.
    pub context: Option<usize>,
    /// Position of its first scalar in a row; a matrix stands there row by row.
    pub start: usize,
}

/// A quantity that never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its owner.
    pub owner: Owner,
    /// An attribute.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its scalars, row by row.
    pub scalars: Vec<f64>,
}

impl Quantity {
    /// Number of its scalars.
    pub fn width(&self) -> usize {
        self.ty.scalars().unwrap_or(0)
    }

    /// Position behind its last scalar in a row.
    pub fn end(&self) -> usize {
        self.start + self.width()
    }
}

impl Schema {
    /// Number of reals in a row.
    pub fn width(&self) -> usize {
        self.quantities.last().map_or(0, Quantity::end)
    }

    /// Varying quantities of one owner. Quantities stand in the order of their owners, so that they are one
    /// part of every row.
    pub fn owned(&self, owner: Owner) -> &[Quantity] {
        let from = self.quantities.partition_point(|it| it.owner < owner);
        let to = self.quantities.partition_point(|it| it.owner <= owner);
        &self.quantities[from..to]
    }

    /// A quantity that varies, by owner and name; the first, if several contexts have one of that name.
    pub fn quantity(&self, owner: Owner, name: &str) -> Option<&Quantity> {
        self.owned(owner).iter().find(|it| it.name == name)
    }

    /// A quantity that never changes, by owner and name.
    pub fn constant(&self, owner: Owner, name: &str) -> Option<&Constant> {
        self.constants.iter().find(|it| it.owner == owner && it.name == name)
    }

    /// The place of an object in [`objects`](Self::objects).
    pub fn object(&self, name: &str) -> Option<usize> {
        self.objects.iter().position(|it| it == name)
    }
}
