//! Lagrange's equations.

use super::conserved::{self, Conserved};
use super::refusal::Refusal;
use super::simplify::{self, Effort};
use super::solvability::{self, SolutionMethod};
use super::system::{ConstraintKind, Statement, System};
use crate::matrix::dot;
use crate::{Derivation, Expr, Matrix, Pool, Rational};
use std::collections::{HashMap, HashSet};

/// Maximum number of coupled coordinates whose accelerations are written out.
const MAX_COUPLED_WRITTEN_OUT: usize = 3;

/// Maximum number of steps of all simplifications of one system together: six times the need of three bodies.
const MAX_SIMPLIFICATION_STEPS: u64 = 800_000;

/// Lagrange's equations of a system, as
///
/// M q̈ = f + Aᵀλ,  A q̈ = b.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The system they belong to.
    pub system: System,
    /// L
    pub lagrangian: Expr,
    /// T, if L is T − V with T quadratic in the rates, or if the statement gives it.
    pub kinetic: Option<Expr>,
    /// V, of coordinates and time, likewise.
    pub potential: Option<Expr>,
    /// ∂L/∂q̇
    pub momenta: Vec<Expr>,
    /// ∂L/∂q
    pub pulls: Vec<Expr>,
    /// For reading: an expression of q̈ and λ that is zero, for each coordinate.
    pub motion: Vec<Expr>,
    /// The same divided by the constant factor that all terms share.
    pub divided: Vec<Expr>,
    /// M
    pub mass: Matrix,
    /// f, of coordinates, rates and time.
    pub right: Vec<Expr>,
    /// A, a row for each constraint.
    pub rows: Matrix,
    /// b
    pub bias: Vec<Expr>,
    /// Rate at which each constraint is violated, of coordinates, rates and time: φ̇ of a holonomic one, and
    /// a velocity constraint itself. All are zero along the motion.
    pub speeds: Vec<Expr>,
    /// Method of solution.
    pub solution: SolutionMethod,
    /// q̈ written out, for up to three coupled coordinates without constraints.
    pub accelerations: Option<Vec<Expr>>,
    /// Σ p q̇ − L
    pub energy: Expr,
    /// Conserved quantities. Empty for [`Effort::Plain`].
    pub conserved: Vec<Conserved>,
}

/// The statement as a Lagrangian.
struct Stated {
    lagrangian: Expr,
    kinetic: Option<Expr>,
    potential: Option<Expr>,
}

/// The constraints, differentiated.
struct Held {
    rows: Matrix,
    bias: Vec<Expr>,
    speeds: Vec<Expr>,
}

impl System {
    /// Derives Lagrange's equations. Expressions too large to be read are simplified as far as a bounded
    /// amount of work goes.
    pub fn equations(&self, pool: &mut Pool, effort: Effort) -> Result<Equations, Refusal> {
        pool.within(MAX_SIMPLIFICATION_STEPS, |pool| self.derived(pool, effort))
    }

