//! Rules: the objects that they are evaluated for, the state that they see, and what they share with the
//! world.

use super::run::{ball, run, run_with, simulation, usual, value};
use crate::support::model;
use gedanken_lab::Stop;
use gedanken_lang::diagnostic::{Style, render};

const ONCE: &str = "duration = 1\n frame rate = 1";

/// All objects are evaluated from the same state: three that look at one another's values change places at
/// once.
#[test]
fn everything_is_looked_at_before_anything_is_set() {
    let text = ball("a", "x = 1")
        + &ball("b", "x = 2")
        + "rule swap_a { of = {a}  writes = {x}  aliases = { use other as attribute x of object b }  functions = { x = other } }
           rule all { writes = {x}  aliases = { use first as attribute x of object a }  functions = { x = previous(x) + 10 * first } }\n";
    // `swap_a` writes x of a and looks at x of b; `all` writes both and looks at the old value of a.
    let recording = run(&(text.clone() + &simulation("seq(swap_a, all)", ONCE)));
    assert_eq!(value(&recording, 1, "a", "x"), [22.0]);
    assert_eq!(value(&recording, 1, "b", "x"), [22.0]);
    let recording = run(&(text + &simulation("seq(all, swap_a)", ONCE)));
    assert_eq!(value(&recording, 1, "a", "x"), [12.0]);
    assert_eq!(value(&recording, 1, "b", "x"), [12.0]);
}

/// Writing here and looking there is not in the way of others who look there, nor who write elsewhere.
#[test]
fn looking_at_another_object_is_only_looking() {
    let rule = |name: &str| {
        format!(
            "rule to_{name} {{ of = {{{name}}}  writes = {{x}}  aliases = {{ use c as attribute x of object c }}  functions = {{ x = previous(x) + c }} }}\n"
        )
    };
    let text = ball("a", "x = 1") + &ball("b", "x = 2") + &ball("c", "x = 4") + &rule("a") + &rule("b");
    let recording = run(&(text + &simulation("par(to_a, to_b)", ONCE)));
    assert_eq!(value(&recording, 1, "a", "x"), [5.0]);
    assert_eq!(value(&recording, 1, "b", "x"), [6.0]);
}

