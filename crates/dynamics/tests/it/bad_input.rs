//! Bad input gets a typed error that names the thing and the way out, and nothing is half-done afterwards.
//!
//! Every message is a snapshot: read them as a user would.

use crate::common::attributes;
use gedanken_dynamics::*;
use gedanken_math::units::{KILOGRAM, METRE, One, Quantity, SECOND, Vector};
use gedanken_math::{Quat, Vec3};
use insta::assert_snapshot;

attributes! {
    Flag: bool, "flag", State;
    Signal: bool, "signal", Step;
    Draft: Quantity<One>, "draft", Step;
    Speed: Vector<One>, "charge", State;
}

fn model() -> Model {
    let components = Components::atoms(["earth", "moon", "sun"]).unwrap();
    Model::new(components)
        .with::<Position>()
        .with::<Mass>()
        .with::<Charge>()
        .with::<Orientation>()
        .with::<Flag>()
}

mod components {
    use super::*;

    #[test]
    fn an_unknown_component_is_named_with_the_nearest_one() {
        let model = model();
        assert_snapshot!(model.id("mooon").unwrap_err(), @"there is no component called 'mooon': did you mean 'moon'?");
        assert_snapshot!(model.id("jupiter").unwrap_err(), @"there is no component called 'jupiter'");
        assert_snapshot!(model.rows(["earth", "son"]).unwrap_err(), @"there is no component called 'son': did you mean 'sun'?");
        assert_eq!(
            model.id("mooon").unwrap_err(),
            ComponentError::Unknown { name: "mooon".into(), close: Some("moon".into()) }
        );
    }

    #[test]
    fn a_name_is_given_once() {
        assert_snapshot!(Components::atoms(["a", "b", "a"]).unwrap_err(), @"two components are called 'a': every component needs a name of its own");
        let deep = Component::composite("pair", [Component::atom("a"), Component::atom("pair")]);
        assert_snapshot!(Components::new([deep]).unwrap_err(), @"two components are called 'pair': every component needs a name of its own");
        assert_snapshot!(Components::atoms(["world"]).unwrap_err(), @"'world' is the name of the whole: call the component something else");
    }

    #[test]
    fn every_component_has_a_name_and_every_composite_parts() {
        assert_snapshot!(Components::atoms([""]).unwrap_err(), @"a component without a name: give it one");
        assert_snapshot!(Components::new([Component::composite("pair", [])]).unwrap_err(), @"the composite 'pair' has no parts: make it an atom, or give it some");
    }
}

mod values {
    use super::*;

    /// Tries to set a value, which must fail and change nothing.
    fn refused<A: Attribute>(value: A::Value) -> StateError {
        let model = model();
        let moon = model.id("moon").unwrap();
        let mut state = model.state();
        state.set::<Mass>(moon, 1.0 * KILOGRAM).unwrap();
        let before = format!("{state:?}");
        let error = state.set::<A>(moon, value).unwrap_err();
        assert_eq!(state.adjust::<A>(moon, value, |_| value).unwrap_err(), error);
        assert_eq!(format!("{state:?}"), before);
        error
    }

    #[test]
    fn a_mass_is_positive() {
        assert_snapshot!(refused::<Mass>(0.0 * KILOGRAM), @"mass of 'moon' cannot be 0 kg: a mass is positive; leave it out for an immovable component");
        assert_snapshot!(refused::<Mass>(-2.5 * KILOGRAM), @"mass of 'moon' cannot be -2.5 kg: a mass is positive; leave it out for an immovable component");
        assert_snapshot!(refused::<Orientation>(Quat::from_xyzw(1.0, 1.0, 0.0, 0.0)), @"orientation of 'moon' cannot be [0, 1, 1, 0]: a rotation is a quaternion of length 1");
    }

