//! Trajectory of an actor under its laws: evaluated, differentiated and bounded.

pub(crate) mod bounds;
pub(crate) mod orientation;

use super::ids::{ActorId, Column, ColumnId};
use super::laws::inputs::Source;
use super::laws::program::Derived;
use super::laws::{GeometricField, Laws, Origin};
use super::world::{Instant, LawCache, World};
use bounds::{Bounds, Mover, Placed};
use gedanken_experiment::ShapeKind;
use gedanken_geometry::Shape;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::Executor as _;
use gedanken_lang::kernel::room;
use gedanken_lang::value::Value;
use gedanken_math::{Pose, Vec3};
use orientation::Twist;
use std::collections::BTreeMap;
use std::ops::Deref;

/// An actor under the laws that hold for it now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trajectory<'w, 'e> {
    pub(crate) world: &'w World<'e>,
    pub(crate) actor: ActorId,
}

/// Velocity of an object at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Velocity {
    /// Position.
    pub(crate) origin: Vec3,
    pub(crate) linear: Vec3,
    pub(crate) angular: Vec3,
    /// Largest speed of its points due to a change of its size.
    pub(crate) growth: f64,
}

impl Velocity {
    /// Velocities of all its points, without the change of its size.
    pub(crate) fn twist(&self) -> Twist {
        Twist { origin: self.origin, velocity: self.linear, spin: self.angular }
    }

    /// Scale of the speeds of its points near a place, for the rounding of their differences.
    pub(crate) fn speed_at(&self, place: Vec3) -> f64 {
        self.linear.length() + self.angular.length() * (place - self.origin).length() + self.growth.abs()
    }

    /// Velocity of an object at rest.
    fn none(origin: Vec3) -> Self {
        Self { origin, linear: Vec3::ZERO, angular: Vec3::ZERO, growth: 0.0 }
    }
}

/// Number of scalars that need no heap memory: bounds of values and rates of a position, a quaternion and
/// three lengths are 42.
const INLINE_BOUNDS: usize = 64;

/// Number of scalars of a pose that need no heap memory; there are at most seven, if the size does not
/// change.
const INLINE_PLACEMENT: usize = 16;

impl Mover for Trajectory<'_, '_> {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        self.place_at(&Instant::at(t))
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        let Some(laws) = self.world.laws_of(self.actor) else { return Some(self.fixed()) };
        let motion = &laws.motion;
        if !motion.moves {
            return Some(self.fixed());
        }
        let (mut few, mut many) = ([0.0; INLINE_BOUNDS], Vec::new());
        let swept = match motion.swept() {
            Some(native) => {
                let swept = room(&mut few, &mut many, native.kernel.width());
                self.sweep(laws, native, from, to, swept)?;
                swept
            }
            None if motion.program.is_some() => return None,
            None => &mut [],
        };
        // The graph gives the bounds of all values, output by output, then those of all rates, then a flag of
        // continuity for each output.
        let width: usize = motion.bounded.iter().flatten().map(|(_, width, _)| width).sum();
        let mut steady = true;
        let mut ends = |part: &GeometricField| -> Option<Ends> {
            match part.origin {
                Origin::Law { output, .. } => {
                    let (start, wide, place) = motion.bounded[output]?;
                    steady &= swept[4 * width + place] != 0.0;
                    let (values, rates) = (2 * start, 2 * width + 2 * start);
                    let corner = |from: usize| Corner::of(&swept[from..from + wide]);
                    Some(Ends {
                        least: corner(values)?,
                        greatest: corner(values + wide)?,
                        slowest: corner(rates)?,
                        fastest: corner(rates + wide)?,
                    })
                }
                Origin::Integrated => {
                    let mut all = Ends::default();
                    for column in part.column.span(part.width) {
                        let (system, place) = self.world.integrated.place(self.actor, column)?;
                        let ends = self.world.integrated.enclose(system, place, from, to)?;
                        all.push(ends)?;
                    }
                    Some(all)
                }
                Origin::Stored => self.frozen(part),
            }
        };
        let position = ends(motion.parts.first()?)?;
        let (spin, turning) = match self.world.layout.class(self.actor).shape {
            // A ball looks the same however it turns.
            ShapeKind::Sphere => (0.0, Some([Vec3::ZERO; 2])),
            _ => {
                let Ends { least, greatest, slowest, fastest } = ends(motion.parts.get(1)?)?;
                let (values, rates) = ([&least[..], &greatest], [&slowest[..], &fastest]);
                (orientation::fastest_spin(values, rates)?, orientation::turning(values, rates))
            }
        };
        let sizes = &motion.parts[2..];
        let (radius, growth) = if !motion.resizes {
            (self.world.actors[self.actor].radius, 0.0)
        } else {
            let sizes: Option<Vec<Ends>> = sizes.iter().map(ends).collect();
            let (radius, growth) = self.extent(&sizes?)?;
            // An impossible size is reported where it is used; until then the object has no extent.
            (if radius < 0.0 { 0.0 } else { radius }, growth)
        };
        let bounds = Bounds {
            least: Vec3::from_slice(&position.least),
            greatest: Vec3::from_slice(&position.greatest),
            slowest: Vec3::from_slice(&position.slowest),
            fastest: Vec3::from_slice(&position.fastest),
            spin,
            radius,
            growth,
            turning,
            steady,
        };
        let finite = bounds.least.is_finite()
            && bounds.greatest.is_finite()
            && bounds.slowest.is_finite()
            && bounds.fastest.is_finite()
            && bounds.spin.is_finite()
            && bounds.growth.is_finite();
        finite.then_some(bounds)
    }
}

