//! Measures: totals against sums by hand, in any order of the file, and without a value
//! where there is none.

use crate::support;
use gedanken_experiment::{Experiment, Record};
use gedanken_lab::measures::{Meter, Reading, verdict};
use gedanken_lab::report;
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Layout};
use gedanken_lang::program::Input;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::Cancel;
use proptest::prelude::*;
use std::sync::Arc;
use support::{Gallery, codes, experiment, model};

/// A dynamic sphere with these attributes besides its place and size.
fn ball(name: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [0, 0, 5]  size = 2  {attributes} }}\n}}\n"
    )
}

const SIMULATION: &str = "simulation {\n    name = s\n    duration = 10\n}\n";

fn measure(name: &str, lines: &[&str]) -> String {
    format!("measure {name} {{\n    {}\n}}\n", lines.join("\n    "))
}

/// The scalars of an attribute when a simulation begins; the time is 7.
fn initial(experiment: &Experiment, object: Option<usize>, attribute: &str) -> Vec<f64> {
    let value = match object {
        None if attribute == "t" => return vec![7.0],
        None => &experiment.world.iter().find(|it| it.name == attribute).unwrap().value,
        Some(object) => &experiment.objects[object].attribute(attribute).unwrap().value,
    };
    value.scalars().unwrap()
}

/// The totals of all measures of the first simulation, with the values at its beginning.
fn totals(experiment: &Experiment) -> Vec<(String, Vec<f64>)> {
    let mut meter = Meter::new(experiment, &experiment.simulations[0], &Cancel::never());
    let mut read = |object: Option<usize>, attribute: &str, out: &mut Vec<f64>| {
        out.extend(initial(experiment, object, attribute));
    };
    let names: Vec<String> = meter.names().map(str::to_owned).collect();
    names.into_iter().enumerate().map(|(k, name)| (name, meter.total(k, &mut read).unwrap())).collect()
}

fn three() -> String {
    "world attributes {\n    g = 3\n}\n".to_owned()
        + &ball("b", "mass = 3  v = [0, 0, 4]")
        + &ball("c", "mass = 0.5  v = [1, 1, 0]")
        + &ball("a", "mass = 2  v = [1, 2, 2]")
}

#[test]
fn totals_are_the_sums_by_hand() {
    let text = three()
        + SIMULATION
        + &measure("energy", &["of = {c, a, b}", "value = 0.5 * mass * (v . v)"])
        + &measure("momentum", &["of = {a, b, c}", "value = mass * v"])
        + &measure("height", &["of = {b}", "value = pos # 3 + radius"])
        + &measure("clock", &["value = g * t"])
        + &measure("weight", &["of = {a, c}", "value = mass * g + norm(v - v)"]);
    let found = model(&text);
    // a: 0.5·2·9 = 9; b: 0.5·3·16 = 24; c: 0.5·0.5·2 = 0.5.
    let expected: [(&str, &[f64]); 5] = [
        ("clock", &[21.0]),
        ("energy", &[33.5]),
        ("height", &[7.0]),
        ("momentum", &[2.5, 4.5, 16.0]),
        ("weight", &[7.5]),
    ];
    let totals = totals(&found);
    assert_eq!(totals.iter().map(|(name, it)| (name.as_str(), it.as_slice())).collect::<Vec<_>>(), expected);
    let meter = Meter::new(&found, &found.simulations[0], &Cancel::never());
    assert_eq!(meter.types().nth(3), Some(&Type::vector(3)));
    let [a, c] = ["a", "c"].map(|name| found.object(name));
    let read: Vec<(Option<usize>, String)> = [(None, "g"), (a, "mass"), (a, "v"), (c, "mass"), (c, "v")]
        .map(|(object, attribute)| (object, attribute.to_owned()))
        .to_vec();
    assert_eq!(meter.inputs(4), read);
}

