//! `gedanken plot`: formulas over what was recorded as curves, on the terminal or as SVG, or at one time as
//! numbers.

use crate::console::diagnostics;
use crate::console::format::significant;
use crate::console::page::INDENT;
use crate::console::table::{Align, Table};
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::plain;
use crate::files::whole_file;
use crate::plot::svg::Picture;
use crate::plot::{Curve, Plot};
use crate::runner::source::{Choice, Source};
use clap::Args;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_recording::formula::{At, Formula};
use gedanken_recording::{Owner, Quantity, Recording, Sample, Schema};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Plot what happened over time, or one quantity against another
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An experiment (.lab), which is run first, or a recording (.arrow)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What to plot: ball.position (all components), ball.position#3 (the third), an attribute of the world
    /// or a measure by its name, or any expression of these and the time t (after -- if it begins with a
    /// minus); without any, the measures, or else where the first object is
    #[arg(value_name = "FORMULA")]
    formulas: Vec<String>,

    /// Quantity of the horizontal axis (default: the time)
    #[arg(long, visible_alias = "x", value_name = "FORMULA", allow_hyphen_values = true)]
    against: Option<String>,

    /// Start of the time range
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    from: Option<f64>,

    /// End of the time range
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    to: Option<f64>,

    /// Print value and derivative at this time instead, by a cubic through the nearest samples (frames, and
    /// both sides of events) that never crosses an event; at the time of an event, those after it
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with_all = ["against", "from", "to", "out"])]
    at: Option<f64>,

    /// Write an SVG to this file instead of drawing on the terminal
    #[arg(short, long, value_name = "FILE.svg")]
    out: Option<PathBuf>,

    /// The title of the SVG
    #[arg(long, value_name = "TEXT", requires = "out")]
    title: Option<String>,

    #[command(flatten)]
    choice: Choice,

    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print the points as JSON
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken plot drop.lab ball.position#3 ball.v#3
  gedanken plot drop.lab ball.position#3 --against ball.position#1
  gedanken plot drop.arrow 'norm(ball.v)' --out speed.svg
  gedanken plot drop.lab '0.5*norm(ball.v)^2 + 9.81*ball.position#3'
  gedanken plot drop.arrow ball.position --at 1.5
  gedanken plot drop.arrow energy --json";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(out) = arguments.out.as_deref().filter(|out| out.extension().is_none_or(|it| it != "svg")) {
        let name = out.display();
        return Err(Failure::Usage(format!("{name}: a plot is written as SVG, to a file that ends in .svg")));
    }
    let Source { recording, ended, inputs } = arguments.choice.open(&arguments.file)?;
    if let Some(out) = &arguments.out {
        inputs.refuse(out)?;
    }
    let mut formulas = arguments.formulas(&recording.schema)?;
    let screen = Screen::of_stdout(arguments.ascii);
    if let Some(t) = arguments.at {
        screen.print(&arguments.numbers(screen, &recording, &mut formulas, t)?)?;
        tell_failures(&formulas);
        return ended;
    }
    let mut against = arguments.against(&recording.schema)?;
    let curves = arguments.curves(&recording, &mut against, &mut formulas);
    let x_label = against.label().to_owned();
    formulas.push(against);
    tell_failures(&formulas);
    if let Some(out) = &arguments.out {
        let title = arguments.title.clone().unwrap_or_else(|| title(&recording));
        write_svg(out, Picture { title, x_label, curves })?;
        screen.print(&format!("{} written\n", out.display()))?;
    } else if arguments.json {
        let data: Vec<_> = curves
            .iter()
            .map(|(name, points)| {
                let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
                json!({ "name": name, "x": x, "y": y })
            })
            .collect();
        screen.print(&format!("{:#}\n", json!({ "against": x_label, "series": data })))?;
    } else {
        screen.print(&drawn(screen, x_label, curves))?;
    }
    ended
}

/// A name and its points.
type Named = (String, Vec<(f64, f64)>);

impl Arguments {
    /// Returns the formulas to plot: the given ones, else the measures, else the position of the first
    /// object.
    fn formulas(&self, schema: &Schema) -> Result<Vec<Formula>, Failure> {
        let mut texts = self.formulas.clone();
        if texts.is_empty() {
            // By their bare names, unless the world has something that is called so.
            let is_plain = |name: &str| schema.find(name).is_some_and(|it| it.owner == Owner::Measure);
            let named = |it: &Quantity| {
                if is_plain(&it.name) { it.name.clone() } else { format!("measure.{}", it.name) }
            };
            texts.extend(schema.owned(Owner::Measure).iter().map(named));
        }
        if texts.is_empty() {
            let moving = schema.quantities.iter().find_map(|it| match it.owner {
                Owner::Object(index) if it.name == "position" => {
                    Some(format!("{}.position", schema.objects[index]))
                }
                _ => None,
            });
            texts.extend(moving);
        }
        if texts.is_empty() {
            return Err(Failure::Usage("no quantity changes in this run: name the one to plot".to_owned()));
        }
        texts.iter().map(|text| read(schema, text)).collect()
    }