/// Scalars of one geometric attribute: at most four, those of a quaternion.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    scalars: [f64; 4],
    width: usize,
}

impl Corner {
    /// Copies scalars; `None` if there are too many.
    fn of(scalars: &[f64]) -> Option<Self> {
        let mut corner = Self { width: scalars.len(), ..Self::default() };
        corner.scalars.get_mut(..scalars.len())?.copy_from_slice(scalars);
        Some(corner)
    }

    fn push(&mut self, scalar: f64) -> Option<()> {
        *self.scalars.get_mut(self.width)? = scalar;
        self.width += 1;
        Some(())
    }
}

impl Deref for Corner {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.scalars[..self.width]
    }
}

/// Bounds of values and rates, scalar by scalar.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    least: Corner,
    greatest: Corner,
    slowest: Corner,
    fastest: Corner,
}

impl Ends {
    /// Adds one scalar.
    fn push(&mut self, [least, greatest, slowest, fastest]: [f64; 4]) -> Option<()> {
        self.least.push(least)?;
        self.greatest.push(greatest)?;
        self.slowest.push(slowest)?;
        self.fastest.push(fastest)
    }
}

/// Pose from the values of `position` and `orientation`. Three angles of zero, which most balls have, take no
/// sines.
fn pose(position: &[f64], orientation: &[f64]) -> Option<Pose> {
    match (position, orientation) {
        (&[x, y, z], [_, _, _]) if orientation.iter().all(|it| it.to_bits() == 0) => {
            let pose = Pose::at(Vec3::new(x, y, z));
            pose.is_finite().then_some(pose)
        }
        _ => orientation::pose(position, orientation),
    }
}

impl Trajectory<'_, '_> {
    /// Returns its shape and pose at an instant.
    ///
    /// # Errors
    /// A law that failed.
    pub(crate) fn place_at(&self, at: &Instant<'_>) -> Result<Placed, Box<Diagnostic>> {
        let Some(laws) = self.world.laws_of(self.actor) else { return Ok(self.stored()) };
        let motion = &laws.motion;
        // Where a context starts, values are those stored before.
        if !motion.moves || at.start {
            return Ok(self.stored());
        }
        // Most do not change their size.
        if !motion.resizes {
            let [position, turn] = self.frame(laws, at)?;
            let pose = pose(&position, &turn);
            let pose = pose.ok_or_else(|| Box::new(self.world.no_pose(self.actor, at.t)))?;
            return Ok(Placed { shape: self.world.actors[self.actor].shape.clone(), pose });
        }
        let parts = &motion.parts[..];
        let (mut few, mut many) = ([0.0; INLINE_PLACEMENT], Vec::new());
        let scalars = room(&mut few, &mut many, parts.iter().map(|it| it.width).sum());
        self.scalars(laws, parts, at, scalars)?;
        let (position, turn) = (parts[0].width, parts[1].width);
        let pose = pose(&scalars[..position], &scalars[position..position + turn]);
        let pose = pose.ok_or_else(|| Box::new(self.world.no_pose(self.actor, at.t)))?;
        let shape = self.world.form(self.actor, parts, scalars, at.t)?;
        Ok(Placed { shape, pose })
    }

