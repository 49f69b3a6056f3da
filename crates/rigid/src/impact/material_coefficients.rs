//! The coefficients of an impact, from the curves of two materials. What a curve returns is checked here,
//! where it is used.

use crate::world::World;
use crate::world::material::{Curve, Material};
use crate::world::settings::Settings;
use gedanken_dynamics::Trouble;

/// e at an approach speed.
pub(super) fn restitution(
    world: &World,
    settings: &Settings,
    rows: [u32; 2],
    speed: f64,
) -> Result<f64, Trouble> {
    let [one, two] = rows.map(|row| world.material(row as usize));
    let of = |material: &Material| {
        let value = checked(&material.restitution, speed, 1.0);
        value.ok_or_else(|| {
            trouble(
                material,
                "restitution",
                &material.restitution,
                speed,
                "it is between 0 (no rebound) and 1 (no loss)",
            )
        })
    };
    Ok(settings.combination.of(of(one)?, of(two)?))
}

/// Returns `true` if two bodies lose nothing at any speed.
pub(super) fn is_lossless(world: &World, settings: &Settings, rows: [u32; 2]) -> bool {
    match rows.map(|row| &world.material(row as usize).restitution) {
        [Curve::Constant(one), Curve::Constant(two)] => settings.combination.of(*one, *two) >= 1.0,
        _ => false,
    }
}

/// μ at a sliding speed.
pub(super) fn friction(
    world: &World,
    settings: &Settings,
    rows: [u32; 2],
    speed: f64,
) -> Result<f64, Trouble> {
    let [one, two] = rows.map(|row| world.material(row as usize));
    let of = |material: &Material| {
        let value = checked(&material.friction, speed, f64::MAX);
        value
            .ok_or_else(|| trouble(material, "friction", &material.friction, speed, "it is zero or positive"))
    };
    Ok(settings.combination.of(of(one)?, of(two)?))
}

fn checked(curve: &Curve, speed: f64, most: f64) -> Option<f64> {
    let value = curve.at(speed);
    (value >= 0.0 && value <= most).then_some(value)
}

fn trouble(material: &Material, what: &str, curve: &Curve, speed: f64, reason: &str) -> Trouble {
    let (name, value) = (&material.name, curve.at(speed));
    Trouble::Failed(format!(
        "the {what} of the material '{name}' is {value} at a speed of {speed} m/s: {reason}"
    ))
}
