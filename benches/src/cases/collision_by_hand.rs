//! What the language costs: the response of 100,000 colliding pairs as laws, against the same formulas
//! written in Rust.
//!
//! Two rigid bodies meet with restitution and friction (`laws/collision.lab`). The impulse g solves K g = Δu
//! in the basis of the collision, with K the change of relative velocity by a unit of impulse; if friction
//! cannot hold it, it slides.
//!
//! Both sides pick the two bodies of each pair out of the same columns by the same lists. The Rust is what
//! one would write: small arrays, adjugates for inverses, no thought given to singular matrices. The laws ask
//! whether each matrix has an inverse, take another way where it is ill-conditioned, and see to it that every
//! result is finite.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::laws::{Laws, Spread, distance, run as run_rows};
use crate::ours::{Access, Participant, Signature, Type};
use crate::table::Row;
use std::collections::BTreeMap;

const PAIRS: usize = 100_000;
const BODIES: usize = 20_000;
const REPETITIONS: usize = 15;
const TEXT: &str = include_str!("../../laws/collision.lab");
/// What each of the bodies has, and how many reals that is.
const ATTRIBUTES: [(&str, usize); 6] =
    [("pos", 3), ("orientation", 3), ("v_before", 3), ("a_v_before", 3), ("mass", 1), ("inertia_tensor", 9)];
const NAMES: [[&str; 6]; 2] = [
    ["obj1_pos", "obj1_orientation", "obj1_v_before", "obj1_a_v_before", "obj1_mass", "obj1_inertia_tensor"],
    ["obj2_pos", "obj2_orientation", "obj2_v_before", "obj2_a_v_before", "obj2_mass", "obj2_inertia_tensor"],
];

/// Columns by the name of what they hold, one for each of its reals.
type Inputs = BTreeMap<&'static str, Vec<Vec<f64>>>;

/// Two dynamic bodies under restitution and friction.
pub fn signature() -> Signature {
    let of = |(name, ty): (&str, Type)| (name.to_owned(), ty);
    let (real, vector) = (Type::Real, Type::vector(3));
    let attributes = [
        ("position", vector.clone()),
        ("orientation", vector.clone()),
        ("size", vector.clone()),
        ("v", vector.clone()),
        ("a_v", vector),
        ("mass", real.clone()),
        ("inertia_tensor", Type::matrix(3, 3)),
    ];
    let body = Participant { attributes: attributes.map(of).to_vec(), ..Participant::default() };
    Signature {
        world: [("restitution_coefficient", real.clone()), ("friction_coefficient", real)].map(of).to_vec(),
        participants: vec![body.clone(), body],
        ..Signature::default()
    }
}

/// Attributes of the world are the same for all rows, those of bodies are picked, the rest comes row by row.
pub fn access(name: &str) -> Access {
    match name {
        "restitution_coefficient" | "friction_coefficient" => Access::Same,
        "collisionPoint" | "obj1_collisionNormal" => Access::Each,
        name => Access::Picked(u8::from(name.starts_with("obj2_"))),
    }
}

pub fn run() -> Outcome {
    let laws = Laws::new(TEXT, &signature())?;
    let layout = laws.layout(access);
    let native = laws.native(&layout)?;
    let (inputs, lists) = inputs();
    let lists = [lists[0].as_slice(), lists[1].as_slice()];
    let feeds = laws.feeds(&layout, &inputs)?;

    let (mut fast, mut hand) = (vec![vec![0.0; PAIRS]; 12], vec![vec![0.0; PAIRS]; 12]);
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let mut bad = None;
    for _ in 0..REPETITIONS {
        theirs.push(seconds(|| by_hand(&inputs, lists, &mut hand)));
        ours.push(seconds(|| bad = bad.or(run_rows(&native, &feeds, &lists, &mut fast))));
    }
    let apart = distance(&fast, &hand);
    let each = |times: &Times| times.best() / PAIRS as f64 * 1e9;
    Ok(vec![Row {
        case: "laws of collision".into(),
        peer: "Rust by hand".into(),
        unit: "pairs/s",
        amount: PAIRS as f64,
        target: Some(1.0 / 1.5),
        sound: bad.is_none() && apart < 1e-9,
        remark: format!(
            "{:.0} ns a pair, by hand {:.0} ns; {} operations; results at most {apart:.1e} apart",
            each(&ours),
            each(&theirs),
            laws.graph.nodes.len()
        ),
        ours,
        theirs,
    }])
}

