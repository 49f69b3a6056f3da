//! The programs that the checker makes: what names mean in them, what they read and give, and that nothing
//! dangles.

use crate::support::{Lab, definitions, library, pair, said};
use gedanken_lang::check::{Binding, Checked, check_expression, infer_type};
use gedanken_lang::program::{Expr, ExprKind, OutputKind, Phase, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::{Dim, Type};

/// A program in one line for each function, with `read x` for stored values and `f()` for calls.
fn text(program: &Program) -> String {
    let line = |function: &gedanken_lang::program::Function| {
        let phase = if function.phase == Phase::Start { " at start" } else { "" };
        let params = if function.params.is_empty() {
            String::new()
        } else {
            format!("({})", function.params.join(", "))
        };
        format!("{}{params}{phase} = {}\n", function.name, expr(program, &function.body))
    };
    program.functions.iter().map(line).collect()
}

fn expr(program: &Program, it: &Expr) -> String {
    let list = |several: &[Expr]| several.iter().map(|one| expr(program, one)).collect::<Vec<_>>().join(", ");
    match &it.kind {
        ExprKind::Real(real) => real.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::Param(index) => format!("${index}"),
        ExprKind::Input(id) => format!("read {}", program.input(*id).name),
        ExprKind::Call(id, arguments) => {
            let function = program.function(*id);
            let phase = if function.phase == Phase::Start { "@start" } else { "" };
            format!("{}{phase}({})", function.name, list(arguments))
        }
        ExprKind::Native(native, arguments) => format!("{}({})", native.entry().name, list(arguments)),
        ExprKind::Unary(operator, operand) => format!("{}{}", operator.sign(), expr(program, operand)),
        ExprKind::Binary(operator, _, left, right) => {
            format!("({} {} {})", expr(program, left), operator.sign(), expr(program, right))
        }
        ExprKind::If(condition, then, otherwise) => format!(
            "if {} then {} else {}",
            expr(program, condition),
            expr(program, then),
            expr(program, otherwise)
        ),
        ExprKind::Vector(elements) => format!("[{}]", list(elements)),
        ExprKind::Sequence(elements) => format!("{{{}}}", list(elements)),
    }
}

fn fall(body: &str) -> Checked {
    let lab = Lab::new(&pair("free fall", "dynamic", "dynamic", body));
    lab.check(0).unwrap_or_else(|diagnostics| panic!("{}", said(&lab.sources, &diagnostics)))
}

#[test]
fn names_mean_laws_kept_values_and_stored_values() {
    let checked = fall(
        "functions = {
           position = pos0 + v * t + shift(mass)
           pos0 = position + shift(v # 1)
           v = speed * previous(v)
           speed = norm(v0)
           v0 = a
           unused = norm(v) + norm(pos0)
           shift(x) = x * v
         }
         attributes = {pos0, v0}
         compute_first_time_only_attributes = {pos0}",
    );
    insta::assert_snapshot!(text(&checked.program), @r"
    position = ((read pos0 + (v() * read t)) + shift(read mass))
    pos0 at start = (read position + shift@start((read v # 1)))
    v = (speed() * read previous(v))
    speed = norm(v0())
    v0 = read a
    unused = (norm(v()) + norm(read pos0))
    shift(x) = ($0 * v())
    shift(x) at start = ($0 * read v)
    ");
}

#[test]
fn a_first_time_attribute_may_build_on_another_one() {
    let checked = fall(
        "functions = {
           v0 = v
           speed0 = norm(v0) + mass
           mass = 2 * mass0
           mass0 = mass
           v = v0 * speed0
         }
         attributes = {v0, speed0, mass0}
         compute_first_time_only_attributes = {v0, speed0, mass0}",
    );
    insta::assert_snapshot!(text(&checked.program), @r"
    v0 at start = read v
    speed0 at start = (norm(v0@start()) + read mass)
    mass = (2 * read mass0)
    mass0 at start = read mass
    v = (read v0 * read speed0)
    ");
    let types: Vec<_> = checked.program.outputs.iter().map(|output| output.ty.clone()).collect();
    assert_eq!(types, [Type::vector(3), Type::Real, Type::Real, Type::Real, Type::vector(3)]);
}

#[test]
fn an_object_attribute_computed_first_time_reads_its_stored_value() {
    let checked = fall(
        "functions = { v = 2 * v  position = v * t }
         compute_first_time_only_attributes = {v}",
    );
    insta::assert_snapshot!(text(&checked.program), @r"
    v at start = (2 * read v)
    position = (read v * read t)
    ");
}

#[test]
fn an_attribute_with_a_rate_means_its_integrated_value() {
    let checked = fall("functions = { v' = a - 0.1 * v  position' = v  mass = norm(v) }");
    insta::assert_snapshot!(text(&checked.program), @r"
    v' = (read a - (0.1 * read v))
    position' = read v
    mass = norm(read v)
    ");
    let kinds: Vec<_> = checked.program.outputs.iter().map(|it| (it.name.as_str(), it.kind)).collect();
    assert_eq!(kinds, [("v", OutputKind::Rate), ("position", OutputKind::Rate), ("mass", OutputKind::Law)]);
}

#[test]
fn inputs_are_those_that_are_read_in_the_order_of_the_scope() {
    let checked = fall("functions = { position = t * v + previous(position) + a + dt * previous(v) }");
    let inputs: Vec<_> = checked.program.inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["previous(position)", "v", "previous(v)", "dt", "t", "a"]);
    for input in &checked.program.inputs {
        let variable = &checked.scope.variables[input.scope_index];
        assert_eq!(Some(&input.ty), variable.ty.as_ref());
        assert!(input.name.contains(&variable.name));
    }
}

#[test]
fn bindings_say_what_a_name_stands_for() {
    let lab = Lab::new(&pair(
        "collision",
        "dynamic",
        "static",
        "attributes = {v_before}
         compute_first_time_only_attributes = {v_before}
         aliases = {
           use floor_v as attribute v of object with index 1
           use n as attribute collisionNormal of object with index 1
           use far as attribute pos of object second
         }
         functions = {
           v_before = v
           v = v_before + floor_v + n + collisionNormal + collisionPoint + far + a
         }",
    ));
    let checked = lab.check(0).unwrap();
    let binding = |name: &str| {
        let variable = checked.scope.variables.iter().find(|variable| variable.name == name).unwrap();
        variable.binding.clone()
    };
    let object = |index, attribute: &str| Binding::Object { index, attribute: attribute.to_owned() };
    let engine = |index, name: &str| Binding::Engine { index, name: name.to_owned() };
    assert_eq!(binding("v"), object(0, "v"));
    assert_eq!(binding("pos"), object(0, "position"));
    assert_eq!(binding("radius"), object(0, "size"));
    assert_eq!(binding("floor_v"), object(1, "v"));
    assert_eq!(binding("v_before"), Binding::Context { index: 0, attribute: "v_before".to_owned() });
    assert_eq!(binding("n"), engine(Some(1), "collisionNormal"));
    assert_eq!(binding("collisionNormal"), engine(Some(0), "collisionNormal"));
    assert_eq!(binding("collisionPoint"), engine(None, "collisionPoint"));
    assert_eq!(binding("dt"), engine(None, "dt"));
    assert_eq!(binding("t"), Binding::World { name: "t".to_owned() });
    let far = Binding::Named { object: "second".to_owned(), attribute: "position".to_owned() };
    assert_eq!(binding("far"), far);
}

#[test]
fn a_law_under_one_name_is_read_under_all() {
    let checked = fall(
        "aliases = { use mine as attribute v of object with index 0 }
         functions = { mine = [1, 0, 0]  position = v + previous(v)  size = norm(pos) * radius0  radius0 = 1 }",
    );
    insta::assert_snapshot!(text(&checked.program), @r"
    mine = [1, 0, 0]
    position = (mine() + read previous(v))
    size = (norm(position()) * radius0())
    radius0 = 1
    ");
}

#[test]
fn only_imported_functions_that_are_reached_are_there() {
    let lab = Lab::with_library(
        &pair("free fall", "dynamic", "dynamic", "functions = { mass = f(1) }"),
        "f(x) = g(x) + 1\ng(x) = 2 * x\nunreached(x) = x\ng(x) = 3 * x",
    );
    insta::assert_snapshot!(text(&lab.check(0).unwrap().program), @r"
    mass = f(1)
    f(x) = (g($0) + 1)
    g(x) = (3 * $0)
    ");
}

#[test]
fn contacts_have_their_sums_and_matrices() {
    let lab = Lab::new(&pair(
        "contact",
        "dynamic",
        "static",
        "geometric_data_directions = {[0,0,1], [0,0,-1]}
         functions = {
           force = if hasPathToStaticObjectDirVec2 then total * normal else vSumDirVec1
           total = mass + massSumDirVec1
           normal = collisionNormalsDirVec2 # 1
           v = force
         }",
    ));
    let checked = lab.check(0).unwrap();
    let of = |name: &str| checked.types.of(checked.program.find(name).unwrap()).clone();
    assert_eq!(of("total"), Type::Real);
    assert_eq!(of("normal"), Type::vector(3));
    assert_eq!(of("force"), Type::vector(3));
    let normals =
        checked.program.inputs.iter().find(|input| input.name == "collisionNormalsDirVec2").unwrap();
    assert_eq!(normals.ty, Type::Matrix(Dim::Any, Dim::Is(3)));
}

#[test]
fn types_of_a_library() {
    let text = "n = 3
        id = identityMatrix(n)
        f(x) = x * id
        v = f(2) * [1, 2, 3]
        half(x) = x / 2
        reals = half(1)
        vectors = half([1, 2])
        list(k) = if k == 0 then {} else {[k, k]} ++ list(k - 1)";
    let (_, checked) = library(text);
    let checked = checked.unwrap();
    let of = |name: &str| checked.types.of(checked.program.find(name).unwrap()).clone();
    assert_eq!(of("n"), Type::Real);
    assert_eq!(of("id"), Type::matrix(3, 3));
    assert_eq!(of("v"), Type::vector(3));
    assert_eq!(of("half"), Type::Unknown, "a real for one call, a vector for another");
    assert_eq!(of("vectors"), Type::vector(2));
    assert!(matches!(of("list"), Type::Sequence(_)));
}

/// The expression, and the type it is inferred to have; or the codes of what is wrong.
fn session(text: &str, known: &str) -> Result<Type, Vec<&'static str>> {
    let (_, definitions) = definitions(known);
    let mut sources = Sources::new();
    let id = sources.add("[1]", text);
    let (file, _) = parse(&sources, id, Dialect::Expression);
    let [Item::Evaluate(expression)] = file.items.as_slice() else { panic!("{file:?}") };
    let (program, id) = check_expression(expression, &definitions)
        .map_err(|diagnostics| diagnostics.iter().map(|it| it.code.as_str()).collect::<Vec<_>>())?;
    assert!(program.function(id).params.is_empty());
    assert_eq!(dangling(&program), None);
    Ok(infer_type(&program, id))
}

#[test]
fn expressions_of_a_session() {
    assert_eq!(session("1 + 2", ""), Ok(Type::Real));
    assert_eq!(session("f([1, 2])", "f(x) = 2 * x"), Ok(Type::vector(2)));
    assert_eq!(
        session("f([1, 2])", "f(x) = 1  f(x) = 2 * x"),
        Ok(Type::vector(2)),
        "the last definition counts"
    );
    assert_eq!(session("{1} ++ {2}", ""), Ok(Type::Sequence(Box::new(Type::Real))));
    // Types are looked at when it runs.
    assert_eq!(session("1 + [1, 2]", ""), Ok(Type::Unknown));
    assert_eq!(session("loop", "loop = loop"), Ok(Type::Unknown));
    // Only what is reached has to make sense.
    assert_eq!(session("good", "good = 1  bad = nonsense"), Ok(Type::Real));
    assert_eq!(session("bad + other", "bad = nonsense"), Err(vec!["E201", "E201"]));
    assert_eq!(session("f(1, 2)", "f(x) = x"), Err(vec!["E202"]));
    assert_eq!(session("previous(x)", "x = 1"), Err(vec!["E208"]));
}

/// The first id that points nowhere.
fn dangling(program: &Program) -> Option<String> {
    fn look(program: &Program, params: usize, it: &Expr) -> Option<String> {
        let parts: Vec<&Expr> = match &it.kind {
            ExprKind::Real(_) | ExprKind::Bool(_) => vec![],
            ExprKind::Param(index) if (*index as usize) < params => vec![],
            ExprKind::Input(id) if (id.0 as usize) < program.inputs.len() => vec![],
            ExprKind::Call(id, arguments)
                if program
                    .functions
                    .get(id.0 as usize)
                    .is_some_and(|it| it.params.len() == arguments.len()) =>
            {
                arguments.iter().collect()
            }
            ExprKind::Param(_) | ExprKind::Input(_) | ExprKind::Call(..) => return Some(format!("{it:?}")),
            ExprKind::Native(native, arguments) if native.entry().params.len() == arguments.len() => {
                arguments.iter().collect()
            }
            ExprKind::Native(..) => return Some(format!("{it:?}")),
            ExprKind::Unary(_, operand) => vec![operand],
            ExprKind::Binary(_, _, left, right) => vec![left, right],
            ExprKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Vector(several) | ExprKind::Sequence(several) => several.iter().collect(),
        };
        parts.into_iter().find_map(|part| look(program, params, part))
    }
    let in_functions = || program.functions.iter().find_map(|it| look(program, it.params.len(), &it.body));
    let in_outputs = || {
        let whole =
            |function: u32| program.functions.get(function as usize).is_some_and(|it| it.params.is_empty());
        program.outputs.iter().find(|output| !whole(output.function.0)).map(|output| output.name.clone())
    };
    in_functions().or_else(in_outputs)
}

mod whatever_the_text {
    use super::{Lab, dangling, pair};
    use crate::support;
    use gedanken_lang::check::{Library, check_context, check_library};
    use gedanken_lang::source::Sources;
    use gedanken_lang::syntax::tree::Item;
    use gedanken_lang::syntax::{Dialect, parse};
    use proptest::prelude::*;

    /// Pieces that meet in all kinds of nonsense, and sometimes in sense.
    const PIECES: &[&str] = &[
        "a",
        "b",
        "f",
        "v",
        "position",
        "pos",
        "v0",
        "t",
        "dt",
        "previous",
        "norm",
        "identityMatrix",
        "x",
        "mass",
        "(",
        ")",
        "(x)",
        "(x, y)",
        "[",
        "]",
        "{",
        "}",
        ",",
        "=",
        "= ",
        "'",
        "+",
        "-",
        "*",
        "/",
        ".",
        "#",
        "^",
        "++",
        "==",
        "<",
        "&",
        "|",
        "!",
        "if",
        "then",
        "else",
        "true",
        "1",
        "2",
        "3",
        "0.5",
        "[1,2,3]",
        "{1}",
        "f(1)",
        "previous(v)",
        "\n",
        "a = ",
        "b = ",
        "f(x) = ",
        "f(x, y) = ",
        "v = ",
        "v' = ",
        "position = ",
        "v0 = ",
        "head",
        "tail",
        "sum",
        "VFLangNative.",
    ];

    fn soup() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_library_is_checked_to_an_end(text in soup()) {
            let mut sources = Sources::new();
            let id = sources.add("text", text);
            let (file, said) = parse(&sources, id, Dialect::Library);
            match check_library(&file.into_definitions(), &Library::default()) {
                Ok(checked) => prop_assert_eq!(dangling(&checked.program), None),
                Err(diagnostics) => {
                    prop_assert!(!said.is_empty() || diagnostics.iter().any(|it| it.is_error()), "nothing is said");
                    prop_assert!(!support::said(&sources, &diagnostics).contains("`$"));
                }
            }
        }

        #[test]
        fn a_context_is_checked_to_an_end(text in soup(), kind in 0..3_usize, first in soup()) {
            let kind = ["free fall", "collision", "contact"][kind];
            let lab = Lab::new(&pair("free fall", "dynamic", "static", ""));
            let mut sources = lab.sources.clone();
            let block = format!(
                "context {{ type = {kind} attributes = {{v0, {}}} compute_first_time_only_attributes = {{v0}}
                   aliases = {{ use a as attribute v of object with index 0 use b as attribute pos of object with index 1 }}
                   geometric_data_directions = {{[0,0,1]}} functions = {{ {text} }} }}",
                first.split_whitespace().next().unwrap_or("w0")
            );
            let id = sources.add("block", block);
            let (file, said) = parse(&sources, id, Dialect::Experiment);
            for item in &file.items {
                let Item::Block(block) = item else { continue };
                match check_context(block, &lab.signature, &lab.library) {
                    Ok(checked) => prop_assert_eq!(dangling(&checked.program), None),
                    Err(diagnostics) => prop_assert!(!said.is_empty() || diagnostics.iter().any(|it| it.is_error())),
                }
            }
        }
    }
}

/// Texts that would take a recursive or forgetful checker forever, or its stack.
mod large {
    use super::{dangling, library};
    use gedanken_lang::check::{Library, check_library};
    use gedanken_lang::types::Type;
    use std::fmt::Write;

    fn checked_type(text: &str, name: &str) -> Type {
        let (_, checked) = library(text);
        let checked = checked.unwrap();
        assert_eq!(dangling(&checked.program), None);
        checked.types.of(checked.program.find(name).unwrap()).clone()
    }

    #[test]
    fn a_long_chain_of_values() {
        let mut text = String::new();
        for i in 0..10_000 {
            writeln!(text, "a{i} = a{}", i + 1).unwrap();
        }
        text.push_str("a10000 = [1, 2, 3]");
        assert_eq!(checked_type(&text, "a0"), Type::vector(3));
    }

    #[test]
    fn a_long_chain_of_calls() {
        let mut text = String::from("start = a0([1, 2])\n");
        for i in 0..10_000 {
            writeln!(text, "a{i}(x) = a{}(x)", i + 1).unwrap();
        }
        text.push_str("a10000(x) = x . x");
        assert_eq!(checked_type(&text, "start"), Type::Real);
    }

    #[test]
    fn a_long_circle() {
        let mut text = String::new();
        for i in 0..10_000 {
            writeln!(text, "a{i} = a{}", (i + 1) % 10_000).unwrap();
        }
        let diagnostics = library(&text).1.unwrap_err();
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].message.contains("a0 -> a1 -> a2"), "{}", diagnostics[0].message);
        assert!(diagnostics[0].message.ends_with("a9999 -> a0"), "{}", diagnostics[0].message);
    }

    #[test]
    fn a_tree_of_calls_with_two_to_the_thousand_leaves() {
        let mut text = String::from("start = f0(1)\n");
        for i in 0..1000 {
            writeln!(text, "f{i}(x) = f{}(2 * x) + f{}(2 * x + 1)", i + 1, i + 1).unwrap();
        }
        text.push_str("f1000(x) = x");
        assert_eq!(checked_type(&text, "start"), Type::Real);
    }

    #[test]
    fn sequences_of_sequences_without_end() {
        let mut text = String::from("start = f0(1)\n");
        for i in 0..1000 {
            writeln!(text, "f{i}(x) = f{}({{x}})", i + 1).unwrap();
        }
        text.push_str(
            "f1000(x) = x\ngrow(x, y) = if x == {} then y else grow({x, x}, {y})\nlast = grow({}, {})",
        );
        assert!(matches!(checked_type(&text, "start"), Type::Sequence(_) | Type::Unknown));
    }

    /// Only the checker has to do with the stack of a test here; reading gets a larger one.
    #[test]
    fn the_tallest_expression() {
        let open = "(".repeat(250);
        let close = ")".repeat(250);
        let sum = vec!["1"; 500].join(" + ");
        let choices = "if true then 1 else ".repeat(250);
        let text = format!("a = {open}1{close}\nb = {sum}\nc = {choices}1");
        let reader = std::thread::Builder::new().stack_size(16 << 20);
        let definitions = reader.spawn(move || super::definitions(&text).1).unwrap().join().unwrap();
        let checked = check_library(&definitions, &Library::default()).unwrap();
        assert_eq!(dangling(&checked.program), None);
        for name in ["a", "b", "c"] {
            assert_eq!(*checked.types.of(checked.program.find(name).unwrap()), Type::Real);
        }
    }
}
