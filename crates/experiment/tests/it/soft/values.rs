//! Numbers of files arrive where solvers read them.

use super::{experiment, hinge, joint, material, simulation, soft};
use gedanken_experiment::RigidSettings;
use gedanken_experiment::rigid::soft::{GivenSoftness, SoftDefaults, SoftJoint, SoftSettings, SoftSurface};
use gedanken_multibody::model::{
    Algorithm, Cone, Impedance, Integrator, LineSearch, Reference, Softness, Stopping,
};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");

fn rigid(lines: &str) -> RigidSettings {
    let found = experiment(&soft(lines));
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    found.simulations[0].rigid().expect("it is rigid").clone()
}

fn settings(lines: &str) -> SoftSettings {
    rigid(lines).soft
}

fn of_joint(text: &str) -> SoftJoint {
    experiment(text).joints[0].soft
}

fn of_surface(lines: &str) -> SoftSurface {
    experiment(&material(lines, &simulation("s", "solver = soft"))).materials[0].soft
}

#[test]
fn settings_of_a_simulation() {
    let usual = SoftSettings::default();
    assert_eq!(settings(""), usual);
    assert_eq!(settings("algorithm = newton\n    line search = exact\n    cone = elliptic"), usual);
    assert_eq!(
        settings("stopping = certificate\n    impedance ratio = 1\n    no slip iterations = 0"),
        usual
    );
    assert_eq!(settings("defaults = mujoco\n    integrator = semi-implicit"), usual);
    let other = settings(
        "algorithm = conjugate gradient\n    line search = armijo\n    stopping = improvement\n    cone = pyramid\n    \
         cone edges = 16\n    impedance ratio = 10\n    no slip iterations = 3\n    defaults = genesis\n    integrator = rk4",
    );
    assert_eq!(
        other,
        SoftSettings {
            algorithm: Algorithm::ConjugateGradient,
            line_search: LineSearch::Armijo,
            stopping: Stopping::Improvement(1e-8),
            cone: Cone::Pyramid { edges: 16 },
            impedance_ratio: 10.0,
            no_slip_iterations: 3,
            defaults: SoftDefaults::Genesis,
            integrator: Integrator::RungeKutta,
        }
    );
    assert_eq!(settings("algorithm = conjugate_gradient").algorithm, Algorithm::ConjugateGradient);
    assert_eq!(settings("cone = pyramid").cone, Cone::Pyramid { edges: 4 });
}

/// Several entries in one line: a value of two words ends where the next key begins.
#[test]
fn entries_in_one_line() {
    let found = settings("algorithm = conjugate gradient cone = pyramid cone edges = 8 line search = armijo");
    assert_eq!(
        (found.algorithm, found.cone, found.line_search),
        (Algorithm::ConjugateGradient, Cone::Pyramid { edges: 8 }, LineSearch::Armijo)
    );
}

#[test]
fn tolerances_and_iterations() {
    assert_eq!(settings("tolerance = 1e-6").stopping, Stopping::Certificate(1e-6));
    assert_eq!(
        settings("stopping = improvement\n    tolerance = 1e-5").stopping,
        Stopping::Improvement(1e-5)
    );
    assert_eq!(rigid("iterations = 50").iterations, Some(50));
}

#[test]
fn integrators() {
    let rows = [
        ("semi-implicit", Integrator::SemiImplicit),
        ("semi_implicit", Integrator::SemiImplicit),
        ("euler", Integrator::Euler),
        ("implicit", Integrator::Implicit),
        ("implicit fast", Integrator::ImplicitFast),
        ("implicit-fast", Integrator::ImplicitFast),
        ("rk4", Integrator::RungeKutta),
    ];
    for (name, integrator) in rows {
        let found = rigid(&format!("integrator = {name}"));
        assert_eq!((found.soft.integrator, found.integrator), (integrator, None), "{name}");
    }
}

