//! Natives of vectors, rotations and matrices against independent computations: closed forms, products of
//! elementary rotations, and `glam`, whose conventions are the same.

use crate::calls::{call, matrix, real, try_call, vector};
use gedanken_lang::arithmetic::{Failure, Immediate, ScalarFault};
use gedanken_lang::operation;
use gedanken_lang::syntax::tree::Binary;
use gedanken_lang::value::{Shaped, Value};
use glam::{DMat3, DMat4, DQuat, DVec3, EulerRot};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

fn vec3(v: DVec3) -> Value {
    vector(&v.to_array())
}

/// glam keeps w last.
fn quaternion(q: DQuat) -> Value {
    vector(&[q.w, q.x, q.y, q.z])
}

/// glam keeps columns, we keep rows.
fn mat3(m: DMat3) -> Value {
    matrix(3, 3, &m.transpose().to_cols_array())
}

fn mat4(m: DMat4) -> Value {
    matrix(4, 4, &m.transpose().to_cols_array())
}

fn reals(value: &Value) -> Vec<f64> {
    match value {
        Shaped::Real(x) => vec![*x],
        Shaped::Vector(v) => v.clone(),
        Shaped::Matrix(m) => m.elements.clone(),
        other => panic!("no reals: {other}"),
    }
}

fn to_vec3(value: &Value) -> DVec3 {
    DVec3::from_slice(&reals(value))
}

fn to_quaternion(value: &Value) -> DQuat {
    let q = reals(value);
    DQuat::from_xyzw(q[1], q[2], q[3], q[0])
}

fn to_mat3(value: &Value) -> DMat3 {
    let Shaped::Matrix(m) = value else { panic!("no matrix") };
    let at = |i: usize, j: usize| m.elements[i * m.columns + j];
    DMat3::from_cols_array_2d(&[0, 1, 2].map(|j| [0, 1, 2].map(|i| at(i, j))))
}

fn distance(x: &Value, y: &Value) -> f64 {
    assert_eq!(x.type_of(), y.type_of());
    reals(x).iter().zip(reals(y)).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

fn direction() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-3.0..3.0f64).prop_map(DVec3::from_array).prop_filter("long", |v| v.length() > 1e-2)
}

fn turn() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_map(DQuat::from_array)
        .prop_filter("long", |q| q.length() > 0.1)
        .prop_map(DQuat::normalize)
}

/// Euler angles, one in three at or next to the gimbal lock.
fn angles() -> impl Strategy<Value = DVec3> {
    let near = prop_oneof![Just(0.0), -1e-7..1e-7f64, -1e-14..1e-14f64];
    let middle = prop_oneof![4 => -1.5..1.5f64, 1 => near.clone().prop_map(|d| FRAC_PI_2 + d), 1 => near.prop_map(|d| d - FRAC_PI_2)];
    (-3.0..3.0f64, middle, -3.0..3.0f64).prop_map(|(a, b, c)| DVec3::new(a, b, c))
}

/// Rx(a) Ry(b) Rz(c), multiplied out.
fn euler_matrix(v: DVec3) -> DMat3 {
    DMat3::from_rotation_x(v.x) * DMat3::from_rotation_y(v.y) * DMat3::from_rotation_z(v.z)
}

/// Half of the digits are lost by the usual arcsine near 90°, all of them by dividing by cos b at 90°.
#[test]
fn euler_angles_at_the_gimbal_lock() {
    for sign in [1.0, -1.0] {
        for (a, c) in [(0.0, 0.0), (0.3, 0.0), (-2.0, 0.0), (0.4, 1.1), (2.5, -0.7)] {
            let locked = DVec3::new(a, sign * FRAC_PI_2, c);
            for back in [
                call("rotationMatrixToEulerXYZ", &[call("eulerXYZToRotationMatrix", &[vec3(locked)])]),
                call("quaternionToEulerXYZ", &[call("eulerXYZToQuaternion", &[vec3(locked)])]),
            ] {
                let [x, y, z] = to_vec3(&back).to_array();
                assert_eq!((y, z), (sign * FRAC_PI_2, 0.0), "at the lock c is 0");
                // Rx(a) Ry(±90°) Rz(c) = Rx(a ± c) Ry(±90°)
                let expected = a + sign * c;
                assert!(
                    libm::sin(0.5 * (x - expected)).abs() < 4.0 * f64::EPSILON,
                    "{locked} came back as {back}"
                );
            }
        }
    }
}

