//! The relative error of energy along a run: thinned for plots, with its peak and its drift.

/// The error of energy over time: kept thin, but with its peaks.
pub(crate) struct Errors {
    end: f64,
    window: f64,
    pub(crate) points: Vec<(f64, f64)>,
    /// The stretch of time that the last point stands for.
    stretch: Option<usize>,
    pub(crate) largest: f64,
    last: f64,
    /// Time integrals over the first and the last period, and their lengths.
    first_window: (f64, f64),
    last_window: (f64, f64),
}

/// More than a terminal has dots across.
const STRETCHES: f64 = 1000.0;

impl Errors {
    pub(crate) fn new(period: f64, end: f64) -> Self {
        Self {
            end,
            window: period.min(0.5 * end),
            points: vec![(0.0, 0.0)],
            stretch: None,
            largest: 0.0,
            last: 0.0,
            first_window: (0.0, 0.0),
            last_window: (0.0, 0.0),
        }
    }

    pub(crate) fn push(&mut self, time: f64, error: f64) {
        let h = time - self.last;
        self.last = time;
        self.largest = self.largest.max(error.abs());
        if time <= self.window * (1.0 + 1e-9) {
            self.first_window = (self.first_window.0 + h * error, self.first_window.1 + h);
        }
        if time > self.end - self.window * (1.0 - 1e-9) {
            self.last_window = (self.last_window.0 + h * error, self.last_window.1 + h);
        }
        // The end belongs to the last stretch: alone it would often stick out.
        let stretch = Some(libm::floor(time / self.end * STRETCHES).min(STRETCHES - 1.0) as usize);
        match self.points.last_mut() {
            Some(peak) if stretch == self.stretch => {
                if error.abs() > peak.1.abs() {
                    *peak = (time, error);
                }
            }
            _ => self.points.push((time, error)),
        }
        self.stretch = stretch;
    }

    pub(crate) fn drift(&self) -> f64 {
        let mean = |(integral, length): (f64, f64)| if length > 0.0 { integral / length } else { 0.0 };
        mean(self.last_window) - mean(self.first_window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_peaks() {
        let mut errors = Errors::new(1.0, 10.0);
        for k in 1..=100_000 {
            let time = f64::from(k) * 1e-4;
            errors.push(time, if k == 77_777 { -5.0 } else { 1.0 });
        }
        assert!(errors.points.len() <= 1002, "{}", errors.points.len());
        assert_eq!(errors.largest, 5.0);
        assert!(errors.points.contains(&(7.7777, -5.0)));
    }

    #[test]
    fn drift_is_the_change_of_the_mean_over_a_period() {
        let mut errors = Errors::new(1.0, 10.0);
        for k in 1..=10_000 {
            let time = f64::from(k) * 1e-3;
            errors.push(time, 2.0 * time + libm::sin(std::f64::consts::TAU * time));
        }
        assert!((errors.drift() - 18.0).abs() < 1e-9, "{}", errors.drift());
    }
}
