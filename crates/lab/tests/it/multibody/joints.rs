//! Experiments with `solver = soft`: kinds of joints, in trees and in loops.

use super::{last, soft_run};
use crate::support::codes;

#[test]
fn a_rope_lets_fall_and_then_holds() {
    let text = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, -0.5]  size = 0.1  mass = 2 } }
joint line { kind = rope  between = {ball, world}  length = 1  time constant = 0.02  damping ratio = 1
    impedance = [0.9, 0.9, 0.001, 0.5, 2] }
simulation { name = s  mechanics = rigid  solver = soft  duration = 4  gravity = [0, 0, -9.81]
    time step = 1 / 1000 }
";
    let recording = soft_run(text);
    let sunk = -1.0 - last(&recording, "ball.position")[2];
    assert!((sunk / (0.1 * 9.81 * 4e-4) - 1.0).abs() < 1e-3, "{sunk}");
}

/// A wheel about y with a motor.
fn wheel(more: &str) -> String {
    format!(
        "object {{ name = wheel  physical type = dynamic  geometrical type = cylinder  collides = false
    attributes = {{ position = [0, 0, 0]  radius = 0.5  height = 0.2  mass = 4  orientation = [pi / 2, 0, 0] }} }}
joint axle {{ kind = hinge  between = {{wheel, world}}  anchor = [0, 0, 0]  axis = [0, 1, 0]
    motor speed = 6  motor torque = 2 }}
{more}
simulation {{ name = s  mechanics = rigid  solver = soft  duration = 3  gravity = [0, 0, -9.81]
    time step = 1 / 1000 }}
"
    )
}

#[test]
fn a_motor_turns_a_wheel() {
    let recording = soft_run(&wheel(""));
    let spin = last(&recording, "wheel.angular_velocity")[1];
    assert!((spin - 6.0).abs() < 1e-6, "{spin}");
    // I = ½ m r², and the torque is constant until the speed is reached.
    let work = last(&recording, "motor_work")[0];
    assert!((work / (0.5 * 0.5 * 36.0) - 1.0).abs() < 1e-6, "{work}");
}

#[test]
fn gears_turn_in_their_ratio() {
    let gear = "object { name = gear  physical type = dynamic  geometrical type = cylinder  collides = false
    attributes = { position = [2, 0, 0]  radius = 0.25  height = 0.2  mass = 1  orientation = [pi / 2, 0, 0] } }
joint shaft { kind = hinge  between = {gear, world}  anchor = [2, 0, 0]  axis = [0, 1, 0] }
joint mesh { kind = polynomial  between = {shaft, axle}  coefficients = [0, -2] }";
    let recording = soft_run(&wheel(gear));
    let [wheel, gear] =
        ["wheel.angular_velocity", "gear.angular_velocity"].map(|name| last(&recording, name)[1]);
    assert!((wheel - 6.0).abs() < 1e-6 && (gear + 12.0).abs() < 1e-5, "{wheel} {gear}");
    let [wheel, gear] = ["angle_of_axle", "angle_of_shaft"].map(|name| last(&recording, name)[0]);
    assert!((gear + 2.0 * wheel).abs() < 1e-4, "{wheel} {gear}");
}

#[test]
fn a_cam_lifts_by_the_square_of_its_angle() {
    let follower =
        "object { name = follower  physical type = dynamic  geometrical type = sphere  collides = false
    attributes = { position = [2, 0, 0]  size = 0.1  mass = 0.1 } }
joint guide { kind = slider  between = {follower, world}  axis = [0, 0, 1] }
joint cam { kind = polynomial  between = {guide, axle}  coefficients = [0, 0.1, 0.02]
    time constant = 0.01  damping ratio = 1  impedance = [0.9, 0.9, 0.001, 0.5, 2] }";
    let text = wheel(follower).replace("motor speed = 6", "motor speed = 1");
    let recording = soft_run(&text.replace("solver = soft", "solver = soft  integrator = rk4"));
    let (angle, height) = (last(&recording, "angle_of_axle")[0], last(&recording, "follower.position")[2]);
    let off = height - 0.1 * angle - 0.02 * angle * angle;
    // The follower rises at c₂ 2 ω². The row feels 1/m + 1/I, gives way by R f with R = (1 − d)/d A, and does not
    // know that it bends: −d k r = R f + 2 c₂ ω², k = 1/(d T)².
    let rising = 2.0 * 0.02 * libm::pow(last(&recording, "rate_of_axle")[0], 2.0);
    let give = (0.1 / 0.9) * (1.0 / 0.1 + 1.0 / 0.5) * (0.1 * (9.81 + rising));
    let sag = (give + rising) * 0.9 * 1e-4;
    assert!(angle > 2.0 && (off / sag + 1.0).abs() < 1e-3, "{angle} {off} instead of -{sag}");
}

