//! Malformed, recursive, enormous and hostile texts end in a diagnostic with its place.

use super::{Memory, read_with, said};
use gedanken_experiment::mjcf::{MjcfOptions, read};
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Sources;
use proptest::prelude::*;

/// The codes of everything that is said of a text, each once, and the first place.
fn codes(files: &[(&str, &str)], text: &str, options: MjcfOptions) -> (Vec<Code>, String) {
    let (sources, result) = read_with(files, text, options);
    let found = said(result);
    let mut codes: Vec<Code> = found.iter().map(|it| it.code).collect();
    codes.sort();
    codes.dedup();
    let place = found.first().map(|it| sources.position(it.primary.span).to_string());
    (codes, place.unwrap_or_default())
}

fn only(text: &str) -> (Vec<Code>, String) {
    codes(&[], text, MjcfOptions::default())
}

#[test]
fn a_million_elements_in_each_other() {
    let deep = 1_000_000;
    let text = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(deep),
        "</body>".repeat(deep)
    );
    assert_eq!(only(&text), (vec![Code::E003], format!("1:{}", 8 + 11 + 6 * 998 + 2)));
    let unclosed = format!("<mujoco><worldbody>{}", "<body>".repeat(deep));
    assert_eq!(only(&unclosed).0, [Code::E001]);
    let defaults = format!("<mujoco>{}{}</mujoco>", "<default>".repeat(deep), "</default>".repeat(deep));
    assert_eq!(only(&defaults).0, [Code::E003]);
}

#[test]
fn as_many_bodies_in_each_other_as_are_allowed() {
    let deep = 990;
    let inside = "<body pos=\"1 0 0\"><joint/><geom size=\"1\"/>".repeat(deep);
    let text = format!("<mujoco><worldbody>{inside}{}</worldbody></mujoco>", "</body>".repeat(deep));
    let model = super::model(&text);
    assert_eq!((model.description.bodies.len(), model.description.joints.len()), (deep + 1, deep));
}

#[test]
fn more_elements_than_allowed() {
    let text = format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<geom/>".repeat(1_000_001));
    assert_eq!(only(&text).0, [Code::E003]);
    let long = format!("<mujoco>{}</mujoco>", " ".repeat(Sources::LONGEST));
    assert_eq!(only(&long), (vec![Code::E003], "1:1".to_owned()));
}

#[test]
fn texts_that_would_take_the_square_of_their_length() {
    let attributes: String = (0..500_000).map(|k| format!(" a{k}=''")).collect();
    assert_eq!(
        only(&format!("<mujoco>\n<option{attributes}/></mujoco>")),
        (vec![Code::E003], "2:1".to_owned())
    );
    let spaces: String = (0..200_000).map(|k| format!("<a xmlns:n{k}='u{k}'>")).collect();
    assert_eq!(only(&format!("<mujoco>{spaces}")).0, [Code::E003]);
    // As many names as wrong ones.
    let bodies: String = (0..100_000).map(|k| format!("<body name='body{k}'/>")).collect();
    let excludes: String =
        (0..100_000).map(|k| format!("<exclude body1='bodi{k}' body2='bdoy{k}'/>")).collect();
    let text = format!("<mujoco><worldbody>{bodies}</worldbody><contact>{excludes}</contact></mujoco>");
    assert_eq!(only(&text).0, [Code::E009]);
}

#[test]
fn entities_are_refused_before_they_grow() {
    let mut bomb = "<!DOCTYPE b [<!ENTITY a0 \"ha\">".to_owned();
    for k in 1..64 {
        bomb += &format!("<!ENTITY a{k} \"&a{};&a{};\">", k - 1, k - 1);
    }
    bomb += "]><mujoco model=\"&a63;\"/>";
    assert_eq!(only(&bomb), (vec![Code::E002], "1:1".to_owned()));
    let outside = "<!DOCTYPE b SYSTEM \"file:///etc/passwd\"><mujoco/>";
    assert_eq!(only(outside).0, [Code::E002]);
}

#[test]
fn included_files_that_have_no_end() {
    let cycle = [
        ("a.xml", "<mujoco><include file=\"b.xml\"/></mujoco>"),
        ("b.xml", "<mujoco><include file=\"a.xml\"/></mujoco>"),
    ];
    let text = "<mujoco>\n<include file=\"a.xml\"/></mujoco>";
    assert_eq!(codes(&cycle, text, MjcfOptions::default()).0, [Code::E015]);
    let chain: Vec<(String, String)> = (0..100)
        .map(|k| (format!("f{k}.xml"), format!("<mujoco><include file=\"f{}.xml\"/></mujoco>", k + 1)))
        .collect();
    let chain: Vec<(&str, &str)> = chain.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let text = "<mujoco><include file=\"f0.xml\"/></mujoco>";
    assert_eq!(codes(&chain, text, MjcfOptions::default()).0, [Code::E003]);
}

