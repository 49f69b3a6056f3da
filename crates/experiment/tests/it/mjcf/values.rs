//! Values that can be worked out by hand.

use super::model;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::{
    Algorithm, Cone, EqualityKind, GeomShape, Integrator, JointKind, Reference, Stopping,
};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * b.abs().max(1.0)
}

#[test]
fn bodies_stand_depth_first_and_their_parts_with_them() {
    let model = model(
        "<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"0 0 1\"/>
           <body name=\"a\"><geom name=\"a1\" size=\"1\"/>
             <frame pos=\"0 0 1\"><body name=\"b\"><joint name=\"bj\"/><geom name=\"b1\" size=\"1\"/></body>
               <geom name=\"a2\" size=\"1\"/></frame>
             <joint name=\"aj\"/></body>
           <body name=\"c\"><freejoint name=\"cj\"/><geom name=\"c1\" size=\"1\"/></body>
         </worldbody></mujoco>",
    );
    let it = &model.description;
    let names: Vec<&str> = it.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["world", "a", "b", "c"]);
    let names: Vec<&str> = it.geoms.iter().map(|geom| geom.name.as_str()).collect();
    assert_eq!(names, ["floor", "a1", "a2", "b1", "c1"]);
    let names: Vec<&str> = it.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["aj", "bj", "cj"]);
    assert_eq!(it.bodies[2].pose.translation, Vec3::Z);
}

#[test]
fn masses_come_from_geoms_and_from_inertial() {
    let model = model(
        "<mujoco><worldbody>
           <body><joint/><geom size=\"0.5\" density=\"2\" pos=\"1 0 0\"/></body>
           <body><joint/><geom type=\"box\" size=\"1 2 3\" mass=\"6\"/></body>
           <body><joint/><geom type=\"capsule\" fromto=\"0 0 0 0 0 2\" size=\"1\" density=\"3\"/></body>
           <body><joint/><inertial pos=\"1 2 3\" mass=\"4\" fullinertia=\"1 2 2.5 0 0 0\"/></body>
           <body><joint/><geom size=\"1\" mass=\"1\" pos=\"-1 0 0\"/><geom size=\"1\" mass=\"1\" pos=\"1 0 0\"/></body>
         </worldbody></mujoco>",
    );
    let [_, ball, block, capsule, written, two] = &model.description.bodies[..] else { panic!("six bodies") };
    let mass = 2.0 * 4.0 / 3.0 * PI * 0.125;
    assert!(near(ball.mass, mass) && near(ball.inertia.x, 0.4 * mass * 0.25));
    assert_eq!(ball.inertia_pose.translation, Vec3::X);
    assert_eq!((block.mass, block.inertia), (6.0, Vec3::new(26.0, 20.0, 10.0)));
    assert!(near(capsule.mass, 3.0 * (2.0 * PI + 4.0 / 3.0 * PI)));
    assert_eq!(capsule.inertia_pose.translation, Vec3::Z);
    // Largest moment first, whatever the axes were called.
    assert_eq!((written.mass, written.inertia), (4.0, Vec3::new(2.5, 2.0, 1.0)));
    assert_eq!(two.mass, 2.0);
    assert!(near(two.inertia.x, 0.8 + 2.0) && near(two.inertia.z, 0.8));
}

#[test]
fn angles_are_degrees_unless_radians_are_asked_for() {
    let body = "<worldbody><body euler=\"0 0 90\"><joint range=\"-90 180\" ref=\"90\" springref=\"45\"/>\
        <joint type=\"slide\" range=\"-90 180\"/><geom size=\"1\"/></body></worldbody>";
    let degrees = model(&format!("<mujoco>{body}</mujoco>")).description;
    let turn = degrees.bodies[1].pose.rotation;
    assert!(turn.abs_diff_eq(Quat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2), 1e-15));
    assert_eq!(degrees.joints[0].limits, Some([-PI / 2.0, PI]));
    assert!(near(degrees.joints[0].reference, PI / 2.0) && near(degrees.joints[0].rest, PI / 4.0));
    assert_eq!(degrees.joints[1].limits, Some([-90.0, 180.0]));
    let radians = model(&format!("<mujoco><compiler angle=\"radian\"/>{body}</mujoco>")).description;
    assert_eq!(radians.joints[0].limits, Some([-90.0, 180.0]));
}

