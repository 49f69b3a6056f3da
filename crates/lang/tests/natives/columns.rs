//! Natives and operators as columns: what the intermediate form makes of a call gives the bits that the call
//! gives at once, and finds each row in which the call fails.

use crate::arguments::one_native;
use crate::calls::try_call;
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Layout, build};
use gedanken_lang::native::Native;
use gedanken_lang::program::{
    Expr, ExprKind, Function, FunctionId, Input, InputId, Output, OutputKind, Phase, Program,
};
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::types::Type;
use gedanken_lang::value::{Shaped, Value};
use proptest::prelude::*;

/// `out = name(arguments)`, the arguments being inputs, but for those reals that decide about shapes.
fn program(name: &str, arguments: &[Value], ty: Type) -> Program {
    let mut sources = Sources::new();
    let span = Span::new(sources.add("native", name), 0..name.len());
    let expr = |kind| Expr { kind, span };
    let mut program = Program::default();
    let mut operands = Vec::new();
    for (place, argument) in arguments.iter().enumerate() {
        operands.push(match argument {
            Shaped::Real(x) if matches!(name, "subMatrix" | "identityMatrix") => expr(ExprKind::Real(*x)),
            other => {
                let input = InputId(program.inputs.len() as u32);
                let (name, ty) = (format!("x{place}"), other.type_of());
                program.inputs.push(Input { name, ty, scope_index: place, previous: false });
                expr(ExprKind::Input(input))
            }
        });
    }
    program.functions.push(Function {
        name: "out".to_owned(),
        name_span: span,
        params: Vec::new(),
        phase: Phase::Laws,
        body: expr(ExprKind::Native(Native::by_name(name).unwrap(), operands)),
    });
    let function = FunctionId(0);
    program.outputs.push(Output {
        name: "out".to_owned(),
        scope_index: 0,
        function,
        kind: OutputKind::Law,
        ty,
    });
    program
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn columns_give_what_calls_give((name, arguments) in one_native()) {
        let Ok(at_once) = try_call(name, &arguments) else { return Ok(()) };
        // A call that fails has no value to take the type from.
        let known: Vec<_> = arguments.iter().map(|argument| argument.type_of().into()).collect();
        let ty = match &at_once {
            Ok(value) => value.type_of(),
            Err(_) => Native::by_name(name).unwrap().result(&known).unwrap(),
        };
        prop_assume!(ty.is_fixed() && arguments.iter().all(|argument| argument.type_of().is_fixed()));
        let program = program(name, &arguments, ty.clone());
        let graph = build(&program, &[0]).unwrap();
        let layout = Layout { slots: vec![Access::Same; graph.slots.len()] };
        let inputs: Vec<Vec<f64>> = program.inputs.iter().map(|input| arguments[input.scope_index].scalars().unwrap()).collect();
        let feeds: Vec<Feed<'_>> = graph.slots.iter()
            .map(|slot| Feed::Same(inputs[slot.input.0 as usize][slot.element as usize])).collect();
        let mut outputs = vec![vec![0.0]; ty.scalars().unwrap()];
        let mut slices: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let bad = ColumnProgram::new(&graph, &layout).run(&feeds, &[], 0..1, &mut slices);
        match (at_once, bad) {
            (Ok(value), None) => {
                let expected: Vec<u64> = value.scalars().unwrap().iter().map(|x| x.to_bits()).collect();
                let found: Vec<u64> = outputs.iter().map(|column| column[0].to_bits()).collect();
                prop_assert_eq!(expected, found, "{} of {:?} in\n{}", name, arguments, graph);
            }
            (Err(fault), None) => prop_assert!(false, "{} of {:?}: {:?} was not found in\n{}", name, arguments, fault, graph),
            // Executors may report a row in vain, for a node computed early and never needed; natives have
            // none such.
            (Ok(_), Some(_)) => prop_assert!(false, "{} of {:?} is not bad in\n{}", name, arguments, graph),
            (Err(_), Some(_)) => {}
        }
    }
}
