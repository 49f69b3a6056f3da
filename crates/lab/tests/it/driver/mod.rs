//! Durations, stops, keyframes and divergence: what every run has in common, in all four mechanics.

mod divergence;
mod durations;
mod energy;
mod keyframes;
mod shared_code;
mod stops;
mod texts;
