//! `par` is `seq` to the bit, whatever the threads, and overlap is refused exactly when there is one.
//!
//! Random flows of random rules over random cells. The oracle knows nothing of the builder: it lists the
//! cells of every rule one by one and compares all pairs of rules that some `par` puts side by side. What it
//! calls legal must build, and must give the same bits as the same flow with every `par` replaced by `seq`;
//! what it calls a clash must be refused with exactly these rules, this column and these components. Two
//! flows that once went wrong have a test of their own at the end.

use gedanken_dynamics::*;
use gedanken_math::units::{One, Quantity, SECOND};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

const BODIES: usize = 6;
const ROWS: usize = BODIES + 1;
const COLUMNS: usize = 5;
/// The last column is scratch: cleared at the start of every step, copied to a column of the state at its
/// end.
const SCRATCH: usize = COLUMNS - 1;

fn column(index: usize) -> AttributeInfo {
    match index {
        0 => AttributeInfo::of::<Position<OneD>>(),
        1 => AttributeInfo::of::<Velocity<OneD>>(),
        2 => AttributeInfo::of::<Charge>(),
        3 => AttributeInfo::of::<Pace>(),
        _ => AttributeInfo::of::<Force<OneD>>(),
    }
}

/// One rule: for every column at most one verb and some rows (`None` for all).
#[derive(Debug, Clone)]
struct Spec {
    name: String,
    domain: BTreeMap<usize, (Verb, Option<BTreeSet<usize>>)>,
    constant: f64,
    gain: f64,
    expensive: bool,
}

#[derive(Debug, Clone)]
enum Tree {
    Leaf(Spec),
    Seq(Vec<Tree>),
    Par(Vec<Tree>),
    Scaled(Box<Tree>),
    Repeat(Box<Tree>),
    Prime(Box<Tree>),
}

impl Spec {
    /// The domain, cell by cell.
    fn cells(&self) -> BTreeSet<(usize, usize, Verb)> {
        let rows = |rows: &Option<BTreeSet<usize>>| rows.clone().unwrap_or_else(|| (0..ROWS).collect());
        self.domain
            .iter()
            .flat_map(|(&c, (verb, r))| rows(r).into_iter().map(move |row| (c, row, *verb)))
            .collect()
    }

    /// A rule that mixes everything it may see into everything it may change, staying of order one.
    fn rule(&self) -> Rule {
        let rows = |rows: &Option<BTreeSet<usize>>| match rows {
            None => Rows::All,
            Some(rows) => Rows::Only(Arc::new(rows.iter().copied().collect())),
        };
        let access = |(&c, (verb, r)): (&usize, &(Verb, _))| Access {
            attribute: column(c),
            verb: *verb,
            rows: rows(r),
        };
        let accesses: Vec<Access> = self.domain.iter().map(access).collect();
        let constant = self.constant;
        let rule = Rule::untyped(self.name.clone(), accesses.clone(), move |step, lease| {
            let (mut seen, mut to_change) = (constant + 0.1 * step.h.si(), Vec::new());
            for access in &accesses {
                if access.verb == Verb::Reads {
                    let cells = lease.cells::<Quantity<One>>().expect("all columns are real");
                    for id in cells.ids() {
                        seen = 0.7 * seen + 0.3 * cells.at(id)?.si();
                    }
                } else {
                    to_change.push(lease.cells_mut::<Quantity<One>>().expect("all columns are real"));
                }
            }
            for mut cells in to_change {
                for id in cells.ids().collect::<Vec<_>>() {
                    // A sum starts at zero, a written cell at its value.
                    let value = 0.6 * cells.at(id)?.si() + 0.4 * seen + 0.01 * id.row() as f64;
                    *cells.at_mut(id)? = Quantity::new(value);
                }
            }
            Ok(())
        });
        rule.with_gain(self.gain).with_cost(if self.expensive { 1e6 } else { 1.0 })
    }
}

