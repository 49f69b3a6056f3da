//! Contacts against those of MuJoCo, stored by `tests/oracle/contacts.py`, and against what must hold of all
//! contacts.

mod data;
mod memory;
mod properties;
mod scenes;
mod shapes;
