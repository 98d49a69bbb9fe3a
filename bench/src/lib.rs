//! Benchmarks: declared lists of cases, each a program under a plan with what is expected of it; what came of them as
//! CSV and SVG.
//!
//! The cases are run by the `raddle` binary, as a user would run it. A verdict or a count that is not the expected one
//! is an error.

pub mod case;
pub mod cav;
pub mod experiment;
pub mod growth;
pub mod kept;
pub mod measure;
pub mod plot;
pub mod published;
pub mod rinspect;
pub mod tacas;
pub mod tracer;

pub use case::{Answer, Case, Expected, Input};
pub use experiment::{Experiment, Summary};
pub use measure::{Row, measure};
