//! What is recorded: names, types and places of all columns.

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
    /// How long it is meant to last.
    pub duration: f64,
    /// Frames per unit of time: frame k is at `initial_time + k / frame_rate`, but the last one at
    /// `initial_time + duration`.
    pub frame_rate: f64,
    /// The names of all objects that take part, sorted.
    pub objects: Vec<String>,
    /// The names of all contexts, sorted; where the mechanics is a workflow, of its events.
    pub contexts: Vec<String>,
    /// What varies, in the order of a row: the world, then objects by name, each with its attributes by name,
    /// context attributes and laws after them; then measures.
    pub quantities: Vec<Quantity>,
    /// What never changes.
    pub constants: Vec<Constant>,
    /// What was derived before the run began, such as equations of motion: what each is, and its formula.
    pub derived: Vec<(String, String)>,
}

/// Whose a quantity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// The world's.
    World,
    /// An object's: an index into [`Schema::objects`].
    Object(usize),
    /// Nobody's: a measure, which is a total.
    Measure,
}

/// A quantity that varies, with all its scalars.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Whose it is.
    pub owner: Owner,
    /// An attribute, or a law without arguments.
    pub name: String,
    /// Its type, which is fixed.
    pub ty: Type,
    /// The context outside which it has no value: an index into [`Schema::contexts`]. `None` for attributes
    /// of objects and of the world, and for measures.
    pub context: Option<usize>,
    /// Where its scalars begin in a row; row by row if it is a matrix.
    pub start: usize,
}

/// A quantity that never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Whose it is.
    pub owner: Owner,
    /// An attribute.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its scalars, row by row.
    pub scalars: Vec<f64>,
}

impl Quantity {
    /// How many scalars it has.
    pub fn width(&self) -> usize {
        self.ty.scalars().unwrap_or(0)
    }

    /// Where its scalars end in a row.
    pub fn end(&self) -> usize {
        self.start + self.width()
    }
}

impl Schema {
    /// How many reals a row has.
    pub fn width(&self) -> usize {
        self.quantities.last().map_or(0, Quantity::end)
    }

    /// What varies of one owner. Quantities stand in the order of their owners, so that it is one stretch of
    /// every row.
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
