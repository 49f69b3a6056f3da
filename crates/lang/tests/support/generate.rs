//! Random programs, written as text, so that a failing one can be read and tried by hand.
//!
//! Every program is well typed. It has laws of all shapes, helpers with and without parameters, `if`s whose
//! untaken arm would fail, divisions that sometimes do fail, and reads stored values, previous values and the
//! clock.

use super::dice::Dice;
use gedanken_lang::check::{Binding, Checked, Library, Scope, Variable, VariableKind, check};
use gedanken_lang::program::Program;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::{Matrix, Value};
use std::fmt::Write;

/// Kind of an expression to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Real,
    Bool,
    Vector(usize),
    Matrix(usize, usize),
}

const KINDS: [Kind; 10] = [
    Kind::Real,
    Kind::Real,
    Kind::Real,
    Kind::Bool,
    Kind::Vector(2),
    Kind::Vector(3),
    Kind::Vector(4),
    Kind::Matrix(2, 2),
    Kind::Matrix(3, 3),
    Kind::Matrix(4, 4),
];

/// Stored attributes without laws.
const STORED: [(&str, Kind); 11] = [
    ("t", Kind::Real),
    ("x", Kind::Real),
    ("mass", Kind::Real),
    ("k", Kind::Real),
    ("touching", Kind::Bool),
    ("size", Kind::Vector(2)),
    ("position", Kind::Vector(3)),
    ("spin", Kind::Vector(3)),
    ("turn", Kind::Vector(4)),
    ("inertia", Kind::Matrix(3, 3)),
    ("slope", Kind::Matrix(2, 3)),
];

/// Attributes that may have laws.
const LAWS: [(&str, Kind); 7] = [
    ("height", Kind::Real),
    ("energy", Kind::Real),
    ("resting", Kind::Bool),
    ("shift", Kind::Vector(2)),
    ("velocity", Kind::Vector(3)),
    ("attitude", Kind::Vector(4)),
    ("basis", Kind::Matrix(3, 3)),
];

/// A random program.
pub(crate) struct Generated {
    pub(crate) text: String,
    pub(crate) program: Program,
}

/// The program of this seed.
pub(crate) fn program(seed: u64) -> Generated {
    let mut writer =
        Writer { dice: Dice::new(seed), text: String::new(), ready: Vec::new(), functions: Vec::new() };
    let text = writer.write();
    let mut sources = Sources::new();
    let source = sources.add("generated", text.clone());
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{text}");
    match check(&file.into_definitions(), &Library::default(), &scope()) {
        Ok(Checked { program, .. }) => Generated { text, program },
        Err(diagnostics) => panic!("{diagnostics:#?}\n{text}"),
    }
}

/// Values for the inputs of a program, one row of them.
pub(crate) fn inputs(program: &Program, dice: &mut Dice) -> Vec<Value> {
    // Half of the rows are tame, or else hardly anything would ever come out well.
    let tame = dice.happens(1, 2);
    let number = |dice: &mut Dice| if tame { dice.ordinary() } else { dice.number() };
    let values = program.inputs.iter().map(|input| match input.ty {
        Type::Real => Value::Real(number(dice)),
        Type::Bool => Value::Bool(dice.happens(1, 2)),
        Type::Vector(Dim::Is(length)) => Value::Vector((0..length).map(|_| number(dice)).collect()),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => Value::Matrix(Matrix {
            rows: rows as usize,
            columns: columns as usize,
            elements: (0..rows * columns).map(|_| number(dice)).collect(),
        }),
        ref other => panic!("{other} is no type of a stored attribute"),
    });
    values.collect()
}