#[test]
fn default_classes_nest_and_short_lists_keep_the_rest() {
    let model = model(
        "<mujoco><default><geom friction=\"0.5 0.1\" condim=\"4\"/>
           <default class=\"soft\"><geom friction=\"0.25\" solref=\"-100 -5\"/></default></default>
         <worldbody><geom size=\"1\"/><geom size=\"1\" class=\"soft\" condim=\"6\"/>
           <body childclass=\"soft\"><geom size=\"1\"/><geom size=\"1\" class=\"main\"/></body></worldbody></mujoco>",
    );
    let friction: Vec<[f64; 3]> = model.description.geoms.iter().map(|geom| geom.surface.friction).collect();
    assert_eq!(friction, [[0.5, 0.1, 1e-4], [0.25, 0.1, 1e-4], [0.25, 0.1, 1e-4], [0.5, 0.1, 1e-4]]);
    let direct = model.description.geoms[1].surface.softness.reference;
    assert_eq!(direct, Reference::Direct { stiffness: 100.0, damping: 5.0 });
    assert_eq!(model.description.geoms[1].surface.dimension.components(), 6);
}

#[test]
fn actuators_are_gains_and_biases() {
    let model = model(
        "<mujoco><default><default class=\"servo\"><position kp=\"7\" kv=\"2\"/></default></default>
         <worldbody><body><joint name=\"j\" range=\"-90 90\"/><geom size=\"1\"/></body></worldbody>
         <actuator><motor joint=\"j\" gear=\"3\" ctrlrange=\"-1 1\"/>
           <position joint=\"j\" class=\"servo\" inheritrange=\"1\"/>
           <position joint=\"j\" kp=\"5\" dampratio=\"1\"/>
           <velocity joint=\"j\" class=\"servo\"/>
           <general jointinparent=\"j\" gaintype=\"affine\" gainprm=\"1 2 3\" biasprm=\"4 5 6\" forcerange=\"-2 2\"/>
           <damper joint=\"j\" kv=\"4\" ctrlrange=\"0 1\"/>
         </actuator></mujoco>",
    );
    let [motor, servo, critical, velocity, general, damper] = &model.description.actuators[..] else {
        panic!("six actuators")
    };
    assert_eq!((motor.gain, motor.bias, motor.gear[0]), ([1.0, 0.0, 0.0], [0.0; 3], 3.0));
    assert_eq!(motor.control_range, Some([-1.0, 1.0]));
    assert_eq!((servo.gain, servo.bias), ([7.0, 0.0, 0.0], [0.0, -7.0, -2.0]));
    assert_eq!(servo.control_range, Some([-PI / 2.0, PI / 2.0]));
    assert_eq!((critical.bias, critical.damping_ratio), ([0.0, -5.0, 0.0], Some(1.0)));
    // The gain of a position servo is not one of a velocity servo.
    assert_eq!((velocity.gain, velocity.bias), ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0]));
    assert_eq!((general.gain, general.bias), ([1.0, 2.0, 3.0], [0.0; 3]));
    assert!(general.is_gear_in_parent && general.force_range == Some([-2.0, 2.0]));
    assert_eq!((damper.gain, damper.bias), ([0.0, 0.0, -4.0], [0.0; 3]));
}

#[test]
fn an_actuator_adds_its_rotor_and_its_damper_to_its_joint() {
    let model = model(
        "<mujoco><worldbody><body><joint name=\"j\" armature=\"1\" damping=\"2\"/><geom size=\"1\"/></body></worldbody>
         <actuator><motor joint=\"j\" gear=\"3\" armature=\"0.5\" damping=\"0.25\"/></actuator></mujoco>",
    );
    let joint = &model.description.joints[0];
    assert_eq!((joint.armature, joint.damping), (1.0 + 4.5, 2.0 + 2.25));
}

#[test]
fn equalities_hold_what_holds_in_the_file() {
    let model = model(
        "<mujoco><worldbody>
           <body name=\"a\" pos=\"1 0 0\"><joint name=\"ja\"/><geom size=\"1\"/><site name=\"sa\" pos=\"0 1 0\"/></body>
           <body name=\"b\" pos=\"0 2 0\" axisangle=\"0 0 1 90\"><joint name=\"jb\"/><geom size=\"1\"/><site name=\"sb\"/></body>
         </worldbody><equality>
           <connect body1=\"a\" body2=\"b\" anchor=\"0 2 0\"/>
           <weld body1=\"a\" body2=\"b\" anchor=\"0 0 1\" torquescale=\"3\"/>
           <connect site1=\"sa\" site2=\"sb\"/>
           <joint joint1=\"ja\" joint2=\"jb\" polycoef=\"0.5 2\"/>
         </equality></mujoco>",
    );
    let kinds: Vec<EqualityKind> = model.description.equalities.iter().map(|it| it.kind).collect();
    let EqualityKind::Connect { first, second } = kinds[0] else { panic!("a connect") };
    assert_eq!(first.1, Vec3::new(0.0, 2.0, 0.0));
    assert!(second.1.abs_diff_eq(Vec3::new(0.0, -1.0, 0.0), 1e-15));
    let EqualityKind::Weld { first, second, torque_scale } = kinds[1] else { panic!("a weld") };
    assert!(first.frame.translation.abs_diff_eq(Vec3::new(-1.0, 2.0, 1.0), 1e-15));
    assert_eq!((second.frame, torque_scale), (Pose::at(Vec3::Z), 3.0));
    let EqualityKind::Connect { first, second } = kinds[2] else { panic!("a connect") };
    assert_eq!((first.1, second.1), (Vec3::Y, Vec3::ZERO));
    let EqualityKind::Polynomial { coefficients, driver, .. } = kinds[3] else { panic!("a polynomial") };
    assert_eq!((coefficients, driver.is_some()), ([0.5, 2.0, 0.0, 0.0, 0.0], true));
}

