//! Who else was computing: a bench of two threads says nothing about us while others hold a core.

/// Processor time of all programs and of this one, in the same ticks, where the system tells (Linux).
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    all: f64,
    own: f64,
    idle: f64,
}

impl Usage {
    /// Until now.
    pub fn now() -> Option<Self> {
        let numbers =
            |text: &str| text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
        // "cpu", then user, nice, system, idle, iowait, irq, softirq, steal.
        let system = std::fs::read_to_string("/proc/stat").ok()?;
        let system = numbers(system.lines().next()?);
        // After the name in parentheses and the state, user and system time are numbers 10 and 11.
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let own = numbers(own.rsplit_once(") ")?.1);
        let at = |list: &[f64], i: usize| list.get(i).copied();
        let busy: Option<f64> = [0, 1, 2, 5, 6, 7].into_iter().map(|i| at(&system, i)).sum();
        let idle: Option<f64> = [3, 4].into_iter().map(|i| at(&system, i)).sum();
        Some(Self { all: busy?, own: at(&own, 10)? + at(&own, 11)?, idle: idle? })
    }

    /// The part of the machine that other programs have used since `before`.
    pub fn others_since(&self, before: &Self) -> f64 {
        let others = (self.all - before.all) - (self.own - before.own);
        (others / self.ticks_since(before)).max(0.0)
    }

    /// The part of the machine that this program has used since `before`.
    pub fn own_since(&self, before: &Self) -> f64 {
        (self.own - before.own) / self.ticks_since(before)
    }

    fn ticks_since(&self, before: &Self) -> f64 {
        (self.all - before.all + self.idle - before.idle).max(1.0)
    }
}
