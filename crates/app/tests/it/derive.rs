//! `derive`: from energies to equations, from laws to formulas, in every notation, and what it says when
//! there is nothing to derive.

#[path = "../../../lang/tests/mathml/xml.rs"]
#[allow(dead_code, reason = "shared with the tests of MathML, which use all of it")]
mod xml;

use crate::support::{Folder, outcome};
use serde_json::Value;

const CART: &str = include_str!("../../../../experiments/cart_pole.lab");
const HOOP: &str = include_str!("../../../../experiments/bead_on_hoop.lab");
const FOUCAULT: &str = include_str!("../../../../experiments/foucault.lab");
const DROP: &str = "object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [0, 0, 5]
        size = 0.5
        v = 2
    }
}
context {
    name = fall
    type = free fall
    attributes = {z0, v0, t0}
    compute_first_time_only_attributes = {z0, v0, t0}
    functions = {
        z0 = position # 3
        v0 = v
        t0 = t
        position = [0, 0, z0 + v0 * (t - t0) - 9.81 / 2 * (t - t0)^2]
        v = v0 - 9.81 * (t - t0)
    }
}
simulation {
    name = drop
    duration = 1
    objects_involved = {ball}
    contexts_involved = {fall}
}
";

fn folder(name: &str) -> Folder {
    Folder::with(name, &[("cart.lab", CART), ("drop.lab", DROP)])
}

fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    stdout
}

/// As in any textbook, but for the order of the terms.
#[test]
fn a_cart_with_a_pole_has_the_equations_of_the_textbook() {
    let text = fine(&folder("derive-cart"), &["derive", "cart.lab"]);
    for line in [
        "(M + m) x\u{308} + m l θ\u{308} cos(θ) − m l θ\u{307}² sin(θ) = 0",
        "l θ\u{308} + x\u{308} cos(θ) − g sin(θ) = 0",
        "x does not occur in L",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("Momenta"), "steps are shown on request only");
}

#[test]
fn steps_lead_to_hamilton() {
    let text = fine(&folder("derive-steps"), &["derive", "cart.lab", "--steps"]);
    for title in [
        "Energies",
        "Momenta",
        "Slopes of L",
        "Lagrange's equations",
        "Separated",
        "Hamiltonian",
        "Hamilton's equations",
    ] {
        assert!(text.contains(title), "{title} is not in\n{text}");
    }
}

#[test]
fn an_oscillator_from_the_command_line_in_every_notation() {
    let folder = folder("derive-line");
    let oscillator = ["derive", "--lagrangian", "m/2*x_dot^2 - k/2*x^2", "--coordinates", "x", "--format"];
    let shown = |format: &str| fine(&folder, &[&oscillator[..], &[format]].concat());
    assert!(shown("unicode").contains("x\u{308} = −k x/m"), "{}", shown("unicode"));
    assert!(shown("vfl").contains("x_dot_dot = -k*x/m"), "{}", shown("vfl"));
    assert!(shown("latex").contains("\\ddot{x} = -\\frac{k x}{m}"), "{}", shown("latex"));
    let mathml = shown("mathml");
    assert_eq!(mathml.matches("<math").count(), mathml.matches("</math>").count(), "{mathml}");
    let data: Value = serde_json::from_str(&shown("json")).unwrap();
    assert_eq!(data["lagrange"]["accelerations"][0]["vfl"], "-k*x/m");
    assert_eq!(data["coordinates"][0], "x");
}

/// d/dt (z0 + v0 (t - t0) - g/2 (t - t0)²) = v0 - g (t - t0)
#[test]
fn laws_are_shown_and_differentiated() {
    let folder = folder("derive-law");
    let text = fine(&folder, &["derive", "drop.lab", "--law", "position", "--by", "t", "--format", "json"]);
    let data: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(data[0]["where"], "context fall");
    let derivative = data[0]["elements"][2].as_str().unwrap();
    let law = fine(&folder, &["derive", "drop.lab", "--law", "v", "--format", "json"]);
    let law: Value = serde_json::from_str(&law).unwrap();
    assert_eq!(derivative, law[0]["elements"][0].as_str().unwrap());
}

#[test]
fn what_cannot_be_derived_is_told_with_the_way_out() {
    let folder = folder("derive-wrong");
    let wrong: [(&[&str], &str); 8] = [
        (&["derive", "drop.lab"], "it has no `lagrangian` block"),
        (&["derive", "cart.lab", "--system", "cart_pola"], "did you mean cart_pole?"),
        (&["derive", "drop.lab", "--law", "positoin"], "did you mean position?"),
        (&["derive", "drop.lab", "--law", "v", "--by", "mass"], "does not depend on `mass`"),
        (&["derive", "--lagrangian", "m*x", "--coordinates", "x"], "contains no velocity"),
        (&["derive", "--lagrangian", "x_dot^2/2 - y", "--coordinates", "x,y"], "y"),
        (&["derive", "--lagrangian", "x_dot^2/2 +", "--coordinates", "x"], "--lagrangian"),
        (&["derive", "--lagrangian", "x_dot^2/2", "--coordinates", "x,x_dot"], "its rate follows"),
    ];
    for (arguments, words) in wrong {
        let (code, _, stderr) = outcome(&folder, arguments);
        assert!(code == 1 || code == 2, "{arguments:?}");
        assert!(stderr.contains(words), "{arguments:?} says\n{stderr}");
    }
}

