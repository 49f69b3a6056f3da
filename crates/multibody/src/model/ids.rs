//! Identities of the parts of a mechanism: a number that says of what it is.

/// Declares an id: a place in the list of its kind.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// Id of the part at this place in its list.
            ///
            /// # Panics
            /// With more than 2³² parts.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a mechanism has fewer than 2³² parts of a kind"))
            }

            /// Place in its list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A body; the world is body 0.
    BodyId
}
id! {
    /// A joint between a body and its parent.
    JointId
}
id! {
    /// A geom: a shape fixed to a body.
    GeomId
}
id! {
    /// An actuator.
    ActuatorId
}
id! {
    /// An equality.
    EqualityId
}

impl BodyId {
    /// The world, root of all trees.
    pub const WORLD: BodyId = BodyId(0);
}