    fn derived(&self, pool: &mut Pool, effort: Effort) -> Result<Equations, Refusal> {
        self.check(pool)?;
        let Stated { lagrangian, kinetic, potential } = self.stated(pool, effort)?;
        let count = self.coordinates.len();
        let mut by_rate: Vec<Derivation> =
            self.coordinates.iter().map(|it| Derivation::by(pool, it.rate)).collect();
        let momenta: Vec<Expr> = by_rate.iter_mut().map(|by| by.of(pool, lagrangian)).collect();
        let positions: Vec<Expr> = self.coordinates.iter().map(|it| it.position).collect();
        let pulls = pool.gradient(lagrangian, &positions);

        // M is symmetric, so only half of the second derivatives are taken.
        let mut mass = Matrix::zero(pool, count, count);
        for row in 0..count {
            for column in 0..=row {
                pool.check_cancel()?;
                let entry = by_rate[column].of(pool, momenta[row]);
                let entry = effort.simplify(pool, entry);
                mass[(row, column)] = entry;
                mass[(column, row)] = entry;
            }
        }
        // d/dt ∂L/∂q̇ without its part M q̈: the derivative at constant rates.
        let mut in_time = self.at_constant_rates(pool);
        let minus = Rational::from(-1);
        let mut right = Vec::with_capacity(count);
        for (place, by) in by_rate.iter_mut().enumerate() {
            pool.check_cancel()?;
            let carried = in_time.of(pool, momenta[place]);
            let lost = by.of(pool, self.dissipation);
            let force = pool.sum(&[pulls[place], self.forces[place]]);
            let one = Rational::one();
            let f = pool.linear(&[(force, one), (carried, minus.clone()), (lost, minus.clone())]);
            right.push(effort.simplify(pool, f));
        }
        let Held { rows, bias, speeds } = self.held(pool, effort)?;
        pool.check_cancel()?;
        // Before the choice of a method: dependent constraints would make every matrix singular, and the
        // refusal could not name them.
        solvability::check_rows(pool, self, &rows)?;
        let solution = solvability::solution(pool, self, &mass, &rows, &momenta)?;

        let mut motion = self.motion(pool, &mass, &right, &rows);
        let mut divided = motion.clone();
        if effort == Effort::Readable {
            let variables: HashSet<Expr> = self.variables().into_iter().collect();
            for (whole, divided) in motion.iter_mut().zip(&mut divided) {
                pool.check_cancel()?;
                (*whole, *divided) = simplify::equation(pool, *whole, &variables);
            }
        }
        let written = self.constraints.is_empty()
            && mass.blocks(pool).iter().all(|block| block.len() <= MAX_COUPLED_WRITTEN_OUT);
        let accelerations = match written {
            true => mass.solve(pool, &right, &mut |pool, it| effort.simplify(pool, it)),
            false => None,
        };
        let energy = self.energy(pool, effort, lagrangian, &momenta, &mass);
        let mut equations = Equations {
            system: self.clone(),
            lagrangian,
            kinetic,
            potential,
            momenta,
            pulls,
            motion,
            divided,
            mass,
            right,
            rows,
            bias,
            speeds,
            solution,
            accelerations,
            energy,
            conserved: Vec::new(),
        };
        if effort == Effort::Readable {
            // Only now: everything above was derived from the plain forms.
            for it in equations.momenta.iter_mut().chain(&mut equations.pulls) {
                *it = effort.simplify(pool, *it);
            }
            if equations.kinetic.is_none() {
                equations.take_apart(pool);
            }
            equations.conserved = conserved::found(pool, &equations);
        }
        // What was cancelled on the way is not simplified, or not found.
        pool.check_cancel()?;
        Ok(equations)
    }

    /// Returns all symbols that vary along the motion, and the multipliers.
    pub(super) fn variables(&self) -> Vec<Expr> {
        let mut variables = vec![self.time];
        for it in &self.coordinates {
            variables.extend([it.position, it.rate, it.acceleration, it.momentum]);
        }
        variables.extend(self.constraints.iter().map(|it| it.multiplier));
        variables
    }

    /// Returns the derivation in time at constant rates.
    pub(super) fn at_constant_rates(&self, pool: &mut Pool) -> Derivation {
        let one = pool.one();
        let rates = self.coordinates.iter().map(|it| (it.position, it.rate));
        Derivation::in_time(rates.chain([(self.time, one)]))
    }

    /// Returns the expression with all rates 0.
    pub(super) fn at_rest(&self, pool: &mut Pool, expr: Expr) -> Expr {
        let zero = pool.zero();
        let table: HashMap<Expr, Expr> = self.coordinates.iter().map(|it| (it.rate, zero)).collect();
        pool.substitute(expr, &table)
    }

    fn stated(&self, pool: &mut Pool, effort: Effort) -> Result<Stated, Refusal> {
        match self.statement {
            Statement::Lagrangian(lagrangian) => {
                let lagrangian = effort.simplify(pool, lagrangian);
                Ok(Stated { lagrangian, kinetic: None, potential: None })
            }
            Statement::Energies { kinetic, potential } => {
                let (kinetic, potential) = (effort.simplify(pool, kinetic), effort.simplify(pool, potential));
                let lagrangian = pool.sub(kinetic, potential);
                Ok(Stated { lagrangian, kinetic: Some(kinetic), potential: Some(potential) })
            }
            Statement::Hamiltonian(hamiltonian) => {
                let lagrangian = self.lagrangian_of(pool, hamiltonian, effort)?;
                Ok(Stated { lagrangian, kinetic: None, potential: None })
            }
        }
    }

