//! `step dt w` may be replaced by its value anywhere, and a step that fails did not happen.
//!
//! One workflow with everything in it (scratch columns, sums, rules on some components, private memory,
//! nested `par`s, loops, priming, events) is stepped in every way the interface offers; all must pass through
//! the same bits. Then each kind of fault is provoked deep inside nested `par`s, and the run must go on as if
//! nobody had tried. The messages are snapshots: they must lead to the rule, the column, the component, the
//! time and the inputs.

use crate::common::attributes;
use gedanken_dynamics::*;
use gedanken_math::units::{One, Quantity, SECOND};
use insta::assert_snapshot;

attributes! {
    X: Quantity<One>, "x", State;
    Y: Quantity<One>, "y", State;
    Kept: Quantity<One>, "kept", State;
    Bell: bool, "bell", State;
    Push: Quantity<One>, "push", Step;
    Settled: bool, "settled", Step;
}

const STEPS: usize = 25;

fn model() -> Model {
    let components = Components::numbered("b", 5).unwrap();
    Model::new(components).with::<X>().with::<Y>().with::<Kept>().with::<Bell>()
}

fn start(model: &Model) -> State {
    let mut state = model.state();
    for (k, id) in model.components().iter().enumerate() {
        state.set::<X>(id, Quantity::new(0.3 + k as f64)).unwrap();
        state.set::<Y>(id, Quantity::new(1.0 / (1.0 + k as f64))).unwrap();
    }
    state
}

/// Pushes some components towards zero, through a buffer of its own.
fn spring(model: &Model, name: &'static str, stiffness: f64) -> Rule {
    let ids = [model.id(name).unwrap(), model.id("b4").unwrap()];
    let view = (read::<X>(), add_at::<Push>(Rows::only(ids)), memory::<Vec<f64>>());
    Rule::new(name, view, move |_, (x, mut push, memory)| {
        memory.clear();
        memory.extend(ids.iter().map(|id| -stiffness * x[id.row()].si()));
        for (id, f) in ids.iter().zip(memory) {
            *push.at_mut(*id)? = Quantity::new(*f);
        }
        Ok(())
    })
}

/// The workflow with everything in it; `odd` stands in the middle of its nested `par`s.
fn everything(model: &Model, odd: impl Into<Flow>) -> Flow {
    let keep = Rule::new("keep", (read::<X>(), write::<Kept>()), |_, (x, kept)| {
        kept.iter_mut().zip(x).for_each(|(k, x)| *k = *x / 7.0);
    });
    let clear = Rule::new("clear", write::<Push>(), |_, push| push.fill(Quantity::new(0.0)));
    let kick = Rule::new("kick", (read::<Push>(), read::<Kept>(), write::<Y>()), |step, (f, kept, y)| {
        y.iter_mut().zip(f.iter().zip(kept)).for_each(|(y, (f, k))| *y += (*f + *k) * step.h.si());
    });
    let drift = Rule::new("drift", (read::<Y>(), write::<X>()), |step, (y, x)| {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += *y * step.h.si());
    });
    let halve = Rule::new("halve", (write::<Kept>(), write::<Settled>()), |_, (kept, settled)| {
        kept.iter_mut().for_each(|k| *k /= 2.0);
        settled[0] = kept.iter().all(|k| k.si().abs() < 0.4);
    });
    let ring = Rule::event("ring", (read::<X>(), write::<Bell>(), phenomena()), |_, (x, bell, mut out)| {
        for (row, (x, bell)) in x.iter().zip(bell).enumerate() {
            *bell = x.si() > 1.0;
            if *bell && row == 0 {
                out.emit(ComponentId::WORLD, "never");
            }
        }
    });
    let forces =
        par![spring(model, "b0", 0.7), par![spring(model, "b1", 1.3), odd.into(), spring(model, "b2", 0.1)]];
    let drift = Flow::from(drift.advancing()).scaled(0.5);
    seq![
        // What is kept must be what would be computed anew, so it is computed at the end of every step.
        Flow::from(keep.clone()).primed(),
        drift.clone(),
        clear,
        forces,
        kick,
        par![drift, Flow::from(halve).until::<Settled>(60)],
        ring,
        keep
    ]
}

/// A rule that does nothing, twice over the same sum as the springs.
fn harmless(model: &Model) -> Flow {
    (spring(model, "b3", 0.9) >> spring(model, "b3", -0.2)).scaled(0.25)
}

/// The hash at the start and after every step.
fn path(model: &Model, mut advance: impl FnMut(State) -> State) -> Vec<u64> {
    let mut state = start(model);
    let mut hashes = vec![state.hash()];
    for _ in 0..STEPS {
        state = advance(state);
        hashes.push(state.hash());
    }
    hashes
}

