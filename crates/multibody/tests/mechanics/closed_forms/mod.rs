//! Motions and forces with closed forms.

mod anisotropy;
mod landing;
mod pendula;
mod rotation;
mod sliding;
mod stack;
