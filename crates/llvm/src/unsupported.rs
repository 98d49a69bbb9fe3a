//! What the program form has no words for. It becomes an instruction that stops the run when it is reached.

/// A noun phrase that says what is not supported: "inline assembly `cpuid`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// A result of lowering.
pub type Lowered<T> = Result<T, Unsupported>;

/// Refuses something.
pub fn refuse<T>(what: impl Into<String>) -> Lowered<T> {
    Err(Unsupported(what.into()))
}
