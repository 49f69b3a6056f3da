//! 10,000 throws of `experiments/dice.lab` to rest on two threads, from text to the face that is up. The peer is
//! a budget of 30 s.
//!
//! The work of a throw is that of `gedanken sweep dice.lab --over seed=1:10000`, by the same calls of the
//! library: the text is read with the seed as its setting, the run is made with native code that all runs
//! share, every frame is recorded with its measures, and the last one is kept. Threads take the next seed when
//! they are free. Only the printing of rows is not there. A die that still moves when the file's duration ends,
//! for it stood on an edge, is thrown again with twice the time, as `--until` does.
//!
//! The budget is one of wall time, so the row means something only while no other program computes; the remark
//! says how much of the machine this one had.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::lab::{self, Disk};
use crate::neighbours::Usage;
use crate::ours::{
    self, Axis, Frame, Grid, Options, Owner, Schema, SharedCode, Sink, Sources, read_experiment,
};
use crate::table::Row;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

const THREADS: usize = 2;
/// How long the last try of a die may take, in durations of the file.
const MOST_TIMES_AS_LONG: f64 = 8.0;
/// Target, s.
const BUDGET: f64 = 30.0;
const THROWS: &str = "seed=1:10000";
/// The side of the die, m.
const SIDE: f64 = 1.0;
/// Bounds on what is left of the motion at the end: the file's own.
const AT_REST: f64 = 1e-6;
const ON_A_FACE: f64 = 1e-8;
/// Bound on what nothing balances, and on overlaps, in every frame.
const EXACT: f64 = 1e-8;

pub fn run() -> Outcome {
    let path = format!("{}/dice.lab", lab::EXPERIMENTS);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let grid = Grid::new(vec![Axis::read(THROWS)?])?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let before = Usage::now();
    let mut outcome = Err("nothing was thrown".to_owned());
    let spent = seconds(|| outcome = pool.install(|| all(&path, &text, &grid)));
    let usage = before.zip(Usage::now()).map(|(before, now)| {
        let percent = [now.own_since(&before), now.others_since(&before)].map(|part| 100.0 * part);
        format!("this program used {:.0} % of the machine, others {:.0} %", percent[0], percent[1])
    });
    let usage = usage.unwrap_or_else(|| "what others used is unknown".to_owned());
    let all = outcome?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    ours.push(spent);
    theirs.push(BUDGET);
    let throws = grid.count() as f64;
    let restless = all.iter().filter(|it| !it.is_at_rest()).count();
    let inexact = all.iter().filter(|it| it.residual.is_nan() || it.residual > EXACT).count();
    let longer = all.iter().filter(|it| it.times_as_long > 1.0).count();
    let frames: u64 = all.iter().map(|it| it.frames).sum();
    let mut faces = [0u32; 6];
    for it in all.iter().filter(|it| (1.0..=6.0).contains(&it.face)) {
        faces[it.face as usize - 1] += 1;
    }
    Ok(vec![Row {
        case: format!("dice, {throws} throws to rest, {THREADS} threads"),
        peer: format!("{BUDGET} s"),
        unit: "throws/s",
        amount: throws,
        target: Some(1.0),
        sound: all.len() as u64 == grid.count() && restless == 0,
        remark: format!(
            "{spent:.1} s, {:.2} ms of a thread for a throw, {frames} frames; faces {faces:?}; {longer} needed more time, {restless} not at rest; \
             {inexact} with a step whose residuals are above {EXACT:.0e}; {usage}",
            spent * 1e3 * THREADS as f64 / throws,
        ),
        ours,
        theirs,
    }])
}

/// Outcome of a throw.
#[derive(Default)]
struct Throw {
    frames: u64,
    face: f64,
    /// Height of the centre above where it should be, m.
    off: f64,
    /// m/s.
    speed: f64,
    /// Time that it was given, in durations of the file.
    times_as_long: f64,
    /// The largest stationarity or feasibility of any frame.
    residual: f64,
}

