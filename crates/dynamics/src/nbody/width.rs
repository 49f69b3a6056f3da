//! Register width of the kernel: found when the program runs, so one binary serves every machine.
//!
//! A [`Width`] is the proof that this machine has the instructions: it comes only from [`Width::best`] and
//! [`Width::available`]. The bits of a result never depend on it, only the time they take.

#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512, Lanes, Plain, Sse2};
use std::fmt;

/// A register width this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work written once for all widths. Implementations of `run` are `#[inline(always)]`: only what is inlined
/// below [`Width::run`] is compiled for the wide registers.
pub(super) trait Job {
    type Output;
    fn run<V: Lanes>(self) -> Self::Output;
}

impl Width {
    /// The fastest width of this machine. The processor is asked once per process.
    pub fn best() -> Self {
        Self::available().last().expect("the plain width is always there")
    }

    /// Every width of this machine, slowest first: one f64 at a time, then 128, 256 and 512 bits.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let kinds = [
            (Kind::Plain, true),
            (Kind::Sse2, true),
            (Kind::Avx2, is_x86_feature_detected!("avx2")),
            (Kind::Avx512, is_x86_feature_detected!("avx512f")),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let kinds = [(Kind::Plain, true)];
        kinds.into_iter().filter_map(|(kind, here)| here.then_some(Self(kind)))
    }

    /// Its usual name, in lower case.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// Runs a job in registers of this width.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls functions compiled for instructions not every processor has")
    )]
    pub(super) fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Kind::Plain => job.run::<Plain>(),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => job.run::<Sse2>(),
            // SAFETY: `available` is the only place that makes these two, after detecting the feature.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { run_avx2(job) },
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { run_avx512(job) },
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<J: Job>(job: J) -> J::Output {
    job.run::<Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<J: Job>(job: J) -> J::Output {
    job.run::<Avx512>()
}
