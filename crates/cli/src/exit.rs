//! Exit codes that scripts rely on.

/// A fault was found.
pub const FAULT: u8 = 42;
/// Nothing was found, but something was cut.
pub const CUT: u8 = 3;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The compiler refused the input.
pub const COMPILER: u8 = 4;
/// The program reached something unsupported.
pub const UNSUPPORTED: u8 = 5;
/// Something is wrong with Raddle.
pub const INTERNAL: u8 = 70;
/// The user stopped it.
pub const INTERRUPTED: u8 = 130;
