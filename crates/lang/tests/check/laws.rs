//! Messages about laws, rates and what needs itself.

use crate::support::{pair, said_of_collision, said_of_fall, said_of_lab, said_of_library};

#[test]
fn what_is_given_has_no_law() {
    let said = said_of_lab(&pair(
        "collision",
        "dynamic",
        "static",
        "
aliases = {
  use floor_mass as attribute mass of object with index 1
  use first_v as attribute v of object first
}
functions = {
  t = 3
  dt = 1
  collisionPoint = [0, 0, 0]
  collisionNormal = [0, 0, 1]
  floor_mass = 3
  first_v = [1, 2, 3]
}
",
    ));
    insta::assert_snapshot!(said, @r#"
    E401 13:3 `t`: `t` cannot have a law
      here: set here
      note: `t` is the time, which the engine gives
      help: read `t` where you need it; for a value of your own choose another name
    E401 14:3 `dt`: `dt` cannot have a law
      here: set here
      note: `dt` is computed by the engine
      help: read `dt` where you need it; for a value of your own choose another name
    E401 15:3 `collisionPoint`: `collisionPoint` cannot have a law
      here: set here
      note: `collisionPoint` is computed by the engine
      help: read `collisionPoint` where you need it; for a value of your own choose another name
    E401 16:3 `collisionNormal`: `collisionNormal` cannot have a law
      here: set here
      note: `collisionNormal` is computed by the engine
      help: read `collisionNormal` where you need it; for a value of your own choose another name
    E401 17:3 `floor_mass`: `floor_mass` cannot have a law
      here: set here
      also 9:7 `floor_mass`: declared here
      note: `floor_mass` belongs to a static object, whose attributes never change
      help: read `floor_mass` where you need it; for a value of your own choose another name
    E401 18:3 `first_v`: `first_v` cannot have a law
      here: set here
      also 10:7 `first_v`: declared here
      note: `first_v` belongs to the object `first`, which this context may read but not set
      help: read `first_v` where you need it; for a value of your own choose another name
    "#);
}

#[test]
fn a_law_and_a_rate() {
    let said = said_of_fall(
        "
functions = {
  v = [1, 0, 0]
  v' = [0, 0, -9.81]
  v' = [0, 0, -1.62]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E402 10:3 `v`: `v` has both a law and a rate
      here: its rate of change
      also 9:3 `v`: its value
      help: either `v = …` says what it is at every moment, or `v' = …` says how fast it changes; keep one
    E206 11:3 `v`: `v'` is defined twice
      here: defined here again
      also 10:3 `v`: first defined here
      help: a name has one meaning: rename one of the two or remove it
    "#);
}

#[test]
fn where_rates_are_not_allowed() {
    let said = said_of_lab(&pair(
        "collision",
        "dynamic",
        "static",
        "
functions = {
  v' = [0, 0, -9.81]
}
",
    ));
    insta::assert_snapshot!(said, @r#"
    E403 9:3 `v'`: a collision has no duration, so nothing has a rate in it
      here: a rate of change
      help: give the value after the collision: `v = …`
    "#);
}

#[test]
fn rates_of_what_has_none() {
    let said = said_of_fall(
        "
functions = {
  v' = [1, 0, 0]
  k' = 1
  velocity' = 3
  masss' = 3
  mass'(x) = x
}
attributes = {k}
compute_first_time_only_attributes = {v}
",
    );
    insta::assert_snapshot!(said, @r#"
    E404 9:3 `v'`: `v` is computed first time only, so it has no rate
      here: a rate of change
      help: a first-time-only attribute keeps its value: write `v = …`, or take it out of `compute_first_time_only_attributes`
    E410 10:3 `k'`: `k` has a rate but no value to start from
      here: a rate of change
      help: an attribute of the context is born without a value: make `k` an attribute of the object, with an initial value
    E406 11:3 `velocity`: `velocity'` is the rate of nothing
      here: there is no attribute `velocity` here
      help: a prime gives the rate of change of an attribute: give the object this attribute, or remove the prime
    E406 12:3 `masss`: `masss'` is the rate of nothing
      here: there is no attribute `masss` here
      help: did you mean `mass'`?
      edit 12:3 `masss` -> `mass`
    E405 13:3 `mass`: `mass` is an attribute, and its law has parameters
      here: named like an attribute
      also 13:9 `x`: nobody can give this parameter a value
      help: laws have no parameters, they read attributes by name: write `mass = …`, or give the function a name of its own
    "#);
}

#[test]
fn laws_have_no_parameters() {
    let said = said_of_fall(
        "
functions = {
  v(time) = [time, 0, 0]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E405 9:3 `v`: `v` is an attribute, and its law has parameters
      here: named like an attribute
      also 9:5 `time`: nobody can give this parameter a value
      help: laws have no parameters, they read attributes by name: write `v = …`, or give the function a name of its own
    "#);
}

#[test]
fn a_cycle_is_the_chain_of_names() {
    let said = said_of_fall(
        "
functions = {
  pos0 = position
  v = [1, 0, 0]
  position = pos0 + v * t
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E407 9:3 `pos0`: `pos0` needs itself: pos0 -> position -> pos0
      here: its value would be needed to compute it
      also 9:10 `position`: `pos0` needs `position`
      also 11:14 `pos0`: `position` needs `pos0`
      help: to keep a value from the start of the context, list its attribute in `compute_first_time_only_attributes`; for the value an attribute had a moment ago, write `previous(…)`
    "#);
}

#[test]
fn every_cycle_once() {
    let said = said_of_library(
        "
a = b
b = c
c = a + b
d = d + 1
e = f(1)
f(x) = if x > 0 then e else 0
g(x) = g(x - 1)
h = a
",
    );
    insta::assert_snapshot!(said, @r#"
    E407 2:1 `a`: `a` needs itself: a -> b -> c -> a
      here: its value would be needed to compute it
      also 2:5 `b`: `a` needs `b`
      also 3:5 `c`: `b` needs `c`
      also 4:5 `a`: `c` needs `a`
      help: a function without parameters has one value; only a function with parameters can call itself and end
    E407 5:1 `d`: `d` needs itself: d -> d
      here: its value would be needed to compute it
      also 5:5 `d`: `d` needs `d`
      help: a function without parameters has one value; only a function with parameters can call itself and end
    E407 6:1 `e`: `e` needs itself: e -> f -> e
      here: its value would be needed to compute it
      also 6:5 `f(1)`: `e` needs `f`
      also 7:22 `e`: `f` needs `e`
      help: a function without parameters has one value; only a function with parameters can call itself and end
    "#);
}

#[test]
fn first_time_attributes_break_cycles() {
    assert_eq!(
        said_of_fall(
            "
functions = {
  pos0 = position
  v0 = v
  t0 = t
  v = v0 + a * (t - t0)
  position = pos0 + v0 * (t - t0) + 0.5 * a * (t - t0)^2
}
attributes = {t0, v0, pos0}
compute_first_time_only_attributes = {t0, v0, pos0}
"
        ),
        ""
    );
}

#[test]
fn first_time_attributes_that_need_each_other() {
    let said = said_of_fall(
        "
functions = {
  p = q + 1
  q = helper
  helper = p
  mass = p
}
attributes = {p, q}
compute_first_time_only_attributes = {p, q}
",
    );
    insta::assert_snapshot!(said, @r#"
    E407 9:3 `p`: `p` needs itself: p -> q -> helper -> p
      here: its value would be needed to compute it
      also 9:7 `q`: `p` needs `q`
      also 10:7 `helper`: `q` needs `helper`
      also 11:12 `p`: `helper` needs `p`
      help: to keep a value from the start of the context, list its attribute in `compute_first_time_only_attributes`; for the value an attribute had a moment ago, write `previous(…)`
    "#);
}

#[test]
fn first_time_attributes_without_laws() {
    let said = said_of_fall(
        "
functions = {
  v = v0
}
attributes = {t0, v0, pos0}
compute_first_time_only_attributes = {t0, v0, pos0}
",
    );
    insta::assert_snapshot!(said, @r#"
    E408 12:39 `t0`: `t0`, `v0`, `pos0` have no law, so there is nothing to compute first time only
      here: no law
      also 12:43 `v0`: no law
      also 12:47 `pos0`: no law
      help: add its law to `functions`: `t0 = …`
    "#);
}

#[test]
fn first_time_attributes_of_one_object_only() {
    let said = said_of_collision(
        "
attributes = {v0}
compute_first_time_only_attributes = {v0}
aliases = {
  use obj1_v as attribute v of object with index 0
  use obj1_v0 as attribute v0 of object with index 0
  use obj2_v0 as attribute v0 of object with index 1
}
functions = {
  obj1_v0 = obj1_v
  obj1_v = obj1_v0 + obj2_v0
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E409 17:22 `obj2_v0`: `obj2_v0` is read, but nothing gives it a value
      here: read here
      also 13:7 `obj2_v0`: declared here
      help: an attribute of the context is born without a value: give it a law, `obj2_v0 = …`
    "#);
}

#[test]
fn a_synonym_among_the_first_time_attributes() {
    assert_eq!(
        said_of_fall(
            "
functions = {
  position = 2 * pos
  v = position
}
compute_first_time_only_attributes = {pos}
"
        ),
        ""
    );
}

#[test]
fn a_context_attribute_without_a_law() {
    let said = said_of_fall(
        "
functions = {
  v = v0 + v0
}
attributes = {v0, w0}
",
    );
    insta::assert_snapshot!(said, @r#"
    E409 9:7 `v0`: `v0` is read, but nothing gives it a value
      here: read here
      also 11:15 `v0`: declared here
      help: an attribute of the context is born without a value: give it a law, `v0 = …`
    "#);
}

#[test]
fn the_plain_name_and_an_alias_share_one_law() {
    let said = said_of_fall(
        "
functions = {
  v = [1, 0, 0]
  position = mine
  mine = [2, 0, 0]
}
aliases = {
  use mine as attribute v of object with index 0
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E411 11:3 `mine`: `mine` and `v` are two names of one attribute, and both are set
      here: set here again
      also 9:3 `v`: the same attribute is set here
      help: an attribute has one law: remove one of the two, or let the aliases name different objects
    "#);
}