#[test]
fn files_outside_the_folder() {
    let confined = MjcfOptions { lenient: false, confined: true };
    let files = [("../out.xml", "<mujoco><option/></mujoco>"), ("/etc/passwd", "root")];
    for path in ["../out.xml", "a/../../out.xml", "/etc/passwd", "..\\out.xml", "c:/out.xml"] {
        let text = format!("<mujoco>\n<include file=\"{path}\"/></mujoco>");
        assert_eq!(codes(&files, &text, confined), (vec![Code::E014], "2:16".to_owned()), "{path}");
    }
    let mesh = "<mujoco><compiler meshdir=\"..\"/><asset><mesh name=\"m\" file=\"out.stl\"/></asset>\
        <worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>";
    assert_eq!(codes(&files, mesh, confined).0, [Code::E014]);
    // Who may read all files may also read these.
    let text = "<mujoco>\n<include file=\"../out.xml\"/></mujoco>";
    assert!(codes(&files, text, MjcfOptions::default()).0.is_empty());
}

#[test]
fn files_beside_an_included_one_are_found() {
    let mut sources = Sources::new();
    let files = [
        ("m/sub/part.xml", "<mujoco><include file=\"more.xml\"/></mujoco>"),
        ("m/sub/more.xml", "<mujoco><option timestep=\"0.5\"/></mujoco>"),
    ];
    let text = "<mujoco><include file=\"sub/part.xml\"/></mujoco>".to_owned();
    let model = read(&Memory(&files), &mut sources, "m/model.xml", text, MjcfOptions::default());
    assert_eq!(model.expect("both are found").description.settings.time_step, 0.5);
}

#[test]
fn numbers_beyond_all_bounds() {
    for number in ["1e999", "-inf", "NaN", "0x10", "1,5", "--1", "1e", ""] {
        let text = format!("<mujoco><worldbody><geom size=\"1\" pos=\"{number} 0 0\"/></worldbody></mujoco>");
        let (codes, _) = only(&text);
        assert!(codes == [Code::E006] || codes == [Code::E007], "{number}: {codes:?}");
    }
    // Finite numbers whose squares are not.
    let text = "<mujoco><worldbody><body><freejoint/><geom type=\"box\" size=\"1e200 1e200 1e200\"/>\
        <geom size=\"1e-200\" quat=\"1e200 0 0 0\"/></body></worldbody></mujoco>";
    let _ = only(text);
}

proptest! {
    #[test]
    fn pieces_of_models_in_any_order(pieces in prop::collection::vec(0_usize..PIECES.len(), 0..40)) {
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        for lenient in [false, true] {
            let (_, result) = read_with(&[], &format!("<mujoco>{text}</mujoco>"), MjcfOptions { lenient, confined: true });
            if let Err(found) = result {
                prop_assert!(found.iter().any(|it| it.is_error()));
            }
        }
    }
}

/// Parts of models, whole ones and broken ones.
const PIECES: &[&str] = &[
    "<worldbody>",
    "</worldbody>",
    "<body name=\"a\" pos=\"1 0 0\">",
    "<body mocap=\"true\" euler=\"1 2 3\">",
    "</body>",
    "<joint name=\"j\" range=\"-1 1\"/>",
    "<joint type=\"ball\" range=\"0 90\"/>",
    "<freejoint align=\"true\"/>",
    "<geom name=\"g\" size=\"1 2 3\" type=\"box\"/>",
    "<geom type=\"mesh\" mesh=\"m\"/>",
    "<geom type=\"capsule\" mesh=\"m\" fitscale=\"2\"/>",
    "<geom type=\"plane\" size=\"1 1 1\"/>",
    "<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 2 2.5 0.1 0.2 0.3\"/>",
    "<site name=\"s\"/>",
    "<frame axisangle=\"0 1 0 30\">",
    "</frame>",
    "<asset><mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>",
    "<default><geom friction=\"0.5\"/><default class=\"c\"><position kp=\"3\"/></default></default>",
    "<actuator><position joint=\"j\" class=\"c\" dampratio=\"1\"/></actuator>",
    "<equality><weld body1=\"a\"/><connect site1=\"s\" site2=\"s\"/><joint joint1=\"j\"/></equality>",
    "<contact><pair geom1=\"g\" geom2=\"g\"/><exclude body1=\"a\" body2=\"world\"/></contact>",
    "<keyframe><key qpos=\"1\"/></keyframe>",
    "<compiler inertiafromgeom=\"true\" settotalmass=\"1\"/>",
    "<tendon><fixed/></tendon>",
    "&amp;",
    "<",
];
