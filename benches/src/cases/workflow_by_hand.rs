//! What the interpreter costs: leapfrog steps of 1,000 bodies as a workflow, against the same loops called by
//! hand.
//!
//! A workflow promises that a step happens whole or not at all, which costs a copy of what changes and a
//! check that it is finite; by hand there is neither. So there are two comparisons: with bare loops, and with
//! loops that keep the same promise by the plainest means, which shows what the interpreter itself costs.
//! With gravitation the bare loops are the target; with springs and with free fall, where a body costs a few
//! flops, the promise is most of the price, and the target is the second. The results must be equal bit for
//! bit.

use super::Outcome;
use super::leapfrog::{BODIES, SEED, SOFTENING, STEP, scene};
use crate::clock::{Times, seconds};
use crate::ours::{
    Cloud, Components, Coordinates, LEAPFROG_DKD, Laws, METRE, Mass, OneD, Position, Quantity, SECOND, Scene,
    Space, Springs, ThreeD, UniformGravity, Vec3, Velocity, Width, point_masses,
};
use crate::plummer::sphere;
use crate::table::Row;

const REPETITIONS: usize = 60;

pub fn run() -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    pool.install(|| {
        let (bare, promising) = (Promise::None, Promise::WholeOrNotAtAll);
        Ok(vec![
            gravitation(bare, Some(0.95)),
            springs(bare, None),
            springs(promising, Some(0.95)),
            free_fall(bare, None),
            free_fall(promising, Some(0.95)),
        ])
    })
}

/// What the loops by hand guarantee.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    None,
    WholeOrNotAtAll,
}

/// Half drift, clear, forces, kick, half drift, over columns as the state has them.
struct ByHand<V> {
    r: Vec<V>,
    v: Vec<V>,
    f: Vec<V>,
    m: Vec<f64>,
    before: (Vec<V>, Vec<V>),
    promise: Promise,
}

impl<V: Coordinates> ByHand<V> {
    fn step(&mut self, h: f64, forces: &mut impl FnMut(&[V], &[f64], &mut [V])) {
        if self.promise == Promise::None {
            return self.leapfrog(h, forces);
        }
        self.before.0.copy_from_slice(&self.r);
        self.before.1.copy_from_slice(&self.v);
        self.leapfrog(h, forces);
        let all_finite = |values: &[V]| values.iter().fold(true, |fine, x| fine & x.is_finite());
        if !(all_finite(&self.r) && all_finite(&self.v)) {
            self.r.copy_from_slice(&self.before.0);
            self.v.copy_from_slice(&self.before.1);
        }
    }

    fn leapfrog(&mut self, h: f64, forces: &mut impl FnMut(&[V], &[f64], &mut [V])) {
        self.drift(0.5 * h);
        self.f.fill(V::default());
        forces(&self.r, &self.m, &mut self.f);
        for ((v, f), m) in self.v.iter_mut().zip(&self.f).zip(&self.m) {
            if *m > 0.0 {
                *v += *f * (h / *m);
            }
        }
        self.drift(0.5 * h);
    }

    fn drift(&mut self, h: f64) {
        for (r, v) in self.r.iter_mut().zip(&self.v) {
            *r += *v * h;
        }
    }
}