    #[test]
    fn only_finite_values_enter() {
        assert_snapshot!(refused::<Mass>(f64::NAN * KILOGRAM), @"mass of 'moon' cannot be NaN kg: only finite values enter a state");
        assert_snapshot!(refused::<Position>(Vec3::new(1.0, f64::NEG_INFINITY, f64::NAN) * METRE), @"position of 'moon' cannot be [1, -inf, NaN] m: only finite values enter a state");
        assert_snapshot!(refused::<Orientation>(Quat::NAN), @"orientation of 'moon' cannot be [NaN, NaN, NaN, NaN]: only finite values enter a state");
    }

    #[test]
    fn an_attribute_is_in_the_model_and_of_its_kind() {
        assert_snapshot!(refused::<Velocity>(Vector::default()), @"the model has no attribute 'velocity': add it with `Model::with`");
        assert_snapshot!(refused::<Position<OneD>>(1.0 * METRE), @"attribute 'position' holds a 3-vector in this model, not a real: ask for what `Model::with` was given");
    }

    #[test]
    fn a_table_is_in_the_model_and_of_its_type() {
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Visits(u64);
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Guests(u64);
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Weights(u64);
        impl Table for Visits {
            const NAME: &'static str = "visits";
            const LIFE: Life = Life::State;
        }
        impl Table for Guests {
            const NAME: &'static str = "visits";
            const LIFE: Life = Life::State;
        }
        impl Table for Weights {
            const NAME: &'static str = "mass";
            const LIFE: Life = Life::State;
        }
        assert!(matches!(model().state().table::<Visits>(), Err(StateError::NoAttribute { .. })));
        let mut state = model().with_table::<Visits>().state();
        state.table_mut::<Visits>().unwrap().0 = 3;
        assert_eq!(state.table::<Visits>(), Ok(&Visits(3)));
        assert!(matches!(state.table::<Guests>(), Err(StateError::WrongKind { .. })));
        assert!(matches!(state.table_mut::<Weights>(), Err(StateError::WrongKind { held: Kind::Real, .. })));
    }

    #[test]
    fn an_id_of_a_larger_model_is_refused() {
        let stranger = Components::numbered("b", 9).unwrap().iter().last().unwrap();
        let mut state = model().state();
        assert_snapshot!(state.set::<Mass>(stranger, 1.0 * KILOGRAM).unwrap_err(), @"component number 9 is not in this model, which has 4: use this model's ids");
        assert_snapshot!(state.get::<Mass>(stranger).unwrap_err(), @"component number 9 is not in this model, which has 4: use this model's ids");
        assert_snapshot!(state.has::<Mass>(stranger).unwrap_err(), @"component number 9 is not in this model, which has 4: use this model's ids");
    }
}

mod steps {
    use super::*;

    fn workflow(model: &Model) -> Workflow {
        Flow::from(Rule::new("drift", write::<Position>(), |_, r| r[1] += Vec3::X * METRE))
            .build(model)
            .unwrap()
    }

