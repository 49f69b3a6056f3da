//! Systems that are stated by their energies: answers of `mechanics = lagrangian` in cases 16 to 23.
//!
//! Each is a text as a user would write it, and a recording of it.

use crate::exact::{G, crossings};
use crate::experiment_run::ExperimentRun;
use crate::measurement::MeasureError;
use std::f64::consts::PI;

/// A block and the lines of a simulation that moves it, recorded so often in a second.
fn experiment(block: &str, seconds: f64, rate: f64, lines: &str) -> Result<ExperimentRun, MeasureError> {
    ExperimentRun::of_text(format!(
        "{block}\nsimulation {{\n name = s\n mechanics = lagrangian\n duration = {seconds}\n frame_rate = {rate}\n{lines}\n}}\n"
    ))
}

/// The mean time between rises of something through zero.
fn mean_period(experiment: &ExperimentRun, name: &str, rate: f64) -> Result<f64, MeasureError> {
    let found = crossings(&experiment.series(name)?, 1.0 / rate);
    match found[..] {
        [first, .., last] => Ok((last - first) / (found.len() - 1) as f64),
        _ => Err(format!("{name} does not rise through zero twice").into()),
    }
}

/// The largest change of something, as a part of what it was.
fn change(experiment: &ExperimentRun, name: &str) -> Result<f64, MeasureError> {
    let all = experiment.series(name)?;
    let first = all.first().copied().ok_or("it has no frame")?;
    Ok(all.iter().fold(0.0, |worst, it| (it / first - 1.0).abs().max(worst)))
}

/// Case 16: the period of ω₁ of a free body in Euler angles z, x', z'', which begin where the axis of L is
/// far from theirs.
pub(crate) fn tumbling_period() -> Result<f64, MeasureError> {
    let block = "lagrangian body {
    coordinates = { phi = 0  theta = pi / 2  psi = 0 }
    rates = { phi_dot = 1  theta_dot = 0.01  psi_dot = 0.02 }
    functions = {
        w1 = phi_dot * sine(theta) * sine(psi) + theta_dot * cosine(psi)
        w2 = phi_dot * sine(theta) * cosine(psi) - theta_dot * sine(psi)
        w3 = phi_dot * cosine(theta) + psi_dot
    }
    T = 0.5 * (w1^2 + 2 * w2^2 + 3 * w3^2)
}";
    let experiment = experiment(block, 75.0, 500.0, " tolerance = 1e-13\n record = {w1}")?;
    match crossings(&experiment.series("w1")?, 1.0 / 500.0)[..] {
        [first, second, ..] => Ok(second - first),
        _ => Err("ω₁ never rises through zero".into()),
    }
}

/// A heavy symmetric top.
pub(crate) struct Top {
    /// The moment across its axis, about its tip.
    pub(crate) across: f64,
    /// The moment along its axis.
    pub(crate) along: f64,
    /// The distance of its centre from the tip; its mass is 1 kg.
    pub(crate) length: f64,
    /// The angle from upright.
    pub(crate) tilt: f64,
    /// The spin about its axis.
    pub(crate) spin: f64,
}

/// Case 17: the precession rate of a top that was started with the rate `omega`, and its largest changes of
/// E, p_φ and p_ψ.
pub(crate) fn precess(top: &Top, omega: f64, seconds: f64) -> Result<[f64; 4], MeasureError> {
    let &Top { across, along, length, tilt, spin } = top;
    let rate = spin - omega * libm::cos(tilt);
    let block = format!(
        "lagrangian top {{
    coordinates = {{ phi = 0  theta = {tilt}  psi = 0 }}
    rates = {{ phi_dot = {omega}  psi_dot = {rate} }}
    T = 0.5 * {across} * (theta_dot^2 + phi_dot^2 * sine(theta)^2) + 0.5 * {along} * (psi_dot + phi_dot * cosine(theta))^2
    V = {G} * {length} * cosine(theta)
}}"
    );
    let experiment = experiment(&block, seconds, 100.0, "")?;
    let turned = experiment.series("phi")?.last().copied().ok_or("it has no frame")?;
    Ok([
        turned / seconds,
        change(&experiment, "E")?,
        change(&experiment, "p_phi")?,
        change(&experiment, "p_psi")?,
    ])
}

/// Case 18: the period of a pendulum from the level of its hinge.
pub(crate) fn pendulum_period(seconds: f64) -> Result<f64, MeasureError> {
    let block = format!(
        "lagrangian pendulum {{
    coordinates = {{ theta = pi / 2 }}
    functions = {{ x = sine(theta)  z = -cosine(theta) }}
    T = 0.5 * (x_dot^2 + z_dot^2)
    V = {G} * z
}}"
    );
    mean_period(&experiment(&block, seconds, 1000.0, "")?, "theta", 1000.0)
}