fn inputs() -> (Inputs, [Vec<u32>; 2]) {
    let (mut bodies, mut pairs) = (Spread::new(BODIES), Spread::new(PAIRS));
    let mut inputs = BTreeMap::new();
    inputs.insert("restitution_coefficient", vec![vec![0.7]]);
    inputs.insert("friction_coefficient", vec![vec![0.3]]);
    inputs.insert("collisionPoint", pairs.columns(3, 2.0));
    inputs.insert("obj1_collisionNormal", unit(pairs.columns(3, 1.0)));
    for names in NAMES {
        for (name, (attribute, count)) in names.into_iter().zip(ATTRIBUTES) {
            let mut columns = bodies.columns(count, 1.0);
            match attribute {
                "mass" => columns[0].iter_mut().for_each(|m| *m += 2.0),
                // A heavy diagonal, and symmetric, as tensors of inertia are.
                "inertia_tensor" => {
                    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                        columns[3 * i + j] = columns[3 * j + i].iter().map(|x| 0.2 * x).collect();
                        columns[3 * j + i] = columns[3 * i + j].clone();
                    }
                    [0, 4, 8].into_iter().for_each(|k| columns[k].iter_mut().for_each(|x| *x += 2.0));
                }
                _ => {}
            }
            inputs.insert(name, columns);
        }
    }
    let list = |column: Vec<f64>| column.iter().map(|x| ((x + 1.0) / 2.0 * BODIES as f64) as u32).collect();
    (inputs, [(); 2].map(|()| list(pairs.column(1.0))))
}

fn unit(mut n: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for row in 0..n[0].len() {
        let length = (n[0][row] * n[0][row] + n[1][row] * n[1][row] + n[2][row] * n[2][row]).sqrt();
        n.iter_mut().for_each(|n| n[row] /= length);
    }
    n
}

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// One of the bodies of a pair.
struct Body {
    /// From its centre to the point of the collision.
    d: Vector,
    v: Vector,
    w: Vector,
    mass: f64,
    /// I⁻¹ in world coordinates.
    inverse_inertia: Matrix,
}

