//! compile_commands.json: the flags with which a project compiles its files, as clang's tools read it.

use crate::words::words;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A file, the folder in which it is compiled, and its flags.
pub type FileFlags = (PathBuf, PathBuf, Vec<OsString>);

/// The flags of those of the files that a build folder knows.
pub fn flags(build: &Path, files: &[PathBuf]) -> Result<Vec<FileFlags>, String> {
    let path = build.join("compile_commands.json");
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|why| wrong(why.to_string()))?;
    let all: Value = serde_json::from_str(&text).map_err(|why| wrong(why.to_string()))?;
    let Some(entries) = all.as_array() else { return Err(wrong("it is no list".into())) };
    let mut found = Vec::new();
    for file in files {
        let whole = std::fs::canonicalize(file).ok();
        for entry in entries {
            let of = |key: &str| entry.get(key).and_then(Value::as_str);
            let (Some(name), folder) = (of("file"), build.join(of("directory").unwrap_or("."))) else { continue };
            if whole.is_none() || std::fs::canonicalize(folder.join(name)).ok() != whole {
                continue;
            }
            let command = arguments(entry).ok_or_else(|| wrong(format!("`{name}` has neither a command nor arguments")))?;
            found.push((file.clone(), folder, only_flags(&command, name)));
            break;
        }
    }
    Ok(found)
}

/// The command of an entry, word by word.
fn arguments(entry: &Value) -> Option<Vec<String>> {
    match entry.get("arguments").and_then(Value::as_array) {
        Some(list) => Some(list.iter().filter_map(Value::as_str).map(str::to_string).collect()),
        None => entry.get("command").and_then(Value::as_str).map(words),
    }
}

/// A command without the compiler, the file, and what says where the result goes.
fn only_flags(command: &[String], file: &str) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut left = command.iter().skip(1);
    while let Some(word) = left.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => drop(left.next()),
            "-c" | "-S" | "-E" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" | "--" => {}
            word if word == file || Path::new(word).file_name() == Path::new(file).file_name() && !word.starts_with('-') => {}
            word => flags.push(word.into()),
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_command_are_its_flags() {
        let command = words("cc -std=c11 -DNAME='\"a b\"' -MD -MF x.d -c src/x.c -o x.o -O2");
        assert_eq!(only_flags(&command, "src/x.c"), ["-std=c11", "-DNAME=\"a b\"", "-O2"]);
    }
}
