//! What happened in a step: impacts, contacts that began and ended, bodies that came to rest. In order of
//! time.

use crate::collide::narrow_phase::Changes;
use crate::impact::Impacts;
use gedanken_dynamics::{Life, Rule, Table, read_table, write_table};

/// Something that happened to two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Happening {
    /// When, s.
    pub time: f64,
    /// Their rows, the smaller one first.
    pub rows: [u32; 2],
    /// What.
    pub what: What,
}

/// What can happen to two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// They no longer touch.
    Leave,
    /// They began to touch, as seen at the start of a step.
    Touch,
    /// They hit each other: velocities jumped. The number is that of the impact in [`Impacts::list`].
    Impact(usize),
}

/// Everything that happened in the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Happenings {
    /// By time; of the same time, endings first, then beginnings, then impacts in the order in which they
    /// were settled.
    pub list: Vec<Happening>,
}

impl Table for Happenings {
    const NAME: &'static str = "happenings";
    const LIFE: Life = Life::Step;
}

/// Puts everything that happened in one list.
pub(crate) fn rule(touching: bool) -> Rule {
    if !touching {
        return Rule::new("events", (write_table::<Happenings>(),), |_, (happenings,)| {
            happenings.list.clear()
        });
    }
    let view = (read_table::<Changes>(), read_table::<Impacts>(), write_table::<Happenings>());
    Rule::new("events", view, |_, (changes, impacts, happenings)| {
        let list = &mut happenings.list;
        list.clear();
        let time = changes.time;
        list.extend(changes.ended.iter().map(|&rows| Happening { time, rows, what: What::Leave }));
        list.extend(changes.begun.iter().map(|&rows| Happening { time, rows, what: What::Touch }));
        let hits = impacts.list.iter().enumerate();
        list.extend(hits.map(|(k, hit)| Happening { time: hit.time, rows: hit.rows, what: What::Impact(k) }));
        list.sort_by(|a, b| a.time.total_cmp(&b.time));
    })
}
