//! State of a system: coordinates, rates and momenta.

/// State of a system: all that a run needs to go on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) time: f64,
    /// Coordinates.
    pub(super) q: Vec<f64>,
    /// Their rates.
    pub(super) v: Vec<f64>,
    /// Momenta, which methods of positions and momenta carry on; empty for others.
    pub(super) p: Vec<f64>,
    /// `true` for each stop on which the system rests.
    pub(super) resting: Vec<bool>,
}

impl State {
    /// State as reals, bit for bit.
    pub(super) fn reals(&self) -> Vec<f64> {
        let resting = self.resting.iter().map(|it| f64::from(*it));
        [self.time]
            .into_iter()
            .chain(self.q.iter().chain(&self.v).chain(&self.p).copied())
            .chain(resting)
            .collect()
    }

    /// Restores what [`reals`](Self::reals) gives; returns `false` if it is of another system, or damaged.
    pub(super) fn take_up(&mut self, reals: &[f64]) -> bool {
        if reals.len() != self.reals().len() || !reals.iter().all(|it| it.is_finite()) {
            return false;
        }
        let (n, p) = (self.q.len(), self.p.len());
        self.time = reals[0];
        let (q, rest) = reals[1..].split_at(n);
        let (v, rest) = rest.split_at(n);
        let (p, resting) = rest.split_at(p);
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.p.copy_from_slice(p);
        self.resting.iter_mut().zip(resting).for_each(|(it, real)| *it = *real != 0.0);
        true
    }
}
