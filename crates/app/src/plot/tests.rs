//! Appearance of plots, and plots of unusual data.

use super::*;

const SCREEN: Screen = Screen { width: 80, colour: false, ascii: false };

fn plot(points: &[(f64, f64)]) -> Plot {
    let curve = Curve { label: String::new(), points: points.to_vec(), hue: 0 };
    Plot { screen: SCREEN, width: 30, rows: 5, x_label: "s".into(), curves: vec![curve] }
}

#[test]
fn a_straight_line_runs_from_corner_to_corner() {
    let lines = [
        "1 ┤                      ⣀⡠⠔⠒⠉",
        "  │                ⢀⡠⠤⠒⠊⠉",
        "  │          ⢀⣀⠤⠔⠒⠉⠁",
        "  │     ⣀⡠⠤⠒⠊⠁",
        "0 ┤⣀⠤⠔⠊⠉",
        "  └┬────────────┬────────────┬",
        "   0            5           10",
        "                             s",
    ];
    assert_eq!(plot(&[(0.0, 0.0), (10.0, 1.0)]).render(), lines);
}

#[test]
fn ascii_has_marks_and_names() {
    let mut plot = plot(&[(0.0, 0.0), (10.0, 1.0)]);
    plot.screen.ascii = true;
    plot.curves[0].label = "up".into();
    let down = Curve { label: "down".into(), points: vec![(0.0, 1.0), (10.0, 0.0)], hue: 1 };
    plot.curves.push(down);
    // The frame becomes ASCII on its way out, with all other text.
    let lines = [
        "1 ┤+++                *** up",
        "  │   +++++      *****",
        "  │        ++++++",
        "  │   *****      +++++",
        "0 ┤***                +++ down",
        "  └┬──────────┬─────────┬",
        "   0          5        10  s",
    ];
    assert_eq!(plot.render(), lines);
}

#[test]
fn a_constant_lies_in_the_middle() {
    let lines = plot(&[(0.0, 3.0), (1.0, 3.0)]).render();
    let inked: Vec<usize> =
        (0..5).filter(|&row| lines[row].contains('⠤') || lines[row].contains('⠒')).collect();
    assert_eq!(inked, [2], "{lines:#?}");
}

#[test]
fn nothing_is_said_to_be_nothing() {
    for points in [vec![], vec![(0.0, f64::NAN)], vec![(f64::INFINITY, 1.0)]] {
        assert_eq!(plot(&points).render(), ["(nothing to draw: there is no value other than zero)"]);
    }
}

#[test]
fn no_line_is_longer_than_the_width() {
    let mut plot = plot(&[(0.0, -1234.5), (1e6, 98765.4)]);
    plot.curves[0].label = "a long name".into();
    for width in 30..120 {
        plot.width = width;
        for line in plot.render() {
            assert!(columns(&line) <= width.max(40), "{width}: {line}");
        }
    }
}

#[test]
fn colours_do_not_count_as_columns() {
    assert_eq!(without_colours("\x1b[36mab\x1b[0m m"), "ab m");
}
