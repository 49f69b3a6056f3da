//! Event rules and ticks: each sequential event rule is one tick, numeric rules take none, and branches of a
//! `par` tick together.
//!
//! The one-tick hysteresis sensor is a `seq` of two event rules: one raises a flag on penetration, the other
//! clears it a tick later. In between, and only there, other rules see the flag. What rules announce comes
//! back stamped with tick, time, component and rule, in an order that does not depend on the threads.

#[expect(dead_code, reason = "the example's `main` only prints the table that is tested here")]
#[path = "../../examples/hysteresis_sensor.rs"]
mod hysteresis_sensor;

use crate::common::attributes;
use gedanken_dynamics::*;
use gedanken_math::units::{METRE, One, Quantity, SECOND};
use insta::assert_snapshot;

attributes! {
    OnGround: bool, "on_ground", State;
    Witnessed: Quantity<One>, "witnessed", State;
}

fn model() -> Model {
    let components = Components::atoms(["ball", "cube", "floor"]).unwrap();
    Model::new(components).with::<Position<OneD>>().with::<OnGround>().with::<Witnessed>()
}

fn at_heights(model: &Model, ball: f64, cube: f64) -> State {
    let mut state = model.state();
    state.set::<Position<OneD>>(model.id("ball").unwrap(), ball * METRE).unwrap();
    state.set::<Position<OneD>>(model.id("cube").unwrap(), cube * METRE).unwrap();
    state
}

/// Raises the flag of `body` while it is below the floor.
fn set(model: &Model, body: &'static str, cost: f64) -> Rule {
    let (id, rows) = (model.id(body).unwrap(), model.rows([body]).unwrap());
    let view = (read::<Position<OneD>>(), write_at::<OnGround>(rows), phenomena());
    let rule = Rule::event(format!("{body}: set"), view, move |_, (height, mut flag, mut out)| {
        if height[id.row()].si() < 0.0 {
            *flag.at_mut(id)? = true;
            out.emit(id, "touched down");
        }
        Ok(())
    });
    rule.with_cost(cost)
}

/// Clears the flag of `body`, whatever happened.
fn clear(model: &Model, body: &'static str) -> Rule {
    let (id, rows) = (model.id(body).unwrap(), model.rows([body]).unwrap());
    Rule::event(
        format!("{body}: clear"),
        (write_at::<OnGround>(rows), phenomena()),
        move |_, (mut flag, mut out)| {
            if std::mem::take(flag.at_mut(id)?) {
                out.emit(id, "cleared");
            }
            Ok(())
        },
    )
}

/// Counts the ticks at which the flag of `body` is seen raised. It takes no tick itself.
fn witness(model: &Model, body: &'static str) -> Rule {
    let (id, rows) = (model.id(body).unwrap(), model.rows([body]).unwrap());
    let view = (read_at::<OnGround>(rows.clone()), write_at::<Witnessed>(rows));
    Rule::new(format!("{body}: witness"), view, move |_, (flag, mut seen)| {
        if flag.at(id)? {
            *seen.at_mut(id)? += Quantity::new(1.0);
        }
        Ok(())
    })
}

/// The sensor with witnesses before, between and after its two rules.
fn sensor(model: &Model, body: &'static str, cost: f64) -> Flow {
    let look = || witness(model, body);
    seq![look(), set(model, body, cost), look(), clear(model, body), look()]
}

#[test]
fn the_flag_is_up_for_exactly_one_tick() {
    let model = model();
    let [ball, cube] = ["ball", "cube"].map(|name| model.id(name).unwrap());
    let workflow = sensor(&model, "ball", 1.0).build(&model).unwrap();
    let mut scratch = workflow.scratch();
    for (height, seen) in [(-0.1, 1.0), (0.1, 0.0)] {
        let mut state = at_heights(&model, height, -1.0);
        let report = workflow.step(&mut state, &mut scratch, 0.5 * SECOND).unwrap();
        assert_eq!(report.ticks, 2);
        assert_eq!(state.tick(), 2);
        assert_eq!(state.get::<Witnessed>(ball).unwrap().si(), seen, "at height {height}");
        assert!(!state.get::<OnGround>(ball).unwrap());
        assert!(!state.has::<OnGround>(cube).unwrap(), "nobody looked at the cube");
    }
}

#[test]
fn numeric_rules_take_no_tick_and_branches_tick_together() {
    let model = model();
    let idle = || Rule::new("idle", (), |_, ()| {});
    let tick = |name: &'static str| Rule::event(name, (), |_, ()| {});
    let ticks = |flow: Flow| {
        let workflow = flow.build(&model).unwrap();
        let later = workflow.stepped(at_heights(&model, 1.0, 1.0), 1.0 * SECOND).unwrap();
        workflow.stepped(later, 1.0 * SECOND).unwrap().tick()
    };
    assert_eq!(ticks(idle() >> idle()), 0);
    assert_eq!(ticks(tick("a") >> idle() >> tick("b")), 2 * 2);
    assert_eq!(ticks(tick("a") | tick("b")), 2);
    assert_eq!(ticks((tick("a") >> tick("b") >> tick("c")) | tick("d")), 2 * 3);
    assert_eq!(ticks((tick("a") | (tick("b") >> tick("c"))) >> tick("d")), 2 * 3);
    assert_eq!(ticks(Flow::from(tick("a")).repeated(5)), 2 * 5);
    assert_eq!(
        ticks(Flow::from(tick("a")).primed() >> tick("b")),
        2 + 1,
        "priming happens in the first step only"
    );
}

