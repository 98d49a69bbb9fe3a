//! Plots, as SVG files.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// What is drawn.
pub enum Plot {
    /// Points on logarithmic axes, with the diagonal on which both are equal.
    Scatter { title: String, x: String, y: String, points: Vec<(f64, f64)> },
    /// One line for each series, on a logarithmic y axis.
    Lines { title: String, x: String, y: String, series: Vec<(String, Vec<(f64, f64)>)> },
    /// One bar for each name, from 0 to 1.
    Shares { title: String, y: String, bars: Vec<(String, f64)> },
}

const SIZE: (u32, u32) = (640, 480);
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

impl Plot {
    /// Draws it into a file.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Into::into).and_then(|()| match self {
            Plot::Scatter { title, x, y, points } => scatter(&area, title, x, y, points),
            Plot::Lines { title, x, y, series } => lines(&area, title, x, y, series),
            Plot::Shares { title, y, bars } => shares(&area, title, y, bars),
        });
        drawn.and_then(|()| area.present().map_err(Into::into)).map_err(|why| format!("{}: {why}", path.display()))
    }
}

/// The range of some numbers, wide enough to be shown.
fn range(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = numbers.filter(|n| *n > 0.0).fold((f64::MAX, f64::MIN), |(low, high), n| (low.min(n), high.max(n)));
    if low > high { 0.1..10.0 } else { low / 2.0..high * 2.0 }
}

fn scatter(area: &Area, title: &str, x: &str, y: &str, points: &[(f64, f64)]) -> Drawn {
    let both = range(points.iter().flat_map(|point| [point.0, point.1]));
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(both.clone().log_scale(), both.clone().log_scale())?;
    chart.configure_mesh().x_desc(x).y_desc(y).draw()?;
    chart.draw_series(LineSeries::new([(both.start, both.start), (both.end, both.end)], BLACK.mix(0.4)))?;
    chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, BLUE.filled())))?;
    Ok(())
}

fn lines(area: &Area, title: &str, x: &str, y: &str, series: &[(String, Vec<(f64, f64)>)]) -> Drawn {
    let points = || series.iter().flat_map(|(_, points)| points);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let first = points().map(|point| point.0).fold(last, f64::min);
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(first..last, range(points().map(|point| point.1)).log_scale())?;
    chart.configure_mesh().x_desc(x).y_desc(y).draw()?;
    for (n, (name, points)) in series.iter().enumerate() {
        let colour = Palette99::pick(n).to_rgba();
        let line = chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    Ok(())
}

fn shares(area: &Area, title: &str, y: &str, bars: &[(String, f64)]) -> Drawn {
    let name = |at: &f64| bars.get((at - 0.5).round() as usize).filter(|_| at.fract() == 0.5).map(|bar| bar.0.clone()).unwrap_or_default();
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..bars.len() as f64, 0.0..1.05)?;
    chart.configure_mesh().disable_x_mesh().x_labels(2 * bars.len() + 1).x_label_formatter(&name).y_desc(y).draw()?;
    let bar = |(n, (_, share)): (usize, &(String, f64))| {
        Rectangle::new([(n as f64 + 0.2, 0.0), (n as f64 + 0.8, *share)], BLUE.mix(0.6).filled())
    };
    chart.draw_series(bars.iter().enumerate().map(bar))?;
    Ok(())
}