#[test]
fn a_step_may_be_replaced_by_its_value_anywhere() {
    let model = model();
    let workflow = everything(&model, harmless(&model)).build(&model).unwrap();
    let h = 0.1 * SECOND;
    let pure = path(&model, |state| workflow.stepped(state, h).unwrap());
    assert_eq!(
        pure.iter().collect::<std::collections::BTreeSet<_>>().len(),
        STEPS + 1,
        "every step changes the hash"
    );

    let mut scratch = workflow.scratch();
    let reused = path(&model, |mut state| {
        workflow.step(&mut state, &mut scratch, h).unwrap();
        state
    });
    assert_eq!(reused, pure, "reused scratch");

    let fresh = path(&model, |mut state| {
        workflow.step(&mut state, &mut workflow.scratch(), h).unwrap();
        state
    });
    assert_eq!(fresh, pure, "fresh scratch");

    // Between any two steps the same scratch works on something else, and states are thrown away and
    // restored.
    let mut aside = start(&model);
    let detours = path(&model, |state| {
        let (snapshot, mut lost) = (state.clone(), state);
        workflow.step(&mut lost, &mut scratch, 0.3 * SECOND).unwrap();
        workflow.step(&mut aside, &mut scratch, 0.01 * SECOND).unwrap();
        let mut state = snapshot.clone();
        workflow.step(&mut state, &mut scratch, h).unwrap();
        assert_eq!(workflow.stepped(snapshot, h).unwrap().hash(), state.hash());
        state
    });
    assert_eq!(detours, pure, "detours");

    let rebuilt = path(&model, |state| {
        everything(&model, harmless(&model)).build(&model).unwrap().stepped(state, h).unwrap()
    });
    assert_eq!(rebuilt, pure, "a workflow built anew");
}

/// Values that are equal as numbers but not as bits, and entries that are missing rather than zero, are told
/// apart.
#[test]
fn the_hash_sees_every_bit() {
    let model = model();
    let b0 = model.id("b0").unwrap();
    let with = |x: f64| {
        let mut state = model.state();
        state.set::<X>(b0, Quantity::new(x)).unwrap();
        state.hash()
    };
    let hashes = [model.state().hash(), with(0.0), with(-0.0), with(1.0), with(1.0 + f64::EPSILON)];
    for (k, a) in hashes.iter().enumerate() {
        assert!(hashes[k + 1..].iter().all(|b| a != b), "{hashes:x?}");
    }
    assert_ne!(model.state().hash(), model.state().at_time(1.0 * SECOND).hash());
}

/// Steps, tries a step of 1 s in the middle, which must fail and leave no trace; returns the fault.
fn provoke(odd: impl Fn(&Model) -> Flow) -> Fault {
    let model = model();
    let workflow = everything(&model, odd(&model)).build(&model).unwrap();
    let undisturbed = path(&model, |state| workflow.stepped(state, 0.1 * SECOND).unwrap());
    let mut scratch = workflow.scratch();
    let mut seen = None;
    let disturbed = path(&model, |mut state| {
        let before = (state.hash(), format!("{state:?}"));
        let fault = workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap_err();
        assert_eq!((state.hash(), format!("{state:?}")), before);
        seen.get_or_insert(fault);
        workflow.step(&mut state, &mut scratch, 0.1 * SECOND).unwrap();
        state
    });
    assert_eq!(disturbed, undisturbed);
    seen.expect("there was at least one step")
}

/// A rule that spoils its columns and is in trouble in steps of 1 s.
fn troubled(trouble: impl Fn() -> Trouble + Send + Sync + 'static) -> Flow {
    let rule = Rule::new("troubled", write::<Y>(), move |step, y| {
        if step.h.si() < 1.0 {
            return Ok(());
        }
        y.fill(Quantity::new(-1e9));
        Err(trouble())
    });
    rule.into()
}

#[test]
fn a_failed_rule_leaves_no_trace() {
    let fault = provoke(|_| troubled(|| Trouble::from("the string broke".to_owned())));
    assert_snapshot!(fault, @"rule 'troubled' failed at t = 0.5 s: the string broke");
}

#[test]
fn a_veto_leaves_no_trace() {
    let fault = provoke(|_| troubled(|| Trouble::Veto(2.5)));
    assert_snapshot!(fault, @"rule 'troubled' vetoed the step at t = 0.5 s: it measured 2.5, where 1 is the limit");
}

