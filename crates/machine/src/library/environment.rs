//! What a program asks of its surroundings: there is nothing there.

use super::{Builtin, int, nothing};

pub const TABLE: &[(&str, Builtin)] = &[
    ("getenv", nothing),
    ("secure_getenv", nothing),
    ("getpid", |_| Ok(int(1))),
    ("getppid", |_| Ok(int(1))),
    ("gettid", |call| Ok(call.runner.thread.id.0 as u64 + 1)),
    ("getuid", nothing),
    ("geteuid", nothing),
    ("isatty", nothing),
    ("getpagesize", |_| Ok(4096)),
    ("setlocale", nothing),
    ("signal", nothing),
    ("sigaction", nothing),
    ("alarm", nothing),
    ("pthread_atfork", nothing),
];