/// One at a time, as columns, and by the reference evaluator: the same bits.
#[test]
fn graphs_give_the_same_totals() {
    let text = three()
        + &ball("d", "mass = 7  v = [1, 0.3, -0.1, 2]")
        + SIMULATION
        + &measure("energy", &["of = {a, b, c, d}", "value = mass * (v . v) / 3 + sine(g * t)"]);
    let found = model(&text);
    let meter = Meter::new(&found, &found.simulations[0], &Cancel::never());
    assert_eq!(meter.gauges(0).len(), 2, "for vectors of 3, and for the one of 4");
    let mut values: Vec<Vec<f64>> = Vec::new();
    for gauge in meter.gauges(0) {
        let graph = gauge.graph().unwrap();
        let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
        let column = |slot: &gedanken_lang::ir::Slot| -> Vec<f64> {
            let reading = &gauge.inputs()[slot.input.0 as usize];
            let of = |&object: &usize| {
                let owner = reading.of_object.then_some(object);
                initial(&found, owner, &reading.attribute)[slot.element as usize]
            };
            gauge.objects().iter().map(of).collect()
        };
        let columns: Vec<Vec<f64>> = graph.slots.iter().map(column).collect();
        let feeds: Vec<Feed<'_>> = columns.iter().map(|it| Feed::Column(it)).collect();
        let rows = gauge.objects().len();
        let mut result = vec![0.0; rows];
        let bad = ColumnProgram::new(graph, &layout).run(&feeds, &[], 0..rows, &mut [result.as_mut_slice()]);
        assert_eq!(bad, None);
        let program = gauge.program();
        let mut machine = Machine::new(Arc::new(compile(program)), Limits::default());
        for (&object, result) in gauge.objects().iter().zip(&result) {
            let value = |(reading, input): (&Reading, &Input)| {
                let owner = reading.of_object.then_some(object);
                Value::from_scalars(&input.ty, initial(&found, owner, &reading.attribute)).unwrap()
            };
            machine.start(gauge.inputs().iter().zip(&program.inputs).map(value).collect());
            let reference = machine.get(program.outputs[0].function).unwrap().scalars().unwrap();
            assert_eq!(reference[0].to_bits(), result.to_bits());
        }
        values.push(result);
    }
    let sum = meter.order(0).iter().fold(0.0, |sum, &(gauge, row)| sum + values[gauge][row]);
    assert_eq!(totals(&found)[0].1[0].to_bits(), sum.to_bits());
}

/// 1e16 + 1 is 1e16: by name the sum is 0, in any other order it is 1, or at least may be.
#[test]
fn sums_go_by_name_whatever_the_order_of_the_file() {
    // The second is of another type, hence of a program of its own.
    let balls = [ball("a", "x = [1e16, 0]"), ball("b", "x = [1, 0, 0]"), ball("c", "x = [-1e16, 0]")];
    let lists = ["a, b, c", "c, b, a", "b, c, a", "a, c, b"];
    for (turn, list) in lists.iter().enumerate() {
        let mut balls = balls.clone();
        balls.rotate_left(turn % 3);
        let of = format!("of = {{{list}}}");
        let text = measure("m", &[&of, "value = x # 1"]) + &balls.concat() + SIMULATION;
        assert_eq!(totals(&model(&text)), [("m".to_owned(), vec![0.0])], "{text}");
    }
}