/// Objects add up in the world, in any number of rules side by side; booleans and matrices are attributes
/// like others.
#[test]
fn the_world_takes_sums_and_has_rules_of_its_own() {
    let text = "world attributes { total = 0  count = 0  done = false  m = [[1, 2], [3, 4]] }\n".to_owned()
        + &ball("a", "x = 1")
        + &ball("b", "x = 2")
        + &ball("c", "y = 4")
        + "rule clear { writes = {total}  functions = { total = 0 } }
           rule of_x { reads = {x}  adds = {total}  functions = { total = x } }
           rule of_y { reads = {y}  adds = {total}  functions = { total = 10 * y } }
           rule turn { writes = {m, count, done}  functions = { m = matrixTranspose(previous(m))  count = previous(count) + 1  done = count >= 2 } }\n"
        + &simulation("seq(par(clear, turn), par(of_x, of_y))", "duration = 2\n frame rate = 1");
    let recording = run(&text);
    for frame in [1, 2] {
        assert_eq!(value(&recording, frame, "", "total"), [43.0]);
        assert_eq!(value(&recording, frame, "", "count"), [frame as f64]);
        assert_eq!(value(&recording, frame, "", "done"), [if frame == 2 { 1.0 } else { 0.0 }]);
    }
    assert_eq!(value(&recording, 1, "", "m"), [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(value(&recording, 2, "", "m"), [1.0, 2.0, 3.0, 4.0]);
    // What no rule changes is no column.
    let constants: Vec<&str> = recording.schema.constants.iter().map(|it| it.name.as_str()).collect();
    assert!(constants.contains(&"x") && constants.contains(&"position"), "{constants:?}");
}

/// A sphere's size is a real and a cuboid's a vector: one rule, two programs, one evaluation.
#[test]
fn a_rule_is_checked_for_every_signature() {
    let text = ball("round", "k = 2")
        + "object { name = square  physical type = dynamic  geometrical type = cuboid
               attributes = { position = [0, 0, 0]  size = [1, 2, 3]  k = 3 } }
           rule grow { reads = {k}  writes = {size}  functions = { size = k * previous(size) } }\n"
        + &simulation("grow", ONCE);
    let recording = run(&text);
    assert_eq!(value(&recording, 1, "round", "size"), [2.0]);
    assert_eq!(value(&recording, 1, "square", "size"), [3.0, 6.0, 9.0]);
}

/// `t` is the time of the state that a rule sees: the clock moves on after the rule that says so.
#[test]
fn the_clock_moves_with_the_rule_that_advances_it() {
    let text = ball("a", "early = 0\n late = 0\n half = 0")
        + "rule look_early { writes = {early}  functions = { early = t } }
           rule first { writes = {position}  functions = { position = previous(position) }  advances = 0.5 }
           rule look_half { writes = {half}  functions = { half = t } }
           rule look_late { writes = {late}  functions = { late = t } }\n"
        + &simulation(
            "seq(look_early, first, look_half, first, look_late)",
            "duration = 1\n initial time = 3\n frame rate = 2",
        );
    let recording = run(&text);
    let all = |frame| ["early", "half", "late"].map(|name| value(&recording, frame, "a", name)[0]);
    assert_eq!(all(1), [3.0, 3.25, 3.5]);
    assert_eq!(all(2), [3.5, 3.75, 4.0]);
}

/// Recursion has no fixed form: the evaluator runs it, with the same meaning.
#[test]
fn laws_that_recurse_are_evaluated() {
    let text = ball("a", "n = 0\n sum = 0")
        + "rule next { writes = {n}  functions = { n = previous(n) + 1 } }
           rule gauss { reads = {n}  writes = {sum}  functions = { sum = up_to(n)  up_to(k) = if k <= 0 then 0 else k + up_to(k - 1) } }\n"
        + &simulation("seq(next, gauss)", "duration = 10\n frame rate = 1");
    let recording = run(&text);
    for frame in 1..=10 {
        let n = frame as f64;
        assert_eq!(value(&recording, frame, "a", "sum"), [n * (n + 1.0) / 2.0]);
    }
}

/// Message when the run of a text stops, and the number of frames until then.
fn stops(text: &str) -> (String, usize) {
    let (sources, experiment) = crate::support::experiment(&crate::support::Memory(&[]), text, &[]);
    let experiment = experiment.unwrap();
    let (recording, ended) = run_with(&experiment, usual());
    match ended {
        Err(Stop::Experiment(diagnostic)) => {
            (render(&[*diagnostic], &sources, Style::Plain), recording.frames())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failing_law_stops_the_run_and_says_everything() {
    let text = ball("a", "x = 3\n w = 1")
        + &ball("b", "x = 2\n w = 1")
        + "rule count { writes = {x}  functions = { x = previous(x) - 1 } }
rule invert {
    reads = {x}
    writes = {w}
    functions = {
        w = 1 / x
    }
}\n" + &simulation("seq(count, invert)", "duration = 5\n frame rate = 1");
    let (said, frames) = stops(&text);
    // b comes to zero in the second step; frames 0 and 1 are kept.
    assert_eq!(frames, 2);
    insta::assert_snapshot!(said);
}

#[test]
fn a_sum_beyond_all_numbers_stops_the_run() {
    let text = ball("a", "x = 0")
        + "rule grow {
    adds = {x}
    functions = {
        x = 1e308
    }
}\n" + &simulation("grow", "duration = 5\n frame rate = 1");
    let (said, frames) = stops(&text);
    assert_eq!(frames, 2);
    insta::assert_snapshot!(said);
}

/// After a stop the state is as it was before the step, and asking again gives the same answer.
#[test]
fn a_stopped_run_stays_where_it_was() {
    let text = ball("a", "x = 1")
        + "rule halve { writes = {x}  functions = { x = sqrt(previous(x) - 0.5) } }\n"
        + &simulation("halve", "duration = 9\n frame rate = 1");
    let experiment = model(&text);
    let mut run = gedanken_lab::Run::new(&experiment, &experiment.simulations[0], usual()).unwrap();
    let mut recording = gedanken_recording::Recording::new(run.schema().clone());
    let first = loop {
        match run.advance(&mut recording) {
            Ok(more) => assert!(more),
            Err(stop) => break stop.to_string(),
        }
    };
    let frames = recording.frames();
    assert_eq!(run.advance(&mut recording).unwrap_err().to_string(), first);
    assert_eq!(recording.frames(), frames);
    assert_eq!(run.frame(), Some(frames as u64 - 1));
}
