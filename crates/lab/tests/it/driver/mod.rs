//! Durations, stops and keyframes: what every run has in common, in all four mechanics.

mod durations;
mod keyframes;
mod stops;
mod texts;
