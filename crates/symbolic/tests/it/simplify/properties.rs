//! Random expressions: what simplification may never do.

use gedanken_symbolic::{Comparison, Expr, Function, Function2, Pool};

/// Marsaglia's xorshift, for expressions and points.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

const NAMES: [&str; 5] = ["x", "y", "a", "q_dot", "q"];

/// A random expression. The same seed gives the same one in every pool.
pub(crate) fn expression(p: &mut Pool, random: &mut Random, depth: u32) -> Expr {
    if depth == 0 {
        return match random.below(4) {
            0 => {
                let (n, d) = (random.below(7) as i64 - 3, random.below(3) as i64 + 1);
                p.rational(n, d)
            }
            _ => p.symbol(NAMES[random.below(5) as usize]),
        };
    }
    let x = expression(p, random, depth - 1);
    match random.below(16) {
        0..=3 => {
            let y = expression(p, random, depth - 1);
            p.add(x, y)
        }
        4..=7 => {
            let y = expression(p, random, depth - 1);
            p.mul(x, y)
        }
        8 => {
            let y = expression(p, random, depth - 1);
            if p.is_zero(y) { x } else { p.div(x, y) }
        }
        9 => {
            let n = random.below(3) as i64 + 2;
            p.powi(x, n)
        }
        10 => p.sqrt(x),
        11 | 12 => p.sin(x),
        13 => p.cos(x),
        14 => {
            let functions = [
                Function::Exp,
                Function::Log,
                Function::Abs,
                Function::Tan,
                Function::Atan,
                Function::Sign,
                Function::Asin,
                Function::Acos,
            ];
            p.call(functions[random.below(8) as usize], x)
        }
        _ => {
            let y = expression(p, random, depth - 1);
            match random.below(3) {
                0 => p.call2(Function2::Max, x, y),
                1 => p.call2(Function2::Atan2, x, y),
                _ => {
                    let zero = p.zero();
                    let condition = p.compare(Comparison::Lt, x, zero);
                    p.choice(condition, y, x)
                }
            }
        }
    }
}

/// Compares two expressions at random points where both are defined and a change of the point by a little
/// changes them by a little.
fn agree(p: &Pool, a: Expr, b: Expr, random: &mut Random) -> Result<(), String> {
    for _ in 0..8 {
        let point: Vec<f64> = NAMES.iter().map(|_| random.real(-2.0, 3.0)).collect();
        let at = |expr: Expr, shift: f64| {
            p.evaluate(expr, &|symbol| {
                let place = NAMES.iter().position(|it| *it == p.name(symbol)).expect("all names are known");
                point[place] * (1.0 + shift)
            })
        };
        let (x, y) = (at(a, 0.0), at(b, 0.0));
        if !x.is_finite() || !y.is_finite() {
            continue;
        }
        let scale = 1.0 + x.abs() + y.abs();
        let steady = |expr: Expr, value: f64| {
            [1e-10, -1e-10].into_iter().all(|shift| (at(expr, shift) - value).abs() < 1e-6 * scale)
        };
        if steady(a, x) && steady(b, y) && (x - y).abs() > 1e-5 * scale {
            return Err(format!("{x} is not {y} at {point:?}"));
        }
    }
    Ok(())
}

#[test]
fn values_stay() {
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let mut p = Pool::new();
        let depth = 2 + (seed % 3) as u32;
        let e = expression(&mut p, &mut random, depth);
        let short = p.simplify(e);
        if let Err(why) = agree(&p, e, short, &mut random) {
            panic!("seed {seed}: {} became {}: {why}", p.text(e), p.text(short));
        }
        let expanded = p.expand(e);
        if let Err(why) = agree(&p, e, expanded, &mut random) {
            panic!("seed {seed}: {} expanded to {}: {why}", p.text(e), p.text(expanded));
        }
        if let Some(normal) = p.normal(e)
            && let Err(why) = agree(&p, e, normal, &mut random)
        {
            panic!("seed {seed}: {} has the normal form {}: {why}", p.text(e), p.text(normal));
        }
        assert_ne!(p.is_equal(e, short), Some(false), "seed {seed}: {}", p.text(e));
    }
}

#[test]
fn simplifying_twice_changes_nothing() {
    for seed in 10_000..11_500 {
        let mut random = Random::new(seed);
        let mut p = Pool::new();
        let e = expression(&mut p, &mut random, 2 + (seed % 3) as u32);
        let short = p.simplify(e);
        let again = p.simplify(short);
        assert_eq!(
            again,
            short,
            "seed {seed}: {} became {} and then {}",
            p.text(e),
            p.text(short),
            p.text(again)
        );
    }
}

#[test]
fn the_order_of_creation_does_not_matter() {
    for seed in 20_000..20_800 {
        let depth = 2 + (seed % 3) as u32;
        let mut p = Pool::new();
        let e = expression(&mut p, &mut Random::new(seed), depth);
        let short = p.simplify(e);
        let mut q = Pool::new();
        for name in NAMES.iter().rev() {
            let symbol = q.symbol(name);
            let wave = q.cos(symbol);
            q.sin(wave);
        }
        for other in (1..4).rev() {
            let it = expression(&mut q, &mut Random::new(seed + other), depth);
            q.simplify(it);
        }
        let f = expression(&mut q, &mut Random::new(seed), depth);
        let other = q.simplify(f);
        assert_eq!(p.text(short), q.text(other), "seed {seed}: {}", p.text(e));
    }
}

#[test]
fn a_product_of_sums_is_equal_to_its_expansion() {
    for seed in 30_000..30_300 {
        let mut random = Random::new(seed);
        let mut p = Pool::new();
        let (a, b) = (expression(&mut p, &mut random, 2), expression(&mut p, &mut random, 2));
        let c = expression(&mut p, &mut random, 2);
        let sum = p.add(b, c);
        let left = p.mul(a, sum);
        let (ab, ac) = (p.mul(a, b), p.mul(a, c));
        let right = p.add(ab, ac);
        assert_eq!(p.is_equal(left, right), Some(true), "seed {seed}: {} = {}", p.text(left), p.text(right));
    }
}
