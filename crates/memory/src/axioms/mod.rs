//! Memory models that are sets of allowed graphs: what a graph of committed events must keep to.

pub mod power;
