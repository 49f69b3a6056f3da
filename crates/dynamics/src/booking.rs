//! Booking: the rules that record the impulse and the work of every law during a step, for the
//! [`Ledger`](crate::Ledger).

use crate::attributes::{
    AngularImpulse, AngularVelocity, AngularVelocityBefore, Force, Impulse, Torque, Velocity, VelocityBefore,
    Work,
};
use crate::core::access::{read, write};
use crate::core::column::Coordinates;
use crate::core::flow::{Flow, par, seq};
use crate::core::rule::Rule;
use crate::laws::law::Laws;
use crate::space::Space;
use gedanken_math::units::Quantity;
use std::marker::PhantomData;
use std::sync::Arc;

/// The rules that book impulses and work, for a set of laws.
#[derive(Debug)]
pub(crate) struct Booking<S: Space> {
    labels: Vec<Arc<str>>,
    turns: bool,
    space: PhantomData<S>,
}

impl<S: Space> Booking<S> {
    pub(crate) fn new(laws: &Laws<S>, turns: bool) -> Self {
        Self { labels: laws.terms().iter().map(|t| t.label.clone()).collect(), turns, space: PhantomData }
    }

    fn for_each_law(&self, rules: impl Fn(&str) -> Vec<Rule>) -> Flow {
        Flow::par(self.labels.iter().flat_map(|label| rules(label)))
    }

    /// No work done yet in this step.
    pub(crate) fn begin(&self) -> Flow {
        self.for_each_law(|label| vec![Rule::zero("book work", write::<Work>().labelled(label))])
    }

    pub(crate) fn clear_forces(&self) -> Flow {
        let laws = self.labels.iter().map(|label| clear::<S>(Some(label), self.turns));
        Flow::par(laws.chain([clear::<S>(None, self.turns)]))
    }

    /// F = Σ F_k in the order of the laws: the same sum, to the bit, as without a ledger.
    pub(crate) fn add_up_forces(&self) -> Flow {
        let forces = self.labels.iter().map(|label| {
            let view = (read::<Force<S>>().labelled(label), write::<Force<S>>());
            Rule::new("add up forces", view, |_, (part, total)| {
                total.iter_mut().zip(part).for_each(|(total, part)| *total += *part);
            })
        });
        let torques = self.labels.iter().filter(|_| self.turns).map(|label| {
            let view = (read::<Torque>().labelled(label), write::<Torque>());
            Rule::new("add up torques", view, |_, (part, total)| {
                total.iter_mut().zip(part).for_each(|(total, part)| *total += *part);
            })
        });
        par![Flow::seq(forces), Flow::seq(torques)]
    }

    /// Remembers the velocities; no impulse yet.
    pub(crate) fn open(&self) -> Flow {
        let before =
            Rule::new("open", (read::<Velocity<S>>(), write::<VelocityBefore<S>>()), |_, (v, before)| {
                before.copy_from_slice(v);
            });
        let view = (read::<AngularVelocity>(), write::<AngularVelocityBefore>());
        let spins = Rule::new("open", view, |_, (omega, before)| before.copy_from_slice(omega));
        let impulses = self.for_each_law(|label| {
            let mut rules = vec![Rule::zero("book impulse", write::<Impulse<S>>().labelled(label))];
            if self.turns {
                rules.push(Rule::zero("book angular impulse", write::<AngularImpulse>().labelled(label)));
            }
            rules
        });
        if self.turns { par![before, spins, impulses] } else { par![before, impulses] }
    }

    /// J_k += weight·h·F_k.
    pub(crate) fn gather(&self, weight: f64) -> Flow {
        self.for_each_law(|label| {
            let linear = (read::<Force<S>>().labelled(label), write::<Impulse<S>>().labelled(label));
            let angular = (read::<Torque>().labelled(label), write::<AngularImpulse>().labelled(label));
            let mut rules = vec![Rule::new("book impulse", linear, move |step, (f, j)| {
                j.iter_mut().zip(f).for_each(|(j, f)| *j += *f * (step.h * weight));
            })];
            if self.turns {
                rules.push(Rule::new("book angular impulse", angular, move |step, (t, j)| {
                    j.iter_mut().zip(t).for_each(|(j, t)| *j += *t * (step.h * weight));
                }));
            }
            rules
        })
    }

    /// W_k += weight·h·F_k·v, and the same for rotation: one stage of a quadrature of ∫F·v dt.
    pub(crate) fn work_of_stage(&self, weight: f64) -> Flow {
        let linear = self.for_each_law(|label| {
            let reads = (read::<Force<S>>().labelled(label), read::<Velocity<S>>());
            vec![Rule::new(
                "book work",
                (reads, write::<Work>().labelled(label)),
                move |step, ((f, v), work)| {
                    for (k, work) in work.iter_mut().enumerate() {
                        *work += Quantity::new(f[k].si().dot(v[k].si()) * (step.h.si() * weight));
                    }
                },
            )]
        });
        if !self.turns {
            return linear;
        }
        linear
            >> self.for_each_law(|label| {
                let reads = (read::<Torque>().labelled(label), read::<AngularVelocity>());
                vec![Rule::new(
                    "book work",
                    (reads, write::<Work>().labelled(label)),
                    move |step, ((t, v), work)| {
                        for (k, work) in work.iter_mut().enumerate() {
                            *work += t[k].dot(v[k]) * (step.h * weight);
                        }
                    },
                )]
            })
    }

    /// W_k += J_k·(v⁻ + v⁺)/2, and the same for rotation.
    pub(crate) fn close(&self) -> Flow {
        self.for_each_law(|label| {
            let speeds = (read::<VelocityBefore<S>>(), read::<Velocity<S>>());
            let linear = (speeds, read::<Impulse<S>>().labelled(label), write::<Work>().labelled(label));
            vec![Rule::new("book work", linear, |_, ((before, after), j, work)| {
                for (k, work) in work.iter_mut().enumerate() {
                    let mean = (before[k].si() + after[k].si()) * 0.5;
                    *work += Quantity::new(j[k].si().dot(mean));
                }
            })]
        }) >> self.close_rotation()
    }

    fn close_rotation(&self) -> Flow {
        if !self.turns {
            return seq![];
        }
        self.for_each_law(|label| {
            let speeds = (read::<AngularVelocityBefore>(), read::<AngularVelocity>());
            let angular = (speeds, read::<AngularImpulse>().labelled(label), write::<Work>().labelled(label));
            vec![Rule::new("book work", angular, |_, ((before, after), j, work)| {
                for (k, work) in work.iter_mut().enumerate() {
                    *work += j[k].dot((before[k] + after[k]) * 0.5);
                }
            })]
        })
    }
}

/// Sets the sums of forces (and torques) to zero; those of a label, or the total.
pub(crate) fn clear<S: Space>(label: Option<&str>, turns: bool) -> Flow {
    let (mut force, mut torque) = (write::<Force<S>>(), write::<Torque>());
    if let Some(label) = label {
        (force, torque) = (force.labelled(label), torque.labelled(label));
    }
    let forces = Rule::zero("clear forces", force);
    if turns { par![forces, Rule::zero("clear torques", torque)] } else { forces.into() }
}
