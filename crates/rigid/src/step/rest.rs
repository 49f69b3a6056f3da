//! Rest: who has stopped, and how velocities changed. Nothing is put to sleep: rest is something to read, not
//! a shortcut.

use crate::world::solver_body::Starts;
use crate::world::settings::Settings;
use gedanken_dynamics::{
    Acceleration, AngularAcceleration, AngularVelocity, AtRest, Mass, Rule, ThreeD, Velocity, read,
    read_table, write,
};
use gedanken_math::units::Quantity;

/// A body rests when its velocities stayed below the threshold at both ends of the step. Accelerations are
/// means over the step.
pub(crate) fn rule(settings: &Settings) -> Rule {
    let threshold = settings.rest_speed;
    let now = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>(), read::<Mass>());
    let kept = (write::<Acceleration<ThreeD>>(), write::<AngularAcceleration>(), write::<AtRest>());
    Rule::new(
        "rest",
        (now, kept, read_table::<Starts>()),
        move |step, ((v, w, m), (a, alpha, rest), starts)| {
            let h = step.h.si();
            for row in (0..v.len()).filter(|&row| m[row].si() > 0.0) {
                let before = starts.movers[row].twist;
                let (v, w) = (v[row].si(), w[row].si());
                if h > 0.0 {
                    a[row] = Quantity::new((v - before.linear) / h);
                    alpha[row] = Quantity::new((w - before.angular) / h);
                }
                let speeds = [v, w, before.linear, before.angular];
                rest[row] = speeds.iter().all(|speed| speed.length() <= threshold);
            }
        },
    )
}
