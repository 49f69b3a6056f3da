//! Any law of any experiment as a formula: simplified, and differentiated.

use super::Format;
use crate::failure::Failure;
use crate::runner::source::Text;
use gedanken_experiment::Experiment;
use gedanken_lab::derivation::{Left, Line};
use gedanken_lang::check::similar;
use gedanken_lang::program::{Input, OutputKind, Program};
use gedanken_lang::symbolic::{Formula, Notation, read, show as shown};
use gedanken_lang::types::Type;
use gedanken_lang::value::Shaped;
use gedanken_symbolic::{Expr, Pool};
use serde_json::json;

/// A law where it stands.
struct Law<'e> {
    /// `context fall`
    place: String,
    /// Name in the text; that of a rate with its prime.
    name: String,
    program: &'e Program,
    output: usize,
}

/// The law of this name, or its derivative, wherever there is one.
pub(super) fn show(text: &Text, name: &str, by: Option<&str>, format: Format) -> Result<String, Failure> {
    let laws = laws(&text.experiment);
    let wanted: Vec<&Law<'_>> = laws.iter().filter(|law| law.name.trim_end_matches('\'') == name).collect();
    if wanted.is_empty() {
        return Err(Failure::Usage(format!(
            "{} has no law for `{name}`\nhelp: {}",
            text.name,
            advice(name, &laws)
        )));
    }
    let (mut page, mut data) = (String::new(), Vec::new());
    let mut last = String::new();
    for law in wanted {
        let mut pool = Pool::new();
        let lines = law.lines(&mut pool, by).map_err(Failure::Experiment)?;
        let formulas: Vec<String> =
            lines.iter().map(|line| line.show(&mut pool, format.notation())).collect();
        let formulas = formulas.join("\n") + "\n";
        // A context is checked for every kind of object that it can meet; most often its laws are the same
        // for all.
        let whole = format!("{}\n{formulas}", law.place);
        if whole == last {
            continue;
        }
        match format {
            Format::Json => {
                let elements: Vec<String> =
                    lines.iter().map(|line| shown(&pool, line.right, Notation::Vfl)).collect();
                data.push(json!({ "where": law.place, "law": law.name, "by": by, "elements": elements }));
            }
            Format::Vfl => page += &format!("// {whole}"),
            Format::Latex => page += &format!("% {whole}"),
            Format::Unicode => page += &whole,
            Format::Mathml => page += &formulas,
        }
        last = whole;
    }
    Ok(if format == Format::Json { format!("{:#}\n", json!(data)) } else { page })
}

fn advice(name: &str, laws: &[Law<'_>]) -> String {
    let mut known: Vec<&str> = laws.iter().map(|law| law.name.trim_end_matches('\'')).collect();
    known.sort_unstable();
    known.dedup();
    match similar(name, known.iter().copied()) {
        Some(meant) => format!("did you mean {meant}?"),
        None if known.is_empty() => "it has no laws; energies are shown without --law".to_owned(),
        None => format!("there are {}", known.join(", ")),
    }
}

/// All laws of contexts and rules, and all formulas of forces, potentials and constraints.
fn laws(experiment: &Experiment) -> Vec<Law<'_>> {
    let mut laws = Vec::new();
    let mut add = |place: &str, program| {
        let Program { outputs, .. }: &Program = program;
        for (output, it) in outputs.iter().enumerate() {
            // Formulas of blocks are called such as `energy of valley`.
            let name = it.name.split(' ').next().unwrap_or_default();
            let prime = if it.kind == OutputKind::Rate { "'" } else { "" };
            laws.push(Law { place: place.to_owned(), name: format!("{name}{prime}"), program, output });
        }
    };
    for it in &experiment.checked_contexts {
        add(&format!("context {}", experiment.contexts[it.context].name), &it.checked.program);
    }
    for it in &experiment.checked_rules {
        let place = format!("rule {}", experiment.rules[it.rule].name);
        it.groups.iter().for_each(|group| add(&place, &group.checked.program));
    }
    for it in &experiment.checked_force_laws {
        let place = &experiment.force_laws[it.law].name;
        it.groups.iter().for_each(|group| add(place, &group.checked.program));
    }
    laws
}

impl Law<'_> {
    /// Elements, one line each.
    fn lines(&self, pool: &mut Pool, by: Option<&str>) -> Result<Vec<Line>, String> {
        let formula = read(pool, self.program, &[self.output], &mut symbol).map_err(|why| why.to_string())?;
        let elements = formula.first().map(scalars).unwrap_or_default();
        if elements.is_empty() {
            return Err(format!(
                "`{}` of {} is true or false, or a sequence: it has no formula",
                self.name, self.place
            ));
        }
        if let Some(by) = by {
            self.has(pool, &elements, by)?;
        }
        let several = elements.len() > 1;
        let mut lines = Vec::new();
        for (place, element) in elements.into_iter().enumerate() {
            let name = if several { format!("{}_{}", self.bare(), place + 1) } else { self.bare() };
            let (left, right) = match by {
                Some(by) => {
                    let by = pool.symbol(by);
                    let slope = pool.derivative(element, by);
                    (Left::Partial { of: name, by, also: by }, slope)
                }
                None => (Left::Name(name), element),
            };
            lines.push(Line { left, right: pool.simplify(right), why: None });
        }
        Ok(lines)
    }

    /// The name of what it gives: the rate of `v` is `v_dot`.
    fn bare(&self) -> String {
        match self.name.strip_suffix('\'') {
            Some(name) => format!("{name}_dot"),
            None => self.name.clone(),
        }
    }

    /// Refuses a name that no element depends on.
    fn has(&self, pool: &Pool, elements: &[Expr], by: &str) -> Result<(), String> {
        let known = pool.symbols_of(elements.iter().copied());
        if known.contains(by) {
            return Ok(());
        }
        let known: Vec<&str> = known.into_iter().collect();
        Err(match similar(by, known.iter().copied()) {
            Some(meant) => format!("`{}` does not depend on `{by}`\nhelp: did you mean {meant}?", self.name),
            None => {
                format!("`{}` does not depend on `{by}`\nhelp: it depends on {}", self.name, known.join(", "))
            }
        })
    }
}

/// Returns the name of an input in formulas; elements of vectors and matrices by number.
fn symbol(pool: &mut Pool, input: &Input, element: u32) -> Expr {
    let name = input.name.replace("previous(", "previous_").replace(')', "");
    match input.ty {
        Type::Real | Type::Bool => pool.symbol(&name),
        _ => pool.symbol(&format!("{name}_{}", element + 1)),
    }
}

fn scalars(formula: &Formula) -> Vec<Expr> {
    match formula {
        Shaped::Real(real) => vec![*real],
        Shaped::Vector(elements) => elements.clone(),
        Shaped::Matrix(matrix) => matrix.elements.clone(),
        Shaped::Bool(_) | Shaped::Sequence(_) => Vec::new(),
    }
}