    #[test]
    fn a_step_is_positive_and_finite() {
        let model = model();
        let (workflow, mut state) = (workflow(&model), model.state());
        let (before, mut scratch) = (state.hash(), workflow.scratch());
        let mut messages = Vec::new();
        for h in [0.0, -0.0, -0.1, f64::NAN, f64::INFINITY] {
            let fault = workflow.step(&mut state, &mut scratch, h * SECOND).unwrap_err();
            assert!(matches!(fault, Fault::BadStep(_)), "{fault:?}");
            messages.push(fault.to_string());
            assert_eq!(state.hash(), before);
        }
        assert_snapshot!(messages.join("\n"), @"
        a step of 0 s is not possible: it must be positive and finite
        a step of -0 s is not possible: it must be positive and finite
        a step of -0.1 s is not possible: it must be positive and finite
        a step of NaN s is not possible: it must be positive and finite
        a step of inf s is not possible: it must be positive and finite
        ");
    }

    #[test]
    fn a_step_starts_at_a_finite_time() {
        let model = model();
        for t in [f64::NAN, f64::INFINITY, f64::MAX] {
            let fault =
                workflow(&model).stepped(model.state().at_time(t * SECOND), 1e300 * SECOND).unwrap_err();
            assert!(matches!(fault, Fault::BadTime(_)), "{t}: {fault:?}");
        }
        let state = model.state().at_time(f64::NAN * SECOND);
        assert_snapshot!(workflow(&model).stepped(state, 1.0 * SECOND).unwrap_err(), @"no step can start at t = NaN s: set a finite time with `State::at_time`");
    }

    #[test]
    fn states_and_scratch_belong_to_a_workflow() {
        let (here, alike) = (model(), model());
        let (workflow, other) = (workflow(&here), workflow(&here));
        let mut foreign = alike.state();
        let before = foreign.hash();
        let fault = workflow.step(&mut foreign, &mut workflow.scratch(), 1.0 * SECOND).unwrap_err();
        assert_snapshot!(fault, @"this state belongs to another model than the workflow was built for: take one from `Workflow::model`");
        assert_eq!(foreign.hash(), before);
        let fault = workflow.step(&mut here.state(), &mut other.scratch(), 1.0 * SECOND).unwrap_err();
        assert_snapshot!(fault, @"this scratch memory belongs to another workflow: take it from `Workflow::scratch`");
        assert!(workflow.step(&mut here.state(), &mut workflow.scratch(), 1.0 * SECOND).is_ok());
    }
}

mod workflows {
    use super::*;

    fn refused(flow: impl Into<Flow>) -> BuildError {
        flow.into().build(&model()).unwrap_err()
    }

    fn drift() -> Rule {
        Rule::new("drift", write::<Position>(), |_, _| {})
    }

    #[test]
    fn an_empty_workflow_is_refused() {
        assert_snapshot!(refused(seq![]), @"the workflow is empty: it needs at least one rule");
        let nested = [
            seq![par![]],
            par![seq![], par![seq![]]],
            seq![].repeated(3),
            par![].scaled(0.5),
            seq![].primed(),
        ];
        for flow in nested {
            assert_eq!(refused(flow), BuildError::Empty);
        }
        assert!(seq![par![], drift(), seq![]].build(&model()).is_ok(), "beside a rule, nothing is harmless");
    }

    #[test]
    fn an_unknown_column_is_named() {
        assert_snapshot!(refused(Rule::new("kick", (write::<Position>(), read::<Velocity>()), |_, _| {})), @"rule 'kick' reads 'velocity', which the model does not have: add it with `Model::with`");
        assert_snapshot!(refused(Rule::new("law", add::<Pace>(), |_, _| {})), @"rule 'law' adds to 'pace', which the model does not have: add it with `Model::with`");
        assert_snapshot!(refused(Rule::new("law", read::<Mass>().labelled("earth"), |_, _| {})), @"rule 'law' reads 'mass[earth]', which the model does not have: add it with `Model::with`");
    }

    #[test]
    fn a_column_of_another_kind_is_named() {
        assert_snapshot!(refused(Rule::new("drift", write::<Position<OneD>>(), |_, _| {})), @"rule 'drift' takes 'position' for a real, but it is a 3-vector: use the same attribute everywhere");
        assert_snapshot!(refused(Rule::new("law", add::<Speed>(), |_, _| {})), @"rule 'law' takes 'charge' for a 3-vector, but it is a real: use the same attribute everywhere");
    }

    #[test]
    fn a_component_of_another_model_is_named() {
        let stranger = Components::numbered("b", 9).unwrap().iter().last().unwrap();
        let rows = Rows::only([ComponentId::WORLD, stranger]);
        assert_snapshot!(refused(Rule::new("weigh", write_at::<Mass>(rows), |_, _| {})), @"rule 'weigh' names component number 9 in 'mass', but the model has only 4: use this model's ids");
    }

