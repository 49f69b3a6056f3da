//! How rows are read and written, and what happens if the engine breaks the contract.

#[path = "../../dynamics/tests/counting/mod.rs"]
mod counting;
mod support;

use gedanken_jit::{JitError, MOST_NESTED, MOST_NODES, NativeProgram, compile};
use gedanken_lang::arithmetic::{Binary, Comparison, Unary};
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Layout, Node, NodeId, Schedule};
use support::Sketch;

/// x y + z
fn product_and_sum(slots: &[Access; 3]) -> NativeProgram {
    let mut sketch = Sketch::new(3);
    let product = sketch.node(Node::Binary(Binary::Mul, NodeId(0), NodeId(1)));
    let sum = sketch.node(Node::Binary(Binary::Add, product, NodeId(2)));
    sketch.output(sum);
    sketch.compile(slots)
}

const COLUMN: &[f64] = &[10.0, 20.0, 30.0, 40.0, 50.0];
const OTHER: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0];

#[test]
fn every_way_to_read_a_slot() {
    let lists: [&[u32]; 2] = [&[4, 3, 2, 1, 0], &[0, 0, 4, 4, 1]];
    let ways = [Access::Same, Access::Each, Access::Picked(0), Access::Picked(1)];
    let read = |access: Access, column: &[f64], row: usize| match access {
        Access::Same => column[0],
        Access::Each => column[row],
        Access::Picked(list) => column[lists[usize::from(list)][row] as usize],
    };
    let feed = |access: Access, column: &'static [f64]| match access {
        Access::Same => Feed::Same(column[0]),
        Access::Each | Access::Picked(_) => Feed::Column(column),
    };
    for a in ways {
        for b in ways {
            for c in ways {
                let program = product_and_sum(&[a, b, c]);
                let mut results = [0.0; 5];
                let feeds = [feed(a, COLUMN), feed(b, OTHER), feed(c, COLUMN)];
                assert_eq!(program.run(&feeds, &lists, 1..4, &mut [&mut results]), None);
                let expected = |row| read(a, COLUMN, row) * read(b, OTHER, row) + read(c, COLUMN, row);
                // The rows at either end were not asked for.
                assert_eq!(results, [0.0, expected(1), expected(2), expected(3), 0.0], "{a:?} {b:?} {c:?}");
            }
        }
    }
}

/// However rows are read, one alone reads its inputs, natively and by the evaluator of columns; also more of
/// them than fit on the stack.
#[test]
fn a_row_alone() {
    for a in [Access::Same, Access::Each] {
        for b in [Access::Same, Access::Each] {
            let mut result = [0.0];
            assert!(product_and_sum(&[a, b, a]).run_row(&[2.0, 3.0, 4.0], &mut result));
            assert_eq!(result, [10.0], "{a:?} {b:?}");
        }
    }
    for slots in [2_u32, 100] {
        // The reciprocal of each, all of them checked.
        let mut sketch = Sketch::new(slots);
        let one = sketch.node(Node::real(1.0));
        for slot in 0..slots {
            let part = sketch.node(Node::Binary(Binary::Div, one, NodeId(slot)));
            sketch.check(part);
            sketch.output(part);
        }
        let layout = Layout { slots: vec![Access::Each; slots as usize] };
        let native = sketch.compile(&layout.slots);
        let columns = ColumnProgram::new(&sketch.graph, &layout);
        let mut inputs: Vec<f64> = (0..slots).map(|it| f64::from(it) + 1.5).collect();
        let expected: Vec<f64> = inputs.iter().map(|it| 1.0 / it).collect();
        for executor in [&native as &dyn Executor, &columns] {
            let mut outputs = vec![0.0; slots as usize];
            assert!(executor.run_row(&inputs, &mut outputs));
            assert_eq!(outputs, expected);
        }
        inputs[1] = 0.0;
        assert!(!native.run_row(&inputs, &mut vec![0.0; slots as usize]));
    }
}

#[test]
#[should_panic(expected = "one input for each slot")]
fn a_row_with_too_few_inputs_is_a_mistake_of_the_engine() {
    product_and_sum(&[Access::Each; 3]).run_row(&[1.0, 2.0], &mut [0.0]);
}

