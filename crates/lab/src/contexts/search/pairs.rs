//! Who touches whom, and what came of it.

/// What is settled between two objects that touch, or overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// They go their own ways: they are coming apart, or lie in each other because no contact context holds.
    Free,
    /// They stay together.
    Together,
}

/// The bonds of all objects. Pairs that are not there are apart, as far as is known.
#[derive(Clone, Debug)]
pub(crate) struct Bonds {
    is_static: Vec<bool>,
    /// Of each object that moves, its partners in order. Static objects have theirs in the lists of the
    /// others.
    of: Vec<Vec<(usize, Bond)>>,
}

impl Bonds {
    pub(crate) fn new(is_static: &[bool]) -> Self {
        Self { is_static: is_static.to_vec(), of: vec![Vec::new(); is_static.len()] }
    }

    /// What is settled between two objects.
    pub(crate) fn get(&self, a: usize, b: usize) -> Option<Bond> {
        let (owner, other) = if self.is_static[a] { (b, a) } else { (a, b) };
        let place = self.of[owner].binary_search_by_key(&other, |it| it.0).ok()?;
        Some(self.of[owner][place].1)
    }

    /// Settles something, or that they are apart.
    pub(crate) fn set(&mut self, a: usize, b: usize, bond: Option<Bond>) {
        for (owner, other) in [(a, b), (b, a)] {
            if self.is_static[owner] {
                continue;
            }
            let list = &mut self.of[owner];
            match (list.binary_search_by_key(&other, |it| it.0), bond) {
                (Ok(place), Some(bond)) => list[place].1 = bond,
                (Ok(place), None) => {
                    list.remove(place);
                }
                (Err(place), Some(bond)) => list.insert(place, (other, bond)),
                (Err(_), None) => {}
            }
        }
    }

    /// The partners of an object that moves, in order.
    pub(crate) fn of(&self, actor: usize) -> &[(usize, Bond)] {
        &self.of[actor]
    }

    /// Whether an object stays together with another.
    pub(crate) fn is_held(&self, actor: usize) -> bool {
        self.of[actor].iter().any(|(_, bond)| *bond == Bond::Together)
    }

    /// All pairs that stay together and one of `members`, each once, in order.
    pub(crate) fn edges(&self, members: &[usize]) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for &member in members.iter().filter(|&&it| !self.is_static[it]) {
            for &(other, bond) in &self.of[member] {
                if bond == Bond::Together && (other > member || self.is_static[other]) {
                    edges.push((member.min(other), member.max(other)));
                }
            }
        }
        edges.sort_unstable();
        edges
    }

    /// Everybody who stays together with an object that moves, directly or through others that move; itself
    /// and static objects included; in order. A static object joins nobody together.
    pub(crate) fn group(&self, actor: usize) -> Vec<usize> {
        if !self.is_held(actor) {
            return vec![actor];
        }
        let mut members = std::collections::BTreeSet::from([actor]);
        let mut open = vec![actor];
        while let Some(member) = open.pop() {
            for &(other, bond) in &self.of[member] {
                if bond == Bond::Together && members.insert(other) && !self.is_static[other] {
                    open.push(other);
                }
            }
        }
        members.into_iter().collect()
    }

    /// Every bond, each once, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, usize, Bond)> + '_ {
        self.of.iter().enumerate().flat_map(move |(a, list)| {
            let once = move |&&(b, _): &&(usize, Bond)| b > a || self.is_static[b];
            list.iter().filter(once).map(move |&(b, bond)| (a.min(b), a.max(b), bond))
        })
    }
}
