//! Every law of the gallery is found, where it stands.

use super::gallery;
use gedanken_experiment::editor::{formulas, library_formulas};
use gedanken_experiment::gallery::{FILES, experiments};

/// A text without its comments and white space.
fn squeezed(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.flat_map(|line| line.chars()).filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn of_the_bouncing_ball() {
    let text = gallery("bouncing_ball");
    let found = formulas(text);
    let names: Vec<(&str, &str, &str)> =
        found.iter().map(|it| (it.block_kind.as_str(), it.block.as_str(), it.name.as_str())).collect();
    assert_eq!(
        names,
        [
            ("context", "flight", "t0"),
            ("context", "flight", "pos0"),
            ("context", "flight", "v0"),
            ("context", "flight", "v"),
            ("context", "flight", "position"),
            ("context", "bounce", "v_in"),
            ("context", "bounce", "v"),
            ("measure", "apex", "value"),
        ]
    );
    assert_eq!(&text[found[3].start..found[3].end], "v = v0 + a * (t - t0)");
    let measure = found.last().unwrap();
    assert_eq!(&text[measure.start..measure.end], "value = position # 3 - size + (v # 3)^2 / (2 * norm(a))");
    assert!(measure.mathml.contains("data-name=\"apex\""), "a measure is called by its name");
}

/// Laws are the lines in the braces of `functions`, and the values of measures.
#[test]
fn of_the_whole_gallery() {
    for file in experiments() {
        let found = formulas(file.text);
        let mut starts: Vec<usize> = found.iter().map(|it| it.start).collect();
        assert!(starts.is_sorted(), "{}", file.name);
        starts.dedup();
        assert_eq!(starts.len(), found.len());
        for it in &found {
            let written = squeezed(&file.text[it.start..it.end]);
            let head = written.split('=').next().unwrap();
            assert_eq!(head.split(['(', '\'']).next(), Some(it.name.as_str()), "{}: {written}", file.name);
            assert!(it.mathml.starts_with("<math") && it.mathml.ends_with("</math>"));
            assert!(!it.mathml.contains("merror"), "{written}");
            assert!(!it.block.is_empty(), "{written}");
        }
        let measures = file.text.lines().filter(|line| line.starts_with("measure ")).count();
        assert_eq!(found.iter().filter(|it| it.block_kind == "measure").count(), measures, "{}", file.name);
        // All that is left of a block `functions` without its laws is the braces and commas.
        let mut left = file.text.to_owned();
        for it in found.iter().rev() {
            left.replace_range(it.start..it.end, "");
        }
        let left = squeezed(&left);
        for (at, _) in left.match_indices("functions={") {
            assert!(left[at..].starts_with("functions={}"), "{}: {}", file.name, &left[at..at + 40]);
        }
    }
}

#[test]
fn of_libraries() {
    for file in FILES.iter().filter(|file| file.name.ends_with(".vfl")) {
        let found = library_formulas(file.name, file.text);
        assert!(!found.is_empty());
        for it in &found {
            assert_eq!((it.block.as_str(), it.block_kind.as_str()), (file.name, "import"));
            assert!(file.text[it.start..it.end].starts_with(&it.name));
        }
    }
}

/// An object of a Lagrangian has a position and an orientation: on paper they have two names.
#[test]
fn nothing_is_defined_twice_on_paper() {
    for file in experiments() {
        let mut left_sides: Vec<(String, String)> = formulas(file.text)
            .into_iter()
            .filter(|it| it.block_kind == "lagrangian")
            .map(|it| (it.block, it.mathml.split(">=<").next().unwrap().to_owned()))
            .collect();
        let count = left_sides.len();
        left_sides.sort();
        left_sides.dedup();
        assert_eq!(left_sides.len(), count, "{}", file.name);
    }
}