    /// The horizontal axis.
    fn against(&self, schema: &Schema) -> Result<Formula, Failure> {
        let against = read(schema, self.against.as_deref().unwrap_or("t"))?;
        if against.width() == 1 {
            return Ok(against);
        }
        let (label, mut choice) = (against.label(), against.names().join(", "));
        if matches!(against.ty(), Type::Vector(_)) {
            choice += &format!(", or norm({label})");
        }
        Err(Failure::Usage(format!("--against {label}: one axis shows one number; choose one of {choice}")))
    }

    /// A curve for each number of each formula.
    fn curves(&self, recording: &Recording, against: &mut Formula, formulas: &mut [Formula]) -> Vec<Named> {
        let (from, to) = (self.from.unwrap_or(f64::NEG_INFINITY), self.to.unwrap_or(f64::INFINITY));
        let mut samples: Vec<Sample> = recording.samples();
        samples.retain(|sample| (from..=to).contains(&sample.time(recording)));
        let x = against.over(recording, &samples);
        let mut curves = Vec::new();
        for formula in formulas {
            let y = formula.over(recording, &samples);
            let is_known = |sample: &usize| x.recorded[*sample] && y.recorded[*sample];
            let known: Vec<usize> = (0..samples.len()).filter(is_known).collect();
            for (name, column) in formula.names().into_iter().zip(&y.columns) {
                curves.push((name, known.iter().map(|&at| (x.columns[0][at], column[at])).collect()));
            }
        }
        curves
    }

    /// Values and derivatives at a time.
    fn numbers(
        &self,
        screen: Screen,
        recording: &Recording,
        formulas: &mut [Formula],
        t: f64,
    ) -> Result<String, Failure> {
        let outside = || {
            let ends = (recording.times.first(), recording.times.last());
            let (Some(&first), Some(&last)) = ends else {
                return Failure::Experiment("there is no frame: the run failed at its start".to_owned());
            };
            let (first, last) = (Value::Real(first), Value::Real(last));
            Failure::Usage(format!("--at {t}: it was recorded from t = {first} to {last}"))
        };
        let mut known: Vec<(String, At)> = Vec::new();
        for formula in formulas {
            let numbers = formula.at(recording, t).ok_or_else(outside)?;
            known.extend(formula.names().into_iter().zip(numbers));
        }
        if self.json {
            let data: Vec<_> = known
                .iter()
                .map(|(name, at)| json!({ "name": name, "value": at.value, "derivative": at.derivative }))
                .collect();
            return Ok(format!("{:#}\n", json!({ "t": t, "series": data })));
        }
        let mut table = Table::new([
            (&format!("at t = {}", Value::Real(t)), Align::Left),
            ("value", Align::Right),
            ("derivative", Align::Right),
        ]);
        for (name, At { value, derivative }) in known {
            let none = || "none".to_owned();
            let value = value.map_or_else(none, |value| significant(value, 12));
            table.row([name, value, derivative.map_or_else(none, |slope| significant(slope, 9))]);
        }
        Ok(table.render(screen))
    }
}

/// Reads a formula; diagnostics are printed.
fn read(schema: &Schema, text: &str) -> Result<Formula, Failure> {
    Formula::read(schema, text).map_err(|refused| {
        diagnostics::report(&refused.diagnostics, &refused.sources);
        Failure::ReportedUsage
    })
}

/// Says of every formula that could not be computed everywhere where and why.
fn tell_failures(formulas: &[Formula]) {
    for formula in formulas {
        if let Some(failure) = formula.failure() {
            terminal::eprint(&format!("{} has {failure}\n", formula.label()));
        }
    }
}

/// Returns the title of a recording.
fn title(recording: &Recording) -> String {
    let schema = &recording.schema;
    let path = Path::new(&schema.path);
    let name = path.file_stem().map_or(schema.path.clone().into(), |stem| stem.to_string_lossy());
    format!("{name}: {}", schema.simulation)
}

