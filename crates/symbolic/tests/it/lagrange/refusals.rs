//! Statements that are no mechanical system are refused by name, with the way out.

use super::stated::Stated;
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::Refusal;

#[track_caller]
fn assert_says(stated: &Stated<'_>, words: &[&str]) {
    let text = stated.refusal().to_string();
    for word in words {
        assert!(text.contains(word), "`{word}` is not in `{text}`");
    }
}

const FREE: Stated<'static> = Stated {
    coordinates: "x y",
    lagrangian: "0.5*m*(x_dot^2 + y_dot^2)",
    kinetic: "",
    potential: "",
    hamiltonian: "",
    dissipation: "",
    forces: &[],
    constraints: &[],
    velocity_constraints: &[],
};

#[test]
fn energies_without_motion_are_refused() {
    assert_says(&Stated { lagrangian: "-k*x^2", ..FREE }, &["L contains no velocity", "x_dot"]);
    let still = Stated { lagrangian: "", kinetic: "m*x", potential: "m*y", ..FREE };
    assert_says(&still, &["T contains no velocity", "x_dot"]);
    let still = Stated { lagrangian: "", hamiltonian: "m*x", ..FREE };
    assert_says(&still, &["H contains no momentum", "p_x"]);
    assert_says(&Stated { coordinates: "", ..FREE }, &["no coordinates"]);
    assert_says(&Stated { coordinates: "x x", ..FREE }, &["x is named twice"]);
}

#[test]
fn singular_mass_matrices_name_what_has_no_inertia() {
    let one = Stated { lagrangian: "0.5*m*x_dot^2 - 0.5*k*(x - y)^2", ..FREE };
    assert_eq!(
        one.refusal(),
        Refusal::SingularMass { what: "y".to_owned(), coordinates: vec!["y".to_owned()] }
    );
    let combined = Stated { lagrangian: "0.5*m*(x_dot + 2*y_dot)^2 - x^2", ..FREE };
    assert_says(&combined, &["moving x by 2 and y by -1 together meets no inertia", "constraint"]);
    let hidden = Stated {
        lagrangian: "0.5*m*(sine(x)*x_dot - cosine(x)*y_dot)^2 + 0.5*m*(l*sine(x)*x_dot - l*cosine(x)*y_dot)^2",
        ..FREE
    };
    assert_says(&hidden, &["a motion of x and y meets no inertia"]);
    let first = Stated { lagrangian: "0.5*m*x_dot^2 + x*y_dot - y^2", ..FREE };
    assert_says(&first, &["y are of first order", "y_dot"]);
}

#[test]
fn misplaced_symbols_are_refused() {
    let stated =
        Stated { lagrangian: "", kinetic: "0.5*m*(x_dot^2 + y_dot^2)", potential: "k*x*y_dot", ..FREE };
    assert_says(&stated, &["V uses the rate y_dot", "write L"]);
    assert_says(&Stated { dissipation: "c*x_dot_dot^2", ..FREE }, &["the dissipation uses x_dot_dot"]);
    assert_says(&Stated { forces: &[("y", "p_x")], ..FREE }, &["the force along y", "p_x", "x_dot"]);
    assert_says(
        &Stated { constraints: &[("rod", "x_dot + y")], ..FREE },
        &["rod", "x_dot", "velocity constraint"],
    );
    let stated = Stated { constraints: &[("rod", "x")], forces: &[("x", "lambda_rod")], ..FREE };
    assert_says(&stated, &["lambda_rod", "multiplier"]);
    assert_says(
        &Stated { lagrangian: "", hamiltonian: "p_x^2 + y_dot", ..FREE },
        &["H uses the rate y_dot", "momenta"],
    );
}

#[test]
fn what_is_not_real_is_refused() {
    assert_says(
        &Stated { lagrangian: "m*x_dot^2 + y_dot^2 + (-1)^(1/2)", ..FREE },
        &["L contains", "not a real number"],
    );
    assert_says(&Stated { dissipation: "log(-2)*x_dot^2", ..FREE }, &["log(-2)", "logarithm"]);
    assert_says(&Stated { dissipation: "sqrt(-1 - x^2)*x_dot^2", ..FREE }, &["dissipation", "root"]);
    assert_says(&Stated { forces: &[("x", "1/(x - x)")], ..FREE }, &["divides by 0"]);
    assert_says(&Stated { forces: &[("x", "inverseSine(2)")], ..FREE }, &["between -1 and 1"]);
}

#[test]
fn constraints_that_cannot_be_held_are_refused() {
    assert_says(
        &Stated { velocity_constraints: &[("speed", "x_dot^2 + y_dot^2 - 1")], ..FREE },
        &["speed", "not linear", "x_dot"],
    );
    // Its square cancels.
    let stated =
        Stated { velocity_constraints: &[("fine", "(x_dot + y)^2 - x_dot^2 - 2*y*x_dot + y_dot")], ..FREE };
    let mut pool = Pool::new();
    stated.equations(&mut pool, gedanken_symbolic::lagrange::Effort::Readable);
    assert_says(&Stated { constraints: &[("idle", "l - 2*t")], ..FREE }, &["idle", "no coordinate"]);
    assert_says(&Stated { velocity_constraints: &[("idle", "x - y")], ..FREE }, &["idle", "no rate"]);
    assert_says(
        &Stated { constraints: &[("first", "x - y"), ("second", "(x - y)^3 + 2*(x - y)")], ..FREE },
        &["second says nothing new beside first"],
    );
    assert_says(
        &Stated {
            coordinates: "x",
            lagrangian: "x_dot^2",
            constraints: &[("a", "x - 1"), ("b", "x^2 - 1")],
            ..FREE
        },
        &["b says nothing new beside a"],
    );
}
