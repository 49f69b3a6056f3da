//! The view of a simulation, as the page applies it.

use crate::wire::{CameraInfo, CurveInfo, ViewInfo};
use gedanken_experiment::{Camera, Experiment, Simulation};

/// Returns the view of a simulation, if the file has one.
pub(super) fn view_of(experiment: &Experiment, simulation: &Simulation) -> Option<ViewInfo> {
    let view =
        experiment.views.iter().find(|it| experiment.simulations[it.simulation].name == simulation.name)?;
    let curve = |it: &gedanken_experiment::ViewCurve| CurveInfo {
        value: it.value.text.clone(),
        against: it.against.as_ref().map_or_else(|| "t".to_owned(), |it| it.text.clone()),
    };
    let names = |list: &Vec<&'static str>| list.iter().map(|&it| it.to_owned()).collect();
    Some(ViewInfo {
        plots: view.plots.iter().map(curve).collect(),
        arrows: view.arrows.iter().map(|it| it.text.clone()).collect(),
        camera: view.camera.map(|it| match it {
            Camera::At([eye, target]) => CameraInfo::At { eye, target },
            Camera::Side(side) => CameraInfo::Side { side: side.to_owned() },
        }),
        follow: view.follow.clone(),
        moment: view.moment,
        speed: view.speed,
        drawer: view.drawer.map(str::to_owned),
        overlays: view.overlays.as_ref().map(names),
        trails: view.trails.clone(),
        tried: view.tried.clone(),
        title: view.title.clone(),
        group: view.group.clone(),
        level: view.level,
    })
}
