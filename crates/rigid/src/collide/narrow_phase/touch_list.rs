//! Lists of touches that are written over those of an earlier step: a touch is large, and little of it is
//! used.

use crate::collide::contact_table::Touch;

/// Touches, the first `count` of which are of this step.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) touches: Vec<Touch>,
    pub(super) count: usize,
}

impl List {
    /// An empty list in the place of another.
    pub(super) fn over(touches: Vec<Touch>) -> Self {
        Self { touches, count: 0 }
    }

    /// The next one, without points, to be filled in.
    pub(super) fn next(&mut self) -> &mut Touch {
        if self.count == self.touches.len() {
            self.touches.push(Touch::BLANK);
        }
        self.count += 1;
        let touch = &mut self.touches[self.count - 1];
        touch.count = 0;
        touch
    }

    /// What was filled in.
    pub(super) fn filled(&self) -> &[Touch] {
        &self.touches[..self.count]
    }
}
