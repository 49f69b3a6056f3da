//! A derivation as text, in the notation that was asked for.

use super::{Format, Show, equilibria};
use gedanken_lab::derivation::{Derivation, Equilibria, Section};
use gedanken_lang::symbolic::{Notation, show};
use gedanken_symbolic::lagrange::{Conserved, System};
use gedanken_symbolic::{Expr, Pool};
use serde_json::{Value, json};

/// Parts of the printed page.
pub(super) struct Page<'d> {
    /// Of the system; empty if it has none.
    pub(super) name: &'d str,
    pub(super) derivation: &'d Derivation,
    /// Equilibria, if the system has equations of motion.
    pub(super) rests: Option<&'d Equilibria>,
    pub(super) system: &'d System,
    pub(super) show: Show,
}

impl Format {
    /// The notation; of data, that of laws.
    pub(super) fn notation(self) -> Notation {
        match self {
            Self::Vfl | Self::Json => Notation::Vfl,
            Self::Latex => Notation::Latex,
            Self::Mathml => Notation::MathMl,
            Self::Unicode => Notation::Unicode,
        }
    }
}

impl Page<'_> {
    pub(super) fn text(&self, pool: &mut Pool) -> String {
        let Show { steps, modes, format, screen } = self.show;
        if format == Format::Json {
            return format!("{:#}\n", self.data(pool));
        }
        let mut text = match (format, self.name) {
            (Format::Unicode, name) if !name.is_empty() => format!("{}\n\n", screen.bold(name)),
            _ => String::new(),
        };
        let rests = self.rests.map(|it| it.sections(pool, self.system)).unwrap_or_default();
        let derived = self.derivation.sections.iter().filter(|section| steps || !section.step);
        let near = rests.iter().filter(|section| steps || modes || !section.step);
        for section in derived.chain(near) {
            text += &self.section(pool, section);
        }
        text
    }

    fn section(&self, pool: &mut Pool, section: &Section) -> String {
        let Show { format, screen, .. } = self.show;
        let lines: Vec<(String, Option<&str>)> = section
            .lines
            .iter()
            .map(|line| (line.show(pool, format.notation()), line.why.as_deref()))
            .collect();
        let Section { title, note, .. } = section;
        let mut text = String::new();
        match format {
            Format::Latex => {
                text += &format!("% {title}{}\n\\begin{{gather*}}\n", comment(note));
                for (place, (line, why)) in lines.iter().enumerate() {
                    let end = if place + 1 < lines.len() { " \\\\" } else { "" };
                    let why = why.map_or(String::new(), |why| format!(" % {why}"));
                    text += &format!("  {line}{end}{why}\n");
                }
                text += "\\end{gather*}\n\n";
                // A section without lines has nothing to align: its title and note are comments alone.
                if section.lines.is_empty() {
                    text = format!("% {title}{}\n\n", comment(note));
                }
            }
            Format::Mathml => {
                let note = note.as_ref().map_or(String::new(), |note| format!("<p>{}</p>\n", escaped(note)));
                text += &format!("<section>\n<h2>{}</h2>\n{note}", escaped(title));
                for (line, why) in lines {
                    text += &line;
                    text.push('\n');
                    text += &why.map_or(String::new(), |why| format!("<p>{}</p>\n", escaped(why)));
                }
                text += "</section>\n";
            }
            // Titles and reasons are comments, so that the output can be imported as a library.
            Format::Vfl => {
                text += &format!("// {title}{}\n", comment(note));
                for (line, why) in lines {
                    text += &line;
                    text += &why.map_or(String::new(), |why| format!("  // {why}"));
                    text.push('\n');
                }
                text.push('\n');
            }
            Format::Unicode | Format::Json => {
                let note = note.as_ref().map_or(String::new(), |note| screen.dim(&format!("   {note}")));
                text += &format!("{}{note}\n", screen.bold(title));
                for (line, why) in lines {
                    text += &format!("  {line}\n");
                    text += &why.map_or(String::new(), |why| format!("    {}\n", screen.dim(why)));
                }
                text.push('\n');
            }
        }
        text
    }

    fn data(&self, pool: &mut Pool) -> Value {
        let Derivation { sections, equations, hamilton } = self.derivation;
        let formula = |expr: Expr| {
            json!({
                "vfl": show(pool, expr, Notation::Vfl),
                "latex": show(pool, expr, Notation::Latex),
                "unicode": show(pool, expr, Notation::Unicode),
            })
        };
        let each = |all: &[Expr]| all.iter().map(|&it| formula(it)).collect::<Vec<Value>>();
        let conserved = |all: &[Conserved]| -> Vec<Value> {
            let one = |it: &Conserved| json!({ "name": it.name, "symbol": it.symbol, "why": it.why, "value": formula(it.value) });
            all.iter().map(one).collect()
        };
        let coordinates: Vec<&str> = self.system.coordinates.iter().map(|it| it.name.as_str()).collect();
        let lagrange = equations.as_ref().map(|it| {
            let mass: Vec<Value> = (0..it.mass.rows)
                .map(|row| json!(each(&it.mass.entries[row * it.mass.columns..][..it.mass.columns])))
                .collect();
            json!({
                "lagrangian": formula(it.lagrangian),
                "momenta": each(&it.momenta),
                "slopes": each(&it.pulls),
                "equations": each(&it.divided),
                "mass_matrix": mass,
                "right_hand_side": each(&it.right),
                "accelerations": it.accelerations.as_deref().map(each),
                "energy": formula(it.energy),
                "conserved": conserved(&it.conserved),
            })
        });
        let hamilton = hamilton.as_ref().map(|it| {
            json!({
                "hamiltonian": formula(it.hamiltonian),
                "rates": each(&it.rates),
                "rates_of_momenta": each(&it.forces),
                "conserved": conserved(&it.conserved),
            })
        });
        let equilibria = self.rests.map(|it| equilibria::data(pool, self.system, it));
        let titles: Vec<&str> = sections.iter().map(|section| section.title).collect();
        json!({
            "system": self.name,
            "coordinates": coordinates,
            "lagrange": lagrange,
            "hamilton": hamilton,
            "equilibria": equilibria,
            "sections": titles,
        })
    }
}

fn comment(note: &Option<String>) -> String {
    note.as_ref().map_or(String::new(), |note| format!(": {note}"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
