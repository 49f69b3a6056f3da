//! Texts that grow in one dimension: so many lines, objects, attributes, functions or mistakes.

use std::fmt::Write as _;

/// A way in which a text can grow.
pub(super) struct Dimension {
    pub(super) name: &'static str,
    /// The text of a size.
    pub(super) text: fn(usize) -> String,
}

/// All dimensions.
pub(super) const DIMENSIONS: &[Dimension] = &[
    Dimension { name: "junk on one line", text: |n| "@#$%^&*".repeat(n) },
    Dimension { name: "junk in lines", text: |n| "@#$%^&*\n".repeat(n) },
    Dimension { name: "brackets that open", text: |n| format!("{}{}", "object { x = ", "(".repeat(n)) },
    Dimension { name: "brackets that close", text: |n| ") ".repeat(n) },
    Dimension { name: "names in a row", text: |n| format!("object {{ type = {} = 1 }}", "word ".repeat(n)) },
    Dimension { name: "one long name", text: |n| with_world(&format!("    {} = 1\n", "a_".repeat(n))) },
    Dimension { name: "strings that do not end", text: |n| "\"abc\n".repeat(n) },
    Dimension { name: "comments in lines", text: |n| "// nothing to say\n".repeat(n) + &ball("") },
    Dimension {
        name: "comments on one line",
        text: |n| format!("{}{}\n{}", " ".repeat(n), "/* a */".repeat(n), ball("")),
    },
    Dimension { name: "world attributes", text: |n| with_world(&lines(n, |k| format!("w{k} = {k}"))) },
    Dimension { name: "a chain of world attributes", text: |n| with_world(&chain(n)) },
    Dimension {
        name: "unknown names in the world",
        text: |n| with_world(&lines(n, |k| format!("w{k} = nix{k}"))),
    },
    Dimension {
        name: "world attributes that come later",
        text: |n| with_world(&lines(n, |k| format!("w{k} = w{}", k + 1))),
    },
    Dimension { name: "one world attribute again", text: |n| with_world(&lines(n, |_| "g = 1".to_owned())) },
    Dimension { name: "attributes of an object", text: |n| ball(&lines(n, |k| format!("a{k} = {k}"))) },
    Dimension { name: "one attribute again", text: |n| ball(&lines(n, |_| "mass = 1".to_owned())) },
    Dimension { name: "objects", text: |n| objects(n, "", "") },
    Dimension { name: "objects in a list", text: |n| objects(n, "", &listed("objects_involved", "b", n)) },
    Dimension { name: "objects without a size", text: |n| objects(n, "", "").replace("size = 0.1", "") },
    Dimension {
        name: "objects of one name",
        text: |n| repeated(n, |_| object("b", "")) + &simulation("", ""),
    },
    Dimension { name: "objects of no simulation", text: |n| objects(n, "", "objects_involved = {b0}\n") },
    Dimension { name: "unknown objects", text: |n| objects(n, "", &listed("objects_involved", "c", n)) },
    Dimension { name: "compounds in compounds", text: nested },
    Dimension { name: "functions", text: |n| laws(&lines(n, |k| format!("f{k} = {k} * t"))) },
    Dimension {
        name: "a chain of functions",
        text: |n| laws(&lines(n, |k| format!("f{} = f{k} + 1", k + 1))),
    },
    Dimension {
        name: "functions that read one",
        text: |n| laws(&lines(n, |k| format!("f{k} = position # 1 + {k}"))),
    },
    Dimension {
        name: "functions in a circle",
        text: |n| laws(&lines(n, |k| format!("g{k}(x) = g{}(x) + h(x)", (k + 1) % n))),
    },
    Dimension {
        name: "functions that need themselves",
        text: |n| laws(&lines(n, |k| format!("f{k} = f{k}"))),
    },
    Dimension { name: "unknown names in laws", text: |n| laws(&lines(n, |k| format!("f{k} = nix_{k}"))) },
    Dimension { name: "wrong types", text: |n| laws(&lines(n, |k| format!("f{k} = position + {k}"))) },
    Dimension { name: "functions of one name", text: |n| laws(&lines(n, |_| "f = 1".to_owned())) },
    Dimension { name: "rates of nothing", text: |n| laws(&lines(n, |k| format!("velocit{k}' = 1"))) },
    Dimension { name: "parameters", text: parameters },
    Dimension { name: "elements", text: |n| laws(&format!("s = norm([{}])\n", vec!["t"; n].join(", "))) },
    Dimension { name: "missing commas", text: |n| laws(&format!("s = [{}]\n", vec!["t"; n].join(" "))) },
    Dimension { name: "terms of a sum", text: |n| laws(&format!("s = {}\n", vec!["t"; n].join(" + "))) },
    Dimension { name: "attributes of a context", text: context_attributes },
    Dimension { name: "context attributes without a law", text: lawless },
    Dimension { name: "aliases", text: |n| aliases(n, "position") },
    Dimension { name: "aliases of nothing", text: |n| aliases(n, "nothing") },
    Dimension {
        name: "contexts",
        text: |n| {
            objects(1, &repeated(n, |k| context(&format!("c{k}"), "", "")), "contexts_involved = {c0}\n")
        },
    },
    Dimension { name: "contexts of objects", text: contexts_of_objects },
    Dimension { name: "collisions of objects", text: |n| meetings(n, "collision", "1 static object") },
    Dimension { name: "collisions of pairs", text: |n| meetings(n, "collision", "wall") },
    Dimension { name: "contacts of objects", text: |n| meetings(n, "contact", "wall") },
    Dimension {
        name: "simulations",
        text: |n| object("b0", "") + &repeated(n, |k| simulation(&k.to_string(), "")),
    },
    Dimension { name: "measures", text: |n| objects(1, &repeated(n, measure), "") },
    Dimension { name: "measures of objects", text: |n| objects(n, &repeated(n, measure_of), "") },
    Dimension {
        name: "unknown measures",
        text: |n| objects(1, &repeated(n, |k| measure(k).replace("# 1", "+ nix")), ""),
    },
    Dimension {
        name: "one measure of all",
        text: |n| objects(n, &format!("measure all {{\n{}    value = size\n}}\n", listed("of", "b", n)), ""),
    },
    Dimension { name: "rules", text: rules },
    Dimension { name: "rules of objects", text: |n| rules_of_objects(n, "seq") },
    Dimension { name: "rules side by side", text: |n| rules_of_objects(n, "par") },
    Dimension { name: "attributes of a rule", text: rule_attributes },
    Dimension { name: "rigid bodies", text: |n| rigid(n, "") },
    Dimension {
        name: "rigid bodies without mass",
        text: |n| rigid(n, "").replace("mass = 1", "v = [0, 0, 0]"),
    },
    Dimension { name: "joints", text: |n| rigid(n, &repeated(n, joint)) },
    Dimension { name: "forces", text: |n| rigid(n, &repeated(n, force)) },
    Dimension {
        name: "a force on all",
        text: |n| rigid(n, &format!("force f {{\n{}    force = [0, 0, 1]\n}}\n", listed("of", "b", n))),
    },
    Dimension {
        name: "materials",
        text: |n| rigid(1, &repeated(n, |k| format!("material m{k} {{\n    friction = 0.{k}\n}}\n"))),
    },
    Dimension {
        name: "unknown materials",
        text: |n| rigid(n, "").replace("    attributes", "    material = steel\n    attributes"),
    },
    Dimension { name: "parameters of a lagrangian", text: lagrangian },
];