/// Where the attributes of the bodies stand.
struct Columns<'a> {
    position: [&'a [f64]; 3],
    orientation: [&'a [f64]; 3],
    v: [&'a [f64]; 3],
    w: [&'a [f64]; 3],
    mass: &'a [f64],
    inertia: [&'a [f64]; 9],
}

impl<'a> Columns<'a> {
    fn new(inputs: &'a Inputs, names: [&str; 6]) -> Self {
        fn get<'a, const N: usize>(inputs: &'a Inputs, name: &str) -> [&'a [f64]; N] {
            std::array::from_fn(|k| inputs[name][k].as_slice())
        }
        Self {
            position: get(inputs, names[0]),
            orientation: get(inputs, names[1]),
            v: get(inputs, names[2]),
            w: get(inputs, names[3]),
            mass: get::<1>(inputs, names[4])[0],
            inertia: get(inputs, names[5]),
        }
    }

    fn body(&self, i: usize, point: Vector) -> Body {
        let rotation = rotation(self.orientation.map(|angle| angle[i]));
        let inertia = std::array::from_fn(|r| std::array::from_fn(|c| self.inertia[3 * r + c][i]));
        Body {
            d: sub(point, self.position.map(|x| x[i])),
            v: self.v.map(|x| x[i]),
            w: self.w.map(|x| x[i]),
            mass: self.mass[i],
            inverse_inertia: product(&product(&rotation, &inverse(&inertia)), &inverse(&rotation)),
        }
    }
}

impl Body {
    /// Velocity at the point of the collision.
    fn velocity(&self) -> Vector {
        add(self.v, cross(self.w, self.d))
    }

    /// What units of impulse along the basis do to that velocity by turning the body: -D I⁻¹ D B.
    fn turned_by(&self, basis: &Matrix) -> Matrix {
        let [x, y, z] = self.d;
        let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        product(&skew, &product(&self.inverse_inertia, &product(&skew, basis))).map(|row| row.map(|x| -x))
    }

    /// Linear and angular velocity after an impulse.
    fn after(&self, impulse: Vector) -> (Vector, Vector) {
        let torque = cross(self.d, impulse);
        (add(self.v, impulse.map(|g| 1.0 / self.mass * g)), add(self.w, apply(&self.inverse_inertia, torque)))
    }
}

fn by_hand(inputs: &Inputs, lists: [&[u32]; 2], results: &mut [Vec<f64>]) {
    let (restitution, friction) =
        (inputs["restitution_coefficient"][0][0], inputs["friction_coefficient"][0][0]);
    let three = |name: &str| -> [&[f64]; 3] { std::array::from_fn(|k| inputs[name][k].as_slice()) };
    let (points, normals) = (three("collisionPoint"), three("obj1_collisionNormal"));
    let [first, second] = NAMES.map(|names| Columns::new(inputs, names));
    let mut results: [&mut [f64]; 12] = {
        let mut results = results.iter_mut().map(Vec::as_mut_slice);
        std::array::from_fn(|_| results.next().expect("twelve results"))
    };
    for (row, (i, j)) in lists[0].iter().zip(lists[1]).enumerate() {
        let point = points.map(|x| x[row]);
        let (a, b) = (first.body(*i as usize, point), second.body(*j as usize, point));
        let basis = basis(normals.map(|x| x[row]));
        let impulse = impulse(&a, &b, &basis, restitution, friction);
        let ((va, wa), (vb, wb)) = (a.after(impulse), b.after(impulse.map(|g| -g)));
        for (result, value) in results.iter_mut().zip([va, wa, vb, wb].into_iter().flatten()) {
            result[row] = value;
        }
    }
}

fn impulse(a: &Body, b: &Body, basis: &Matrix, restitution: f64, friction: f64) -> Vector {
    let into_basis = inverse(basis);
    let u = apply(&into_basis, sub(a.velocity(), b.velocity()));
    let change = [-u[0] * (1.0 + restitution), -u[1], -u[2]];
    let (by_a, by_b) = (product(&into_basis, &a.turned_by(basis)), product(&into_basis, &b.turned_by(basis)));
    let mut k: Matrix = std::array::from_fn(|i| add(by_a[i], by_b[i]));
    for (i, row) in k.iter_mut().enumerate() {
        row[i] += 1.0 / a.mass + 1.0 / b.mass;
    }
    let g = apply(&inverse(&k), change);
    let sideways = (g[1] * g[1] + g[2] * g[2]).sqrt();
    if sideways <= g[0] * friction {
        return apply(basis, g);
    }
    let (y, z) = (g[1] / sideways, g[2] / sideways);
    let x = change[0] / (k[0][0] + k[0][1] * friction * y + k[0][2] * friction * z);
    apply(basis, [x, x * friction * y, x * friction * z])
}

fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn apply(m: &Matrix, v: Vector) -> Vector {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| std::array::from_fn(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

/// The adjugate over the determinant.
fn inverse(m: &Matrix) -> Matrix {
    let cofactors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let det = m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
    std::array::from_fn(|i| std::array::from_fn(|j| cofactors[j][i] / det))
}

/// R = Rx(a) Ry(b) Rz(c)
fn rotation(angles: Vector) -> Matrix {
    let [(sa, ca), (sb, cb), (sc, cc)] = angles.map(libm::sincos);
    [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ]
}

/// A right-handed orthonormal basis in columns, the first along n, as the native `arbitraryBasis` makes it.
fn basis(n: Vector) -> Matrix {
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    let [x, y, z] = n.map(|x| x / length);
    let s = if x < -0.625 { -1.0 } else { 1.0 };
    let c = -1.0 / (s + x);
    let mixed = y * z * c;
    [[x, -s * y, -z], [y, 1.0 + s * c * y * y, mixed], [z, s * mixed, s + c * z * z]]
}
