//! Where mistakes of Raddle itself end: work that panics gives a sentence, and takes nothing else with it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    /// What the last panic of this thread said, with its place in Raddle.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes what a panic says, for [`guarded`]. To be called by the hook of panics; without one the place is not known.
pub fn note_panic(info: &PanicHookInfo) {
    let said = words(info.payload());
    let place = info.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
    LAST.with(|last| *last.borrow_mut() = Some(said + &place));
}

/// Does the work; where it panics, says what was said. What the work has changed by then is as it left it.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| LAST.with(|last| last.take()).unwrap_or_else(|| words(&*payload)))
}

/// What a panic says, on one line.
fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something went wrong".into());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_a_sentence() {
        assert_eq!(guarded(|| 7), Ok(7));
        let empty: &[u32] = &[];
        let why = guarded(|| empty[std::hint::black_box(3)]).expect_err("there is no such element");
        assert!(why.starts_with("index out of bounds: the len is 0 but the index is 3"), "{why}");
        assert_eq!(guarded(|| -> u32 { panic!("one\n  two") }), Err("one two".into()));
    }
}