#[test]
fn options_become_settings() {
    let settings = model(
        "<mujoco><option timestep=\"0.004\" gravity=\"0 0 -1\" integrator=\"implicitfast\" cone=\"elliptic\"
           solver=\"CG\" iterations=\"7\" tolerance=\"1e-5\" impratio=\"10\" noslip_iterations=\"3\">
           <flag contact=\"disable\" refsafe=\"disable\" diagexact=\"enable\"/></option></mujoco>",
    )
    .description
    .settings;
    assert_eq!((settings.time_step, settings.gravity), (0.004, -Vec3::Z));
    assert_eq!((settings.integrator, settings.cone), (Integrator::ImplicitFast, Cone::Elliptic));
    assert_eq!(settings.solver.algorithm, Algorithm::ConjugateGradient);
    assert_eq!((settings.solver.iterations, settings.solver.stopping), (7, Stopping::Improvement(1e-5)));
    assert_eq!((settings.impedance_ratio, settings.solver.no_slip_iterations), (10.0, 3));
    assert!(settings.disabled.contacts && settings.disabled.safe_reference && settings.exact_diagonal);
    assert!(!settings.disabled.limits);
}

#[test]
fn a_mesh_stands_about_its_centre_along_its_axes() {
    // A box of 2 by 4 by 6 about (1, 2, 3), written as its corners.
    let model = model(
        "<mujoco><asset><mesh name=\"block\" vertex=\"0 0 0 2 0 0 0 4 0 2 4 0 0 0 6 2 0 6 0 4 6 2 4 6\"/></asset>
         <worldbody><body><joint/><geom type=\"mesh\" mesh=\"block\" density=\"1\"/></body>
           <geom type=\"box\" mesh=\"block\" contype=\"0\" conaffinity=\"0\" rgba=\"1 0 0 1\"/></worldbody></mujoco>",
    );
    let body = &model.description.bodies[1];
    assert!(near(body.mass, 48.0));
    assert!(body.inertia_pose.translation.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-14));
    let moments = Vec3::new(16.0 + 36.0, 4.0 + 36.0, 4.0 + 16.0) * 48.0 / 12.0;
    assert!(body.inertia.abs_diff_eq(moments, 1e-12));
    let GeomShape::Hull(hull) = &model.description.geoms[1].shape else { panic!("a hull") };
    assert_eq!(hull.vertices().len(), 8);
    assert!(
        !model.looks[1].is_visual
            && model.looks[1].mesh.as_ref().is_some_and(|mesh| mesh.vertices.len() == 8)
    );
    let GeomShape::Box { half_sides } = model.description.geoms[0].shape else { panic!("a box") };
    assert!(half_sides.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-14));
    assert!(model.looks[0].is_visual && model.looks[0].rgba == [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn keyframes_are_filled_up_and_made_unit_quaternions() {
    let model = model(
        "<mujoco><size nkey=\"3\"/><worldbody>
           <body pos=\"0 0 1\"><freejoint/><geom size=\"1\"/></body>
           <body mocap=\"true\" pos=\"5 0 0\"><geom size=\"1\"/></body></worldbody>
         <keyframe><key name=\"up\" time=\"2\" qpos=\"1 2 3 2 0 0 0\" mpos=\"6 0 0\"/><key/></keyframe></mujoco>",
    );
    let keys = &model.description.keyframes;
    assert_eq!(keys[0].coordinates, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        (keys[0].name.as_str(), keys[0].time, keys[0].prescribed_poses[0].translation.x),
        ("up", 2.0, 6.0)
    );
    assert_eq!(keys[1].coordinates, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((keys.len(), keys[2].velocities.len()), (3, 6));
    assert_eq!(model.description.joints[0].kind, JointKind::Free);
}
