//! The step of the dice against SciPy: `tests/oracle/dice.py` makes the stored states and solutions.

use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Cuboid, HalfSpace, Shape};
use gedanken_math::rotation::{from_rotation_vector, to_world};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::variational::{GivenForce, VariationalSettings};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_slice(&numbers(value))
}

/// The number that our corner k (bits x, y, z) has in the stored data (bits z, y, x).
fn stored_corner(k: u32) -> usize {
    (4 * (k & 1) + 2 * (k >> 1 & 1) + (k >> 2 & 1)) as usize
}

struct Throw {
    data: Value,
    settings: Settings,
}

impl Throw {
    fn read(text: &str) -> Self {
        let settings = Settings {
            variational: VariationalSettings::SEED,
            ..Settings::of_solver("variational").unwrap()
        };
        Self { data: serde_json::from_str(text).unwrap(), settings }
    }

    fn of_cube(&self, name: &str) -> f64 {
        self.data["cube"][name].as_f64().unwrap()
    }

    fn world(&self) -> World {
        let (m, s, mu) = (self.of_cube("m"), self.of_cube("s"), self.of_cube("mu"));
        let ground = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Y, 0.0).unwrap()), Pose::IDENTITY);
        let die = Body::dynamic(Shape::Cuboid(Cuboid::new(Vec3::splat(s)).unwrap()), Pose::at(Vec3::Y * 9.0));
        let bodies =
            [("die", die.with_mass(m).with_material("wood")), ("ground", ground.with_material("wood"))];
        let gravity = UniformGravity::new(Quantity::new(Vec3::Y * -self.of_cube("g")));
        World::new(bodies, [Material::new("wood", 0.0, mu).unwrap()]).unwrap().with_laws(gravity)
    }

    /// A simulation that stands before a stored step, with or without the stored forces of the first pass.
    fn before(&self, step: &Value, given: bool) -> Simulation {
        let mut settings = self.settings.clone();
        if given {
            let lambda = numbers(&step["lambda"]);
            settings.given_forces = (0..8)
                .map(|point| GivenForce { rows: [1, 2], point, force: lambda[stored_corner(point)] })
                .collect();
        }
        let mut simulation = Simulation::new(self.world(), settings).unwrap();
        let die = simulation.world().id("die").unwrap();
        let [w, x, y, z] = numbers(&step["q"])[..] else { panic!("a quaternion") };
        let q = Quat::from_xyzw(x, y, z, w);
        let omega = to_world(q, vector(&step["omega"]));
        simulation.put(die, Pose::new(q, vector(&step["c"])), vector(&step["c_dot"]), omega).unwrap();
        simulation
    }

    /// Compares every step: distances to both solutions, over the size, and the costs above theirs.
    fn compare(&self) {
        let (s, h) = (self.of_cube("s"), self.of_cube("h"));
        let (m, g) = (self.of_cube("m"), self.of_cube("g"));
        let mut stationarities = Vec::new();
        for (k, step) in self.data["steps"].as_array().unwrap().iter().enumerate() {
            let mut simulation = self.before(step, true);
            simulation.step(h).unwrap();
            let die = simulation.world().id("die").unwrap();
            let pose = simulation.pose(die);
            let [w, x, y, z] = numbers(&step["q"])[..] else { panic!("a quaternion") };
            let start = Quat::from_xyzw(x, y, z, w);
            let inspection = simulation.inspection().unwrap();
            let cost = inspection.cost.total();
            let off = |solution: &Value| {
                let turned = start * from_rotation_vector(vector(&solution["theta"]));
                let angle = 2.0 * (turned.conjugate() * pose.rotation).xyz().length();
                ((pose.translation - vector(&solution["c"])).length() / s).max(angle)
            };
            let residuals = simulation.report().variational;
            let theirs = step["slsqp"]["stationarity"].as_f64().unwrap();
            let bound = if theirs < 1e-4 { 1e-6 } else { 1e-5 };
            assert!(off(&step["slsqp"]) < bound, "step {k}: SLSQP is {:e} away", off(&step["slsqp"]));
            assert!(off(&step["refined"]) < 1e-10, "step {k}: refined is {:e} away", off(&step["refined"]));
            let charged = step["slsqp"]["cost"].as_f64().unwrap()
                - (numbers(&step["slsqp"]["heights"]).iter().zip(numbers(&step["refined"]["nu"])))
                    .fold(0.0, |sum, (height, nu)| sum + height.min(0.0) * nu);
            assert!(cost <= charged + 1e-9, "step {k}: cost {cost} above {charged}");
            let refined = step["refined"]["cost"].as_f64().unwrap();
            assert!((cost - refined).abs() < 1e-10 * refined.abs().max(1.0), "step {k}: {cost} {refined}");
            assert!(residuals.feasibility <= 1e-12, "step {k}: {residuals:?}");
            stationarities.push(residuals.stationarity);
            // The forces of our own first pass are the stored ones, of least norm.
            let mut own = self.before(step, false);
            own.step(h).unwrap();
            let lambda = numbers(&step["lambda"]);
            let scale = lambda.iter().copied().fold(m * g, f64::max);
            for multiplier in &own.inspection().unwrap().multipliers {
                let stored = lambda[stored_corner(multiplier.point)];
                let off = (multiplier.first_pass - stored).abs() / scale;
                assert!(
                    off < 1e-8,
                    "step {k}, corner {}: {} {stored}",
                    multiplier.point,
                    multiplier.first_pass
                );
            }
        }
        stationarities.sort_by(f64::total_cmp);
        let (median, worst) = (stationarities[stationarities.len() / 2], stationarities.last().unwrap());
        assert!(median <= 1e-10 && *worst <= 1e-8, "stationarity: median {median:e}, worst {worst:e}");
    }
}

#[test]
fn the_cube_moves_as_scipy_says() {
    Throw::read(include_str!("../../oracle/cube.json")).compare();
}

#[test]
fn the_die_of_16_mm_moves_as_scipy_says() {
    Throw::read(include_str!("../../oracle/die.json")).compare();
}
