//! Recorded quantities of bodies and of the world, against closed forms.

use super::run::{ball, ground, near, object, run, simulation, value};
use gedanken_recording::{Owner, Recording};

const G: &str = "gravity = [0, 0, -9.81]";

fn names(recording: &Recording, owner: Owner) -> Vec<&str> {
    recording.schema.owned(owner).iter().map(|it| it.name.as_str()).collect()
}

fn constants(recording: &Recording, owner: Owner) -> Vec<&str> {
    let own = recording.schema.constants.iter().filter(|it| it.owner == owner);
    own.map(|it| it.name.as_str()).collect()
}

#[test]
fn everything_has_its_column() {
    let text = "world attributes { k = 3 }\n".to_owned()
        + &ball("ball", "position = [0, 0, 5]\n mass = 2\n own = [1, 2]")
        + &ground("")
        + &simulation(&format!("duration = 0.1\n {G}"));
    let recording = run(&text);
    assert_eq!(recording.schema.contexts, ["impact", "leave", "touch"]);
    assert_eq!(
        names(&recording, Owner::Object(0)),
        [
            "acceleration",
            "angular_acceleration",
            "angular_velocity",
            "at_rest",
            "kinetic_energy",
            "orientation",
            "position",
            "rotational_energy",
            "velocity"
        ]
    );
    assert_eq!(constants(&recording, Owner::Object(0)), ["mass", "own", "size"]);
    assert!(names(&recording, Owner::Object(1)).is_empty(), "the ground never changes");
    assert_eq!(constants(&recording, Owner::World), ["k"]);
    let world = names(&recording, Owner::World);
    for name in [
        "kinetic_energy",
        "potential_energy",
        "total_energy",
        "momentum",
        "angular_momentum",
        "work_of_gravity",
        "impulse_of_gravity",
        "normal_contact_work",
        "friction_impulse",
        "joint_work",
        "motor_work",
        "impact_work",
        "stabilisation_work",
        "numerical_error",
        "momentum_error",
        "contacts",
        "signorini",
        "cone",
        "dissipation",
        "overlap",
        "joint_error",
        "converged",
    ] {
        assert!(world.contains(&name), "{name} in {world:?}");
    }
    assert_eq!(recording.times.len(), 7, "60 frames in a unit of time, and the initial state");
}

/// v = g t, z = z0 - g t² / 2, and the energies that go with it: exact for a constant force, at any step.
#[test]
fn a_falling_ball_has_the_energy_that_gravity_gave_it() {
    let text = ball("ball", "position = [0, 0, 5]\n mass = 2\n velocity = [3, 0, 0]")
        + &simulation(&format!("duration = 0.5\n time step = 1 / 120\n frame rate = 60\n {G}"));
    let recording = run(&text);
    for frame in 1..recording.frames() {
        let t = recording.times[frame];
        let of = |name: &str| value(&recording, frame, "ball", name);
        let world = |name: &str| value(&recording, frame, "", name);
        assert!(near(&of("position"), &[3.0 * t, 0.0, 5.0 - 4.905 * t * t], 1e-12));
        assert!(near(&of("velocity"), &[3.0, 0.0, -9.81 * t], 1e-12));
        assert!(near(&of("acceleration"), &[0.0, 0.0, -9.81], 1e-9));
        let speed_squared = 9.0 + (9.81 * t) * (9.81 * t);
        assert!(near(&of("kinetic_energy"), &[speed_squared], 1e-11));
        assert!(near(&world("kinetic_energy"), &[speed_squared], 1e-11));
        assert!(near(&world("work_of_gravity"), &[speed_squared - 9.0], 1e-10));
        assert!(near(&world("impulse_of_gravity"), &[0.0, 0.0, -2.0 * 9.81 * t], 1e-11));
        assert!(near(&world("momentum"), &[6.0, 0.0, -2.0 * 9.81 * t], 1e-11));
        assert!(near(&world("numerical_error"), &[0.0], 1e-10));
        assert!(near(&world("momentum_error"), &[0.0; 3], 1e-11));
        let energies = [world("kinetic_energy")[0], world("potential_energy")[0], world("total_energy")[0]];
        assert!((energies[0] + energies[1] - energies[2]).abs() < 1e-12);
        assert!((energies[2] - value(&recording, 0, "", "total_energy")[0]).abs() < 1e-10);
        assert_eq!(of("at_rest"), [0.0]);
        assert_eq!(world("converged"), [1.0]);
    }
}

