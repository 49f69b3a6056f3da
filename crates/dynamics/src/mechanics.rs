//! Mechanics: a model and its laws, as the parts that integrators are made of.
//!
//! An integrator is a composition of a few moves. [`Mechanics`] supplies them for the laws at hand: evaluate
//! the forces, kick the velocities, drift the positions (and turn the bodies), and, for Runge-Kutta methods,
//! the linear combinations of stages. Kicks by laws that depend on velocities are implicit
//! ([`crate::integrate::kick`]). Every move is a flow of small rules; when a ledger is asked for, the
//! moves also book the impulse and the work of each law.

use crate::attributes::{
    Acceleration, AngularVelocity, Force, Inertia, Mass, Orientation, Position, PositionSlope, Settled,
    StartPosition, StartVelocity, Torque, Velocity, VelocitySlope,
};
use crate::booking::{Booking, clear};
use crate::core::access::{Access, Verb, read, write};
use crate::core::attribute::Attribute;
use crate::core::fault::BuildError;
use crate::core::flow::{Flow, par, seq};
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::table::write_table;
use crate::integrate::kick::rules::{self as kick_rules, MovingLaws};
use crate::integrate::kick::{KickSearch, MAX_ROUNDS};
use crate::integrate::moves::{Moves, Splitting};
use crate::integrate::rotation::{self, Rotation};
use crate::laws::law::{Laws, Target};
use crate::space::Space;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::Quantity;

/// A model with its laws, ready for an integrator.
#[derive(Debug, Clone)]
pub struct Mechanics<S: Space> {
    model: Model,
    laws: Laws<S>,
    rotation: Option<&'static Rotation>,
    ledger: bool,
    forces: Flow,
    /// The laws whose forces depend on velocities.
    moving: Option<MovingLaws<S>>,
}

impl<S: Space> Mechanics<S> {
    /// The laws acting on the model's bodies. Bodies that have an orientation turn by the Lie-group method.
    pub fn new(model: &Model, laws: impl Into<Laws<S>>) -> Result<Self, BuildError> {
        let rotation = model.column(Orientation::NAME).map(|_| &rotation::FREE_ROTATION);
        Self::assemble(model.clone(), laws.into(), rotation, false)
    }

    /// The same with another way to turn bodies.
    pub fn with_rotation(self, rotation: &'static Rotation) -> Result<Self, BuildError> {
        Self::assemble(self.model, self.laws, Some(rotation), self.ledger)
    }

    /// The same with a ledger: every step books the work of every law.
    pub fn with_ledger(self) -> Result<Self, BuildError> {
        Self::assemble(self.model, self.laws, self.rotation, true)
    }

