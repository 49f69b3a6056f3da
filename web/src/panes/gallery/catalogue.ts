// The gallery as a reader goes through it: groups in order, titles for people, and how much each asks of the reader.
//
// An experiment that is not listed here is shown at the end under its own name; a test holds the list against the gallery.
import { nameOf } from "../../lab/saving/file.ts";
import type { Origin } from "../../wire/types.ts";

/** 1: to begin with. 2: school. 3: university. */
export type Level = 1 | 2 | 3;

export interface Listed {
  name: string;
  title: string;
  level: Level;
}

export type GroupName = "first" | "collisions" | "oscillations" | "orbits" | "fields" | "friction" | "rigid" | "mechanisms" | "energies" | "rules";

/** Lines of name, level and title. */
function list(lines: string): Listed[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", level = "", ...title] = line.trim().split(" ");
      return { name, level: Number(level) as Level, title: title.join(" ") };
    });
}

export const GROUPS: readonly { group: GroupName; experiments: readonly Listed[] }[] = [
  {
    group: "first",
    experiments: list(`
      bounce 1 A ball that bounces
      bouncing_ball 1 The same ball, every law explicit
      projectile 1 Three throws
      moon_landing 1 Landing on the Moon
      rebounds 1 Four materials
      bouncing_to_rest 2 Infinitely many bounces
      falling_with_drag 2 A droplet and a skydiver
      aristotle 1 Aristotle's law
      superelastic 1 A ball that gains speed`),
  },
  {
    group: "collisions",
    experiments: list(`
      two_spheres 1 Two balls in empty space
      carts 1 Carts of steel, wood and clay
      newtons_cradle 1 Newton's cradle, laid flat
      billiards 2 Billiards: the right angle
      galilean_cannon 2 The Galilean cannon
      digits_of_pi 2 Digits of pi by counting
      break_shot 2 The break shot
      thousand_bounces 2 A thousand bounces
      bullet_and_paper 2 A bullet and a sheet of paper
      gas 2 A gas of eight molecules
      spinning_bounce 3 Balls with spin
      off_centre 3 A rod that is hit off its centre`),
  },
  {
    group: "oscillations",
    experiments: list(`
      spring 1 A weight on a spring
      pendulum 2 A pendulum that swings far
      pendulum_and_wall 2 A pendulum and a wall
      coupled_oscillators 2 Two carts and three springs
      standing_wave 3 A standing wave
      conical_pendulum 3 A pendulum that goes in a circle
      tautochrone 3 Huygens's curve
      anharmonic 3 A valley that is not a parabola
      cradle_on_strings 2 Newton's cradle on its strings`),
  },
  {
    group: "orbits",
    experiments: list(`
      kepler 2 A planet on an ellipse
      two_body 2 A double star
      kepler_equation 3 An ellipse without any force
      gravity_one_over_r 2 Gravity that falls as 1/r
      apsidal_angles 3 What an orbit tells of its force
      figure_eight 3 Three bodies on a figure of eight
      star_cluster 3 A cluster of stars`),
  },
  {
    group: "fields",
    experiments: list(`
      rocket 2 A rocket that burns its mass
      cyclotron 3 Charges in a magnetic field
      foucault 3 Foucault's pendulum
      rindler_horizon 3 A rocket that light cannot catch`),
  },
  {
    group: "friction",
    experiments: list(`
      ramp 1 Three blocks on a ramp
      stopping 2 Boxes that slide to rest
      stack 2 Five boxes, by laws of your own
      pyramid 2 A pyramid of ten bricks
      chapter5 3 Cuboids that tumble
      chapter5_scene 3 Ten objects for half a minute`),
  },
  {
    group: "rigid",
    experiments: list(`
      rigid_ramp 1 Ice, wood and rubber on a ramp
      ramp_race 2 A race down a ramp
      bowling 2 A bowling ball
      dominoes 1 Dominoes
      rigid_stack 2 Eight boxes stand still
      rigid_pyramid 2 A pyramid of twenty-one bricks
      cannonball 1 A cannon ball and a wall
      dice 1 A die is thrown
      many_dice 2 Five dice in a tray
      loaded_die 2 A loaded die
      rolling_coin 3 A coin that rolls in a circle
      gyroscope 3 A gyroscope
      dzhanibekov 3 The tennis racket turns over`),
  },
  {
    group: "mechanisms",
    experiments: list(`
      rigid_cradle 2 Newton's cradle, as rigid bodies
      chain 2 A chain of twenty links
      ball_chain 3 A chain in space
      four_bar 2 Crank, coupler and rocker
      ragdoll 2 A puppet falls
      soft_landing 3 Three balls on a soft floor
      soft_linkage 3 A linkage closed softly
      six_bar 3 Three cranks and two rods
      cam 3 A barrel cam and its follower
      gripper 3 A box held by friction
      soft_figure 3 A figure falls and lies`),
  },
  {
    group: "energies",
    experiments: list(`
      lagrangian_pendulum 2 The pendulum from its energies
      cart_pole 3 A pole on a cart
      double_pendulum 3 The double pendulum
      elastic_pendulum 3 A spring that also swings
      spherical_pendulum 3 A pendulum in space
      kepler_lagrangian 3 A planet in polar coordinates
      bead_on_hoop 3 A bead on a hoop that turns
      swinging_atwood 3 Atwood's machine, swinging
      kapitza 3 A pendulum on its head
      heavy_top 3 A heavy top`),
  },
  {
    group: "rules",
    experiments: list(`
      workflow_orbit 3 An orbit by rules of your own
      workflow_thermostat 2 A room with a thermostat`),
  },
];

const LISTED = new Map(GROUPS.flatMap(({ experiments }) => experiments.map((it) => [it.name, it] as const)));

/** What is known of an experiment of the gallery. */
export function listed(name: string): Listed | null {
  return LISTED.get(name) ?? null;
}

/** The title of an experiment, for people. A file is called as its owner has called it. */
export function titleOf(origin: Origin): string {
  const name = nameOf(origin);
  return (origin.from === "gallery" ? LISTED.get(name)?.title : undefined) ?? name;
}