fn repeated(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    repeated(n, |k| format!("        {}\n", line(k)))
}

/// `key = {b0, b1, …}`.
fn listed(key: &str, letter: &str, n: usize) -> String {
    let names: Vec<String> = (0..n).map(|k| format!("{letter}{k}")).collect();
    format!("    {key} = {{{}}}\n", names.join(", "))
}

fn chain(n: usize) -> String {
    "        w0 = 1\n".to_owned() + &repeated(n, |k| format!("        w{} = w{k} + 1\n", k + 1))
}

fn object(name: &str, attributes: &str) -> String {
    let place = name.trim_start_matches(char::is_alphabetic);
    let place = if place.is_empty() { "0" } else { place };
    format!(
        "object {{
    name = {name}
    physical type = dynamic
    geometrical type = sphere
    attributes = {{
        position = [{place}, 0, 0]
        size = 0.1
{attributes}    }}
}}
"
    )
}

fn simulation(name: &str, more: &str) -> String {
    format!("simulation {{\n    name = on{name}\n    duration = 1\n{more}}}\n")
}

fn context(name: &str, functions: &str, more: &str) -> String {
    format!(
        "context {{\n    name = {name}\n    type = free fall\n{more}    functions = {{\n{functions}    }}\n}}\n"
    )
}

/// One ball with these attributes.
fn ball(attributes: &str) -> String {
    object("b0", attributes) + &context("falling", "        position = [t, 0, 0]\n", "") + &simulation("", "")
}

/// One ball, and a world.
fn with_world(attributes: &str) -> String {
    format!("world attributes {{\n{attributes}}}\n") + &ball("")
}

/// One ball whose context has these functions, and a law that needs none of them.
fn laws(functions: &str) -> String {
    let functions = format!("        position = [t, 0, 0]\n        h(x) = x\n        f0 = 1\n{functions}");
    object("b0", "") + &context("falling", &functions, "") + &simulation("", "")
}

/// Balls side by side, other blocks, and a simulation with these lines.
fn objects(n: usize, blocks: &str, more: &str) -> String {
    repeated(n, |k| object(&format!("b{k}"), "")) + blocks + &simulation("", more)
}

fn nested(n: usize) -> String {
    let whole = |k: usize| {
        format!(
            "object {{
    name = b{}
    physical type = dynamic
    geometrical type = compound
    parts = {{b{k}}}
    attributes = {{
        position = [0, 0, 0]
    }}
}}
",
            k + 1
        )
    };
    object("b0", "") + &repeated(n, whole) + &simulation("", "")
}

