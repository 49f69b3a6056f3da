//! The model: what does not change while an experiment runs.
//!
//! A [`Model`] is the component tree and the schema (which columns the state has). It is immutable and
//! shared; states, workflows and diagnostics all point to the same one, and a state of another model is
//! refused.

use super::attribute::{Attribute, AttributeInfo, Life};
use super::column::Column;
use super::component::{ComponentError, ComponentId, Components};
use super::rows::Rows;
use super::state::State;
use super::table::{Table, table_info};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of a column of the state.
pub(crate) type ColumnIndex = usize;

/// Components and schema: immutable, shared.
#[derive(Debug, Clone)]
pub struct Model {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    components: Components,
    schema: Vec<AttributeInfo>,
    /// Index of every column by its name.
    columns: HashMap<Arc<str>, ColumnIndex>,
}

impl Model {
    /// A model of these components, with no attributes yet.
    #[must_use]
    pub fn new(components: Components) -> Self {
        Self { inner: Arc::new(Inner { components, schema: Vec::new(), columns: HashMap::new() }) }
    }

    /// The model with attribute `A` added to the state of its components.
    #[must_use]
    pub fn with<A: Attribute>(self) -> Self {
        self.with_attribute(AttributeInfo::of::<A>())
    }

    /// The model with a table added to its state.
    #[must_use]
    pub fn with_table<T: Table>(self) -> Self {
        self.with_attribute(table_info::<T>())
    }

    /// The model with an attribute described at run time. Adding an attribute that is there already changes
    /// nothing.
    #[must_use]
    pub fn with_attribute(self, info: AttributeInfo) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.inner);
        if !inner.columns.contains_key(&info.name) {
            inner.columns.insert(info.name.clone(), inner.schema.len());
            inner.schema.push(AttributeInfo { life: Life::State, ..info });
        }
        Self { inner: Arc::new(inner) }
    }

    /// The component tree.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.inner.components
    }

    /// The columns of the state, in order.
    #[must_use]
    pub fn schema(&self) -> &[AttributeInfo] {
        &self.inner.schema
    }

    /// The component called `name`.
    pub fn id(&self, name: &str) -> Result<ComponentId, ComponentError> {
        self.components().id(name)
    }

    /// The components called `names` and everything below them: a domain's components.
    pub fn rows<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Rows, ComponentError> {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(self.components().subcomponents(self.id(name)?));
        }
        Ok(Rows::only(ids))
    }

    /// The state in which every entry of every column is missing, at time zero.
    #[must_use]
    pub fn state(&self) -> State {
        let count = self.components().len();
        State::new(self.clone(), self.schema().iter().map(|info| Column::new(info.kind, count)).collect())
    }

    /// Returns `true` if both are the same model, not merely alike.
    #[must_use]
    pub fn is(&self, other: &Model) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    pub(crate) fn column(&self, name: &str) -> Option<ColumnIndex> {
        self.inner.columns.get(name).copied()
    }
}
