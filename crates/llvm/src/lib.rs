//! llvm
