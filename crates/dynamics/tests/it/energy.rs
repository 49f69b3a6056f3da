//! `totalEnergy(step h w) - totalEnergy w` shrinks with the documented order, from any state: a property
//! test.

use gedanken_dynamics::diagnostics::total_energy;
use gedanken_dynamics::integrate::INTEGRATORS;
use gedanken_dynamics::{Position, Velocity, scenes};
use gedanken_math::Vec3;
use gedanken_math::units::{Quantity, SECOND};
use proptest::prelude::*;

proptest! {
    // A fifth of all places is too near to the centre: of thousands of cases, more than proptest puts up with.
    #![proptest_config(ProptestConfig { max_global_rejects: 65536, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn the_energy_error_of_one_step_has_the_order_of_the_method(
        place in prop::array::uniform3(-1.0..1.0f64), speed in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let (r, v) = (Vec3::from_array(place), Vec3::from_array(speed));
        // Away from the centre, where steps of this length resolve the motion.
        prop_assume!(r.length() > 0.7 && r.cross(v).length() > 0.2);
        for integrator in INTEGRATORS {
            let mut scene = scenes::kepler(0.0);
            let planet = scene.state.model().id("planet").unwrap();
            scene.state.set::<Position>(planet, Quantity::new(r)).unwrap();
            scene.state.set::<Velocity>(planet, Quantity::new(v)).unwrap();
            let before = total_energy(&scene.state, &scene.laws).unwrap().si();
            let error = |h: f64| {
                let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
                let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
                stepper.step(&mut state, h * SECOND).unwrap();
                (total_energy(&state, &scene.laws).unwrap().si() - before).abs()
            };
            // One step of a method of order p errs by h^(p+1), or less where the leading term happens to
            // vanish. At these finite steps the next terms still show, so the error must fall with h^p at
            // least, until it meets rounding.
            let p = f64::from(integrator.order);
            let (coarse, fine) = (0.1, 0.025);
            let allowed = error(coarse) * libm::pow(fine / coarse, p) + 64.0 * f64::EPSILON;
            let smallest = libm::pow(fine, p + 1.0);
            prop_assert!(error(fine) <= allowed.max(smallest), "{}: {:.2e} to {:.2e}", integrator.name, error(coarse), error(fine));
        }
    }
}