#[test]
fn an_undeclared_cell_leaves_no_trace() {
    let fault = provoke(|model| {
        let [mine, not_mine] = ["b0", "b1"].map(|name| model.id(name).unwrap());
        let rule = Rule::new("greedy", write_at::<Y>(Rows::only([mine])), move |step, mut y| {
            *y.at_mut(mine)? += Quantity::new(0.25);
            if step.h.si() == 1.0 { y.at(not_mine).map(drop) } else { Ok(()) }
        });
        rule.into()
    });
    assert_snapshot!(
        fault,
        @"rule 'greedy' asked for y of 'b1', which it did not declare: add the component to the access"
    );
}

#[test]
fn an_unsettled_loop_leaves_no_trace() {
    let fault = provoke(|_| {
        let rule = Rule::new("hesitant", (write::<Bell>(), write::<Y>()), |step, (bell, y)| {
            y.iter_mut().for_each(|y| *y *= 0.99);
            bell[0] = step.h.si() < 1.0;
        });
        Flow::from(rule).until::<Bell>(5)
    });
    assert_snapshot!(fault, @"'hesitant' did not settle within 5 rounds at t = 0.5 s: take a smaller step");
}

#[test]
fn a_value_that_is_not_finite_leaves_no_trace() {
    let fault = provoke(|_| {
        let rule = Rule::new("divide", (read::<X>(), read::<Kept>(), write::<Y>()), |step, (x, _, y)| {
            y[4] = x[4] / (1.0 - step.h.si());
        });
        rule.into()
    });
    assert_snapshot!(fault, @"rule 'divide' made y of 'b3' inf at t = 0.5 s from x = 3.425, kept = 0.4714285714285714");
}

