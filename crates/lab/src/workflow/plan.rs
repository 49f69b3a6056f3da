//! From rules and a workflow to the flow that the core checks and runs: which cells each rule touches, and
//! who clashes.
//!
//! Every place of the workflow that names a rule is a [`Leaf`]. The core lends a rule each column once, under
//! one verb. A rule that changes a column of some objects and looks at the same column of others is therefore
//! two steps of the core: the first copies what is looked at, the second does the work. The cells that they
//! touch are those that were declared.

use super::columns::Columns;
use gedanken_dynamics as dynamics;
use gedanken_dynamics::{Access, AttributeInfo, BuildError, Life, RowSet, Rows};
use gedanken_experiment::{CheckedRule, Experiment, Flow, Rule, Simulation, Verb};
use gedanken_lang::check::Binding;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::units::{One, Quantity};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A real, as the core lends it.
pub(super) type Real = Quantity<One>;

/// Plans the workflow of a simulation.
pub(crate) struct Planner<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    /// Rules as they are checked for this simulation, by their number in the experiment.
    checked: BTreeMap<usize, &'e CheckedRule>,
}

/// A place of the workflow that names a rule.
#[derive(Debug)]
pub(super) struct Leaf<'e> {
    pub(super) rule: &'e Rule,
    pub(super) checked: &'e CheckedRule,
    /// Where it is named.
    pub(super) span: Span,
    /// What the core calls it: no two are equal.
    pub(super) name: Arc<str>,
    pub(super) domain: Domain,
}

/// The leaves put together, by number.
#[derive(Debug)]
pub(super) enum Tree {
    Leaf(usize),
    Seq(Vec<Tree>),
    Par(Vec<Tree>),
}

/// A workflow whose every cell is known.
#[derive(Debug)]
pub(super) struct Plan<'e> {
    pub(super) columns: Columns,
    pub(super) leaves: Vec<Leaf<'e>>,
    pub(super) tree: Tree,
}

/// The cells of a rule, as the core lends them.
#[derive(Debug, Default)]
pub(super) struct Domain {
    /// In the order of columns; copies last.
    pub(super) accesses: Vec<Access>,
    /// What is copied first: what to look at, and where to put it.
    looks: Vec<(Access, Access)>,
    /// For every column, the access that changes or reads it, and the rows it is of.
    direct: BTreeMap<usize, (usize, RowSet)>,
    /// For every column that is looked at beside, the access to the copy.
    copied: BTreeMap<usize, usize>,
}

#[derive(Default)]
struct Touched {
    reads: RowSet,
    writes: RowSet,
    adds: RowSet,
}

impl Domain {
    /// Domain of a rule; `label` is a number of its own for the copies that it needs.
    fn new(columns: &Columns, checked: &CheckedRule, experiment: &Experiment, label: usize) -> Self {
        let mut touched: BTreeMap<usize, Touched> = BTreeMap::new();
        for group in &checked.groups {
            for cell in &group.cells {
                let own = group.objects.iter().map(|&object| columns.row(Some(object)));
                let rows: RowSet = if cell.of_world { RowSet::from_iter([0]) } else { own.collect() };
                for column in columns.of(&cell.attribute, &cell.ty) {
                    let touched = touched.entry(column).or_default();
                    match cell.verb {
                        Verb::Reads => touched.reads.unite(&rows),
                        Verb::Writes => touched.writes.unite(&rows),
                        Verb::Adds => touched.adds.unite(&rows),
                    }
                }
            }
            for variable in &group.checked.scope.variables {
                if let (Binding::Named { object, attribute }, Some(ty)) = (&variable.binding, &variable.ty) {
                    let row = columns.row(experiment.object(object));
                    for column in columns.of(attribute, ty) {
                        touched.entry(column).or_default().reads.insert(row);
                    }
                }
            }
        }
        let mut domain = Self::default();
        let mut beside = Vec::new();
        for (column, touched) in touched {
            let (verb, rows, looked) = if !touched.writes.is_empty() {
                let looked = touched.reads.difference(&touched.writes);
                (dynamics::Verb::Writes, touched.writes, looked)
            } else if !touched.adds.is_empty() {
                (dynamics::Verb::Adds, touched.adds, touched.reads)
            } else {
                (dynamics::Verb::Reads, touched.reads, RowSet::new())
            };
            let attribute = AttributeInfo::real(columns.name(column).clone(), Life::State);
            if !looked.is_empty() {
                beside.push((column, attribute.clone(), looked));
            }
            domain.direct.insert(column, (domain.accesses.len(), rows.clone()));
            domain.accesses.push(Access { attribute, verb, rows: Rows::Only(Arc::new(rows)) });
        }
        for (column, attribute, rows) in beside {
            let copy = AttributeInfo::real(format!("{} seen by {label}", attribute.name), Life::Step);
            let rows = Rows::Only(Arc::new(rows));
            let access = |attribute: &AttributeInfo, verb| Access {
                attribute: attribute.clone(),
                verb,
                rows: rows.clone(),
            };
            domain.copied.insert(column, domain.accesses.len());
            domain.accesses.push(access(&copy, dynamics::Verb::Reads));
            domain
                .looks
                .push((access(&attribute, dynamics::Verb::Reads), access(&copy, dynamics::Verb::Writes)));
        }
        domain
    }

