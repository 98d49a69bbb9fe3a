//! Who waits for whom in a deadlock: the cycle of threads that hold what the next one wants, and signals that came
//! before anybody waited.

use crate::tell::Waiting;
use crate::why::{Teaching, Why};
use raddle_event::ThreadId;

/// The calls that wake who waits for a condition.
const SIGNALS: [&str; 6] = ["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast", "notify_one", "notify_all"];

impl Teaching<'_> {
    /// Why the threads wait for ever.
    pub(crate) fn deadlocked(&self) -> Why {
        let mut why = Why::default();
        let cycle = self.waits_for_each_other();
        for &thread in &cycle {
            let Some((waiting, holder)) = self.waiting(thread).and_then(|waiting| Some((waiting, waiting.holder?))) else { continue };
            let Some(at) = self.locked(waiting, holder) else { continue };
            let object = &waiting.object;
            let since = self.at(at);
            why.notes.push(match holder == thread {
                true => format!("{thread} waits for `{object}`, which it holds itself since it locked it{since}"),
                false => format!("{thread} waits for `{object}`, which {holder} holds since it locked it{since}"),
            });
            why.marks.extend(self.mark(at, format!("{holder} holds `{object}` from here")));
            why.rows.push(at);
        }
        if cycle.len() > 1 && !why.notes.is_empty() {
            why.help.push("let all threads take these locks in the same order (`std::scoped_lock` takes several at once)".into());
        }
        for waiting in self.story.waiting.iter().filter(|waiting| waiting.is_condition) {
            self.not_signalled(waiting, &mut why);
        }
        for waiting in self.story.waiting.iter().filter(|waiting| !cycle.contains(&waiting.thread) && !waiting.is_condition) {
            let Some(holder) = waiting.holder else { continue };
            let what = if self.locked(waiting, holder).is_some() {
                format!("`{}`, which {holder} holds", waiting.object)
            } else {
                format!("the end of {holder}")
            };
            why.notes.push(format!("{} waits for {what}", waiting.thread));
        }
        why
    }

    fn waiting(&self, thread: ThreadId) -> Option<&Waiting> {
        self.story.waiting.iter().find(|waiting| waiting.thread == thread)
    }

    /// The threads of a cycle, each of which waits for the next.
    fn waits_for_each_other(&self) -> Vec<ThreadId> {
        for start in &self.story.waiting {
            let mut way = vec![start.thread];
            while let Some(next) = way.last().and_then(|&last| self.waiting(last)?.holder) {
                if let Some(from) = way.iter().position(|&thread| thread == next) {
                    return way.split_off(from);
                }
                way.push(next);
            }
        }
        Vec::new()
    }

    /// The event by which a thread took the lock that another waits for.
    fn locked(&self, waiting: &Waiting, holder: ThreadId) -> Option<usize> {
        let range = waiting.range?;
        let is_it = |n: &usize| {
            let row = self.row(*n);
            row.thread == holder && row.deed.range == Some(range) && row.deed.action == "read-modify-write"
        };
        (0..self.story.rows.len()).rev().find(is_it)
    }

    fn not_signalled(&self, waiting: &Waiting, why: &mut Why) {
        let (thread, object) = (waiting.thread, &waiting.object);
        let is_own = |n: &usize| self.row(*n).thread == thread && self.row(*n).deed.call.as_ref().is_some_and(|call| call.contains("wait"));
        let began = (0..self.story.rows.len()).rev().find(|n| is_own(n) && self.row(*n).text.ends_with(&format!(" {object}")));
        let is_signal = |n: &usize| {
            let row = self.row(*n);
            let is_call = row.deed.call.as_ref().is_some_and(|call| SIGNALS.contains(&call.as_str()));
            is_call && row.text.ends_with(&format!(" {object}"))
        };
        let signals: Vec<usize> = (0..self.story.rows.len()).filter(is_signal).collect();
        match (signals.last(), began) {
            (None, _) => why.notes.push(format!("{thread} waits for a signal of `{object}`, and no thread has sent one")),
            (Some(&signal), Some(began)) if signal < began => {
                let by = self.row(signal).thread;
                why.notes.push(format!(
                    "{by} signalled `{object}`{} before {thread} began to wait for it{}: a signal wakes only who waits already, and is not kept",
                    self.at(signal),
                    self.at(began)
                ));
                why.marks.extend(self.mark(signal, format!("{by} signals `{object}`, and nobody waits yet")));
                why.rows.extend([signal, began]);
            }
            (Some(&signal), _) => why.notes.push(format!(
                "the last signal of `{object}`, by {}{}, did not wake {thread}",
                self.row(signal).thread,
                self.at(signal)
            )),
        }
        why.help.push("hold the mutex from the test of the condition to the wait, and change what is tested under the same mutex".into());
    }
}
