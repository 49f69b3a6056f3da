//! Elements of a model as they are written, with the values that their default classes give them. Nothing is
//! computed here: the folder `compile` does that once everything has been read.

pub(crate) mod actuator;
pub(crate) mod compiler;
pub(crate) mod contact;
pub(crate) mod defaults;
pub(crate) mod equality;
pub(crate) mod geom;
pub(crate) mod inertial;
pub(crate) mod joint;
pub(crate) mod mesh;
pub(crate) mod option;
pub(crate) mod orientation;
pub(crate) mod sections;
pub(crate) mod site;
pub(crate) mod tendon;
pub(crate) mod tree;
pub(crate) mod unsupported;
