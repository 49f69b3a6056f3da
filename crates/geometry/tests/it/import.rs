//! Import of STL and OBJ: known files, errors with their places, and any bytes at all.

use gedanken_geometry::import::{ImportError, Place, Problem, TriangleSoup, obj, stl};
use gedanken_math::Vec3;
use proptest::prelude::*;

const CUBE: &str = "# a unit cube
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1 1.0
v 0 1 1 0.5 0.5 0.5
vn 0 0 1
usemtl none
f 4 3 2 1
f 5/1 6/2/1 7//1 -1
f 1 2 6 5 # front
f 2 3 7 6
f 3 4 8 7
f -8 -4 -1 -5
";

/// The soup as a binary STL.
fn to_binary(soup: &TriangleSoup) -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((soup.triangles().len() as u32).to_le_bytes());
    for triangle in soup.triangles() {
        bytes.extend([0; 12]);
        for &v in triangle {
            for x in soup.vertices()[v as usize].to_array() {
                bytes.extend((x as f32).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// The soup as an ASCII STL, with every digit.
fn to_ascii(soup: &TriangleSoup) -> String {
    let mut text = String::from("solid with a name\n");
    for triangle in soup.triangles() {
        text += "  facet normal 0 0 nan\n    outer loop\n";
        for &v in triangle {
            let p = soup.vertices()[v as usize];
            text += &format!("      vertex {:e} {} {}\r\n", p.x, p.y, p.z);
        }
        text += "    endloop\n  endfacet\n";
    }
    text + "endsolid with a name\n"
}

#[test]
fn a_cube_is_the_same_in_every_format() {
    let cube = obj(CUBE.as_bytes()).unwrap();
    assert_eq!(cube.vertices().len(), 8);
    assert_eq!(cube.triangles().len(), 12);
    assert_eq!(stl(&to_binary(&cube)).unwrap(), cube);
    assert_eq!(stl(to_ascii(&cube).as_bytes()).unwrap(), cube);
    let solid = cube.to_mesh().unwrap().as_solid(1.0).unwrap();
    assert!((solid.volume - 1.0).abs() < 1e-14);
    assert!((solid.centre - Vec3::splat(0.5)).length() < 1e-14);
    let hull = cube.to_hull().unwrap();
    assert_eq!(hull.vertices().len(), 8);
}

#[test]
fn minus_zero_is_welded_to_zero() {
    let soup = obj(b"v 0 0 0\nv -0 0 -0\nv 1 0 0\nv 0 1 0\nf 1 3 4\nf 2 4 3\n").unwrap();
    assert_eq!(soup.triangles(), [[0, 1, 2], [0, 2, 1]]);
}

#[test]
fn a_face_may_come_before_its_vertices() {
    assert_eq!(obj(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0").unwrap().triangles(), [[0, 1, 2]]);
}

#[test]
fn negative_numbers_count_back_from_where_they_stand() {
    let soup = obj(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\n").unwrap();
    assert_eq!(soup.vertices(), [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

/// A polygon that bends inwards is cut right from the corner that sees it all, and refused from the others.
#[test]
fn polygons_that_bend_inwards() {
    let dart = "v 0 0 0\nv 2 -2 0\nv 0.5 0 0\nv 2 2 0\n";
    let wrong = obj(format!("{dart}f 2 3 4 1\n").as_bytes()).unwrap_err();
    assert_eq!(wrong, ImportError { place: Place::Line(5), problem: Problem::NotConvex });
    assert_eq!(obj(format!("{dart}f 3 4 1 2\n").as_bytes()).unwrap().triangles().len(), 2);
}

#[test]
fn errors_name_their_place() {
    let message = |bytes: &[u8]| stl(bytes).unwrap_err().to_string();
    assert_eq!(
        message(b""),
        "byte 0: not an STL file: it neither starts with \"solid\" nor has the 84 bytes of a binary header"
    );
    assert_eq!(message(b"solid x\nendsolid"), "line 2: the file has no triangles");
    assert_eq!(
        message(b"solid x\nfacet normal 0 0 1\nvertex"),
        "line 3: expected \"outer loop\", found \"vertex\""
    );
    let facet = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
    let after = |rest: &str| message(format!("{facet}{rest}").as_bytes());
    assert_eq!(after("vertex 0 one 0"), "line 6: expected a number, found \"one\"");
    assert_eq!(after("vertex 0 1"), "line 6: expected a number, found \"\"");
    assert_eq!(after("vertex 0 inf 0"), "line 6: a coordinate is not finite");
    assert_eq!(after("vertex 0 1 0 7"), "line 6: expected the end of the line, found \"7\"");
    assert_eq!(after("endloop"), "line 6: expected \"vertex\", found \"endloop\"");
    assert_eq!(after("vertex 0 1 0"), "line 6: expected \"endloop\", found \"the end of the file\"");
    let mut binary = to_binary(&obj(CUBE.as_bytes()).unwrap());
    binary[84 + 50 + 12..84 + 50 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(message(&binary), "byte 134: a coordinate is not finite");
    binary[0] = b'x';
    binary.truncate(200);
    assert_eq!(
        message(&binary),
        "byte 80: 12 triangles are declared, which take 684 bytes, but the file has 200"
    );
    // A header that declares 4 billion triangles takes no memory for them.
    binary[80..84].fill(0xff);
    assert!(message(&binary).starts_with("byte 80: 4294967295 triangles"));

    let message = |text: &str| obj(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(message(""), "line 1: the file has no triangles");
    assert_eq!(message("v 0 0 0\nf 1 1 2\n"), "line 2: a face names vertex 2, but there are 1");
    assert_eq!(message("v 0 0 0\nf 1 1 0\n"), "line 2: a face names vertex 0, but there are 1");
    assert_eq!(message("v 0 0 0\nf -1 -1 -2\nv 1 1 1"), "line 2: a face names vertex -2, but there are 1");
    assert_eq!(
        message("v 0 0 0\nf 1 1\n"),
        "line 2: expected at least three corners, found \"a face of one or two\""
    );
    assert_eq!(
        message("v 0 0 0\nf 1 1 1/x\n"),
        "line 2: expected a corner like 1, 1/2, 1//3 or 1/2/3, found \"1/x\""
    );
    assert_eq!(message("v 0 0"), "line 1: expected a number, found \"\"");
    assert_eq!(message("\n\ncurv 0 1"), "line 3: expected a statement of points and faces, found \"curv\"");
    assert!(message("v 0 0 0 2").contains("weight"));
    assert!(message(&"x".repeat(1000)).len() < 120);
    let far = format!("v 0 0 0\nf {} 1 1", i64::MIN);
    assert!(message(&far).contains("names vertex -9223372036854775808"));
}

fn triangle() -> impl Strategy<Value = [[f32; 3]; 3]> {
    prop::array::uniform3(prop::array::uniform3(-1e6f32..1e6f32))
}

/// Words of both formats and what lies between, so that random texts come far.
fn near_text() -> impl Strategy<Value = String> {
    let words = [
        "solid",
        "facet",
        "normal",
        "outer",
        "loop",
        "vertex",
        "endloop",
        "endfacet",
        "endsolid",
        "\n",
        "\n",
        " ",
        "v",
        "f",
        "vn",
        "#",
        "/",
        "//",
        "1",
        "-1",
        "0",
        "1/2",
        "1e400",
        "nan",
        "2.5",
        "-0",
        "\r",
        "\0",
        "é",
        "9999999999999999999",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..200)
        .prop_map(|words| words.into_iter().flat_map(|word| [word, " "]).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
        check(&[b"solid \n".as_slice(), &bytes].concat());
    }

    #[test]
    fn any_words_are_read_or_refused(text in near_text()) {
        check(text.as_bytes());
        check(format!("solid\n{text}").as_bytes());
        check(format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\n{text}").as_bytes());
    }

    /// A damaged file is read or refused, and every prefix of a text is refused: nothing is cut short in
    /// silence.
    #[test]
    fn damaged_files_are_read_or_refused(at in 0..684usize, value in any::<u8>(), cut in 0..684usize) {
        let cube = obj(CUBE.as_bytes()).unwrap();
        let mut binary = to_binary(&cube);
        prop_assert!(stl(&binary[..cut]).is_err());
        binary[at] = value;
        check(&binary);
        let text = to_ascii(&cube).into_bytes();
        let whole = text.len() - "endsolid with a name\n".len();
        prop_assert!(stl(&text[..cut * whole / 684]).is_err());
    }

    /// A written file is read back: the same triangles, and the same bits from either format.
    #[test]
    fn triangles_survive(triangles in prop::collection::vec(triangle(), 1..30)) {
        let mut text = String::from("solid\n");
        for t in &triangles {
            text += "facet normal 0 0 0\nouter loop\n";
            for [x, y, z] in t {
                text += &format!("vertex {} {} {}\n", f64::from(*x), f64::from(*y), f64::from(*z));
            }
            text += "endloop\nendfacet\n";
        }
        let soup = stl((text + "endsolid\n").as_bytes()).unwrap();
        prop_assert_eq!(soup.triangles().len(), triangles.len());
        for (ours, theirs) in soup.triangles().iter().zip(&triangles) {
            for (&v, corner) in ours.iter().zip(theirs) {
                prop_assert_eq!(soup.vertices()[v as usize], Vec3::from_array(corner.map(f64::from)));
            }
        }
        prop_assert_eq!(stl(&to_binary(&soup)).unwrap(), soup);
    }
}

/// Both readers answer, the same twice, with indices in range and no more than the input can hold.
fn check(bytes: &[u8]) {
    for read in [stl, obj] {
        let one = read(bytes);
        assert_eq!(one, read(bytes));
        let Ok(soup) = one else { continue };
        assert!(!soup.triangles().is_empty() && soup.triangles().len() <= bytes.len());
        assert!(soup.vertices().len() <= 3 * soup.triangles().len());
        assert!(soup.triangles().iter().flatten().all(|&v| (v as usize) < soup.vertices().len()));
        assert!(soup.vertices().iter().all(|v| v.is_finite()));
    }
}
