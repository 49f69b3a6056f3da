//! The attributes of point masses and rigid bodies: every built-in column, with unit, frame and writers.

use crate::world::attribute::{Attribute, AttributeInfo, Frame, Life, Parity};
use crate::space::{Directed, Space, ThreeD};
use gedanken_algebra::units::{self, One, Quantity, Vector};
use gedanken_algebra::Quat;
use std::marker::PhantomData;

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident $(<$space:ident>)?: $value:ty, $label:literal, $symbol:literal, $unit:literal,
       $frame:ident, $life:ident, $parity:ident, [$($writer:literal),*] $(, $objection:expr)?;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name $(<$space: Space = ThreeD>(PhantomData<$space>))?;

            impl $(<$space: Space>)? Attribute for $name $(<$space>)? {
                type Value = $value;
                const NAME: &'static str = $label;
                const SYMBOL: &'static str = $symbol;
                const UNIT: &'static str = $unit;
                const FRAME: Frame = Frame::$frame;
                const LIFE: Life = Life::$life;
                const PARITY: Parity = Parity::$parity;
                const WRITERS: &'static [&'static str] = &[$($writer),*];
                $(fn objection(value: Self::Value) -> Option<&'static str> {
                    let check: fn(Self::Value) -> Option<&'static str> = $objection;
                    check(value)
                })?
            }
        )*

        /// Every built-in attribute, as bodies in space have it: what the notation table is made of.
        #[must_use]
        pub fn built_in_attributes() -> Vec<AttributeInfo> {
            vec![$(AttributeInfo::of::<$name>()),*]
        }
    };
}

attributes! {
    /// Where the centre of mass is.
    Position<S>: Directed<S, units::Length>, "position", "r", "m", World, State, Even,
        ["drift", "stage", "finish", "midpoint", "advance", "verlet drift"];
    /// How fast the centre of mass moves.
    Velocity<S>: Directed<S, units::Velocity>, "velocity", "v", "m/s", World, State, Odd,
        ["kick", "stage", "finish", "midpoint", "advance", "half kick", "kept kick"];
    /// The acceleration at the current position, kept by methods that need it once more in the next step.
    Acceleration<S>: Directed<S, units::Acceleration>, "acceleration", "a", "m/s²", World, State, Even,
        ["keep acceleration"];
    /// Inertia against force. A component without mass is immovable.
    Mass: Quantity<units::Mass>, "mass", "m", "kg", Invariant, State, Even, [],
        |m| (m.si() <= 0.0).then_some("a mass is positive; leave it out for an immovable component");
    /// What a uniform field acts on.
    Charge: Quantity<units::Charge>, "charge", "q", "C", Invariant, State, Even, [];
    /// How the body is turned: takes body coordinates to world coordinates.
    Orientation: Quat, "orientation", "Q", "1", World, State, Even,
        ["quaternion step", "exponential step", "free rotation"],
        |q| ((q.length() - 1.0).abs() > 1e-6).then_some("a rotation is a quaternion of length 1");
    /// How fast the body turns.
    AngularVelocity: Vector<units::AngularVelocity>, "angular_velocity", "ω", "rad/s", World, State, Odd,
        ["angular kick", "quaternion step", "exponential step", "free rotation"];
    /// The principal moments of inertia. The body frame lies along the principal axes.
    Inertia: Vector<units::Inertia>, "inertia", "I", "kg·m²", Body, State, Even, [],
        |i| (i.si().min_element() <= 0.0).then_some("principal moments of inertia are positive");
    /// The magnetic moment, fixed in the body.
    MagneticMoment: Vector<units::MagneticMoment>, "magnetic_moment", "μ", "A·m²", Body, State, Even, [];
    /// The force of all laws together.
    Force<S>: Directed<S, units::Force>, "force", "F", "N", World, Step, Even,
        ["clear forces", "add up forces", "law"];
    /// The torque of all laws together, about the centre of mass.
    Torque: Vector<units::Torque>, "torque", "τ", "N·m", World, Step, Even,
        ["clear torques", "add up torques", "law"];
    /// How much faster than nominal an adaptive method expects to step next, on the world's row; see the adaptive
    /// Verlet method.
    Pace: Quantity<One>, "pace", "w", "1", Invariant, State, Odd, ["adaptive velocity Verlet"];
}
