//! Impacts and contacts as events, with values before and after.

use super::run::{at_event, ball, ground, near, run, simulation};
use gedanken_recording::{EventKind, Moment};

const G: &str = "gravity = [0, 0, -9.81]";

/// Dropped from the height h, a ball of restitution e meets the ground after sqrt(2 h / g), and leaves with e
/// times the speed.
#[test]
fn an_impact_is_told_at_its_time() {
    let text = ball("ball", "position = [0, 0, 2.5]\n mass = 2\n restitution = 0.5")
        + &ground("restitution = 0.5")
        + "measure height { of = {ball}  value = position # 3 }\n"
        + &simulation(&format!("duration = 1\n time step = 1 / 100\n frame rate = 50\n {G}"));
    let recording = run(&text);
    let event = &recording.events[0];
    let (time, speed) = ((2.0 * 2.0 / 9.81f64).sqrt(), (2.0 * 9.81 * 2.0f64).sqrt());
    assert_eq!((event.kind, event.index), (EventKind::Collision, 0));
    assert_eq!(recording.schema.contexts[event.context.unwrap()], "impact");
    assert!((event.time - time).abs() < 1e-6, "{} and not {time}", event.time);
    let names: Vec<&str> = event.objects.iter().map(|&it| recording.schema.objects[it].as_str()).collect();
    assert_eq!(names, ["ball", "ground"]);
    let of = |side, name: &str| at_event(&recording, event, side, "ball", name);
    assert!(near(&of(Moment::Before, "velocity"), &[0.0, 0.0, -speed], 1e-5));
    assert!(near(&of(Moment::After, "velocity"), &[0.0, 0.0, 0.5 * speed], 1e-5));
    assert!(near(&of(Moment::Before, "position"), &[0.0, 0.0, 0.5], 1e-6));
    assert_eq!(of(Moment::Before, "position"), of(Moment::After, "position"));
    let energy = speed * speed;
    assert!(near(&of(Moment::Before, "kinetic_energy"), &[energy], 1e-4));
    assert!(near(&of(Moment::After, "kinetic_energy"), &[0.25 * energy], 1e-4));
    // Nobody else moves, so that totals and measures are known.
    let world = |side, name: &str| at_event(&recording, event, side, "", name);
    assert!(near(&world(Moment::After, "kinetic_energy"), &[0.25 * energy], 1e-4));
    assert!(near(&world(Moment::Before, "momentum"), &[0.0, 0.0, -2.0 * speed], 1e-4));
    assert!(near(&at_event(&recording, event, Moment::After, "measure", "height"), &[0.5], 1e-6));
    // What belongs to whole steps is not.
    assert!(world(Moment::After, "converged")[0].is_nan());
    assert!(near(event.given("collisionPoint").unwrap(), &[0.0; 3], 1e-6));
    assert!(near(event.given("ball.collisionNormal").unwrap(), &[0.0, 0.0, 1.0], 1e-9), "out of the ground");
    assert!(near(event.given("ground.collisionNormal").unwrap(), &[0.0, 0.0, -1.0], 1e-9));
    assert!((event.given("approach_speed").unwrap()[0] - speed).abs() < 1e-5);
    assert_eq!(event.given("restitution").unwrap(), [0.5]);
}

/// Others that move elsewhere have no part in an impact: what needs them has no value there.
#[test]
fn what_is_not_known_at_an_impact_has_no_value() {
    let text = ball("ball", "position = [0, 0, 1]\n mass = 1\n restitution = 1")
        + &ball("other", "position = [50, 0, 9]\n mass = 1\n velocity = [1, 0, 0]")
        + &ground("restitution = 1")
        + "measure all { of = {ball, other}  value = position # 3 }\n"
        + "measure one { of = {ball}  value = position # 3 }\n"
        + &simulation(&format!("duration = 0.5\n {G}"));
    let recording = run(&text);
    let event = recording.events.iter().find(|it| it.kind == EventKind::Collision).unwrap();
    let measured = |name: &str| at_event(&recording, event, Moment::Before, "measure", name)[0];
    assert!(measured("all").is_nan());
    assert!((measured("one") - 0.5).abs() < 1e-6);
    assert!(at_event(&recording, event, Moment::Before, "", "kinetic_energy")[0].is_nan());
}

/// A ball is put on the ground and stays; one that is thrown up does not, and one that falls comes to touch
/// it.
#[test]
fn touching_and_leaving_are_told() {
    let text = ball("still", "position = [0, 0, 0.5]\n mass = 1")
        + &ball("up", "position = [5, 0, 0.5]\n mass = 1\n velocity = [0, 0, 3]")
        + &ball("falls", "position = [9, 0, 0.6]\n mass = 1")
        + &ground("")
        + &simulation(&format!("duration = 0.25\n {G}"));
    let recording = run(&text);
    let told = |kind: EventKind, name: &str| {
        let place = recording.schema.object(name).unwrap();
        recording.events.iter().filter(|it| it.kind == kind && it.objects.contains(&place)).count()
    };
    assert_eq!(told(EventKind::Contact, "still"), 1);
    assert_eq!(told(EventKind::FreeFall, "still"), 0);
    assert_eq!(told(EventKind::Contact, "up"), told(EventKind::FreeFall, "up"));
    assert_eq!(told(EventKind::Contact, "falls"), 1);
    let falls = recording.schema.object("falls").unwrap();
    let landed = recording.events.iter().find(|it| it.objects.contains(&falls)).unwrap().time;
    assert!((landed - (0.2 / 9.81f64).sqrt()).abs() < 2.0 / 240.0, "within a step or two: {landed}");
    for event in recording.events.iter().filter(|it| it.kind == EventKind::Contact) {
        assert_eq!(recording.schema.contexts[event.context.unwrap()], "touch");
        let same = event.before.iter().zip(&event.after).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "touching alone changes nothing");
        let energy = at_event(&recording, event, Moment::Before, "", "kinetic_energy")[0];
        assert!(energy.is_finite(), "everything is known where a step begins or ends");
    }
    let order: Vec<f64> = recording.events.iter().map(|it| it.time).collect();
    assert!(order.is_sorted());
    assert!(recording.events.iter().enumerate().all(|(k, it)| it.index == k as u64));
}
