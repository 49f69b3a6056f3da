//! Quantities in a recording of a Lagrangian, and their values at a moment.

use super::compiled::{Compiled, Compiler};
use super::motion::{Lack, Motion};
use super::state::State;
use crate::derivation::results;
use crate::rigid::body_view::euler;
use crate::run::measures::Meter;
use crate::run::options::Options;
use crate::run::schema::{add, add_constant, add_measures, schema_of};
use crate::run::values::{Input, Values};
use gedanken_experiment::lagrangian::quantities;
use gedanken_experiment::lagrangian::quantities::QuantitySource;
use gedanken_experiment::{Experiment, Formula, Lagrangian, Simulation, rotation};
use gedanken_lang::types::Type;
use gedanken_recording::{Constant, Owner, Schema};
use gedanken_symbolic::{Derivation, Expr, Pool};
use std::collections::BTreeMap;
use std::ops::Range;

/// Quantities that are recorded and measured, and their sources.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) schema: Schema,
    /// Source of each quantity of the schema, but of measures.
    recorded: Vec<Source>,
    /// Source of every attribute that measures read.
    pub(super) readings: BTreeMap<Input, Source>,
    /// All formulas that are shown.
    shown: Shown,
    /// Source of everything that is given, by name.
    sources: BTreeMap<String, (Source, Type)>,
    /// By object of the experiment and name: attributes that formulas give.
    placed: BTreeMap<(usize, &'static str), Placed>,
}

/// Source of a quantity or an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    Time,
    Constant(Vec<f64>),
    Coordinate(usize),
    Rate(usize),
    Multiplier(usize),
    /// Among the formulas that are shown.
    Shown(Range<usize>),
    Placed(Placed),
}

/// Something that a formula says of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    shown: Range<usize>,
    /// Number of scalars that are recorded: an orientation is recorded in the form in which the object writes it.
    scalars: usize,
}

/// All that is shown at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment<'r> {
    rows: &'r Rows,
    time: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    multipliers: Vec<f64>,
    shown: Vec<f64>,
}

impl Rows {
    /// Rows of a simulation; measures come last. QuantitySource these read is set later.
    pub(super) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
        lagrangian: &Lagrangian,
        meter: &Meter,
        options: &Options,
    ) -> Result<Self, String> {
        let objects: Vec<String> =
            simulation.objects.iter().map(|&it| experiment.objects[it].name.clone()).collect();
        let stops = lagrangian.stops.iter().map(|it| it.name.clone()).collect();
        let mut schema = schema_of(simulation, objects, stops);
        schema.derived = results(lagrangian);
        let mut formulas = Formulas::new(lagrangian);
        let given = quantities::all(lagrangian).into_iter();
        let sources: BTreeMap<String, (Source, Type)> =
            given.map(|it| (it.name, (formulas.source(it.source), it.ty))).collect();
        let record = &simulation.record;
        let written = |name: &str| experiment.world.iter().any(|it| it.name == name);
        let is_function = |name: &str| lagrangian.functions.iter().any(|it| it.name == name);
        let mut recorded = Vec::new();
        for (name, (source, ty)) in &sources {
            let is_recorded =
                if is_function(name) { record.has_helper(name) } else { record.has_world_attribute(name) };
            if !written(name) && is_recorded {
                add(&mut schema, Owner::World, name, ty.clone());
                recorded.push(source.clone());
            }
        }
        for attribute in experiment.world.iter().filter(|it| it.name != "t") {
            if record.has_world_attribute(&attribute.name) {
                add_constant(&mut schema, Owner::World, attribute);
            }
        }
        for parameter in lagrangian.parameters.iter().filter(|it| !written(&it.name)) {
            if record.has_world_attribute(&parameter.name) {
                let (owner, name, ty) = (Owner::World, parameter.name.clone(), Type::Real);
                schema.constants.push(Constant { owner, name, ty, scalars: vec![parameter.value] });
            }
        }
        let mut placed = BTreeMap::new();
        for (place, &index) in simulation.objects.iter().enumerate() {
            let object = &experiment.objects[index];
            for (name, ty, what) in formulas.of_object(lagrangian, &object.name) {
                let ty = match object.attribute(name) {
                    Some(attribute) if name == "orientation" => attribute.ty(),
                    _ => ty,
                };
                let it = Placed { shown: what, scalars: ty.scalars().unwrap_or(0) };
                placed.insert((index, name), it.clone());
                if record.has_attribute(object, name) {
                    add(&mut schema, Owner::Object(place), name, ty);
                    recorded.push(Source::Placed(it));
                }
            }
            for attribute in &object.attributes {
                let varies = placed.keys().any(|(of, name)| *of == index && *name == attribute.name);
                if !varies && record.has_attribute(object, &attribute.name) {
                    add_constant(&mut schema, Owner::Object(place), attribute);
                }
            }
        }
        add_measures(&mut schema, meter);
        let shown = formulas.compile(lagrangian, options)?;
        Ok(Self { schema, recorded, readings: BTreeMap::new(), shown, sources, placed })
    }

    /// Everything that is shown of a state.
    pub(super) fn moment(&self, motion: &dyn Motion, state: &State) -> Result<Moment<'_>, Lack> {
        let multipliers = motion.multipliers(state)?;
        let shown = self.shown.at(state);
        // Something may have no value, but nothing may be nowhere.
        let mut placed = self.placed.values().flat_map(|it| &shown[it.shown.clone()]);
        if placed.any(|it| it.is_nan()) {
            return Err(Lack::Formula);
        }
        let (q, v) = (state.q.clone(), state.v.clone());
        Ok(Moment { rows: self, time: state.time, q, v, multipliers, shown })
    }

    /// Something given, by name.
    pub(super) fn source(&self, name: &str) -> Option<&Source> {
        self.sources.get(name).map(|(source, _)| source)
    }

    /// Value that a formula gives to an attribute of an object of the experiment.
    pub(super) fn placed(&self, object: usize, name: &str) -> Option<&Placed> {
        self.placed.iter().find(|((of, known), _)| *of == object && *known == name).map(|(_, it)| it)
    }
}