/// Rules see the tick at which they run.
#[test]
fn every_rule_sees_its_tick() {
    let model = model();
    let note = |name: &'static str| {
        let id = model.id(name).unwrap();
        Rule::event(name, add_at::<Witnessed>(Rows::only([id])), move |step, mut seen| {
            *seen.at_mut(id)? = Quantity::new(step.tick as f64);
            Ok(())
        })
    };
    let flow = note("ball") >> (note("cube") | note("floor")) >> note("floor");
    let workflow = flow.build(&model).unwrap();
    let once = workflow.stepped(model.state(), 1.0 * SECOND).unwrap();
    let seen = |state: &State| {
        ["ball", "cube", "floor"].map(|n| state.get::<Witnessed>(model.id(n).unwrap()).unwrap().si())
    };
    assert_eq!(seen(&once), [0.0, 1.0, 1.0 + 2.0]);
    let twice = workflow.stepped(once, 1.0 * SECOND).unwrap();
    assert_eq!(seen(&twice), [3.0, 1.0 + 4.0, 3.0 + 4.0 + 5.0]);
}

fn announced(model: &Model, threads: usize, cost: f64) -> Vec<String> {
    let both = par![sensor(model, "ball", cost), sensor(model, "cube", cost)];
    let drift = Rule::new("sink", write::<Position<OneD>>(), |step, r| {
        r.iter_mut().for_each(|r| *r += -1.0 * METRE / SECOND * step.h);
    });
    let workflow = (drift.advancing() >> both).build(model).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (mut state, mut scratch) = (at_heights(model, 0.3, 0.6), workflow.scratch());
    let mut lines = Vec::new();
    for _ in 0..4 {
        let report = pool.install(|| workflow.step(&mut state, &mut scratch, 0.25 * SECOND)).unwrap();
        for Phenomenon { tick, time, rule, component, name } in report.phenomena {
            lines.push(format!(
                "tick {tick}, t = {time} s: {} {name} ({rule})",
                model.components().name(*component)
            ));
        }
    }
    lines
}

#[test]
fn phenomena_are_stamped_and_ordered_whatever_the_threads() {
    let model = model();
    let lines = announced(&model, 1, 1.0);
    assert_snapshot!(lines.join("\n"), @"
    tick 2, t = 0.5 s: ball touched down (ball: set)
    tick 3, t = 0.5 s: ball cleared (ball: clear)
    tick 4, t = 0.75 s: ball touched down (ball: set)
    tick 4, t = 0.75 s: cube touched down (cube: set)
    tick 5, t = 0.75 s: ball cleared (ball: clear)
    tick 5, t = 0.75 s: cube cleared (cube: clear)
    tick 6, t = 1 s: ball touched down (ball: set)
    tick 6, t = 1 s: cube touched down (cube: set)
    tick 7, t = 1 s: ball cleared (ball: clear)
    tick 7, t = 1 s: cube cleared (cube: clear)
    ");
    // The cost makes the `par` worth two threads.
    for threads in [1, 2] {
        assert_eq!(announced(&model, threads, 1e6), lines, "{threads} threads");
    }
}

#[test]
fn a_step_that_fails_announces_nothing_later() {
    let model = model();
    let fail = Rule::new("fail", (), |step, ()| {
        if step.h.si() > 1.0 { Err(Trouble::from("too long".to_owned())) } else { Ok(()) }
    });
    let workflow = (set(&model, "ball", 1.0) >> fail).build(&model).unwrap();
    let (mut state, mut scratch) = (at_heights(&model, -1.0, 1.0), workflow.scratch());
    workflow.step(&mut state, &mut scratch, 2.0 * SECOND).unwrap_err();
    assert_eq!(state.tick(), 0);
    let report = workflow.step(&mut state, &mut scratch, 0.5 * SECOND).unwrap();
    assert_eq!(report.phenomena.len(), 1);
    assert_eq!((report.phenomena[0].tick, report.phenomena[0].time), (0, 0.0));
}

#[test]
fn two_sensors_on_one_flag_clash() {
    let model = model();
    let clash = par![set(&model, "ball", 1.0), clear(&model, "ball")].build(&model).unwrap_err();
    assert_snapshot!(clash, @"
    rules in a `par` clash:
      'ball: set' writes and 'ball: clear' writes on_ground of 'ball': put them in a `seq`, or give them disjoint components
    ");
}

#[test]
fn the_example_bounces() {
    let table = hysteresis_sensor::table().unwrap();
    // Until the floor, n steps of h fall by g h² n(n+1)/2.
    for (n, line) in (1..=4).zip(table.lines().skip(1)) {
        let height = 1.5 - 10.0 * 0.125 * 0.125 * f64::from(n * (n + 1)) / 2.0;
        assert!(line.contains(&format!("{height:.5}")), "{line}");
        assert_eq!(line.contains("touched"), height < 0.0, "{line}");
    }
    assert_snapshot!(table, @"
    t (s)   tick   height (m)
    0.125      2      1.34375
    0.250      4      1.03125
    0.375      6      0.56250
    0.500      8     -0.06250   touched the floor at tick 7
    0.625     10      0.40625
    0.750     12      0.71875
    0.875     14      0.87500
    1.000     16      0.87500
    1.125     18      0.71875
    1.250     20      0.40625
    ");
}
