//! Graphs that the builder makes of programs: the text form of a known one, what is asked for in which arm,
//! and what stays with the evaluator, in which words.

use gedanken_lang::check::{Binding, Library, Scope, Variable, VariableKind, check};
use gedanken_lang::ir::{
    Access, ColumnProgram, Executor, Feed, Graph, Layout, NotFixed, Schedule, build, placement,
};
use gedanken_lang::program::{OutputKind, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::{Dim, Type};
use insta::assert_snapshot;
use std::fmt::Write;

fn variable(name: &str, ty: Option<Type>, kind: VariableKind) -> Variable {
    let binding = match kind {
        VariableKind::Given => Binding::Engine { index: None, name: name.to_owned() },
        _ => Binding::Object { index: 0, attribute: name.to_owned() },
    };
    Variable { name: name.to_owned(), ty, kind, declared: None, binding }
}

/// Attributes `x`, `y`, `z` (reals), `p`, `q` (vectors of 3), `on` (a boolean), `rows` (of a shape nobody
/// knows); `t`.
pub(super) fn scope() -> Scope {
    let attribute = |name, ty| variable(name, Some(ty), VariableKind::Attribute);
    Scope {
        variables: vec![
            variable("t", Some(Type::Real), VariableKind::Given),
            attribute("x", Type::Real),
            attribute("y", Type::Real),
            attribute("z", Type::Real),
            attribute("p", Type::vector(3)),
            attribute("q", Type::vector(3)),
            attribute("on", Type::Bool),
            variable("rows", Some(Type::Matrix(Dim::Any, Dim::Is(3))), VariableKind::Given),
        ],
        continuous: true,
        ..Scope::default()
    }
}

pub(super) fn program_in(text: &str, scope: &Scope) -> Program {
    let mut sources = Sources::new();
    let source = sources.add("test", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    check(&file.into_definitions(), &Library::default(), scope).unwrap().program
}

fn graph_of(text: &str) -> Result<Graph, NotFixed> {
    let program = program_in(text, &scope());
    let all: Vec<usize> = (0..program.outputs.len()).collect();
    let graph = build(&program, &all)?;
    Schedule::new(&graph).validate(&graph).unwrap();
    Ok(graph)
}

/// One row through the column evaluator: the outputs, or `None` if it is bad.
fn run(graph: &Graph, slots: &[(&str, f64)]) -> Option<Vec<f64>> {
    let of = |name: &String| slots.iter().find(|(slot, _)| slot == name).unwrap().1;
    let columns: Vec<[f64; 1]> = graph.slot_names.iter().map(|name| [of(name)]).collect();
    let feeds: Vec<Feed<'_>> = columns.iter().map(|column| Feed::Column(column)).collect();
    let program = ColumnProgram::new(graph, &Layout { slots: vec![Access::Each; columns.len()] });
    let mut results = vec![[0.0]; graph.outputs.iter().map(|output| output.nodes.len()).sum()];
    let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(|column| &mut column[..]).collect();
    let bad = program.run(&feeds, &[], 0..1, &mut outputs);
    bad.is_none().then(|| results.iter().map(|column| column[0]).collect())
}

/// The thesis's free fall: position and velocity from what they were when the fall began.
#[test]
fn free_fall_in_words() {
    let first = |name| variable(name, None, VariableKind::FirstTime);
    let attribute = |name| variable(name, Some(Type::vector(3)), VariableKind::Attribute);
    let scope = Scope {
        variables: vec![
            variable("t", Some(Type::Real), VariableKind::Given),
            attribute("a"),
            attribute("position"),
            attribute("v"),
            first("t0"),
            first("v0"),
            first("pos0"),
        ],
        continuous: true,
        ..Scope::default()
    };
    let text = "
        t0 = t
        pos0 = position
        v0 = v
        v = v0 + a*(t - t0)
        position = pos0 + v0*(t - t0) + 0.5*a*(t - t0)^2
    ";
    let program = program_in(text, &scope);
    let laws: Vec<usize> =
        (0..program.outputs.len()).filter(|&index| program.outputs[index].kind == OutputKind::Law).collect();
    assert_snapshot!(build(&program, &laws).unwrap(), @r"
    %0 = v0#1
    %1 = v0#2
    %2 = v0#3
    %3 = a#1
    %4 = a#2
    %5 = a#3
    %6 = t
    %7 = t0
    %8 = sub %6 %7
    %9 = mul %3 %8
    %10 = mul %4 %8
    %11 = mul %5 %8
    %12 = add %0 %9
    check %12
    %13 = add %1 %10
    check %13
    %14 = add %2 %11
    check %14
    %15 = pos0#1
    %16 = pos0#2
    %17 = pos0#3
    %18 = mul %0 %8
    %19 = mul %1 %8
    %20 = mul %2 %8
    %21 = add %15 %18
    %22 = add %16 %19
    %23 = add %17 %20
    %24 = 0.5
    %25 = mul %24 %3
    %26 = mul %24 %4
    %27 = mul %24 %5
    %28 = mul %8 %8
    %29 = mul %25 %28
    %30 = mul %26 %28
    %31 = mul %27 %28
    %32 = add %21 %29
    check %32
    %33 = add %22 %30
    check %33
    %34 = add %23 %31
    check %34
    v = [%12, %13, %14]
    position = [%32, %33, %34]
    ");
    let start: Vec<usize> = (0..program.outputs.len()).filter(|index| !laws.contains(index)).collect();
    assert_snapshot!(build(&program, &start).unwrap(), @r"
    %0 = t
    %1 = position#1
    %2 = position#2
    %3 = position#3
    %4 = v#1
    %5 = v#2
    %6 = v#3
    start t0 = %0
    start pos0 = [%1, %2, %3]
    start v0 = [%4, %5, %6]
    ");
}

#[test]
fn arms_compute_and_check_what_only_they_need() {
    let graph = graph_of("x = if on then sqrt(y) + 1/z else norm(p)").unwrap();
    assert_snapshot!(graph, @r"
    %0 = 0.0
    %1 = on
    %2 = ne %1 %0
    %18 = if %2
    then
      %3 = y
      %4 = sqrt %3
      %5 = 1.0
      %6 = z
      %7 = div %5 %6
      %8 = add %4 %7
      give %8
    else
      %9 = p#1
      %10 = p#2
      %11 = p#3
      %12 = mul %9 %9
      %13 = mul %10 %10
      %14 = add %12 %13
      %15 = mul %11 %11
      %16 = add %14 %15
      %17 = sqrt %16
      give %17
    %19 = result 1 of %18
    check %19
    x = %19
    ");
}

/// Short arms whose results show everything that can go wrong in them are both computed.
#[test]
fn short_arms_become_a_selection() {
    let graph = graph_of("x = if y > 0 then y*y + 1 else -y").unwrap();
    assert_snapshot!(graph, @r"
    %0 = 0.0
    %1 = y
    %2 = lt %0 %1
    %3 = mul %1 %1
    %4 = 1.0
    %5 = add %3 %4
    %6 = neg %1
    %7 = select %2 %5 %6
    check %7
    x = %7
    ");
    assert_eq!(run(&graph, &[("y", 2.0)]), Some(vec![5.0]));
    assert_eq!(run(&graph, &[("y", -2.0)]), Some(vec![2.0]));
    assert_eq!(run(&graph, &[("y", 1e200)]), None);
    // The other arm overflows as well, but nobody asks for it.
    assert_eq!(run(&graph, &[("y", -1e200)]), Some(vec![1e200]));
}

/// A sum that overflows inside an arm, and is compared there, does not show in the arm's result.
#[test]
fn what_an_arm_hides_is_checked_in_it() {
    let graph = graph_of("x = if on then (if y + z > 0 then 1 else 2) else 3").unwrap();
    assert_eq!(run(&graph, &[("on", 1.0), ("y", 1e308), ("z", 1e308)]), None);
    assert_eq!(run(&graph, &[("on", 0.0), ("y", 1e308), ("z", 1e308)]), Some(vec![3.0]));
}

#[test]
fn a_helper_fails_only_where_it_is_asked_for() {
    let graph = graph_of("h = 1/y  x = if y == 0 then 7 else h  z = if on then h else 5").unwrap();
    assert_eq!(run(&graph, &[("y", 0.0), ("on", 0.0)]), Some(vec![7.0, 5.0]));
    assert_eq!(run(&graph, &[("y", 0.0), ("on", 1.0)]), None);
    assert_eq!(run(&graph, &[("y", 4.0), ("on", 1.0)]), Some(vec![0.25, 0.25]));
}

/// Demands of a function belong to the function, also if its first caller had asked for the same before.
#[test]
fn a_function_asks_for_itself_wherever_it_is_called() {
    let text =
        "f(a) = 1/a > 2  x = if on then (if 1/y > 1 & f(y) then 1 else 2) else (if f(y) then 3 else 4)";
    let graph = graph_of(text).unwrap();
    assert_eq!(run(&graph, &[("on", 1.0), ("y", 0.0)]), None);
    assert_eq!(run(&graph, &[("on", 0.0), ("y", 0.0)]), None);
    assert_eq!(run(&graph, &[("on", 0.0), ("y", 0.25)]), Some(vec![3.0]));
}

/// Arguments are computed before the call, whether the function uses them or not.
#[test]
fn an_argument_is_demanded_though_unused() {
    let graph = graph_of("second(a, b) = b  x = second(1/y, 3)").unwrap();
    assert_eq!(run(&graph, &[("y", 0.0)]), None);
    assert_eq!(run(&graph, &[("y", 1.0)]), Some(vec![3.0]));
}

#[test]
fn the_right_side_of_a_logical_operator_is_looked_at_only_if_it_must() {
    let graph = graph_of("on = y != 0 & 1/y < z").unwrap();
    assert_eq!(run(&graph, &[("y", 0.0), ("z", 0.0)]), Some(vec![0.0]));
    assert_eq!(run(&graph, &[("y", 1.0), ("z", 2.0)]), Some(vec![1.0]));
    assert_eq!(run(&graph, &[("y", 5e-324), ("z", 2.0)]), None);
    let graph = graph_of("on = y == 0 | 1/y < z").unwrap();
    assert_eq!(run(&graph, &[("y", 0.0), ("z", 0.0)]), Some(vec![1.0]));
    // Two comparisons cannot fail: no branch.
    assert_snapshot!(graph_of("on = x < y & y < z | z == 0").unwrap(), @r"
    %0 = 0.0
    %1 = x
    %2 = y
    %3 = lt %1 %2
    %4 = z
    %5 = lt %2 %4
    %6 = and %3 %5
    %7 = eq %4 %0
    %8 = or %6 %7
    on = %8
    ");
}

/// Constants are folded, but neither across a failure nor against the rules of zero.
#[test]
fn constants_are_folded_to_the_bit() {
    assert_snapshot!(graph_of("x = 2*pi/3 + sine(1)*1e-3").unwrap(), @r"
    %0 = 2.095236573378003
    x = %0
    ");
    assert_snapshot!(graph_of("x = y*1 + 0  z = -(-y)/1").unwrap(), @r"
    %0 = 0.0
    %1 = y
    %2 = add %1 %0
    check %2
    x = %2
    z = %1
    ");
    let graph = graph_of("h = 1/0  x = if y > 0 then 1 else h").unwrap();
    assert_eq!(run(&graph, &[("y", 1.0)]), Some(vec![1.0]));
    assert_eq!(run(&graph, &[("y", 0.0)]), None);
    // A condition that is known leaves one arm only.
    assert_snapshot!(graph_of("x = if 1 < 2 then y else 1/z").unwrap(), @r"
    %0 = y
    x = %0
    ");
}

/// An index that is out of range for sure fails when it is asked for, whatever the shape would have been.
#[test]
fn a_certain_failure_has_any_shape() {
    let graph = graph_of("p = if on then [[1, 2, 3], [4, 5, 6]] # floor(9.5) else q").unwrap();
    let slots = [("on", 0.0), ("q#1", 1.0), ("q#2", 2.0), ("q#3", 3.0)];
    assert_eq!(run(&graph, &slots), Some(vec![1.0, 2.0, 3.0]));
    assert_eq!(run(&graph, &[("on", 1.0), slots[1], slots[2], slots[3]]), None);
}

#[test]
fn what_is_not_fixed_says_why() {
    let why = |text: &str| graph_of(text).unwrap_err().to_string();
    assert_snapshot!(why("gauss(n) = if n < 1 then 0 else n + gauss(n - 1)  x = gauss(y)"), @"law `x` runs in the evaluator because `gauss` calls itself");
    assert_snapshot!(why("f(n) = if n < 1 then 0 else g(n)  g(n) = f(n - 1)  h = f(y)  x = 2*h"), @"law `x` runs in the evaluator because `f` calls itself");
    assert_snapshot!(why("list = {1, y}  x = length(list)"), @"law `x` runs in the evaluator because `list` uses a sequence");
    assert_snapshot!(why("x = norm(rows # 1)"), @"law `x` runs in the evaluator because the shape of `rows` is known only when it runs");
}

#[test]
fn placement_tells_each_output() {
    let text = "gauss(n) = if n < 1 then 0 else n + gauss(n - 1)  x = gauss(y)  z = y + 1  p' = x * q";
    let told: String = placement(&program_in(text, &scope()))
        .iter()
        .map(|placement| match &placement.native {
            Ok(()) => format!("{}: native\n", placement.output),
            Err(reason) => format!("{}: {reason}\n", placement.output),
        })
        .collect();
    assert_snapshot!(told, @r"
    0: law `x` runs in the evaluator because `gauss` calls itself
    1: native
    2: rate `p'` runs in the evaluator because `gauss` calls itself
    ");
}

/// Test threads have 2 MB of stack, and this is not optimised: whatever is long here must be refused or
/// walked in a loop.
#[test]
fn long_programs_do_not_exhaust_the_stack() {
    let mut chain = "h0 = x\n".to_owned();
    let mut branches = "h0 = x\n".to_owned();
    let mut calls = "f0(a) = a\n".to_owned();
    for k in 1..=6000 {
        let _ = writeln!(chain, "h{k} = h{} + {k}", k - 1);
        let _ = writeln!(branches, "h{k} = if y < {k} then 1/h{} else {k}", k - 1);
        let _ = writeln!(calls, "f{k}(a) = f{}(a) + {k}", k - 1);
    }
    let graph = graph_of(&(chain.clone() + "z = h4900")).unwrap();
    assert_eq!(run(&graph, &[("x", 0.5)]), Some(vec![0.5 + f64::from(4900 * 4901 / 2)]));
    assert_snapshot!(graph_of(&(chain + "z = h6000")).unwrap_err(), @"law `z` runs in the evaluator because its calls nest deeper than 5000");
    assert_snapshot!(graph_of(&(branches + "z = h600")).unwrap_err(), @"law `z` runs in the evaluator because its `if`s nest deeper than 256");
    assert_snapshot!(graph_of(&(calls + "z = f600(x)")).unwrap_err(), @"law `z` runs in the evaluator because its calls and expressions nest deeper than 400");
    // As tall as an expression can be.
    let sum = format!("z = x{}", " + y".repeat(500));
    assert_eq!(run(&graph_of(&sum).unwrap(), &[("x", 1.0), ("y", 2.0)]), Some(vec![1001.0]));
    let ladder =
        format!("z = {}y", (0..200).map(|k| format!("if x < {k} then {k}/y else ")).collect::<String>());
    assert_eq!(run(&graph_of(&ladder).unwrap(), &[("x", 149.5), ("y", 2.0)]), Some(vec![75.0]));
    let nested = format!("z = {}y{}", "if x > 0 then abs(1/(".repeat(40), ")) else 2".repeat(40));
    assert_eq!(run(&graph_of(&nested).unwrap(), &[("x", 1.0), ("y", -2.0)]), Some(vec![2.0]));
}

#[test]
fn programs_that_take_too_long_are_refused_quickly() {
    // Few operations, since both calls are one; but the evaluator makes 2³⁹.
    let mut text = "h0(a) = sine(a)\n".to_owned();
    for k in 1..40 {
        let _ = writeln!(text, "h{k}(a) = h{}(a) + h{}(a)", k - 1, k - 1);
    }
    assert_snapshot!(graph_of(&(text + "z = h39(x)")).unwrap_err(), @"law `z` runs in the evaluator because it may take more than 1000000 steps");
    // Helpers without parameters are computed once: here the evaluator needs no longer than anybody.
    let mut text = "h0 = 1e-9*x\n".to_owned();
    for k in 1..40 {
        let _ = writeln!(text, "h{k} = h{} + h{}", k - 1, k - 1);
    }
    let graph = graph_of(&(text + "z = h39")).unwrap();
    assert_eq!(run(&graph, &[("x", 1.0)]), Some(vec![1e-9 * f64::from(1 << 30) * 512.0]));
    let mut text = "h0 = x\n".to_owned();
    for k in 1..40 {
        let _ = writeln!(text, "h{k}(a) = h{}(a + {k}) * h{}(a - {k})", k - 1, k - 1);
    }
    let text = text.replacen("h0 = x", "h0(a) = sine(a)", 1);
    assert_snapshot!(graph_of(&(text + "z = h39(x)")).unwrap_err(), @"law `z` runs in the evaluator because it takes more than 100000 operations");
}