#[test]
fn numbers_of_joints() {
    let s = &simulation("s", "solver = soft");
    let lines = "stiffness = 20\n    rest = -0.5\n    damping = 0.3\n    armature = 0.01\n    friction loss = 0.2\n    \
                 time constant = 0.03\n    damping ratio = 0.7\n    impedance = [0.8, 0.9, 0.01, 0, 1]";
    let reference = Some(Reference::Oscillator { time_constant: 0.03, damping_ratio: 0.7 });
    let impedance = Some(Impedance::from_solimp([0.8, 0.9, 0.01, 0.0, 1.0]));
    let expected = SoftJoint {
        stiffness: 20.0,
        rest: -0.5,
        damping: 0.3,
        armature: 0.01,
        friction_loss: 0.2,
        softness: GivenSoftness { reference, impedance },
    };
    assert_eq!(of_joint(&hinge(lines, s)), expected);
    let slider = format!("kind = slider\n    axis = [0, 0, 1]\n    {lines}");
    assert_eq!(of_joint(&joint(&slider, s)), expected);
    let point = format!("kind = point\n    anchor = [0, 0, 2]\n    {}", lines.replace("rest = -0.5\n", "\n"));
    assert_eq!(of_joint(&joint(&point, s)), SoftJoint { rest: 0.0, ..expected });
    let found = experiment(&hinge(lines, s)).joints.remove(0);
    assert_eq!((found.stiffness, found.damping, found.soft_keys.len()), (0.0, 0.0, 8));
}

/// Stiffness and damping of a spring are its own; a joint that holds has only a softness.
#[test]
fn numbers_of_springs_and_welds() {
    let s = &simulation("s", "solver = soft");
    let spring = experiment(&joint("kind = spring\n    stiffness = 10\n    damping = 2", s)).joints.remove(0);
    assert_eq!((spring.stiffness, spring.damping, spring.soft), (10.0, 2.0, SoftJoint::default()));
    assert!(spring.soft_keys.is_empty());
    let weld = of_joint(&joint("kind = weld\n    softness stiffness = 100\n    softness damping = 0", s));
    let reference = Some(Reference::Direct { stiffness: 100.0, damping: 0.0 });
    assert_eq!(
        weld,
        SoftJoint { softness: GivenSoftness { reference, impedance: None }, ..SoftJoint::default() }
    );
}

#[test]
fn numbers_of_materials() {
    assert_eq!(of_surface("friction = 1"), SoftSurface::default());
    let found = of_surface(
        "torsional friction = 0.005\n    rolling friction = 0.0001\n    margin = 0.01\n    gap = 0.02\n    \
         softness stiffness = 2500\n    softness damping = 100",
    );
    let reference = Some(Reference::Direct { stiffness: 2500.0, damping: 100.0 });
    assert_eq!(
        found,
        SoftSurface {
            torsional_friction: 0.005,
            rolling_friction: 0.0001,
            margin: 0.01,
            gap: 0.02,
            softness: GivenSoftness { reference, impedance: None },
        }
    );
    assert_eq!(found.softness.or(Softness::MUJOCO).impedance, Impedance::MUJOCO);
}

/// The example of the reference reads without a word, once there is an arm.
#[test]
fn the_reference_has_an_example() {
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let mut fences = page.split("```lab\n").filter_map(|it| it.split("```").next());
    let example = fences.find(|it| it.contains("solver = soft")).expect("an example with soft constraints");
    let arm = "object {\n    name = arm\n    physical type = dynamic\n    geometrical type = cuboid\n    material = rubber\n    \
               attributes = { position = [0, 0, 0.5]  size = [0.1, 0.1, 1]  mass = 1 }\n}\n";
    let found = experiment(&(arm.to_owned() + example));
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    let soft = found.simulations[0].rigid().expect("it is rigid").soft;
    assert_eq!((soft.cone, soft.integrator), (Cone::Pyramid { edges: 8 }, Integrator::ImplicitFast));
}
