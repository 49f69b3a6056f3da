//! An [`Arithmetic`] that writes operations down like the builder of the intermediate form, with both arms of
//! every branch and no input known, and computes them at the same time: what it gives must be what
//! [`Immediate`] gives, to the bit.

use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Failure, Immediate, Unary};
use gedanken_lang::operation::{Mismatch, Of};
use gedanken_lang::value::{Matrix, Shaped, Value};

/// A real on the tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RealAt(usize);

/// A truth value on the tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TruthAt(usize);

#[derive(Debug, Default)]
pub(crate) struct Tape {
    /// Each with whether it is a constant.
    reals: Vec<(f64, bool)>,
    truths: Vec<(bool, bool)>,
    /// Number of arms that are not taken around what is being written.
    idle: usize,
    /// `true` if anything that was demanded is not finite.
    pub(crate) failed: bool,
}

impl Tape {
    fn write(&mut self, value: f64) -> RealAt {
        self.failed |= self.idle == 0 && !value.is_finite();
        self.reals.push((value, false));
        RealAt(self.reals.len() - 1)
    }

    fn write_truth(&mut self, truth: bool) -> TruthAt {
        self.truths.push((truth, false));
        TruthAt(self.truths.len() - 1)
    }

    /// An input, whose scalars are not known.
    pub(crate) fn input(&mut self, value: &Value) -> Of<Self> {
        match value {
            Shaped::Real(x) => Shaped::Real(self.write(*x)),
            Shaped::Bool(truth) => Shaped::Bool(self.write_truth(*truth)),
            Shaped::Vector(v) => Shaped::Vector(v.iter().map(|x| self.write(*x)).collect()),
            Shaped::Matrix(m) => Shaped::Matrix(Matrix {
                rows: m.rows,
                columns: m.columns,
                elements: m.elements.iter().map(|x| self.write(*x)).collect(),
            }),
            Shaped::Sequence(items) => Shaped::Sequence(items.iter().map(|item| self.input(item)).collect()),
        }
    }

    pub(crate) fn read(&self, value: &Of<Self>) -> Value {
        match value {
            Shaped::Real(x) => Shaped::Real(self.reals[x.0].0),
            Shaped::Bool(x) => Shaped::Bool(self.truths[x.0].0),
            Shaped::Vector(v) => Shaped::Vector(v.iter().map(|x| self.reals[x.0].0).collect()),
            Shaped::Matrix(m) => Shaped::Matrix(Matrix {
                rows: m.rows,
                columns: m.columns,
                elements: m.elements.iter().map(|x| self.reals[x.0].0).collect(),
            }),
            Shaped::Sequence(items) => Shaped::Sequence(items.iter().map(|item| self.read(item)).collect()),
        }
    }
}

impl Arithmetic for Tape {
    type Real = RealAt;
    type Bool = TruthAt;

    fn real(&mut self, constant: f64) -> RealAt {
        self.reals.push((constant, true));
        RealAt(self.reals.len() - 1)
    }

    fn truth(&mut self, constant: bool) -> TruthAt {
        self.truths.push((constant, true));
        TruthAt(self.truths.len() - 1)
    }

    fn unary(&mut self, operation: Unary, x: RealAt) -> RealAt {
        self.write(operation.apply(self.reals[x.0].0))
    }

    fn binary(&mut self, operation: Binary, x: RealAt, y: RealAt) -> RealAt {
        self.write(operation.apply(self.reals[x.0].0, self.reals[y.0].0))
    }

    fn compare(&mut self, comparison: Comparison, x: RealAt, y: RealAt) -> TruthAt {
        self.write_truth(comparison.apply(self.reals[x.0].0, self.reals[y.0].0))
    }

    fn not(&mut self, x: TruthAt) -> TruthAt {
        self.write_truth(!self.truths[x.0].0)
    }

    fn both(&mut self, x: TruthAt, y: TruthAt) -> TruthAt {
        self.write_truth(self.truths[x.0].0 && self.truths[y.0].0)
    }

    fn either(&mut self, x: TruthAt, y: TruthAt) -> TruthAt {
        self.write_truth(self.truths[x.0].0 || self.truths[y.0].0)
    }

    fn select(&mut self, condition: TruthAt, then: RealAt, otherwise: RealAt) -> RealAt {
        self.write(self.reals[if self.truths[condition.0].0 { then.0 } else { otherwise.0 }].0)
    }

    fn branch(
        &mut self,
        condition: TruthAt,
        then: &mut dyn FnMut(&mut Self) -> Vec<RealAt>,
        otherwise: &mut dyn FnMut(&mut Self) -> Vec<RealAt>,
    ) -> Vec<RealAt> {
        let taken = self.truths[condition.0].0;
        self.idle += usize::from(!taken);
        let left = then(self);
        self.idle = self.idle - usize::from(!taken) + usize::from(taken);
        let right = otherwise(self);
        self.idle -= usize::from(taken);
        assert_eq!(left.len(), right.len(), "both arms give equally many reals");
        (0..left.len()).map(|k| self.select(condition, left[k], right[k])).collect()
    }

    fn fail(&mut self, _: Failure) -> RealAt {
        self.write(f64::NAN)
    }

    fn known(&self, x: RealAt) -> Option<f64> {
        let (value, constant) = self.reals[x.0];
        constant.then_some(value)
    }

    fn known_truth(&self, x: TruthAt) -> Option<bool> {
        let (value, constant) = self.truths[x.0];
        constant.then_some(value)
    }
}

/// The scalars of a value as bits.
pub(crate) fn bits(value: &Value) -> Vec<u64> {
    match value {
        Shaped::Real(x) => vec![x.to_bits()],
        Shaped::Bool(truth) => vec![u64::from(*truth)],
        Shaped::Vector(v) => v.iter().map(|x| x.to_bits()).collect(),
        Shaped::Matrix(m) => m.elements.iter().map(|x| x.to_bits()).collect(),
        Shaped::Sequence(items) => items.iter().flat_map(bits).collect(),
    }
}

/// Compares one function at once and on a tape: the same refusal, the same failure, or the same bits.
pub(crate) fn assert_same(
    what: &str,
    at_once: (Result<Value, Mismatch>, &mut Immediate),
    on_tape: (Result<Of<Tape>, Mismatch>, &Tape),
) {
    let failed = at_once.1.fault().is_some();
    match (at_once.0, on_tape.0) {
        (Ok(now), Ok(later)) => {
            assert_eq!(failed, on_tape.1.failed, "{what}: only one of them failed");
            if !failed {
                let later = on_tape.1.read(&later);
                assert_eq!(now.type_of(), later.type_of(), "{what}");
                assert_eq!(bits(&now), bits(&later), "{what}: {now} {later}");
            }
        }
        (Err(now), Err(later)) => assert_eq!(now, later, "{what}"),
        (now, later) => panic!("{what}: at once {now:?}, on the tape {later:?}"),
    }
}