fn drawn(screen: Screen, x_label: String, curves: Vec<Named>) -> String {
    let curve = |(hue, (label, points)): (usize, Named)| Curve { label, points, hue };
    let plot = Plot {
        screen,
        width: screen.width - INDENT.len(),
        rows: 19,
        x_label,
        curves: curves.into_iter().enumerate().map(curve).collect(),
    };
    plot.render().iter().map(|line| format!("{INDENT}{line}\n")).collect()
}

fn write_svg(path: &Path, picture: Picture) -> Result<(), Failure> {
    let Some(svg) = picture.render() else {
        return Err(Failure::Experiment("nothing to draw: there is no value at that time".to_owned()));
    };
    whole_file::replace(path, svg.as_bytes()).map_err(|error| {
        Failure::Experiment(format!("{} cannot be written: {}", path.display(), plain(&error)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_recording::two_balls_recording;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn arguments(line: &[&str]) -> Arguments {
        Line::try_parse_from([&["plot", "two.arrow"], line].concat())
            .map_err(|e| e.to_string())
            .unwrap()
            .arguments
    }

    fn curves(line: &[&str]) -> Result<(String, Vec<Named>), Failure> {
        let recording = two_balls_recording();
        let arguments = arguments(line);
        let mut formulas = arguments.formulas(&recording.schema)?;
        let mut against = arguments.against(&recording.schema)?;
        let curves = arguments.curves(&recording, &mut against, &mut formulas);
        Ok((against.label().to_owned(), curves))
    }

    #[test]
    fn curves_jump_where_events_are() {
        let (x, found) = curves(&["b.v#1", "a.x"]).unwrap();
        assert_eq!(x, "t");
        let jump = vec![(0.0, 0.0), (1.0, 2.0), (1.5, 3.0), (1.5, 0.0), (2.0, 0.0), (3.0, 0.0)];
        assert_eq!(found[0], ("b.v#1".to_owned(), jump));
        let parabola = vec![(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)];
        assert_eq!(found[1], ("a.x".to_owned(), parabola), "a has no part in the event");
    }

    #[test]
    fn one_against_the_other() {
        let (x, found) = curves(&["b.v#2", "--x", "a.x"]).unwrap();
        assert_eq!(x, "a.x");
        assert_eq!(found[0].1, [(0.0, 0.0), (1.0, 0.0), (4.0, 2.0), (9.0, 3.0)]);
        let why = curves(&["a.x", "--against", "b.v"]).unwrap_err();
        assert!(
            matches!(why, Failure::Usage(why) if why.contains("choose one of b.v#1, b.v#2, or norm(b.v)"))
        );
    }

    #[test]
    fn expressions_are_curves_one_for_each_number() {
        let (_, found) = curves(&["g - 2*a.x", "2 * b.v", "--against", "-t"]).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["g - 2*a.x", "(2 * b.v)#1", "(2 * b.v)#2"]);
        assert_eq!(found[0].1, [(0.0, 9.5), (-1.0, 7.5), (-2.0, 1.5), (-3.0, -8.5)]);
        assert_eq!(found[2].1.last(), Some(&(-3.0, 6.0)));
        let (_, both) = curves(&["a.x * b.v # 2"]).unwrap();
        assert_eq!(both[0].1.len(), 4, "a has no part in the event");
        assert!(matches!(curves(&["a.x + b.v"]), Err(Failure::ReportedUsage)));
    }

    #[test]
    fn without_a_name_the_measures_are_shown_and_times_may_be_cut() {
        let (_, found) = curves(&["--from", "1.2", "--to", "2"]).unwrap();
        assert_eq!((found.len(), found[0].0.as_str()), (1, "n"));
        assert_eq!(found[0].1, [(1.5, 1.0), (1.5, 2.0), (2.0, 2.0)]);
    }

    #[test]
    fn numbers_at_a_time() {
        let recording = two_balls_recording();
        let arguments = arguments(&["a.x", "b.touched", "--at", "0.5"]);
        let mut formulas = arguments.formulas(&recording.schema).unwrap();
        let screen = Screen { width: 80, colour: false, ascii: false };
        let text = arguments.numbers(screen, &recording, &mut formulas, 0.5).unwrap();
        let lines = [
            "  at t = 0.5   value   derivative",
            "  a.x           0.25            1",
            "  b.touched     none         none",
            "",
        ];
        assert_eq!(text, lines.join("\n"));
        let outside = arguments.numbers(screen, &recording, &mut formulas, 3.5).unwrap_err();
        assert!(matches!(outside, Failure::Usage(why) if why.contains("from t = 0 to 3")));
    }
}
