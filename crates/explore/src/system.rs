//! What an explorer of schedules needs to know of the thing it explores.

use crate::Prospect;
use raddle_event::{Actor, Footprint, Position, Step, Taken};
use std::ops::ControlFlow;

/// A transition system whose steps are taken and taken back.
pub trait System {
    /// Calls `found` for each step that can be taken now, in a fixed order, until it breaks; for a choice one step for
    /// each outcome, in a row, told whether more outcomes of it follow. Choices come before everything else, by the
    /// numbers of their threads. Other steps of the same kind come in the order of their actors, but those of the
    /// thread of `first` before the others.
    fn enabled(&self, first: Option<Actor>, found: impl FnMut(Step, bool) -> ControlFlow<()>) -> ControlFlow<()>;

    /// What the next step of an actor touches, in the present state. The actor must be enabled.
    fn footprint(&self, actor: Actor) -> Footprint;

    /// Takes a step, which becomes the event at `at`, and says what it depends on.
    fn take(&mut self, step: Step, at: Position, taken: &mut Taken);

    /// Goes back to the state before the event at `at`.
    fn rewind(&mut self, at: Position);

    /// Whether a step that is enabled now and the events `then`, which follow from here in this order, do not depend on
    /// each other. None of the events is of the step's actor.
    fn is_independent<'f>(&self, step: &Footprint, then: impl Iterator<Item = &'f Footprint>) -> bool;

    /// What a step that came after the event at `e`, and conflicts with it, touches when it comes before it: a
    /// compare-exchange may fail after the event and succeed before it, or the other way round.
    fn overtaking(&self, step: &Footprint, e: Position) -> Footprint;

    /// Changes what a load touches to what it touches when an earlier update of its own thread has not happened.
    fn forward_again(&self, load: &mut Footprint, update: &Footprint);

    /// For each actor that waits where no step is taken any more: the events that it would have to overtake, all of
    /// them, to go on.
    fn waiting(&mut self, found: &mut dyn FnMut(Actor, Footprint, &Taken));

    /// Whether a thread goes on, in the present state.
    fn prospect(&self, thread: u32) -> Prospect;

    /// Whether the execution has gone wrong in a way that ends the search for its continuation.
    fn is_over(&self) -> bool;
}
