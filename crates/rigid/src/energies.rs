//! Energies, momentum and angular momentum of a simulation: of one body or of all.

use super::step::simulation::Simulation;
use crate::world::body::{Body, BodyKind};
use gedanken_dynamics::{ComponentId, ThreeD, diagnostics};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Twist, Vec3};

/// Energies after a step, as the ledger has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy, J.
    pub potential: f64,
    /// Energy that the bodies have gained since the start without anybody's work, J: numerical error.
    pub unearned: f64,
}

const HAS: &str = "every world has poses, motions and masses";

impl Simulation {
    /// ½ m v² of a body, J; zero unless it is dynamic.
    #[must_use]
    pub fn linear_energy_of(&self, id: ComponentId) -> f64 {
        let v = self.twist(id).linear;
        0.5 * self.momentum_of(id).linear.dot(v)
    }

    /// ½ ω·L of a body about its centre of mass, J; zero unless it is dynamic.
    #[must_use]
    pub fn rotational_energy_of(&self, id: ComponentId) -> f64 {
        0.5 * self.momentum_of(id).angular.dot(self.twist(id).angular)
    }

    /// The momentum of a body, and its angular momentum about its centre of mass; zero unless it is dynamic.
    #[must_use]
    pub fn momentum_of(&self, id: ComponentId) -> Twist {
        let Some(body) = self.world().body(id) else { return Twist::ZERO };
        let (q, twist) = (self.centre(id).rotation, self.twist(id));
        let spin = to_world(q, body.moments() * to_body(q, twist.angular));
        Twist::new(twist.linear * body.mass(), spin)
    }

    /// The kinetic energy of all bodies that is in the motion of their centres, J.
    #[must_use]
    pub fn linear_energy(&self) -> f64 {
        self.kinetic_energy() - self.rotational_energy()
    }

    /// The kinetic energy of all bodies that is in their rotation, J.
    #[must_use]
    pub fn rotational_energy(&self) -> f64 {
        diagnostics::rotational_energy(self.state()).expect(HAS).si()
    }

    /// The kinetic energy of all bodies, J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        diagnostics::kinetic_energy::<ThreeD>(self.state()).expect(HAS).si()
    }

    /// The potential energy of each law, J, with the law's label; `None` for a law without a potential, or
    /// one that cannot tell it here.
    pub fn potentials(&self) -> impl Iterator<Item = (&str, Option<f64>)> {
        let energy = |term: &gedanken_dynamics::laws::Term<ThreeD>| term.energy(self.state()).ok().flatten();
        self.world()
            .laws()
            .terms()
            .iter()
            .map(move |term| (&*term.label, energy(term).map(|energy| energy.si())))
    }

    /// The potential energy of all laws, J.
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        self.potentials().filter_map(|(_, energy)| energy).sum()
    }

    /// Kinetic and potential energy, J.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy()
    }

    /// Energies after the last step, by the ledger. `None` if it cannot tell what is earned: it is not kept, or a
    /// potential depends on time or on bodies that move as they are told.
    #[must_use]
    pub fn energy_balance(&self) -> Option<EnergyBalance> {
        let terms = self.world().laws().terms();
        let is_told = |body: &Body| body.kind() == BodyKind::Kinematic;
        let is_led = terms.iter().any(|term| !term.law.is_constant())
            && self.world().bodies().any(|(_, body)| is_told(body));
        if !self.settings().ledger || is_led || terms.iter().any(|term| term.law.is_driven()) {
            return None;
        }
        let ledger = self.ledger();
        let potential = ledger.potentials.iter().flatten().sum();
        Some(EnergyBalance { kinetic: ledger.kinetic, potential, unearned: ledger.total.residual() })
    }

    /// The momentum of all bodies, N·s.
    #[must_use]
    pub fn momentum(&self) -> Vec3 {
        diagnostics::momentum::<ThreeD>(self.state()).expect(HAS).si()
    }

    /// The angular momentum of all bodies about the origin, N·m·s.
    #[must_use]
    pub fn angular_momentum(&self) -> Vec3 {
        diagnostics::angular_momentum(self.state()).expect(HAS).si()
    }
}
