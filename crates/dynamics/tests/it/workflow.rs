//! What a workflow means: the order of things, the share of the step each rule gets, and the time it sees.
//!
//! The rules here are single lines of arithmetic, so every expected value is worked out by hand or by a loop
//! of the test's own. Numbers are chosen to be exact in binary wherever a test compares with `==`.

use crate::common::attributes;
use gedanken_dynamics::*;
use gedanken_math::units::{METRE, One, Quantity, SECOND};
use insta::assert_snapshot;

attributes! {
    X: Quantity<One>, "x", State;
    Y: Quantity<One>, "y", State;
    Z: Quantity<One>, "z", State;
    Seen: Quantity<One>, "seen", State;
    Settled: bool, "settled", State;
    Done: bool, "done", Step;
    Draft: Quantity<One>, "draft", Step;
}

fn model() -> Model {
    let components = Components::atoms(["a", "b", "c"]).unwrap();
    Model::new(components).with::<X>().with::<Y>().with::<Z>().with::<Seen>().with::<Settled>()
}

/// x = 3, 5, 7 and the other columns empty.
fn start(model: &Model) -> State {
    let mut state = model.state();
    for (id, x) in model.components().iter().zip([3.0, 5.0, 7.0]) {
        state.set::<X>(id, Quantity::new(x)).unwrap();
    }
    state
}

/// A rule that changes every value of one column.
fn each<A: Attribute<Value = Quantity<One>>>(
    name: &str,
    change: impl Fn(f64, Step) -> f64 + Send + Sync + 'static,
) -> Rule {
    Rule::new(name, write::<A>(), move |step, x| {
        x.iter_mut().for_each(|x| *x = Quantity::new(change(x.si(), step)));
    })
}

fn double() -> Rule {
    each::<X>("double", |x, _| 2.0 * x)
}

fn increment() -> Rule {
    each::<X>("increment", |x, _| x + 1.0)
}

/// `A` = the time the rule sees.
fn clock<A: Attribute<Value = Quantity<One>>>() -> Rule {
    each::<A>("clock", |_, step| step.t.si())
}

/// A rule that does nothing but move the clock.
fn pass() -> Flow {
    Rule::new("pass", (), |_, ()| {}).advancing().into()
}

fn run(flow: impl Into<Flow>, model: &Model, state: State, h: f64) -> State {
    let later = flow.into().build(model).unwrap().stepped(state, h * SECOND).unwrap();
    later.validate().unwrap();
    later
}

fn value<A: Attribute<Value = Quantity<One>>>(state: &State, name: &str) -> f64 {
    state.get::<A>(state.model().id(name).unwrap()).unwrap().si()
}

#[test]
fn seq_feeds_forward() {
    let model = model();
    assert_eq!(value::<X>(&run(double() >> increment(), &model, start(&model), 1.0), "a"), 7.0);
    assert_eq!(value::<X>(&run(increment() >> double(), &model, start(&model), 1.0), "a"), 8.0);
}

#[test]
fn the_branches_of_a_par_read_the_same_input() {
    let model = model();
    let copy_x_to_y = Rule::new("y", (read::<X>(), write::<Y>()), |_, (x, y)| y.copy_from_slice(x));
    let copy_x_to_z = Rule::new("z", (read::<X>(), write::<Z>()), |_, (x, z)| z.copy_from_slice(x));
    let (a, b) = (model.rows(["a"]).unwrap(), model.rows(["b"]).unwrap());
    let id = model.id("a").unwrap();
    let alone = Rule::new("alone", write_at::<Seen>(a), move |_, mut s| {
        *s.at_mut(id)? += Quantity::new(1.0);
        Ok(())
    });
    let id = model.id("b").unwrap();
    let other = Rule::new("other", write_at::<Seen>(b), move |_, mut s| {
        *s.at_mut(id)? += Quantity::new(10.0);
        Ok(())
    });
    let flow = par![
        seq![copy_x_to_y, each::<Y>("spoil", |y, _| y + 100.0), Flow::from(alone).repeated(3)],
        seq![copy_x_to_z, Flow::from(other).repeated(2)],
    ];
    let later = run(flow, &model, start(&model), 1.0);
    assert_eq!(["a", "b", "c"].map(|n| value::<Y>(&later, n)), [103.0, 105.0, 107.0]);
    assert_eq!(["a", "b", "c"].map(|n| value::<Z>(&later, n)), [3.0, 5.0, 7.0]);
    assert_eq!(["a", "b", "c"].map(|n| value::<Seen>(&later, n)), [3.0, 20.0, 0.0]);
}