    fn assemble(
        model: Model,
        laws: Laws<S>,
        rotation: Option<&'static Rotation>,
        ledger: bool,
    ) -> Result<Self, BuildError> {
        if let Some(term) = laws.terms().iter().find(|term| term.law.turns() && rotation.is_none()) {
            return Err(BuildError::Unfit(format!(
                "the law '{}' turns bodies, but the model's bodies have no '{}'",
                term.label,
                Orientation::NAME
            )));
        }
        let turns = rotation.is_some();
        let (mut acting, mut moving) = (Vec::new(), Vec::new());
        for term in laws.terms() {
            let target = if ledger { Target::labelled(term.label.clone()) } else { Target::total() };
            acting.push(Flow::from(term.rule(&model, &target)?));
            if term.depends_on_motion(&model)? {
                moving.push(term.clone());
            }
        }
        let moving = MovingLaws::of(moving.into_iter(), &model);
        let booking = Booking::<S>::new(&laws, turns);
        let clear = if ledger { booking.clear_forces() } else { clear::<S>(None, turns) };
        let sum = if ledger { booking.add_up_forces() } else { seq![] };
        let forces = seq![clear, Flow::Par(acting), sum];
        Ok(Self { model, laws, rotation, ledger, forces, moving })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The laws.
    #[must_use]
    pub fn laws(&self) -> &Laws<S> {
        &self.laws
    }

    /// Returns `true` if steps book the work of each law.
    #[must_use]
    pub fn has_ledger(&self) -> bool {
        self.ledger
    }

    /// The forces at the present positions, kept as accelerations: what adaptive steps look at before the
    /// first one.
    pub(crate) fn evaluation(&self) -> Flow {
        seq![self.begin(), self.forces(), keep_acceleration::<S>()]
    }

    /// Returns `true` if forces depend on velocities: kicks are implicit then.
    #[must_use]
    pub fn depends_on_motion(&self) -> bool {
        self.moving.is_some()
    }

    fn laws_read_velocity(&self) -> bool {
        let reads =
            |access: &Access| access.verb == Verb::Reads && &*access.attribute.name == Velocity::<S>::NAME;
        self.forces.rules().iter().any(|rule| rule.domain().iter().any(reads))
    }

    fn booking(&self) -> Booking<S> {
        Booking::new(&self.laws, self.rotation.is_some())
    }

    /// Books a change of velocity made by `change` from the present forces for `weight` of the step.
    fn booked(&self, change: Flow, weight: f64) -> Flow {
        if !self.ledger {
            return change;
        }
        let booking = self.booking();
        seq![booking.open(), change, booking.gather(weight), booking.close()]
    }
}

/// v′ = v + (h/m) F for every body with a mass.
fn kick<S: Space>() -> Rule {
    let view = (read::<Force<S>>(), read::<Mass>(), write::<Velocity<S>>());
    Rule::new("kick", view, |step, (f, m, v)| {
        for ((v, f), m) in v.iter_mut().zip(f).zip(m) {
            if m.si() > 0.0 {
                *v += Quantity::new(f.si() * (step.h.si() / m.si()));
            }
        }
    })
}

/// ω′ = ω + h I⁻¹ τ in the world frame, at fixed orientation.
fn angular_kick() -> Rule {
    let view = (read::<Torque>(), read::<Orientation>(), read::<Inertia>(), write::<AngularVelocity>());
    let rule = Rule::new("angular kick", view, |step, (torque, q, inertia, omega)| {
        for (k, i) in inertia.iter().enumerate().filter(|(_, i)| i.si().x > 0.0) {
            let torque_body = to_body(q[k], torque[k].si());
            omega[k] += Quantity::new(to_world(q[k], torque_body / i.si()) * step.h.si());
        }
    });
    rule.with_cost(4.0)
}

/// a = F/m; zero without a mass.
fn keep_acceleration<S: Space>() -> Rule {
    let view = (read::<Force<S>>(), read::<Mass>(), write::<Acceleration<S>>());
    Rule::new("keep acceleration", view, |_, (f, m, a)| {
        for ((a, f), m) in a.iter_mut().zip(f).zip(m) {
            *a = if m.si() > 0.0 { Quantity::new(f.si() / m.si()) } else { Quantity::default() };
        }
    })
}

/// r′ = r + h v; time passes.
fn drift<S: Space>() -> Rule {
    let rule = Rule::new("drift", (read::<Velocity<S>>(), write::<Position<S>>()), |step, (v, r)| {
        for (r, v) in r.iter_mut().zip(v) {
            *r += *v * step.h;
        }
    });
    rule.advancing()
}

impl<S: Space> Splitting for Mechanics<S> {
    fn kick(&self) -> Flow {
        let change = if self.turns() { par![kick::<S>(), angular_kick()] } else { kick::<S>().into() };
        let forces = match &self.moving {
            Some(laws) => {
                let round = seq![self.forces(), laws.seek(self.turns())];
                seq![kick_rules::begin::<S>(self.turns()), round.until::<Settled>(MAX_ROUNDS)]
            }
            None => self.forces(),
        };
        forces >> self.booked(change, 1.0)
    }

    fn drift(&self) -> Flow {
        match self.rotation {
            Some(rotation) => par![drift::<S>(), (rotation.rule)()],
            None => drift::<S>().into(),
        }
    }

    /// v½ = v + ½h a,  r′ = r + h v½,  a′ = F(r′)/m,  v′ = v½ + ½h a′.
    fn verlet(&self) -> Flow {
        if self.moving.is_some() {
            // The middle of the next kick is another one, so that no acceleration is kept.
            let half = || self.kick().scaled(0.5);
            return seq![half(), self.drift(), half(), keep_acceleration::<S>()];
        }
        let half_view = (read::<Acceleration<S>>(), write::<Velocity<S>>());
        let half_kick = Rule::new("half kick", half_view, |step, (a, v)| {
            for (v, a) in v.iter_mut().zip(a) {
                *v += *a * (0.5 * step.h);
            }
        });
        let mut half = Flow::from(half_kick);
        if self.turns() {
            half = par![half, Flow::from(angular_kick()).scaled(0.5)];
        }
        let half = self.booked(half, 0.5);
        let evaluate = seq![self.forces(), keep_acceleration::<S>()];
        // Only the total acceleration is kept, so a ledger, which needs single laws, and bodies that turn
        // evaluate anew: the same positions give the same bits. So do laws that might look at more than that.
        let afresh = self.ledger || self.turns() || self.laws_read_velocity();
        let start = if afresh { evaluate.clone() } else { evaluate.clone().primed() };
        seq![start, half.clone(), self.drift(), evaluate, half]
    }
}

impl<S: Space> Moves for Mechanics<S> {
    fn turns(&self) -> bool {
        self.rotation.is_some()
    }