impl Tree {
    fn leaves(&self) -> Vec<&Spec> {
        match self {
            Self::Leaf(spec) => vec![spec],
            Self::Seq(trees) | Self::Par(trees) => trees.iter().flat_map(Tree::leaves).collect(),
            Self::Scaled(tree) | Self::Repeat(tree) | Self::Prime(tree) => tree.leaves(),
        }
    }

    fn leaves_mut(&mut self) -> Vec<&mut Spec> {
        match self {
            Self::Leaf(spec) => vec![spec],
            Self::Seq(trees) | Self::Par(trees) => trees.iter_mut().flat_map(Tree::leaves_mut).collect(),
            Self::Scaled(tree) | Self::Repeat(tree) | Self::Prime(tree) => tree.leaves_mut(),
        }
    }

    fn nodes(&self) -> Vec<&Tree> {
        let below: Vec<&Tree> = match self {
            Self::Leaf(_) => vec![],
            Self::Seq(trees) | Self::Par(trees) => trees.iter().flat_map(Tree::nodes).collect(),
            Self::Scaled(tree) | Self::Repeat(tree) | Self::Prime(tree) => tree.nodes(),
        };
        std::iter::once(self).chain(below).collect()
    }

    fn named(mut self) -> Self {
        self.leaves_mut().into_iter().enumerate().for_each(|(k, spec)| spec.name = format!("r{k}"));
        self
    }

    fn flow(&self) -> Flow {
        match self {
            Self::Leaf(spec) => spec.rule().into(),
            Self::Seq(trees) => Flow::seq(trees.iter().map(Tree::flow)),
            Self::Par(trees) => Flow::par(trees.iter().map(Tree::flow)),
            Self::Scaled(tree) => tree.flow().scaled(0.3),
            Self::Repeat(tree) => tree.flow().repeated(2),
            Self::Prime(tree) => tree.flow().primed(),
        }
    }

    /// The same with every `par` replaced by `seq`, in declared order.
    fn sequential(&self) -> Tree {
        let boxed = |tree: &Tree| Box::new(tree.sequential());
        match self {
            Self::Leaf(spec) => Self::Leaf(spec.clone()),
            Self::Seq(trees) | Self::Par(trees) => Self::Seq(trees.iter().map(Tree::sequential).collect()),
            Self::Scaled(tree) => Self::Scaled(boxed(tree)),
            Self::Repeat(tree) => Self::Repeat(boxed(tree)),
            Self::Prime(tree) => Self::Prime(boxed(tree)),
        }
    }

    /// All pairs of rules that stand in different branches of some `par`, earlier branch first.
    fn side_by_side(&self) -> Vec<(&Spec, &Spec)> {
        let mut pairs = Vec::new();
        for node in self.nodes() {
            let Self::Par(branches) = node else { continue };
            for (k, earlier) in branches.iter().enumerate() {
                for later in &branches[k + 1..] {
                    for a in earlier.leaves() {
                        pairs.extend(later.leaves().into_iter().map(|b| (a, b)));
                    }
                }
            }
        }
        pairs
    }

    fn clashes(&self) -> BTreeSet<Expected> {
        let mut found: BTreeMap<(String, Verb, String, Verb, usize), BTreeSet<usize>> = BTreeMap::new();
        for (a, b) in self.side_by_side() {
            for (column, row, verb) in a.cells() {
                for (other_column, other_row, other_verb) in b.cells() {
                    let same = (column, row) == (other_column, other_row);
                    let harmless = verb == other_verb && verb != Verb::Writes;
                    if same && !harmless {
                        let key = (a.name.clone(), verb, b.name.clone(), other_verb, column);
                        found.entry(key).or_default().insert(row);
                    }
                }
            }
        }
        let name = |row: usize| if row == 0 { "world".to_owned() } else { format!("b{}", row - 1) };
        let expected = |((a, va, b, vb, c), rows): (_, BTreeSet<usize>)| {
            (a, va, b, vb, column(c).name.to_string(), rows.into_iter().map(name).collect())
        };
        found.into_iter().map(expected).collect()
    }