#[test]
fn a_cardan_shaft_follows_its_tangent_law() {
    let tilt: f64 = 0.5;
    let (c, s) = (libm::cos(tilt), libm::sin(tilt));
    let text = format!(
        "object {{ name = driven  physical type = dynamic  geometrical type = sphere  collides = false
    attributes = {{ position = [{c}, {s}, 0]  size = 0.2  mass = 1 }} }}
object {{ name = driver  physical type = dynamic  geometrical type = sphere  collides = false
    attributes = {{ position = [-1, 0, 0]  size = 0.2  mass = 1 }} }}
joint bearing1 {{ kind = hinge  between = {{driver, world}}  anchor = [-1, 0, 0]  axis = [1, 0, 0]
    motor speed = 1.2  motor torque = 50 }}
joint bearing2 {{ kind = hinge  between = {{driven, world}}  anchor = [{c}, {s}, 0]  axis = [{c}, {s}, 0] }}
joint cross {{ kind = universal  between = {{driver, driven}}  anchor = [0, 0, 0]
    axis = [0, 0, 1]  axis2 = [-{s}, {c}, 0]  time constant = 0.005  damping ratio = 1 }}
simulation {{ name = s  mechanics = rigid  solver = soft  integrator = rk4  duration = 1  time step = 1 / 1000 }}
"
    );
    let recording = soft_run(&text);
    let [driver, driven] = ["angle_of_bearing1", "angle_of_bearing2"].map(|name| last(&recording, name)[0]);
    let expected = libm::atan(c * libm::tan(driver));
    assert!(driver > 1.0 && (driven - expected).abs() < 1e-4, "{driver} {driven} {expected}");
}

#[test]
fn a_free_joint_damps_a_body_that_floats() {
    let text = "object { name = puck  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 0]  size = 0.1  mass = 2  velocity = [1, 0, 0] } }
joint air { kind = free  between = {puck, world}  damping = 3 }
simulation { name = s  mechanics = rigid  solver = soft  integrator = rk4  duration = 1  time step = 1 / 500 }
";
    let speed = last(&soft_run(text), "puck.velocity")[0];
    assert!((speed - libm::exp(-1.5)).abs() < 1e-10, "{speed}");
    let held = text.replace(
        "simulation {",
        "joint aim { kind = point  between = {puck, world}  anchor = [0, 0, 1] }\nsimulation {",
    );
    assert_eq!(codes(&held), ["E761"]);
}

#[test]
fn a_ball_is_a_point_for_every_solver() {
    let text = |kind: &str, solver: &str| {
        format!(
            "object {{ name = bob  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [0.6, 0, -0.8]  size = 0.1  mass = 2  velocity = [0, 1, 0] }} }}
joint j {{ kind = {kind}  between = {{bob, world}}  anchor = [0, 0, 0] }}
simulation {{ name = s  mechanics = rigid  solver = {solver}  duration = 1  gravity = [0, 0, -9.81]
    time step = 1 / 500 }}
"
        )
    };
    for solver in ["soft", "gauss-seidel", "variational"] {
        let [one, other] = ["ball", "point"].map(|kind| last(&soft_run(&text(kind, solver)), "bob.position"));
        assert_eq!(one, other, "{solver}");
    }
}

