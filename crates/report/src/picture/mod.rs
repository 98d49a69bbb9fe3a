//! Pictures of an execution: a graph in SVG or for Graphviz, and a page with all there is to see.

mod compared;
mod dot;
mod layout;
mod litmus;
mod page;
mod svg;

pub use compared::compare_page;
pub use dot::dot;
pub use litmus::{DrawnOutcome, DrawnTest, litmus_page};
pub use page::{Page, page};
pub use svg::{escaped, svg_file};
