//! Does many pieces of work side by side and hands on what comes of them in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::{Builder, scope};

/// The stack of a worker: nested text is read by recursion.
const STACK: usize = 64 << 20;

/// Does `work` for every number below `n` on so many threads. `done` gets what came of each, in order, with how many
/// are finished.
pub fn in_order<T: Send>(n: usize, n_workers: usize, work: impl Fn(usize) -> T + Sync, mut done: impl FnMut(T, usize)) {
    let (next, (send, receive)) = (AtomicUsize::new(0), channel());
    scope(|scope| {
        for _ in 0..n_workers.min(n) {
            let (next, work, send) = (&next, &work, send.clone());
            let worker = move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= n || send.send((number, work(number))).is_err() {
                        return;
                    }
                }
            };
            Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread can be started");
        }
        drop(send);
        let (mut early, mut turn) = (BTreeMap::new(), 0);
        for (n_done, (number, result)) in receive.iter().enumerate() {
            early.insert(number, result);
            while let Some(result) = early.remove(&turn) {
                turn += 1;
                done(result, n_done + 1);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::time::Duration;

    #[test]
    fn results_come_in_order() {
        let mut results = Vec::new();
        let slow_first = |n: usize| std::thread::sleep(Duration::from_millis(10 - n as u64));
        in_order(10, 3, |n| (slow_first(n), n).1, |n, _| results.push(n));
        assert_eq!(results, (0..10).collect::<Vec<_>>());
    }
}