/// A ball turns uniformly, so that its last Euler angle, or its quaternion, is known at any time.
#[test]
fn orientations_are_recorded_as_they_are_written() {
    let text = ball("angles", "position = [0, 0, 0]\n mass = 1\n angular_velocity = [0, 0, 2]")
        + &ball(
            "quaternion",
            "position = [5, 0, 0]\n mass = 1\n orientation = [1, 0, 0, 0]\n angular_velocity = [0, 0, 2]",
        )
        + &simulation("duration = 1");
    let recording = run(&text);
    for frame in 0..recording.frames() {
        let angle = 2.0 * recording.times[frame];
        let angles = value(&recording, frame, "angles", "orientation");
        assert!(near(&angles, &[0.0, 0.0, angle], 1e-12), "{angles:?}");
        let (half_sin, half_cos) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
        let quaternion = value(&recording, frame, "quaternion", "orientation");
        assert!(near(&quaternion, &[half_cos, 0.0, 0.0, half_sin], 1e-12), "{quaternion:?}");
        assert!(near(&value(&recording, frame, "angles", "rotational_energy"), &[0.5 * 0.1 * 4.0], 1e-12));
    }
    assert_eq!(recording.schema.quantity(Owner::Object(1), "orientation").unwrap().width(), 4);
}

/// A compound whose centre of mass is not its origin: a heavy ball at the origin of its frame, a light one
/// beside it. Free, it turns about the centre of mass, so its origin goes in a circle; position, velocity and
/// acceleration are all those of the origin.
#[test]
fn what_is_recorded_is_the_frame_of_the_file() {
    let part = |name: &str, place: f64, mass: f64| {
        object(name, "dynamic", "sphere", &format!("position = [{place}, 0, 0]\n size = 0.2\n mass = {mass}"))
    };
    let (spin, arm) = (2.0, 0.25);
    let text = part("heavy", 0.0, 3.0)
        + &part("light", 1.0, 1.0)
        + "object {\n    name = pair\n    physical type = dynamic\n    parts = {heavy, light}\n    attributes = {\n        position = [0, 0, 0]\n        velocity = [0, -0.5, 0]\n        angular_velocity = [0, 0, 2]\n    }\n}\n"
        + &simulation("objects_involved = {pair}\n duration = 2\n time step = 1 / 480");
    let recording = run(&text);
    for frame in 0..recording.frames() {
        let t = recording.times[frame];
        let (sin, cos) = (libm::sin(spin * t), libm::cos(spin * t));
        let of = |name: &str| value(&recording, frame, "pair", name);
        // The centre of mass is at (1/4, 0, 0) and stays there.
        assert!(near(&of("position"), &[arm - arm * cos, -arm * sin, 0.0], 1e-9), "{:?}", of("position"));
        assert!(near(&of("velocity"), &[arm * spin * sin, -arm * spin * cos, 0.0], 1e-9));
        if frame > 0 {
            let a = arm * spin * spin;
            assert!(near(&of("acceleration"), &[a * cos, a * sin, 0.0], 1e-6), "{:?}", of("acceleration"));
        }
        assert!(near(&of("kinetic_energy"), &[0.0], 1e-12), "its centre of mass rests");
    }
}

#[test]
fn only_what_is_named_is_recorded() {
    let text = |record: &str| {
        ball("ball", "position = [0, 0, 5]\n mass = 2\n own = 1")
            + &simulation(&format!("duration = 0.1\n {G}\n {record}"))
    };
    let all = run(&text(""));
    let some = run(&text("record = {velocity, total_energy, work_of_gravity, kinetic_energy}"));
    assert_eq!(names(&some, Owner::World), ["kinetic_energy", "total_energy", "work_of_gravity"]);
    assert_eq!(names(&some, Owner::Object(0)), ["kinetic_energy", "orientation", "position", "velocity"]);
    assert_eq!(some.hashes, all.hashes, "nothing else is different");
    assert_eq!(value(&some, 6, "ball", "velocity"), value(&all, 6, "ball", "velocity"));
}

/// The world's own attributes are the user's: what the mechanics gives does not take their place.
#[test]
fn attributes_of_the_world_keep_their_meaning() {
    let text = "world attributes { contacts = 7 }\n".to_owned()
        + &ball("ball", "position = [0, 0, contacts]\n mass = 1")
        + &simulation(&format!("duration = 0.1\n {G}"));
    let recording = run(&text);
    assert_eq!(constants(&recording, Owner::World), ["contacts"]);
    assert!(recording.schema.quantity(Owner::World, "contacts").is_none());
    assert_eq!(value(&recording, 0, "ball", "position"), [0.0, 0.0, 7.0]);
}
