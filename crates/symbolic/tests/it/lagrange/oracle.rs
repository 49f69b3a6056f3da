//! Accelerations of many systems, random ones among them, against SymPy at 100 random states each.
//!
//! The data were written by `tests/oracle/lagrangians.py`, which says how.

use super::stated::Stated;
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::{Effort, Equations, System};
use std::collections::HashMap;

const DATA: &str = include_str!("../../oracle/lagrangians.txt");

/// A system of the data, and lines `state = accelerations multipliers`.
#[derive(Default)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    stated: HashMap<&'static str, &'static str>,
    lists: HashMap<&'static str, Vec<(&'static str, &'static str)>>,
    names: Vec<&'static str>,
    states: Vec<(Vec<f64>, Vec<f64>)>,
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let numbers =
        |text: &str| text.split_whitespace().map(|it| it.parse().expect("a number")).collect::<Vec<f64>>();
    for line in DATA.lines().filter(|line| !line.starts_with('#')) {
        if let Some((state, results)) = line.split_once(" = ") {
            cases
                .last_mut()
                .expect("the line `system` comes first")
                .states
                .push((numbers(state), numbers(results)));
            continue;
        }
        let (key, rest) = line.split_once(' ').expect("a word and what it says");
        if key == "system" {
            cases.push(Case { name: rest, ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("the line `system` comes first");
        match key {
            "names" => case.names = rest.split_whitespace().collect(),
            "forces" | "constraints" | "velocity_constraints" => {
                case.lists.entry(key).or_default().push(rest.split_once(' ').expect("a name and a formula"));
            }
            _ => {
                case.stated.insert(key, rest);
            }
        }
    }
    cases
}

impl Case {
    pub(crate) fn system(&self, pool: &mut Pool) -> System {
        let text = |key: &str| self.stated.get(key).copied().unwrap_or_default();
        let list = |key: &str| self.lists.get(key).map_or(&[][..], Vec::as_slice);
        let stated = Stated {
            coordinates: text("coordinates"),
            lagrangian: text("L"),
            dissipation: text("dissipation"),
            forces: list("forces"),
            constraints: list("constraints"),
            velocity_constraints: list("velocity_constraints"),
            ..Stated::default()
        };
        stated.system(pool)
    }

    pub(crate) fn equations(&self, pool: &mut Pool, effort: Effort) -> Equations {
        self.system(pool).equations(pool, effort).expect("SymPy has derived them")
    }

    /// The largest difference to SymPy over all states, against the largest result of each.
    fn error(&self, pool: &mut Pool, equations: &Equations) -> f64 {
        let course = equations.straight_line(pool);
        let mut worst = 0.0_f64;
        for (state, expected) in &self.states {
            let found = course.evaluate(pool, &|symbol| {
                let name = pool.name(symbol);
                let place = self.names.iter().position(|it| *it == name);
                state[place.unwrap_or_else(|| panic!("{name} has no value in {}", self.name))]
            });
            assert_eq!(found.len(), expected.len(), "{}", self.name);
            let size = expected.iter().fold(0.0_f64, |size, it| size.max(it.abs()));
            for (found, expected) in found.iter().zip(expected) {
                let error = (found - expected).abs() / size;
                assert!(error.is_finite(), "{}: {found}", self.name);
                worst = worst.max(error);
            }
        }
        worst
    }
}

fn agrees(effort: Effort) {
    let cases = cases();
    assert!(cases.len() >= 20);
    for case in cases {
        assert_eq!(case.states.len(), 100, "{}", case.name);
        let mut pool = Pool::new();
        let mut equations = case.equations(&mut pool, effort);
        let written = case.error(&mut pool, &equations);
        assert!(written < 1e-10, "{}: {written}", case.name);
        equations.accelerations = None;
        let eliminated = case.error(&mut pool, &equations);
        assert!(eliminated < 1e-10, "{}: {eliminated}", case.name);
    }
}

#[test]
fn plain_accelerations_are_those_of_sympy() {
    agrees(Effort::Plain);
}

#[test]
fn readable_accelerations_are_those_of_sympy() {
    agrees(Effort::Readable);
}
