//! The files that `--html`, `--svg` and `--dot` write: the first fault, drawn.

use crate::output::{Output, wanted};
use crate::terminal::complain;
use clap::Args;
use raddle_report::{Page, Sources, dot, page, svg_file};
use raddle_story::Story;
use std::path::PathBuf;

#[derive(Args)]
pub struct PictureOptions {
    /// Writes a page that shows the failing execution to this file: source, table and graph, step by step.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Writes the failing execution as a graph to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The same for Graphviz.
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
}

/// Draws a fault.
type Draw = fn(&Page, &Story, &Sources) -> String;

/// The files, which have been tried.
pub struct Pictures(Vec<(Output, Draw)>);

impl PictureOptions {
    /// Whether a picture is asked for.
    pub fn is_any(&self) -> bool {
        self.html.is_some() || self.svg.is_some() || self.dot.is_some()
    }

    /// Tries the files. One that cannot be written keeps nobody from looking for faults; one that would overwrite what
    /// is read does.
    pub fn open(&self, inputs: &[PathBuf]) -> Result<Pictures, String> {
        let kinds: [(&Option<PathBuf>, Draw); 3] =
            [(&self.html, page), (&self.svg, |_, story, _| svg_file(story)), (&self.dot, |_, story, _| dot(story))];
        let mut all = Vec::new();
        for (path, draw) in kinds {
            all.extend(wanted(path.as_deref(), "picture", inputs)?.map(|output| (output, draw)));
        }
        Ok(Pictures(all))
    }
}

impl Pictures {
    /// Draws a fault into all files. One that cannot be written takes no fault back.
    pub fn write(self, about: &Page, story: &Story, sources: &Sources) {
        for (output, draw) in self.0 {
            if let Err(why) = output.write(&draw(about, story, sources)) {
                complain(format!("the picture: {why}"));
            }
        }
    }
}