#[test]
fn a_body_on_a_joint_to_the_world_still_meets_the_floor() {
    let text = |joint: &str| {
        format!(
            "object {{ name = floor  physical type = static  geometrical type = half space
    attributes = {{ position = [0, 0, 0] }} }}
object {{ name = post  physical type = static  geometrical type = cuboid
    attributes = {{ position = [0, 0, 0.25]  size = [0.1, 0.1, 0.5] }} }}
object {{ name = flap  physical type = dynamic  geometrical type = cuboid
    attributes = {{ position = [0.5, 0, 0.45]  size = [1, 0.1, 0.1]  mass = 1 }} }}
joint pivot {{ kind = hinge  between = {{flap, {joint}}}  anchor = [0, 0, 0.45]  axis = [0, 1, 0] }}
simulation {{ name = s  mechanics = rigid  solver = soft  duration = 2  gravity = [0, 0, -9.81]
    time step = 1 / 1000 }}
"
        )
    };
    // The flap overlaps its post, which it passes only if the joint is between the two.
    let recording = soft_run(&text("post"));
    let height = last(&recording, "flap.position")[2];
    let slope = libm::asin((0.45 - 0.05 * 0.9) / 1.0);
    assert!((0.45 - 0.5 * libm::sin(slope) - height).abs() < 0.03, "{height}");
    assert!(last(&recording, "flap.angular_velocity")[1].abs() < 1e-3);
}

#[test]
fn limits_hold_where_a_joint_closes_a_loop() {
    // `one` and `two` are the same hinge: the first by name carries the bar, the other closes a loop.
    let text = |first: &str, second: &str| {
        format!(
            "object {{ name = bar  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = {{ position = [0.5, 0, 0]  size = [1, 0.1, 0.1]  mass = 1 }} }}
joint one {{ kind = hinge  between = {{bar, world}}  anchor = [0, 0, 0]  axis = [0, 1, 0]  damping = 2  {first} }}
joint two {{ kind = hinge  between = {{bar, world}}  anchor = [0, 0, 0]  axis = [0, 1, 0]  {second} }}
simulation {{ name = s  mechanics = rigid  solver = soft  duration = 4  time step = 1 / 1000
    gravity = [0, 0, -9.81] }}
"
        )
    };
    // The bar falls about +y, whichever joint has the limits.
    let angle = |text: &str| last(&soft_run(text), "angle_of_one")[0];
    let [free, tree, loops] = [("", ""), ("limits = [-0.1, 0.4]", ""), ("", "limits = [-0.1, 0.4]")]
        .map(|(first, second)| angle(&text(first, second)));
    assert!(free > 1.3, "{free}");
    assert!((tree - 0.4).abs() < 5e-3 && (loops - 0.4).abs() < 5e-3, "{tree} {loops}");
}

#[test]
fn what_a_loop_cannot_have_is_refused_with_its_place() {
    let rods = "object { name = a  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = { position = [0.5, 0, 0]  size = [1, 0.1, 0.1]  mass = 1 } }
object { name = b  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = { position = [1.5, 0, 0]  size = [1, 0.1, 0.1]  mass = 1 } }
joint one { kind = hinge  between = {a, world}  anchor = [0, 0, 0]  axis = [0, 1, 0] }
joint three { kind = hinge  between = {b, world}  anchor = [2, 0, 0]  axis = [0, 1, 0] }
joint two { kind = hinge  between = {a, b}  anchor = [1, 0, 0]  axis = [0, 1, 0]  LINES }
simulation { name = s  mechanics = rigid  solver = soft  duration = 1 }
";
    assert_eq!(codes(&rods.replace("LINES", "")), Vec::<&str>::new());
    assert_eq!(codes(&rods.replace("LINES", "limits = [-1, 1]")), Vec::<&str>::new());
    assert_eq!(codes(&rods.replace("LINES", "stiffness = 1  damping = 2")), ["E761", "E761"]);
    assert_eq!(codes(&rods.replace("LINES", "armature = 1  friction loss = 2")), ["E761", "E761"]);
    assert_eq!(codes(&rods.replace("LINES", "motor speed = 1  motor torque = 2")), Vec::<&str>::new());
    let coupled = "}\njoint tie { kind = polynomial  between = {one, two}  coefficients = [0, 1]";
    assert_eq!(codes(&rods.replace("LINES", coupled)), ["E761"]);
    // Anchors that do not meet are refused as by all solvers.
    let apart = rods.replace("anchor = [1, 0, 0]", "anchor1 = [0.5, 0, 0]  anchor2 = [-0.4, 0, 0]");
    assert_eq!(codes(&apart.replace("LINES", "")), ["E760"]);
}
