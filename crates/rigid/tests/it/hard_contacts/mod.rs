//! Contacts that are hard to solve: edges on edges, loads that statics leaves open, strong friction, random scenes.

mod cards;
mod random_scenes;
mod shared_loads;
mod strong_friction;