#[test]
fn what_has_no_value_is_null_and_told_once() {
    let text = ball("a", "mass = 2")
        + &ball("b", "mass = 0")
        + SIMULATION
        + &measure("inverse", &["of = {a, b}", "value = [1, 1 / mass]"])
        + &measure("mass", &["of = {a, b}", "value = mass"])
        + &measure("vast", &["of = {a, b}", "value = 1e308 * (1 + t)", "expected = 1", "tolerance = 1"]);
    let found = model(&text);
    let mut meter = Meter::new(&found, &found.simulations[0], &Cancel::never());
    let mut notices = Vec::new();
    let mut at = |time: f64, mass_of_b: f64| {
        let mut row = vec![42.0];
        let mut read = |object: Option<usize>, attribute: &str, out: &mut Vec<f64>| {
            out.push(match (object, attribute) {
                (None, _) => time,
                (Some(0), _) => 2.0,
                _ => mass_of_b,
            });
        };
        meter.append(time, &mut read, &|_| true, &mut row, &mut notices);
        row
    };
    let first = at(0.0, 0.0);
    assert!(first[1].is_nan() && first[2].is_nan(), "no component without the other: {first:?}");
    assert_eq!((first[0], first[3]), (42.0, 2.0), "what was there stays, the others go on");
    assert!(first[4].is_nan(), "1e308 + 1e308 is no number");
    assert_eq!(at(0.5, 0.25)[..4], [42.0, 2.0, 4.5, 2.25], "it has a value again");
    assert!(at(1.0, 0.0)[1].is_nan());
    let told: Vec<&str> = notices.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0], "the measure `inverse` of `b` has no value: division by zero");
    assert!(told[1].contains("too large"), "{told:?}");
    assert!(notices.iter().all(|it| it.time == 0.0));
    let wrong = verdict(&found.measures[2], &[f64::NAN]).unwrap();
    assert!(!wrong.ok);
    assert_eq!(wrong.to_string(), "vast: no value, expected 1 ± 1: wrong");
}

#[test]
fn verdicts_look_at_every_component() {
    let text = ball("a", "mass = 2  v = [1, 2, 2]")
        + "world attributes { m = 4 }\n"
        + SIMULATION
        + &measure("energy", &["of = {a}", "value = mass", "expected = 25 / 2", "tolerance = 1e-9"])
        + &measure("momentum", &["of = {a}", "value = v", "expected = m * [1, 0, 0]", "tolerance = 0.5"])
        + &measure("speed", &["of = {a}", "value = norm(v)"]);
    let found = model(&text);
    let [energy, momentum, speed] = found.measures.as_slice() else { panic!("three measures") };
    let say = |measure, scalars: &[f64]| verdict(measure, scalars).unwrap().to_string();
    assert_eq!(say(energy, &[12.5]), "energy: 12.5, expected 12.5 ± 1e-9: ok");
    assert_eq!(say(energy, &[12.0]), "energy: 12, expected 12.5 ± 1e-9: wrong, it misses by 0.5");
    assert!(verdict(momentum, &[4.5, -0.5, 0.5]).unwrap().ok, "the tolerance itself is allowed");
    assert!(!verdict(momentum, &[4.0, 0.0, 0.75]).unwrap().ok);
    assert!(verdict(speed, &[3.0]).is_none(), "nothing is expected");
}

#[test]
fn measures_belong_to_the_simulations_of_all_their_objects() {
    let simulation = |name: &str, lines: &str| {
        format!("simulation {{\n    name = {name}\n    duration = 1\n    {lines}\n}}\n")
    };
    let text = three()
        + &simulation("all", "")
        + &simulation("pair", "objects_involved = {a, b}")
        + &simulation("lonely", "objects_involved = {c}")
        + &measure("two", &["of = {a, b}", "value = mass"])
        + &measure("one", &["of = {c}", "value = mass"])
        + &measure("world", &["value = g"])
        + &measure("tied", &["simulation = pair", "value = g"]);
    let found = model(&text);
    let of = |name| {
        let meter = Meter::new(&found, found.simulation(Some(name)).unwrap(), &Cancel::never());
        meter.names().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("all"), ["one", "two", "world"]);
    assert_eq!(of("pair"), ["tied", "two", "world"]);
    assert_eq!(of("lonely"), ["one", "world"]);
}

#[test]
fn a_measure_sees_attributes_before_functions() {
    // An imported function, a native and an attribute of one name each: the attribute is nearest.
    let text = "import \"lib.vfl\"\n".to_owned()
        + &ball("a", "twice = 5  sine = 2  energy = 11")
        + SIMULATION
        + &measure("energy", &["of = {a}", "value = twice + sine + energy + thrice(1)"]);
    let files = support::Memory(&[("lib.vfl", "twice(x) = 2 * x\nthrice(x) = twice(x) + x\n")]);
    let found = experiment(&files, &text, &[]).1.unwrap();
    assert_eq!(totals(&found), [("energy".to_owned(), vec![21.0])]);
}