    #[test]
    fn one_access_says_it_all() {
        let twice = Rule::new("both", (read::<Mass>(), write::<Position>(), add::<Mass>()), |_, _| {});
        assert_snapshot!(refused(twice), @"rule 'both' declares 'mass' twice: one access says it all (writing includes reading)");
        let labels = (write::<Draft>().labelled("a"), write::<Draft>().labelled("a"));
        assert_snapshot!(refused(Rule::new("both", labels, |_, _| {})), @"rule 'both' declares 'draft[a]' twice: one access says it all (writing includes reading)");
    }

    /// Typed rules that add to flags do not compile; rules made at run time are told here.
    #[test]
    fn flags_do_not_add_up() {
        let access = Access { attribute: AttributeInfo::of::<Flag>(), verb: Verb::Adds, rows: Rows::All };
        assert_snapshot!(refused(Rule::untyped("count", vec![access], |_, _| Ok(()))), @"rule 'count' adds to 'flag', but a flag cannot be added up: write it instead");
        let access =
            Access { attribute: AttributeInfo::of::<Orientation>(), verb: Verb::Adds, rows: Rows::All };
        assert_snapshot!(refused(Rule::untyped("turn", vec![access], |_, _| Ok(()))), @"rule 'turn' adds to 'orientation', but a rotation cannot be added up: write it instead");
    }

    fn write_draft(rows: Rows) -> Rule {
        Rule::new("write", write_at::<Draft>(rows), |_, _| {})
    }

    #[test]
    fn scratch_is_written_before_it_is_used() {
        let use_it = || Rule::new("use", read::<Draft>(), |_, _| {});
        assert_snapshot!(refused(use_it() >> write_draft(Rows::All)), @"rule 'use' reads 'draft' of 'world' before any rule of the step has written it: scratch does not last from step to step, so put a rule first that writes it");
        assert_snapshot!(refused(Rule::new("sum", add::<Draft>(), |_, _| {})), @"rule 'sum' adds to 'draft' of 'world' before any rule of the step has written it: scratch does not last from step to step, so put a rule first that writes it");
        assert!((write_draft(Rows::All) >> use_it()).build(&model()).is_ok());
    }

    /// Scratch cells that nothing wrote hold whatever an earlier step left there: a step would depend on its
    /// past.
    #[test]
    fn scratch_is_written_cell_by_cell() {
        let model = model();
        let [earth, moon, sun] = ["earth", "moon", "sun"].map(|name| model.id(name).unwrap());
        let partly = || write_draft(Rows::only([earth, moon]));
        let use_some = |ids: &[ComponentId]| {
            Rule::new("use", read_at::<Draft>(Rows::only(ids.iter().copied())), |_, _| {})
        };
        assert_snapshot!(refused(partly() >> use_some(&[moon, sun])), @"rule 'use' reads 'draft' of 'sun' before any rule of the step has written it: scratch does not last from step to step, so put a rule first that writes it");
        assert!((partly() >> use_some(&[moon])).build(&model).is_ok());
        let rest = write_draft(Rows::only([sun]));
        assert!((par![partly(), rest.clone()] >> use_some(&[moon, sun])).build(&model).is_ok());
        // Priming may be skipped, so what it writes does not count; what a loop writes does.
        assert_snapshot!(refused(Flow::from(rest.clone()).primed() >> use_some(&[sun])), @"rule 'use' reads 'draft' of 'sun' before any rule of the step has written it: scratch does not last from step to step, so put a rule first that writes it");
        assert!((Flow::from(rest).repeated(2) >> use_some(&[sun])).build(&model).is_ok());
    }

    #[test]
    fn a_scale_is_a_number() {
        assert_snapshot!(refused((drift() >> drift()).scaled(f64::NAN)), @"'drift >> drift' is scaled by NaN: the factor must be finite");
        assert_snapshot!(refused(Flow::from(drift()).scaled(f64::INFINITY)), @"'drift' is scaled by inf: the factor must be finite");
    }

    #[test]
    fn a_loop_has_rounds() {
        assert_snapshot!(refused(Flow::from(drift()).repeated(0)), @"'drift' would run for 0 rounds: give the loop at least one");
        assert_snapshot!(refused(Flow::from(drift()).until::<Flag>(0)), @"'drift' would run for 0 rounds: give the loop at least one");
    }

