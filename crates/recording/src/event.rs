//! Events between frames, with the values before and after.

/// Kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// An object began to move freely.
    FreeFall,
    /// Two objects met.
    Collision,
    /// Objects began to stay together.
    Contact,
    /// The condition of an event of a workflow held.
    Phenomenon,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::FreeFall, Self::Collision, Self::Contact, Self::Phenomenon];

    /// Name in the language: `free fall`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FreeFall => "free fall",
            Self::Collision => "collision",
            Self::Contact => "contact",
            Self::Phenomenon => "phenomenon",
        }
    }
}

/// An event.
///
/// Values are rows of the schema, cut down to the quantities whose owner takes part: the world's, those of
/// `objects`, and measures, in the order of [`Schema::quantities`](super::Schema::quantities).
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Counts from 0.
    pub index: u64,
    /// Time at which it happened.
    pub time: f64,
    /// Its kind.
    pub kind: EventKind,
    /// The context that was applied: an index into [`Schema::contexts`](super::Schema::contexts). `None` if
    /// there is none.
    pub context: Option<usize>,
    /// Objects that took part: indices into [`Schema::objects`](super::Schema::objects). In a collision the
    /// object with index 0 first, else by name.
    pub objects: Vec<usize>,
    /// Measurements of the engine: in a collision the point where the objects met and the normal of each.
    pub given: Vec<(String, Vec<f64>)>,
    /// Values before.
    pub before: Vec<f64>,
    /// Values after.
    pub after: Vec<f64>,
}
