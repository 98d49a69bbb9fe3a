//! Kept runs: a folder for each, with a note on the machine.

use std::path::Path;
use std::process::Command;

/// The day, as the folder of a kept run is named.
pub fn today() -> Result<String, String> {
    said_by("date", &["+%F"])
}

/// Writes the note on the machine and the version into a folder.
pub fn note(folder: &Path, raddle: &Path) -> Result<(), String> {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = cpus.lines().filter(|line| line.starts_with("model name")).filter_map(|line| line.split(": ").nth(1)).collect();
    let machine = format!("{} x {}", models.len(), models.first().unwrap_or(&"unknown processor"));
    let system = said_by("uname", &["-sr"])?;
    let version = said_by(&raddle.display().to_string(), &["--version"])?;
    let text = format!(
        "# A run of the benchmarks\n\n- version: {version}\n- machine: {machine}\n- system: {system}\n\nMade by `cargo run --release -p raddle-bench`. Times depend on the machine and on what else it does; counts do not.\n"
    );
    let file = folder.join("NOTE.md");
    std::fs::write(&file, text).map_err(|why| format!("{}: {why}", file.display()))
}

fn said_by(command: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(command).args(arguments).output().map_err(|why| format!("{command}: {why}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
