//! Kernels: every way to run one gives the same bits and the same faults, with a graph and without.

use crate::build::{program_in, scope};
use gedanken_lang::diagnostic::Code;
use gedanken_lang::ir::{Access, Feed};
use gedanken_lang::kernel::{Column, Compile, Kernel, Reference};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits};

/// Divides by `y`, and has a graph.
const FIXED: &str = "x = p # 1 / y + t\nq = y * p";
/// The same with a recursion, for which there is none.
const RECURSIVE: &str =
    "x = p # 1 / count(y) + t\nq = y * p\ncount(n) = if n < 1 then 0 else 1 + count(n - 1)";

const YS: [f64; 5] = [3.0, 1.0, 0.0, 2.0, 5.0];

/// A kernel for both outputs of a text. `p` and `t` are the same for all rows, `y` is read as `own` says.
fn kernel(text: &str, own: Access) -> Kernel {
    let reference = Reference::new(program_in(text, &scope()), Limits::default());
    let is_y = |input: u32| reference.program().inputs[input as usize].name == "y";
    let access = |slot: gedanken_lang::ir::Slot| if is_y(slot.input.0) { own } else { Access::Same };
    Kernel::new(&reference, vec![0, 1], access, &Compile::Never)
}

/// The scalars of all inputs of a kernel, with this `y`.
fn row(kernel: &Kernel, y: f64) -> Vec<f64> {
    let scalars = |name: &str| match name {
        "t" => vec![0.5],
        "y" => vec![y],
        "p" => vec![1.0, -0.1, 7.0],
        other => panic!("{other} is not read"),
    };
    kernel.program().inputs.iter().flat_map(|input| scalars(&input.name)).collect()
}

/// The same as columns, `y` being [`YS`].
fn columns(kernel: &Kernel) -> Vec<Column> {
    let scalars = row(kernel, f64::NAN).into_iter();
    scalars.map(|it| if it.is_nan() { Column::Each(YS.to_vec()) } else { Column::Same(it) }).collect()
}

fn bits(scalars: &[f64]) -> Vec<u64> {
    scalars.iter().map(|it| it.to_bits()).collect()
}

/// One row alone.
fn alone(kernel: &Kernel, y: f64) -> Result<Vec<u64>, Fault> {
    let mut out = vec![0.0; kernel.width()];
    kernel.run_row(&row(kernel, y), &mut out).map(|()| bits(&out))
}

#[test]
fn rows_agree_with_or_without_a_graph() {
    for text in [FIXED, RECURSIVE] {
        let kernel = kernel(text, Access::Each);
        assert_eq!((kernel.graph().is_ok(), kernel.width()), (text == FIXED, 4));
        let inputs = columns(&kernel);
        let mut results = vec![vec![f64::NAN; YS.len()]; kernel.width()];
        let (bad, fault) = kernel.run(&inputs, None, 0..YS.len(), &mut results).unwrap_err();
        assert_eq!((bad, fault.code), (2, Code::E501), "{}", fault.message);
        assert_eq!(alone(&kernel, YS[2]), Err(fault));
        kernel.run(&inputs, None, 3..YS.len(), &mut results).unwrap();
        for at in [0, 1, 3, 4] {
            let found: Vec<f64> = results.iter().map(|column| column[at]).collect();
            assert_eq!(Ok(bits(&found)), alone(&kernel, YS[at]), "row {at} of {text}");
            assert_eq!(found, [1.0 / YS[at] + 0.5, YS[at], -0.1 * YS[at], 7.0 * YS[at]]);
        }
    }
}

#[test]
fn slots_and_values_are_other_ways_to_the_same_bits() {
    let kernel = kernel(FIXED, Access::Each);
    let reference = kernel.reference();
    let places = reference.places_of(kernel.graph().unwrap());
    for y in YS {
        let row = row(&kernel, y);
        let slots: Vec<f64> = places.iter().map(|&place| row[place]).collect();
        let mut out = vec![0.0; kernel.width()];
        assert_eq!(kernel.run_slots(&slots, &mut out).map(|()| bits(&out)), alone(&kernel, y));
        let value = |input: &gedanken_lang::program::Input| match input.name.as_str() {
            "t" => Value::Real(0.5),
            "y" => Value::Real(y),
            _ => Value::Vector(vec![1.0, -0.1, 7.0]),
        };
        let values = kernel.program().inputs.iter().map(value).collect();
        assert_eq!(kernel.run_values(values, &mut out).map(|()| bits(&out)), alone(&kernel, y));
        let access = |slot: &gedanken_lang::ir::Slot| kernel.program().input(slot.input).name == "y";
        let slots = kernel.graph().unwrap().slots.iter().zip(&slots);
        let feed = |(slot, scalar)| match access(slot) {
            true => Feed::Column(std::slice::from_ref(scalar)),
            false => Feed::Same(*scalar),
        };
        let feeds: Vec<Feed<'_>> = slots.map(feed).collect();
        let mut columns: Vec<&mut [f64]> = out.chunks_exact_mut(1).collect();
        let ran = kernel.run_feeds(&feeds, 0..1, &mut columns);
        assert_eq!(ran.map_err(|(_, fault)| fault).map(|()| bits(&out)), alone(&kernel, y));
    }
}

/// Results go by the place in the list, faults by the row of the inputs.
#[test]
fn rows_are_picked_by_a_list() {
    for text in [FIXED, RECURSIVE] {
        let kernel = kernel(text, Access::Picked(0));
        let inputs = columns(&kernel);
        let mut results = vec![vec![0.0; 3]; kernel.width()];
        kernel.run(&inputs, Some(&[4, 0, 1]), 0..3, &mut results).unwrap();
        assert_eq!(results[1], [5.0, 3.0, 1.0]);
        let (row, fault) = kernel.run(&inputs, Some(&[4, 2, 1]), 0..3, &mut results).unwrap_err();
        assert_eq!((row, fault.code), (2, Code::E501));
        let told = kernel.reference().explain(&fault, &inputs, row);
        assert!(
            told.notes.iter().any(|it| it.starts_with("it was given") && it.contains("y = 0")),
            "{told:?}"
        );
    }
}
