//! The element `compiler`: how the rest of the file is to be read.

use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::Code;

/// Where masses come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InertiaFromGeom {
    /// From `inertial` only.
    Never,
    /// From geoms only.
    Always,
    /// From geoms where a body has no `inertial`.
    Auto,
}

/// How a file is to be read.
#[derive(Debug, Clone)]
pub(crate) struct Compiler {
    /// Whether angles are in degrees.
    pub(crate) degrees: bool,
    /// Axes of the three rotations of `euler`; capitals stay fixed.
    pub(crate) euler_sequence: [u8; 3],
    /// Where masses come from.
    pub(crate) inertia_from_geom: InertiaFromGeom,
    /// First and last group of geoms that have mass.
    pub(crate) inertia_groups: [i32; 2],
    /// Whether a range without a word about limits is a limit.
    pub(crate) autolimits: bool,
    /// Whether impossible moments of inertia are replaced by their mean.
    pub(crate) balance_inertia: bool,
    /// Least mass of a body.
    pub(crate) least_mass: f64,
    /// Least moment of inertia of a body.
    pub(crate) least_inertia: f64,
    /// Mass of the whole, if it is to be scaled.
    pub(crate) total_mass: Option<f64>,
    /// Folder of meshes.
    pub(crate) mesh_folder: String,
    /// Whether folders in names of files are dropped.
    pub(crate) strip_path: bool,
    /// Whether frames of free bodies without children are moved to their principal axes.
    pub(crate) align_free: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            degrees: true,
            euler_sequence: *b"xyz",
            inertia_from_geom: InertiaFromGeom::Auto,
            inertia_groups: [0, 5],
            autolimits: true,
            balance_inertia: false,
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
            mesh_folder: String::new(),
            strip_path: false,
            align_free: false,
        }
    }
}

impl Compiler {
    /// Takes over what an element says.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.apply_conventions(attributes, report);
        self.apply_masses(attributes, report);
        if let Some(folder) = attributes.text("assetdir") {
            self.mesh_folder = folder.to_owned();
        }
        if let Some(folder) = attributes.text("meshdir") {
            self.mesh_folder = folder.to_owned();
        }
        self.strip_path = attributes.boolean("strippath", report).unwrap_or(self.strip_path);
        self.align_free = attributes.boolean("alignfree", report).unwrap_or(self.align_free);
        // Geoms that are only seen and bodies that do not move stay what they are: they do not change the
        // motion, but they would change the numbers of bodies and geoms.
        for (name, what) in [
            ("fusestatic", "fusing bodies with their parents (`fusestatic`)"),
            ("fitaabb", "fitting shapes to the bounds of meshes (`fitaabb`)"),
            ("discardvisual", "leaving out geoms that are only seen (`discardvisual`)"),
        ] {
            if attributes.boolean(name, report) == Some(true) {
                let span = attributes.span(name);
                report.unsupported(span, what);
            }
        }
        attributes.without_effect(&[
            "texturedir",
            "usethread",
            "saveinertial",
            "savecompiled",
            "savecanonical",
            "conflict",
            "passthrough",
        ]);
    }

    fn apply_conventions(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(unit) = attributes.choice("angle", &["radian", "degree"], report) {
            self.degrees = unit == 1;
        }
        if attributes.choice("coordinate", &["local", "global"], report) == Some(1) {
            report.unsupported(attributes.span("coordinate"), "`coordinate=\"global\"`");
        }
        if let Some(sequence) = attributes.text("eulerseq") {
            match <[u8; 3]>::try_from(sequence.as_bytes()) {
                Ok(axes) if axes.iter().all(|axis| b"xyzXYZ".contains(axis)) => self.euler_sequence = axes,
                _ => report.error(
                    Code::E006,
                    attributes.span("eulerseq"),
                    "`eulerseq` is three of the letters x, y, z, X, Y and Z",
                ),
            }
        }
        self.autolimits = attributes.boolean("autolimits", report).unwrap_or(self.autolimits);
    }

    fn apply_masses(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(choice) = attributes.choice("inertiafromgeom", &["false", "true", "auto"], report) {
            self.inertia_from_geom =
                [InertiaFromGeom::Never, InertiaFromGeom::Always, InertiaFromGeom::Auto][choice];
        }
        if let Some([first, last]) = attributes.numbers::<2>("inertiagrouprange", report) {
            self.inertia_groups = [first as i32, last as i32];
        }
        self.balance_inertia = attributes.boolean("balanceinertia", report).unwrap_or(self.balance_inertia);
        self.least_mass = attributes.number("boundmass", report).unwrap_or(self.least_mass);
        self.least_inertia = attributes.number("boundinertia", report).unwrap_or(self.least_inertia);
        if let Some(total) = attributes.number("settotalmass", report) {
            self.total_mass = (total > 0.0).then_some(total);
        }
    }

    /// An angle in radians, from one in the unit of the file.
    pub(crate) fn radians(&self, angle: f64) -> f64 {
        if self.degrees { angle * (std::f64::consts::PI / 180.0) } else { angle }
    }
}
