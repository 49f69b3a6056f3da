//! What is told of one step, as JSON.

use gedanken_math::{Quat, Vec3};
use gedanken_rigid::contacts::Report;
use gedanken_rigid::variational::{Inspection, Multiplier};
use serde_json::{Map, Value, json};

/// The motion of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Position of its own frame, m.
    pub position: Vec3,
    /// Orientation of its own frame.
    pub orientation: Quat,
    /// Velocity of the origin of its own frame, m/s.
    pub velocity: Vec3,
    /// Angular velocity in the world, rad/s.
    pub angular_velocity: Vec3,
}

/// A step, and all that its solver tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectedStep {
    /// Bodies that can move, by name, at the end of the step.
    pub bodies: Vec<(String, BodyMotion)>,
    /// Cost and multipliers.
    pub inspection: Inspection,
    /// Names of the bodies of each multiplier.
    pub pairs: Vec<[String; 2]>,
    /// Residuals.
    pub report: Report,
}

impl InspectedStep {
    /// The step as JSON in one line. Reals are the shortest that are read back as the same; what is not finite
    /// is null.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Inspection { cost, multipliers, iterations } = &self.inspection;
        let residuals = self.report.variational;
        let bodies: Map<String, Value> =
            self.bodies.iter().map(|(name, motion)| (name.clone(), motion.to_value())).collect();
        let multipliers: Vec<Value> =
            multipliers.iter().zip(&self.pairs).map(|(it, pair)| multiplier(it, pair)).collect();
        json!({
            "bodies": bodies,
            "cost": {
                "translational": cost.translational,
                "rotational": cost.rotational,
                "potential": cost.potential,
                "friction": cost.friction,
                "total": cost.total(),
            },
            "multipliers": multipliers,
            "residuals": {
                "stationarity": residuals.stationarity,
                "feasibility": residuals.feasibility,
                "complementarity": residuals.complementarity,
                "friction_residual": residuals.friction,
            },
            "converged": self.report.converged,
            "iterations": iterations,
        })
        .to_string()
    }
}

impl BodyMotion {
    fn to_value(self) -> Value {
        let Quat { w, x, y, z } = self.orientation;
        json!({
            "position": vector(self.position),
            "orientation": [w, x, y, z],
            "velocity": vector(self.velocity),
            "angular_velocity": vector(self.angular_velocity),
        })
    }
}

fn multiplier(it: &Multiplier, pair: &[String; 2]) -> Value {
    json!({
        "bodies": pair,
        "point": it.point,
        "place": vector(it.place),
        "normal": vector(it.normal),
        "gap": it.gap,
        "first_pass": it.first_pass,
        "normal_force": it.normal_force,
        "friction_force": vector(it.friction_force),
        "sliding": vector(it.sliding),
    })
}

fn vector(vector: Vec3) -> [f64; 3] {
    vector.to_array()
}
