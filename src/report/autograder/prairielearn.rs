//! `results.json` of PrairieLearn, which takes 1 MB at most: what there is no room for is left out.
//! Source: github.com/PrairieLearn/PrairieLearn, `docs/externalGrading.md`.
//!
//! A submission that no compiler accepts, and one at which the judge failed, is *not gradable*:
//! neither costs the student an attempt.

use data_encoding::BASE64;
use serde::Serialize;

use crate::model::PointValue;
use crate::report::autograder::{AutograderResult, AutograderTest, json};
use crate::text::shortened;

/// The first bytes of such a report.
pub const START: &str = "{\n  \"gradable\": ";

/// The most bytes of a report, less than PrairieLearn takes.
const LARGEST: usize = 1_000_000;

/// The most characters of the text about the whole where there is little room.
const SHORT_TEXT: usize = 20_000;

/// The most drawings.
const MOST_DRAWINGS: usize = 5;

#[derive(Serialize)]
struct Results {
    gradable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    message: String,
    output: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    format_errors: Vec<String>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<PointValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_points: Option<PointValue>,
    message: &'static str,
    output: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Image>,
}

#[derive(Serialize)]
struct Image {
    label: String,
    url: String,
}

/// How much of a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Nothing,
    Points,
    Texts,
    Drawings,
}

pub(super) fn render(result: &AutograderResult) -> String {
    let extents = [Extent::Drawings, Extent::Texts, Extent::Points];
    let fitting = extents
        .into_iter()
        .map(|extent| json(&results(result, extent)))
        .find(|text| text.len() <= LARGEST);
    fitting.unwrap_or_else(|| json(&results(result, Extent::Nothing)))
}

fn results(result: &AutograderResult, extent: Extent) -> Results {
    let text = result.text();
    let output = if extent >= Extent::Texts {
        text
    } else {
        format!(
            "{}\nThe rest is left out, because the report would be too large.",
            shortened(&text, SHORT_TEXT)
        )
    };
    let worth = result.worth;
    let gradable = !result.is_unknown && !result.is_refused;
    let mut drawings = 0;
    let tests = result
        .tests()
        .filter(|_| extent > Extent::Nothing)
        .map(|(_, found)| test(found, extent, &mut drawings));
    Results {
        gradable,
        score: gradable.then(|| worth.earned.get() / worth.of.get().max(f64::MIN_POSITIVE)),
        message: if gradable {
            format!("{} of {} points", worth.earned, worth.of)
        } else if result.is_unknown {
            "This could not be judged, and counts as no attempt.".to_owned()
        } else {
            "This does not compile, and counts as no attempt.".to_owned()
        },
        tests: tests.collect(),
        format_errors: if gradable {
            Vec::new()
        } else {
            vec![shortened(&output, SHORT_TEXT)]
        },
        output,
    }
}

fn test(found: &AutograderTest, extent: Extent, drawings: &mut usize) -> Test {
    let is_drawn = extent == Extent::Drawings && found.is_open && *drawings < MOST_DRAWINGS;
    let drawing = found.drawing.as_ref().filter(|_| is_drawn);
    *drawings += usize::from(drawing.is_some());
    Test {
        name: found.name.clone(),
        points: found.points.map(|(earned, _)| earned),
        max_points: found.points.map(|(_, of)| of),
        message: if found.has_passed {
            "passed"
        } else {
            "not passed"
        },
        output: if extent >= Extent::Texts {
            found.text.clone()
        } else {
            String::new()
        },
        images: drawing
            .map(|svg| Image {
                label: format!("The grid of {}", found.name),
                url: format!(
                    "data:image/svg+xml;base64,{}",
                    BASE64.encode(svg.as_bytes())
                ),
            })
            .into_iter()
            .collect(),
    }
}