/// Case 19: the frequency of two points on rods of 1 m that start at θ₁ and ratio θ₁.
pub(crate) fn double_pendulum_mode(small: f64, ratio: f64) -> Result<f64, MeasureError> {
    let block = format!(
        "lagrangian double {{
    coordinates = {{ theta1 = {small}  theta2 = {} }}
    functions = {{
        r1 = [sine(theta1), -cosine(theta1)]
        r2 = r1 + [sine(theta2), -cosine(theta2)]
    }}
    T = 0.5 * (r1_dot . r1_dot + r2_dot . r2_dot)
    V = {G} * (r1 # 2 + r2 # 2)
}}",
        ratio * small
    );
    let period = mean_period(&experiment(&block, 10.0, 1000.0, " tolerance = 1e-12")?, "theta1", 1000.0)?;
    Ok(2.0 * PI / period)
}

/// Case 20: the largest change in a step of ½(v² + ω²x²) - ½hω²xv, by `symplectic_euler`.
pub(crate) fn modified_energy(omega: f64, h: f64, steps: f64) -> Result<f64, MeasureError> {
    let block = format!(
        "lagrangian oscillator {{
    coordinates = {{ x = 1 }}
    T = 0.5 * x_dot^2
    V = 0.5 * {omega}^2 * x^2
}}"
    );
    let lines = format!(" integrator = symplectic_euler\n time_step = {h}");
    let experiment = experiment(&block, steps * h, 1.0 / h, &lines)?;
    let (x, v) = (experiment.series("x")?, experiment.series("x_dot")?);
    let each = x.iter().zip(&v);
    let modified: Vec<f64> =
        each.map(|(x, v)| 0.5 * (v * v + omega * omega * x * x) - 0.5 * h * omega * omega * x * v).collect();
    Ok(modified.windows(2).fold(0.0, |worst, pair| (pair[1] - pair[0]).abs().max(worst)))
}

/// Case 21: half the angle from one nearest point to the next, in polar coordinates; F = -rⁿ, started at r =
/// 1 slightly too fast.
pub(crate) fn apsidal_angle(n: f64) -> Result<f64, MeasureError> {
    let potential = if n == -1.0 { "log(r)".to_owned() } else { format!("r^({}) / ({})", n + 1.0, n + 1.0) };
    let block = format!(
        "lagrangian orbit {{
    coordinates = {{ r = 1  phi = 0 }}
    rates = {{ phi_dot = 1 + 1e-4 }}
    T = 0.5 * (r_dot^2 + r^2 * phi_dot^2)
    V = {potential}
}}"
    );
    let rate = 500.0;
    let experiment = experiment(&block, 20.0, rate, " tolerance = 1e-13")?;
    let phi = experiment.series("phi")?;
    // The speed along φ hardly changes: a straight line between two frames is enough.
    let at = |time: f64| {
        let (frame, part) = ((time * rate) as usize, (time * rate).fract());
        phi[frame] + part * (phi[frame + 1] - phi[frame])
    };
    match crossings(&experiment.series("r_dot")?, 1.0 / rate)[..] {
        [first, second, ..] => Ok(0.5 * (at(second) - at(first))),
        _ => Err("it has no two nearest points".into()),
    }
}

/// Case 22: E after / before, and the Runge-Lenz vector, after five periods from perihelion.
pub(crate) fn kepler(e: f64) -> Result<[f64; 3], MeasureError> {
    let block = format!(
        "lagrangian planet {{
    coordinates = {{ x = 1 - {e}  y = 0 }}
    rates = {{ y_dot = sqrt((1 + {e}) / (1 - {e})) }}
    functions = {{
        spin = x * y_dot - y * x_dot
        lenz_x = y_dot * spin - x / sqrt(x^2 + y^2)
        lenz_y = -x_dot * spin - y / sqrt(x^2 + y^2)
    }}
    T = 0.5 * (x_dot^2 + y_dot^2)
    V = -1 / sqrt(x^2 + y^2)
}}"
    );
    let experiment = experiment(&block, 10.0 * PI, 10.0 / PI, " record = {total_energy, lenz_x, lenz_y}")?;
    let last = |name: &str| -> Result<f64, MeasureError> {
        Ok(experiment.series(name)?.last().copied().ok_or("it has no frame")?)
    };
    Ok([last("total_energy")? / -0.5, last("lenz_x")?, last("lenz_y")?])
}

/// Case 23: how far the worst of the three bodies of `figure_eight.lab` is from its start after a period.
pub(crate) fn figure_eight() -> Result<f64, MeasureError> {
    let experiment = ExperimentRun::of_gallery("figure_eight", &[])?;
    // The experiment records 200 frames a period.
    let gap = |name: &str| -> Result<f64, MeasureError> {
        let all = experiment.series(name)?;
        Ok(all.get(200).ok_or("it ended too early")? - all[0])
    };
    let mut worst = 0.0_f64;
    for body in 1..=3 {
        worst = worst.max(libm::hypot(gap(&format!("x{body}"))?, gap(&format!("y{body}"))?));
    }
    Ok(worst)
}
