//! A formula and its exact slopes with respect to where its bodies are, by differentiation of its graph.
//!
//! No difference quotient anywhere: the graph of the formula gives another graph, which is compiled like any
//! law.

use super::body_view::{Seen, Slope};
use super::formula::{Desk, Formula, Source};
use crate::run::kernel::{Compile, GraphKernel};
use gedanken_dynamics::ComponentId;
use gedanken_lang::diagnostic::Code;
use gedanken_lang::ir::{self, Executor as _, Feed, Layout};
use gedanken_lang::kernel::resize;
use gedanken_lang::transform::jacobian;
use gedanken_lang::vm::Fault;
use gedanken_rigid::Twist;

/// The values of a formula's only output, and their slopes.
#[derive(Debug)]
pub(super) struct Gradient {
    pub(super) formula: Formula,
    kernel: GraphKernel,
    /// For every slot, the place of its scalar among those of all inputs.
    places: Vec<usize>,
    /// How many values there are: 1, or the length of a vector.
    pub(super) width: usize,
    /// What each slope is along, in the order of the results.
    along: Vec<Source>,
    /// The bodies that are seen by Euler angles.
    by_angles: bool,
}

impl Gradient {
    /// Compiles the formula. An error says why it has no slopes.
    pub(super) fn new(formula: Formula, compile: &Compile) -> Result<Self, String> {
        let graph = ir::build(formula.reference.program(), &[0]).map_err(|unfixed| unfixed.reason)?;
        let source = |slot: &ir::Slot| &formula.sources[formula.reference.place(*slot)];
        let is_sought = |slot: &ir::Slot| match source(slot) {
            Source::Own(_, part) => part.is_place(),
            Source::Time => true,
            _ => false,
        };
        let sought: Vec<u32> =
            (0..).zip(&graph.slots).filter(|(_, slot)| is_sought(slot)).map(|(number, _)| number).collect();
        let along: Vec<Source> =
            sought.iter().map(|&slot| source(&graph.slots[slot as usize]).clone()).collect();
        let graph = jacobian(&graph, &sought).map_err(|error| error.to_string())?;
        let layout = Layout { slots: graph.slots.iter().map(|&slot| formula.access(slot)).collect() };
        let places = formula.reference.places_of(&graph);
        let width = graph.outputs[0].nodes.len();
        let angle = |it: &Source| matches!(it, Source::Own(_, super::body_view::Part::Euler(_)));
        let by_angles = along.iter().any(angle);
        Ok(Self {
            kernel: GraphKernel::new(graph, layout, compile),
            places,
            width,
            along,
            by_angles,
            formula,
        })
    }

    /// How much work a row is, in operations.
    pub(super) fn cost(&self) -> usize {
        self.kernel.cost()
    }

    /// Computes all rows from the inputs on the desk.
    fn run(&self, desk: &mut Desk) -> Result<(), (usize, Fault)> {
        let Desk { inputs, results, .. } = desk;
        let count = self.formula.members.len();
        resize(results, self.kernel.width(), count);
        let feeds: Vec<Feed<'_>> = self.places.iter().map(|&place| inputs[place].feed()).collect();
        let mut columns: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        let Some(row) = self.kernel.run(&feeds, &[], 0..count, &mut columns) else { return Ok(()) };
        self.formula.reference.check(0, inputs, row).map_err(|fault| (row, fault))?;
        // The value is fine, so it is a slope that is not: that of a root at zero, say.
        let program = self.formula.reference.program();
        let output = &program.outputs[0];
        let place = program.function(output.function).body.span;
        let message = format!("`{}` has no finite slope here", output.name);
        let fault = Fault::new(Code::E758, place, &output.name, message)
            .label("infinitely steep, or of no direction")
            .help("keep away from where a root or a distance is zero: `sqrt(r . r + 1e-12)` is smooth");
        Err((row, fault))
    }

    /// Computes values and slopes of all rows with what is seen of the bodies; they are then on the desk.
    ///
    /// # Errors
    /// Why there are none, in short; the whole story is kept.
    pub(super) fn evaluate(
        &self,
        time: f64,
        look: &impl Fn(ComponentId) -> Seen,
        desk: &mut Desk,
    ) -> Result<(), String> {
        self.formula.gather(time, look, desk);
        self.run(desk).map_err(|failed| self.formula.fail(failed, &desk.inputs, time))
    }

    /// The value of output `k` in a row.
    pub(super) fn value(&self, desk: &Desk, k: usize, row: usize) -> f64 {
        desk.results[k][row]
    }

    fn slope(&self, desk: &Desk, k: usize, row: usize, number: usize) -> Slope {
        let mut slope = Slope::default();
        for (place, source) in self.along.iter().enumerate() {
            if let Source::Own(of, part) = source
                && *of == number
            {
                slope.add(*part, desk.results[self.width * (1 + place) + k][row]);
            }
        }
        slope
    }

    /// The slope of output `k` in time, bodies at rest.
    pub(super) fn in_time(&self, desk: &Desk, k: usize, row: usize) -> f64 {
        let times = self.along.iter().enumerate().filter(|(_, source)| matches!(source, Source::Time));
        times.fold(0.0, |sum, (place, _)| sum + desk.results[self.width * (1 + place) + k][row])
    }

    /// The slopes of all outputs in all rows along shifts and rotations of body `number`: first by output,
    /// then by row.
    pub(super) fn slopes(
        &self,
        number: usize,
        time: f64,
        look: &impl Fn(ComponentId) -> Seen,
        desk: &mut Desk,
    ) -> Result<Vec<Vec<Twist>>, String> {
        let rows = self.formula.members.len();
        let mut found = vec![vec![Twist::ZERO; rows]; self.width];
        for (k, found) in found.iter_mut().enumerate() {
            for (row, found) in found.iter_mut().enumerate() {
                *found = self.slope(desk, k, row, number).twist(&desk.seen[row][number], None);
            }
        }
        let angle =
            |it: &Source| matches!(it, Source::Own(of, super::body_view::Part::Euler(_)) if *of == number);
        if !self.by_angles || !self.along.iter().any(angle) {
            return Ok(found);
        }
        for row in 0..rows {
            let seen = desk.seen[row][number];
            let Some((here, beyond)) = seen.beyond_lock() else { continue };
            let mut told = [Slope::default(); 2].map(|slope| vec![slope; self.width]);
            for (seen, told) in [here, beyond].into_iter().zip(&mut told) {
                desk.seen[row][number] = seen;
                self.formula.fill(time, look, desk);
                self.run(desk).map_err(|failed| self.formula.fail(failed, &desk.inputs, time))?;
                for (k, told) in told.iter_mut().enumerate() {
                    *told = self.slope(desk, k, row, number);
                }
            }
            for (k, found) in found.iter_mut().enumerate() {
                found[row] = told[0][k].twist(&here, Some(told[1][k].along_b()));
            }
            desk.seen[row][number] = seen;
            self.formula.fill(time, look, desk);
            self.run(desk).map_err(|failed| self.formula.fail(failed, &desk.inputs, time))?;
        }
        Ok(found)
    }
}
