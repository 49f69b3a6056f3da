//! Messages about types.

use crate::support::{said_of_fall, said_of_lab, said_of_library};

#[test]
fn operands_that_do_not_go_together() {
    let said = said_of_library(
        "
a = [1, 2, 3] + 1
b = [1, 2] . [1, 2, 3]
c = [1, 2, 3] / [1, 2, 3]
d = !3
e = -true
f = [1, true]
g = {1, [1, 2]}
h = 1 & true
i = [[1, 2], [1]]
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 2:15 `+`: `+` needs two values of the same shape, but here are a vector of 3 and a real
      also 2:5 `[1, 2, 3]`: this is a vector of 3
      also 2:17 `1`: this is a real
      help: did you mean its length, `norm(v) + x`, one of its elements, `v # 1 + x`, or a vector on the right, `v + [0, 0, x]`?
    E301 3:12 `.`: `.` needs two vectors of one length, but here are a vector of 2 and a vector of 3
      also 3:5 `[1, 2]`: this is a vector of 2
      also 3:14 `[1, 2, 3]`: this is a vector of 3
      help: both vectors must have the same number of elements: is a comma missing, or one too many?
    E301 4:15 `/`: `/` needs a real on its right, but here are two vectors of 3
      also 4:5 `[1, 2, 3]`: this is a vector of 3
      also 4:17 `[1, 2, 3]`: this is a vector of 3
      help: to scale, divide by its length: `u / norm(v)`; element by element division does not exist in vector algebra
    E301 5:5 `!3`: `!` needs a boolean, but here is a real
      also 5:6 `3`: this is a real
      help: `!` means "not": compare first, as in `!(x > 0)`
    E301 6:5 `-true`: `-` needs a real, a vector or a matrix, but here is a boolean
      also 6:6 `true`: this is a boolean
      help: to negate a boolean write `!`
    E301 7:5 `[1, true]`: `[ ]` needs reals, or vectors as the rows of a matrix, but element 2 is a boolean
      also 7:6 `1`: this is a real
      also 7:9 `true`: this is a boolean
      help: a boolean is no number; `if c then 1 else 0` makes one of it
    E301 8:5 `{1, [1, 2]}`: `{ }` needs elements of one type, but element 1 is a real and element 2 is a vector of 2
      also 8:6 `1`: this is a real
      also 8:9 `[1, 2]`: this is a vector of 2
      help: the elements of one sequence are of one type and shape
    E301 9:7 `&`: `&` needs two booleans, but here are a real and a boolean
      also 9:5 `1`: this is a real
      also 9:9 `true`: this is a boolean
      help: compare first, as in `x > 0 & y > 0`
    E301 10:5 `[[1, 2], [1]]`: `[ ]` needs elements of one type, but element 1 is a vector of 2 and element 2 is a vector of 1
      also 10:6 `[1, 2]`: this is a vector of 2
      also 10:14 `[1]`: this is a vector of 1
      help: the rows of a matrix have equal lengths: is a comma missing, or one too many?
    "#);
}

#[test]
fn natives_that_do_not_take_this() {
    let said = said_of_library(
        "
a = norm(3)
b = skewSymmetricMatrix([1, 2])
c = squareMatrixInverse([[1, 2, 3], [4, 5, 6]])
",
    );
    insta::assert_snapshot!(said, @r#"
    E302 2:5 `norm(3)`: `norm` needs a vector as `v`, but here is a real
      here: called here
      also 2:10 `3`: this is a real
      help: the magnitude of a real is `abs(x)`
    E302 3:5 `skewSymmetricMatrix([1, 2])`: `skewSymmetricMatrix` needs a vector of 3 as `v`, but here is a vector of 2
      here: called here
      also 3:25 `[1, 2]`: this is a vector of 2
      help: is a comma missing?
    E302 4:5 `squareMatrixInverse([[1, 2, 3], [4, 5, 6]])`: `squareMatrixInverse` needs a matrix with as many rows as columns as `m`, but here is a 2 by 3 matrix
      here: called here
      also 4:25 `[[1, 2, 3], [4, 5, 6]]`: this is a 2 by 3 matrix
      help: `subMatrix(m, rows, columns)` takes a part; or is a row missing?
    "#);
}

#[test]
fn constants_give_shapes() {
    let said = said_of_library(
        "
n = 1 + 2
m = identityMatrix(n) * [1, 2]
sub(x, k) = subMatrix(x, k, k)
w = sub(eulerXYZToRotationMatrix([0, 0, 0]), n) * [1, 2, 3, 4]
element = [1, 2, 3] # 4
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 3:23 `*`: `*` needs as many columns on its left as elements on its right, but here are a 3 by 3 matrix and a vector of 2
      also 3:5 `identityMatrix(n)`: this is a 3 by 3 matrix
      also 3:25 `[1, 2]`: this is a vector of 2
      help: is a comma missing in the vector or in a row?
    E301 5:49 `*`: `*` needs as many columns on its left as elements on its right, but here are a 3 by 3 matrix and a vector of 4
      also 5:5 `sub(eulerXYZToRotationMatrix([0, 0, 0]), n)`: this is a 3 by 3 matrix
      also 5:51 `[1, 2, 3, 4]`: this is a vector of 4
      help: is a comma missing in the vector or in a row?
    E301 6:21 `#`: `#` asks for element 4 of a vector of 3: the numbers go from 1 to 3
      also 6:11 `[1, 2, 3]`: this is a vector of 3
      also 6:23 `4`: this is a real
      help: check the number, or whether a comma is missing in what stands on the left
    "#);
}

#[test]
fn arms_of_an_if() {
    let said = said_of_library(
        "
a(x) = if x > 0 then [1, 2] else [1, 2, 3]
b(x) = if x then 1 else true
c = if 1 then 2 else 3
d(x) = if x > 0 then {1} else {}
e = if true then identityMatrix(2) else identityMatrix(3)
",
    );
    insta::assert_snapshot!(said, @r#"
    E303 2:34 `[1, 2, 3]`: both arms of an `if` give the same type, but here are a vector of 2 and a vector of 3
      here: `else` gives a vector of 3
      also 2:22 `[1, 2]`: `then` gives a vector of 2
      help: whichever arm is taken, the value is used in the same way: let both have the same type and length
    E303 3:25 `true`: both arms of an `if` give the same type, but here are a real and a boolean
      here: `else` gives a boolean
      also 3:18 `1`: `then` gives a real
      help: whichever arm is taken, the value is used in the same way: let both have the same type and length
    E304 4:8 `1`: `if` needs a condition, but here is a real
      here: this is a real
      help: a condition is true or false, such as a comparison: `x > 0`
    E303 6:41 `identityMatrix(3)`: both arms of an `if` give the same type, but here are a 2 by 2 matrix and a 3 by 3 matrix
      here: `else` gives a 3 by 3 matrix
      also 6:18 `identityMatrix(2)`: `then` gives a 2 by 2 matrix
      help: whichever arm is taken, the value is used in the same way: let both have the same type and length
    "#);
}

#[test]
fn one_mistake_is_said_once() {
    let said = said_of_library(
        "
wrong = [1, 2] + 1
a = wrong + wrong
b = norm(wrong) + a
c = if a > 0 then wrong else 3
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 2:16 `+`: `+` needs two values of the same shape, but here are a vector of 2 and a real
      also 2:9 `[1, 2]`: this is a vector of 2
      also 2:18 `1`: this is a real
      help: did you mean its length, `norm(v) + x`, one of its elements, `v # 1 + x`, or a vector on the right, `v + [0, 0, x]`?
    "#);
}

#[test]
fn a_mistake_inside_a_helper_shows_the_call() {
    let said = said_of_library(
        "
f(x, y) = x + y
a = f(1, 2)
b = f([1, 2], 3)
c = f(4, [1, 2])
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 2:13 `+`: `+` needs two values of the same shape, but here are a vector of 2 and a real
      also 2:11 `x`: this is a vector of 2
      also 2:15 `y`: this is a real
      also 4:5 `f([1, 2], 3)`: called here, with `x` a vector of 2, `y` a real
      help: did you mean its length, `norm(v) + x`, one of its elements, `v # 1 + x`, or a vector on the right, `v + [0, 0, x]`?
    "#);
}

#[test]
fn a_law_of_the_wrong_type() {
    let said = said_of_fall(
        "
functions = {
  v = 3
  position = [1, 2]
  mass = t > 1
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E305 9:7 `3`: `v` is a vector of 3, but its law gives a real
      here: this is a real
      help: an attribute keeps the type it was born with: let the law give a vector of 3
    E305 10:14 `[1, 2]`: `position` is a vector of 3, but its law gives a vector of 2
      here: this is a vector of 2
      help: an attribute keeps the type it was born with: let the law give a vector of 3
    E305 11:10 `t > 1`: `mass` is a real, but its law gives a boolean
      here: this is a boolean
      help: an attribute keeps the type it was born with: let the law give a real
    "#);
}

#[test]
fn a_missing_comma_in_a_law() {
    let said = said_of_fall(
        "
functions = {
  v = 0.5 * w
  w = [position # 1,
       position # 2
       -position # 3]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E305 9:7 `0.5 * w`: `v` is a vector of 3, but its law gives a vector of 2
      here: this is a vector of 2
      also 11:20 ``: missing comma?
      help: without a comma the next line is subtracted or added: this is a vector of 2, with a comma it has 3 elements
      edit 11:20 `` -> `,`
    "#);
}

#[test]
fn a_missing_comma_far_away() {
    let said = said_of_fall(
        "
functions = {
  v = identityMatrix(3) * change
  change = [ change_x,
             -position # 2
             -position # 3 ]
  change_x = 1
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 9:25 `*`: `*` needs as many columns on its left as elements on its right, but here are a 3 by 3 matrix and a vector of 2
      also 9:7 `identityMatrix(3)`: this is a 3 by 3 matrix
      also 9:27 `change`: this is a vector of 2
      also 11:27 ``: missing comma?
      help: without a comma the next line is subtracted or added: this is a vector of 2, with a comma it has 3 elements
      edit 11:27 `` -> `,`
    "#);
}

#[test]
fn a_difference_is_no_missing_comma() {
    let said = said_of_fall(
        "
functions = {
  v = [1, position # 2 - position # 3]
  orientation = [1, (mass) - 2]
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E305 9:7 `[1, position # 2 - position # 3]`: `v` is a vector of 3, but its law gives a vector of 2
      here: this is a vector of 2
      help: an attribute keeps the type it was born with: let the law give a vector of 3
    E305 10:17 `[1, (mass) - 2]`: `orientation` is a vector of 3, but its law gives a vector of 2
      here: this is a vector of 2
      help: an attribute keeps the type it was born with: let the law give a vector of 3
    "#);
}

#[test]
fn rates_are_of_the_type_of_their_attribute() {
    let said = said_of_fall(
        "
functions = {
  v' = 3
  position' = v
}
",
    );
    insta::assert_snapshot!(said, @r#"
    E305 9:8 `3`: `v` is a vector of 3, but its rate gives a real
      here: this is a real
      help: an attribute keeps the type it was born with: let the rate give a vector of 3
    "#);
}

#[test]
fn booleans_have_no_rates() {
    let said = said_of_lab(
        "
object { name = ball physical type = dynamic geometrical type = sphere
  attributes = { position = [0, 0, 5] v = [1, 0, 0] size = 1 alive = true } }
context { name = fall type = free fall functions = { alive' = 1 } }
",
    );
    insta::assert_snapshot!(said, @r#"
    E307 4:63 `1`: `alive` is a boolean, so it has no rate of change
      help: give its value instead: `alive = …`
    "#);
}

#[test]
fn sequences_are_no_attributes() {
    let said = said_of_fall(
        "
functions = {
  trail = {1, 2}
  v = [1, 0, 0]
}
attributes = {trail}
compute_first_time_only_attributes = {trail}
",
    );
    insta::assert_snapshot!(said, @r#"
    E306 9:11 `{1, 2}`: the attribute `trail` cannot be a sequence
      here: this is a sequence
      help: attributes are reals, booleans, vectors and matrices: use a vector, or take one element
    "#);
}

#[test]
fn context_attributes_have_the_type_of_their_law() {
    let said = said_of_fall(
        "
functions = {
  v0 = [1, 2]
  v = v0
}
attributes = {v0}
compute_first_time_only_attributes = {v0}
",
    );
    insta::assert_snapshot!(said, @r#"
    E305 10:7 `v0`: `v` is a vector of 3, but its law gives a vector of 2
      here: this is a vector of 2
      help: an attribute keeps the type it was born with: let the law give a vector of 3
    "#);
}

#[test]
fn recursion_settles() {
    let said = said_of_library(
        "
factorial(n) = if n <= 1 then 1 else n * factorial(n - 1)
even(n) = if n == 0 then true else odd(n - 1)
odd(n) = if n == 0 then false else even(n - 1)
up(n) = if n == 0 then {} else {n} ++ up(n - 1)
a = factorial(3) + [1, 2]
b = even(4) + 1
c = up(3) + 1
forever(x) = forever(x)
d = forever(1) + 2
grow(x) = grow({x})
e = grow(1)
",
    );
    insta::assert_snapshot!(said, @r#"
    E301 6:18 `+`: `+` needs two values of the same shape, but here are a real and a vector of 2
      also 6:5 `factorial(3)`: this is a real
      also 6:20 `[1, 2]`: this is a vector of 2
      help: did you mean its length, `x + norm(v)`, one of its elements, `x + v # 1`, or a vector on the left, `[0, 0, x] + v`?
    E301 7:13 `+`: `+` needs two values of the same shape, but here are a boolean and a real
      also 7:5 `even(4)`: this is a boolean
      also 7:15 `1`: this is a real
      help: a boolean is no number; `if c then 1 else 0` makes one of it
    E301 8:11 `+`: `+` needs two values of the same shape, but here are a sequence and a real
      also 8:5 `up(3)`: this is a sequence
      also 8:13 `1`: this is a real
      help: take one element, `s # 1`, or add all of them up, `sum(s)`
    "#);
}