pub(crate) fn scope() -> Scope {
    let given = |name: &str| matches!(name, "t" | "dt");
    let all = STORED.iter().chain(&LAWS).chain(&[("dt", Kind::Real)]);
    let variables = all.map(|&(name, kind)| Variable {
        name: name.to_owned(),
        ty: Some(type_of(kind)),
        kind: if given(name) { VariableKind::Given } else { VariableKind::Attribute },
        declared: None,
        binding: if given(name) {
            Binding::Engine { index: None, name: name.to_owned() }
        } else {
            Binding::Object { index: 0, attribute: name.to_owned() }
        },
    });
    Scope { variables: variables.collect(), continuous: true, ..Scope::default() }
}

fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Real => Type::Real,
        Kind::Bool => Type::Bool,
        Kind::Vector(n) => Type::vector(n as u32),
        Kind::Matrix(rows, columns) => Type::matrix(rows as u32, columns as u32),
    }
}

/// Writes definitions, each of which uses earlier ones only.
struct Writer {
    dice: Dice,
    text: String,
    /// Laws and helpers without parameters that have been defined.
    ready: Vec<(String, Kind)>,
    /// Helpers with parameters that have been defined.
    functions: Vec<(String, Vec<Kind>, Kind)>,
}

impl Writer {
    fn write(&mut self) -> String {
        let mut laws: Vec<(&str, Kind)> = LAWS.to_vec();
        let count = 2 + self.dice.below(8);
        for index in 0..count {
            match self.dice.below(4) {
                0 => {
                    let kinds: Vec<Kind> =
                        (0..1 + self.dice.below(3)).map(|_| self.dice.one_of(&KINDS)).collect();
                    let result = self.dice.one_of(&KINDS);
                    let names: Vec<(String, Kind)> =
                        kinds.iter().enumerate().map(|(place, &kind)| (format!("a{place}"), kind)).collect();
                    let list: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
                    let body = self.expression(result, 3, &names);
                    let _ = writeln!(self.text, "f{index}({}) = {body}", list.join(", "));
                    self.functions.push((format!("f{index}"), kinds, result));
                }
                1 => {
                    let kind = self.dice.one_of(&KINDS);
                    let body = self.expression(kind, 4, &[]);
                    let _ = writeln!(self.text, "h{index} = {body}");
                    self.ready.push((format!("h{index}"), kind));
                }
                _ if !laws.is_empty() => {
                    let place = self.dice.below(laws.len());
                    self.law(laws.remove(place));
                }
                _ => {}
            }
        }
        if laws.len() == LAWS.len() {
            self.law(LAWS[0]);
        }
        std::mem::take(&mut self.text)
    }

    fn law(&mut self, (name, kind): (&str, Kind)) {
        let body = self.expression(kind, 4, &[]);
        let _ = writeln!(self.text, "{name} = {body}");
        self.ready.push((name.to_owned(), kind));
    }

    fn expression(&mut self, kind: Kind, depth: usize, params: &[(String, Kind)]) -> String {
        if depth == 0 || self.dice.happens(1, 8) {
            return self.leaf(kind, params);
        }
        let depth = depth - 1;
        match self.dice.below(9) {
            0 | 1 => self.choice(kind, depth, params),
            2 => self.call(kind, depth, params),
            _ => match kind {
                Kind::Real => self.real(depth, params),
                Kind::Bool => self.truth(depth, params),
                Kind::Vector(n) => self.vector(n, depth, params),
                Kind::Matrix(rows, columns) => self.matrix(rows, columns, depth, params),
            },
        }
    }

    fn choice(&mut self, kind: Kind, depth: usize, params: &[(String, Kind)]) -> String {
        let condition = self.expression(Kind::Bool, depth.min(2), params);
        let then = self.expression(kind, depth, params);
        let otherwise = self.expression(kind, depth, params);
        format!("(if {condition} then {then} else {otherwise})")
    }