impl Moment<'_> {
    fn append(&self, source: &Source, out: &mut Vec<f64>) {
        match source {
            Source::Time => out.push(self.time),
            Source::Constant(scalars) => out.extend(scalars),
            Source::Coordinate(place) => out.push(self.q[*place]),
            Source::Rate(place) => out.push(self.v[*place]),
            Source::Multiplier(place) => out.push(self.multipliers[*place]),
            Source::Shown(range) => out.extend(&self.shown[range.clone()]),
            Source::Placed(placed) => placed.append(&self.shown[placed.shown.clone()], out),
        }
    }
}

impl Values for Moment<'_> {
    fn time(&self) -> f64 {
        self.time
    }

    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>) {
        self.rows.recorded[quantities].iter().for_each(|source| self.append(source, out));
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        if let Some(source) = self.rows.readings.get(&(object, name.to_owned())) {
            self.append(source, out);
        }
    }

    fn knows(&self, _: &[Input]) -> bool {
        true
    }
}

impl Placed {
    /// Appends what a formula gives, in the form in which it is recorded.
    fn append(&self, given: &[f64], out: &mut Vec<f64>) {
        let turned = || rotation(given).unwrap_or(gedanken_math::Quat::IDENTITY);
        match (given.len(), self.scalars) {
            (4, 3) => out.extend(euler(turned())),
            (3, 4) => {
                let q = turned();
                out.extend([q.w, q.x, q.y, q.z]);
            }
            _ => out.extend(given),
        }
    }
}

/// The formulas that are shown, one after the other.
struct Formulas {
    pool: Pool,
    along: Derivation,
    all: Vec<Expr>,
}

impl Formulas {
    fn new(lagrangian: &Lagrangian) -> Self {
        let system = &lagrangian.system;
        let mut pool = lagrangian.derived().pool.clone();
        let one = pool.one();
        let moving = system.coordinates.iter().map(|it| (it.position, it.rate)).chain([(system.time, one)]);
        Self { along: Derivation::in_time(moving), all: Vec::new(), pool }
    }

    fn show(&mut self, exprs: &[Expr]) -> Range<usize> {
        let start = self.all.len();
        self.all.extend(exprs);
        start..self.all.len()
    }

    fn source(&mut self, what: QuantitySource) -> Source {
        match what {
            QuantitySource::Coordinate(place) => Source::Coordinate(place),
            QuantitySource::Rate(place) => Source::Rate(place),
            QuantitySource::Multiplier(place) => Source::Multiplier(place),
            QuantitySource::Formulas(formulas) => Source::Shown(self.show(&formulas)),
        }
    }

    /// Attributes of an object that formulas give, by name.
    fn of_object(
        &mut self,
        lagrangian: &Lagrangian,
        object: &str,
    ) -> Vec<(&'static str, Type, Range<usize>)> {
        let find = |list: &[Formula]| list.iter().find(|it| it.name == object).cloned();
        let (position, orientation) = (find(&lagrangian.positions), find(&lagrangian.orientations));
        let mut found = Vec::new();
        if let Some(it) = orientation {
            let shown = self.show(&it.scalars);
            found.push(("orientation", it.ty, shown));
        }
        if let Some(it) = position {
            let shown = self.show(&it.scalars);
            let Self { pool, along, .. } = self;
            let rates: Vec<Expr> = it.scalars.iter().map(|&it| along.of(pool, it)).collect();
            let moving = self.show(&rates);
            found.push(("position", it.ty, shown));
            found.push(("velocity", Type::vector(3), moving));
        }
        found
    }

    fn compile(self, lagrangian: &Lagrangian, options: &Options) -> Result<Shown, String> {
        let mut compiler = Compiler::new(lagrangian, self.pool, options);
        let compiled = compiler.formulas(&self.all)?;
        let formulas = self.all.iter().map(|&it| compiler.numeric(it)).collect();
        Ok(Shown { compiled, compiler, formulas })
    }
}

/// Formulas that are shown: all at once as code, and one by one where some of them have no value.
#[derive(Debug)]
struct Shown {
    compiled: Compiled,
    compiler: Compiler,
    formulas: Vec<Expr>,
}

impl Shown {
    /// Their values in a state; NaN for those that have none.
    fn at(&self, state: &State) -> Vec<f64> {
        let mut shown = vec![0.0; self.compiled.len()];
        let moving = self.compiler.moving(state);
        if !self.compiled.run(state.time, &state.q, moving, &mut shown) {
            for (value, &formula) in shown.iter_mut().zip(&self.formulas) {
                let found = self.compiler.value(formula, state.time, &state.q, moving);
                *value = if found.is_finite() { found } else { f64::NAN };
            }
        }
        shown
    }
}
