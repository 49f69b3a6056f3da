//! Messages about the blocks of contexts.

use crate::support::{pair, said_of_collision, said_of_fall, said_of_lab};

#[test]
fn keys() {
    let said = said_of_lab(
        "
context {
  nmae = c
  type = free fall
  type = contact
  foo = 3
  attributes = { x = 3 }
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E420 3:3 `nmae`: a context has no `nmae`
      here: not a key of a context
      help: did you mean `name`?
      edit 3:3 `nmae` -> `name`
    E423 5:3 `type`: `type` is given twice
      here: again here
      also 4:3 `type`: first here
      help: put everything into one of the two
    E420 6:3 `foo`: a context has no `foo`
      here: not a key of a context
      help: a law stands among the functions: write `functions = { foo = … }`
    E424 7:3 `attributes = { x = 3 }`: `attributes` cannot be set to this
      help: `attributes` is set to names in braces: `{t0, v0}`
    "#);
}

#[test]
fn no_type() {
    let said = said_of_lab(
        "
context { name = c functions = { v = nonsense } }
",
    );
    insta::assert_snapshot!(said, @r#"
    E421 2:1 `context`: this context has no type
      here: when does it apply?
      help: say when it applies: `type = free fall`, `type = collision` or `type = contact`
    "#);
}

#[test]
fn an_unknown_type() {
    let said = said_of_lab(
        "
context { name = c type = free fal }
",
    );
    insta::assert_snapshot!(said, @r#"
    E422 2:27 `free fal`: there is no context of type `free fal`
      here: not a type of context
      help: did you mean `free fall`?
      edit 2:27 `free fal` -> `free fall`
    "#);
}

#[test]
fn another_unknown_type() {
    let said = said_of_lab(
        "
context { name = c type = explosion }
",
    );
    insta::assert_snapshot!(said, @r#"
    E422 2:27 `explosion`: there is no context of type `explosion`
      here: not a type of context
      help: a context is of type `free fall`, `collision` or `contact`
    "#);
}

#[test]
fn aliases() {
    let said = said_of_collision(
        "
aliases = {
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 1
  use b as attribute vv of object with index 0
  use c as attribute v of object with index 2
  use d as attribute v of object frist
  use e as attribute weight of object first
  use t as attribute mass of object with index 0
  use p as attribute collisionPoint of object with index 1
  use unused as attribute v of object with index 1
}
functions = {
  v1 = b + c + d + e + p
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E430 10:7 `v1`: the alias `v1` is declared twice
      here: again here
      also 9:7 `v1`: first here
      help: an alias names one attribute: remove the others, or rename them if another object is meant
    E431 11:22 `vv`: the object with index 0 has no attribute `vv`
      here: not an attribute of it
      help: did you mean `v`?
      edit 11:22 `vv` -> `v`
    E432 12:45 `2`: there is no object with index 2 in this context
      here: counted from 0
      help: a collision has two objects, with index 0 and 1
    E434 13:34 `frist`: there is no object called `frist`
      here: not an object
      help: did you mean `first`?
      edit 13:34 `frist` -> `first`
    E431 14:22 `weight`: the object `first` has no attribute `weight`
      here: not an attribute of it
      help: add `weight` to the attributes of the object, or to those of this context
    E433 15:7 `t`: the alias `t` hides another attribute of that name
      here: without an alias, `t` means something else here
      help: choose a name that is not taken, such as one that says which object is meant
    "#);
}

#[test]
fn an_unused_alias() {
    let said = said_of_collision(
        "
aliases = {
  use v1 as attribute v of object with index 0
  use unused as attribute v of object with index 1
}
functions = {
  v1 = [1, 0, 0]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W401 10:3 `use unused as attribute v of object with index 1`: the alias `unused` is never used
      help: remove it, or use it in a law
    "#);
}

#[test]
fn two_aliases_of_one_attribute() {
    let said = said_of_collision(
        "
aliases = {
  use v1 as attribute v of object with index 0
  use v2 as attribute v of object with index 0
}
functions = {
  v1 = [1, 0, 0]
  v2 = [1, 0, 0]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E411 14:3 `v2`: `v2` and `v1` are two names of one attribute, and both are set
      here: set here again
      also 13:3 `v1`: the same attribute is set here
      help: an attribute has one law: remove one of the two, or let the aliases name different objects
    "#);
}

#[test]
fn an_alias_declared_many_times() {
    let said = said_of_collision(
        "
aliases = {
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 0
  use v1 as attribute v of object with index 0
}
functions = {
  v1 = [1, 0, 0]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E430 10:7 `v1`: the alias `v1` is declared twice
      here: again here
      also 9:7 `v1`: first here
      also 11:7 `v1`: and here
      also 12:7 `v1`: and here
      note: `v1` is declared 6 times
      help: an alias names one attribute: remove the others, or rename them if another object is meant
    "#);
}

#[test]
fn an_alias_with_the_wrong_index() {
    let said = said_of_collision(
        "
aliases = {
  use obj1_v as attribute v of object with index 1
  use obj1_mass as attribute mass of object with index 0
  use obj1_pos as attribute pos of object with index 0
  use v1 as attribute v of object with index 0
}
functions = {
  obj1_v = obj1_mass * obj1_pos
  v1 = [1, 2, 3]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W404 9:50 `1`: `obj1_v` is of object 1, but most aliases `obj1_…` are of object 0
      here: another object
      help: if `obj1_` stands for one object, this is index 0
      edit 9:50 `1` -> `0`
    "#);
}

#[test]
fn attributes_of_the_context() {
    let said = said_of_fall(
        "
attributes = {v, x, x, t, y}
functions = {
  x = 1
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E436 8:15 `v`: `v` cannot be an attribute of the context: objects of this context have it already
      here: declared here
      help: a name means one thing: remove it here, or choose another name
    E436 8:21 `x`: the attribute `x` is declared twice
      here: again here
      also 8:18 `x`: first here
      help: remove one of the two
    E436 8:24 `t`: `t` cannot be an attribute of the context: the world has it already
      here: declared here
      help: a name means one thing: remove it here, or choose another name
    "#);
}

#[test]
fn an_attribute_that_is_never_set() {
    let said = said_of_fall(
        "
attributes = {y}
functions = {
  mass = 1
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W402 8:15 `y`: the attribute `y` is never set
      help: give it a law, `y = …`, or remove it
    "#);
}

#[test]
fn first_time_only_lists() {
    let said = said_of_collision(
        "
attributes = {v_before}
compute_first_time_only_attributes = {v_befor, first_before, nonsense}
aliases = {
  use first_before as attribute v_before of object with index 0
  use first_v as attribute v of object with index 0
}
functions = {
  first_before = first_v
  first_v = first_before
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E435 9:39 `v_befor`: `v_befor` is no attribute, so it cannot be computed first time only
      here: not an attribute
      help: did you mean `v_before`?
      edit 9:39 `v_befor` -> `v_before`
    E435 9:48 `first_before`: `first_before` is no attribute, so it cannot be computed first time only
      here: not an attribute
      help: this is an alias: name the attribute, `v_before`
      edit 9:48 `first_before` -> `v_before`
    E435 9:62 `nonsense`: `nonsense` is no attribute, so it cannot be computed first time only
      here: not an attribute
      help: declare it: `attributes = {nonsense}`
    "#);
}

#[test]
fn directions_of_a_contact() {
    let said = said_of_lab(&pair(
        "contact",
        "dynamic",
        "static",
        "
geometric_data_directions = {[0,0,1], [0,0,-1]}
functions = {
  v = massSumDirVec3 * facing + masSumDirVec1 * facing
  facing = collisionNormalsDirVec2 # 1
  position = vSumDirVec1 + hasPathToStaticObjectDirVec0
}
",
    ));
    insta::assert_snapshot!(said, @r#"
    E210 10:7 `massSumDirVec3`: there is no direction 3: this context has 2
      here: a direction that does not exist here
      help: directions are counted from 1 in the order of `geometric_data_directions`, here up to 2
    E201 10:33 `masSumDirVec1`: `masSumDirVec1` is not known here
      here: neither a function, an attribute nor a native
      help: did you mean `massSumDirVec1`?
      edit 10:33 `masSumDirVec1` -> `massSumDirVec1`
    E210 12:28 `hasPathToStaticObjectDirVec0`: there is no direction 0: this context has 2
      here: a direction that does not exist here
      help: directions are counted from 1 in the order of `geometric_data_directions`, here up to 2
    "#);
}

#[test]
fn directions_elsewhere() {
    let said = said_of_fall(
        "
geometric_data_directions = {[0,0,1]}
functions = {
  mass = massSumDirVec1
}
",
    );
    insta::assert_snapshot!(said, @r#"
    W403 8:1 `geometric_data_directions = {[0,0,1]}`: `geometric_data_directions` means something in contact contexts only
      help: remove it, or make this a contact context
    E210 10:10 `massSumDirVec1`: `massSumDirVec1` exists in contact contexts only
      here: a direction that does not exist here
      help: what touches whom in which direction is known only while objects stay in contact
    "#);
}

#[test]
fn no_directions() {
    let said = said_of_lab(&pair(
        "contact",
        "dynamic",
        "static",
        "
functions = {
  mass = massSumDirVec1
}
",
    ));
    insta::assert_snapshot!(said, @r#"
    E210 9:10 `massSumDirVec1`: `massSumDirVec1` needs a direction, and this context has none
      here: a direction that does not exist here
      help: name the directions: `geometric_data_directions = {[0,0,1], [0,0,-1]}`
    "#);
}

#[test]
fn synonyms_share_the_law() {
    let said = said_of_fall(
        "
functions = {
  position = [1, 2, 3]
  v = pos * radius
  pos = [1, 2, 3]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E411 11:3 `pos`: `pos` and `position` are two names of one attribute, and both are set
      here: set here again
      also 9:3 `position`: the same attribute is set here
      help: an attribute has one law: remove one of the two, or let the aliases name different objects
    "#);
}

/// A law of a contact is computed for each member, so it cannot be that of another one: it would set the attribute
/// of every member in turn.
#[test]
fn a_contact_sets_the_evaluated_object_only() {
    let text = |index: usize| {
        pair(
            "contact",
            "dynamic",
            "dynamic",
            &format!(
                "
aliases = {{
  use own as attribute mass of object with index {index}
}}
functions = {{
  own = 42
}}
"
            ),
        )
    };
    assert_eq!(said_of_lab(&text(0)), "", "the first object is the one that is evaluated here");
    insta::assert_snapshot!(said_of_lab(&text(1)));
}
