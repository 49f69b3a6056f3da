//! The laws of impact in the gallery, run by the evaluator on impacts of any kind: momentum and angular
//! momentum stay, the point of contact leaves as fast as restitution says, and without friction no energy
//! appears.

use crate::support;
use gedanken_experiment::Experiment;
use gedanken_experiment::Files;
use gedanken_lang::check::Binding;
use gedanken_lang::program::OutputKind;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::{Mat3, Vec3};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use support::{Gallery, experiment};

/// Values of an impact by whose they are and what they are called; the world's belong to nobody.
type Values = BTreeMap<(Option<usize>, String), Value>;

/// Runs a collision context on two objects with these values, and gives them as they are after it.
fn collide(experiment: &Experiment, pair: [usize; 2], given: &Values) -> Values {
    let selector = experiment.selector(&experiment.simulations[0]);
    let applied = selector.collision(pair[0], pair[1]).unwrap().unwrap();
    assert_eq!(applied.objects, pair, "the values are in the order of indices");
    let laws = experiment.laws(applied.context, &applied.objects, 0).unwrap();
    let (program, scope) = (&laws.checked.program, &laws.checked.scope);
    let key = |scope_index: usize| match &scope.variables[scope_index].binding {
        Binding::World { name } => (None, name.clone()),
        Binding::Object { index, attribute } | Binding::Context { index, attribute } => {
            (Some(*index), attribute.clone())
        }
        Binding::Engine { index, name } => (*index, name.clone()),
        Binding::Named { .. } => panic!("no named objects in these laws"),
    };
    let mut machine = Machine::new(Arc::new(compile(program)), Limits::default());
    let mut values = given.clone();
    for wanted in [OutputKind::FirstTime, OutputKind::Law] {
        let value = |scope_index| values.get(&key(scope_index)).cloned().unwrap_or(Value::Real(0.0));
        machine.start(program.inputs.iter().map(|input| value(input.scope_index)).collect());
        let mut after = values.clone();
        for output in program.outputs.iter().filter(|output| output.kind == wanted) {
            after.insert(key(output.scope_index), machine.get(output.function).unwrap());
        }
        values = after;
    }
    values
}

fn vector(values: &Values, index: usize, name: &str) -> Vec3 {
    match &values[&(Some(index), name.to_owned())] {
        Value::Vector(elements) => Vec3::from_slice(elements),
        other => panic!("{other} is a vector"),
    }
}

/// Momentum, angular momentum about the origin, and energy of two cuboids, and how fast the first leaves the
/// second along n.
fn totals(
    experiment: &Experiment,
    pair: [usize; 2],
    values: &Values,
    point: Vec3,
    n: Vec3,
) -> (Vec3, Vec3, f64, f64) {
    let (mut momentum, mut angular, mut energy, mut leaving) = (Vec3::ZERO, Vec3::ZERO, 0.0, 0.0);
    for (index, sign) in [(0, 1.0), (1, -1.0)] {
        let object = &experiment.objects[pair[index]];
        if object.is_static {
            continue;
        }
        let (v, w) = (vector(values, index, "v"), vector(values, index, "a_v"));
        let position = vector(values, index, "position");
        let mut pose = object.clone();
        for attribute in &mut pose.attributes {
            attribute.value = values[&(Some(index), attribute.name.clone())].clone();
        }
        let pose = pose.pose();
        let (Value::Real(m), Value::Matrix(inertia)) =
            (&object.attribute("mass").unwrap().value, &object.attribute("inertia_tensor").unwrap().value)
        else {
            panic!("mass and inertia")
        };
        let tensor = Mat3::from_cols_slice(&inertia.elements);
        let spin = pose.vector_to_world(tensor * pose.vector_to_body(w));
        momentum += *m * v;
        angular += spin + position.cross(*m * v);
        energy += 0.5 * m * v.length_squared() + 0.5 * w.dot(spin);
        leaving += sign * n.dot(v + w.cross(point - position));
    }
    (momentum, angular, energy, leaving)
}

/// None at all in half of the cases.
fn friction() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..1.0f64]
}

fn unit_box() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn impacts_keep_what_they_should(
        against_floor in any::<bool>(), v in unit_box(), w in unit_box(), normal in unit_box(),
        arm in unit_box(), turned in unit_box(), friction in friction(), restitution in 0.0..1.0f64,
    ) {
        prop_assume!(normal.length() > 0.1);
        let text = Gallery.text("chapter5.lab").unwrap();
        let settings =
            [format!("friction_coefficient={friction}"), format!("restitution_coefficient={restitution}")];
        let found = experiment(&Gallery, &text, &settings.each_ref().map(String::as_str)).1.unwrap();
        let other = if against_floor { "floor" } else { "cube" };
        let pair = [found.object("brick").unwrap(), found.object(other).unwrap()];
        let mut values: Values =
            found.world.iter().map(|it| ((None, it.name.clone()), it.value.clone())).collect();
        for (index, &object) in pair.iter().enumerate() {
            let attributes = found.objects[object].attributes.iter();
            values.extend(attributes.map(|it| ((Some(index), it.name.clone()), it.value.clone())));
        }
        let n = normal.normalize();
        let list = |vector: Vec3| Value::Vector(vector.to_array().to_vec());
        let point = vector(&values, 0, "position") + arm;
        for (index, name, value) in [
            (Some(0), "v", v), (Some(0), "a_v", w), (Some(0), "orientation", turned),
            (Some(0), "collisionNormal", n), (Some(1), "collisionNormal", -n), (None, "collisionPoint", point),
        ] {
            values.insert((index, name.to_owned()), list(value));
        }
        if !against_floor {
            values.insert((Some(1), "position".to_owned()), list(point + turned));
        }
        // Only those that approach collide: what would leave is sent back. The other object is at rest.
        if totals(&found, pair, &values, point, n).3 > 0.0 {
            values.insert((Some(0), "v".to_owned()), list(-v));
            values.insert((Some(0), "a_v".to_owned()), list(-w));
        }
        let (p, l, energy, approach) = totals(&found, pair, &values, point, n);
        prop_assume!(approach < -1e-3);
        let after = collide(&found, pair, &values);
        let (p_after, l_after, energy_after, leaving) = totals(&found, pair, &after, point, n);
        prop_assert!((leaving + restitution * approach).abs() < 1e-9, "{leaving} after {approach}");
        if !against_floor {
            prop_assert!((p_after - p).length() < 1e-9, "{p} {p_after}");
            prop_assert!((l_after - l).length() < 1e-8, "{l} {l_after}");
        }
        // A push along the normal alone takes the share 1 - restitution² of the energy of approach. With
        // friction, restitution as a ratio of speeds may give energy to some impacts; that is in the law
        // itself.
        if friction == 0.0 {
            prop_assert!(energy_after <= energy * (1.0 + 1e-12));
        }
    }
}
