//! Messages about names.

use crate::support::{Lab, pair, said_of_collision, said_of_fall, said_of_lab, said_of_library};
use gedanken_lang::diagnostic::Code;

#[test]
fn an_unknown_name_is_met_with_the_nearest_one() {
    let said = said_of_library(
        "
speed(velocity) = norm(velocty)
mass = 3
weight = 9.81 * Mass
twice = weigth + weigth
",
    );
    insta::assert_snapshot!(said, @r#"
    E201 2:24 `velocty`: `velocty` is not known here
      here: neither a function nor a native
      help: did you mean `velocity`?
      edit 2:24 `velocty` -> `velocity`
    E201 4:17 `Mass`: `Mass` is not known here
      here: neither a function nor a native
      help: did you mean `mass`?
      edit 4:17 `Mass` -> `mass`
    E201 5:9 `weigth`: `weigth` is not known here
      here: neither a function nor a native
      also 5:18 `weigth`: also here
      help: did you mean `weight`?
      edit 5:9 `weigth` -> `weight`
    "#);
}

#[test]
fn l_and_1_look_alike() {
    let said = said_of_library(
        "
rot_induced_i_l_v = 3
sum_of = rot_induced_i_1_v + 1
",
    );
    insta::assert_snapshot!(said, @r#"
    E201 3:10 `rot_induced_i_1_v`: `rot_induced_i_1_v` is not known here
      here: neither a function nor a native
      help: did you mean `rot_induced_i_l_v`?
      edit 3:10 `rot_induced_i_1_v` -> `rot_induced_i_l_v`
    "#);
}

#[test]
fn an_unknown_name_without_a_neighbour() {
    let said = said_of_library(
        "
f(x) = x + quux
",
    );
    insta::assert_snapshot!(said, @r#"
    E201 2:12 `quux`: `quux` is not known here
      here: neither a function nor a native
      help: define it: `quux = …`
    "#);
}

#[test]
fn an_undeclared_alias() {
    let said = said_of_collision(
        "
aliases = {
  use obj1_v as attribute v of object with index 0
}
functions = {
  obj1_v = obj2_v
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E201 12:12 `obj2_v`: `obj2_v` is not known here
      here: undeclared alias?
      help: declare it in `aliases`: `use obj2_v as attribute v of object with index 1`
      edit 9:51 `` -> `use obj2_v as attribute v of object with index 1`
    "#);
}

#[test]
fn a_law_whose_alias_is_not_declared() {
    let said = said_of_collision(
        "
attributes = {v_before}
compute_first_time_only_attributes = {v_before}
aliases = {
  use obj1_v as attribute v of object with index 0
  use obj2_v as attribute v of object with index 1
  use obj1_v_before as attribute v_before of object with index 0
}
functions = {
  obj1_v_before = obj1_v
  obj2_v_before = obj2_v
  obj1_v = obj2_v_before
  obj2_v = obj1_v_before
  total_mass = 3
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E211 17:3 `obj2_v_before`: `obj2_v_before` looks like an alias of `v_before`, but it is not declared
      here: undeclared alias?
      help: declare it in `aliases`: `use obj2_v_before as attribute v_before of object with index 1`
      edit 13:65 `` -> `use obj2_v_before as attribute v_before of object with index 1`
    "#);
}

#[test]
fn a_name_used_in_many_places_is_reported_once() {
    let said = said_of_fall(
        "
functions = {
  v = w + w + w * 2 + w / 2 + w
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E201 9:7 `w`: `w` is not known here
      here: neither a function, an attribute nor a native
      also 9:11 `w`: also here
      also 9:15 `w`: also here
      also 9:23 `w`: also here
      note: `w` is used in 5 places
      help: define it, `w = …`, or add it to the attributes of the object
    "#);
}

#[test]
fn wrong_numbers_of_arguments() {
    let said = said_of_library(
        "
f(x, y) = x + y
g = 3
a = f(1)
b = g(2)
c = sine(1, 2)
d = f(1, 2, 3)
e = pi(1)
h = sine
",
    );
    insta::assert_snapshot!(said, @r#"
    E202 4:5 `f(1)`: `f` takes 2 arguments, but one is given
      here: called here
      also 2:1 `f`: defined as `f(x, y)`
      help: call it as `f(x, y)`
    E202 5:5 `g(2)`: `g` takes no arguments, but one is given
      here: called here
      also 3:1 `g`: defined as `g`
      help: call it as `g`
    E202 6:5 `sine(1, 2)`: `sine` takes one argument, but 2 are given
      here: called here
      help: call it as `sine(angle)`
    E202 7:5 `f(1, 2, 3)`: `f` takes 2 arguments, but 3 are given
      here: called here
      also 2:1 `f`: defined as `f(x, y)`
      help: call it as `f(x, y)`
    E202 8:5 `pi(1)`: `pi` takes no arguments, but one is given
      here: called here
      help: call it as `pi`
    E202 9:5 `sine`: `sine` takes one argument, but none is given
      here: called here
      help: call it as `sine(angle)`
    "#);
}

#[test]
fn functions_are_not_values() {
    let said = said_of_library(
        "
f(x) = x
g = f + 1
",
    );
    insta::assert_snapshot!(said, @r#"
    E203 3:5 `f`: `f` is a function and needs its arguments
      here: write `f(x)` with values for its parameters
      also 2:1 `f`: defined as `f(x)`
      help: functions are not values: a function is always called
    "#);
}

#[test]
fn values_are_not_functions() {
    let said = said_of_fall(
        "
functions = {
  v = mass(2) * f(a)
  f(x) = x(1)
  position = mass()
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E204 9:7 `mass(2)`: `mass` is an attribute, not a function
      here: called like a function
      help: for a product write `mass * (…)`; for an element of a vector, `mass # 1`
    E204 10:10 `x(1)`: `x` is a parameter, not a function
      here: called like a function
      also 10:5 `x`: the parameter
      help: for a product write `x * (…)`; for an element of a vector, `x # 1`
    E204 11:14 `mass()`: `mass` is an attribute, not a function
      here: called like a function
      help: write `mass` without parentheses
      edit 11:14 `mass()` -> `mass`
    "#);
}

#[test]
fn a_law_may_be_called_with_empty_parentheses() {
    assert_eq!(
        said_of_fall(
            "
functions = {
  v = [1, 0, 0]
  position = v() * 2
}
"
        ),
        ""
    );
}

#[test]
fn natives_by_their_full_name() {
    let said = said_of_library(
        "
f(x) = VFLangNative.sin(x)
g(x) = VFLangNative.sine(x)
h(x) = VFLangNative.whatever(x)
",
    );
    insta::assert_snapshot!(said, @r#"
    E205 2:21 `sin`: there is no native called `sin`
      here: after `VFLangNative.` stands the name of a native
      help: did you mean `sine`?
      edit 2:21 `sin` -> `sine`
    E205 4:21 `whatever`: there is no native called `whatever`
      here: after `VFLangNative.` stands the name of a native
      help: for a function of your own write `whatever` alone
    "#);
}

#[test]
fn definitions_and_parameters_of_one_name() {
    let said = said_of_library(
        "
f = 1
f(x) = x
g(a, b, a) = a + b
f = 2
",
    );
    insta::assert_snapshot!(said, @r#"
    E206 3:1 `f`: `f` is defined twice
      here: defined here again
      also 2:1 `f`: first defined here
      help: a name has one meaning: rename one of the two or remove it
    E207 4:9 `a`: two parameters of `g` are called `a`
      here: again here
      also 4:3 `a`: first here
      help: give every parameter a name of its own
    E206 5:1 `f`: `f` is defined twice
      here: defined here again
      also 2:1 `f`: first defined here
      help: a name has one meaning: rename one of the two or remove it
    "#);
}

#[test]
fn what_hides_what() {
    let said = said_of_fall(
        "
functions = {
  norm(x) = x . x
  f(v, g, sine, _unused, unused) = v + g + sine
  g = 2
  v = [norm(position), f(1, 2, 3, 4, 5), g]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W201 9:3 `norm`: `norm` hides the native of that name
      help: the native is still there as `VFLangNative.norm`
    W202 10:5 `v`: the parameter `v` hides an attribute of that name
      help: inside `f` the name means the parameter; choose another if you need both
    W202 10:8 `g`: the parameter `g` hides a function of that name
      help: inside `f` the name means the parameter; choose another if you need both
    W202 10:11 `sine`: the parameter `sine` hides a native of that name
      help: inside `f` the name means the parameter; choose another if you need both
    W204 10:26 `unused`: the parameter `unused` is never used
      help: remove it, or write `_unused` to say that it is not needed
    "#);
}

#[test]
fn helpers_that_no_law_needs() {
    let said = said_of_fall(
        "
functions = {
  v = [x, 0, 0]
  x = 1
  y = z
  z = 2
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W203 11:3 `y`: no law needs `y`
      help: remove it, or use it; if it is meant to set an attribute, an object needs an attribute of that name
    W203 12:3 `z`: no law needs `z`
      help: remove it, or use it; if it is meant to set an attribute, an object needs an attribute of that name
    "#);
}

#[test]
fn previous_is_for_attributes() {
    let said = said_of_fall(
        "
functions = {
  v = previous(v) + previous(helper) + previous(dt) + previous(2 * v) + f(position)
  f(x) = previous(x) + previous() + previous(nothing)
  helper = [1, 2, 3]
  position = previous
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E208 9:30 `helper`: `helper` is a function, its previous value is not kept
      here: not an attribute
      help: only attributes are kept from one moment to the next: make it an attribute, and give it a law
    E208 9:49 `dt`: `dt` is computed anew by the engine, its previous value is not kept
      here: not an attribute
      help: only attributes are kept from one moment to the next: make it an attribute, and give it a law
    E208 9:64 `2 * v`: `previous` needs the name of an attribute
      here: not an attribute
      help: only attributes are kept from one moment to the next: make it an attribute, and give it a law
    E208 10:19 `x`: `x` is a parameter, it has no previous value
      here: not an attribute
      help: only attributes are kept from one moment to the next: make it an attribute, and give it a law
    E208 10:24 `previous()`: `previous` needs the name of one attribute
      help: write `previous(x)` for the value that the attribute `x` had at the last moment
    E201 10:46 `nothing`: `nothing` is not known here
      here: neither a function, an attribute nor a native
      help: define it, `nothing = …`, or add it to the attributes of the object
    E208 12:14 `previous`: `previous` needs the name of one attribute
      help: write `previous(x)` for the value that the attribute `x` had at the last moment
    "#);
}

#[test]
fn time_and_step_are_reals() {
    assert_eq!(
        said_of_fall(
            "
functions = {
  v = [t, dt, previous(t)]
}
"
        ),
        ""
    );
}

#[test]
fn imported_functions_see_no_attributes() {
    let said = Lab::with_library(
        &pair(
            "free fall",
            "dynamic",
            "dynamic",
            "
functions = {
  v = faster(mass) * v0
  v0 = [1, 0, 0]
}
",
        ),
        "
faster(x) = x * mass * slower(x)
slower(x) = x / nrom(x)
never_reached = nonsense
",
    )
    .said();
    insta::assert_snapshot!(said, @r#"
    E201 2:17 `mass`: `mass` has no meaning in an imported function
      here: an attribute of the context
      help: imported functions see no attributes: give the function a parameter, and pass `mass`
    E201 3:17 `nrom`: `nrom` is not known here
      here: neither a function nor a native
      help: did you mean `norm`?
      edit 3:17 `nrom` -> `norm`
    "#);
}

#[test]
fn an_own_function_wins_over_an_imported_one() {
    assert_eq!(
        Lab::with_library(
            &pair(
                "free fall",
                "dynamic",
                "dynamic",
                "
functions = {
  v = f(1)
  f(x) = [x, 0, 0]
}
"
            ),
            "
f(x) = nonsense
"
        )
        .said(),
        ""
    );
}

#[test]
fn which_object() {
    let said = said_of_collision(
        "
functions = {
  v = [1, 0, 0]
  helper = mass * collisionNormal
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E209 9:3 `v`: `v` of which object? Several objects of this context have it
      here: needs an alias
      also 10:12 `mass`: this one as well
      also 10:19 `collisionNormal`: this one as well
      help: this context applies to any two objects; if it is for a moving and a fixed one, say so: `applicability = { mandatory 1 dynamic object and 1 static object }`; if it is for two that move, give it a name in `aliases`: `use obj1_v as attribute v of object with index 0`
    "#);
}

#[test]
fn an_attribute_of_the_other_object() {
    let said = said_of_lab(
        &pair(
            "collision",
            "dynamic",
            "static",
            "
functions = {
  v = material * v0
  v0 = [1, 2, 3]
}
",
        )
        .replace("v = [1,0,0] mass = 2 } }\ncontext", "v = [1,0,0] mass = 2 material = 3 } }\ncontext"),
    );
    insta::assert_snapshot!(said, @r#"
    E209 9:7 `material`: `material` belongs to the object with index 1, and is reached through an alias
      here: needs an alias
      help: give it a name in `aliases`: `use obj2_material as attribute material of object with index 1`
    "#);
}

#[test]
fn names_of_other_notations() {
    let said = said_of_library(
        "
f(x) = cos(x) + sin(x) + ln(x) + arcsin(x) + e^x
g(a, b) = dot(a, b) + len(a) + log10(norm(a))
h(x) = if True then x else pow(x, 2)
",
    );
    insta::assert_snapshot!(said);
}

/// A user's own name wins over a name of another notation.
#[test]
fn own_names_come_first() {
    assert_eq!(said_of_library("Cos(x) = x\nf(x) = cosine(Cos(x))"), "");
    let said = said_of_library("Ln(x) = x\nf(x) = ln(x)");
    assert!(said.contains("did you mean `Ln`"), "{said}");
}

#[test]
fn components_by_letter() {
    let said = said_of_library("f(v) = 2 * v.x + v.y^2 - (v + v).z\ng(v, x) = v.x\nh(v) = z");
    insta::assert_snapshot!(said);
}

#[test]
fn suspicious_values() {
    let said = said_of_library(
        "
f(x) = x * sine(30) + cosine(-45)
g(m) = 6.67*10-11 * m
h(x) = sine(30.0) + sine(2) + 2 * 10 - 1 + sine(400) + x
",
    );
    insta::assert_snapshot!(said);
}

/// Messages about the wrong examples of explanations that only contexts can give.
#[test]
fn contexts_of_other_notations() {
    let mut all = String::new();
    for code in ["E213", "E214", "W405", "W406"] {
        let explanation = Code::parse(code).map_or("", |code| code.entry().explanation);
        let wrong = explanation.split("```lab wrong\n").nth(1).and_then(|rest| rest.split("```").next());
        all += &said_of_lab(wrong.unwrap_or_default());
    }
    insta::assert_snapshot!(all);
}

/// A law that keeps components is the same at any frame rate; one that exchanges them is not.
#[test]
fn components_that_are_kept_do_not_depend_on_the_frame_rate() {
    let said = |law: &str| said_of_fall(&format!("functions = {{\n  v = {law}\n}}\n"));
    for law in ["previous(v)", "[previous(v) # 1, previous(v) # 2, 0]", "[0, 0, previous(v) # 3]"] {
        assert!(!said(law).contains("W406"), "{law}: {}", said(law));
    }
    for law in ["0.5 * previous(v)", "[previous(v) # 2, previous(v) # 1, 0]", "[1 + previous(v) # 1, 0, 0]"] {
        assert!(said(law).contains("W406"), "{law}: {}", said(law));
    }
}

/// A helper that nothing needs is often a law whose attribute has another name.
#[test]
fn helpers_that_were_meant_as_laws() {
    let said = |law: &str| said_of_fall(&format!("functions = {{\n  {law}\n}}\n"));
    for law in ["V = [1, 2, 3]", "velocity = [1, 2, 3]", "vz = 3", "v_dot = [1, 2, 3]"] {
        let said = said(law);
        assert!(said.contains("did you mean the law or the rate of the attribute `v`"), "{law}: {said}");
    }
    let said = said("w = 3");
    assert!(said.contains("remove it, or use it; if it is meant"), "{said}");
}

/// Two letters are not guessed at, but a product of two known names is seen.
#[test]
fn products_as_on_paper() {
    let said = said_of_library("f(a, t) = at");
    assert!(said.contains("did you mean the product `a * t`?"), "{said}");
}

/// A value from before, a module of another language, a word of paper: each law, and the edit or the words that it
/// gets.
#[test]
fn names_of_other_laboratories_lead_to_ours() {
    for (law, expected) in [
        ("v = prev(v)", "`previous(x)`"),
        ("v = v_old", "`v_old` -> `previous(v)`"),
        ("v = old_v", "`old_v` -> `previous(v)`"),
        ("v = [np.sin(t), 0, 0]", "`np.sin` -> `sine`"),
        ("v = [2 * Math.PI, 0, 0]", "`Math.PI` -> `pi`"),
        ("v = hat(v)", "`hat` -> `normalize`"),
        ("v = vector(0, 0, 1)", "a vector is written in brackets"),
        ("v = diff(position, t)", "a prime on its left side"),
        ("v = [betrag(t), 0, 0]", "`norm(v)` for the length of a vector"),
    ] {
        let said = said_of_fall(&format!("\nfunctions = {{ {law} }}\n"));
        assert!(said.contains(expected), "{law}\n{said}");
        assert!(said.matches("E2").count() == 1 || law.contains("prev("), "{law}\n{said}");
    }
}

/// A law beside the functions, and keys by other words.
#[test]
fn keys_of_other_laboratories_lead_to_ours() {
    for (body, expected) in [
        ("v = [0, 0, 1]", "`functions = { v = … }`"),
        ("laws = { v = [0, 0, 1] }", "`laws` -> `functions`"),
        ("variables = { t0 }", "`variables` -> `attributes`"),
    ] {
        let said = said_of_fall(&format!("\n{body}\n"));
        assert!(said.contains("E420") && said.contains(expected), "{body}\n{said}");
    }
}
