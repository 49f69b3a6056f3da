//! Runs of gallery experiments and of texts, and their measures.

use crate::measurement::MeasureError;
use gedanken_experiment::{Files, Override, gallery};
use gedanken_lab::{Options, Run, read};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use gedanken_recording::{Owner, Recording};

/// Files of the gallery.
struct Gallery;

impl Files for Gallery {
    fn text(&self, path: &str) -> Result<String, String> {
        let file = gallery::FILES.iter().find(|file| file.name == path);
        file.map(|file| file.text.to_owned()).ok_or_else(|| "it is not in the gallery".to_owned())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

/// A complete run of an experiment.
pub(super) struct ExperimentRun {
    recording: Recording,
    /// Name and time of every measure with a time of its own.
    times: Vec<(String, f64)>,
}

impl ExperimentRun {
    /// Runs the first simulation of an experiment, with settings such as `duration=3`.
    pub(super) fn of_gallery(title: &str, settings: &[&str]) -> Result<Self, MeasureError> {
        let file = gallery::experiment(title).ok_or_else(|| format!("the gallery has no {title}"))?;
        let overrides: Vec<Override> =
            settings.iter().map(|text| Override::read(text)).collect::<Result<_, _>>()?;
        Self::run(file.name, file.text.to_owned(), &overrides)
    }

    /// Runs the first simulation of a text.
    pub(super) fn of_text(text: String) -> Result<Self, MeasureError> {
        Self::run("accuracy.lab", text, &[])
    }

    fn run(path: &str, text: String, overrides: &[Override]) -> Result<Self, MeasureError> {
        let said = |found: Vec<Diagnostic>| {
            MeasureError::from(
                found.first().map_or_else(|| "it cannot be read".to_owned(), |it| it.message.clone()),
            )
        };
        let experiment = read(&Gallery, &mut Sources::new(), path, text, overrides).map_err(said)?;
        let simulation = experiment.simulations.first().ok_or("it has no simulation")?;
        let mut run = Run::new(&experiment, simulation, Options::default()).map_err(said)?;
        let mut recording = Recording::new(run.schema().clone());
        while run.advance(&mut recording).map_err(|stop| stop.to_string())? {}
        let timed = experiment.measures.iter();
        let times = timed.filter_map(|it| Some((it.name.clone(), it.at?))).collect();
        Ok(Self { recording, times })
    }

    /// Returns the value of a measure at its time.
    pub(super) fn measure(&self, name: &str) -> Result<f64, MeasureError> {
        let quantity = self.recording.schema.quantity(Owner::Measure, name);
        let column = quantity.ok_or_else(|| format!("it has no measure {name}"))?.start;
        let time = self.times.iter().find(|(of, _)| of == name).map(|(_, time)| *time);
        let last = self.recording.frames().checked_sub(1).ok_or("it has no frame")?;
        let frame = time.map_or(Some(last), |time| self.recording.at(time)).ok_or("it ended too early")?;
        Ok(self.recording.row(frame)[column])
    }

    /// One scalar over all frames, such as `ball.bounces`.
    pub(super) fn series(&self, name: &str) -> Result<Vec<f64>, MeasureError> {
        let found = self.recording.schema.find(name).ok_or_else(|| format!("it has no {name}"))?;
        Ok(self.recording.series(&found))
    }
}
