//! What there is to see: each demonstration is a scene of the library with words, defaults and a picture.

use gedanken_dynamics::scenes::{self, Scene};
use gedanken_dynamics::{AngularVelocity, OneD, Orientation, Position, State, StateError, ThreeD};
use gedanken_math::Vec3;
use gedanken_math::rotation::to_body;

/// A scene with everything that is said and shown about it.
#[derive(Debug)]
pub(crate) struct Demonstration {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// One sentence or two of physics.
    pub(crate) story: &'static str,
    /// The laws by their labels, as formulas.
    pub(crate) formulas: &'static [(&'static str, &'static str)],
    /// The integrator, unless another is asked for.
    pub(crate) integrator: &'static str,
    /// The integrators worth comparing.
    pub(crate) rivals: &'static [&'static str],
    pub(crate) periods: f64,
    pub(crate) steps: u32,
    /// Whether all is as at the start after a period.
    pub(crate) periodic: bool,
    /// What a period of the scene is called, in the plural.
    pub(crate) period_name: &'static str,
    /// A word on momentum, where it is not kept.
    pub(crate) momentum_note: &'static str,
    pub(crate) picture: Picture,
    pub(crate) stage: fn() -> Stage,
    /// What the picture is made of.
    pub(crate) observe: fn(&State) -> Result<Vec<Vec3>, StateError>,
}

/// A scene on a line or in space.
#[derive(Debug)]
pub(crate) enum Stage {
    Line(Scene<OneD>),
    Space(Scene<ThreeD>),
}

/// How a motion is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Picture {
    /// Paths in the x-y plane, and a mark at the origin with this name, if any.
    Paths { centre: Option<&'static str> },
    /// Displacements along a chain, at eighths of the first period.
    StandingWave,
    /// Three components over time.
    Components { what: &'static str, names: [&'static str; 3] },
    /// All bodies in the x-y plane, at the start, half-way and at the end.
    Snapshots,
}

pub(crate) static DEMONSTRATIONS: [&Demonstration; 5] = [&KEPLER, &CHAIN, &FIGURE_EIGHT, &TUMBLING, &CLUSTER];

/// Shown one after the other when nothing is asked for.
pub(crate) static TOUR: [&Demonstration; 3] = [&KEPLER, &CHAIN, &FIGURE_EIGHT];

static KEPLER: Demonstration = Demonstration {
    name: "kepler",
    title: "A planet and its sun",
    story: "A planet falls round a sun that is held at the origin, on an ellipse of eccentricity 0.6. Attraction that \
            fades with the square of the distance lets the orbit close: the same ellipse, over and over.",
    formulas: &[("sun", "F = -r/|r|³, from the potential V = -1/|r|")],
    integrator: "leapfrog",
    rivals: &["symplectic-euler", "leapfrog", "rk4", "forest-ruth", "yoshida8", "dormand-prince"],
    periods: 10.0,
    steps: 200,
    periodic: true,
    period_name: "periods",
    momentum_note: "Momentum is not kept here: whoever holds the sun takes it.",
    picture: Picture::Paths { centre: Some("sun") },
    stage: || Stage::Space(scenes::kepler(0.6)),
    observe: positions,
};

static CHAIN: Demonstration = Demonstration {
    name: "chain",
    title: "A chain of masses and springs",
    story: "Sixteen equal masses hang between two walls, joined by springs, and start in their third normal mode. All \
            swing with one frequency, and the standing wave keeps its shape.",
    formulas: &[("springs", "F = k·stretch, V = ½·k·stretch² for each spring, k = 1 N/m")],
    integrator: "velocity-verlet",
    rivals: &["symplectic-euler", "leapfrog", "rk4", "forest-ruth", "yoshida8", "implicit-midpoint"],
    periods: 10.0,
    steps: 50,
    periodic: true,
    period_name: "periods",
    momentum_note: "Momentum is not kept here: the walls take it.",
    picture: Picture::StandingWave,
    stage: || Stage::Line(scenes::chain(16, 3, 0.05)),
    observe: displacements,
};

static FIGURE_EIGHT: Demonstration = Demonstration {
    name: "figure-eight",
    title: "Three bodies on a figure of eight",
    story: "Three equal masses chase each other along one figure of eight, held by nothing but their own gravity: one \
            of the rare motions of three bodies that repeat for ever.",
    formulas: &[("newtonian gravity", "F = G·m·m/d², V = -G·m·m/d for each pair, G = 1")],
    integrator: "forest-ruth",
    rivals: &["symplectic-euler", "leapfrog", "rk4", "forest-ruth", "yoshida8", "dormand-prince"],
    periods: 3.0,
    steps: 200,
    periodic: true,
    period_name: "periods",
    momentum_note: "",
    picture: Picture::Paths { centre: None },
    stage: || Stage::Space(scenes::figure_eight()),
    observe: positions,
};

static TUMBLING: Demonstration = Demonstration {
    name: "tumbling",
    title: "A wing nut in free flight",
    story: "A free body is spun about its middle axis of inertia. Nothing acts on it, and yet it turns over, and back, \
            again and again (Dzhanibekov's effect): rotation about the middle axis is unstable.",
    formulas: &[],
    integrator: "leapfrog",
    rivals: &["symplectic-euler", "leapfrog", "forest-ruth", "yoshida6", "yoshida8"],
    periods: 12.0,
    steps: 200,
    periodic: false,
    period_name: "turns",
    momentum_note: "",
    picture: Picture::Components {
        what: "Angular velocity in the body's own axes, rad/s",
        names: ["ω1", "ω2", "ω3"],
    },
    stage: || Stage::Space(scenes::tumbling(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02))),
    observe: spin_in_body_axes,
};

static CLUSTER: Demonstration = Demonstration {
    name: "cluster",
    title: "The collapse of a star cluster",
    story: "A thousand stars at rest are let go. They fall together under their own gravity, swing through the centre \
            and settle into a dense core with a wide halo. Every star pulls every other: half a million pairs a step.",
    formulas: &[("newtonian gravity", "F = G·m·m·d/(d² + ε²)^1.5, G = 1, ε = 0.05 m")],
    integrator: "leapfrog",
    rivals: &["symplectic-euler", "leapfrog", "rk4", "forest-ruth"],
    periods: 6.0,
    steps: 100,
    periodic: false,
    period_name: "seconds",
    momentum_note: "",
    picture: Picture::Snapshots,
    stage: || Stage::Space(scenes::cluster(1000, 1, 0.05)),
    observe: positions,
};

fn positions(state: &State) -> Result<Vec<Vec3>, StateError> {
    Ok(state.entries::<Position>()?.map(|(_, r)| r.si()).collect())
}

/// The number of each mass, walls included, and how far it is from its place of rest.
fn displacements(state: &State) -> Result<Vec<Vec3>, StateError> {
    let entries = state.entries::<Position<OneD>>()?.enumerate();
    Ok(entries.map(|(k, (_, x))| Vec3::new(k as f64, x.si() - k as f64, 0.0)).collect())
}

fn spin_in_body_axes(state: &State) -> Result<Vec<Vec3>, StateError> {
    let (q, omega) = (state.all::<Orientation>()?, state.all::<AngularVelocity>()?);
    let bodies = state.entries::<Orientation>()?.map(|(id, _)| id.row());
    Ok(bodies.map(|row| to_body(q[row], omega[row].si())).collect())
}