    fn begin(&self) -> Flow {
        let books = if self.ledger { self.booking().begin() } else { seq![] };
        if self.moving.is_none() {
            return books;
        }
        let begin =
            Rule::new("begin kicks", (write_table::<KickSearch>(),), |_, (search,)| search.begin_step());
        seq![begin, books]
    }

    fn forces(&self) -> Flow {
        self.forces.clone()
    }

    fn save(&self) -> Flow {
        let reads = (read::<Position<S>>(), read::<Velocity<S>>());
        let writes = (write::<StartPosition<S>>(), write::<StartVelocity<S>>());
        let save = Rule::new("save", (reads, writes), |_, ((r, v), (r0, v0))| {
            r0.copy_from_slice(r);
            v0.copy_from_slice(v);
        });
        save.into()
    }

    fn slope(&self, stage: usize, weight: f64) -> Flow {
        let label = stage.to_string();
        let reads = (read::<Velocity<S>>(), read::<Force<S>>(), read::<Mass>());
        let writes =
            (write::<PositionSlope<S>>().labelled(&label), write::<VelocitySlope<S>>().labelled(&label));
        let slope = Rule::new("slope", (reads, writes), |_, ((v, f, m), (kr, kv))| {
            kr.copy_from_slice(v);
            for ((kv, f), m) in kv.iter_mut().zip(f).zip(m) {
                *kv = if m.si() > 0.0 { Quantity::new(f.si() / m.si()) } else { Quantity::default() };
            }
        });
        if self.ledger { seq![slope, self.booking().work_of_stage(weight)] } else { slope.into() }
    }

    fn combine(&self, coefficients: &[f64]) -> Flow {
        macro_rules! for_stages {
            ($($n:literal)*) => {
                match coefficients.len() {
                    $($n => combine::<S, $n>(coefficients),)*
                    n => unreachable!("no tableau has {n} stages"),
                }
            };
        }
        for_stages!(1 2 3 4 5 6 7).into()
    }

    fn midpoint_round(&self) -> Flow {
        crate::integrate::midpoint::round::<S>()
    }

    fn midpoint_finish(&self) -> Flow {
        let finish = crate::integrate::midpoint::finish::<S>();
        // Before the end: the velocity is that of the middle, where the forces are.
        if self.ledger { seq![self.booking().work_of_stage(1.0), finish] } else { finish }
    }

    fn judge(&self, coefficients: &[f64], tolerance: f64) -> Flow {
        let coefficients = coefficients.try_into().expect("an embedded pair has seven stages");
        crate::integrate::dormand_prince::judge::<S>(coefficients, tolerance).into()
    }
}

/// r = r₀ + h Σ c_j k_j, and the same for velocities; slopes with a zero coefficient are not even read.
fn combine<S: Space, const N: usize>(coefficients: &[f64]) -> Rule {
    let c: [f64; N] = std::array::from_fn(|j| coefficients[j]);
    let slopes = (
        std::array::from_fn::<_, N, _>(|j| read::<PositionSlope<S>>().labelled(&j.to_string())),
        std::array::from_fn::<_, N, _>(|j| read::<VelocitySlope<S>>().labelled(&j.to_string())),
    );
    let starts = (read::<StartPosition<S>>(), read::<StartVelocity<S>>());
    let writes = (write::<Position<S>>(), write::<Velocity<S>>());
    let rule = Rule::new("stage", (starts, slopes, writes), move |step, ((r0, v0), (kr, kv), (r, v))| {
        for k in 0..r.len() {
            let (mut dr, mut dv) = (Quantity::default(), Quantity::default());
            for j in (0..N).filter(|&j| c[j] != 0.0) {
                dr += kr[j][k] * c[j];
                dv += kv[j][k] * c[j];
            }
            r[k] = r0[k] + dr * step.h;
            v[k] = v0[k] + dv * step.h;
        }
    });
    rule.with_cost(N as f64)
}