fn parameters(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|k| format!("p{k}")).collect();
    let list = names.join(", ");
    laws(&format!("        many({list}) = norm([{list}])\n        sum = many({})\n", vec!["t"; n].join(", ")))
}

fn context_attributes(n: usize) -> String {
    let list = listed("attributes", "c", n) + &listed("compute_first_time_only_attributes", "c", n);
    let functions = lines(n, |k| format!("c{k} = t + {k}"));
    object("b0", "") + &context("falling", &functions, &list) + &simulation("", "")
}

fn lawless(n: usize) -> String {
    let list = listed("attributes", "c", n) + &listed("compute_first_time_only_attributes", "c", n);
    let functions = lines(n, |k| format!("f{k} = c{k}"));
    object("b0", "") + &context("falling", &functions, &list) + &simulation("", "")
}

fn aliases(n: usize, attribute: &str) -> String {
    let list = lines(n, |k| format!("use of_{k} as attribute {attribute} of object b{k}"));
    let functions = lines(n, |k| format!("f{k} = of_{k}"));
    let context = context("falling", &functions, &format!("    aliases = {{\n{list}    }}\n"));
    objects(n, &context, "")
}

fn contexts_of_objects(n: usize) -> String {
    let own = |k: usize| format!("    applicability = {{ mandatory b{k} }}\n");
    objects(n, &repeated(n, |k| context(&format!("c{k}"), "        position = [t, 0, 0]\n", &own(k))), "")
}

/// A context of this type for each object with a wall, and one for all others.
fn meetings(n: usize, kind: &str, with: &str) -> String {
    let of = |roles: &str| format!("    applicability = {{ mandatory {roles} }}\n");
    let typed = |text: String| text.replace("free fall", kind);
    let own = |k: usize| typed(context(&format!("c{k}"), "", &of(&format!("b{k} and {with}"))));
    let others = typed(context("others", "", &of("2 dynamic objects")));
    let wall = object("wall", "").replace("dynamic", "static");
    objects(n, &(wall + &repeated(n, own) + &others), "")
}

fn measure(k: usize) -> String {
    format!("measure m{k} {{\n    of = {{b0}}\n    value = position # 1\n}}\n")
}

fn measure_of(k: usize) -> String {
    format!(
        "measure m{k} {{\n    of = {{b{k}}}\n    value = position # 1\n    expected = 0\n    tolerance = 1\n}}\n"
    )
}

fn rules(n: usize) -> String {
    let rule = |k: usize| {
        format!(
            "rule r{k} {{
    writes = {{position}}
    functions = {{
        position = previous(position) + dt * [1, 0, 0]
    }}
}}
"
        )
    };
    let names: Vec<String> = (0..n).map(|k| format!("r{k}")).collect();
    let workflow = format!("    mechanics = workflow\n    workflow = seq({})\n", names.join(", "));
    objects(1, &repeated(n, rule), &workflow)
}

/// A rule for each object, which looks at the last one: all after each other (`seq`) or side by side (`par`).
fn rules_of_objects(n: usize, together: &str) -> String {
    let rule = |k: usize| {
        format!(
            "rule r{k} {{
    of = {{b{k}}}
    writes = {{position}}
    aliases = {{
        use width as attribute size of object b{}
    }}
    functions = {{
        position = previous(position) + dt * [width, 0, 0]
    }}
}}
",
            n - 1
        )
    };
    let names: Vec<String> = (0..n).map(|k| format!("r{k}")).collect();
    let workflow = format!("    mechanics = workflow\n    workflow = {together}({})\n", names.join(", "));
    objects(n, &repeated(n, rule), &workflow)
}

fn rule_attributes(n: usize) -> String {
    let own = lines(n, |k| format!("a{k} = {k}"));
    let functions = lines(n, |k| format!("a{k} = previous(a{k}) + dt"));
    let writes = listed("writes", "a", n);
    let rule = format!("rule all {{\n{writes}    functions = {{\n{functions}    }}\n}}\n");
    object("b0", &own) + &rule + &simulation("", "    mechanics = workflow\n    workflow = all\n")
}

fn rigid(n: usize, blocks: &str) -> String {
    repeated(n, |k| object(&format!("b{k}"), "        mass = 1\n"))
        + blocks
        + &simulation("", "    mechanics = rigid\n")
}

fn joint(k: usize) -> String {
    format!("joint j{k} {{\n    kind = point\n    between = {{b{k}, world}}\n    anchor = [{k}, 0, 0]\n}}\n")
}

fn force(k: usize) -> String {
    format!("force f{k} {{\n    of = {{b{k}}}\n    force = -position\n}}\n")
}

fn lagrangian(n: usize) -> String {
    let mut text = String::from("lagrangian swing {\n    coordinates = { q = 0.1 }\n    parameters = {\n");
    for k in 0..n {
        let _ = writeln!(text, "        k{k} = {k}");
    }
    text += "    }\n    T = q_dot^2 / 2\n    V = k1 * q^2 / 2\n}\n";
    text + &simulation("", "    mechanics = lagrangian\n    lagrangian = swing\n")
}
