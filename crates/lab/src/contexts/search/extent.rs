//! How far objects reach: the largest coordinate of all, and boxes of many positions at once.

use crate::contexts::laws::inputs::Source;
use crate::contexts::world::World;
use gedanken_lang::ir::{Executor as _, Feed};
use gedanken_math::Vec3;

impl World<'_> {
    /// The largest coordinate of any object, its size included; at least 1.
    pub(crate) fn largest(&self) -> f64 {
        let mut largest: f64 = 1.0;
        for (class, columns) in self.cast.classes.iter().zip(&self.stored) {
            let start = self.cast.column(class.members[0], "position");
            let [x, y, z] = [0, 1, 2].map(|it| &columns[start + it]);
            for (row, &actor) in class.members.iter().enumerate() {
                let radius = Some(self.actors[actor].radius).filter(|it| it.is_finite()).unwrap_or(0.0);
                largest = largest.max(x[row].abs().max(y[row].abs()).max(z[row].abs()) + radius);
            }
        }
        largest
    }
}

impl World<'_> {
    /// Boxes of the positions of actors of one class under the same laws; `None` if they cannot be found at
    /// once.
    pub(crate) fn reach(&self, members: &[usize], from: f64, to: f64) -> Option<Vec<(Vec3, Vec3)>> {
        let place = self.cast.places[*members.first()?];
        let rows = place.row..place.row + members.len();
        let id = self.actors[members[0]].laws?;
        let laws = &self.laws[id];
        // Only laws that last can be asked: what is fed is the same at the end of the frame. A law for the
        // size is not.
        if laws.motion.resizes || !laws.is_lasting() {
            return None;
        }
        let native = laws.motion.reach()?;
        let feed = |(slot, source): (usize, &Source)| match *source {
            Source::Time => Some(Feed::Same(if slot.is_multiple_of(2) { from } else { to })),
            Source::World(column) => Some(Feed::Same(self.values[column])),
            Source::Constant(bits) => Some(Feed::Same(f64::from_bits(bits))),
            Source::Stored { column, .. } => {
                Some(Feed::Column(&self.stored[place.class][column][rows.clone()]))
            }
            Source::Kept { column, .. } => Some(Feed::Column(&self.kept[id][column][rows.clone()])),
            _ => None,
        };
        let feeds: Option<Vec<Feed<'_>>> = native.sources.iter().enumerate().map(feed).collect();
        let mut out = vec![vec![0.0; members.len()]; native.kernel.width()];
        let mut columns: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
        native.kernel.run(&feeds?, &[], 0..members.len(), &mut columns);
        let corner =
            |row: usize, start: usize| Vec3::new(out[start][row], out[start + 1][row], out[start + 2][row]);
        let boxes: Vec<(Vec3, Vec3)> =
            (0..members.len()).map(|row| (corner(row, 0), corner(row, 3))).collect();
        boxes.iter().all(|(least, greatest)| least.is_finite() && greatest.is_finite()).then_some(boxes)
    }
}