/// The plan as the builder made it: columns, owners and all.
fn plan(flow: &Flow, model: &Model) -> String {
    format!("{:?}", flow.build(model).unwrap())
}

#[test]
fn operators_macros_and_builder_make_the_same_plan() {
    let model = model();
    let [a, b, c, d] = [
        each::<X>("a", |x, _| 0.3 * x),
        each::<Y>("b", |y, _| y + 0.1),
        each::<Z>("c", |z, _| z - 0.7),
        each::<X>("d", |x, _| x / 3.0),
    ];
    let operators = a.clone() >> (b.clone() | c.clone()) >> d.clone();
    let macros = seq![a.clone(), par![b.clone(), c.clone()], d.clone()];
    let builder = Flow::seq([Flow::from(a), Flow::par([b, c]), Flow::from(d)]);
    for flow in [&macros, &builder] {
        assert_eq!(flow.to_string(), operators.to_string());
        assert_eq!(plan(flow, &model), plan(&operators, &model));
        let hash = |flow: &Flow| run(flow.clone(), &model, start(&model), 1.0).hash();
        assert_eq!(hash(flow), hash(&operators));
    }
    assert_eq!(macros.rules().iter().map(|r| &**r.name()).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
}

#[test]
fn a_flow_prints_in_the_notation_of_the_operators() {
    let rule = |name: &str| Flow::from(each::<X>(name, |x, _| x));
    let leapfrog = rule("drift").scaled(0.5) >> (rule("gravity") | rule("drag")) >> rule("drift").scaled(0.5);
    assert_snapshot!(leapfrog, @"drift·0.5 >> (gravity | drag) >> drift·0.5");
    assert_snapshot!(leapfrog.clone().scaled(2.0).repeated(3), @"3 × (drift·0.5 >> (gravity | drag) >> drift·0.5)·2");
    assert_snapshot!((rule("a") >> rule("b")) | rule("c").primed(), @"(a >> b) | c?");
    assert_snapshot!((rule("guess") >> rule("correct")).until::<Settled>(9), @"(guess >> correct) until settled");
    assert_snapshot!(Flow::par([rule("only")]) >> rule("then"), @"only >> then");
    assert_snapshot!(seq![], @"()");
    assert_snapshot!(
        Rule::new("kick", (read::<X>(), add_at::<Y>(model().rows(["a", "b"]).unwrap())), |_, _| {}),
        @"kick: reads x, adds to y of 2"
    );
}

#[test]
fn nested_fractions_multiply() {
    let model = model();
    let share = || Flow::from(each::<Seen>("share", |_, step| step.h.si()));
    let seen = |flow: Flow| value::<Seen>(&run(flow, &model, start(&model), 8.0), "a");
    assert_eq!(seen(share()), 8.0);
    assert_eq!(seen(share().scaled(0.5)), 4.0);
    assert_eq!(seen(seq![share().scaled(0.5)].scaled(0.25)), 1.0);
    assert_eq!(seen(par![share().scaled(-0.5)].scaled(0.5).repeated(3)), -2.0);
}

/// Under a constant acceleration, drift·½ >> kick >> drift·½ is exact: r = v₀h + ½ah².
#[test]
fn a_leapfrog_of_scaled_drifts_follows_the_parabola() {
    let model =
        Model::new(Components::atoms(["ball"]).unwrap()).with::<Position<OneD>>().with::<Velocity<OneD>>();
    let drift = Rule::new("drift", (read::<Velocity<OneD>>(), write::<Position<OneD>>()), |step, (v, r)| {
        r.iter_mut().zip(v).for_each(|(r, v)| *r += *v * step.h);
    });
    let drift = Flow::from(drift.advancing()).scaled(0.5);
    let a = -10.0 * METRE / (SECOND * SECOND);
    let kick = Rule::new("kick", write::<Velocity<OneD>>(), move |step, v| {
        v.iter_mut().for_each(|v| *v += a * step.h)
    });
    let ball = model.id("ball").unwrap();
    let mut state = model.state();
    state.set::<Velocity<OneD>>(ball, 20.0 * METRE / SECOND).unwrap();
    state.set::<Position<OneD>>(ball, 0.0 * METRE).unwrap();
    let later = run(drift.clone() >> kick >> drift, &model, state, 0.5);
    assert_eq!(later.get::<Position<OneD>>(ball).unwrap(), 8.75 * METRE);
    assert_eq!(later.get::<Velocity<OneD>>(ball).unwrap(), 15.0 * METRE / SECOND);
    assert_eq!(later.time(), 0.5 * SECOND);
}

mod time {
    use super::*;

    fn state_at(t: f64, model: &Model) -> State {
        start(model).at_time(t * SECOND)
    }

    fn seen<A: Attribute<Value = Quantity<One>>>(flow: Flow, h: f64) -> f64 {
        let model = model();
        value::<A>(&run(flow, &model, state_at(2.0, &model), h), "a")
    }

    #[test]
    fn rules_after_an_advancing_one_see_its_end() {
        let flow =
            || clock::<X>() >> pass().scaled(0.5) >> clock::<Y>() >> pass().scaled(0.5) >> clock::<Z>();
        assert_eq!(seen::<X>(flow(), 4.0), 2.0);
        assert_eq!(seen::<Y>(flow(), 4.0), 4.0);
        assert_eq!(seen::<Z>(flow(), 4.0), 6.0);
    }

    #[test]
    fn a_rule_that_does_not_advance_leaves_the_clock() {
        assert_eq!(seen::<Y>(double() >> clock::<Y>(), 4.0), 2.0);
    }

    #[test]
    fn every_round_of_a_loop_starts_where_the_last_one_ended() {
        let sum = each::<Y>("sum of times", |y, step| y + step.t.si());
        let rounds = (pass().scaled(0.25) >> sum).repeated(4);
        assert_eq!(seen::<Y>(rounds.clone(), 4.0), 3.0 + 4.0 + 5.0 + 6.0);
        assert_eq!(seen::<Z>(rounds >> clock::<Z>(), 4.0), 6.0);
    }

    #[test]
    fn branches_start_together_and_the_longest_tells() {
        let left = pass().scaled(0.25) >> clock::<X>();
        let right = clock::<Y>() >> pass().scaled(0.5);
        let flow = || (left.clone() | right.clone()) >> clock::<Z>();
        assert_eq!(seen::<X>(flow(), 4.0), 3.0);
        assert_eq!(seen::<Y>(flow(), 4.0), 2.0);
        assert_eq!(seen::<Z>(flow(), 4.0), 4.0);
    }

    /// Methods of high order step back for a while; the branch that does so tells, not the one that stands
    /// still.
    #[test]
    fn a_branch_may_move_the_clock_backwards() {
        for flow in [pass().scaled(-0.25) | double(), double() | pass().scaled(-0.25)] {
            assert_eq!(seen::<Z>(flow >> clock::<Z>(), 4.0), 1.0);
        }
    }

    /// 0.1 + (0.2 + 0.3) and (0.1 + 0.2) + 0.3 differ in the last bit; a rule must not see how a `seq` was
    /// nested.
    #[test]
    fn seq_is_associative_to_the_bit() {
        let [a, b, c] = [0.1, 0.2, 0.3].map(|fraction| pass().scaled(fraction));
        let flat = seen::<Z>(seq![a.clone(), b.clone(), c.clone(), clock::<Z>()], 0.7);
        assert_eq!(flat, 2.0 + ((0.1 * 0.7 / 0.7 + 0.2 * 0.7 / 0.7) + 0.3 * 0.7 / 0.7) * 0.7);
        assert_eq!(seen::<Z>(a.clone() >> (b.clone() >> (c.clone() >> clock::<Z>())), 0.7), flat);
        assert_eq!(seen::<Z>(seq![a, seq![b, c], clock::<Z>()], 0.7), flat);
    }

    #[test]
    fn evaluating_lets_no_time_pass() {
        let model = model();
        let workflow =
            (pass() >> clock::<Y>() >> each::<Z>("share", |_, step| step.h.si())).build(&model).unwrap();
        let mut state = state_at(2.0, &model);
        workflow.evaluate(&mut state, &mut workflow.scratch()).unwrap();
        assert_eq!(
            (state.time(), value::<Y>(&state, "a"), value::<Z>(&state, "a")),
            (2.0 * SECOND, 2.0, 0.0)
        );
    }
}

#[test]
fn a_repeated_flow_runs_that_often() {
    let model = model();
    let later = run((double() >> increment()).repeated(5), &model, start(&model), 1.0);
    assert_eq!(value::<X>(&later, "b"), (0..5).fold(5.0, |x, _| 2.0 * x + 1.0));
}

mod until {
    use super::*;

    /// One round of Newton's method for √2 in every row, with the flag `A` raised on the world's row once x²
    /// ≈ 2.
    fn newton<A: Attribute<Value = bool>>() -> Flow {
        let improve = each::<X>("improve", |x, _| if x > 0.0 { 0.5 * (x + 2.0 / x) } else { 0.0 });
        let judge = Rule::new("judge", (read::<X>(), write::<A>()), |_, (x, settled)| {
            let fine = |x: &Quantity<One>| x.si() == 0.0 || (x.si() * x.si() - 2.0).abs() < 1e-12;
            settled[ComponentId::WORLD.row()] = x.iter().all(fine);
        });
        let count = each::<Seen>("count", |n, _| n + 1.0);
        improve >> judge >> count
    }

    /// The same iteration by hand: value and number of rounds.
    fn by_hand(mut x: f64) -> (f64, u32) {
        let mut rounds = 0;
        while (x * x - 2.0).abs() >= 1e-12 {
            (x, rounds) = (0.5 * (x + 2.0 / x), rounds + 1);
        }
        (x, rounds)
    }

    #[test]
    fn a_loop_ends_when_its_flag_is_raised() {
        let model = model();
        let (_, rounds) = by_hand(7.0);
        for flow in [newton::<Settled>().until::<Settled>(50), newton::<Done>().until::<Done>(50)] {
            let later = run(flow, &model, start(&model), 1.0);
            assert_eq!(value::<Seen>(&later, "a"), f64::from(rounds));
            assert!((value::<X>(&later, "c") - by_hand(7.0).0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_limit_is_inclusive() {
        let model = model();
        let (_, rounds) = by_hand(7.0);
        let build = |limit| newton::<Done>().until::<Done>(limit).build(&model).unwrap();
        assert!(build(rounds).stepped(start(&model), 1.0 * SECOND).is_ok());
        assert!(build(rounds - 1).stepped(start(&model), 1.0 * SECOND).is_err());
    }

    #[test]
    fn a_loop_that_does_not_settle_leaves_the_state_untouched() {
        let model = model();
        let flow = double() >> pass().scaled(0.5) >> newton::<Settled>().until::<Settled>(2);
        let workflow = flow.build(&model).unwrap();
        let (mut state, mut scratch) = (start(&model), workflow.scratch());
        let before = state.hash();
        let fault = workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap_err();
        assert_snapshot!(
            fault,
            @"'improve >> judge >> count' did not settle within 2 rounds at t = 0.5 s: take a smaller step"
        );
        assert_eq!(state.hash(), before);
    }

    /// Inside a branch, the loop reads the branch's own flag, whoever else works beside it.
    #[test]
    fn loops_side_by_side_settle_on_their_own() {
        let model = model();
        let beside = Flow::from(each::<Y>("beside", |y, _| y + 1.0)).repeated(7);
        let later = run(par![newton::<Done>().until::<Done>(50), beside], &model, start(&model), 1.0);
        assert_eq!(value::<Seen>(&later, "a"), f64::from(by_hand(7.0).1));
        assert_eq!(value::<Y>(&later, "a"), 7.0);
    }
}

#[test]
fn priming_happens_once_and_again_after_an_edit() {
    let model = model();
    let count = Flow::from(each::<Seen>("count", |n, _| n + 1.0)).primed();
    let workflow = (count >> increment()).build(&model).unwrap();
    let (mut state, mut scratch) = (start(&model), workflow.scratch());
    let mut primed = |state: &mut State| {
        for _ in 0..3 {
            workflow.step(state, &mut scratch, 1.0 * SECOND).unwrap();
        }
        value::<Seen>(state, "a")
    };
    assert_eq!(primed(&mut state), 1.0);
    assert_eq!(primed(&mut state), 1.0);
    let a = model.id("a").unwrap();
    state.set::<X>(a, Quantity::new(0.0)).unwrap();
    assert_eq!(primed(&mut state), 2.0);
    state.adjust::<X>(a, Quantity::new(0.0), |x| x * 2.0).unwrap();
    assert_eq!(primed(&mut state), 3.0);
    assert!(state.set::<X>(a, Quantity::new(f64::NAN)).is_err());
    assert_eq!(primed(&mut state), 3.0, "a refused edit is no edit");
}

#[test]
fn a_gain_multiplies_what_a_rule_adds_and_nothing_else() {
    let model = model();
    let rule = Rule::new("mixed", (add::<X>(), write::<Y>()), |_, (x, y)| {
        assert!(x.iter().all(|x| x.si() == 0.0), "a sum starts at zero");
        x.fill(Quantity::new(2.0));
        y.fill(Quantity::new(2.0));
    });
    let later = run(rule.clone().with_gain(-0.5).with_gain(3.0), &model, start(&model), 1.0);
    assert_eq!((value::<X>(&later, "a"), value::<Y>(&later, "a")), (0.0, 2.0));
    let twice =
        run(par![rule.clone().with_gain(10.0), each::<Z>("z", |z, _| z)] >> rule, &model, start(&model), 1.0);
    assert_eq!(value::<X>(&twice, "a"), 25.0);
}

/// Whatever the rule left in its sums the last time it ran.
#[test]
fn sums_start_at_zero_every_time() {
    let model = model();
    let (a, all) = (model.id("a").unwrap(), Rule::new("all", add::<X>(), |_, x| x[1] += Quantity::new(2.0)));
    let some = Rule::new("some", add_at::<Y>(Rows::only([a])), move |_, mut y| {
        *y.at_mut(a)? += Quantity::new(2.0);
        Ok(())
    });
    let workflow = (Flow::from(all) >> some.with_gain(0.25)).repeated(2).build(&model).unwrap();
    let (mut state, mut scratch) = (start(&model), workflow.scratch());
    for _ in 0..3 {
        workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap();
    }
    assert_eq!((value::<X>(&state, "a"), value::<Y>(&state, "a")), (3.0 + 6.0 * 2.0, 6.0 * 0.5));
}

#[test]
fn labels_tell_columns_of_one_meaning_apart() {
    let model = model();
    let draft = |label: &str, value: f64| {
        Rule::new("draft", write::<Draft>().labelled(label), move |_, d| d.fill(Quantity::new(value)))
    };
    let reads = [read::<Draft>().labelled("p"), read::<Draft>().labelled("q")];
    let join = Rule::new("join", (reads, write::<Y>()), |_, ([p, q], y)| {
        y.iter_mut().zip(p.iter().zip(q)).for_each(|(y, (p, q))| *y = *p * 10.0 + *q);
    });
    let workflow = (par![draft("p", 4.0), draft("q", 2.0)] >> join).build(&model).unwrap();
    let (mut state, mut scratch) = (start(&model), workflow.scratch());
    workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap();
    assert_eq!(value::<Y>(&state, "c"), 42.0);
    assert_eq!(workflow.transient_labelled::<Draft>(&scratch, "p").unwrap()[0].si(), 4.0);
    assert!(workflow.transient_labelled::<Draft>(&scratch, "r").is_none());
    assert!(workflow.transient::<Draft>(&scratch).is_none());
}

#[test]
fn scratch_columns_are_no_part_of_the_state() {
    let model = model();
    let draft = Rule::new("draft", (read::<X>(), write::<Draft>()), |_, (x, d)| d.copy_from_slice(x));
    let workflow = (double() >> draft).build(&model).unwrap();
    let (mut state, mut scratch) = (start(&model), workflow.scratch());
    workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap();
    assert_eq!(state.hash(), run(double(), &model, start(&model), 1.0).hash());
    assert_eq!(state.columns().len(), model.schema().len());
    assert_eq!(
        state.get::<Draft>(model.id("a").unwrap()).unwrap_err().to_string(),
        "the model has no attribute 'draft': add it with `Model::with`"
    );
    assert_eq!(workflow.transient::<Draft>(&scratch).unwrap(), state.all::<X>().unwrap());
}

#[test]
fn a_scratch_attribute_becomes_state_when_the_model_says_so() {
    let model = model().with::<Draft>();
    let later = run(each::<Draft>("draft", |_, _| 4.0), &model, start(&model), 1.0);
    assert_eq!(value::<Draft>(&later, "a"), 4.0);
}

#[test]
fn an_untyped_rule_is_a_rule() {
    let model = model();
    let access = |attribute, verb| Access { attribute, verb, rows: Rows::All };
    let accesses = vec![
        access(AttributeInfo::of::<Y>(), Verb::Adds),
        access(AttributeInfo::of::<X>(), Verb::Reads),
        access(AttributeInfo::of::<Z>(), Verb::Writes),
    ];
    let untyped = Rule::untyped("mix", accesses, |step, lease| {
        let (y, x, z) = (
            lease.cells_mut::<Quantity<One>>(),
            lease.cells::<Quantity<One>>(),
            lease.cells_mut::<Quantity<One>>(),
        );
        let (Some(mut y), Some(x), Some(mut z)) = (y, x, z) else {
            return Err("all columns are real".to_owned().into());
        };
        for id in x.ids() {
            *y.at_mut(id)? = x.at(id)? / 3.0;
            *z.at_mut(id)? += x.at(id)? * step.h.si();
        }
        Ok(())
    });
    let typed = Rule::new("mix", (add::<Y>(), read::<X>(), write::<Z>()), |step, (y, x, z)| {
        for ((y, x), z) in y.iter_mut().zip(x).zip(z) {
            (*y, *z) = (*x / 3.0, *z + *x * step.h.si());
        }
    });
    assert_eq!(untyped.to_string(), typed.to_string());
    let hash = |rule: &Rule| run(Flow::from(rule.clone()).repeated(3), &model, start(&model), 0.3).hash();
    assert_eq!(hash(&untyped), hash(&typed));
}

#[test]
fn what_a_rule_makes_is_an_entry() {
    let model = model();
    let [a, b, c] = ["a", "b", "c"].map(|name| model.id(name).unwrap());
    let setter = Rule::new("set", write_at::<Y>(Rows::only([a])), move |_, mut y| {
        *y.at_mut(a)? = Quantity::new(1.0);
        Ok(())
    });
    let adder = Rule::new("add", add_at::<Z>(Rows::only([a, b])), move |_, mut z| {
        *z.at_mut(b)? = Quantity::new(2.0);
        Ok(())
    });
    let mut state = start(&model);
    state.set::<Z>(c, Quantity::new(0.0)).unwrap();
    let later = run(setter | adder, &model, state, 1.0);
    assert_eq!([a, b, c].map(|id| later.has::<Y>(id).unwrap()), [true, false, false]);
    // A sum of zero makes no entry; a zero that somebody set is one and stays.
    assert_eq!(
        later.entries::<Z>().unwrap().map(|(id, z)| (id, z.si())).collect::<Vec<_>>(),
        [(b, 2.0), (c, 0.0)]
    );
    assert_eq!(start(&model).entries::<Y>().unwrap().count(), 0);
}

#[test]
fn a_composite_stands_for_its_parts() {
    let pair = Component::composite("pair", [Component::atom("a"), Component::atom("b")]);
    let model = Model::new(Components::new([pair, Component::atom("c")]).unwrap()).with::<X>();
    let ids: Vec<_> = model.components().iter().collect();
    let of_pair = ids.clone();
    let rule = Rule::new("pair", write_at::<X>(model.rows(["pair"]).unwrap()), move |_, mut x| {
        for id in &of_pair[..3] {
            *x.at_mut(*id)? = Quantity::new(1.0);
        }
        Ok(())
    });
    let later = run(rule, &model, model.state(), 1.0);
    let names: Vec<_> = later.entries::<X>().unwrap().map(|(id, _)| model.components().name(id)).collect();
    assert_eq!(names, ["pair", "a", "b"]);
}

/// Attributes and event rules that are made up at run time: a tick, a phenomenon, and a clock that can be
/// restored.
#[test]
fn an_untyped_event_takes_a_tick_and_announces() {
    let heat = || AttributeInfo::real("heat", Life::State);
    let model = Model::new(Components::atoms(["a", "b"]).unwrap()).with_attribute(heat()).with::<Settled>();
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    let mut state = model.state();
    state.set_real("heat", b, 3.0).unwrap();
    state.set_clock(2.0 * SECOND, 7);
    let access = Access { attribute: heat(), verb: Verb::Writes, rows: Rows::only([a, b]) };
    let melt = Rule::untyped_event("melt", vec![access], |_, lease| {
        let mut cells = lease.cells_mut::<Quantity<One>>().unwrap();
        let mut emitter = lease.emitter().unwrap();
        assert!(lease.emitter().is_none(), "there is one");
        for id in cells.ids().collect::<Vec<_>>() {
            if cells.at(id)?.si() > 1.0 {
                *cells.at_mut(id)? = Quantity::new(0.0);
                emitter.emit(id, "melted");
            }
        }
        Ok(())
    });
    let workflow = Flow::from(melt).build(&model).unwrap();
    let mut scratch = workflow.scratch();
    let report = workflow.step(&mut state, &mut scratch, 1.0 * SECOND).unwrap();
    let [only] = report.phenomena else { panic!("{report:?}") };
    assert_eq!((only.tick, only.time, only.component, only.name), (7, 2.0, b, "melted"));
    assert_eq!((report.ticks, state.tick(), state.time()), (1, 8, 3.0 * SECOND));
    assert!(matches!(state.columns()[0].values(), Values::Real(heat) if *heat == [0.0, 0.0, 0.0]));

    let before = state.hash();
    let mut refused = |name: &str, value: f64| state.set_real(name, a, value).unwrap_err().to_string();
    assert_snapshot!(refused("heat", f64::NAN), @"heat of 'a' cannot be NaN: only finite values enter a state");
    assert_snapshot!(refused("cold", 1.0), @"the model has no attribute 'cold': add it with `Model::with`");
    assert_snapshot!(refused("settled", 1.0), @"attribute 'settled' holds a flag in this model, not a real: ask for what `Model::with` was given");
    assert_eq!(state.hash(), before);
}