    /// Returns the actor at its stored pose.
    pub(crate) fn stored(&self) -> Placed {
        let [position, orientation] =
            self.world.layout.class(self.actor).pose.map(|(start, width)| self.own(start, width));
        let pose = pose(&position, &orientation).unwrap_or(Pose::IDENTITY);
        Placed { shape: self.world.actors[self.actor].shape.clone(), pose }
    }

    /// Stored scalars of an attribute.
    fn own(&self, start: ColumnId, width: usize) -> Corner {
        let mut own = Corner::default();
        for column in start.span(width) {
            // A position has three and an orientation at most four.
            let _ = own.push(self.world.stored(self.actor, column));
        }
        own
    }

    /// Bounds of a geometric attribute that does not change.
    fn frozen(&self, part: &GeometricField) -> Option<Ends> {
        let mut ends = Ends::default();
        for column in part.column.span(part.width) {
            let value = self.world.stored(self.actor, column);
            ends.push([value, value, 0.0, 0.0])?;
        }
        Some(ends)
    }

    /// Bounds of an actor that does not move.
    fn fixed(&self) -> Bounds {
        let at = self.stored().pose.translation;
        Bounds {
            least: at,
            greatest: at,
            slowest: Vec3::ZERO,
            fastest: Vec3::ZERO,
            spin: 0.0,
            radius: self.world.actors[self.actor].radius,
            growth: 0.0,
            turning: Some([Vec3::ZERO; 2]),
            steady: true,
        }
    }

    /// Computes geometric attributes at an instant, one after the other.
    fn scalars(
        &self,
        laws: &Laws,
        parts: &[GeometricField],
        at: &Instant<'_>,
        scalars: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        let (mut few, mut many) = ([0.0; INLINE_PLACEMENT], Vec::new());
        let out = self.outputs(laws, at, &mut few, &mut many)?;
        let mut place = 0;
        for part in parts {
            self.part(part, out, at, &mut scalars[place..place + part.width])?;
            place += part.width;
        }
        Ok(())
    }

    /// Computes position and orientation at an instant.
    fn frame(&self, laws: &Laws, at: &Instant<'_>) -> Result<[Corner; 2], Box<Diagnostic>> {
        let (mut few, mut many) = ([0.0; INLINE_PLACEMENT], Vec::new());
        let out = self.outputs(laws, at, &mut few, &mut many)?;
        let mut frame = [Corner::default(); 2];
        for (corner, part) in frame.iter_mut().zip(&laws.motion.parts) {
            // A position has three scalars and an orientation at most four.
            corner.width = part.width.min(corner.scalars.len());
            self.part(part, out, at, &mut corner.scalars[..corner.width])?;
        }
        Ok(frame)
    }