#[test]
#[should_panic(expected = "a row alone has no lists to pick by")]
fn a_row_alone_with_lists_is_a_mistake_of_the_engine() {
    product_and_sum(&[Access::Picked(0), Access::Each, Access::Each]).run_row(&[1.0; 3], &mut [0.0]);
}

#[test]
fn what_is_the_same_for_all_rows_may_call_and_fail() {
    let mut sketch = Sketch::new(2);
    let angle = sketch.node(Node::Unary(Unary::Sin, NodeId(0)));
    let log = sketch.node(Node::Unary(Unary::Log, NodeId(0)));
    let zero = sketch.node(Node::real(0.0));
    let positive = sketch.node(Node::Compare(Comparison::Lt, zero, NodeId(1)));
    let sum = sketch.branch(
        positive,
        |s| {
            let sum = s.node(Node::Binary(Binary::Add, log, angle));
            s.check(sum);
            vec![sum]
        },
        |_| vec![angle],
    )[0];
    sketch.output(sum);
    let program = sketch.compile(&[Access::Same, Access::Each]);
    let mut results = [0.0; 3];
    let feeds = |x: f64| [Feed::Same(x), Feed::Column(&[-1.0, -1.0, 1.0])];
    assert_eq!(program.run(&feeds(2.0), &[], 0..3, &mut [&mut results]), None);
    let sine = libm::sin(2.0);
    assert_eq!(results, [sine, sine, libm::log(2.0) + sine]);
    // log(-2) is computed ahead, and asked for in the last row only.
    assert_eq!(program.run(&feeds(-2.0), &[], 0..3, &mut [&mut results]), Some(2));
    assert_eq!(results[..2], [libm::sin(-2.0); 2]);
}

#[test]
fn no_rows_are_no_work() {
    let program = product_and_sum(&[Access::Each; 3]);
    assert_eq!(program.run(&[Feed::Column(&[]); 3], &[], 0..0, &mut [&mut []]), None);
}

#[test]
fn threads_share_a_program() {
    let program = product_and_sum(&[Access::Each; 3]);
    let feeds = [COLUMN, OTHER, OTHER].map(Feed::Column);
    let mut results = [0.0; 5];
    let (first, second) = results.split_at_mut(2);
    std::thread::scope(|scope| {
        let shifted = [COLUMN, OTHER, OTHER].map(|column| Feed::Column(&column[2..]));
        let program = &program;
        scope.spawn(move || program.run(&feeds, &[], 0..2, &mut [first]));
        scope.spawn(move || program.run(&shifted, &[], 0..3, &mut [second]));
    });
    assert_eq!(results, [11.0, 42.0, 93.0, 164.0, 255.0]);
}

#[test]
fn too_much_is_refused() {
    let mut sketch = Sketch::new(1);
    let mut sum = NodeId(0);
    for _ in 0..MOST_NODES {
        sum = sketch.node(Node::Binary(Binary::Add, sum, NodeId(0)));
    }
    sketch.output(sum);
    let layout = Layout { slots: vec![Access::Each] };
    let refused = compile(&sketch.graph, &sketch.schedule(), &layout).unwrap_err();
    assert_eq!(refused, JitError::TooLarge { nodes: MOST_NODES + 1 });

    let mut sketch = Sketch::new(1);
    let condition = sketch.node(Node::Compare(Comparison::Lt, NodeId(0), NodeId(0)));
    let result = nested(&mut sketch, condition, MOST_NESTED + 1);
    sketch.output(result);
    let refused = compile(&sketch.graph, &sketch.schedule(), &layout).unwrap_err();
    assert_eq!(refused, JitError::TooDeep { depth: MOST_NESTED + 1 });
}

#[test]
fn as_deep_as_is_allowed() {
    let mut sketch = Sketch::new(1);
    let condition = sketch.node(Node::Compare(Comparison::Lt, NodeId(0), NodeId(0)));
    let result = nested(&mut sketch, condition, MOST_NESTED);
    sketch.output(result);
    assert_eq!(support::run(&sketch.compile(&[Access::Each]), 1, &[&[3.0]]).0, [[-3.0]]);
}

