//! After the first steps, a step allocates nothing.
//!
//! A counting allocator stands in for the system's and counts the calls of the thread that asks. The workflow
//! has everything that keeps memory: sequences, nested `par`s with moved, copied and summed columns, rules on
//! some components, private memory, a loop, priming, event rules and phenomena. (A `par` that goes wide hands
//! work to other threads, whose queues are rayon's business; it is left out.)

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

#[path = "it/common/mod.rs"]
mod common;
mod counting;

use common::attributes;
use counting::asked;
use gedanken_dynamics::*;
use gedanken_math::units::{One, Quantity, SECOND};

/// How often this thread asks for memory while `work` runs.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = asked();
    work();
    asked() - before
}

attributes! {
    X: Quantity<One>, "x", State;
    Y: Quantity<One>, "y", State;
    Kept: Quantity<One>, "kept", State;
    High: bool, "high", State;
    Push: Quantity<One>, "push", Step;
    Settled: bool, "settled", Step;
}

const BODIES: usize = 200;

fn workflow(model: &Model) -> Workflow {
    let half = |from: usize| Rows::only(model.components().iter().skip(from).take(BODIES / 2));
    let ids: Vec<_> = model.components().iter().collect();
    let spring = |name: &str, from: usize| {
        let (ids, view) = (ids.clone(), (read::<X>(), add_at::<Push>(half(from)), memory::<Vec<f64>>()));
        Rule::new(name, view, move |_, (x, mut push, memory)| {
            memory.clear();
            memory.extend(x.iter().map(|x| -x.si()));
            for id in &ids[from..from + BODIES / 2] {
                *push.at_mut(*id)? = Quantity::new(memory[id.row()]);
            }
            Ok(())
        })
    };
    let damp = |name: &str, from: usize| {
        let ids = ids.clone();
        Rule::new(name, write_at::<Y>(half(from)), move |_, mut y| {
            for id in &ids[from..from + BODIES / 2] {
                *y.at_mut(*id)? *= 0.99;
            }
            Ok(())
        })
    };
    let keep = Rule::new("keep", (read::<X>(), write::<Kept>()), |_, (x, kept)| kept.copy_from_slice(x));
    let clear = Rule::new("clear", write::<Push>(), |_, push| push.fill(Quantity::new(0.0)));
    let kick = Rule::new("kick", (read::<Push>(), add::<Y>()), |step, (push, y)| {
        y.iter_mut().zip(push).for_each(|(y, p)| *y = *p * step.h.si());
    });
    let drift = Rule::new("drift", (read::<Y>(), write::<X>()), |step, (y, x)| {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += *y * step.h.si());
    });
    let shrink = Rule::new("shrink", (write::<Kept>(), write::<Settled>()), |_, (kept, settled)| {
        kept.iter_mut().for_each(|k| *k /= 2.0);
        settled[0] = kept.iter().all(|k| k.si().abs() < 0.1);
    });
    let watch = Rule::event("watch", (read::<X>(), write::<High>(), phenomena()), |_, (x, high, mut out)| {
        for (high, x) in high.iter_mut().zip(x) {
            *high = x.si() > 0.5;
        }
        out.emit(ComponentId::WORLD, "looked");
    });
    let flow = seq![
        Flow::from(keep).primed(),
        clear,
        par![spring("left", 0), par![spring("middle", BODIES / 4), spring("right", BODIES / 2)]],
        kick,
        par![damp("lower", 0), damp("upper", BODIES / 2), Flow::from(shrink).until::<Settled>(40)],
        Flow::from(drift.advancing()).scaled(0.5).repeated(2),
        watch,
    ];
    flow.build(model).unwrap()
}

fn start(model: &Model) -> State {
    let mut state = model.state();
    for (k, id) in model.components().iter().enumerate() {
        state.set::<X>(id, Quantity::new(k as f64 / BODIES as f64)).unwrap();
    }
    state
}

#[test]
fn a_warm_step_allocates_nothing() {
    let components = Components::numbered("b", BODIES).unwrap();
    let model = Model::new(components).with::<X>().with::<Y>().with::<Kept>().with::<High>();
    let workflow = workflow(&model);
    let (mut state, mut scratch) = (start(&model), workflow.scratch());
    let mut step = |state: &mut State| {
        let report = workflow.step(state, &mut scratch, 0.01 * SECOND).unwrap();
        assert_eq!((report.ticks, report.phenomena.len()), (1, 1));
    };
    let cold = allocations(|| step(&mut state));
    assert!(cold > 0, "the counter counts: private memory grows in the first step");
    let before = state.hash();
    assert_eq!(allocations(|| (0..1000).for_each(|_| step(&mut state))), 0);
    assert_ne!(state.hash(), before);

    // An edit makes the next step prime again: still nothing.
    let edited = allocations(|| {
        state.set::<X>(ComponentId::WORLD, Quantity::new(0.25)).unwrap();
        step(&mut state);
    });
    assert_eq!(edited, 0);
}

#[test]
fn building_and_cloning_do_allocate() {
    let model = Model::new(Components::numbered("b", BODIES).unwrap()).with::<X>();
    let state = model.state();
    assert!(allocations(|| drop(state.clone())) > 0, "or the counter is broken");
}

/// Every integrator on scenes of the library: point masses, springs, direct gravitation, and a body that
/// turns.
#[test]
fn a_warm_step_of_every_integrator_allocates_nothing() {
    fn count_steps<S: Space>(scene: &scenes::Scene<S>, integrator: &'static Integrator) -> u64 {
        let (mut stepper, mut state) = scene.prepare(integrator).unwrap();
        let h = scene.period / 500.0 * SECOND;
        let mut run =
            |steps: u32| (0..steps).for_each(|_| assert!(stepper.step(&mut state, h).unwrap().si() > 0.0));
        run(20);
        allocations(|| run(100))
    }
    for integrator in INTEGRATORS {
        let mut counts = vec![
            count_steps(&scenes::kepler(0.2), integrator),
            count_steps(&scenes::chain(50, 2, 0.1), integrator),
            count_steps(&scenes::cluster(100, 1, 0.1), integrator),
        ];
        if integrator.splits() {
            counts.push(count_steps(
                &scenes::tumbling([1.0, 2.0, 3.0].into(), [0.1, 1.0, 0.1].into()),
                integrator,
            ));
        }
        assert!(counts.iter().all(|n| *n == 0), "{}: {counts:?} allocations", integrator.name);
    }
}
