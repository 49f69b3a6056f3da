//! Messages, word for word, for the ways to go wrong that no explanation shows.

use super::told;
use gedanken_experiment::mjcf::MjcfOptions;

/// A model with these lines around a good body, joint, geom and site.
fn around(before: &str, inside: &str, after: &str) -> String {
    format!(
        "<mujoco>\n{before}<worldbody>\n<body name=\"arm\">\n<joint name=\"elbow\"/>\n<geom name=\"bone\" size=\"1\"/>\n<site name=\"tip\"/>\n{inside}</body>\n</worldbody>\n{after}</mujoco>\n"
    )
}

fn all_told(cases: &[String]) -> String {
    const FILES: &[(&str, &str)] = &[
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"),
        ("torn.stl", "solid torn\nfacet normal"),
        ("torn.msh", "\u{1}\u{1}\u{1}"),
        ("bad.obj", "v 0 0 0\nf 1 2 3\n"),
        ("empty.xml", "<mujoco/>"),
        ("latin.xml", "\u{0}"),
        ("broken.xml", "<mujoco>\n<option timestep=\"0.1\">\n</mujoco>"),
        ("parts.xml", "<mujoco><option timestep=\"-1\"/></mujoco>"),
    ];
    cases.iter().map(|text| told(FILES, text, MjcfOptions::default())).collect::<Vec<_>>().join("\n")
}

#[test]
fn xml_and_includes() {
    insta::assert_snapshot!(all_told(&[
        String::new(),
        "no elements at all".to_owned(),
        "<robot name=\"x\"/>".to_owned(),
        "<mujoco>\n  <worldbody>\n".to_owned(),
        "<mujoco>\n  <option timestep=\"1\" timestep=\"2\"/>\n</mujoco>".to_owned(),
        "<mujoco>\n  <option timestep=\"&size;\"/>\n</mujoco>".to_owned(),
        around("<include/>\n", "", ""),
        around("<include file=\"empty.xml\"/>\n", "", ""),
        around("<include file=\"latin.xml\"/>\n", "", ""),
        around("<include file=\"broken.xml\"/>\n", "", ""),
        around("<include file=\"parts.xml\"/>\n", "", ""),
        around("<include file=\"parts.xml\" as=\"x\"/>\n<include file=\"./parts.xml\"/>\n", "", ""),
    ]));
}

#[test]
fn bodies_joints_and_geoms() {
    insta::assert_snapshot!(all_told(&[
        around("", "<joint name=\"elbow\" type=\"ball\"/>\n", ""),
        around("", "<joint type=\"free\" range=\"1 2\"/>\n", ""),
        around("", "<joint range=\"3 2\"/>\n<joint type=\"slide\" springdamper=\"1 0\"/>\n", ""),
        around("", "<joint type=\"ball\"/>\n<joint type=\"ball\"/>\n<joint type=\"slide\"/>\n", ""),
        around("<compiler autolimits=\"false\"/>\n", "<joint range=\"1 2\"/>\n", ""),
        around("", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"3 1 1\"/>\n", ""),
        around("", "<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 0 0 0\" quat=\"1 0 0 0\"/>\n", ""),
        around("", "<geom type=\"plane\" size=\"1 1 1\"/>\n<geom type=\"box\" size=\"1 1\"/>\n", ""),
        around("", "<geom fromto=\"0 0 0 0 0 1\" size=\"1\"/>\n", ""),
        around("", "<geom type=\"capsule\" fromto=\"0 0 0 0 0 0\" size=\"1\"/>\n", ""),
        around(
            "",
            "<geom size=\"1\" quat=\"0 0 0 0\" condim=\"2\" class=\"bones\" material=\"skin\"/>\n",
            ""
        ),
        around(
            "",
            "<geom size=\"nan\"/>\n<geom size=\"1\" pos=\"inf 0 0\"/>\n<geom size=\"1\" contype=\"1.5\"/>\n",
            ""
        ),
        around("", "<body mocap=\"true\"><geom size=\"1\"/></body>\n<cylinder/>\n", ""),
        around(
            "",
            "<frame childclass=\"x\" euler=\"1 2\"><inertial pos=\"0 0 0\" mass=\"1\"/></frame>\n",
            ""
        ),
        "<mujoco>\n<worldbody name=\"w\">\n<freejoint/>\n</worldbody>\n</mujoco>\n".to_owned(),
    ]));
}

