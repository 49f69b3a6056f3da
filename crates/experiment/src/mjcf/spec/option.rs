//! The element `option`: settings of the simulation.

use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::Vec3;
use gedanken_multibody::model::{Algorithm, Cone, Disabled, Integrator, Settings, Stopping};

/// Settings, and what is asked for besides them.
#[derive(Debug, Clone, Default)]
pub(crate) struct OptionSpec {
    /// Settings.
    pub(crate) settings: Settings,
    /// Groups of actuators that are switched off, each with a place.
    pub(crate) disabled_groups: Vec<i32>,
}

impl OptionSpec {
    /// Takes over what an `option` says.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(step) = attributes.number("timestep", report) {
            if step > 0.0 {
                self.settings.time_step = step;
            } else {
                report.error(Code::E008, attributes.span("timestep"), "a time step is more than zero");
            }
        }
        if let Some(gravity) = attributes.numbers("gravity", report) {
            self.settings.gravity = Vec3::from_array(gravity);
        }
        if let Some(kind) = attributes.choice("cone", &["pyramidal", "elliptic"], report) {
            self.settings.cone = [Cone::Pyramid { edges: 4 }, Cone::Elliptic][kind];
        }
        let ratio = attributes.number("impratio", report);
        self.settings.impedance_ratio = ratio.unwrap_or(self.settings.impedance_ratio);
        self.apply_integrator(attributes, report);
        self.apply_solver(attributes, report);
        self.apply_medium(attributes, report);
        if let Some(groups) = attributes.list("actuatorgroupdisable", report) {
            self.disabled_groups.extend(groups.iter().map(|group| *group as i32));
        }
        // Overrides say nothing unless their flag is set, which is refused. The other ones belong to MuJoCo's
        // own ways to find contacts, to sleeping, to storage and to sensors.
        attributes.without_effect(&[
            "o_margin",
            "o_solref",
            "o_solimp",
            "o_friction",
            "ls_iterations",
            "ls_tolerance",
            "ccd_iterations",
            "ccd_tolerance",
            "sdf_iterations",
            "sdf_initpoints",
            "sleep_tolerance",
            "jacobian",
            "magnetic",
            "wind",
        ]);
    }

    fn apply_integrator(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        let names = ["Euler", "RK4", "implicit", "implicitfast", "discrete"];
        match attributes.choice("integrator", &names, report) {
            Some(4) => report.unsupported(attributes.span("integrator"), "the integrator `discrete`"),
            Some(kind) => {
                self.settings.integrator = [
                    Integrator::Euler,
                    Integrator::RungeKutta,
                    Integrator::Implicit,
                    Integrator::ImplicitFast,
                ][kind];
            }
            None => {}
        }
    }

    fn apply_solver(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        match attributes.choice("solver", &["PGS", "CG", "Newton"], report) {
            Some(1) => self.settings.solver.algorithm = Algorithm::ConjugateGradient,
            Some(0) => {
                self.settings.solver.algorithm = Algorithm::Newton;
                report.push(
                    Diagnostic::new(
                        Code::W002,
                        attributes.span("solver"),
                        "Newton's method is used instead of `PGS`",
                    )
                    .help("both end in the same forces; write `solver=\"Newton\"` to say so"),
                );
            }
            Some(_) => self.settings.solver.algorithm = Algorithm::Newton,
            None => {}
        }
        let count = |name: &'static str, attributes: &mut Attributes<'_>, report: &mut Report| {
            let found = attributes.integer(name, report)?;
            let count = usize::try_from(found).ok();
            if count.is_none() {
                report.error(Code::E008, attributes.span(name), format!("`{name}` is not negative"));
            }
            count
        };
        let solver = &mut self.settings.solver;
        solver.iterations = count("iterations", attributes, report).unwrap_or(solver.iterations);
        solver.no_slip_iterations =
            count("noslip_iterations", attributes, report).unwrap_or(solver.no_slip_iterations);
        if let Some(tolerance) = attributes.number("tolerance", report) {
            solver.stopping = Stopping::Improvement(tolerance.max(0.0));
        }
        solver.no_slip_tolerance =
            attributes.number("noslip_tolerance", report).unwrap_or(solver.no_slip_tolerance);
    }

    fn apply_medium(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        for (name, what) in [("density", "a medium with density"), ("viscosity", "a medium with viscosity")] {
            if attributes.number(name, report).is_some_and(|value| value != 0.0) {
                report.unsupported(attributes.span(name), what);
            }
        }
    }

    /// Takes over what a `flag` says.
    pub(crate) fn apply_flags(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        let disabled: &mut Disabled = &mut self.settings.disabled;
        for (name, switch) in [
            ("constraint", &mut disabled.constraints),
            ("equality", &mut disabled.equalities),
            ("frictionloss", &mut disabled.friction_loss),
            ("limit", &mut disabled.limits),
            ("contact", &mut disabled.contacts),
            ("spring", &mut disabled.springs),
            ("damper", &mut disabled.dampers),
            ("gravity", &mut disabled.gravity),
            ("clampctrl", &mut disabled.control_clamping),
            ("warmstart", &mut disabled.warm_start),
            ("filterparent", &mut disabled.parent_filter),
            ("actuation", &mut disabled.actuation),
            ("refsafe", &mut disabled.safe_reference),
            ("eulerdamp", &mut disabled.euler_damping),
        ] {
            if let Some(choice) = attributes.choice(name, &["disable", "enable"], report) {
                *switch = choice == 0;
            }
        }
        if let Some(choice) = attributes.choice("diagexact", &["disable", "enable"], report) {
            self.settings.exact_diagonal = choice == 1;
        }
        for (name, refused, what) in [
            ("override", 1, "parameters that override those of all contacts (`override`)"),
            ("sleep", 1, "sleeping"),
            ("ipc", 1, "the contact mode `ipc`"),
            ("speculative", 1, "speculative contacts"),
            ("multiccd", 0, "a single contact for each pair of convex shapes (`multiccd`)"),
        ] {
            if attributes.choice(name, &["disable", "enable"], report) == Some(refused) {
                report.unsupported(attributes.span(name), what);
            }
        }
        attributes.without_effect(&[
            "sensor",
            "midphase",
            "nativeccd",
            "island",
            "autoreset",
            "energy",
            "fwdinv",
            "invdiscrete",
        ]);
    }
}
