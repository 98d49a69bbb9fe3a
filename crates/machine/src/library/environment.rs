//! What a program asks of its surroundings: there is nothing there but what the user says.

use super::{Builtin, Call, int, nothing};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("__raddle_getenv", getenv),
    ("getpid", |_| Ok(int(1))),
    ("getppid", |_| Ok(int(1))),
    ("gettid", |call| Ok(call.runner.thread.id.0 as u64 + 1)),
    ("getuid", nothing),
    ("geteuid", nothing),
    ("isatty", nothing),
    ("getpagesize", |_| Ok(4096)),
    ("alarm", nothing),
    ("pthread_atfork", nothing),
];

/// A variable of the environment, which the front end has put into the program.
fn getenv(call: &mut Call) -> Run<u64> {
    let Some(list) = call.runner.world.program.globals.iter().find(|global| global.name == "envp").map(|global| global.address) else {
        return Ok(0);
    };
    let name = call.string(call.address(0))?;
    for number in 0.. {
        let entry = Address(call.load(Address(list.0 + 8 * number), 8)?);
        if entry.0 == 0 {
            break;
        }
        let text = call.string(entry)?;
        if text.strip_prefix(&name[..]).is_some_and(|rest| rest.first() == Some(&b'=')) {
            return Ok(entry.0 + name.len() as u64 + 1);
        }
    }
    Ok(0)
}