    /// Runs the laws of geometric attributes.
    fn outputs<'r>(
        &self,
        laws: &Laws,
        at: &Instant<'_>,
        few: &'r mut [f64; INLINE_PLACEMENT],
        many: &'r mut Vec<f64>,
    ) -> Result<&'r mut [f64], Box<Diagnostic>> {
        let id = self.world.actors[self.actor].laws.unwrap_or_default();
        let out = room(few, many, laws.motion.program.as_ref().map_or(0, |it| it.width));
        if let Some(program) = &laws.motion.program {
            self.world.run(at, self.actor, id, program, out)?;
        }
        Ok(out)
    }

    /// Writes one geometric attribute at an instant, given the outputs of its laws.
    fn part(
        &self,
        part: &GeometricField,
        out: &[f64],
        at: &Instant<'_>,
        scalars: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        let (world, actor) = (self.world, self.actor);
        match part.origin {
            Origin::Law { start, .. } => scalars.copy_from_slice(&out[start..start + part.width]),
            Origin::Stored => {
                for (scalar, column) in scalars.iter_mut().zip(part.column.span(part.width)) {
                    *scalar = world.stored(actor, column);
                }
            }
            Origin::Integrated => {
                let id = world.actors[actor].laws.unwrap_or_default();
                for (scalar, column) in scalars.iter_mut().zip(part.column.span(part.width)) {
                    let value = world.scalar(at, actor, column);
                    *scalar = value.map_err(|failure| world.diagnose(failure, &[actor], id, at.t))?;
                }
            }
        }
        Ok(())
    }

    /// Returns its velocity at `t`, by the derivatives of its laws; by differences over `step` where they
    /// have none.
    pub(crate) fn velocity(&self, t: f64, step: f64) -> Result<Velocity, Box<Diagnostic>> {
        let world = self.world;
        let moving = world.laws_of(self.actor).filter(|it| it.motion.moves);
        let Some(laws) = moving else { return Ok(Velocity::none(self.stored().pose.translation)) };
        let motion = &laws.motion;
        let (mut few, mut many) = ([0.0; INLINE_BOUNDS], Vec::new());
        // Differences lose the digits that decide if a touching pair approaches, so they are the last resort.
        let out = match (&motion.program, motion.rated()) {
            (None, _) => &mut [],
            (Some(_), None) => return self.difference(laws, t, step),
            (Some(_), Some(native)) => {
                let out = room(&mut few, &mut many, native.kernel.width());
                if self.rated(laws, native, t, out).is_none() {
                    return self.difference(laws, t, step);
                }
                out
            }
        };
        // The graph gives all values, then all rates.
        let half = out.len() / 2;
        let moves = |part: &GeometricField| -> Option<Ends> {
            match part.origin {
                Origin::Law { output, .. } => {
                    let (start, wide) = motion.kinematic[output];
                    let values = Corner::of(&out[start..start + wide])?;
                    let rates = Corner::of(&out[half + start..half + start + wide])?;
                    Some(Ends { least: values, greatest: values, slowest: rates, fastest: rates })
                }
                Origin::Stored => self.frozen(part),
                Origin::Integrated => {
                    let mut all = Ends::default();
                    for column in part.column.span(part.width) {
                        let place = world.integrated.place(self.actor, column);
                        let both = place.and_then(|(system, place)| {
                            Some((
                                world.integrated.value(system, place, t)?,
                                world.integrated.rate(system, place, t)?,
                            ))
                        });
                        let (value, rate) = both.unwrap_or((world.stored(self.actor, column), 0.0));
                        all.push([value, value, rate, rate])?;
                    }
                    Some(all)
                }
            }
        };
        let (sizes, frame) = (&motion.parts[2..], &motion.parts[..2]);
        let [position, turn] = [0, 1].map(|it| moves(&frame[it]).unwrap_or_default());
        let mut growth = 0.0;
        if motion.resizes
            && let Some(sizes) = sizes.iter().map(moves).collect::<Option<Vec<Ends>>>()
            && sizes.iter().any(|ends| ends.fastest.iter().any(|it| *it != 0.0))
        {
            growth = self.extent(&sizes).map_or(0.0, |it| it.1);
        }
        Ok(Velocity {
            origin: Vec3::from_slice(&position.least),
            linear: Vec3::from_slice(&position.fastest),
            angular: orientation::angular_velocity(&turn.least, &turn.fastest).unwrap_or_default(),
            growth,
        })
    }

    fn difference(&self, laws: &Laws, t: f64, step: f64) -> Result<Velocity, Box<Diagnostic>> {
        let width = laws.motion.parts.iter().map(|it| it.width).sum();
        let (mut a, mut b) = (vec![0.0; width], vec![0.0; width]);
        self.scalars(laws, &laws.motion.parts, &Instant::at(t), &mut a)?;
        self.scalars(laws, &laws.motion.parts, &Instant::at(t + step), &mut b)?;
        let step = (t + step) - t;
        let rates: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (b - a) / step).collect();
        let parts = &laws.motion.parts;
        let (position, turn) = (parts[0].width, parts[1].width);
        Ok(Velocity {
            origin: Vec3::from_slice(&a[..position]),
            linear: Vec3::from_slice(&rates[..position]),
            angular: orientation::angular_velocity(
                &a[position..position + turn],
                &rates[position..position + turn],
            )
            .unwrap_or_default(),
            growth: 0.0,
        })
    }

    /// Computes values and rates at `t`; `None` where a rate is not finite.
    fn rated(&self, laws: &Laws, native: &Derived, t: f64, out: &mut [f64]) -> Option<()> {
        let world = self.world;
        let id = world.actors[self.actor].laws?;
        let (mut few, mut many) = ([0.0; INLINE_BOUNDS], Vec::new());
        let inputs = room(&mut few, &mut many, native.sources.len());
        if native.is_plain {
            world.read_plain(t, self.actor, id, &native.sources, inputs);
            return native.kernel.run_row(inputs, out).then_some(());
        }
        let known = LawCache::default();
        let at = Instant { known: Some(&known), ..Instant::at(t) };
        let mut others = BTreeMap::new();
        for (slot, &source) in native.sources.iter().enumerate() {
            inputs[slot] = if slot < laws.motion.inputs {
                world.read(&at, self.actor, id, source).ok()?
            } else {
                self.source_rate(source, t, &mut others)?
            };
        }
        native.kernel.run_row(inputs, out).then_some(())
    }

    /// Returns the rate of a source. `others` caches the velocities of other objects.
    fn source_rate(
        &self,
        source: Source,
        t: f64,
        others: &mut BTreeMap<ActorId, Option<Vec3>>,
    ) -> Option<f64> {
        let (actor, column) = match source {
            Source::Integrated { column } => (self.actor, column),
            Source::Other { actor, column } => (actor, column),
            _ => return None,
        };
        if let Some((system, place)) = self.world.integrated.place(actor, column) {
            return self.world.integrated.rate(system, place, t);
        }
        let part = self.world.laws_of(actor)?.motion.parts.first()?;
        let element = column.within(part.column, 3)?;
        let other = Trajectory { world: self.world, actor };
        let velocity =
            others.entry(actor).or_insert_with(|| other.velocity(t, 1e-6).ok().map(|it| it.linear));
        velocity.map(|it| it[element])
    }

    /// Computes bounds of values and rates.
    fn sweep(&self, laws: &Laws, native: &Derived, from: f64, to: f64, out: &mut [f64]) -> Option<()> {
        let world = self.world;
        let id = world.actors[self.actor].laws?;
        let updated = world.actors[self.actor].updated;
        let (mut few, mut many) = ([0.0; INLINE_BOUNDS], Vec::new());
        let inputs = room(&mut few, &mut many, native.sources.len());
        if native.is_plain {
            world.read_plain(from, self.actor, id, &native.sources, inputs);
            // Of plain sources only the time changes in the interval.
            for (input, source) in inputs.iter_mut().zip(&native.sources).skip(1).step_by(2) {
                match source {
                    Source::Time => *input = to,
                    Source::Elapsed => *input = to - updated,
                    _ => {}
                }
            }
            native.kernel.run_row(inputs, out);
            return Some(());
        }
        let known = LawCache::default();
        let at = Instant { known: Some(&known), ..Instant::at(from) };
        let mut others = BTreeMap::new();
        let plain = 2 * laws.motion.inputs;
        for (slot, &source) in native.sources.iter().enumerate().step_by(2) {
            let (least, greatest) = match source {
                Source::Time => (from, to),
                Source::Elapsed => (from - updated, to - updated),
                Source::Integrated { column } => {
                    let (system, place) = world.integrated.place(self.actor, column)?;
                    let ends = world.integrated.enclose(system, place, from, to)?;
                    if slot < plain { (ends[0], ends[1]) } else { (ends[2], ends[3]) }
                }
                Source::Other { actor, column } if world.varies(actor, column) => {
                    let ends = self.other(actor, column, from, to, &mut others)?;
                    if slot < plain { (ends[0], ends[1]) } else { (ends[2], ends[3]) }
                }
                Source::World(column) if world.owners[column].is_some() => return None,
                _ if slot >= plain => (0.0, 0.0),
                _ => {
                    let value = world.read(&at, self.actor, id, source).ok()?;
                    (value, value)
                }
            };
            (inputs[slot], inputs[slot + 1]) = (least, greatest);
        }
        native.kernel.run_row(inputs, out);
        Some(())
    }

    /// Bounds of value and rate of another object's scalar, if it is integrated or of a position. `others`
    /// caches the bounds of other objects.
    fn other(
        &self,
        object: ActorId,
        column: ColumnId,
        from: f64,
        to: f64,
        others: &mut BTreeMap<ActorId, Option<Bounds>>,
    ) -> Option<[f64; 4]> {
        let world = self.world;
        if let Some((system, place)) = world.integrated.place(object, column) {
            return world.integrated.enclose(system, place, from, to);
        }
        let laws = world.laws_of(object)?;
        if !laws.governs(column) {
            let value = world.stored(object, column);
            return Some([value, value, 0.0, 0.0]);
        }
        let part = laws.motion.parts.first()?;
        let element = column.within(part.column, 3)?;
        let bounds = others
            .entry(object)
            .or_insert_with(|| Trajectory { world, actor: object }.bounds(from, to).filter(|it| it.steady));
        let bounds = bounds.as_ref()?;
        Some([
            bounds.least[element],
            bounds.greatest[element],
            bounds.slowest[element],
            bounds.fastest[element],
        ])
    }

    /// Largest distance of the shape's points from its position, and their largest speed due to growth.
    fn extent(&self, sizes: &[Ends]) -> Option<(f64, f64)> {
        let most =
            |at: usize, element: usize| -> Option<f64> { sizes.get(at)?.greatest.get(element).copied() };
        let fast = |at: usize, element: usize| -> Option<f64> {
            let ends = sizes.get(at)?;
            Some(ends.slowest.get(element)?.abs().max(ends.fastest.get(element)?.abs()))
        };
        let slack = 1.0 + 8.0 * f64::EPSILON;
        Some(match self.world.layout.class(self.actor).shape {
            ShapeKind::Sphere => (most(0, 0)?, fast(0, 0)?),
            ShapeKind::Cuboid => {
                let edges = Vec3::new(most(0, 0)?, most(0, 1)?, most(0, 2)?);
                let rates = Vec3::new(fast(0, 0)?, fast(0, 1)?, fast(0, 2)?);
                (0.5 * edges.length() * slack, 0.5 * rates.length() * slack)
            }
            ShapeKind::Capsule | ShapeKind::Cylinder => {
                ((most(0, 0)? + 0.5 * most(1, 0)?) * slack, (fast(0, 0)? + 0.5 * fast(1, 0)?) * slack)
            }
            // Its origin lies a quarter of the height above the base.
            ShapeKind::Cone => {
                ((most(0, 0)? + 0.75 * most(1, 0)?) * slack, (fast(0, 0)? + 0.75 * fast(1, 0)?) * slack)
            }
            _ => return None,
        })
    }
}