#[test]
fn recursion_is_measured_by_the_evaluator() {
    let files = support::Memory(&[("lib.vfl", "factorial(n) = if n < 2 then 1 else n * factorial(n - 1)\n")]);
    let text = "import \"lib.vfl\"\n".to_owned()
        + &ball("a", "n = 5")
        + &ball("b", "n = 3")
        + SIMULATION
        + &measure("m", &["of = {a, b}", "value = factorial(n)"]);
    let found = experiment(&files, &text, &[]).1.unwrap();
    assert_eq!(totals(&found), [("m".to_owned(), vec![126.0])]);
    let meter = Meter::new(&found, &found.simulations[0], &Cancel::never());
    assert_eq!(meter.gauges(0)[0].graph().unwrap_err().reason, "`factorial` calls itself");
}

const FALLING: &str = "context {
    name = falling
    type = free fall
    attributes = {v0}
    compute_first_time_only_attributes = {v0}
    functions = {
        v0 = v
        v = faster(2)
        faster(k) = k * v0
        speed = norm(v)
        momentum = mass * speed * v
        mass = if norm(momentum_before) > 0 then 1 else 2
        momentum_before = v0
    }
}
";

#[test]
fn what_is_recorded() {
    let record = |lines: &str| {
        let simulation = SIMULATION.replace("duration = 10", &format!("duration = 10\n    {lines}"));
        let text = ball("a", "mass = 2  v = [1, 2, 2]")
            + "world attributes { g = 3 }\n"
            + &FALLING.replace("        speed = norm(v)\n        momentum = mass * speed * v\n", "")
            + &measure("energy", &["value = g"])
            + &simulation;
        model(&text).simulations[0].record.clone()
    };
    let names = |names: &[&str]| Record::Names(names.iter().map(|&it| it.to_owned()).collect());
    assert_eq!(record(""), Record::Default);
    assert_eq!(record("record = all"), Record::All);
    assert_eq!(record("record = {all}"), Record::All);
    assert_eq!(record("record = attributes"), Record::Attributes);
    assert_eq!(record("record = v"), names(&["v"]));
    assert_eq!(record("record = {}"), names(&[]));
    let several = record("record = {v, pos, radius, g, v0, momentum_before, energy, t, v}");
    assert_eq!(several, names(&["g", "momentum_before", "pos", "radius", "v", "v0"]));
    let with_helper = record("record = {attributes, momentum_before}");
    assert!(with_helper.has_helper("momentum_before") && with_helper.has_world_attribute("g"));
    assert!(!with_helper.has_context_attribute("v0"));

    let found = model(&(ball("a", "mass = 2") + SIMULATION));
    let object = &found.objects[0];
    assert!(several.has_attribute(object, "position") && several.has_attribute(object, "size"));
    assert!(!several.has_attribute(object, "mass"));
    assert!(Record::Default.has_context_attribute("v0") && !Record::Default.has_helper("h"));
    assert!(Record::All.has_helper("h") && !Record::Attributes.has_context_attribute("v0"));
}

#[test]
fn reports_say_which_contacts_are_proven() {
    let gallery = |name: &str| {
        let text = gedanken_experiment::Files::text(&Gallery, name).unwrap();
        report(&experiment(&Gallery, &text, &[]).1.unwrap())
    };
    let sure = gallery("two_spheres.lab");
    assert!(sure.contacts.iter().all(|it| it.sampled.is_none()) && !sure.contacts.is_empty());
    assert!(sure.to_string().ends_with("\n  all contacts can be proven"), "{sure}");

    let context = |name: &str, role: &str, law: &str| {
        format!(
            "context {{\n    name = {name}\n    type = free fall\n    functions = {{ {law} }}\n    applicability = {{ mandatory {role} }}\n}}\n"
        )
    };
    let text = ball("a", "v = [1, 2, 2]")
        + &ball("b", "v = [1, 2, 2]")
        + &ball("c", "v = [1, 2, 2]")
        + &context(
            "odd",
            "1 dynamic sphere",
            "position = up(3) * v\nup(n) = if n < t then 0 else 1 + up(n - 1)",
        )
        + &context(
            "even",
            "b",
            "v = up(3) * v0\nup(n) = if n < t then 0 else 1 + up(n - 1)\nv0 = [1, 0, 0]\nposition' = v0",
        )
        + SIMULATION;
    let told = report(&model(&text)).to_string();
    let lines: Vec<&str> = told.lines().filter(|it| it.contains("contacts")).collect();
    assert_eq!(
        lines,
        [
            "  contacts of `b` in `even`: proven",
            "  contacts of `a` and `c` in `odd`: sampled, because `up` calls itself"
        ],
        "{told}"
    );
}

