//! The gallery: the experiments of the folder `experiments`, with what they import, inside the program.
//!
//! A new file of that folder needs one line in the list below; a test holds the list against the folder.

/// The texts of files in `experiments`, by name.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, text: include_str!(concat!("../../../experiments/", $name)) }),*]
    };
}

/// All files, sorted by name.
pub const FILES: &[File] = files![
    "anharmonic.lab",
    "apsidal_angles.lab",
    "aristotle.lab",
    "ball_chain.lab",
    "bead_on_hoop.lab",
    "billiards.lab",
    "bounce.lab",
    "bouncing_ball.lab",
    "bouncing_to_rest.lab",
    "bowling.lab",
    "break_shot.lab",
    "bullet_and_paper.lab",
    "cam.lab",
    "cannonball.lab",
    "cart_pole.lab",
    "carts.lab",
    "chain.lab",
    "chapter5.lab",
    "chapter5_scene.lab",
    "conical_pendulum.lab",
    "coupled_oscillators.lab",
    "cradle_on_strings.lab",
    "cyclotron.lab",
    "dice.lab",
    "dice.vfl",
    "digits_of_pi.lab",
    "dominoes.lab",
    "double_pendulum.lab",
    "dzhanibekov.lab",
    "elastic_pendulum.lab",
    "falling_with_drag.lab",
    "figure_eight.lab",
    "foucault.lab",
    "four_bar.lab",
    "galilean_cannon.lab",
    "gas.lab",
    "gravity_one_over_r.lab",
    "gripper.lab",
    "gyroscope.lab",
    "heavy_top.lab",
    "impacts.vfl",
    "kapitza.lab",
    "kepler.lab",
    "kepler_equation.lab",
    "kepler_lagrangian.lab",
    "lagrangian_pendulum.lab",
    "loaded_die.lab",
    "many_dice.lab",
    "moon_landing.lab",
    "newtons_cradle.lab",
    "off_centre.lab",
    "orbits.vfl",
    "pendulum.lab",
    "pendulum_and_wall.lab",
    "projectile.lab",
    "pyramid.lab",
    "ragdoll.lab",
    "ramp.lab",
    "ramp_race.lab",
    "rebounds.lab",
    "rigid_cradle.lab",
    "rigid_pyramid.lab",
    "rigid_ramp.lab",
    "rigid_stack.lab",
    "rindler_horizon.lab",
    "rocket.lab",
    "rolling_coin.lab",
    "six_bar.lab",
    "soft_figure.lab",
    "soft_landing.lab",
    "soft_linkage.lab",
    "solids.vfl",
    "special.vfl",
    "spherical_pendulum.lab",
    "spinning_bounce.lab",
    "spring.lab",
    "stack.lab",
    "standing_wave.lab",
    "star_cluster.lab",
    "stopping.lab",
    "superelastic.lab",
    "swinging_atwood.lab",
    "tautochrone.lab",
    "thousand_bounces.lab",
    "two_body.lab",
    "two_spheres.lab",
    "workflow_orbit.lab",
    "workflow_thermostat.lab",
];

/// A file of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

const EXPERIMENT_EXTENSION: &str = ".lab";

impl File {
    /// Title of an experiment: its name without the ending. `None` for libraries and shapes.
    pub fn title(&self) -> Option<&'static str> {
        self.name.strip_suffix(EXPERIMENT_EXTENSION)
    }

    /// Summary: the first sentence of the comment that it begins with.
    pub fn summary(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.trim().strip_prefix("//")).map(str::trim);
        let words: Vec<&str> = comment.take_while(|line| !line.is_empty()).collect();
        let paragraph = words.join(" ");
        match paragraph.find(". ") {
            Some(end) => paragraph[..=end].to_owned(),
            None => paragraph,
        }
    }

    /// The file, and all files of the gallery that it needs: those it names in quotes, and those that these
    /// name.
    pub fn with_imports(&self) -> Vec<Self> {
        let mut needed = vec![*self];
        let mut looked_at = 0;
        while let Some(&file) = needed.get(looked_at) {
            let names = |other: &&Self| file.text.contains(&format!("\"{}\"", other.name));
            for other in FILES.iter().filter(names) {
                if !needed.contains(other) {
                    needed.push(*other);
                }
            }
            looked_at += 1;
        }
        needed
    }
}

/// All experiments, sorted by name.
pub fn experiments() -> impl Iterator<Item = File> {
    FILES.iter().copied().filter(|file| file.title().is_some())
}

/// The experiment of this name, with or without its ending.
pub fn experiment(name: &str) -> Option<File> {
    let title = name.strip_suffix(EXPERIMENT_EXTENSION).unwrap_or(name);
    experiments().find(|file| file.title() == Some(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().expect("our names are UTF-8")).collect();
        names.sort();
        let listed: Vec<&str> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(listed, names, "every file of `experiments` has its line in the list, sorted");
    }

    #[test]
    fn every_experiment_says_what_it_is_about() {
        for file in experiments() {
            let summary = file.summary();
            assert!(summary.len() > 10, "{} begins with a comment: {summary:?}", file.name);
            assert!(!summary.contains('\n') && !summary.contains("//"), "{summary}");
        }
    }

    #[test]
    fn what_is_imported_comes_along() {
        let names = |name: &str| -> Vec<&str> {
            experiment(name).unwrap().with_imports().iter().map(|file| file.name).collect()
        };
        assert_eq!(names("chapter5"), ["chapter5.lab", "solids.vfl"]);
        assert_eq!(names("bouncing_ball.lab"), ["bouncing_ball.lab"]);
        assert_eq!(experiment("solids"), None, "a library is no experiment");
    }
}