#[test]
fn inverses_of_whole_numbers_are_exact() {
    let m = matrix(3, 3, &[2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, 2.0]);
    let expected: Vec<f64> =
        [4.0, 1.0, -3.0, 0.0, 3.0, -3.0, -2.0, -2.0, 6.0].iter().map(|x| x / 6.0).collect();
    assert_eq!(call("squareMatrixInverse", &[m.clone()]), matrix(3, 3, &expected));
    assert_eq!(call("determinant", &[m]), real(6.0));
    let exchange = matrix(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    assert_eq!(call("squareMatrixInverse", &[exchange.clone()]).to_string(), "[[0, 1], [1, 0]]");
    assert_eq!(call("squareMatrixInverse", &[matrix(1, 1, &[4.0])]), matrix(1, 1, &[0.25]));
}

#[test]
fn singular_matrices_have_no_inverse() {
    let rank_two = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    let mut singular = vec![
        matrix(1, 1, &[0.0]),
        matrix(2, 2, &[1.0, 2.0, 2.0, 4.0]),
        matrix(2, 2, &[0.1, 0.3, 0.2, 0.6]),
        matrix(3, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
        // Not exactly singular: its elements are rounded. An inverse would consist of errors, of size 1e16.
        matrix(3, 3, &rank_two),
        matrix(3, 3, &rank_two.map(|x| x * 1e-60)),
        matrix(4, 4, &[0.0; 16]),
        call("skewSymmetricMatrix", &[vector(&[1.0, 2.0, 3.0])]),
    ];
    for n in [5, 6] {
        let elements: Vec<f64> = (0..n * n).map(|k| k as f64 * 0.1).collect();
        singular.push(matrix(n, n, &elements));
    }
    for m in singular {
        assert_eq!(
            try_call("squareMatrixInverse", &[m.clone()]),
            Ok(Err(ScalarFault::Failed(Failure::Singular))),
            "{m}"
        );
    }
}

/// Products of small elements vanish before the elements do.
#[test]
fn small_matrices_have_inverses() {
    for n in 1..=5usize {
        let elements: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { 2e-200 } else { 1e-200 }).collect();
        let inverse = reals(&call("squareMatrixInverse", &[matrix(n, n, &elements)]));
        // (1 + J)⁻¹ = 1 - J/(n + 1) for J all ones.
        for (k, x) in inverse.iter().enumerate() {
            let expected = (if k / n == k % n { n as f64 } else { -1.0 }) / (n as f64 + 1.0) * 1e200;
            assert!(
                (x - expected).abs() <= 16.0 * f64::EPSILON * expected.abs(),
                "{n} rows: {x} for {expected}"
            );
        }
    }
}

/// Rows and columns of very different scales make no matrix singular.
#[test]
fn scales_do_not_matter() {
    for n in 1..=6usize {
        let elements: Vec<f64> = (0..n * n)
            .map(|k| {
                let (i, j) = (k / n, k % n);
                let scale = libm::pow(10.0, 8.0 * i as f64 - 12.0 * j as f64);
                scale * (if i == j { 2.0 } else { 1.0 } + 0.1 * (i * j) as f64)
            })
            .collect();
        let m = matrix(n, n, &elements);
        let inverse = reals(&call("squareMatrixInverse", &[m]));
        // Each element of m⁻¹ m is a sum of terms that may be large where its scales differ: compare with
        // their sizes.
        for i in 0..n {
            for j in 0..n {
                let terms: Vec<f64> = (0..n).map(|k| inverse[i * n + k] * elements[k * n + j]).collect();
                let (sum, size) = terms.iter().fold((0.0, 0.0), |(s, t), x| (s + x, t + f64::abs(*x)));
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((sum - expected).abs() <= 64.0 * f64::EPSILON * size, "{n} rows, ({i}, {j}): {sum}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn vectors_agree_with_glam(v in direction(), w in direction(), angle in -7.0..7.0f64) {
        prop_assert!((reals(&call("norm", &[vec3(v)]))[0] - v.length()).abs() <= 2.0 * f64::EPSILON * v.length());
        prop_assert!((to_vec3(&call("normalize", &[vec3(v)])) - v.normalize()).length() < 4.0 * f64::EPSILON);
        let skewed = to_mat3(&call("skewSymmetricMatrix", &[vec3(v)])) * w;
        prop_assert!((skewed - v.cross(w)).length() <= 8.0 * f64::EPSILON * v.length() * w.length());
        let q = DQuat::from_axis_angle(w.normalize(), angle);
        let ours = to_quaternion(&call("quaternionFromAxisAndAngle", &[vec3(w), real(angle)]));
        prop_assert!((ours - q).length() < 4.0 * f64::EPSILON);
        let turned = to_vec3(&call("rotateVector", &[vec3(v), vec3(w), real(angle)]));
        prop_assert!((turned - q * v).length() < 16.0 * f64::EPSILON * v.length());
        let reflected = to_vec3(&call("reflectVector", &[vec3(v), vec3(w)]));
        prop_assert!((reflected - v.reflect(w.normalize())).length() < 8.0 * f64::EPSILON * v.length());
    }

    #[test]
    fn a_basis_is_a_rotation_along_its_vector(n in direction(), scale in -20..20i32) {
        let n = n * libm::pow(10.0, f64::from(scale));
        let basis = to_mat3(&call("arbitraryBasis", &[vec3(n)]));
        prop_assert!((basis.x_axis - n.normalize()).length() < 4.0 * f64::EPSILON);
        let product = basis.transpose() * basis - DMat3::IDENTITY;
        prop_assert!(product.to_cols_array().iter().all(|x| x.abs() < 16.0 * f64::EPSILON), "{product}");
        prop_assert!(basis.determinant() > 0.0);
    }

    #[test]
    fn quaternions_agree_with_glam(p in turn(), q in turn(), v in direction(), length in 0.1..10.0f64) {
        let product = to_quaternion(&call("multiplyQuaternions", &[quaternion(p), quaternion(q)]));
        prop_assert!((product - p * q).length() < 8.0 * f64::EPSILON);
        // Rotations do not depend on the length of the quaternion.
        let m = call("quaternionToRotationMatrix", &[quaternion(q * length)]);
        prop_assert!(distance(&m, &mat4(DMat4::from_quat(q))) < 8.0 * f64::EPSILON);
        prop_assert!((to_mat3(&m) * v - q * v).length() < 16.0 * f64::EPSILON * v.length());
        for m in [m, mat3(DMat3::from_quat(q))] {
            let back = to_quaternion(&call("rotationMatrixToQuaternion", &[m]));
            prop_assert!(back.w >= 0.0);
            prop_assert!((back - q).length().min((back + q).length()) < 8.0 * f64::EPSILON, "{q} {back}");
        }
    }

    #[test]
    fn euler_angles_are_products_of_rotations(v in angles()) {
        let m = call("eulerXYZToRotationMatrix", &[vec3(v)]);
        prop_assert!(distance(&m, &mat4(DMat4::from_mat3(euler_matrix(v)))) < 4.0 * f64::EPSILON);
        let q = to_quaternion(&call("eulerXYZToQuaternion", &[vec3(v)]));
        let expected = DQuat::from_euler(EulerRot::XYZ, v.x, v.y, v.z);
        prop_assert!((q - expected).length() < 4.0 * f64::EPSILON);
    }

    /// The angles found give the rotation back, at the gimbal lock and beside it; away from it they are the
    /// angles put in.
    #[test]
    fn euler_angles_come_back(v in angles()) {
        let m = call("eulerXYZToRotationMatrix", &[vec3(v)]);
        let q = call("eulerXYZToQuaternion", &[vec3(v)]);
        for back in [call("rotationMatrixToEulerXYZ", &[m.clone()]), call("quaternionToEulerXYZ", &[q])] {
            let again = call("eulerXYZToRotationMatrix", &[back.clone()]);
            prop_assert!(distance(&again, &m) < 2e-15, "{} came back as {back}: {:e}", v, distance(&again, &m));
            if v.y.abs() < 1.4 {
                let limit = 8.0 * f64::EPSILON / libm::cos(v.y);
                prop_assert!((to_vec3(&back) - v).abs().max_element() < limit, "{} came back as {back}", v);
            }
        }
    }

    /// Any rotation at all, the half turns included, where w is zero.
    #[test]
    fn half_turns_come_back(axis in direction(), angle in prop_oneof![Just(PI), -PI..PI, PI - 1e-4..PI + 1e-4]) {
        let q = call("quaternionFromAxisAndAngle", &[vec3(axis), real(angle)]);
        let m = call("quaternionToRotationMatrix", &[q.clone()]);
        let back = call("rotationMatrixToQuaternion", &[m.clone()]);
        prop_assert!(distance(&call("quaternionToRotationMatrix", &[back]), &m) < 8.0 * f64::EPSILON);
        let euler = call("quaternionToEulerXYZ", &[q]);
        prop_assert!(distance(&call("eulerXYZToRotationMatrix", &[euler]), &m) < 2e-15);
    }

    /// Whatever the matrix, rotation or not: there is no arm that fails.
    #[test]
    fn no_matrix_is_too_bad_for_a_rotation(elements in prop::array::uniform9(-1e3..1e3f64)) {
        for name in ["rotationMatrixToQuaternion", "rotationMatrixToEulerXYZ"] {
            prop_assert!(try_call(name, &[matrix(3, 3, &elements)]).unwrap().is_ok());
        }
    }

    /// The residual of an inverse grows as the condition and no faster, also for two small eigenvalues beside
    /// a large one, where an adjugate alone has an error of the square of it.
    #[test]
    fn inverses_of_ill_conditioned_matrices(q in turn(), p in turn(), small in -8.0..0.0f64, middle in 0.0..1.0f64) {
        let (small, middle) = (libm::pow(10.0, small), libm::pow(10.0, small * middle));
        let m = DMat3::from_quat(q) * DMat3::from_diagonal(DVec3::new(1.0, middle, small)) * DMat3::from_quat(p);
        let inverse = to_mat3(&call("squareMatrixInverse", &[mat3(m)]));
        for residual in [m * inverse - DMat3::IDENTITY, inverse * m - DMat3::IDENTITY] {
            let largest = residual.to_cols_array().iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            prop_assert!(largest < 64.0 * f64::EPSILON / small, "{largest:e} for a condition of {:e}", 1.0 / small);
        }
    }

    #[test]
    fn inverses_of_all_sizes(n in 1..8usize, elements in prop::collection::vec(-1.0..1.0f64, 49)) {
        // A dominant diagonal keeps the condition small.
        let elements: Vec<f64> =
            (0..n * n).map(|k| elements[k] + if k / n == (n - 1 - k % n) { 2.0 * n as f64 } else { 0.0 }).collect();
        let m = matrix(n, n, &elements);
        let inverse = call("squareMatrixInverse", &[m.clone()]);
        let mut immediate = Immediate::default();
        let product = operation::binary(&mut immediate, Binary::Multiply, &inverse, &m).unwrap();
        let identity = call("identityMatrix", &[real(n as f64)]);
        prop_assert!(distance(&product, &identity) < 64.0 * f64::EPSILON);
        let dets = [&m, &inverse].map(|m| reals(&call("determinant", std::slice::from_ref(m)))[0]);
        prop_assert!((dets[0] * dets[1] - 1.0).abs() < 64.0 * f64::EPSILON);
    }

    /// det(m) by its definition, a sum over permutations; that of a product of triangles is the product of
    /// the diagonals.
    #[test]
    fn determinants_of_all_sizes(n in 1..8usize, elements in prop::collection::vec(-1.0..1.0f64, 98)) {
        let (lower, upper) = elements.split_at(49);
        let l = |i: usize, k: usize| if i == k { 1.0 } else if k < i { lower[i * n + k] } else { 0.0 };
        let u = |k: usize, j: usize| if k <= j { upper[k * n + j] } else { 0.0 };
        let m: Vec<f64> =
            (0..n * n).map(|at| (0..n).map(|k| l(at / n, k) * u(k, at % n)).sum()).collect();
        let expected: f64 = (0..n).map(|k| u(k, k)).product();
        let det = reals(&call("determinant", &[matrix(n, n, &m)]))[0];
        prop_assert!((det - expected).abs() < 1e-13 * libm::pow(2.0, n as f64), "{det} {expected}");
        let trace: f64 = (0..n).map(|k| m[k * n + k]).sum();
        prop_assert!((reals(&call("trace", &[matrix(n, n, &m)]))[0] - trace).abs() < 1e-14);
    }

    #[test]
    fn parts_of_matrices(rows in 1..5usize, columns in 1..5usize, r in 1..5usize, c in 1..5usize) {
        let elements: Vec<f64> = (0..rows * columns).map(|k| k as f64).collect();
        let m = matrix(rows, columns, &elements);
        let turned = call("matrixTranspose", &[m.clone()]);
        prop_assert_eq!(call("matrixDimension", &[turned.clone()]), vector(&[columns as f64, rows as f64]));
        prop_assert_eq!(call("matrixTranspose", &[turned.clone()]), m.clone());
        let Shaped::Matrix(turned) = turned else { panic!("no matrix") };
        for (k, element) in elements.iter().enumerate() {
            prop_assert_eq!(turned.at(k % columns, k / columns), *element);
        }
        match try_call("subMatrix", &[m, real(r as f64), real(c as f64)]) {
            Ok(Ok(Shaped::Matrix(part))) => {
                prop_assert_eq!((part.rows, part.columns), (r, c));
                for i in 0..r {
                    prop_assert_eq!(part.row(i), &elements[i * columns..][..c]);
                }
            }
            other => prop_assert!(other.is_err() && (r > rows || c > columns)),
        }
    }
}