    fn held(&self, pool: &mut Pool, effort: Effort) -> Result<Held, Refusal> {
        let mut rows = Matrix::zero(pool, self.constraints.len(), self.coordinates.len());
        let (mut bias, mut speeds) = (Vec::new(), Vec::new());
        let mut in_time = self.at_constant_rates(pool);
        for (place, constraint) in self.constraints.iter().enumerate() {
            let speed = match constraint.kind {
                ConstraintKind::Position => in_time.of(pool, constraint.value),
                ConstraintKind::Velocity => constraint.value,
            };
            let speed = effort.simplify(pool, speed);
            let mut holds = false;
            for (column, it) in self.coordinates.iter().enumerate() {
                let slope = pool.derivative(speed, it.rate);
                let mut slope = effort.simplify(pool, slope);
                for other in &self.coordinates {
                    let bend = pool.derivative(slope, other.rate);
                    if !simplify::vanishes(pool, bend) {
                        let rate = pool.text(other.rate);
                        return Err(Refusal::NotLinear { name: constraint.name.clone(), rate });
                    }
                }
                if self.coordinates.iter().any(|it| pool.contains(slope, it.rate)) {
                    slope = self.at_rest(pool, slope);
                }
                holds |= !simplify::vanishes(pool, slope);
                rows[(place, column)] = slope;
            }
            if !holds {
                let of_what = if constraint.kind == ConstraintKind::Position { "coordinate" } else { "rate" };
                return Err(Refusal::Idle { name: constraint.name.clone(), of_what });
            }
            let change = in_time.of(pool, speed);
            let opposite = pool.neg(change);
            bias.push(effort.simplify(pool, opposite));
            speeds.push(speed);
        }
        Ok(Held { rows, bias, speeds })
    }

    /// Returns M q̈ − f − Aᵀλ.
    fn motion(&self, pool: &mut Pool, mass: &Matrix, right: &[Expr], rows: &Matrix) -> Vec<Expr> {
        let accelerations: Vec<Expr> = self.coordinates.iter().map(|it| it.acceleration).collect();
        let (one, minus) = (Rational::one(), Rational::from(-1));
        (0..right.len())
            .map(|place| {
                let mut terms = Vec::new();
                for (&entry, &acceleration) in mass.row(place).iter().zip(&accelerations) {
                    terms.push((pool.mul(entry, acceleration), one.clone()));
                }
                terms.push((right[place], minus.clone()));
                for (row, constraint) in self.constraints.iter().enumerate() {
                    let held = pool.mul(rows[(row, place)], constraint.multiplier);
                    terms.push((held, minus.clone()));
                }
                pool.linear(&terms)
            })
            .collect()
    }

    /// Returns Σ p q̇ − L. Where M does not depend on the rates, that is ½ q̇ᵀ M q̇ minus L at rest: terms
    /// linear in the rates do not enter.
    fn energy(
        &self,
        pool: &mut Pool,
        effort: Effort,
        lagrangian: Expr,
        momenta: &[Expr],
        mass: &Matrix,
    ) -> Expr {
        let rates: Vec<Expr> = self.coordinates.iter().map(|it| it.rate).collect();
        let quadratic = mass.entries.iter().all(|&it| rates.iter().all(|&rate| !pool.contains(it, rate)));
        if effort == Effort::Plain || !quadratic {
            let work = dot(pool, momenta, &rates);
            let energy = pool.sub(work, lagrangian);
            return effort.simplify(pool, energy);
        }
        let carried = mass.times(pool, &rates);
        let double = dot(pool, &carried, &rates);
        let kinetic = pool.scale(&Rational::new(1, 2), double);
        let rest = self.at_rest(pool, lagrangian);
        // Each by itself: people do not draw factors out of T + V.
        let (kinetic, rest) = (effort.simplify(pool, kinetic), effort.simplify(pool, rest));
        pool.sub(kinetic, rest)
    }
}

impl Equations {
    /// Returns `true` if M depends on coordinates and time alone.
    pub(super) fn is_quadratic(&self, pool: &Pool) -> bool {
        let rates = || self.system.coordinates.iter().map(|it| it.rate);
        self.mass.entries.iter().all(|&it| rates().all(|rate| !pool.contains(it, rate)))
    }

    /// Splits L = T − V into T and V, if T is purely quadratic in the rates.
    fn take_apart(&mut self, pool: &mut Pool) {
        if !self.is_quadratic(pool) {
            return;
        }
        for place in 0..self.momenta.len() {
            let at_rest = self.system.at_rest(pool, self.momenta[place]);
            if !simplify::vanishes(pool, at_rest) {
                return;
            }
        }
        let rest = self.system.at_rest(pool, self.lagrangian);
        let potential = pool.neg(rest);
        let kinetic = pool.sub(self.lagrangian, rest);
        self.kinetic = Some(Effort::Readable.simplify(pool, kinetic));
        self.potential = Some(Effort::Readable.simplify(pool, potential));
    }
}
