//! A run that is kept as words goes on elsewhere with equal bits, and words of another run are refused.

use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Settings, Simulation, World};

/// Boxes and balls that fall on each other and on the ground.
fn heap(balls: usize) -> Simulation {
    let mut bodies = vec![(
        "ground".to_owned(),
        Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY),
    )];
    for k in 0..balls {
        let height = 0.3 + 0.45 * k as f64;
        let at = Pose::at(Vec3::new(0.03 * k as f64, 0.01 * k as f64, height));
        let shape = match k % 2 {
            0 => Shape::Cuboid(Cuboid::new(Vec3::new(0.5, 0.4, 0.4)).unwrap()),
            _ => Shape::Sphere(Sphere::new(0.2).unwrap()),
        };
        bodies.push((format!("body{k}"), Body::dynamic(shape, at).with_density(500.0)));
    }
    let gravity = UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -9.81)));
    Simulation::new(World::new(bodies, []).unwrap().with_laws(gravity), Settings::default()).unwrap()
}

fn advance(run: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        run.step(1.0 / 240.0).unwrap();
    }
}

#[test]
fn a_kept_run_goes_on_with_equal_bits() {
    let mut whole = heap(5);
    advance(&mut whole, 100);
    let words = whole.to_words();
    let mut rest = heap(5);
    assert!(rest.load_words(&words));
    assert_eq!(rest.state().hash(), whole.state().hash());
    assert_eq!(rest.to_words(), words, "nothing is lost on the way");
    assert!(!whole.contacts().touches.is_empty(), "something touches, so that contacts are kept too");
    for _ in 0..60 {
        advance(&mut whole, 1);
        advance(&mut rest, 1);
        assert_eq!(rest.state().hash(), whole.state().hash());
        assert_eq!(rest.ledger(), whole.ledger());
    }
}

#[test]
fn words_of_others_are_refused_and_change_nothing() {
    let mut run = heap(3);
    advance(&mut run, 80);
    let (words, before) = (run.to_words(), run.state().hash());
    let mut other = heap(2);
    let untouched = other.state().hash();
    assert!(!other.load_words(&words));
    assert_eq!(other.state().hash(), untouched);
    for cut in [0, 1, words.len() / 2, words.len() - 1] {
        assert!(!run.load_words(&words[..cut]));
    }
    let longer: Vec<u64> = words.iter().copied().chain([0]).collect();
    assert!(!run.load_words(&longer));
    let mut bad = words;
    bad[5] = f64::NAN.to_bits();
    assert!(!run.load_words(&bad));
    assert_eq!(run.state().hash(), before);
}

#[test]
fn the_clock_can_be_set_without_changing_anything_else() {
    let mut run = heap(1);
    advance(&mut run, 3);
    let place = run.pose(run.world().id("body0").unwrap());
    run.set_time(17.0);
    assert_eq!(run.time(), 17.0);
    assert_eq!(run.pose(run.world().id("body0").unwrap()), place);
    assert_eq!(run.bodies_at_start().len(), 3, "the world, the ground and the box");
}
