//! Which crate may know which. The tables below are the architecture; any other edge fails, whether it is
//! a dependency of the code, of its tests or of a build script.
//!
//! Invariant: math knows no body, geometry no time, dynamics and rigid no text, lang no body, recording no
//! mechanics, lab no socket and no terminal. A dependency that is not there cannot be used by mistake.

use std::process::Command;

use serde_json::Value;

/// A crate's folder, the in-house crates it may name, and why.
const ARROWS: &[(&str, &[&str], &str)] = &[
    ("math", &[], "mathematics without bodies stands on nothing of ours"),
    ("symbolic", &["math"], "formulas know no text and no body"),
    ("geometry", &["math"], "shapes know no time and no force"),
    ("lang", &["math", "symbolic"], "the language knows no body; lab binds its formulas as rules"),
    ("jit", &["lang"], "the speed of the language, never its meaning"),
    ("dynamics", &["math"], "rules, laws and integrators know no shape, no text, no file, no clock"),
    ("rigid", &["math", "geometry", "dynamics"], "rigid bodies know no text, no file, no clock"),
    ("multibody", &["math", "geometry"], "articulated bodies know no text, no file, no clock"),
    (
        "experiment",
        &["math", "symbolic", "geometry", "lang", "dynamics", "rigid", "multibody"],
        "it runs nothing; it reads registries of methods and solvers, and describes mechanisms",
    ),
    ("recording", &["math", "lang"], "recordings know no mechanics"),
    (
        "lab",
        &[
            "math",
            "symbolic",
            "geometry",
            "lang",
            "jit",
            "dynamics",
            "rigid",
            "multibody",
            "experiment",
            "recording",
        ],
        "experiments tie all of them together",
    ),
    (
        "accuracy",
        &["math", "geometry", "lang", "dynamics", "multibody", "rigid", "experiment", "recording", "lab"],
        "the suite measures every mechanics, built-in and written by users",
    ),
    (
        "app",
        &["math", "symbolic", "lang", "experiment", "recording", "lab", "accuracy"],
        "the binary knows no mechanics from inside; poses and formulas are what it shows",
    ),
    (
        "tests",
        &[
            "math",
            "symbolic",
            "geometry",
            "lang",
            "jit",
            "dynamics",
            "rigid",
            "multibody",
            "experiment",
            "recording",
            "lab",
            "accuracy",
            "app",
        ],
        "they test across crates",
    ),
];

const BELOW_APP: &[&str] = &[
    "math",
    "symbolic",
    "geometry",
    "lang",
    "jit",
    "dynamics",
    "rigid",
    "experiment",
    "recording",
    "lab",
    "accuracy",
];

/// An outside crate, the in-house crates that may not name it, and why.
const KEPT_OUT: &[(&str, &[&str], &str)] = &[
    ("axum", BELOW_APP, "only the binary opens sockets"),
    ("clap", BELOW_APP, "only the binary reads a command line"),
    ("tokio", BELOW_APP, "only the binary waits for the outside world"),
    ("tower-http", BELOW_APP, "only the binary opens sockets"),
    ("rayon", &["math", "symbolic"], "they are called from inside parallel loops and never start one"),
];

/// One line of a manifest: `from` depends on `to`, both as package names.
struct Edge {
    from: String,
    to: String,
    kind: String,
}

/// The folder of an in-house package; nothing for a package from outside.
fn folder(package: &str) -> Option<&str> {
    if package == "gedanken" { Some("app") } else { package.strip_prefix("gedanken-") }
}

/// What is wrong with an edge, if anything, and the rule it breaks.
fn refusal(edge: &Edge) -> Option<String> {
    let Edge { from: package, to: dependency, kind } = edge;
    let Some((from, allowed, why)) = folder(package).and_then(|name| ARROWS.iter().find(|row| row.0 == name))
    else {
        return Some(format!("{package}: no row in ARROWS for this crate"));
    };
    if let Some(to) = folder(dependency) {
        let row = if allowed.is_empty() { "nothing in-house".to_owned() } else { allowed.join(", ") };
        return (!allowed.contains(&to))
            .then(|| format!("{from} -> {to} ({kind}): {from} may name {row}, since {why}"));
    }
    let (_, refused, why) = KEPT_OUT.iter().find(|row| row.0 == dependency)?;
    refused
        .contains(from)
        .then(|| format!("{from} -> {dependency} ({kind}): kept out of {}, since {why}", refused.join(", ")))
}

fn edges(metadata: &Value) -> Vec<Edge> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value, otherwise: &str| value.as_str().unwrap_or(otherwise).to_owned();
    let of_package = |package: Value| {
        let from = text(&package["name"], "a package without a name");
        list(&package["dependencies"]).into_iter().map(move |dependency| Edge {
            from: from.clone(),
            to: text(&dependency["name"], "a dependency without a name"),
            kind: text(&dependency["kind"], "normal"),
        })
    };
    list(&metadata["packages"]).into_iter().flat_map(of_package).collect()
}

#[test]
fn every_dependency_follows_an_arrow() {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .expect("cargo runs these tests, so it can be started");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let edges = edges(&serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON"));
    assert!(edges.iter().any(|edge| edge.to == "gedanken-math"), "no in-house edge was read");

    let refused: Vec<String> = edges.iter().filter_map(refusal).collect();
    assert!(
        refused.is_empty(),
        "\n{}\n\nWay out: move the code to the crate that may know both, or pass the value in as an argument. A new \
         arrow is a decision about the architecture: it goes into the tables of tests/arrows.rs with its reason.\n",
        refused.join("\n")
    );
}

#[test]
fn a_forbidden_edge_is_refused_and_an_allowed_one_is_not() {
    let judge = |from: &str, to: &str| {
        refusal(&Edge { from: from.to_owned(), to: to.to_owned(), kind: "dev".to_owned() })
    };
    let message = judge("gedanken-math", "gedanken-dynamics").expect("math must not know bodies");
    assert!(message.starts_with("math -> dynamics (dev): math may name nothing in-house"), "{message}");
    assert!(judge("gedanken-dynamics", "gedanken").is_some(), "nothing links the binary");
    assert!(judge("gedanken-lang", "gedanken-dynamics").is_some(), "they do not know each other");
    assert!(judge("gedanken-math", "rayon").is_some());
    assert!(judge("gedanken-lab", "tokio").is_some());
    assert!(judge("gedanken-newcomer", "libm").is_some(), "a crate without a row is refused");

    assert_eq!(judge("gedanken-dynamics", "gedanken-math"), None);
    assert_eq!(judge("gedanken-dynamics", "rayon"), None);
    assert_eq!(judge("gedanken", "clap"), None);
}

#[test]
fn the_arrows_have_no_cycle() {
    // The table is written from the bottom up: an arrow points at an earlier row.
    for (place, (from, allowed, _)) in ARROWS.iter().enumerate() {
        for to in *allowed {
            let target = ARROWS.iter().position(|row| row.0 == *to);
            assert!(target.is_some_and(|target| target < place), "{from} -> {to} does not point downwards");
        }
    }
}
