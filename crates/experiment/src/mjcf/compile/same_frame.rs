//! Frames that are nearly the same count as the same, as MuJoCo has it: what is off by less than 1e-6 is
//! rounding of the file.

use gedanken_math::{Pose, Quat};
use gedanken_multibody::model::Description;

/// Differences below this are none.
const NEAR: f64 = 1e-6;

/// Makes frames of masses and geoms equal to those of their bodies, or of their masses, where they nearly are.
pub(super) fn unite(description: &mut Description) {
    for body in &mut description.bodies {
        snap(&mut body.inertia_pose, &Pose::IDENTITY);
    }
    for geom in &mut description.geoms {
        let inertia = description.bodies[geom.body.index()].inertia_pose;
        if !snap(&mut geom.pose, &Pose::IDENTITY) {
            snap(&mut geom.pose, &inertia);
        }
    }
}

/// Makes a pose another one if it nearly is, or its rotation alone; `false` if it is neither.
fn snap(pose: &mut Pose, to: &Pose) -> bool {
    if !is_same_rotation(pose.rotation, to.rotation) {
        return false;
    }
    pose.rotation = to.rotation;
    if (pose.translation - to.translation).abs().max_element() < NEAR {
        pose.translation = to.translation;
    }
    true
}

/// Two quaternions of opposite signs are the same rotation.
fn is_same_rotation(one: Quat, other: Quat) -> bool {
    let near =
        |one: [f64; 4], sign: f64| one.iter().zip(other.to_array()).all(|(a, b)| (a * sign - b).abs() < NEAR);
    near(one.to_array(), 1.0) || near(one.to_array(), -1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_math::Vec3;
    use gedanken_math::rotation::about_axis;

    #[test]
    fn frames_within_a_millionth_are_one() {
        let away = Pose::new(about_axis(0, 1e-7), Vec3::new(1e-7, 0.0, 0.0));
        let mut pose = away;
        assert!(snap(&mut pose, &Pose::IDENTITY) && pose == Pose::IDENTITY);
        // Far away, only the rotation is taken.
        let mut pose = Pose::new(-away.rotation, Vec3::X);
        assert!(snap(&mut pose, &Pose::IDENTITY) && pose == Pose::at(Vec3::X));
        let mut pose = Pose::new(about_axis(0, 1e-5), Vec3::ZERO);
        assert!(!snap(&mut pose, &Pose::IDENTITY) && pose.rotation != Quat::IDENTITY);
    }
}