    /// Returns `true` if a loop in one branch of a `par` adds to a cell that another branch adds to.
    fn repeats_a_shared_sum(&self) -> bool {
        let sums = |tree: &Tree| -> BTreeSet<(usize, usize)> {
            let cells = tree.leaves().into_iter().flat_map(Spec::cells);
            cells.filter(|cell| cell.2 == Verb::Adds).map(|(c, row, _)| (c, row)).collect()
        };
        self.nodes().into_iter().any(|node| {
            let Self::Par(branches) = node else { return false };
            branches.iter().enumerate().any(|(k, branch)| {
                let loops = branch.nodes().into_iter().filter(|n| matches!(n, Self::Repeat(_)));
                let looped: BTreeSet<_> = loops.flat_map(sums).collect();
                branches.iter().enumerate().any(|(j, other)| j != k && !looped.is_disjoint(&sums(other)))
            })
        })
    }

    /// Takes cells away from the later rule of every clash until there is none.
    fn made_legal(mut self) -> Tree {
        loop {
            let clashes = self.clashes();
            if clashes.is_empty() {
                return self;
            }
            for (_, _, second, _, name, components) in clashes {
                for spec in self.leaves_mut().into_iter().filter(|spec| spec.name == second) {
                    for (&c, (_, rows)) in &mut spec.domain {
                        let taken = |row: &usize| {
                            let component =
                                if *row == 0 { "world".to_owned() } else { format!("b{}", row - 1) };
                            *column(c).name == *name && components.contains(&component)
                        };
                        let all = rows.clone().unwrap_or_else(|| (0..ROWS).collect());
                        *rows = Some(all.into_iter().filter(|row| !taken(row)).collect());
                    }
                }
            }
        }
    }
}

/// First rule and verb, second rule and verb, column, components.
type Expected = (String, Verb, String, Verb, String, Vec<String>);

fn reported(clashes: &[Clash]) -> Vec<Expected> {
    let of = |c: &Clash| {
        let (first, second) = (c.first.0.to_string(), c.second.0.to_string());
        (first, c.first.1, second, c.second.1, c.column.to_string(), c.components.clone())
    };
    let mut list: Vec<_> = clashes.iter().map(of).collect();
    list.sort();
    list
}

fn model() -> Model {
    let model = Model::new(Components::numbered("b", BODIES).expect("numbered names differ"));
    let model = (0..SCRATCH).fold(model, |model, c| model.with_attribute(column(c)));
    model.with::<Acceleration<OneD>>()
}

fn start(model: &Model) -> State {
    let mut state = model.state();
    for (k, id) in std::iter::once(ComponentId::WORLD).chain(model.components().iter()).enumerate() {
        let x = 0.1 + 0.17 * k as f64;
        state.set::<Position<OneD>>(id, Quantity::new(x)).unwrap();
        state.set::<Velocity<OneD>>(id, Quantity::new(1.0 - x)).unwrap();
        state.set::<Charge>(id, Quantity::new(x * x)).unwrap();
        state.set::<Pace>(id, Quantity::new(0.5 - x)).unwrap();
    }
    state
}

/// The flow between the rules that clear the scratch column and make its last values visible.
fn whole(flow: Flow) -> Flow {
    let clear = Rule::new("clear", write::<Force<OneD>>(), |_, f| f.fill(Quantity::new(0.0)));
    let keep = Rule::new("keep", (read::<Force<OneD>>(), write::<Acceleration<OneD>>()), |_, (f, a)| {
        f.iter().zip(a).for_each(|(f, a)| *a = Quantity::new(f.si()));
    });
    clear >> flow >> keep
}

/// The hash after each of three steps; the first one is unprimed.
fn hashes(model: &Model, flow: Flow) -> Vec<u64> {
    let workflow = whole(flow).build(model).unwrap();
    let (mut state, mut scratch) = (start(model), workflow.scratch());
    let mut step = || {
        workflow.step(&mut state, &mut scratch, 0.1 * SECOND).unwrap();
        state.hash()
    };
    (0..3).map(|_| step()).collect()
}

