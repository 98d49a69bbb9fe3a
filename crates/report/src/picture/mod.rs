//! Pictures of an execution: a graph in SVG or for Graphviz, and a page with all there is to see.

mod dot;
mod layout;
mod page;
mod svg;

pub use dot::dot;
pub use page::{Page, page};
pub use svg::{escaped, svg_file};
