//! Links the LLVM that `clang-22` itself uses, so that no development package of LLVM is needed.

use std::env;
use std::path::Path;
use std::process::Command;

const LIBRARY: &str = "libLLVM.so.22.1";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RADDLE_LLVM_LIB_DIR");
    if let Some(folder) = env::var("RADDLE_LLVM_LIB_DIR").ok().or_else(clang_library_folder) {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib:+verbatim={LIBRARY}");
}

/// The folder in which clang's own search finds the library.
fn clang_library_folder() -> Option<String> {
    let output = Command::new("clang-22").arg(format!("-print-file-name={LIBRARY}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(path.trim()).canonicalize().ok()?.parent()?.to_str()?.to_string();
    Some(folder)
}