#[test]
fn attributes_of_contexts_have_a_fixed_shape() {
    let context = |lines: &str| {
        let context = format!(
            "context {{\n    name = resting\n    type = contact\n    attributes = {{n}}\n    geometric_data_directions = {{[0, 0, 1]}}\n    functions = {{\n{lines}\n}}\n}}\n"
        );
        codes(&(ball("a", "v = [1, 2, 2]") + &context + SIMULATION))
    };
    assert_eq!(context("n = collisionNormalsDirVec1"), ["E734"]);
    assert_eq!(context("n = -(2 * collisionPointsDirVec1)"), ["E734"]);
    assert_eq!(context("n = collisionNormalsDirVec1 # 1"), [""; 0]);
    assert_eq!(context("n = matrixDimension(collisionNormalsDirVec1)"), [""; 0]);
    assert_eq!(
        context("n = all # 1\nall = collisionNormalsDirVec1"),
        [""; 0],
        "a helper may be of any shape"
    );
}

fn book() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md")).unwrap()
}

#[test]
fn the_book_lists_every_key() {
    let page = book();
    for (block, text) in
        [("simulation", "simulation { zzzzzz = 1 }"), ("measure", "measure m { zzzzzz = 1 }")]
    {
        let found = support::said(experiment(&support::Memory(&[]), text, &[]).1);
        let told = found.iter().find(|it| it.code == "E704").unwrap().help.clone().unwrap();
        let keys: Vec<&str> = told.strip_prefix("its keys are ").unwrap().split(", ").collect();
        assert!(keys.len() > 5);
        let table =
            page.split(&format!("| key of `{block}` |")).nth(1).unwrap().split("\n\n").next().unwrap();
        for key in keys {
            assert!(table.contains(&format!("\n| {key} |")), "no row for {key} of a {block}");
        }
    }
}

#[test]
fn the_measure_of_the_book_fits_its_experiment() {
    let page = book();
    let fences: Vec<&str> =
        page.split("```lab\n").skip(1).map(|it| it.split("```").next().unwrap()).collect();
    let with = |start: &str| *fences.iter().find(|it| it.starts_with(start)).unwrap();
    let found = model(&format!("{}{}", with("world attributes"), with("measure energy")));
    let [(_, energy)] = totals(&found).try_into().unwrap();
    assert!(verdict(&found.measures[0], &energy).unwrap().ok, "the energy is expected to stay what it is");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any values, any order of the list: the sum by name.
    #[test]
    fn totals_of_any_values(values in prop::collection::vec(-1e9..1e9_f64, 1..12), turn in 0..12_usize) {
        let name = |k: usize| format!("ball_{k:02}");
        let balls: String = values.iter().enumerate().map(|(k, x)| ball(&name(k), &format!("x = {x:?}"))).collect();
        let mut list: Vec<String> = (0..values.len()).map(name).collect();
        list.rotate_left(turn % values.len());
        let of = format!("of = {{{}}}", list.join(", "));
        let found = model(&(balls + SIMULATION + &measure("m", &[&of, "value = x"])));
        let sum = values.iter().fold(0.0, |sum, x| sum + x);
        prop_assert_eq!(totals(&found)[0].1[0].to_bits(), f64::to_bits(sum));
    }
}
