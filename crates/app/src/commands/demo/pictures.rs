//! The picture of a motion: paths, a standing wave, components over time, or snapshots side by side.

use super::record::{Frame, Recording};
use super::scenes::Picture;
use crate::plot::axis::Scale;
use crate::plot::canvas::Canvas;
use crate::plot::{Curve, Pen, Plot, without_colours};
use crate::terminal::Screen;
use crate::words::{columns, number};

/// Rows of a picture's canvas.
const ROWS: usize = 15;
const INDENT: usize = 2;

/// A heading and the lines below it.
pub(crate) struct Drawn {
    pub(crate) heading: String,
    pub(crate) lines: Vec<String>,
}

/// Draws what a recording has seen.
pub(crate) fn draw(screen: Screen, recording: &Recording) -> Drawn {
    match recording.scene.picture {
        Picture::Paths { centre } => paths(screen, recording, centre),
        Picture::StandingWave => standing_wave(screen, recording),
        Picture::Components { what, names } => components(screen, recording, what, names),
        Picture::Snapshots => snapshots(screen, recording),
    }
}

fn plot(screen: Screen, x_label: &str, curves: Vec<Curve>) -> Plot {
    Plot {
        screen,
        width: screen.width - INDENT,
        rows: ROWS,
        y_scale: Scale::Linear,
        true_to_scale: false,
        x_range: None,
        y_range: None,
        x_label: x_label.to_owned(),
        curves,
    }
}

fn curve(label: &str, points: Vec<(f64, f64)>, hue: usize) -> Curve {
    Curve { label: label.to_owned(), points, pen: Pen::Line, hue }
}

fn paths(screen: Screen, recording: &Recording, centre: Option<&str>) -> Drawn {
    let frames = &recording.frames;
    let bodies = frames[0].points.len();
    let path = |frames: &[Frame], body: usize| -> Vec<(f64, f64)> {
        frames.iter().map(|frame| (frame.points[body].x, frame.points[body].y)).collect()
    };
    let mut curves: Vec<Curve> = (0..bodies).map(|body| curve("", path(frames, body), body)).collect();
    // Bodies that share a path would hide each other: the end of each one's own is drawn again, on top.
    let share = recording.period / bodies as f64;
    let last = frames.last().map_or(0.0, |frame| frame.time);
    let recent = frames.partition_point(|frame| frame.time < last - share);
    curves.extend((0..bodies).map(|body| curve("", path(&frames[recent..], body), body)));
    let mark = |pen, points, hue| Curve { label: String::new(), points, pen, hue };
    let end = &frames[frames.len() - 1..];
    // In ASCII a mark has no shape of its own, but a letter.
    let disc = |body| if screen.ascii { bodies + 1 } else { body };
    curves.extend((0..bodies).map(|body| mark(Pen::Disc, path(end, body), disc(body))));
    curves.extend(centre.map(|_| mark(Pen::Cross, vec![(0.0, 0.0)], bodies)));

    let mut lines = Plot { true_to_scale: true, ..plot(screen, "x in m", curves) }.render();
    let named = |word: &str, hue| if screen.ascii { Canvas::sample(screen, hue) } else { word.to_owned() };
    let cross = centre.map_or(String::new(), |name| format!("; {}: the {name}", named("cross", bodies)));
    lines.push(screen.dim(&format!("{}: the end of the path{cross}", named("disc", bodies + 1))));
    let shown = if last < 0.999 * recording.end.time {
        format!(" (the first {} {})", number(last / recording.period), recording.scene.period_name)
    } else {
        String::new()
    };
    Drawn { heading: format!("The path in the x-y plane, y in m{shown}"), lines }
}

