//! Sine, cosine, tangent and remainder: functions that repeat.
//!
//! An interval holds a place of the form (k + φ)·period if the integer parts of `end/period - φ` differ at
//! its ends. These carry a rounding error proportional to the end, so they are pushed apart by more than it;
//! a doubtful place counts as inside. Far out, where the error exceeds a period, every interval then holds
//! everything, as it must.

use super::functions::UNITS;
use super::interval::{Encloser, Interval, Sign};
use crate::arithmetic::{Binary, Comparison, Unary};
use crate::ir::NodeId;
use std::f64::consts::FRAC_1_PI;

/// Relative error, with much to spare, of an end divided by the period: 2^-50.
const ERROR: f64 = 4.0 * f64::EPSILON;

impl Encloser {
    /// Truth of: some (k + phase)·period may lie in x.
    fn meets(&mut self, x: Interval, frequency: f64, phase: f64) -> NodeId {
        let from = self.cell(x.lo, frequency, phase, Binary::Sub);
        let to = self.cell(x.hi, frequency, phase, Binary::Add);
        self.writer.compare(Comparison::Lt, from, to)
    }

    fn cell(&mut self, end: NodeId, frequency: f64, phase: f64, outwards: Binary) -> NodeId {
        let w = &mut self.writer;
        let (frequency, phase, error, one) = (w.real(frequency), w.real(phase), w.real(ERROR), w.real(1.0));
        let turns = w.mul(end, frequency);
        let size = w.unary(Unary::Abs, turns);
        let size = w.add(size, one);
        let margin = w.mul(size, error);
        let shifted = w.sub(turns, phase);
        let pushed = w.binary(outwards, shifted, margin);
        w.unary(Unary::Floor, pushed)
    }

    pub(super) fn sin(&mut self, x: Interval) -> Interval {
        self.wave(Unary::Sin, x, 0.25, -0.25)
    }

    pub(super) fn cos(&mut self, x: Interval) -> Interval {
        self.wave(Unary::Cos, x, 0.0, 0.5)
    }

    /// Between the ends, unless a crest or a trough lies between them; their phases are given in turns.
    fn wave(&mut self, operation: Unary, x: Interval, crest: f64, trough: f64) -> Interval {
        let turn = 0.5 * FRAC_1_PI;
        let (crest, trough) = (self.meets(x, turn, crest), self.meets(x, turn, trough));
        let ends = [x.lo, x.hi].map(|end| self.writer.unary(operation, end));
        let (lo, hi) = (self.writer.min(ends[0], ends[1]), self.writer.max(ends[0], ends[1]));
        let never = self.writer.truth(false);
        let between = self.widened(never, lo, hi, UNITS);
        let between = self.within(between, -1.0, 1.0);
        let (one, minus_one) = (self.writer.real(1.0), self.writer.real(-1.0));
        let wide = Interval {
            lo: self.writer.select(trough, minus_one, between.lo),
            hi: self.writer.select(crest, one, between.hi),
            sign: Sign::Any,
        };
        // At a point the ends are what the program computes. An infinite end is no point.
        let is_point = self.is_point(x);
        let exact = self.widened(is_point, ends[0], ends[0], UNITS);
        let exact = self.within(exact, -1.0, 1.0);
        self.choose(is_point, exact, wide)
    }

    /// Truth of: a pole of the tangent may lie in x.
    pub(super) fn meets_pole(&mut self, x: Interval) -> NodeId {
        self.meets(x, FRAC_1_PI, 0.5)
    }

    pub(super) fn tan(&mut self, x: Interval) -> Interval {
        let (lo, hi) = (self.writer.unary(Unary::Tan, x.lo), self.writer.unary(Unary::Tan, x.hi));
        let is_point = self.is_point(x);
        let between = self.widened(is_point, lo, hi, UNITS);
        let pole = self.meets_pole(x);
        let open = self.writer.not(is_point);
        let unbounded = self.writer.and(pole, open);
        let whole = self.whole();
        self.choose(unbounded, whole, between)
    }

    /// Truth of: x mod y rises throughout, since y is one number and x stays between two of its multiples.
    /// Over less than a period the remainder is larger at the upper end exactly if no multiple was passed.
    pub(super) fn stays_in_period(&mut self, x: Interval, y: Interval) -> NodeId {
        let is_point = self.is_point(y);
        let w = &mut self.writer;
        let ends = [x.lo, x.hi].map(|end| w.binary(Binary::Mod, end, y.lo));
        let (width, period, most) = (w.sub(x.hi, x.lo), w.unary(Unary::Abs, y.lo), w.real(0.999));
        let most = w.mul(period, most);
        let narrow = w.compare(Comparison::Lt, width, most);
        let ordered = w.compare(Comparison::Le, ends[0], ends[1]);
        let rises = w.and(narrow, ordered);
        w.and(is_point, rises)
    }

    /// x mod y, between zero and y.
    pub(super) fn modulo(&mut self, x: Interval, y: Interval) -> Interval {
        let rises = self.stays_in_period(x, y);
        let ends = [x.lo, x.hi].map(|end| self.writer.binary(Binary::Mod, end, y.lo));
        let inside = Interval { lo: self.lower(ends[0]), hi: self.upper(ends[1]), sign: Sign::Any };
        let zero = self.writer.real(0.0);
        let anywhere =
            Interval { lo: self.writer.min(zero, y.lo), hi: self.writer.max(zero, y.hi), sign: y.sign };
        self.choose(rises, inside, anywhere)
    }
}
