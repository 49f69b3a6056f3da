//! Bad input: every refusal is typed and its text names the shape, the field and the way out.

use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_geometry::narrow::{self, QueryError, Scratch};
use gedanken_geometry::*;
use gedanken_math::{Pose, Quat, Vec3};
use insta::assert_snapshot;
use std::sync::Arc;

fn ball() -> Shape {
    Shape::Sphere(Sphere::new(1.0).unwrap())
}

#[test]
fn sizes_are_positive_and_finite() {
    assert_snapshot!(Sphere::new(0.0).unwrap_err(), @"the radius of a sphere cannot be 0: it must be positive and finite");
    assert_snapshot!(Cuboid::new(Vec3::new(1.0, -2.0, 3.0)).unwrap_err(), @"the length along y of a cuboid cannot be -2: it must be positive and finite");
    assert_snapshot!(Capsule::new(1.0, f64::NAN).unwrap_err(), @"the half length of a capsule cannot be NaN: it must be positive and finite");
    assert_snapshot!(Cylinder::new(f64::INFINITY, 1.0).unwrap_err(), @"the radius of a cylinder cannot be inf: it must be positive and finite");
    assert_snapshot!(Cone::new(1.0, -1.0).unwrap_err(), @"the height of a cone cannot be -1: it must be positive and finite");
    assert_snapshot!(HalfSpace::new(Vec3::ZERO, 0.0).unwrap_err(), @"the normal of a half-space has no direction: its length must be positive and finite");
    assert_snapshot!(ball().mass_properties(-1.0).unwrap_err(), @"the density of a sphere cannot be -1: it must be positive and finite");
}

#[test]
fn hulls_need_a_volume() {
    let hull = |points: &[[f64; 3]]| {
        ConvexHull::new(&points.iter().map(|p| Vec3::from_array(*p)).collect::<Vec<_>>()).unwrap_err()
    };
    assert_snapshot!(hull(&[]), @"a convex hull needs points, and there are none");
    assert_snapshot!(hull(&[[0.0; 3]; 3]), @"a convex hull needs at least four points, and there are 3");
    assert_snapshot!(hull(&[[1.0; 3]; 5]), @"all 5 points are equal: a convex hull needs four that span a volume");
    assert_snapshot!(hull(&[[0.0; 3], [1.0; 3], [2.0; 3], [5.0; 3]]), @"all 4 points lie on a line: a convex hull needs four that span a volume");
    let square = [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [1.0, 1.0, 2.0], [0.0, 1.0, 2.0]];
    assert_snapshot!(hull(&square), @"all 4 points lie in a plane: a convex hull needs four that span a volume");
    assert_snapshot!(hull(&[[0.0; 3], [1.0, f64::NAN, 0.0], [0.0; 3], [0.0; 3]]), @"point number 1 of a convex hull is not finite");
}

#[test]
fn compounds_and_meshes_say_which_part() {
    assert_snapshot!(Compound::new(vec![]).unwrap_err(), @"a compound needs at least one part");
    let part = |shape, pose, density| Compound::new(vec![Part { shape, pose, density }]).unwrap_err();
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    assert_snapshot!(part(floor, Pose::IDENTITY, 1.0), @"part 0 of a compound is a half-space: a half-space is infinite and cannot be glued to anything");
    assert_snapshot!(part(ball(), Pose::at(Vec3::NAN), 1.0), @"part 0 of a compound is a sphere: its pose is not finite");
    assert_snapshot!(part(ball(), Pose::IDENTITY, 0.0), @"part 0 of a compound is a sphere: its density must be positive and finite");
    let corners = || vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    assert_snapshot!(TriangleMesh::new(corners(), vec![]).unwrap_err(), @"a mesh needs at least one triangle");
    assert_snapshot!(TriangleMesh::new(corners(), vec![[0, 1, 9]]).unwrap_err(), @"triangle 0 of a mesh names vertex 9, but there are only 4");
    let open = TriangleMesh::new(corners(), vec![[0, 2, 1], [0, 1, 3]]).unwrap();
    assert_snapshot!(open.as_solid(1.0).unwrap_err(), @"the surface is not closed at the edge from vertex 0 to vertex 2: only one triangle has this edge");
    let inside_out = TriangleMesh::new(corners(), vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap();
    assert_snapshot!(inside_out.as_solid(1.0).unwrap_err(), @"the surface encloses a volume of -0.16666666666666666: its triangles must wind counter-clockwise seen from outside");
    assert_snapshot!(Shape::Mesh(Arc::new(open)).mass_properties(1.0).unwrap_err(), @"a mesh has no mass properties: it is a surface; ask for it as a solid");
}

#[test]
fn queries_refuse_what_has_no_answer() {
    let mut scratch = Scratch::default();
    let nowhere = Pose::new(Quat::from_xyzw(0.0, 0.0, 0.0, f64::NAN), Vec3::ZERO);
    let here = Pose::IDENTITY;
    assert_snapshot!(narrow::contact(&ball(), &here, &ball(), &nowhere, &mut scratch).unwrap_err(), @"the pose of B is not finite");
    // Every query asks first, about either shape, whatever kinds they are.
    let cube = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    for shape in [&ball(), &cube] {
        for (a, b) in [(&nowhere, &here), (&here, &nowhere), (&Pose::at(Vec3::X * f64::INFINITY), &here)] {
            let bad = |error: QueryError| matches!(error, QueryError::BadPose { .. });
            assert!(bad(narrow::distance(shape, a, &ball(), b, &mut scratch).unwrap_err()));
            assert!(bad(narrow::contact(shape, a, &ball(), b, &mut scratch).unwrap_err()));
            assert!(bad(narrow::intersects(shape, a, &ball(), b, &mut scratch).unwrap_err()));
            let manifolds =
                narrow::manifolds(shape, a, &ball(), b, 0.1, &mut scratch, &mut vec![]).unwrap_err();
            assert!(bad(manifolds));
        }
    }
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    assert_snapshot!(narrow::distance(&floor, &here, &floor, &here, &mut scratch).unwrap_err(), @"there is no distance between a half-space and a half-space");
    let negative =
        narrow::manifolds(&ball(), &here, &ball(), &here, -0.5, &mut scratch, &mut vec![]).unwrap_err();
    assert_snapshot!(negative, @"a margin of -0.5 is not possible: it must be finite and not negative");
    let mut manager = Manager::new(BroadPhase::Tree).unwrap();
    manager.insert(1, Aabb::new(Vec3::ZERO, Vec3::ONE)).unwrap();
    assert_snapshot!(manager.insert(1, Aabb::new(Vec3::ZERO, Vec3::ONE)).unwrap_err(), @"1 is already in the broad phase: update it instead");
    assert_snapshot!(manager.update(2, Aabb::new(Vec3::ZERO, Vec3::ONE)).unwrap_err(), @"2 is not in the broad phase: insert it first");
    assert_snapshot!(manager.update(1, Aabb::new(Vec3::NAN, Vec3::ONE)).unwrap_err(), @"the box of 1 is no box: it must have numbers for corners, min nowhere above max, and hold a point");
    assert_snapshot!(Manager::new(BroadPhase::UniformGrid { cell: 0.0 }).unwrap_err(), @"the cells of a grid cannot have size 0: it must be positive and finite");
}
