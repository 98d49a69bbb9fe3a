//! litmus