fn nested(sketch: &mut Sketch, condition: NodeId, depth: usize) -> NodeId {
    if depth == 0 {
        return sketch.node(Node::Unary(Unary::Neg, NodeId(0)));
    }
    sketch.branch(condition, |_| vec![NodeId(0)], |s| vec![nested(s, condition, depth - 1)])[0]
}

#[test]
fn a_schedule_of_another_graph_is_refused() {
    let mut sketch = Sketch::new(1);
    let root = sketch.node(Node::Unary(Unary::Sqrt, NodeId(0)));
    sketch.output(root);
    let layout = Layout { slots: vec![Access::Each] };
    let refused = compile(&sketch.graph, &Schedule::default(), &layout).unwrap_err();
    assert_eq!(refused, JitError::Unscheduled(root));
    assert_eq!(refused.to_string(), "the schedule uses %1 before it is computed");
}

fn run(slots: [Access; 3], feeds: [Feed<'_>; 3], lists: &[&[u32]], rows: usize, results: &mut [f64]) {
    product_and_sum(&slots).run(&feeds, lists, 0..rows, &mut [results]);
}

#[test]
#[should_panic(expected = "slot 1: 2 rows, not 3")]
fn a_short_column_is_a_mistake_of_the_engine() {
    let feeds = [Feed::Column(COLUMN), Feed::Column(&OTHER[..2]), Feed::Column(COLUMN)];
    run([Access::Each; 3], feeds, &[], 3, &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "output 0: 2 rows, not 3")]
fn a_short_output_is_a_mistake_of_the_engine() {
    run([Access::Each; 3], [Feed::Column(COLUMN); 3], &[], 3, &mut [0.0; 2]);
}

#[test]
#[should_panic(expected = "slot 0: 5 rows, not 6")]
fn a_list_that_leads_out_of_a_column_is_a_mistake_of_the_engine() {
    let slots = [Access::Picked(0), Access::Each, Access::Each];
    run(slots, [Feed::Column(COLUMN); 3], &[&[0, 5, 0]], 3, &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "1 lists for a layout that uses 2")]
fn a_missing_list_is_a_mistake_of_the_engine() {
    let slots = [Access::Picked(1), Access::Each, Access::Each];
    run(slots, [Feed::Column(COLUMN); 3], &[&[0, 0, 0]], 3, &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "slot 2: one real for a column")]
fn a_real_for_a_column_is_a_mistake_of_the_engine() {
    run(
        [Access::Each; 3],
        [Feed::Column(COLUMN), Feed::Column(COLUMN), Feed::Same(1.0)],
        &[],
        3,
        &mut [0.0; 3],
    );
}

#[test]
#[should_panic(expected = "slot 0: a column where all rows read the same")]
fn a_column_for_a_real_is_a_mistake_of_the_engine() {
    run([Access::Same, Access::Each, Access::Each], [Feed::Column(COLUMN); 3], &[], 3, &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "one feed for each slot")]
fn a_missing_feed_is_a_mistake_of_the_engine() {
    product_and_sum(&[Access::Each; 3]).run(&[Feed::Column(COLUMN); 2], &[], 0..3, &mut [&mut [0.0; 3]]);
}

/// Who asks for one row at a time, as integrators do, pays for no memory.
#[test]
fn a_row_alone_needs_no_memory() {
    for slots in [3_u32, 40, 90] {
        let mut sketch = Sketch::new(slots);
        let sum =
            (1..slots).fold(NodeId(0), |sum, slot| sketch.node(Node::Binary(Binary::Add, sum, NodeId(slot))));
        sketch.output(sum);
        let native = sketch.compile(&vec![Access::Same; slots as usize]);
        let (inputs, mut result) = (vec![0.5; slots as usize], [0.0]);
        let before = counting::asked();
        for _ in 0..100 {
            assert!(native.run_row(&inputs, &mut result));
        }
        assert_eq!(counting::asked(), before, "{slots} slots");
        assert_eq!(result, [0.5 * f64::from(slots)]);
    }
}
