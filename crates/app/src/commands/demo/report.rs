//! The report on one run: physics, step, pictures, invariants, ledger.

use super::pictures;
use super::record::Recording;
use crate::page::{INDENT, Page};
use crate::plot::axis::Scale;
use crate::plot::{Curve, Pen, Plot};
use crate::table::{Align, Table};
use crate::terminal::Screen;
use crate::words::{number, plural, precise, wrap};
use gedanken_dynamics::Integrator;
use gedanken_dynamics::integrate::Control;
use gedanken_math::Vec3;

/// Everything about one run.
pub(crate) fn render(screen: Screen, recording: &Recording) -> String {
    let mut page = Page::new(screen);
    page.title(recording.scene.title);
    page.paragraph(recording.scene.story);
    page.line("");
    laws(&mut page, recording);
    method(&mut page, recording);
    page.fact("run", &wrap(&run(recording), page.fact_width()));
    let picture = pictures::draw(screen, recording);
    page.block(&picture.heading, &picture.lines);
    if let Some(distance) = recording.distance_from_start {
        let (periods, name) = (number(recording.plan.periods), recording.scene.period_name);
        let miss = number(distance);
        page.caption(&format!(
            "After {periods} {name} all should be back at the start; it is off by {miss} m."
        ));
    }
    page.block("Error of energy, |ΔE/E|", &errors(screen, &[recording]));
    invariants(&mut page, recording);
    ledger(&mut page, recording);
    page.line("");
    let note = screen.dim("(all bits of the final state; the same everywhere)");
    page.line(&format!("state hash {:016x} {note}", recording.hash));
    page.text
}

/// The laws and their formulas.
pub(crate) fn laws(page: &mut Page, recording: &Recording) {
    let formula = |law: &String| {
        let known = recording.scene.formulas.iter().find(|(label, _)| label == law);
        known.map_or_else(|| law.clone(), |(label, formula)| format!("{label}: {formula}"))
    };
    let mut lines: Vec<String> = recording
        .laws
        .iter()
        .flat_map(|law| wrap(&page.screen.spell(&formula(law)), page.fact_width()))
        .collect();
    if lines.is_empty() {
        lines.push("none: no force, no torque".to_owned());
    }
    page.fact(if recording.laws.len() == 1 { "law" } else { "laws" }, &lines);
}

fn method(page: &mut Page, recording: &Recording) {
    let integrator = recording.integrator;
    let width = page.fact_width();
    page.fact("method", &wrap(&format!("{}: {}", integrator.name, integrator.summary), width));
    page.fact("", &wrap(&properties(integrator), width));
    let mut step = recording.workflow.lines(width);
    step.extend(
        wrap(&format!("({})", recording.workflow.legend()), width).iter().map(|line| page.screen.dim(line)),
    );
    page.fact("one step", &step);
}

fn properties(integrator: &Integrator) -> String {
    let yes = [(integrator.symplectic, "symplectic"), (integrator.reversible, "reversible")];
    let mut words = vec![format!("order {}", integrator.order)];
    words.extend(yes.iter().map(|(is, word)| if *is { (*word).to_owned() } else { format!("not {word}") }));
    words.push(format!("{} per step", plural(integrator.evaluations.into(), "force evaluation")));
    words.join(", ")
}

/// How long and in which steps.
pub(crate) fn run(recording: &Recording) -> String {
    let (plan, scene) = (&recording.plan, recording.scene);
    let steps = plural(recording.steps, "step");
    let each = match recording.integrator.control {
        Control::Fixed => format!("{} each", plural(plan.steps.into(), "step")),
        Control::Reversible | Control::Embedded => "steps as long as the method chooses".to_owned(),
    };
    let length =
        if recording.period == 1.0 { String::new() } else { format!(" of {} s", number(recording.period)) };
    format!("{} {}{length}, {each}: {steps}", number(plan.periods), scene.period_name)
}

/// |ΔE/E| over time on a logarithmic axis, one curve per run.
pub(crate) fn errors(screen: Screen, recordings: &[&Recording]) -> Vec<String> {
    let several = recordings.len() > 1;
    let curve = |(hue, recording): (usize, &&Recording)| Curve {
        label: if several { recording.integrator.name.to_owned() } else { String::new() },
        points: recording.errors.iter().map(|(t, e)| (t / recording.period, e.abs())).collect(),
        pen: Pen::Line,
        hue,
    };
    let plot = Plot {
        screen,
        width: screen.width - INDENT.len(),
        rows: if several { 17 } else { 9 },
        y_scale: Scale::Log,
        true_to_scale: false,
        x_range: Some((0.0, recordings[0].plan.periods)),
        y_range: None,
        x_label: recordings[0].scene.period_name.to_owned(),
        curves: recordings.iter().enumerate().map(curve).collect(),
    };
    plot.render()
}

fn invariants(page: &mut Page, recording: &Recording) {
    page.heading("What ought to stay the same");
    let (start, end) = (&recording.start, &recording.end);
    let (left, right) = (Align::Left, Align::Right);
    let headings =
        [("", left), ("at the start", right), ("at the end", right), ("change", right), ("", left)];
    let mut table = Table::new(headings);
    let change = number(end.energy - start.energy);
    table.row(["energy, J".into(), precise(start.energy), precise(end.energy), change, String::new()]);
    let mut vector = |name: &str, start: Vec3, end: Vec3, note: &str| {
        table.row([name.into(), triple(start), triple(end), number((end - start).length()), note.into()]);
    };
    vector("momentum, kg·m/s", start.momentum, end.momentum, "");
    if let (Some(start), Some(end)) = (start.angular_momentum, end.angular_momentum) {
        vector("angular momentum, kg·m²/s", start, end, "");
    }
    page.add(&table.render(page.screen));
    if !recording.scene.momentum_note.is_empty() {
        page.caption(recording.scene.momentum_note);
    }
}

/// Components to a billionth: what is smaller is rounding, and shows in the column of changes.
fn triple(v: Vec3) -> String {
    let [x, y, z] = (v * 1e9).round().to_array().map(|x| number(x / 1e9 + 0.0));
    format!("({x}, {y}, {z})")
}

fn ledger(page: &mut Page, recording: &Recording) {
    page.heading("The ledger: who did which joule");
    let (left, right) = (Align::Left, Align::Right);
    let headings = [("", left), ("work", right), ("change of potential", right), ("numerical error", right)];
    let mut table = Table::new(headings);
    for entry in &recording.ledger {
        let potential = entry.potential_change.map_or("none".into(), |change| precise(change.si()));
        let error = number(entry.numerical_error().si());
        table.row([entry.law.to_string(), precise(entry.work.si()), potential, error]);
    }
    let unbooked = number(recording.unbooked);
    table.row(["no law".into(), unbooked.clone(), "none".into(), unbooked]);
    let potential: f64 = recording.ledger.iter().filter_map(|e| e.potential_change).map(|c| c.si()).sum();
    let (kinetic, error) = (precise(recording.kinetic_change), number(recording.numerical_error));
    table.row(["together".into(), kinetic, precise(potential), error]);
    page.add(&table.render(page.screen));
    page.caption(
        "Work becomes kinetic energy. What a law gave beyond the change of its potential is the method's error, and \
         so is what came from no law.",
    );
}
