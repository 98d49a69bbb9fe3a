//! Chooses the LLVM that Raddle is linked to: the one that an installed clang uses itself, so that no development
//! package of LLVM is needed. `docs/decisions/0015-two-versions-of-llvm.md` says which versions there are and why.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The versions that Raddle is tested with, the newest first.
const VERSIONS: [u32; 2] = [22, 19];

/// The version that is wanted, where it is not the newest one installed.
const WANTED: &str = "RADDLE_LLVM";

/// The folder of the library, where clang does not know it.
const FOLDER: &str = "RADDLE_LLVM_LIB_DIR";

/// What is put into programs that need it, with flags of its own: see `src/runtime.rs`.
const RUNTIME: [(&str, &str); 11] = [
    ("streams.cpp", "-std=gnu++20"),
    ("memory_resource.cpp", "-std=gnu++20"),
    ("exceptions.cpp", "-std=c++17"),
    ("complex.c", "-std=gnu17"),
    ("calendar.c", "-std=gnu17"),
    ("wide.c", "-std=gnu17"),
    ("environment.c", "-std=gnu17"),
    ("posix.c", "-std=gnu17"),
    ("writing.c", "-std=gnu17"),
    ("files.c", "-std=gnu17"),
    ("library.c", "-std=gnu17"),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=runtime/files.h");
    println!("cargo:rerun-if-env-changed={WANTED}");
    println!("cargo:rerun-if-env-changed={FOLDER}");
    let wanted = env::var(WANTED).ok().map(|text| version(&text));
    let candidates: Vec<u32> = VERSIONS.into_iter().filter(|v| wanted.is_none_or(|wanted| wanted == *v)).collect();
    let Some((version, folder)) = candidates.iter().find_map(|&v| Some((v, folder(v)?))) else {
        let names: Vec<String> = candidates.iter().map(|v| format!("clang-{v}")).collect();
        panic!("Raddle needs {}: none is installed ({WANTED} chooses a version, {FOLDER} a folder)", names.join(" or "));
    };
    println!("cargo:rustc-check-cfg=cfg(llvm_22)");
    if version >= 22 {
        println!("cargo:rustc-cfg=llvm_22");
    }
    println!("cargo:rustc-env=RADDLE_LLVM_VERSION={version}");
    for (source, flags) in RUNTIME {
        compile(version, source, flags);
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=dylib:+verbatim={}", library(version));
}

/// A version that somebody asks for.
fn version(text: &str) -> u32 {
    match text.parse() {
        Ok(version) if VERSIONS.contains(&version) => version,
        _ => panic!("{WANTED}={text}: Raddle is tested with LLVM {} and with no other", VERSIONS.map(|v| v.to_string()).join(" and ")),
    }
}

/// The name of LLVM's library of a version.
fn library(version: u32) -> String {
    format!("libLLVM.so.{version}.1")
}

/// The folder that has the library of a version: the given one, or the one in which clang's own search finds it.
fn folder(version: u32) -> Option<PathBuf> {
    if let Some(given) = env::var_os(FOLDER) {
        return Some(PathBuf::from(given)).filter(|folder| folder.join(library(version)).exists());
    }
    let output = Command::new(format!("clang-{version}")).arg(format!("-print-file-name={}", library(version))).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(path.trim()).canonicalize().ok()?.parent()?.to_path_buf())
}

/// Compiles a file of the run-time library to bitcode, and writes the names of what it may define beside it.
fn compile(version: u32, source: &str, flag: &str) {
    let from = Path::new("runtime").join(source);
    let to = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where")).join(source);
    println!("cargo:rerun-if-changed={}", from.display());
    for (form, extension) in [("-c", "bc"), ("-S", "ll")] {
        let mut command = Command::new(format!("clang-{version}"));
        command.args([flag, "-O0", "-Xclang", "-disable-O0-optnone", "-fno-builtin", "-fexceptions", "-pthread", "-w", "-emit-llvm", form]);
        if cfg!(target_arch = "x86_64") {
            // As libatomic has it for objects of sixteen bytes.
            command.arg("-mcx16");
        }
        let status = command.arg(&from).arg("-o").arg(to.with_extension(extension)).status().expect("clang runs");
        assert!(status.success(), "{} is not compiled", from.display());
    }
    let text = fs::read_to_string(to.with_extension("ll")).expect("clang writes it");
    let mut names: Vec<&str> = text.lines().filter_map(defined).collect();
    names.sort_unstable();
    fs::write(to.with_extension("names"), names.join("\n")).expect("cargo gives a folder to write to");
}

/// The name of what a line of LLVM's text defines: a function, a variable or an alias.
fn defined(line: &str) -> Option<&str> {
    if !line.starts_with("define ") && !line.starts_with('@') {
        return None;
    }
    let name = line.split_once('@')?.1;
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => name.split(['(', ' ']).next(),
    }
}