impl World<'_> {
    /// Returns `true` if a scalar of an object changes between events.
    pub(crate) fn varies(&self, actor: ActorId, column: ColumnId) -> bool {
        self.laws_of(actor).is_some_and(|it| it.integrates(column) || it.governs(column))
    }

    /// Returns the shape of an actor with its stored attributes.
    pub(crate) fn stored_shape(&self, actor: ActorId) -> Result<Shape, Box<Diagnostic>> {
        let own = self.layout.class(actor).shape.own_fields().iter();
        let fields = own.filter_map(|it| Some((it.name, self.layout.find(actor, it.name)?)));
        let part = |(name, field): (&'static str, &super::layout::Field<ColumnId>)| GeometricField {
            name,
            column: field.start,
            width: field.width(),
            origin: Origin::Stored,
        };
        let parts: Vec<GeometricField> = fields.map(part).collect();
        let columns = parts.iter().flat_map(|it| it.column.span(it.width));
        let scalars: Vec<f64> = columns.map(|it| self.stored(actor, it)).collect();
        self.form(actor, &parts, &scalars, self.actors[actor].updated)
    }

    fn no_pose(&self, actor: ActorId, t: f64) -> Diagnostic {
        let object = self.layout.object(self.experiment, actor);
        let message = format!("the orientation of `{}` is no rotation: a quaternion of zeros", object.name);
        Diagnostic::new(Code::E806, self.law_place(actor, "orientation"), message)
            .note(self.participants_note(&[actor], self.actors[actor].laws, t))
            .help("a quaternion may have any length but zero; no rotation is `[1, 0, 0, 0]`")
    }

    /// Returns the shape of an actor with geometric attributes other than the stored ones.
    pub(crate) fn form(
        &self,
        actor: ActorId,
        parts: &[GeometricField],
        scalars: &[f64],
        t: f64,
    ) -> Result<Shape, Box<Diagnostic>> {
        let mut object = self.layout.object(self.experiment, actor).clone();
        let mut start = 0;
        for part in parts {
            let values = scalars[start..start + part.width].to_vec();
            start += part.width;
            if let Some(attribute) = object.attributes.iter_mut().find(|it| it.name == part.name)
                && let Some(value) = Value::from_scalars(&attribute.ty(), values)
            {
                attribute.value = value;
            }
        }
        object.solid(&self.experiment.objects).map_err(|mut told| {
            let governed = |part: &&GeometricField| {
                let laws = self.laws_of(actor);
                laws.is_some_and(|it| it.governs(part.column) || it.integrates(part.column))
            };
            let governed = parts.iter().find(governed);
            if let Some(part) = governed {
                told.primary.span = self.law_place(actor, part.name);
            }
            // Without a law for its size, it has got this size in a collision.
            let laws = self.actors[actor].laws.filter(|_| governed.is_some());
            Box::new(
                told.note(self.participants_note(&[actor], laws, t)).help(
                    "lengths must stay greater than 0: let the law end before, or bound it with `max(…)`",
                ),
            )
        })
    }
}
