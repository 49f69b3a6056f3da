//! Views: what is read, what is refused, what is offered.

use gedanken_experiment::{Camera, DrawingKind, Experiment, Files, LinkKind, Place, links, read};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;

struct Nothing;

impl Files for Nothing {
    fn text(&self, _: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn bytes(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("there is no such file".to_owned())
    }
}

/// A pendulum by a joint, with a view of these lines.
fn text(view: &str) -> String {
    format!(
        "world attributes {{
    l = 2
}}
object {{
    name = bob
    physical type = dynamic
    geometrical type = sphere
    attributes = {{ position = [l, 0, 0]  size = 0.1  mass = 1 }}
}}
object {{
    name = hook
    physical type = static
    geometrical type = sphere
    attributes = {{ position = [0, 0, 1]  size = 0.1 }}
}}
joint pin {{
    kind = hinge
    between = {{bob, hook}}
    anchor = [0, 0, 0]
    axis = [0, 1, 0]
}}
joint string {{
    kind = rope
    between = {{bob, world}}
    anchor2 = [0, 0, 3]
    length = 5
}}
simulation {{
    name = swing
    mechanics = rigid
    duration = 1
}}
{view}
"
    )
}

fn told(view: &str) -> (Result<Experiment, Vec<Diagnostic>>, Sources) {
    let mut sources = Sources::new();
    let reading = read(&Nothing, &mut sources, "pendulum.lab", text(view), &[]);
    (reading.finish(), sources)
}

fn model(view: &str) -> Experiment {
    told(view).0.expect("it has no mistakes")
}

#[test]
fn a_view_says_what_it_says() {
    let experiment = model(
        "view main {
    plots = {bob.position # 3, norm(bob.velocity) against bob.position # 1}
    arrows = {bob.velocity}
    draw = {spring(hook, bob), circle([0, 0, 0], [0, 1, 0], l), wall(bob.position + [0, 0, 1], [0, 0, 1])}
    camera = [[8, -8, 4], [0, 0, 1]]
    follow = bob
    trails = none
    moment = 0.5
    speed = 2
    drawer = plots
    overlays = {axes, contacts}
    try = l
    title = \"A pendulum\"
    level = 2
}",
    );
    let [view] = experiment.views.as_slice() else { panic!("there is one view") };
    assert_eq!(view.simulation, 0);
    let plots: Vec<(&str, Option<&str>)> = view
        .plots
        .iter()
        .map(|it| (it.value.text.as_str(), it.against.as_ref().map(|it| it.text.as_str())))
        .collect();
    assert_eq!(plots, [("bob.position # 3", None), ("norm(bob.velocity)", Some("bob.position # 1"))]);
    assert_eq!(view.arrows[0].text, "bob.velocity");
    assert_eq!(view.camera, Some(Camera::At([[8.0, -8.0, 4.0], [0.0, 0.0, 1.0]])));
    assert_eq!((view.follow.as_deref(), view.tried.as_deref()), (Some("bob"), Some("l")));
    assert_eq!((view.moment, view.speed, view.level), (Some(0.5), Some(2.0), Some(2)));
    assert_eq!((view.trails.as_deref(), view.drawer), (Some([].as_slice()), Some("plots")));
    assert_eq!(view.overlays.as_deref(), Some(["axes", "contacts"].as_slice()));
    let kinds: Vec<DrawingKind> = view.draw.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DrawingKind::Spring, DrawingKind::Circle, DrawingKind::Wall]);
    assert!(matches!(&view.draw[0].places[1], Place::Object(name) if name == "bob"));
    assert!(matches!(&view.draw[2].places[0], Place::Formula(it) if it.text == "bob.position + [0, 0, 1]"));
    assert!(matches!(view.draw[1].length, Some(gedanken_experiment::Length::Fixed(2.0))));
}

#[test]
fn joints_tell_where_their_ends_are() {
    let experiment = model("");
    let found = links(&experiment, &experiment.simulations[0]);
    let kinds: Vec<(&str, LinkKind)> = found.iter().map(|it| (it.name.as_str(), it.kind)).collect();
    assert_eq!(kinds, [("pin", LinkKind::Hinge), ("string", LinkKind::Rope)]);
    // The anchor of the world, in the frames of both bodies.
    let ends: Vec<[f64; 3]> = found[0].ends.iter().map(|it| it.at.to_array()).collect();
    assert_eq!(ends, [[-2.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
    assert_eq!((found[1].ends[1].object, found[1].ends[1].at.z, found[1].length), (None, 3.0, Some(5.0)));
}

#[test]
fn mistakes_are_told_at_their_places() {
    let cases = [
        "view { draw = {string(hook, bob)} }",
        "view { draw = {rod(hook)} }",
        "view { draw = {rod(hook, 3)} }",
        "view { draw = {bob} }",
        "view { draw = {track([0, 0, 0])} }",
        "view { camera = side }",
        "view { camera = [1, 2, 3] }",
        "view { follow = bop }",
        "view { moment = 3 }",
        "view { drawer = plot }",
        "view { overlays = {axis} }",
        "view { try = ll }",
        "view { level = 4 }",
        "view { simulation = drop }",
        "view { } view { }",
        "view { plot = {bob.velocity} }",
        "view { plots = {bob.velocity against } }",
    ];
    for view in cases {
        let (result, sources) = told(view);
        let found = result.expect_err(view);
        assert!(found.iter().any(Diagnostic::is_error), "{view}");
        let message = render(&found, &sources, Style::Plain);
        assert!(message.contains("pendulum.lab:"), "{message}");
    }
}
