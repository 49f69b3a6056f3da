//! Equilibria and small oscillations as sections of a derivation.

use super::equilibria::{AtValues, Equilibria, Equilibrium, number, rounded};
use super::{Left, Line, Section};
use gedanken_lang::value::Value;
use gedanken_symbolic::lagrange::{Complex, Fate, Linearised, Mode, Modes, Refusal, System};
use gedanken_symbolic::{Matrix, Pool};

/// Maximum number of equilibria that are shown; further ones are counted.
const MAX_SHOWN: usize = 8;

/// Significant digits of numbers in words.
const DIGITS: usize = 4;

impl Equilibria {
    /// Returns the equilibria; and as steps, the matrices and modes of each.
    pub fn sections(&self, pool: &mut Pool, system: &System) -> Vec<Section> {
        let mut sections = vec![self.listed(pool, system)];
        for (place, rest) in self.list.iter().enumerate().take(MAX_SHOWN) {
            let about = match self.list.len() {
                1 => "about the equilibrium".to_owned(),
                _ => format!("about equilibrium {}", place + 1),
            };
            // Of a point that is not there, or where the coordinates are not regular, there is nothing to
            // tell.
            if matches!(rest.near, None | Some(AtValues::Modes(..))) {
                sections.extend(rest.matrices(pool, &about));
                sections.extend(rest.motions(pool, system, &about));
            }
        }
        sections
    }

    fn listed(&self, pool: &mut Pool, system: &System) -> Section {
        let mut lines = Vec::new();
        for (place, rest) in self.list.iter().enumerate().take(MAX_SHOWN) {
            let several = self.list.len() > 1;
            lines.extend(rest.lines(pool, system, several.then_some(place + 1)));
        }
        let more = self.list.len().saturating_sub(MAX_SHOWN);
        let note = match &self.refusal {
            Some(refusal) => Some(refusal.to_string()),
            None if self.list.is_empty() && self.complete => {
                Some("there are none: a force is left everywhere".to_owned())
            }
            None if self.list.is_empty() => Some("none were found".to_owned()),
            None if more > 0 => Some(format!("and {more} more, which --format json lists")),
            None if !self.complete => Some("those that were found; there may be others".to_owned()),
            None => None,
        };
        Section { title: "Equilibria", step: false, lines, note }
    }
}

impl Equilibrium {
    /// Lines of its coordinates, the conditions for its existence, and its stability.
    fn lines(&self, pool: &mut Pool, system: &System, number: Option<usize>) -> Vec<Line> {
        let zero = pool.zero();
        let each = system.coordinates.iter().zip(&self.point);
        let (anywhere, fixed): (Vec<_>, Vec<_>) = each.partition(|(it, value)| it.position == **value);
        let mut lines: Vec<Line> = fixed.iter().map(|(it, value)| Line::of(it.position, **value)).collect();
        if lines.is_empty() {
            lines.extend(anywhere.iter().take(1).map(|(it, value)| Line::of(it.position, **value)));
        }
        let conditions =
            self.conditions.iter().map(|&it| Line { left: Left::If(it), right: zero, why: None });
        lines.extend(conditions);
        let mut words = Vec::new();
        if !anywhere.is_empty() {
            let names: Vec<&str> = anywhere.iter().map(|(it, _)| it.name.as_str()).collect();
            words.push(format!("for every {}", names.join(", ")));
        }
        match &self.near {
            Some(AtValues::Absent) => words.push("not there with these values".to_owned()),
            Some(AtValues::Irregular(_, Refusal::NoRest { what, .. })) => words.push(what.clone()),
            Some(AtValues::Irregular(_, refusal)) => words.push(refusal.to_string()),
            Some(AtValues::Modes(_, modes)) => words.extend(summary(modes)),
            None => {}
        }
        let words = words.join("; ");
        let why = match number {
            Some(number) if words.is_empty() => Some(format!("equilibrium {number}")),
            Some(number) => Some(format!("{number}: {words}")),
            None => (!words.is_empty()).then_some(words),
        };
        if let Some(last) = lines.last_mut() {
            last.why = why;
        }
        lines
    }

