//! The functions of a program that are tests: those whose name begins with `raddle_test_`, and those that are marked
//! with `__attribute__((annotate("raddle_test")))`.

use crate::ir::{Kind, Module, Value};
use crate::{Error, Sources, module_of};

/// What the name of a test begins with.
const PREFIX: &str = "raddle_test_";
/// What a function is marked with that is a test of another name.
const MARK: &[u8] = b"raddle_test\0";

/// A function that is a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name in the source.
    pub name: String,
    /// Its name for the linker.
    pub symbol: String,
}

/// The tests of a program, in the order of the source.
pub fn tests(sources: &Sources) -> Result<Vec<Test>, Error> {
    let module = module_of(sources)?;
    let marked = marked(&module);
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    Ok(defined.filter_map(|function| test(function, &marked)).collect())
}

/// What a function is as a test; `None` where it is none.
fn test(function: Value<'_>, marked: &[Value<'_>]) -> Option<Test> {
    let symbol = function.name();
    let name = plain_name(&symbol);
    let is_named = name.rsplit("::").next().is_some_and(|last| last.starts_with(PREFIX)) && function.parameters().is_empty();
    (is_named || marked.contains(&function)).then_some(Test { name, symbol })
}

/// The name of a function without its parameters, as C++ spells it where it is one of C++.
fn plain_name(symbol: &str) -> String {
    let options = cpp_demangle::DemangleOptions::default().no_params();
    let of_cpp = || cpp_demangle::Symbol::new(symbol).ok()?.demangle(&options).ok();
    let name = if symbol.starts_with("_Z") { of_cpp() } else { None };
    name.map_or_else(|| symbol.into(), |name| name.trim_end_matches("()").into())
}

/// The functions that are marked as tests.
fn marked(module: &Module) -> Vec<Value<'_>> {
    let list = module.globals().into_iter().find(|global| global.name() == "llvm.global.annotations").and_then(Value::initialiser);
    let Some(list) = list else { return Vec::new() };
    let Kind::Array(_, n) = list.of().kind() else { return Vec::new() };
    let entries = (0..n as u32).filter_map(|at| list.element(at));
    let is_mark = |text: Value<'_>| text.initialiser().is_some_and(|text| text.data_bytes() == MARK);
    entries.filter(|entry| entry.element(1).is_some_and(is_mark)).filter_map(|entry| entry.element(0)).collect()
}