    /// Such a loop could only run into its limit; inside a `par` it used to panic.
    #[test]
    fn a_loop_can_raise_its_flag() {
        let model = model();
        let raise = |rows| Rule::new("raise", write_at::<Signal>(rows), |_, _| {});
        let moon = Rows::only([model.id("moon").unwrap()]);
        let beside = Rule::new("beside", write::<Mass>(), |_, _| {});
        assert_snapshot!(refused(Flow::from(drift()).until::<Flag>(3) | beside), @"the loop 'drift' cannot end: none of its rules writes a flag 'flag' of the world");
        assert_snapshot!(refused(Flow::from(drift()).until::<Signal>(3)), @"the loop 'drift' cannot end: none of its rules writes a flag 'signal' of the world");
        assert_snapshot!(refused(Flow::from(raise(moon)).until::<Signal>(3)), @"the loop 'raise' cannot end: none of its rules writes a flag 'signal' of the world");
        let not_a_flag = Flow::Until { flag: "position".into(), limit: 3, flow: Box::new(drift().into()) };
        assert_snapshot!(refused(not_a_flag), @"the loop 'drift' cannot end: none of its rules writes a flag 'position' of the world");
        assert_snapshot!(refused(Flow::from(raise(Rows::All)).primed().until::<Signal>(3)), @"rule 'raise?' reads 'signal' of 'world' before any rule of the step has written it: scratch does not last from step to step, so put a rule first that writes it");
        assert!(Flow::from(raise(Rows::All)).until::<Signal>(3).build(&model).is_ok());
    }

    #[test]
    fn a_repeated_sum_beside_another_is_refused() {
        let model = model();
        let [earth, moon] = ["earth", "moon"].map(|name| model.id(name).unwrap());
        let law = |name: &str, id| Flow::from(Rule::new(name, add_at::<Charge>(Rows::only([id])), |_, _| {}));
        assert_snapshot!(refused(law("drag", earth).repeated(2) | law("wind", earth)), @"rule 'drag' is repeated inside a `par` while another branch adds to 'charge' too: the order of the sums would be lost; repeat the whole `par` instead");
        assert!(
            (law("drag", earth).repeated(2) | law("wind", moon)).build(&model).is_ok(),
            "no cell is shared"
        );
        assert!(
            (law("drag", earth) | law("wind", earth)).repeated(2).build(&model).is_ok(),
            "the way out works"
        );
    }

    #[test]
    fn a_clash_names_both_rules_the_column_and_the_components() {
        let model = model();
        let touch = |name: &str, names: &[&str]| {
            let rows = model.rows(names.iter().copied()).unwrap();
            Rule::new(name, (write_at::<Mass>(rows.clone()), read_at::<Charge>(rows)), |_, _| {})
        };
        let first = touch("accrete", &["earth", "moon"]);
        let second = touch("evaporate", &["moon", "sun"]);
        let third = Rule::new("charge", add::<Charge>(), |_, _| {});
        assert_snapshot!(refused(par![first, second, third]), @"
        rules in a `par` clash:
          'accrete' writes and 'evaporate' writes mass of 'moon': put them in a `seq`, or give them disjoint components
          'accrete' reads and 'charge' adds to charge of 'earth', 'moon': put them in a `seq`, or give them disjoint components
          'evaporate' reads and 'charge' adds to charge of 'moon', 'sun': put them in a `seq`, or give them disjoint components
        ");
        let all = || Rule::new("all", write::<Position>(), |_, _| {});
        let error =
            (all() | all()).build(&Model::new(Components::numbered("b", 9).unwrap()).with::<Position>());
        assert_snapshot!(error.unwrap_err(), @"
        rules in a `par` clash:
          'all' writes and 'all' writes position of 'world', 'b0', 'b1', 'b2' and 6 more: put them in a `seq`, or give them disjoint components
        ");
    }
}