#[test]
fn steps_that_cannot_begin_leave_no_trace() {
    let (here, elsewhere) = (model(), model());
    let workflow = everything(&here, harmless(&here)).build(&here).unwrap();
    let other = everything(&here, harmless(&here)).build(&here).unwrap();
    let h = 0.1 * SECOND;
    let mut attempts: Vec<(State, Scratch, _)> = vec![
        (start(&here), workflow.scratch(), Quantity::new(-0.1)),
        (start(&here).at_time(Quantity::new(f64::INFINITY)), workflow.scratch(), h),
        (start(&elsewhere), workflow.scratch(), h),
        (start(&here), other.scratch(), h),
    ];
    let mut messages = Vec::new();
    for (state, scratch, h) in &mut attempts {
        let before = format!("{state:?}");
        messages.push(workflow.step(state, scratch, *h).unwrap_err().to_string());
        assert_eq!(format!("{state:?}"), before);
    }
    assert_snapshot!(messages.join("\n"), @"
    a step of -0.1 s is not possible: it must be positive and finite
    no step can start at t = inf s: set a finite time with `State::at_time`
    this state belongs to another model than the workflow was built for: take one from `Workflow::model`
    this scratch memory belongs to another workflow: take it from `Workflow::scratch`
    ");
}

mod blame {
    use super::*;

    fn fault(flow: Flow) -> Fault {
        let model = model();
        let workflow = flow.build(&model).unwrap();
        let mut state = start(&model).at_time(2.0 * SECOND);
        let before = state.hash();
        let fault = workflow.step(&mut state, &mut workflow.scratch(), 0.5 * SECOND).unwrap_err();
        assert_eq!(state.hash(), before);
        fault
    }

    fn adds<A: Attribute<Value = Quantity<One>>>(name: &str, value: f64) -> Rule {
        Rule::new(name, (read::<Kept>(), add::<A>()), move |_, (_, a)| a[2] = Quantity::new(value))
    }

    #[test]
    fn the_fields_are_there_for_programs_too() {
        let rule =
            Rule::new("break", (read::<Y>(), write::<X>()), |_, (_, x)| x[3] = Quantity::new(f64::NAN));
        let expected = Fault::NotFinite {
            rule: "break".into(),
            column: "x".into(),
            component: "b2".into(),
            value: "NaN".into(),
            time: 2.0,
            inputs: vec![("y".into(), (1.0_f64 / 3.0).to_string())],
        };
        assert_eq!(fault(rule.into()), expected);
    }

    /// The first rule to make a bad value is to blame, even if it only reached a scratch column at that time.
    #[test]
    fn the_culprit_is_named_not_the_messenger() {
        let clear = Rule::new("clear", write::<Push>(), |_, push| push.fill(Quantity::new(0.0)));
        let root = Rule::new("root", (read::<X>(), add::<Push>()), |_, (x, push)| {
            push.iter_mut().zip(x).for_each(|(p, x)| *p = Quantity::new((1.5 - x.si()).sqrt()));
        });
        let kick = Rule::new("kick", (read::<Push>(), write::<Y>()), |_, (push, y)| y.copy_from_slice(push));
        let pass = Rule::new("pass", (), |_, ()| {}).advancing();
        assert_snapshot!(
            fault(Flow::from(pass).scaled(0.5) >> clear >> par![root, adds::<Y>("beside", 0.1)] >> kick),
            @"rule 'root' made push of 'b2' NaN at t = 2.25 s from x = 2.3"
        );
    }

    /// Every summand is finite, their sum is not: it used to enter the state.
    #[test]
    fn a_sum_that_overflows_is_a_fault() {
        let huge = |name: &str| adds::<X>(name, f64::MAX);
        assert_snapshot!(fault(huge("first") >> huge("second")), @"rule 'second' made x of 'b1' inf at t = 2 s from kept = 0");
        assert_snapshot!(fault(huge("first") | huge("second")), @"rule 'second' made x of 'b1' inf at t = 2 s from kept = 0");
        assert_snapshot!(fault(huge("amplified").with_gain(2.0).into()), @"rule 'amplified' made x of 'b1' inf at t = 2 s from kept = 0");
    }

    /// Inputs are shown as far as the rule declared them.
    #[test]
    fn only_declared_inputs_are_shown() {
        let model = model();
        let [b0, b1] = ["b0", "b1"].map(|name| model.id(name).unwrap());
        let view = (read_at::<Y>(Rows::only([b0])), read::<Kept>(), write_at::<X>(Rows::only([b1])));
        let rule = Rule::new("break", view, move |_, (_, _, mut x)| {
            *x.at_mut(b1)? = Quantity::new(f64::INFINITY);
            Ok(())
        });
        let workflow = Flow::from(rule).build(&model).unwrap();
        let fault = workflow.stepped(start(&model), 0.5 * SECOND).unwrap_err();
        assert_snapshot!(fault, @"rule 'break' made x of 'b1' inf at t = 0 s from kept = 0");
    }

    /// A bad value that a later rule of the same step replaces never reaches the state.
    #[test]
    fn what_is_mended_within_the_step_is_no_fault() {
        let model = model();
        let spoil = Rule::new("spoil", write::<X>(), |_, x| x.fill(Quantity::new(f64::NAN)));
        let mend = Rule::new("mend", write::<X>(), |_, x| x.fill(Quantity::new(1.0)));
        let later = (spoil >> mend).build(&model).unwrap().stepped(start(&model), 1.0 * SECOND).unwrap();
        assert!(later.all::<X>().unwrap().iter().all(|x| x.si() == 1.0));
    }
}

/// A panic in a rule is a bug in that rule. Whoever catches it finds the state as it was, and the scratch
/// given up.
#[test]
fn a_panicking_rule_costs_the_scratch_and_not_the_state() {
    let model =
        Model::new(Components::atoms(["a"]).unwrap()).with::<Position<OneD>>().with::<Velocity<OneD>>();
    let mut state = model.state();
    state.set::<Position<OneD>>(model.id("a").unwrap(), Quantity::new(3.0)).unwrap();
    let spoil = Rule::new("spoil", (write::<Velocity<OneD>>(),), |_, (v,)| v.fill(Quantity::new(1.0)));
    let panics = Rule::new("panics", (write::<Position<OneD>>(),), |_, (r,)| {
        r.fill(Quantity::new(9.0));
        assert!(r.is_empty(), "a bug in a rule");
    });
    let workflow = (spoil | panics).build(&model).unwrap();
    let mut scratch = workflow.scratch();
    let before = state.hash();
    let step =
        std::panic::AssertUnwindSafe(|| workflow.step(&mut state, &mut scratch, 1.0 * SECOND).map(|_| ()));
    assert!(std::panic::catch_unwind(step).is_err());
    assert_eq!(state.hash(), before);
    assert_eq!(workflow.step(&mut state, &mut scratch, 1.0 * SECOND), Err(Fault::ForeignScratch));
}

/// What one workflow keeps is not taken for another's: leapfrog between two Verlet steps, against fresh
/// states.
#[test]
fn kept_values_belong_to_the_workflow_that_kept_them() {
    let (verlet, leapfrog) = (&integrate::VELOCITY_VERLET, &integrate::LEAPFROG_DKD);
    let (mut a, mut state) = scenes::figure_eight().prepare(verlet).unwrap();
    let laws = scenes::figure_eight().laws;
    let mut b = leapfrog.prepare(&Mechanics::new(state.model(), laws).unwrap()).unwrap();
    for _ in 0..3 {
        a.step(&mut state, 0.01 * SECOND).unwrap();
        b.step(&mut state, 0.01 * SECOND).unwrap();
        // Onto its own model: the same values, and nobody's.
        let mut fresh = state.onto(state.model());
        a.step(&mut state, 0.01 * SECOND).unwrap();
        a.step(&mut fresh, 0.01 * SECOND).unwrap();
        assert_eq!(state.hash(), fresh.hash());
    }
}
