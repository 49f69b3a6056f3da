//! Experiments with `solver = soft`: who touches whom, rows of events, and resuming.

use crate::support::guide::run;
use crate::support::model;

/// A ball falls on a table that stands on the floor.
fn table(integrator: &str) -> String {
    format!(
        "world attributes {{ g = 9.81 }}
object {{ name = floor  physical type = static  geometrical type = half space
    attributes = {{ position = [0, 0, 0] }} }}
object {{ name = table  physical type = static  geometrical type = cuboid
    attributes = {{ position = [0, 0, 0.5]  size = [1, 1, 1] }} }}
object {{ name = ball  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [0, 0, 1.2]  size = 0.1  mass = 2 }} }}
simulation {{ name = drop  mechanics = rigid  solver = soft  integrator = {integrator}
    duration = 0.5  gravity = [0, 0, -g]  time step = 1 / 960 }}
"
    )
}

#[test]
fn a_contact_names_its_own_ground_and_tells_one_instant() {
    for integrator in ["semi-implicit", "rk4"] {
        let experiment = model(&table(integrator));
        let (recording, fault) = run(&experiment, &experiment.simulations[0]);
        assert!(fault.is_none(), "{integrator}");
        let touched = recording.events.first().expect("the ball lands");
        let names: Vec<&str> =
            touched.objects.iter().map(|&place| recording.schema.objects[place].as_str()).collect();
        assert_eq!(names, ["ball", "table"], "{integrator}");
        // Poses, velocities and energy of the event are of one instant.
        let column = |name: &str| recording.schema.quantities.iter().find(|it| it.name == name).unwrap();
        let event =
            |place: usize| touched.before[recording.schema.event_place(&touched.objects, place).unwrap()];
        let (height, fall) = (event(column("position").start + 2), event(column("velocity").start + 2));
        let energy = event(column("total_energy").start);
        assert!((fall * fall + 2.0 * 9.81 * height - energy).abs() < 1e-9, "{integrator}: {energy} J");
        // The steps of Runge and Kutta feel the table in the step before.
        let lost = 2.0 * 9.81 * 1.2 - energy;
        assert!(lost.abs() < if integrator == "rk4" { 0.5 } else { 0.05 }, "{integrator}: {lost} J");
        let fallen = 2.0 * (0.1 / 9.81_f64);
        assert!((touched.time * touched.time - fallen).abs() < 2e-3, "{integrator}: {} s", touched.time);
    }
}

#[test]
fn the_worst_stage_decides_whether_a_step_converged() {
    let text = table("rk4").replace("time step = 1 / 960", "iterations = 1  time step = 1 / 960");
    let experiment = model(&text);
    let (recording, _) = run(&experiment, &experiment.simulations[0]);
    let column = |name: &str| recording.schema.quantities.iter().find(|it| it.name == name).unwrap().start;
    let width = recording.schema.width();
    let (certificate, converged) = (column("certificate"), column("converged"));
    assert!(!recording.times.is_empty() && width > converged);
    for frame in 0..recording.times.len() {
        let row = recording.row(frame);
        assert_eq!(row[converged] == 1.0, row[certificate] <= 1e-9, "frame {frame}");
    }
}