    /// Section of M, C, G and K, as formulas if there are any; entries that are 0 are left out.
    fn matrices(&self, pool: &mut Pool, about: &str) -> Option<Section> {
        let all: Vec<(&str, Matrix)> = match (&self.linearised, self.modes()) {
            (Some(Linearised { mass, damping, gyroscopic, stiffness }), _) => vec![
                ("M", mass.clone()),
                ("C", damping.clone()),
                ("G", gyroscopic.clone()),
                ("K", stiffness.clone()),
            ],
            (None, Some(modes)) => {
                let named = [
                    ("M", &modes.mass),
                    ("C", &modes.damping),
                    ("G", &modes.gyroscopic),
                    ("K", &modes.stiffness),
                ];
                named.into_iter().map(|(name, rows)| (name, numbers(pool, rows))).collect()
            }
            (None, None) => return None,
        };
        let mut lines = Vec::new();
        for (name, matrix) in &all {
            for row in 0..matrix.rows {
                // M and C are symmetric, G antisymmetric, and K has a potential more often than not.
                let from = if *name == "K" && matrix.transpose() != *matrix { 0 } else { row };
                for column in from..matrix.columns {
                    let entry = matrix[(row, column)];
                    if !pool.is_zero(entry) {
                        lines.push(Line::named(&format!("{name}_{}_{}", row + 1, column + 1), entry));
                    }
                }
            }
        }
        let zero = |name: &str| {
            all.iter().any(|(it, matrix)| *it == name && matrix.entries.iter().all(|&it| pool.is_zero(it)))
        };
        let rates = match (zero("C"), zero("G")) {
            (true, true) => "",
            (true, false) => " + G δq̇",
            (false, true) => " + C δq̇",
            (false, false) => " + (C + G) δq̇",
        };
        let note = Some(format!("{about}: M δq̈{rates} + K δq = 0"));
        Some(Section { title: "Linearised", step: true, lines, note })
    }

    /// Section of the modes.
    fn motions(&self, pool: &mut Pool, system: &System, about: &str) -> Option<Section> {
        let mut lines = self.linearised.as_ref().map(|it| alone(pool, it)).unwrap_or_default();
        for (place, mode) in self.modes().iter().flat_map(|it| it.list.iter().enumerate()) {
            lines.extend(motion(pool, system, place + 1, mode));
        }
        let note = match self.modes() {
            Some(modes) => format!("{about}: {}", modes.stability.words()),
            None => about.to_owned(),
        };
        (!lines.is_empty()).then_some(Section { title: "Small motions", step: true, lines, note: Some(note) })
    }
}

/// ω² = K/M, and the decay C/(2M), of each coordinate that moves alone.
fn alone(pool: &mut Pool, linear: &Linearised) -> Vec<Line> {
    let Linearised { mass, damping, gyroscopic, stiffness } = linear;
    let n = mass.rows;
    let mut lines = Vec::new();
    for place in 0..n {
        let coupled = |matrix: &Matrix| {
            (0..n).any(|it| {
                it != place && !(pool.is_zero(matrix[(place, it)]) && pool.is_zero(matrix[(it, place)]))
            })
        };
        if [mass, damping, gyroscopic, stiffness].into_iter().any(coupled)
            || pool.is_zero(mass[(place, place)])
        {
            continue;
        }
        let square = pool.div(stiffness[(place, place)], mass[(place, place)]);
        let square = pool.simplify(square);
        let index = if n == 1 { String::new() } else { format!("_{}", place + 1) };
        let (omega, decay) = (pool.symbol(&format!("omega0{index}")), pool.symbol(&format!("delta{index}")));
        lines.push(Line { left: Left::Square(omega), right: square, why: None });
        if !pool.is_zero(damping[(place, place)]) {
            let two = pool.integer(2);
            let below = pool.mul(two, mass[(place, place)]);
            let rate = pool.div(damping[(place, place)], below);
            lines.push(Line::of(decay, pool.simplify(rate)));
        }
    }
    lines
}