    fn call(&mut self, kind: Kind, depth: usize, params: &[(String, Kind)]) -> String {
        let fitting: Vec<_> = self.functions.iter().filter(|function| function.2 == kind).cloned().collect();
        if fitting.is_empty() {
            return self.leaf(kind, params);
        }
        let (name, kinds, _) = &fitting[self.dice.below(fitting.len())];
        let arguments: Vec<String> =
            kinds.iter().map(|&kind| self.expression(kind, depth.min(2), params)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn leaf(&mut self, kind: Kind, params: &[(String, Kind)]) -> String {
        let previous = LAWS.iter().map(|&(name, kind)| (format!("previous({name})"), kind));
        let stored = STORED.iter().map(|&(name, kind)| (name.to_owned(), kind));
        let clock = [("dt".to_owned(), Kind::Real)];
        let mut names: Vec<String> = Vec::new();
        for (name, of) in params.iter().chain(&self.ready) {
            if *of == kind {
                // What the program itself defines is more telling than what it is given.
                names.extend([name.clone(), name.clone()]);
            }
        }
        names.extend(previous.chain(stored).chain(clock).filter(|(_, of)| *of == kind).map(|(name, _)| name));
        let literal = names.is_empty() || self.dice.happens(1, 5);
        if !literal {
            return names.swap_remove(self.dice.below(names.len()));
        }
        let list = |dice: &mut Dice, n: usize| -> String {
            let numbers: Vec<String> = (0..n).map(|_| literal_of(dice)).collect();
            format!("[{}]", numbers.join(", "))
        };
        match kind {
            Kind::Real => literal_of(&mut self.dice),
            Kind::Bool => self.dice.one_of(&["true", "false"]).to_owned(),
            Kind::Vector(n) => list(&mut self.dice, n),
            Kind::Matrix(rows, columns) => {
                let rows: Vec<String> = (0..rows).map(|_| list(&mut self.dice, columns)).collect();
                format!("[{}]", rows.join(", "))
            }
        }
    }

    fn real(&mut self, depth: usize, params: &[(String, Kind)]) -> String {
        let n = 2 + self.dice.below(3);
        match self.dice.below(24) {
            0..=6 => {
                let sign = self.dice.one_of(&["+", "-", "*", "*", "/"]);
                let x = self.expression(Kind::Real, depth, params);
                format!("({x} {sign} {})", self.expression(Kind::Real, depth, params))
            }
            7 => format!("-{}", self.expression(Kind::Real, depth, params)),
            8 => {
                let base = self.expression(Kind::Real, depth, params);
                let exponent = if self.dice.happens(2, 3) {
                    self.dice.one_of(&["2", "3", "-1", "-2", "0", "0.5", "8", "-7", "9"]).to_owned()
                } else {
                    self.expression(Kind::Real, depth.min(1), params)
                };
                format!("({base})^({exponent})")
            }
            9 => {
                let v = self.expression(Kind::Vector(n), depth, params);
                format!("({v} . {})", self.expression(Kind::Vector(n), depth, params))
            }
            10 => {
                let v = self.expression(Kind::Vector(n), depth, params);
                format!("({v} # {})", 1 + self.dice.below(n))
            }
            11 => {
                let v = self.expression(Kind::Vector(n), depth, params);
                // Out of range now and then.
                let index = self.expression(Kind::Real, depth.min(1), params);
                format!("({v} # (1 + mod(round({index}), {n})))")
            }
            12 => {
                let m = self.expression(Kind::Matrix(n, n), depth, params);
                format!("({m} # {} # {})", 1 + self.dice.below(n), 1 + self.dice.below(n))
            }
            13..=17 => {
                const OF_ONE: [&str; 15] = [
                    "sine",
                    "cosine",
                    "tangent",
                    "inverseSine",
                    "inverseCosine",
                    "inverseTangent",
                    "abs",
                    "sqrt",
                    "exp",
                    "log",
                    "floor",
                    "ceil",
                    "round",
                    "sign",
                    "sqrt",
                ];
                let name = self.dice.one_of(&OF_ONE);
                format!("{name}({})", self.expression(Kind::Real, depth, params))
            }
            18 | 19 => {
                let name = self.dice.one_of(&["min", "max", "mod", "atan2"]);
                let x = self.expression(Kind::Real, depth, params);
                format!("{name}({x}, {})", self.expression(Kind::Real, depth, params))
            }
            20 => format!("norm({})", self.expression(Kind::Vector(n), depth, params)),
            21 => format!("sum({})", self.expression(Kind::Vector(n), depth, params)),
            _ => {
                let name = self.dice.one_of(&["determinant", "trace"]);
                format!("{name}({})", self.expression(Kind::Matrix(n, n), depth, params))
            }
        }
    }

    fn truth(&mut self, depth: usize, params: &[(String, Kind)]) -> String {
        match self.dice.below(10) {
            0..=4 => {
                let sign = self.dice.one_of(&["<", "<=", ">", ">=", "==", "!="]);
                let x = self.expression(Kind::Real, depth, params);
                format!("({x} {sign} {})", self.expression(Kind::Real, depth, params))
            }
            5 => format!("!{}", self.expression(Kind::Bool, depth, params)),
            6..=8 => {
                let sign = self.dice.one_of(&["&", "|"]);
                let x = self.expression(Kind::Bool, depth, params);
                format!("({x} {sign} {})", self.expression(Kind::Bool, depth, params))
            }
            _ => {
                let kind = self.dice.one_of(&KINDS);
                let sign = self.dice.one_of(&["==", "!="]);
                let x = self.expression(kind, depth.min(1), params);
                format!("({x} {sign} {})", self.expression(kind, depth.min(1), params))
            }
        }
    }

    fn vector(&mut self, n: usize, depth: usize, params: &[(String, Kind)]) -> String {
        let same = Kind::Vector(n);
        match self.dice.below(14) {
            0 | 1 => {
                let elements: Vec<String> =
                    (0..n).map(|_| self.expression(Kind::Real, depth.min(2), params)).collect();
                format!("[{}]", elements.join(", "))
            }
            2..=4 => {
                let sign = self.dice.one_of(&["+", "-"]);
                let x = self.expression(same, depth, params);
                format!("({x} {sign} {})", self.expression(same, depth, params))
            }
            5 => {
                let x = self.expression(Kind::Real, depth, params);
                format!("({x} * {})", self.expression(same, depth, params))
            }
            6 => {
                let sign = self.dice.one_of(&["*", "/"]);
                let x = self.expression(same, depth, params);
                format!("({x} {sign} {})", self.expression(Kind::Real, depth, params))
            }
            7 => format!("-{}", self.expression(same, depth, params)),
            8 => {
                let columns = 2 + self.dice.below(3);
                let m = self.expression(Kind::Matrix(n, columns), depth, params);
                format!("({m} * {})", self.expression(Kind::Vector(columns), depth, params))
            }
            9 => {
                let rows = 2 + self.dice.below(3);
                let m = self.expression(Kind::Matrix(rows, n), depth, params);
                if self.dice.happens(1, 3) {
                    let index = self.expression(Kind::Real, depth.min(1), params);
                    return format!("({m} # floor(abs({index})))");
                }
                format!("({m} # {})", 1 + self.dice.below(rows))
            }
            10 => format!("normalize({})", self.expression(same, depth, params)),
            11 => {
                let v = self.expression(same, depth, params);
                format!("reflectVector({v}, {})", self.expression(same, depth, params))
            }
            _ => match n {
                3 => self.vector_of_3(depth, params),
                4 => self.vector_of_4(depth, params),
                _ => format!("matrixDimension({})", self.expression(Kind::Matrix(2, 3), depth, params)),
            },
        }
    }

    fn vector_of_3(&mut self, depth: usize, params: &[(String, Kind)]) -> String {
        let v = self.expression(Kind::Vector(3), depth, params);
        match self.dice.below(5) {
            0 | 1 => format!("({v} * {})", self.expression(Kind::Vector(3), depth, params)),
            2 => {
                let axis = self.expression(Kind::Vector(3), depth, params);
                format!("rotateVector({v}, {axis}, {})", self.expression(Kind::Real, depth, params))
            }
            3 => format!("quaternionToEulerXYZ({})", self.expression(Kind::Vector(4), depth, params)),
            _ => format!("rotationMatrixToEulerXYZ({})", self.expression(Kind::Matrix(4, 4), depth, params)),
        }
    }

    fn vector_of_4(&mut self, depth: usize, params: &[(String, Kind)]) -> String {
        match self.dice.below(4) {
            0 => {
                let p = self.expression(Kind::Vector(4), depth, params);
                format!("multiplyQuaternions({p}, {})", self.expression(Kind::Vector(4), depth, params))
            }
            1 => format!("eulerXYZToQuaternion({})", self.expression(Kind::Vector(3), depth, params)),
            2 => {
                let axis = self.expression(Kind::Vector(3), depth, params);
                format!("quaternionFromAxisAndAngle({axis}, {})", self.expression(Kind::Real, depth, params))
            }
            _ => {
                format!("rotationMatrixToQuaternion({})", self.expression(Kind::Matrix(4, 4), depth, params))
            }
        }
    }

    fn matrix(&mut self, rows: usize, columns: usize, depth: usize, params: &[(String, Kind)]) -> String {
        let same = Kind::Matrix(rows, columns);
        match self.dice.below(12) {
            0 => {
                let of_rows: Vec<String> =
                    (0..rows).map(|_| self.expression(Kind::Vector(columns), depth.min(2), params)).collect();
                format!("[{}]", of_rows.join(", "))
            }
            1..=3 => {
                let sign = self.dice.one_of(&["+", "-"]);
                let m = self.expression(same, depth, params);
                format!("({m} {sign} {})", self.expression(same, depth, params))
            }
            4 => {
                let x = self.expression(Kind::Real, depth, params);
                format!("({x} * {})", self.expression(same, depth, params))
            }
            5 => {
                let m = self.expression(same, depth, params);
                format!("({m} / {})", self.expression(Kind::Real, depth, params))
            }
            6 => {
                let inner = 2 + self.dice.below(3);
                let m = self.expression(Kind::Matrix(rows, inner), depth, params);
                format!("({m} * {})", self.expression(Kind::Matrix(inner, columns), depth, params))
            }
            7 => format!("matrixTranspose({})", self.expression(Kind::Matrix(columns, rows), depth, params)),
            8 if rows <= 4 && columns <= 4 => {
                format!(
                    "subMatrix({}, {rows}, {columns})",
                    self.expression(Kind::Matrix(4, 4), depth, params)
                )
            }
            _ if rows == columns => self.square_matrix(rows, depth, params),
            _ => format!("-{}", self.expression(same, depth, params)),
        }
    }

    fn square_matrix(&mut self, n: usize, depth: usize, params: &[(String, Kind)]) -> String {
        match (n, self.dice.below(3)) {
            (_, 0) => format!("squareMatrixInverse({})", self.expression(Kind::Matrix(n, n), depth, params)),
            (3, 1) => format!("skewSymmetricMatrix({})", self.expression(Kind::Vector(3), depth, params)),
            (3, 2) => format!("arbitraryBasis({})", self.expression(Kind::Vector(3), depth, params)),
            (4, 1) => {
                format!("quaternionToRotationMatrix({})", self.expression(Kind::Vector(4), depth, params))
            }
            (4, 2) => {
                format!("eulerXYZToRotationMatrix({})", self.expression(Kind::Vector(3), depth, params))
            }
            _ => format!("identityMatrix({n})"),
        }
    }
}

fn literal_of(dice: &mut Dice) -> String {
    let literal = dice.one_of(&["0", "1", "2", "3", "0.5", "9.81", "1e-3", "1e6", "1e200", "pi"]);
    if dice.happens(1, 4) { format!("-{literal}") } else { literal.to_owned() }
}
