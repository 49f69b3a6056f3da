//! The machine against an evaluator that is none: random programs, computed again by a few lines of plain
//! recursion.
//!
//! The plain one works on its own trees, by need like the language, and gives up at the first result that is
//! not finite. Both must agree to the bit, or both fail.

use crate::evaluate::run;
use gedanken_lang::value::Value;
use gedanken_lang::vm::Limits;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Tree {
    Number(i32),
    /// One of the definitions before this one, counted from the end.
    Earlier(usize),
    Sum(Box<Self>, Box<Self>),
    Difference(Box<Self>, Box<Self>),
    Product(Box<Self>, Box<Self>),
    Quotient(Box<Self>, Box<Self>),
    /// `if a < b then c else d`
    Choice(Box<[Self; 4]>),
    /// `if a < b & !(c == d) | a <= c then b else d`
    Logic(Box<[Self; 4]>),
    /// `[a, b] . [c, d]`
    Dot(Box<[Self; 4]>),
    /// `{a, b, c} # 2`
    Item(Box<[Self; 3]>),
    /// `f(a, b)` with `f(x, y) = x * y - x`
    Call(Box<Self>, Box<Self>),
}

impl Tree {
    fn text(&self, index: usize) -> String {
        let t = |tree: &Self| tree.text(index);
        match self {
            Self::Number(n) => format!("{:.1}", f64::from(*n) / 2.0).replace("-", "0 - "),
            Self::Earlier(back) if index > 0 => format!("d{}", index - 1 - back % index),
            Self::Earlier(_) => "7".to_owned(),
            Self::Sum(a, b) => format!("(({}) + ({}))", t(a), t(b)),
            Self::Difference(a, b) => format!("(({}) - ({}))", t(a), t(b)),
            Self::Product(a, b) => format!("(({}) * ({}))", t(a), t(b)),
            Self::Quotient(a, b) => format!("(({}) / ({}))", t(a), t(b)),
            Self::Choice(arms) => {
                let [a, b, c, d] = arms.each_ref().map(t);
                format!("(if ({a}) < ({b}) then {c} else {d})")
            }
            Self::Logic(arms) => {
                let [a, b, c, d] = arms.each_ref().map(t);
                format!("(if ({a}) < ({b}) & !(({c}) == ({d})) | ({a}) <= ({c}) then {b} else {d})")
            }
            Self::Dot(arms) => {
                let [a, b, c, d] = arms.each_ref().map(t);
                format!("([{a}, {b}] . [{c}, {d}])")
            }
            Self::Item(items) => {
                let [a, b, c] = items.each_ref().map(t);
                format!("({{{a}, {b}, {c}}} # 2)")
            }
            Self::Call(a, b) => format!("f({}, {})", t(a), t(b)),
        }
    }

    /// The value among definitions `all`, this being number `index`; `None` if something needed is not
    /// finite.
    fn value(&self, index: usize, all: &[Self]) -> Option<f64> {
        let v = |tree: &Self| tree.value(index, all);
        let finite = |x: f64| x.is_finite().then_some(x);
        match self {
            Self::Number(n) => Some(if *n < 0 { 0.0 - f64::from(-n) / 2.0 } else { f64::from(*n) / 2.0 }),
            Self::Earlier(back) if index > 0 => {
                let earlier = index - 1 - back % index;
                all[earlier].value(earlier, all)
            }
            Self::Earlier(_) => Some(7.0),
            Self::Sum(a, b) => finite(v(a)? + v(b)?),
            Self::Difference(a, b) => finite(v(a)? - v(b)?),
            Self::Product(a, b) => finite(v(a)? * v(b)?),
            Self::Quotient(a, b) => finite(v(a)? / v(b)?),
            Self::Choice(arms) => {
                let [a, b, c, d] = &**arms;
                if v(a)? < v(b)? { v(c) } else { v(d) }
            }
            Self::Logic(arms) => {
                let [a, b, c, d] = &**arms;
                let both = v(a)? < v(b)? && v(c)? != v(d)?;
                if both || v(a)? <= v(c)? { v(b) } else { v(d) }
            }
            Self::Dot(arms) => {
                let [a, b, c, d] = &**arms;
                let (a, b, c, d) = (v(a)?, v(b)?, v(c)?, v(d)?);
                finite(finite(a * c)? + finite(b * d)?)
            }
            Self::Item(items) => {
                let [a, b, c] = &**items;
                let (_, b, _) = (v(a)?, v(b)?, v(c)?);
                Some(b)
            }
            Self::Call(a, b) => {
                let (x, y) = (v(a)?, v(b)?);
                finite(finite(x * y)? - x)
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    // Zeros are frequent, so that divisions fail now and then.
    let leaf = prop_oneof![(-3..4).prop_map(Tree::Number), (0..5_usize).prop_map(Tree::Earlier)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let four = || [inner.clone(), inner.clone(), inner.clone(), inner.clone()].prop_map(Box::new);
        prop_oneof![
            (one(), one()).prop_map(|(a, b)| Tree::Sum(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Difference(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Product(a, b)),
            (one(), one()).prop_map(|(a, b)| Tree::Quotient(a, b)),
            four().prop_map(Tree::Choice),
            four().prop_map(Tree::Logic),
            four().prop_map(Tree::Dot),
            [inner.clone(), inner.clone(), inner.clone()].prop_map(|items| Tree::Item(Box::new(items))),
            (one(), one()).prop_map(|(a, b)| Tree::Call(a, b)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_mean_what_they_say(trees in prop::collection::vec(tree(), 1..5)) {
        let mut library = "f(x, y) = x * y - x\n".to_owned();
        for (index, tree) in trees.iter().enumerate() {
            library += &format!("d{index} = {}\n", tree.text(index));
        }
        let last = trees.len() - 1;
        let (result, _) = run(&library, &format!("d{last}"), Limits::default());
        match (result, trees[last].value(last, &trees)) {
            (Ok(Value::Real(met)), Some(expected)) => prop_assert_eq!(met.to_bits(), expected.to_bits(), "{}", library),
            (Err(fault), None) => prop_assert!(fault.code == "E501" || fault.code == "E505", "{}", fault.message),
            (result, expected) => prop_assert!(false, "{:?} instead of {:?}: {}", result, expected, library),
        }
    }
}