fn numbers(pool: &mut Pool, rows: &[Vec<f64>]) -> Matrix {
    Matrix::from_fn(rows.len(), rows.len(), |row, column| number(pool, rows[row][column]))
}

fn digits(value: f64) -> String {
    Value::Real(rounded(value, DIGITS)).to_string()
}

/// Stability, frequencies and growth rates in one line.
fn summary(modes: &Modes) -> Vec<String> {
    let mut words = vec![modes.stability.words().to_owned()];
    let all = |fates: &[Fate], of: fn(&Mode) -> f64| {
        let values: Vec<String> =
            modes.list.iter().filter(|it| fates.contains(&it.fate)).map(|it| digits(of(it))).collect();
        (!values.is_empty()).then(|| values.join(", "))
    };
    let grows = all(&[Fate::Grows, Fate::Flutters], |it| it.growth);
    let swings = all(&[Fate::Oscillates, Fate::Rings, Fate::Flutters], |it| it.frequency);
    words.extend(swings.map(|it| format!("ω = {it}")));
    words.extend(grows.map(|it| format!("σ = {it}")));
    words
}

/// Lines of a mode: frequency and growth, and their meaning in words.
fn motion(pool: &mut Pool, system: &System, place: usize, mode: &Mode) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut put = |pool: &mut Pool, name: &str, value: f64| {
        let (symbol, value) = (pool.symbol(&format!("{name}_{place}")), number(pool, value));
        lines.push(Line::of(symbol, value));
    };
    if mode.growth == 0.0 || mode.frequency > 0.0 {
        put(pool, "omega", mode.frequency);
    }
    if mode.growth != 0.0 {
        put(pool, "sigma", mode.growth);
    }
    let mut words = vec![fate(mode.fate).to_owned()];
    if let Some(period) = mode.period() {
        words.push(format!("f = {}, period {}", digits(1.0 / period), digits(period)));
    }
    if let Some(time) = mode.time_constant() {
        words.push(format!("by the factor e in {}", digits(time)));
    }
    if let (Fate::Rings, Some(ratio)) = (mode.fate, mode.damping_ratio()) {
        words.push(format!("damping ratio {}", digits(ratio)));
    }
    if mode.shape.len() > 1 {
        words.push(shape(system, &mode.shape));
    }
    if let Some(last) = lines.last_mut() {
        last.why = Some(words.join("; "));
    }
    lines
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Oscillates => "oscillates",
        Fate::Rings => "oscillates and dies out",
        Fate::Decays => "dies out",
        Fate::Stays => "stays where it is put",
        Fate::Drifts => "drifts at a constant rate",
        Fate::Grows => "grows",
        Fate::Flutters => "oscillates and grows",
    }
}

/// `theta1 : theta2 = 0.7071 : 1`, and the phase of each if they do not move together.
fn shape(system: &System, shape: &[Complex]) -> String {
    let names: Vec<&str> = system.coordinates.iter().map(|it| it.name.as_str()).collect();
    let real = shape.iter().all(|it| it.im.abs() <= SAME_PHASE);
    let size = |it: &Complex| if real { it.re } else { it.size() };
    let sizes: Vec<String> = shape.iter().map(|it| digits(clean(size(it)))).collect();
    let mut text = format!("{} = {}", names.join(" : "), sizes.join(" : "));
    if !real {
        let degrees = |it: &Complex| digits(clean(it.angle().to_degrees()));
        let angles: Vec<String> = shape.iter().map(degrees).collect();
        text += &format!(", ahead by {} degrees", angles.join(", "));
    }
    text
}

/// Largest imaginary part, relative to 1, that counts as rounding.
const SAME_PHASE: f64 = 1e-9;

fn clean(value: f64) -> f64 {
    if value.abs() <= SAME_PHASE { 0.0 } else { value }
}
