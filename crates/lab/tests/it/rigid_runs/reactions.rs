//! Forces of contacts and joints, against closed forms: the weight of what rests, and Newton's law of what
//! swings.

use crate::support::model;
use crate::support::runs::{run, run_with, value};
use gedanken_lab::Options;
use gedanken_recording::arrow::{ArrowSink, read_arrow};
use gedanken_recording::{CONTACT_SCALARS, Recording};

const WEIGHT: f64 = 2.0 * 9.81;

/// A box of 2 kg that lies on the floor.
fn lying(settings: &str) -> String {
    format!(
        "object {{
    name = box
    physical type = dynamic
    geometrical type = cuboid
    attributes = {{ position = [0, 0, 0.25]  size = [1, 1, 0.5]  mass = 2 }}
}}
object {{
    name = floor
    physical type = static
    geometrical type = half space
    attributes = {{ position = [0, 0, 0] }}
}}
simulation {{
    name = rest
    mechanics = rigid
    duration = 2
    gravity = [0, 0, -9.81]
    time step = 1 / 240
    record forces = true
    {settings}
}}
"
    )
}

/// Places of both bodies, point, normal, force on the second.
type RecordedContact = ([f64; 2], [f64; 3], [f64; 3], [f64; 3]);

/// The contacts of a frame.
fn contacts(recording: &Recording, frame: usize) -> Vec<RecordedContact> {
    let vector = |it: &[f64]| [it[0], it[1], it[2]];
    let all = recording.contacts(frame).chunks_exact(CONTACT_SCALARS);
    all.map(|it| ([it[0], it[1]], vector(&it[2..]), vector(&it[5..]), vector(&it[8..]))).collect()
}

#[test]
fn a_box_that_lies_presses_with_its_weight() {
    for (settings, error) in [
        ("solver = gauss-seidel", 1e-9),
        ("solver = jacobi", 1e-3),
        ("solver = variational", 1e-6),
        ("solver = soft", 1e-6),
    ] {
        let recording = run(&lying(settings));
        let last = recording.frames() - 1;
        let found = contacts(&recording, last);
        assert_eq!(found.len(), 4, "{settings}: a point at each corner");
        let mut sum = [0.0; 3];
        for (places, point, normal, force) in &found {
            // Objects are sorted by name: the box is 0, the floor 1.
            let sign = if *places == [0.0, 1.0] { -1.0 } else { 1.0 };
            assert!(*places == [0.0, 1.0] || *places == [1.0, 0.0], "{settings}: {places:?}");
            assert!((normal[2] * sign - 1.0).abs() < 1e-9, "{settings}: {normal:?}");
            assert!((point[0].abs() - 0.5).abs() < 1e-6 && point[2].abs() < 2e-2, "{settings}: {point:?}");
            (0..3).for_each(|k| sum[k] += sign * force[k]);
        }
        assert!((sum[2] - WEIGHT).abs() < error * WEIGHT, "{settings}: {sum:?}");
        assert!(sum[0].abs() + sum[1].abs() < error * WEIGHT, "{settings}: {sum:?}");
    }
}

#[test]
fn nothing_is_recorded_unless_it_is_asked_for() {
    let quiet = lying("").replace("    record forces = true\n", "");
    let (recording, _) = run_with(&model(&quiet), Options::default());
    assert!(!recording.schema.contacts && recording.contacts(100).is_empty());
    let (asked, _) = run_with(&model(&quiet), Options { forces: true, ..Options::default() });
    assert!(asked.schema.contacts && !asked.contacts(100).is_empty());
    // Looking changes nothing.
    assert_eq!(recording.hashes, asked.hashes);
}

#[test]
fn contacts_are_read_as_they_were_written() {
    let recording = run(&lying(""));
    let (mut frames, mut events) = (Vec::new(), Vec::new());
    let mut sink = ArrowSink::new(&mut frames, &mut events, &recording.schema).unwrap();
    recording.replay(&mut sink).unwrap();
    drop(sink);
    let read = read_arrow(frames.as_slice(), events.as_slice()).unwrap().recording;
    assert!(read.is_same(&recording));
    assert_eq!(read.contacts(100), recording.contacts(100));
    assert!(!read.contacts(100).is_empty());
}

/// A ball of 1.5 kg on a massless rod of 0.8 m, let go from an angle, with steps of a length.
fn pendulum(angle: f64, step: f64) -> String {
    format!(
        "world attributes {{
    l = 0.8
    start = {angle}
}}
object {{
    name = bob
    physical type = dynamic
    geometrical type = sphere
    collides = false
    attributes = {{ position = l * [sine(start), 0, -cosine(start)]  size = 0.1  mass = 1.5 }}
}}
joint pin {{
    kind = hinge
    between = {{bob, world}}
    anchor = [0, 0, 0]
    axis = [0, 1, 0]
}}
simulation {{
    name = swing
    mechanics = rigid
    duration = 1
    gravity = [0, 0, -9.81]
    frame rate = 20
    time step = {step}
    record forces = true
}}
"
    )
}

#[test]
fn a_hinge_carries_what_hangs() {
    let recording = run(&pendulum(0.0, 1.0 / 480.0));
    let last = recording.frames() - 1;
    let force = value(&recording, last, "", "force_of_pin");
    let torque = value(&recording, last, "", "torque_of_pin");
    assert!((force[2] - 1.5 * 9.81).abs() < 1e-9 && force[0].abs() < 1e-9, "{force:?}");
    assert!(torque.iter().all(|it| it.abs() < 1e-9), "{torque:?}");
}

/// Largest difference between the force of the hinge and m (a − g) of the swinging ball, over its weight.
fn error(step: f64) -> f64 {
    let recording = run(&pendulum(1.2, step));
    let (m, l, g) = (1.5_f64, 0.8_f64, 9.81_f64);
    let inertia = m * l * l + 0.4 * m * 0.01;
    let mut largest: f64 = 0.0;
    for frame in 1..recording.frames() {
        let place = value(&recording, frame, "bob", "position");
        let spin = value(&recording, frame, "bob", "angular_velocity")[1];
        let (x, z) = (place[0], place[2]);
        // About y a turn by dφ moves (x, z) by (z, −x) dφ; the torque of gravity about y is x m g.
        let turning = x * m * g / inertia;
        let acceleration = [z * turning - spin * spin * x, -x * turning - spin * spin * z];
        let wanted = [m * acceleration[0], m * (acceleration[1] + g)];
        let force = value(&recording, frame, "", "force_of_pin");
        let off = libm::hypot(force[0] - wanted[0], force[2] - wanted[1]);
        largest = largest.max(off / (m * g));
    }
    largest
}

#[test]
fn a_hinge_pulls_as_newton_says_to_the_first_order_in_the_step() {
    let (coarse, fine) = (error(1.0 / 200.0), error(1.0 / 800.0));
    let order = libm::log2(coarse / fine) / 2.0;
    assert!(fine < 0.02 && (order - 1.0).abs() < 0.15, "{coarse} {fine}: order {order}");
}