fn standing_wave(screen: Screen, recording: &Recording) -> Drawn {
    let at = |time: f64| {
        let gap = |frame: &&Frame| (frame.time - time).abs();
        recording.frames.iter().min_by(|a, b| gap(a).total_cmp(&gap(b)))
    };
    let names = ["at the start", "after T/8", "after T/4", "after 3T/8", "after T/2"];
    let (mut curves, mut legend) = (Vec::new(), Vec::new());
    for (k, name) in names.into_iter().enumerate() {
        let time = recording.period * k as f64 / 8.0;
        let near = at(time).filter(|frame| (frame.time - time).abs() < recording.period / 16.0);
        if let Some(frame) = near {
            curves.push(curve("", frame.points.iter().map(|p| (p.x, p.y)).collect(), k));
            legend.push(format!("{} {name}", Canvas::sample(screen, k)));
        }
    }
    let mut lines = plot(screen, "mass", curves).render();
    // Without colours the curves look alike; their order tells them apart.
    let words = "at the start, and T/8, T/4, 3T/8 and T/2 later";
    lines.push(if screen.colour || screen.ascii { legend.join("  ") } else { words.to_owned() });
    Drawn { heading: "The chain at eighths of a period: displacement of each mass in m".to_owned(), lines }
}

fn components(screen: Screen, recording: &Recording, what: &str, names: [&str; 3]) -> Drawn {
    let component = |k: usize| {
        let point = |f: &Frame| (f.time / recording.period, f.points[0].to_array()[k]);
        recording.frames.iter().map(point).collect()
    };
    let curves =
        names.iter().enumerate().map(|(k, name)| curve(&screen.spell(name), component(k), k)).collect();
    Drawn { heading: what.to_owned(), lines: plot(screen, recording.scene.period_name, curves).render() }
}

/// How much of the x-y plane snapshots show, in metres from the origin: nearly all of the mass is inside.
const REACH: f64 = 2.5;

fn snapshots(screen: Screen, recording: &Recording) -> Drawn {
    let frames = &recording.frames;
    let half_mass: Vec<f64> = frames.iter().map(half_mass_radius).collect();
    let densest = (0..frames.len()).min_by(|&a, &b| half_mass[a].total_cmp(&half_mass[b])).unwrap_or(0);
    let mut chosen = vec![0, densest, frames.len() - 1];
    chosen.dedup();
    let gap = 2;
    let width = (screen.width - INDENT - 2 * gap) / 3;
    let mut lines: Vec<String> = Vec::new();
    for (k, &index) in chosen.iter().enumerate() {
        let frame = &frames[index];
        let points = frame.points.iter().map(|p| (p.x, p.y)).collect();
        let stars = Curve { label: String::new(), points, pen: Pen::Dots, hue: 0 };
        let (rows, reach) = ((width - 4) / 2, Some((-REACH, REACH)));
        let plot = Plot {
            rows,
            width,
            true_to_scale: true,
            x_range: reach,
            y_range: reach,
            ..plot(screen, "m", vec![stars])
        };
        let mut panel = vec![format!("   t = {} s", number(frame.time))];
        panel.extend(plot.render());
        panel.push(format!("   half within {} m", number(half_mass[index])));
        lines = if k == 0 { panel } else { beside(&lines, &panel, (width + gap) * k) };
    }
    let heading = "The stars in the x-y plane: at the start, at their densest, at the end".to_owned();
    Drawn { heading, lines }
}

/// The radius about the origin that holds half of the stars.
fn half_mass_radius(frame: &Frame) -> f64 {
    let mut radii: Vec<f64> = frame.points.iter().map(|p| p.length()).collect();
    radii.sort_by(f64::total_cmp);
    radii[radii.len() / 2]
}

/// Two blocks of lines, the second from column `at` on.
fn beside(left: &[String], right: &[String], at: usize) -> Vec<String> {
    let rows = left.len().max(right.len());
    let line = |k: usize| {
        let (left, right) = (left.get(k).map_or("", String::as_str), right.get(k).map_or("", String::as_str));
        let room = at.saturating_sub(columns(&without_colours(left)));
        format!("{left}{}{right}", " ".repeat(room)).trim_end().to_owned()
    };
    (0..rows).map(line).collect()
}
