//! What is drawn beside the bodies: what joins them, and the drawings of a view.

use crate::wire::{Amount, Drawing, Spot};
use crate::workspace::recordings::count;
use gedanken_experiment::{Experiment, Length, Link, LinkPoint, Place, Simulation, links};

/// Returns everything that is drawn beside the bodies, whose names are given in their order.
pub(super) fn drawings(experiment: &Experiment, simulation: &Simulation, names: &[String]) -> Vec<Drawing> {
    let index = |name: &str| names.iter().position(|it| it == name).map(count);
    let point = |it: &LinkPoint| Spot::Fixed {
        body: it.object.and_then(|object| index(&experiment.objects[object].name)),
        at: it.at.to_array(),
    };
    let joined = links(experiment, simulation).into_iter().map(|link: Link| Drawing {
        kind: link.kind.name().to_owned(),
        places: link.ends.iter().map(point).collect(),
        direction: link.direction.as_ref().map(point),
        length: link.length.map(|value| Amount::Fixed { value }),
        limits: link.limits,
        name: link.name,
    });
    let views = experiment.views.iter();
    let own = views.filter(|it| experiment.simulations[it.simulation].name == simulation.name);
    joined.chain(own.flat_map(|it| &it.draw).map(|it| of_view(it, &index))).collect()
}

fn of_view(drawing: &gedanken_experiment::Drawing, index: &dyn Fn(&str) -> Option<u32>) -> Drawing {
    let spot = |place: &Place| match place {
        Place::Object(name) => Spot::Fixed { body: index(name), at: [0.0; 3] },
        Place::Fixed(at) => Spot::Fixed { body: None, at: *at },
        Place::Formula(written) => Spot::Formula { text: written.text.clone() },
    };
    let length = |length: &Length| match length {
        Length::Fixed(value) => Amount::Fixed { value: *value },
        Length::Formula(written) => Amount::Formula { text: written.text.clone() },
    };
    Drawing {
        name: String::new(),
        kind: drawing.kind.name().to_owned(),
        places: drawing.places.iter().map(spot).collect(),
        direction: drawing.direction.as_ref().map(spot),
        length: drawing.length.as_ref().map(length),
        limits: None,
    }
}
