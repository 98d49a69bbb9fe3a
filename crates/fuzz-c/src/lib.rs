//! Random C programs through the command line: writes programs, compiles them, and compares what `raddle check` says of
//! them under different models and algorithms, of variants of them, and what they do when they are run natively.
//!
//! It knows the command line and nothing of what is behind it. A batch of programs is one file, whose `main` begins
//! with a choice between them, so that most of the time is spent on exploring. The status with which a program ends is
//! a hash of its final state: what every thread has in its registers, and what is in memory.

#![warn(clippy::too_many_lines)]

mod compare;
mod declared;
mod draw;
mod flows;
mod render;
mod runs;
mod shrink;
mod statement;
mod summary;

pub use compare::{Difference, examine};
pub use draw::{Flavour, draw};
pub use flows::{Flow, draw_flows, misjudged};
pub use render::{Program, Variant, render};
pub use runs::Tools;
pub use shrink::shrunk;
pub use summary::Summary;