    /// The access through which a cell is looked at.
    pub(super) fn looking(&self, column: usize, row: usize) -> usize {
        let (access, rows) = &self.direct[&column];
        let adds = self.accesses[*access].verb == dynamics::Verb::Adds;
        match self.copied.get(&column) {
            Some(&copy) if adds || !rows.contains(row) => copy,
            _ => *access,
        }
    }

    /// The access through which a column is changed.
    pub(super) fn changing(&self, column: usize) -> usize {
        self.direct[&column].0
    }

    /// The rule that copies what is looked at beside, if anything is.
    fn look(&self, name: &Arc<str>) -> Option<dynamics::Rule> {
        if self.looks.is_empty() {
            return None;
        }
        let accesses = self.looks.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
        let count = self.looks.len();
        Some(dynamics::Rule::untyped(name.clone(), accesses, move |_, lease| {
            for _ in 0..count {
                let kind = || dynamics::Trouble::Failed("a column is not of reals".to_owned());
                let from = lease.cells::<Real>().ok_or_else(kind)?;
                let mut to = lease.cells_mut::<Real>().ok_or_else(kind)?;
                let ids: Vec<_> = from.ids().collect();
                for id in ids {
                    *to.at_mut(id)? = from.at(id)?;
                }
            }
            Ok(())
        }))
    }
}

impl Leaf<'_> {
    /// What the core runs here: `work` is the rule itself.
    pub(super) fn flow(&self, work: dynamics::Rule) -> dynamics::Flow {
        let clock = dynamics::Rule::new("clock", (), |_, ()| ()).advancing();
        let advance =
            (self.rule.advances > 0.0).then(|| dynamics::Flow::from(clock).scaled(self.rule.advances));
        let look = self.domain.look(&self.name).map(dynamics::Flow::from);
        dynamics::Flow::Seq(look.into_iter().chain([work.into()]).chain(advance).collect())
    }
}

impl Tree {
    fn new(flow: &Flow, next: &mut usize) -> Self {
        match flow {
            Flow::Rule { .. } => {
                *next += 1;
                Self::Leaf(*next - 1)
            }
            Flow::Seq(flows) => Self::Seq(flows.iter().map(|flow| Self::new(flow, next)).collect()),
            Flow::Par(flows) => Self::Par(flows.iter().map(|flow| Self::new(flow, next)).collect()),
        }
    }

    /// The flow of the core, with what each leaf runs.
    pub(super) fn flow(&self, leaves: &[dynamics::Flow]) -> dynamics::Flow {
        let all = |trees: &[Tree]| trees.iter().map(|tree| tree.flow(leaves)).collect();
        match self {
            Self::Leaf(number) => leaves[*number].clone(),
            Self::Seq(trees) => dynamics::Flow::Seq(all(trees)),
            Self::Par(trees) => dynamics::Flow::Par(all(trees)),
        }
    }

    /// What leads to the end of leaf `last`: all that comes before it, and of a `par` around it only its own
    /// branch.
    pub(super) fn until(&self, last: usize, leaves: &[dynamics::Flow]) -> dynamics::Flow {
        match self {
            Self::Leaf(number) => leaves[*number].clone(),
            Self::Seq(trees) => {
                let place = trees.iter().position(|tree| tree.holds(last)).unwrap_or(trees.len() - 1);
                let before = trees[..place].iter().map(|tree| tree.flow(leaves));
                dynamics::Flow::Seq(before.chain([trees[place].until(last, leaves)]).collect())
            }
            Self::Par(trees) => match trees.iter().find(|tree| tree.holds(last)) {
                Some(branch) => branch.until(last, leaves),
                None => self.flow(leaves),
            },
        }
    }

    fn holds(&self, leaf: usize) -> bool {
        match self {
            Self::Leaf(number) => *number == leaf,
            Self::Seq(trees) | Self::Par(trees) => trees.iter().any(|tree| tree.holds(leaf)),
        }
    }

    /// Whether anything runs side by side.
    pub(super) fn has_par(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Seq(trees) => trees.iter().any(Tree::has_par),
            Self::Par(_) => true,
        }
    }
}

impl<'e> Planner<'e> {
    /// A planner for a simulation of this experiment.
    pub(crate) fn new(experiment: &'e Experiment, simulation: &'e Simulation) -> Self {
        let number = experiment.simulations.iter().position(|it| it.name == simulation.name);
        let own = experiment.checked_rules.iter().filter(|it| Some(it.simulation) == number);
        let checked = own.map(|it| (it.rule, it)).collect();
        Self { experiment, simulation, checked }
    }