fn with_threads<T: Send>(count: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(run)
}

prop_compose! {
    fn spec()(
        domain in prop::collection::btree_map(
            0..COLUMNS,
            (
                prop_oneof![1 => Just(Verb::Reads), 1 => Just(Verb::Writes), 2 => Just(Verb::Adds)],
                prop_oneof![1 => Just(None), 5 => prop::collection::btree_set(0..ROWS, 0..4).prop_map(Some)],
            ),
            0..4,
        ),
        constant in -1.0..1.0,
        gain in prop_oneof![Just(1.0), Just(-0.7)],
        expensive in any::<bool>(),
    ) -> Spec {
        Spec { name: String::new(), domain, constant, gain, expensive }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    spec().prop_map(Tree::Leaf).prop_recursive(4, 10, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            4 => some.clone().prop_map(Tree::Par),
            3 => some.prop_map(Tree::Seq),
            1 => inner.clone().prop_map(|tree| Tree::Scaled(Box::new(tree))),
            1 => inner.clone().prop_map(|tree| Tree::Repeat(Box::new(tree))),
            1 => inner.prop_map(|tree| Tree::Prime(Box::new(tree))),
        ]
    })
}

/// Builds the flow and compares the answer with the oracle's; true if there is something to run.
fn built_as_foretold(tree: &Tree) -> Result<bool, TestCaseError> {
    let built = whole(tree.flow()).build(&model());
    let clashes: Vec<_> = tree.clashes().into_iter().collect();
    if !clashes.is_empty() {
        let Err(BuildError::Clashes(list)) = built else { panic!("{clashes:?} was not refused: {built:?}") };
        prop_assert_eq!(reported(&list), clashes);
    } else if tree.repeats_a_shared_sum() {
        prop_assert!(matches!(built, Err(BuildError::RepeatedAdder { .. })), "{:?}", built);
    } else {
        prop_assert!(built.is_ok(), "a false alarm: {:?}", built);
        return Ok(true);
    }
    Ok(false)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn overlap_is_always_refused_and_never_a_false_alarm(tree in tree()) {
        built_as_foretold(&tree.named())?;
    }

    #[test]
    fn par_is_seq_to_the_bit_for_one_thread_and_two(tree in tree()) {
        let tree = tree.named().made_legal();
        if built_as_foretold(&tree)? {
            let model = model();
            let serial = hashes(&model, tree.sequential().flow());
            prop_assert_eq!(&hashes(&model, tree.flow()), &serial);
            for threads in [1, 2] {
                prop_assert_eq!(&with_threads(threads, || hashes(&model, tree.flow())), &serial, "{} threads", threads);
            }
        }
    }

    #[test]
    fn merging_is_associative(a in tree(), b in tree(), c in tree()) {
        let tree = Tree::Par(vec![a, b, c]).named().made_legal();
        let Tree::Par(branches) = &tree else { unreachable!("made so above") };
        if built_as_foretold(&tree)? {
            let model = model();
            let [a, b, c] = [0, 1, 2].map(|k| branches[k].flow());
            let flat = hashes(&model, par![a.clone(), b.clone(), c.clone()]);
            prop_assert_eq!(&hashes(&model, par![a.clone(), par![b.clone(), c.clone()]]), &flat);
            prop_assert_eq!(&hashes(&model, par![par![a, b], c]), &flat);
        }
    }
}

fn leaf(name: &str, domain: &[(usize, Verb, &[usize])], constant: f64) -> Tree {
    let domain =
        domain.iter().map(|&(c, verb, rows)| (c, (verb, Some(rows.iter().copied().collect())))).collect();
    Tree::Leaf(Spec { name: name.into(), domain, constant, gain: 1.0, expensive: false })
}

