//! Executions that do not seem to end: when one is given up.

use crate::core::Stop;
use crate::schedules::Scheduled;
use raddle_event::ThreadId;

impl Scheduled<'_> {
    /// Whether a thread is given up that does ever more that others cannot see: stores that wait, threads that are
    /// started, objects that are made.
    #[cold]
    pub(crate) fn is_silent_for_ever(&mut self, thread: ThreadId) -> bool {
        let limits = self.machine.limits();
        let is_endless = limits.stop.is_asked()
            || self.core.is_impatient_in_silence(self.n_silent, limits)
            || limits.silent_turns().is_some_and(|most| self.n_silent >= most);
        if is_endless {
            self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
        is_endless
    }

    /// The execution has very many events. Stops it where patience is over, at the thread that does not end.
    #[cold]
    pub(crate) fn look_for_end(&mut self, thread: ThreadId, n_events: usize) {
        let limits = self.machine.limits();
        if self.core.is_impatient(n_events, |since| limits.patience_since(since)) && self.is_busiest(thread) {
            self.core.stop_by(Stop::Endless { thread, moment: self.machine.moment(thread) });
        }
    }

    /// Whether no thread has more events than this one.
    fn is_busiest(&self, thread: ThreadId) -> bool {
        self.machine.threads().all(|other| self.n_events(other) <= self.n_events(thread))
    }
}