impl Throw {
    fn is_at_rest(&self) -> bool {
        self.speed < AT_REST && self.off.abs() < ON_A_FACE && (1.0..=6.0).contains(&self.face)
    }
}

/// Throws all, on the threads of the pool that this is called in.
fn all(path: &str, text: &str, grid: &Grid) -> Result<Vec<Throw>, String> {
    let next = AtomicU64::new(0);
    let options = Options { threads: 0, shared: Some(SharedCode::default()), ..Options::default() };
    let work = |_: rayon::BroadcastContext<'_>| {
        let mut done = Vec::new();
        loop {
            let point = next.fetch_add(1, Ordering::Relaxed);
            if point >= grid.count() {
                return Ok(done);
            }
            done.push(throw_to_rest(path, text, grid, point, &options)?);
        }
    };
    let parts: Result<Vec<Vec<Throw>>, String> = rayon::broadcast(work).into_iter().collect();
    Ok(parts?.into_iter().flatten().collect())
}

/// Throws a die until it rests, or has had all the time that is given to any.
fn throw_to_rest(
    path: &str,
    text: &str,
    grid: &Grid,
    point: u64,
    options: &Options,
) -> Result<Throw, String> {
    let mut times_as_long = 1.0;
    loop {
        let throw = throw(path, text, grid, point, options.clone(), times_as_long)?;
        if throw.is_at_rest() || times_as_long == MOST_TIMES_AS_LONG {
            return Ok(Throw { times_as_long, ..throw });
        }
        times_as_long *= 2.0;
    }
}

fn throw(
    path: &str,
    text: &str,
    grid: &Grid,
    point: u64,
    options: Options,
    times_as_long: f64,
) -> Result<Throw, String> {
    let mut sources = Sources::new();
    let settings: Vec<_> = grid.settings(point).collect();
    let experiment = read_experiment(&Disk, &mut sources, path, text.to_owned(), &settings);
    let experiment = experiment.map_err(|all| lab::words(&all))?;
    let mut simulation = experiment.simulation(None).ok_or("there is no simulation")?.clone();
    simulation.duration *= times_as_long;
    let mut run = ours::Run::new(&experiment, &simulation, options).map_err(|all| lab::words(&all))?;
    let mut last = Last::new(run.schema())?;
    while run.advance(&mut last).map_err(|stop| stop.to_string())? {}
    Ok(last.throw)
}

/// A sink that keeps the last frame.
struct Last {
    columns: Columns,
    throw: Throw,
}

/// First columns of the quantities that are looked at.
struct Columns {
    face: usize,
    height: usize,
    speed: usize,
    residuals: [usize; 2],
}

impl Last {
    fn new(schema: &Schema) -> Result<Self, String> {
        let column = |owner: Owner, name: &str| {
            let found = schema.quantity(owner, name).map(|it| it.start);
            found.ok_or_else(|| format!("dice.lab does not record `{name}`"))
        };
        let columns = Columns {
            face: column(Owner::Measure, "face")?,
            height: column(Owner::Measure, "height")?,
            speed: column(Owner::Measure, "speed")?,
            residuals: [column(Owner::World, "stationarity")?, column(Owner::World, "feasibility")?],
        };
        Ok(Self { columns, throw: Throw::default() })
    }
}

impl Sink for Last {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        let Self { columns, throw } = self;
        let residual = columns.residuals.iter().map(|&k| frame.row[k]).fold(throw.residual, f64::max);
        *throw = Throw {
            frames: throw.frames + 1,
            face: frame.row[columns.face],
            off: frame.row[columns.height] - 0.5 * SIDE,
            speed: frame.row[columns.speed],
            residual,
            ..Throw::default()
        };
        Ok(())
    }

    /// As a sweep: nobody resumes it.
    fn wants_keyframes(&self) -> bool {
        false
    }

    fn event(&mut self, _: &ours::Event) -> io::Result<()> {
        Ok(())
    }

    fn notice(&mut self, _: &ours::Notice) -> io::Result<()> {
        Ok(())
    }
}