    /// The plan; `None` if there is no workflow, or one of its rules is wrong, which has been reported.
    pub(super) fn plan(&self) -> Option<Plan<'e>> {
        let flow = self.simulation.workflow()?;
        let Experiment { world, objects, rules, .. } = self.experiment;
        let columns = Columns::new(world, objects, self.simulation);
        let mut named = Vec::new();
        flow.rules(&mut |rule, span| named.push((rule, span)));
        // A workflow without rules stands in for one with a mistake, which has been reported.
        if named.is_empty() {
            return None;
        }
        let mut leaves = Vec::new();
        for (number, (rule, span)) in named.into_iter().enumerate() {
            let checked = *self.checked.get(&rule)?;
            let name = format!("{} {number}", rules[rule].name).into();
            let domain = Domain::new(&columns, checked, self.experiment, number);
            leaves.push(Leaf { rule: &rules[rule], checked, span, name, domain });
        }
        Some(Plan { columns, leaves, tree: Tree::new(flow, &mut 0) })
    }

    /// What is wrong with the workflow as a whole.
    pub(crate) fn clashes(&self) -> Vec<Diagnostic> {
        let Some(plan) = self.plan() else { return Vec::new() };
        let idle = |leaf: &Leaf<'_>| {
            let accesses = leaf.domain.accesses.clone();
            leaf.flow(dynamics::Rule::untyped(leaf.name.clone(), accesses, |_, _| Ok(())))
        };
        let flows: Vec<dynamics::Flow> = plan.leaves.iter().map(idle).collect();
        match plan.tree.flow(&flows).build(&plan.columns.model) {
            Ok(_) => Vec::new(),
            Err(error) => self.explain(&plan, &error),
        }
    }

    /// A refusal of the core, in the words and at the places of the experiment.
    pub(super) fn explain(&self, plan: &Plan<'_>, error: &BuildError) -> Vec<Diagnostic> {
        let BuildError::Clashes(clashes) = error else {
            let message = format!("this workflow cannot run: {error}");
            return vec![Diagnostic::new(Code::E740, self.simulation.span, message)];
        };
        let leaves: BTreeMap<&str, &Leaf<'_>> = plan.leaves.iter().map(|it| (&*it.name, it)).collect();
        let leaf = |name: &Arc<str>| leaves.get(&**name).copied();
        let mut said = Vec::new();
        let mut told = Vec::new();
        for clash in clashes {
            let (Some(first), Some(second)) = (leaf(&clash.first.0), leaf(&clash.second.0)) else { continue };
            let attribute = clash.column.split('#').next().unwrap_or_default();
            // All scalars of a vector clash alike.
            let key = (first.span, clash.first.1, second.span, clash.second.1, attribute);
            if told.contains(&key) {
                continue;
            }
            told.push(key);
            let whose = self.listed(&plan.columns, &clash.components);
            let (a, b) = (&first.rule.name, &second.rule.name);
            let (does, other) = (clash.first.1, clash.second.1);
            let message = if a == b {
                format!("`{a}` cannot run beside itself: it {does} `{attribute}` of {whose}")
            } else {
                format!(
                    "`{a}` and `{b}` cannot run side by side: `{a}` {does} `{attribute}` of {whose}, and `{b}` {other} it"
                )
            };
            let mut diagnostic = Diagnostic::new(Code::E742, second.span, message)
                .label(format!("{} `{attribute}`", clash.second.1))
                .also(first.span, format!("{} `{attribute}`", clash.first.1));
            for (leaf, verb) in [(first, clash.first.1), (second, clash.second.1)] {
                let place = declaration(leaf, attribute, verb);
                if !diagnostic.secondary.iter().any(|label| label.span == place) {
                    diagnostic = diagnostic.also(place, "declared here");
                }
            }
            said.push(
                diagnostic
                    .help("put one after the other with `seq`, or let `of` give them different objects"),
            );
        }
        said
    }

    /// Components of the core as objects, in words.
    fn listed(&self, columns: &Columns, components: &[String]) -> String {
        let name = |component: &String| match component.parse::<usize>() {
            Ok(number) => match columns.object(number + 1).and_then(|it| self.simulation.objects.get(it)) {
                Some(&object) => format!("`{}`", self.experiment.objects[object].name),
                None => format!("`{component}`"),
            },
            Err(_) => "the world".to_owned(),
        };
        const SHOWN: usize = 4;
        let mut names: Vec<String> = components.iter().take(SHOWN).map(name).collect();
        if components.len() > SHOWN {
            names.push(format!("{} more", components.len() - SHOWN));
        }
        match names.as_slice() {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.join(""),
        }
    }
}

/// Where a rule declares what it does to an attribute.
fn declaration(leaf: &Leaf<'_>, attribute: &str, verb: dynamics::Verb) -> Span {
    let rule = leaf.rule;
    // Who writes looks through the same declaration; whoever only looks has a list or an alias for it.
    let list = match verb {
        dynamics::Verb::Reads => &rule.reads,
        dynamics::Verb::Writes => &rule.writes,
        dynamics::Verb::Adds => &rule.adds,
    };
    let named = list.iter().find(|name| name.text == attribute).map(|name| name.span);
    let alias = || rule.aliases.iter().find(|it| it.attribute.text == attribute).map(|it| it.span);
    // Another spelling of the attribute (`pos`, `radius`): the rule as a whole.
    named.or_else(alias).unwrap_or(rule.span)
}