/// Times both sides in turn and compares where they end.
fn compare<S: Space>(
    name: &str,
    scene: &Scene<S>,
    promise: Promise,
    target: Option<f64>,
    steps: usize,
    mut forces: impl FnMut(&[S::Vector], &[f64], &mut [S::Vector]),
) -> Row {
    let sound = "the model has point masses";
    let (mut stepper, mut state) = scene.prepare(&LEAPFROG_DKD).expect("a sound scene");
    let bare = |q: &[Quantity<_, S::Vector>]| q.iter().map(|x| x.si()).collect::<Vec<_>>();
    let r = bare(state.all::<Position<S>>().expect(sound));
    let v: Vec<_> = state.all::<Velocity<S>>().expect(sound).iter().map(|x| x.si()).collect();
    let mut hand = ByHand {
        before: (r.clone(), v.clone()),
        promise,
        r,
        v,
        f: vec![S::Vector::default(); state.model().components().len()],
        m: state.all::<Mass>().expect(sound).iter().map(|x| x.si()).collect(),
    };
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..REPETITIONS {
        theirs.push(seconds(|| (0..steps).for_each(|_| hand.step(STEP, &mut forces))));
        ours.push(seconds(|| {
            for _ in 0..steps {
                stepper.step(&mut state, STEP * SECOND).expect("finite forces");
            }
        }));
    }
    let equal = bare(state.all::<Position<S>>().expect(sound)) == hand.r;
    Row {
        case: format!("workflow, {BODIES} bodies, {name}"),
        peer: if promise == Promise::None { "by hand" } else { "by hand, same promise" }.into(),
        unit: "body steps/s",
        amount: (BODIES * steps) as f64,
        target,
        sound: equal,
        remark: format!(
            "best step {:.2} µs, by hand {:.2} µs; bits are {}",
            ours.best() / steps as f64 * 1e6,
            theirs.best() / steps as f64 * 1e6,
            if equal { "equal" } else { "NOT equal" }
        ),
        ours,
        theirs,
    }
}

fn gravitation(promise: Promise, target: Option<f64>) -> Row {
    let scene = scene(&sphere(BODIES, SEED), Width::best());
    let mut cloud = Cloud::new();
    compare::<ThreeD>("gravitation", &scene, promise, target, 10, move |r, m, f| {
        cloud.clear();
        for (r, m) in r.iter().zip(m).filter(|(_, m)| **m > 0.0) {
            cloud.push(r.to_array(), *m);
        }
        cloud.attract(1.0, SOFTENING, Width::best());
        for (k, (f, m)) in f.iter_mut().zip(m).filter(|(_, m)| **m > 0.0).enumerate() {
            *f += Vec3::from(cloud.acceleration(k)) * *m;
        }
    })
}

fn springs(promise: Promise, target: Option<f64>) -> Row {
    let model = point_masses::<OneD>(Components::numbered("bead", BODIES).expect("distinct names"));
    let mut state = model.state();
    let ids: Vec<_> = model.components().iter().collect();
    for (k, &id) in ids.iter().enumerate() {
        let x = k as f64 + 0.1 * libm::sin(k as f64);
        state.set::<Position<OneD>>(id, x * METRE).expect("finite");
        state.set::<Velocity<OneD>>(id, Quantity::new(0.0)).expect("finite");
        state.set::<Mass>(id, Quantity::new(1.0)).expect("positive");
    }
    let springs =
        ids.windows(2).fold(Springs::new(), |s, ab| s.link(ab[0], ab[1], Quantity::new(2.0), 1.0 * METRE));
    let links: Vec<(usize, usize)> = ids.windows(2).map(|ab| (ab[0].row(), ab[1].row())).collect();
    let scene = Scene { name: "chain", state, laws: Laws::<OneD>::from(springs), period: 1.0 };
    compare::<OneD>("springs", &scene, promise, target, 200, move |r, _, f| {
        for &(a, b) in &links {
            let d = r[a] - r[b];
            let length = (d * d).sqrt();
            let force = d * (-2.0 * (length - 1.0) / length);
            f[a] += force;
            f[b] += -force;
        }
    })
}

fn free_fall(promise: Promise, target: Option<f64>) -> Row {
    let mut scene = scene(&sphere(BODIES, SEED), Width::best());
    let g = Vec3::new(0.0, 0.0, -9.81);
    scene.laws = UniformGravity::new(Quantity::new(g)).into();
    compare::<ThreeD>("free fall", &scene, promise, target, 400, move |_, m, f| {
        for (f, m) in f.iter_mut().zip(m) {
            *f += g * *m;
        }
    })
}
