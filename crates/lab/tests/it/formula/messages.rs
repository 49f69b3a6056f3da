//! Messages about a text that is no formula, word for word.

use super::sample;
use gedanken_recording::formula::Formula;
use std::fmt::Write;

fn told(texts: &[&str]) -> String {
    let schema = sample::schema();
    let mut all = String::new();
    for text in texts {
        let said =
            Formula::read(&schema, text).err().map_or("nothing is said".to_owned(), |it| it.to_string());
        writeln!(all, "── {text}\n{said}\n").unwrap();
    }
    all
}

#[test]
fn names_that_mean_nothing() {
    insta::assert_snapshot!(told(&[
        "ball.positon",
        "2 * norm(ball.positon - floor.normal)",
        "bal.position#3",
        "position",
        "ball",
        "floor . floor.normal",
        "nothing + nothing",
        "energi",
        "ball.position.z",
        "ball.colour",
        "ball.e@fre + 1",
        "ball.position@free",
        "ball.e@nowhere",
        "dt * previous(g)",
        "nrom(wind)",
        "speed(ball)",
        "frame",
        "wind@free",
    ]));
}

#[test]
fn types_that_do_not_fit() {
    insta::assert_snapshot!(told(&[
        "ball.position#4",
        "ball.mass#1",
        "ball.position + g",
        "ball.touches + 1",
        "norm(floor.stress)",
        "norm(ball.position, wind)",
        "norm",
        "ball.mass(3)",
        "wind . ball.position",
        "if g then 1 else 2",
        "{t, g}",
        "[]",
        "identityMatrix(40)",
        "identityMatrix(t)",
    ]));
}

#[test]
fn text_that_cannot_be_read() {
    insta::assert_snapshot!(told(&[
        "",
        "norm(ball.position",
        "norm()",
        "ball.",
        "ball.position ball.mass",
        "2 ** t",
        "v = 3",
        "ball.position#",
        "ball.position²",
        "VFLangNative.nrom(wind)",
        "t @ 3",
    ]));
}