const PENDULUM: [&str; 5] =
    ["derive", "--lagrangian", "m*l^2/2*theta_dot^2 + m*g*l*cosine(theta)", "--coordinates", "theta"];

#[test]
fn a_pendulum_hangs_or_stands() {
    let folder = folder("derive-rests");
    let text = fine(&folder, &PENDULUM);
    for line in ["Equilibria", "  θ = 0\n", "  θ = π\n"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("Small motions"), "{text}");
    // Without numbers, ω² as formulas; with them, who is stable.
    let text = fine(&folder, &[&PENDULUM[..], &["--modes"]].concat());
    for line in ["ω₀² = g/l", "ω₀² = −g/l"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let set = ["--modes", "--set", "g=9.81", "--set", "l=0.5", "--set", "m=1/3"];
    let text = fine(&folder, &[&PENDULUM[..], &set].concat());
    for line in ["1: stable", "2: unstable", "f = 0.705, period 1.419"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    for (format, line) in [("latex", "\\omega_0^2 = \\frac{g}{l}"), ("vfl", "omega0_squared = g/l")] {
        let text = fine(&folder, &[&PENDULUM[..], &["--modes", "--format", format]].concat());
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// Where the hoop turns fast enough the bead rests at cos θ = g/(R w²) and swings with w sin θ.
#[test]
fn the_bead_leaves_the_bottom() {
    let folder = Folder::with("derive-hoop", &[("hoop.lab", HOOP)]);
    let data: Value = serde_json::from_str(&fine(&folder, &["derive", "hoop.lab", "--json"])).unwrap();
    assert_eq!(data["equilibria"]["complete"], true);
    let list = data["equilibria"]["list"].as_array().unwrap();
    assert_eq!(list.len(), 4);
    let (g, big, w) = (9.81, 0.5, 7.0);
    let cosine: f64 = g / (big * w * w);
    for rest in list {
        let angle = rest["values"][0].as_f64().unwrap();
        let aside = (libm::cos(angle) - cosine).abs() < 1e-12;
        let stability = if aside { "stable" } else { "unstable" };
        assert_eq!(rest["modes"]["stability"], stability, "{rest}");
        assert_eq!(rest["conditions"].as_array().unwrap().is_empty(), !aside);
        if aside {
            let omega = rest["modes"]["list"][0]["omega"].as_f64().unwrap();
            assert!((omega - w * (1.0 - cosine * cosine).sqrt()).abs() < 1e-9);
        }
    }
    // A slow hoop: nothing but top and bottom.
    let lagrangian = "m*R^2/2*(theta_dot^2 + w^2*sine(theta)^2) + m*g*R*cosine(theta)";
    let slow = ["--set", "m=1", "--set", "R=0.5", "--set", "w=4", "--set", "g=9.81"];
    let text = fine(
        &folder,
        &[&["derive", "--lagrangian", lagrangian, "--coordinates", "theta"][..], &slow].concat(),
    );
    assert!(text.contains("if |g| ≤ w² |R|"), "{text}");
    assert_eq!(text.matches("not there with these values").count(), 2, "{text}");
}

/// Seen from the ground, the two circular motions have the frequencies w ± W.
#[test]
fn foucault_has_two_frequencies() {
    let folder = Folder::with("derive-foucault", &[("foucault.lab", FOUCAULT)]);
    let data: Value = serde_json::from_str(&fine(&folder, &["derive", "foucault.lab", "--json"])).unwrap();
    let modes = &data["equilibria"]["list"][0]["modes"];
    let turn = 0.3 * libm::sin(48.85_f64.to_radians());
    for (place, expected) in [2.0 - turn, 2.0 + turn].into_iter().enumerate() {
        let omega = modes["list"][place]["omega"].as_f64().unwrap();
        assert!((omega - expected).abs() < 1e-12, "{omega} is not {expected}");
    }
    assert_eq!(modes["stability"], "stable");
}

const DAMPED: &str = "lagrangian spring {
    coordinates = { x = 1 }
    parameters = { m = 2  k = 8  c = 1.6 }
    T = 0.5 * m * x_dot^2
    V = 0.5 * k * x^2
    dissipation = 0.5 * c * x_dot^2
}
lagrangian rod {
    coordinates = { x = 0.6  z = -0.8 }
    T = 0.5 * (x_dot^2 + z_dot^2)
    V = 9.81 * z
    dissipation = 0.1 * (x_dot^2 + z_dot^2)
    constraints = { length = x^2 + z^2 - 1 }
}
simulation {
    name = rings
    mechanics = lagrangian
    lagrangian = spring
    duration = 1
}
";

/// σ = -c/(2m), ω² = k/m - σ²; and a pendulum on a rod, which has no formula, by numbers.
#[test]
fn friction_lets_it_die_out() {
    let folder = Folder::with("derive-damped", &[("damped.lab", DAMPED)]);
    let data: Value = serde_json::from_str(&outcome(&folder, &["derive", "damped.lab", "--json"]).1).unwrap();
    let modes = &data["equilibria"]["list"][0]["modes"];
    assert_eq!(modes["stability"], "settles");
    let mode = &modes["list"][0];
    let close = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    assert!(close(&mode["sigma"], -0.4) && close(&mode["omega"], (4.0_f64 - 0.16).sqrt()), "{mode}");
    assert!(close(&mode["damping_ratio"], 0.2) && close(&mode["time_constant"], 2.5), "{mode}");
    let text = outcome(&folder, &["derive", "damped.lab", "--modes"]).1;
    for line in ["δ = c/(2 m)", "ω₁ = 1.95959", "σ₁ = −0.4", "M δq\u{308} + C δq\u{307} + K δq = 0"]
    {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let rod = ["derive", "damped.lab", "--system", "rod", "--json"];
    let data: Value = serde_json::from_str(&outcome(&folder, &rod).1).unwrap();
    let rest = &data["equilibria"]["list"][0];
    assert!(rest["values"][0].as_f64().unwrap().abs() < 1e-9 && close(&rest["values"][1], -1.0), "{rest}");
    let mode = &rest["modes"]["list"][0];
    assert!(close(&mode["sigma"], -0.1) && close(&mode["omega"], (9.81_f64 - 0.01).sqrt()), "{mode}");
}

#[test]
fn numbers_for_modes_are_asked_for_by_name() {
    let folder = folder("derive-set");
    let wrong: [(&[&str], &str); 4] = [
        (&["--set", "g=9.81"], "there is none for l, m"),
        (&["--set", "h=9.81"], "`h` is no constant of the Lagrangian"),
        (&["--set", "g=high"], "write a number"),
        (&["--set", "g=1/0"], "write a number"),
    ];
    for (more, words) in wrong {
        let (code, _, stderr) = outcome(&folder, &[&PENDULUM[..], more].concat());
        assert_eq!(code, 2, "{more:?}");
        assert!(stderr.contains(words), "{more:?} says\n{stderr}");
    }
}

/// Every element closed, with the children that MathML wants of it: all systems of the gallery, step by step.
#[test]
fn all_mathml_is_well_formed() {
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let mut systems = 0;
    let folder = folder("derive-mathml");
    for entry in std::fs::read_dir(gallery).unwrap() {
        let path = entry.unwrap().path();
        let stated = path.extension().is_some_and(|it| it == "lab")
            && std::fs::read_to_string(&path).unwrap().contains("\nlagrangian ");
        if stated {
            systems += 1;
            let text = fine(&folder, &["derive", path.to_str().unwrap(), "--steps", "--format", "mathml"]);
            assert!(well_formed(&text) > 8, "{}", path.display());
        }
    }
    assert!(systems >= 12, "{systems}");
    well_formed(&fine(&folder, &["derive", "drop.lab", "--law", "position", "--format", "mathml"]));
}

/// How many formulas there are.
fn well_formed(page: &str) -> usize {
    let mut formulas = 0;
    for line in page.lines() {
        match line {
            "<section>" | "</section>" => {}
            it if it.starts_with("<math") => {
                xml::read(it).check();
                formulas += 1;
            }
            it => {
                assert!(it.starts_with("<h2>") || it.starts_with("<p>"), "{it}");
                xml::read(&it.replace("h2>", "p>"));
            }
        }
    }
    assert_eq!(page.matches("<section>").count(), page.matches("</section>").count());
    formulas
}

/// A table has no place for equations: they are written beside it, and are the same from the experiment and
/// from its recording.
#[test]
fn equations_are_exported_beside_a_table() {
    let folder = folder("derive-export");
    fine(&folder, &["export", "cart.lab", "cart.arrow", "cart.csv", "cart.txt"]);
    let text = folder.read("cart.txt");
    for line in ["L\n    ", "equation of theta, = 0\n    ", "theta_dot_dot\n    ", "does not occur in L"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!folder.read("cart.csv").contains("equation"));
    fine(&folder, &["export", "cart.arrow", "again.txt"]);
    assert_eq!(folder.read("again.txt"), text);
    let (code, _, stderr) = outcome(&folder, &["export", "drop.lab", "drop.csv", "drop.txt"]);
    assert!(code != 0 && stderr.contains("drop.txt: there are no equations to write"), "{stderr}");
    assert!(
        !folder.names().iter().any(|it| it.starts_with("drop.") && it != "drop.lab"),
        "nothing is left over"
    );
}
