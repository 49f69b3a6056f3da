//! Forms that simplification must find, exactly.

use crate::reader::read;
use gedanken_symbolic::Pool;

const SHORT: &[(&str, &str)] = &[
    ("sin(x)^2 + cos(x)^2", "1"),
    ("a*sin(x)^2 + a*cos(x)^2 + b", "a + b"),
    ("1 - cos(x)^2", "sin(x)^2"),
    ("1 - sin(x)^2", "cos(x)^2"),
    ("m1 + m2 - m2*cos(a - b)^2", "m1 + m2*sin(a - b)^2"),
    ("cos(a)*cos(b) + sin(a)*sin(b)", "cos(a - b)"),
    ("sin(a)*cos(b) - cos(a)*sin(b)", "sin(a - b)"),
    ("sin(x)*cos(x)", "sin(x)*cos(x)"),
    ("2*sin(x)*cos(x)", "sin(2*x)"),
    ("cos(x)^2 - sin(x)^2", "cos(2*x)"),
    ("2*cos(x)^2 - 1", "cos(2*x)"),
    ("3*sin(x) - 4*sin(x)^3", "sin(3*x)"),
    ("8*cos(x)^4 - 8*cos(x)^2 + 1", "cos(4*x)"),
    ("y*sin(x)^2 + z*cos(x)^2", "y*sin(x)^2 + z*cos(x)^2"),
    ("sin(x)/cos(x)", "tan(x)"),
    ("tan(x)*cos(x)", "sin(x)"),
    ("1 + tan(x)^2", "1/cos(x)^2"),
    ("sin(2*x)/sin(x)", "2*cos(x)"),
    ("(1 - cos(2*x))/sin(x)", "2*sin(x)"),
    ("sin(x)/(1 - cos(x)) + sin(x)/(1 + cos(x))", "2/sin(x)"),
    ("sin(pi/2 - x)", "cos(x)"),
    ("sin(x + pi)", "-sin(x)"),
    ("cos(pi/2 - 2*x)", "sin(2*x)"),
    ("sin(x - 2 - pi)", "-sin(x - 2)"),
    ("sin(x - 2 - pi) + cos(2 - x)*sin(x - 2)", "sin(x - 2)*(cos(x - 2) - 1)"),
    ("cos(asin(x))", "sqrt(1 - x^2)"),
    ("(a^2 - b^2)/(a - b)", "a + b"),
    ("(x^2 - 1)/(x^2 + 3*x + 2)", "(x - 1)/(x + 2)"),
    ("(x^2 + 2*x + 1)/(x + 1)", "x + 1"),
    ("x^2 + 2*x*y + y^2", "(x + y)^2"),
    ("x^3 + 3*x^2*y + 3*x*y^2 + y^3", "(x + y)^3"),
    ("x*y + x*z + w*y + w*z", "(x + w)*(y + z)"),
    ("a*x + b*x + c", "(a + b)*x + c"),
    ("a*x + b*x + a*y + b*y + c", "(a + b)*(x + y) + c"),
    ("(a + b)/c + (a - b)/c", "2*a/c"),
    ("1/(1 + 1/(1 + 1/x))", "(x + 1)/(2*x + 1)"),
    ("x/y + y/x", "x/y + y/x"),
    ("(x + 1)*(x - 1) + 1", "x^2"),
    ("(x + 1)^10", "(x + 1)^10"),
    ("sqrt(x^2 + 2*x + 1)", "abs(x + 1)"),
    ("sqrt(1 - sin(x)^2)", "abs(cos(x))"),
    ("sqrt(a^2*sin(x)^2 + a^2*cos(x)^2)", "abs(a)"),
    ("(1 + sqrt(2))*(1 - sqrt(2))", "-1"),
    ("exp(a + b)*exp(-a)", "exp(b)"),
    ("exp(2*log(x))", "x^2"),
    ("m*(l*cos(t)*t_dot)^2/2 + m*(l*sin(t)*t_dot)^2/2", "m*l^2*t_dot^2/2"),
    ("abs(x)^2 + x^2", "2*x^2"),
    ("sin(a*(b + c)) - sin(a*b + a*c)", "0"),
    ("f*cos(0)", "f"),
    ("g/l*sin(x)*l", "g*sin(x)"),
];

#[test]
fn known_results() {
    let mut wrong = Vec::new();
    for (long, short) in SHORT {
        let mut p = Pool::new();
        let (e, expected) = (read(&mut p, long), read(&mut p, short));
        let found = p.simplify(e);
        if found != expected {
            wrong.push(format!("{long} is {} and not {short}", p.text(found)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
