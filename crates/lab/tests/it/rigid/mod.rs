//! `mechanics = rigid`: what files say, what is said of them, and the worlds that are made of them.

mod any_text;
mod inspection;
mod messages;
mod worlds;
