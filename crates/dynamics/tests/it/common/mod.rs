//! What several tests share: a short way to declare columns of their own.

/// `Name: value, "name", Life;` for each column.
macro_rules! attributes {
    ($($name:ident: $value:ty, $label:literal, $life:ident;)*) => {$(
        struct $name;
        impl gedanken_dynamics::Attribute for $name {
            type Value = $value;
            const NAME: &'static str = $label;
            const SYMBOL: &'static str = $label;
            const UNIT: &'static str = "1";
            const FRAME: gedanken_dynamics::Frame = gedanken_dynamics::Frame::Invariant;
            const LIFE: gedanken_dynamics::Life = gedanken_dynamics::Life::$life;
            const WRITERS: &'static [&'static str] = &[];
        }
    )*};
}

pub(crate) use attributes;