/// Symptom: one of two sums to the same cell was lost. Cause: a branch that adds to one cell of a column and
/// reads another worked on a copy of both, and the copies overwrote each other. Cure: sums wait cell by cell.
#[test]
fn branches_that_add_to_a_shared_cell_and_read_another_lose_nothing() {
    let branch = |k: usize| {
        let adder = leaf(&format!("add {k}"), &[(0, Verb::Adds, &[1, 3 + k])], 0.1 + k as f64);
        let reader =
            leaf(&format!("read {k}"), &[(0, Verb::Reads, &[2, 3 + k]), (1, Verb::Writes, &[k])], 0.3);
        Tree::Seq(vec![adder, reader])
    };
    let tree = Tree::Par((0..3).map(branch).collect());
    assert_eq!(hashes(&model(), tree.flow()), hashes(&model(), tree.sequential().flow()));
}

/// Symptom: a rule that was skipped added again what it had added in an earlier step. Cause: a `par` summed
/// up the buffers of all its rules, run or not.
#[test]
fn a_rule_that_was_skipped_adds_nothing() {
    let adder = |k: usize| leaf(&format!("add {k}"), &[(0, Verb::Adds, &[1])], 0.1 + k as f64);
    let tree = Tree::Par(vec![Tree::Prime(Box::new(adder(0))), adder(1)]);
    assert_eq!(hashes(&model(), tree.flow()), hashes(&model(), tree.sequential().flow()));
}

/// Symptom: the second of two successive `par`s found its columns empty. Cause: its first branch took the
/// memory of the very first branch of the workflow.
#[test]
fn one_par_may_follow_another() {
    let pair = |k: usize| {
        let writer = |c: usize| leaf(&format!("write {k}{c}"), &[(c, Verb::Writes, &[1, 2])], 0.2);
        Tree::Par(vec![writer(0), writer(1), writer(2)])
    };
    let tree = Tree::Seq(vec![
        pair(0),
        Tree::Par(vec![Tree::Seq(vec![pair(1), pair(2)]), Tree::Seq(vec![])]),
        pair(3),
    ]);
    assert_eq!(hashes(&model(), tree.flow()), hashes(&model(), tree.sequential().flow()));
}

/// Rules on different columns that note the thread they run on; the first waits for the second if asked to.
fn two_observed(seen: &Arc<Mutex<Vec<Option<usize>>>>, wait: bool, cost: f64) -> Flow {
    let (send, receive) = mpsc::channel();
    let receive = Mutex::new(receive);
    let note = |seen: &Arc<Mutex<Vec<_>>>| seen.lock().unwrap().push(rayon::current_thread_index());
    let (here, there) = (seen.clone(), seen.clone());
    let first = Rule::new("first", write::<Position<OneD>>(), move |_, _| {
        note(&here);
        let told = !wait || receive.lock().unwrap().recv_timeout(Duration::from_secs(20)).is_ok();
        if told { Ok(()) } else { Err(Trouble::from("nobody came".to_owned())) }
    });
    let second = Rule::new("second", write::<Velocity<OneD>>(), move |_, _| {
        note(&there);
        send.send(()).map_err(|e| Trouble::from(e.to_string()))
    });
    first.with_cost(cost) | second.with_cost(cost)
}

#[test]
fn an_expensive_par_runs_on_two_threads_at_once() {
    let model = model();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let workflow = two_observed(&seen, true, 1e6).build(&model).unwrap();
    // The first rule ends only when the second has begun: on one thread this step would fail.
    with_threads(2, || workflow.stepped(start(&model), 0.1 * SECOND)).unwrap();
    let threads: BTreeSet<_> = seen.lock().unwrap().iter().copied().collect();
    assert_eq!(threads, BTreeSet::from([Some(0), Some(1)]));
}

#[test]
fn a_cheap_par_stays_on_its_thread() {
    let model = model();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let workflow = two_observed(&seen, false, 1.0).build(&model).unwrap();
    with_threads(2, || (0..100).for_each(|_| drop(workflow.stepped(start(&model), 0.1 * SECOND).unwrap())));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 200);
    assert!(seen.chunks(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}
