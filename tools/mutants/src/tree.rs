//! The mutated copy of the repository: all mutants in one build.

use crate::sites::Site;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Tree {
    pub root: PathBuf,
    target: PathBuf,
}

/// Where in a rewritten file the text of a mutant is.
type Regions = Vec<(Range<usize>, usize)>;

impl Tree {
    /// A copy of what git knows of the repository, in a folder below `target`. Files that are going to be mutated are not copied.
    pub fn copy(repository: &Path, crates: &[&str], mutated: &BTreeMap<String, String>) -> Tree {
        let target = repository.join("target/mutants");
        let tree = Tree { root: target.join("tree"), target };
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = Command::new("git").args(list).current_dir(repository).output().expect("git runs").stdout;
        let listed = String::from_utf8(listed).expect("names are text");
        for path in listed.split('\0').filter(|path| !mutated.contains_key(*path)) {
            if let Ok(bytes) = std::fs::read(repository.join(path)) {
                tree.write(path, &tree.with_dependency(path, crates, bytes));
            }
        }
        tree.write("crates/mutants/Cargo.toml", b"[package]\nname = \"mutants\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
        tree.write("crates/mutants/src/lib.rs", include_bytes!("on.rs"));
        tree
    }

    /// The mutated crates depend on the one that says which mutant is chosen.
    fn with_dependency(&self, path: &str, crates: &[&str], bytes: Vec<u8>) -> Vec<u8> {
        if !crates.iter().any(|name| path == format!("crates/{name}/Cargo.toml")) {
            return bytes;
        }
        let manifest = String::from_utf8(bytes).expect("a manifest is text");
        manifest.replace("[dependencies]\n", "[dependencies]\nmutants = { path = \"../mutants\" }\n").into_bytes()
    }

    /// Writes a file where it is not so already, so that nothing is built again without need.
    fn write(&self, path: &str, text: &[u8]) {
        let path = self.root.join(path);
        if std::fs::read(&path).is_ok_and(|old| old == text) {
            return;
        }
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the copy can be written");
    }

    /// Writes the files with these mutants in them, and builds with cargo. The result is what cargo printed, or the mutants that do not compile.
    pub fn build(&self, files: &BTreeMap<String, String>, chosen: &BTreeMap<usize, Site>, cargo: &[&str]) -> Result<Vec<Value>, BTreeSet<usize>> {
        let mut regions = BTreeMap::new();
        for (file, text) in files {
            let own: Vec<(usize, &Site)> = chosen.iter().filter(|(_, site)| site.file == *file).map(|(&id, site)| (id, site)).collect();
            let (rewritten, places) = rewrite(text, own);
            self.write(file, rewritten.as_bytes());
            regions.insert(file.clone(), places);
        }
        let mut command = Command::new("cargo");
        command.args(cargo).args(["--quiet", "--message-format=json"]).current_dir(&self.root);
        let output = command.env("CARGO_TARGET_DIR", self.target.join("build")).stderr(Stdio::inherit()).output().expect("cargo runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if output.status.success() {
            return Ok(messages);
        }
        let wrong: BTreeSet<usize> = messages.iter().filter_map(|message| blame(message, &regions)).collect();
        assert!(!wrong.is_empty(), "the copy does not compile, and no mutant is the cause");
        Err(wrong)
    }
}

/// The text with the mutants in it, and where each is.
fn rewrite(text: &str, mut sites: Vec<(usize, &Site)>) -> (String, Regions) {
    sites.sort_by_key(|(id, site)| (site.range.start, std::cmp::Reverse(site.range.end), *id));
    let (mut out, mut regions) = (String::new(), Vec::new());
    write_range(text, 0..text.len(), &mut sites.into_iter().peekable(), &mut out, &mut regions);
    (out, regions)
}

type Sites<'s> = std::iter::Peekable<std::vec::IntoIter<(usize, &'s Site)>>;

fn write_range(text: &str, range: Range<usize>, sites: &mut Sites, out: &mut String, regions: &mut Regions) {
    let mut at = range.start;
    while let Some((id, site)) = sites.next_if(|(_, site)| site.range.end <= range.end && site.range.start < range.end) {
        out.push_str(&text[at..site.range.start]);
        let start = out.len();
        out.push_str(&site.before.replace("mutants::on(#)", &format!("mutants::on({id})")));
        write_range(text, site.range.clone(), sites, out, regions);
        out.push_str(site.after);
        regions.push((start..out.len(), id));
        at = site.range.end;
    }
    out.push_str(&text[at..range.end]);
}

/// The mutant that an error is about: the innermost around one of its places, or else the nearest.
fn blame(message: &Value, regions: &BTreeMap<String, Regions>) -> Option<usize> {
    let message = message.get("message")?;
    if message["level"] != "error" {
        return None;
    }
    let mut spans: Vec<&Value> = message["spans"].as_array()?.iter().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let place = |span: &Value| Some((regions.get(span["file_name"].as_str()?)?, span["byte_start"].as_u64()? as usize));
    let places: Vec<_> = spans.into_iter().filter_map(place).collect();
    let around = |(regions, at): &(&Regions, usize)| {
        let around = regions.iter().filter(|(range, _)| range.contains(at));
        around.min_by_key(|(range, _)| range.len()).map(|(_, id)| *id)
    };
    let nearest = |(regions, at): &(&Regions, usize)| regions.iter().min_by_key(|(range, _)| range.start.abs_diff(*at)).map(|(_, id)| *id);
    places.iter().find_map(around).or_else(|| places.iter().find_map(nearest))
}
