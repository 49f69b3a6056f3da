//! The attributes of point masses and rigid bodies: every built-in column, with unit, frame and writers.

use super::core::attribute::{Attribute, AttributeInfo, Frame, Life, Parity};
use crate::space::{Directed, Space, ThreeD};
use gedanken_math::Quat;
use gedanken_math::units::{self, One, Quantity, Vector};
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
    /// Position of the centre of mass.
    Position<S>: Directed<S, units::Length>, "position", "r", "m", World, State, Even,
        ["drift", "stage", "midpoint", "finish", "drift joints", "predict", "solve", "impacts", "correct", "minimise"];
    /// Velocity of the centre of mass.
    Velocity<S>: Directed<S, units::Velocity>, "velocity", "v", "m/s", World, State, Odd,
        ["seek middle", "kick", "half kick", "stage", "midpoint", "finish", "kick joints", "drift joints", "solve", "impacts", "correct", "minimise"];
    /// The acceleration at the current position, kept by methods that need it once more in the next step.
    Acceleration<S>: Directed<S, units::Acceleration>, "acceleration", "a", "m/s²", World, State, Even,
        ["keep acceleration", "rest"];
    /// Mean rate of the angular velocity during the last step.
    AngularAcceleration: Vector<units::AngularAcceleration>, "angular_acceleration", "α", "rad/s²", World, State, Even,
        ["rest"];
    /// `true` if a rigid body has come to rest.
    AtRest: bool, "at_rest", "-", "1", Invariant, State, Even, ["rest"];
    /// Inertia against force. A component without mass is immovable.
    Mass: Quantity<units::Mass>, "mass", "m", "kg", Invariant, State, Even, [],
        |m| (m.si() <= 0.0).then_some("a mass is positive; leave it out for an immovable component");
    /// Electric charge, on which a uniform field acts.
    Charge: Quantity<units::Charge>, "charge", "q", "C", Invariant, State, Even, [];
    /// Orientation: the rotation from body coordinates to world coordinates.
    Orientation: Quat, "orientation", "Q", "1", World, State, Even,
        ["quaternion step", "exponential step", "free rotation", "drift", "drift joints", "predict", "solve", "impacts", "minimise",
            "correct", "finish"],
        |q| ((q.length() - 1.0).abs() > 1e-6).then_some("a rotation is a quaternion of length 1");
    /// Angular velocity.
    AngularVelocity: Vector<units::AngularVelocity>, "angular_velocity", "ω", "rad/s", World, State, Odd,
        ["seek middle", "angular kick", "quaternion step", "exponential step", "free rotation", "drift", "kick", "kick joints",
            "drift joints", "solve", "impacts", "correct", "minimise", "finish"];
    /// The principal moments of inertia. The body frame lies along the principal axes.
    Inertia: Vector<units::Inertia>, "inertia", "I", "kg·m²", Body, State, Even, [],
        |i| (i.si().min_element() <= 0.0).then_some("principal moments of inertia are positive");
    /// The magnetic moment, fixed in the body.
    MagneticMoment: Vector<units::MagneticMoment>, "magnetic_moment", "μ", "A·m²", Body, State, Even, [];
    /// The force of all laws together.
    Force<S>: Directed<S, units::Force>, "force", "F", "N", World, Step, Even,
        ["clear forces", "add up forces", "law", "external forces"];
    /// The torque of all laws together, about the centre of mass.
    Torque: Vector<units::Torque>, "torque", "τ", "N·m", World, Step, Even,
        ["clear torques", "add up torques", "law", "external forces"];
    /// Ratio of the next step of an adaptive method to the nominal one, on the world's row; see the
    /// adaptive Verlet method.
    Pace: Quantity<One>, "pace", "w", "1", Invariant, State, Odd, ["adaptive-verlet"];
    /// The acceleration at which an adaptive Verlet step has its nominal length, on the world's row.
    ReferenceAcceleration: Quantity<units::Acceleration>, "reference_acceleration", "a₀", "m/s²", Invariant, State,
        Even, ["adaptive-verlet"];
    /// The length that an error estimate proposes for the next step, on the world's row.
    Stride: Quantity<units::Time>, "stride", "h", "s", Invariant, State, Even, ["dormand-prince"];

    /// The position at the start of the step.
    StartPosition<S>: Directed<S, units::Length>, "start position", "r₀", "m", World, Step, Even, ["save"];
    /// The velocity at the start of the step.
    StartVelocity<S>: Directed<S, units::Velocity>, "start velocity", "v₀", "m/s", World, Step, Odd, ["save"];
    /// The rate of change of the position in one stage of a Runge-Kutta step, labelled by the stage.
    PositionSlope<S>: Directed<S, units::Velocity>, "position slope", "k", "m/s", World, Step, Odd, ["slope"];
    /// The rate of change of the velocity in one stage of a Runge-Kutta step, labelled by the stage.
    VelocitySlope<S>: Directed<S, units::Acceleration>, "velocity slope", "k", "m/s²", World, Step, Even, ["slope"];
    /// The estimated error of a step in units of the tolerance, on the world's row.
    ErrorEstimate: Quantity<One>, "error estimate", "e", "1", Invariant, Step, Even, ["error estimate"];
    /// Relative change of the result in the last round of an iteration, on the world's row.
    Change: Quantity<One>, "change", "δ", "1", Invariant, Step, Even, ["guess", "midpoint"];
    /// Raised on the world's row when an iteration has settled.
    Settled: bool, "settled", "-", "1", Invariant, Step, Even, ["guess", "midpoint", "begin kick", "seek middle"];
    /// The velocity when the ledger was opened.
    VelocityBefore<S>: Directed<S, units::Velocity>, "velocity before", "v⁻", "m/s", World, Step, Odd, ["open"];
    /// The angular velocity when the ledger was opened.
    AngularVelocityBefore: Vector<units::AngularVelocity>, "angular velocity before", "ω⁻", "rad/s", World, Step, Odd,
        ["open"];
    /// The impulse of one law since the ledger was opened, labelled by the law.
    Impulse<S>: Directed<S, units::Momentum>, "impulse", "J", "N·s", World, Step, Even, ["book impulse"];
    /// The angular impulse of one law since the ledger was opened, labelled by the law.
    AngularImpulse: Vector<units::AngularMomentum>, "angular impulse", "H", "N·m·s", World, Step, Even,
        ["book angular impulse"];
    /// The work of one law on each body during the step, labelled by the law.
    Work: Quantity<units::Energy>, "work", "W", "J", Invariant, Step, Even, ["book work"];
}