#[test]
fn defaults_assets_and_meshes() {
    let mesh = |attributes: &str| {
        around(
            &format!("<asset>\n<mesh name=\"m\" {attributes}/>\n</asset>\n"),
            "<geom type=\"mesh\" mesh=\"m\"/>\n",
            "",
        )
    };
    insta::assert_snapshot!(all_told(&[
        around("<default class=\"x\"/>\n<default>\n<default/>\n<gem/>\n</default>\n", "", ""),
        around("<default>\n<default class=\"a\"/>\n<default class=\"a\"/>\n</default>\n", "", ""),
        around("", "<geom type=\"mesh\"/>\n<geom type=\"mesh\" mesh=\"x\"/>\n", ""),
        mesh(""),
        mesh("file=\"missing.stl\""),
        mesh("file=\"torn.stl\""),
        mesh("file=\"torn.msh\""),
        mesh("file=\"bad.obj\""),
        mesh("file=\"flat.obj\""),
        mesh("file=\"shape.dae\""),
        mesh("vertex=\"0 0 0 1 0 0 0 1 0\""),
        mesh("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 9\""),
        mesh("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" builtin=\"cone\" maxhullvert=\"8\""),
    ]));
}

#[test]
fn what_holds_and_acts() {
    let actuator = |text: &str| around("", "", &format!("<actuator>\n{text}\n</actuator>\n"));
    let equality = |text: &str| around("", "", &format!("<equality>\n{text}\n</equality>\n"));
    insta::assert_snapshot!(all_told(&[
        actuator("<motor/>"),
        actuator("<motr joint=\"elbow\"/>"),
        actuator("<motor joint=\"elbow\" ctrlrange=\"2 1\" kp=\"3\"/>"),
        actuator("<position joint=\"elbow\" kv=\"1\" dampratio=\"1\" inheritrange=\"1\"/>"),
        equality("<connect body1=\"arm\"/>"),
        equality("<connect body1=\"arm\" site2=\"tip\" anchor=\"0 0 0\"/>"),
        equality("<weld body1=\"arm\" body2=\"leg\"/>\n<weld body1=\"arm\" body2=\"arm\"/>"),
        equality("<joint joint2=\"elbow\"/>\n<joint joint1=\"elbow\" joint2=\"elbow\"/>\n<weld/>"),
        around(
            "",
            "",
            "<contact>\n<pair geom1=\"bone\"/>\n<exclude body1=\"arm\" body2=\"leg\"/>\n</contact>\n"
        ),
        around("", "", "<keyframe>\n<key qpos=\"1 2\"/>\n</keyframe>\n"),
    ]));
}

/// A model that asks for everything that is not supported.
fn unsupported() -> String {
    let before = "<compiler coordinate=\"global\" fusestatic=\"true\" fitaabb=\"true\"/>\n\
        <option density=\"1\" viscosity=\"1\" integrator=\"discrete\" solver=\"PGS\">\n\
        <flag override=\"enable\" sleep=\"enable\" multiccd=\"disable\"/>\n</option>\n\
        <deformable>\n<flex/>\n<skin/>\n</deformable>\n\
        <asset>\n<hfield name=\"hill\" nrow=\"2\" ncol=\"2\" size=\"1 1 1 1\"/>\n<model name=\"other\"/>\n</asset>\n";
    let inside = "<joint type=\"slide\" springyield=\"1\" stiffness=\"1 2\" damping=\"0 1\"/>\n\
        <geom size=\"1\" surfacevel=\"1 0 0\" adhesion=\"1\"/>\n<geom type=\"sdf\"/>\n\
        <plugin/>\n<composite/>\n<flexcomp/>\n<attach/>\n<replicate/>\n<frame scale=\"2\"/>\n";
    let after = "<tendon>\n<spatial name=\"loose\"/>\n<fixed stiffness=\"1\"/>\n</tendon>\n\
        <equality>\n<tendon/>\n<flex/>\n</equality>\n\
        <actuator>\n<muscle/>\n<motor tendon=\"t\"/>\n<general joint=\"elbow\" dyntype=\"filter\"/>\n\
        <position joint=\"elbow\" timeconst=\"1\"/>\n<motor joint=\"elbow\" delay=\"1\"/>\n</actuator>\n\
        <keyframe>\n<key ctrl=\"1 2 3 4 5\"/>\n</keyframe>\n";
    around(before, inside, after).replace(
        "<worldbody>\n",
        "<worldbody>\n<geom type=\"hfield\" hfield=\"hill\"/>\n<light pos=\"0 0 1\"/>\n<camera/>\n",
    )
}

#[test]
fn everything_unsupported_is_listed() {
    insta::assert_snapshot!(told(&[], &unsupported(), MjcfOptions::default()));
}

#[test]
fn a_lenient_reading_leaves_the_same_items_out() {
    let lenient = MjcfOptions { lenient: true, confined: false };
    let strict_lines = told(&[], &unsupported(), MjcfOptions::default());
    let lenient_lines = told(&[], &unsupported(), lenient);
    let count = |text: &str, head: &str| text.lines().filter(|line| line.starts_with(head)).count();
    assert_eq!(count(&strict_lines, "error[E016]"), count(&lenient_lines, "warning[W001]"));
    assert_eq!(count(&lenient_lines, "error"), 0, "{lenient_lines}");
    let (_, result) = super::read_with(&[], &unsupported(), lenient);
    let model = result.expect("a lenient reading goes on");
    assert_eq!(model.description.actuators.len(), 0);
    assert_eq!(model.description.keyframes[0].controls, [0.0; 0]);
}
