//! A view of a simulation, as the file describes it.

use super::drawing::Drawing;
use gedanken_lang::source::Span;

/// `view NAME { … }`: what the page shows of a simulation at first.
#[derive(Clone, Debug)]
pub struct View {
    /// Index of its simulation; no two views have the same.
    pub simulation: usize,
    /// Curves, one plot each.
    pub plots: Vec<ViewCurve>,
    /// Vectors that are drawn as arrows.
    pub arrows: Vec<Written>,
    /// Things that are drawn beside the bodies.
    pub draw: Vec<Drawing>,
    /// Position of the camera; the page chooses, if `None`.
    pub camera: Option<Camera>,
    /// Name of the object that the camera follows.
    pub follow: Option<String>,
    /// Time that is shown first; then nothing plays.
    pub moment: Option<f64>,
    /// Speed of playing: 1 is real time.
    pub speed: Option<f64>,
    /// Tab of the results that is open.
    pub drawer: Option<&'static str>,
    /// What lies over the world; the page chooses, if `None`.
    pub overlays: Option<Vec<&'static str>>,
    /// Objects whose trails are drawn; the page chooses, if `None`.
    pub trails: Option<Vec<String>>,
    /// Attribute that a visitor is asked to change: `g`, `ball.v`, `g#3`.
    pub tried: Option<String>,
    /// Title for people.
    pub title: Option<String>,
    /// Group of the gallery.
    pub group: Option<String>,
    /// How much it asks of a reader: 1 to begin with, 2 for school, 3 for university.
    pub level: Option<u32>,
    /// Position of its keyword.
    pub span: Span,
}

/// Position of the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// The eye, and the point that it looks at.
    At([[f64; 3]; 2]),
    /// From one side, without perspective.
    Side(&'static str),
}

/// A formula over the recording, as it is written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Text of the file.
    pub text: String,
    /// Position of the text.
    pub span: Span,
}

/// A curve of a plot.
#[derive(Clone, Debug)]
pub struct ViewCurve {
    /// Upwards.
    pub value: Written,
    /// To the right; time, if `None`.
    pub against: Option<Written>,
}

/// Sides that a camera can look from without perspective, with the directions that point from the scene to
/// the eye.
pub(crate) const SIDES: [&str; 6] = ["front", "back", "left", "right", "top", "bottom"];

/// Tabs of the results.
pub(crate) const DRAWERS: [(&str, &str); 7] = [
    ("events", "what happened"),
    ("plots", "curves and measures"),
    ("energy", "energies and where they go"),
    ("table", "numbers of every frame"),
    ("calculator", "formulas at the moment"),
    ("problems", "what is wrong"),
    ("closed", "no results: the world has all the room"),
];

/// What can lie over the world.
pub(crate) const OVERLAYS: [(&str, &str); 8] = [
    ("energy", "bars of the energies"),
    ("axes", "axes with numbers"),
    ("scale", "a bar of a round length"),
    ("contacts", "points where rigid bodies touch"),
    ("normals", "normals of these contacts"),
    ("forces", "forces of contacts and joints"),
    ("strobe", "marks at equal times on trails"),
    ("future", "trails of what is to come"),
];

impl View {
    /// Formulas over the recording, with the number of scalars that each must have; any number, if `None`.
    pub fn formulas(&self) -> impl Iterator<Item = (&Written, Option<usize>)> {
        let plots = self.plots.iter().flat_map(|it| {
            std::iter::once((&it.value, None)).chain(it.against.iter().map(|it| (it, Some(1))))
        });
        let arrows = self.arrows.iter().map(|it| (it, Some(3)));
        plots.chain(arrows).chain(self.draw.iter().flat_map(Drawing::formulas))
    }
}
