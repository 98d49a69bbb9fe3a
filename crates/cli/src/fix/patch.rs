//! Changed texts as a patch.

use similar::TextDiff;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// A unified diff, as `patch -p1` and `git apply` take it.
pub fn unified(originals: &BTreeMap<PathBuf, String>, changed: &BTreeMap<PathBuf, String>) -> String {
    let mut patch = String::new();
    for (file, text) in changed {
        let Some(original) = originals.get(file).filter(|original| *original != text) else { continue };
        let name = name_of(file);
        let diff = TextDiff::from_lines(original, text);
        patch.push_str(&diff.unified_diff().context_radius(3).header(&format!("a/{name}"), &format!("b/{name}")).to_string());
    }
    patch
}

/// The name of a file from the folder in which the command runs, where it is below it.
fn name_of(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(&here).unwrap_or(file);
    let named = |part: &Component| matches!(part, Component::Normal(_) | Component::ParentDir);
    let parts: Vec<String> = file.components().filter(named).map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}
