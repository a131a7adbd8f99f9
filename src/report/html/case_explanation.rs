//! Explains the verdict of a case: the findings, the drawn grid, the pictures that a
//! checker has drawn, what was expected and found, and what the program printed. Trusts
//! neither the names nor the contents of pictures, since both are the choice of a
//! checker.

use data_encoding::BASE64;
use gridjudge_sandbox::Fault;
use maud::{Markup, PreEscaped, html};
use roxmltree::{Document, Node, ParsingOptions};

use crate::model::{CheckerImage, Finding, LoggedLimits, TrialRecord, Verdict};
use crate::report::html::GridDrawing;
use crate::report::{
    cut_sentence, excerpt, explain, html_line, isolated_line, verdict_label,
    word_label,
};
use crate::text::{capitalized, mebibytes, time};

/// The most findings shown without a click.
const OPEN_FINDINGS: usize = 6;

/// The lines shown of the end of a long standard error, where most programs say why
/// they fail.
const LAST_LINES: usize = 16;

/// The explanation of one case: a head that is always shown, and a body if the page has
/// room for it.
pub(crate) struct CaseExplanation {
    anchor: String,
    pub(super) head: Markup,
    pub(super) body: Option<Markup>,
}

impl CaseExplanation {
    pub(super) fn from_record(
        record: &TrialRecord,
        limits: Option<LoggedLimits>,
        anchor: String,
        has_room: bool,
    ) -> Self {
        let head = html! {
            header { h5 {
                (verdict_label(record.verdict, !record.is_as_expected()))
                @match record.verdict {
                    Verdict::CompileError => "What the compiler said",
                    _ => (isolated_line(&record.case)),
                }
            } }
        };
        Self {
            anchor,
            head,
            body: has_room.then(|| body(record, limits)),
        }
    }

    /// The explanation of a trial on a page of another kind.
    pub(crate) fn alone(record: &TrialRecord) -> Markup {
        Self::from_record(record, None, String::new(), true).render()
    }

    pub(super) fn of_fault(case: &str, fault: &Fault, anchor: String) -> Self {
        let head = html! {
            header { h5 {
                (word_label("fault", true))
                (isolated_line(case))
            } }
        };
        let body = html! {
            p { "The judge itself failed; this says nothing about the submission." }
            ul.findings { li { (html_line(&fault.to_string())) } }
            @if let Some(remedy) = &fault.remedy {
                p { "What to do: " (cut_sentence(remedy, 200)) }
            }
        };
        Self {
            anchor,
            head,
            body: Some(body),
        }
    }

    pub(super) fn render(&self) -> Markup {
        html! {
            article id=(self.anchor) {
                (self.head)
                @match &self.body {
                    Some(body) => (body),
                    None => p.soft {
                        "Left out here, because the page would grow too large. The log has all of it."
                    },
                }
            }
        }
    }
}

fn body(record: &TrialRecord, limits: Option<LoggedLimits>) -> Markup {
    let findings: Vec<_> = record.findings().collect();
    let drawing = record
        .picture
        .as_ref()
        .map(|picture| GridDrawing::from_picture(picture, &findings));
    let images = record.checker_images.iter().take(MOST_IMAGES);
    let images: Vec<_> = images.map(|image| (image, element(image))).collect();
    html! {
        div.why {
            @match &drawing {
                Some(Some(drawing)) => (drawing.figure()),
                Some(None) => p.soft {
                    "The grid in the log contradicts itself, so it is not drawn."
                },
                None => {}
            }
            @for (image, element) in &images {
                @if let Ok(element) = element {
                    figure {
                        (element)
                        figcaption { "Drawn by the checker: " (html_line(&image.name)) }
                    }
                }
            }
            div {
                // How the run ended, if that decided the verdict.
                @if record.verdict == Verdict::CompileError {
                    ul.findings { li { (explain::why(record, limits)) } }
                } @else if record.finding.is_none() {
                    ul.findings { li {
                        (record.verdict.meaning())
                        @if let Some(reason) = record.breach(limits) { ": " (reason) }
                    } }
                }
                @if record.rerun { p { "Run again, alone; this is the run that counts." } }
                (list(&findings, record.unlisted_findings))
                @for (image, element) in &images {
                    @if let Err(why_not) = element {
                        p.soft {
                            (html_line(&image.name)) " of " (image.bytes) " bytes is not shown: " (why_not)
                        }
                    }
                }
                @if let Some(grids) = explain::right_grids(record) { p { (grids) " are right." } }
                (attempts(record))
                @if let Some(diff) = &record.diff { (difference(diff)) }
                @if let Some(transcript) = &record.transcript {
                    div.excerpt {
                        p { "Transcript (> submission, < interactor)" }
                        pre tabindex="0" {
                            @for line in explain::transcript_lines(transcript) { (line) "\n" }
                        }
                    }
                }
                (said(record))
            }
        }
    }
}

fn list(findings: &[&Finding], unlisted: u64) -> Markup {
    // A few more findings are not worth a click.
    let shown = if findings.len() > OPEN_FINDINGS + 2 {
        OPEN_FINDINGS
    } else {
        findings.len()
    };
    html! {
        @if !findings.is_empty() {
            ul.findings {
                @for finding in &findings[..shown] { (item(finding)) }
            }
            @if findings.len() > shown {
                details.more {
                    summary { (findings.len() - shown) " further findings" }
                    ul.findings {
                        @for finding in &findings[shown..] { (item(finding)) }
                    }
                }
            }
            @if unlisted > 0 {
                p.soft { "and " (unlisted) " more, which are not listed" }
            }
        }
    }
}

fn item(finding: &Finding) -> Markup {
    html! {
        li {
            (html_line(&finding.message))
            @if let Some(line) = finding.unnamed_line() {
                " " span.soft { "(line " (line) ")" }
            }
        }
    }
}

fn attempts(record: &TrialRecord) -> Markup {
    html! {
        @if record.is_flaky() {
            p { "It is flaky: its attempts got different verdicts." }
            table {
                caption { "Attempts" }
                thead { tr {
                    th scope="col" { "Attempt" }
                    th scope="col" { "Verdict" }
                    th scope="col" { "CPU time" }
                    th scope="col" { "Memory" }
                } }
                tbody {
                    @for (number, attempt) in record.attempts.iter().take(20).enumerate() {
                        tr {
                            th scope="row" { (number + 1) }
                            td { (verdict_label(attempt.verdict, false)) }
                            td { (time(attempt.cpu_us)) }
                            td { (mebibytes(attempt.peak_memory_bytes)) }
                        }
                    }
                }
            }
        }
    }
}

fn difference(diff: &str) -> Markup {
    let lines = excerpt(diff, 0);
    html! {
        div.excerpt {
            p { "Expected (\u{2212}) and found (+)" }
            pre tabindex="0" {
                @for line in &lines {
                    @match line.as_bytes().first() {
                        Some(b'-') => del { (line) },
                        Some(b'+') => ins { (line) },
                        _ => (line),
                    }
                    "\n"
                }
            }
        }
    }
}

/// The beginning and the end of the program's standard error, where it says why it
/// fails, or the start of the compiler's output.
fn said(record: &TrialRecord) -> Markup {
    let is_compiler = record.verdict == Verdict::CompileError;
    let lines = excerpt(&record.stderr, if is_compiler { 0 } else { LAST_LINES });
    html! {
        @if lines.iter().any(|line| !line.trim().is_empty()) {
            div.excerpt {
                p { (capitalized(explain::name_of_stderr(record))) }
                pre tabindex="0" { @for line in &lines { (line) "\n" } }
            }
        }
    }
}

/// The most pictures of a case.
const MOST_IMAGES: usize = 4;

/// The element that shows a picture. A browser runs nothing inside of it and loads
/// nothing for it.
fn element(image: &CheckerImage) -> Result<Markup, &'static str> {
    let data = image.data.as_deref().ok_or("there is no room for it")?;
    let bytes = BASE64
        .decode(data.as_bytes())
        .map_err(|_| "the log has no valid base64 for it")?;
    let media_type = media_type(&bytes)?;
    // The slash makes it valid in XML as well. What decodes as base64 needs no escapes.
    let element = format!(
        r#"<img alt="Drawn by the checker" src="data:{media_type};base64,{data}"/>"#
    );
    Ok(PreEscaped(element))
}

// Tells the type of a picture by its contents, and refuses those that could keep a
// browser busy. Knows bytes; the name of a file means nothing.
//
// Sources: PNG specification, "Datastream structure" and "IHDR"; ITU-T T.81, annex B;
// SVG 2, "Element index" and "Attribute index".

/// The most pixels. A browser needs four bytes for each, however small the file is.
const MOST_PIXELS: u64 = 1 << 22;

/// The most elements and texts of an SVG, and how deep its elements may be nested.
const MOST_NODES: u32 = 20_000;
const DEEPEST: usize = 32;

const PNG_START: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
const JPEG_START: &[u8] = b"\xff\xd8\xff";
const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// What an SVG may consist of. Left out is what runs or loads something, and what makes
/// a browser draw much for a few bytes: elements that draw others again (`use`,
/// `pattern`, `marker`, `mask`, `clipPath`), styles, filters and dashes.
#[rustfmt::skip]
const SVG_ELEMENTS: [&str; 13] = [
    "svg", "g", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
];
#[rustfmt::skip]
const SVG_ATTRIBUTES: [&str; 41] = [
    "cx", "cy", "d", "dominant-baseline", "dx", "dy", "fill", "fill-opacity", "fill-rule", "font-family", "font-size",
    "font-style", "font-weight", "height", "id", "opacity", "pathLength", "points", "preserveAspectRatio", "r",
    "rotate", "rx", "ry", "stroke", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity",
    "stroke-width", "text-anchor", "textLength", "transform", "version", "viewBox", "width", "x", "x1", "x2", "y", "y1",
    "y2",
];

/// The media type of a picture that every browser shows. That of an SVG names the
/// encoding, so that the file cannot name another.
///
/// # Errors
/// Says in words why the picture should not be shown.
fn media_type(bytes: &[u8]) -> Result<&'static str, &'static str> {
    if let Some(header) = bytes.strip_prefix(PNG_START) {
        let size = header
            .get(..8)
            .map(|size| (number(&size[..4]), number(&size[4..])));
        return sized(size).map(|()| "image/png");
    }
    if bytes.starts_with(JPEG_START) {
        return sized(jpeg_size(bytes)).map(|()| "image/jpeg");
    }
    let text = str::from_utf8(bytes)
        .map_err(|_| NO_IMAGE)?
        .trim_start_matches('\u{feff}');
    svg(text).map(|()| "image/svg+xml;charset=utf-8")
}

const NO_IMAGE: &str = "it is not a PNG, an SVG or a JPEG in a single scan";

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn sized(size: Option<(u64, u64)>) -> Result<(), &'static str> {
    match size.ok_or(NO_IMAGE)? {
        (width, height) if width * height > MOST_PIXELS => {
            Err("it has more than four million pixels")
        }
        _ => Ok(()),
    }
}

/// Width and height from the frame header of a JPEG, which other segments may precede.
/// `None` for a progressive one.
fn jpeg_size(bytes: &[u8]) -> Option<(u64, u64)> {
    let mut rest = &bytes[2..];
    loop {
        let &[0xff, marker, ref segment @ ..] = rest else {
            return None;
        };
        match marker {
            // A frame in one scan. In others, the scans may be many, each as large as
            // the picture.
            0xc0 | 0xc1 => {
                let width = number(segment.get(5..7)?);
                let height = number(segment.get(3..5)?);
                return Some((width, height));
            }
            // A marker may follow any number of fill bytes.
            0xff => rest = &rest[1..],
            // Tables, comments and data of applications, which have a length, as other
            // markers need not.
            0xc4 | 0xcc | 0xdb..=0xef | 0xfe => {
                let length = number(segment.get(..2)?);
                rest = segment.get(usize::try_from(length).ok()?..)?;
            }
            _ => return None,
        }
    }
}

fn svg(text: &str) -> Result<(), &'static str> {
    // Without a DTD, so that no text of the file stands for a longer one.
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|error| match error {
            roxmltree::Error::DtdDetected | roxmltree::Error::NodesLimitReached => {
                TOO_MUCH
            }
            _ => NO_IMAGE,
        })?;
    if !document.root_element().has_tag_name((SVG_NAMESPACE, "svg")) {
        return Err(NO_IMAGE);
    }
    if !document.root().descendants().all(is_harmless) {
        return Err(TOO_MUCH);
    }
    Ok(())
}

const TOO_MUCH: &str = "it is an SVG of more than a few shapes and texts";

/// Whether a node may be shown: a text, or an element that is a shape, a text or a
/// group of these, without attributes that mean more.
fn is_harmless(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    let is_shape = name.namespace() == Some(SVG_NAMESPACE)
        && SVG_ELEMENTS.contains(&name.name())
        && node.attributes().all(|one| {
            one.namespace().is_none()
                && SVG_ATTRIBUTES.contains(&one.name())
                && !one.value().contains("url(")
        });
    !node.is_pi()
        && (!node.is_element() || is_shape)
        && node.ancestors().nth(DEEPEST).is_none()
}

#[cfg(test)]
mod image_type_tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        [
            PNG_START,
            &width.to_be_bytes(),
            &height.to_be_bytes(),
            b"\x08\x02\0\0\0",
        ]
        .concat()
    }

    /// A JPEG with a segment and a fill byte before its frame header.
    fn jpeg(marker: u8, width: u16, height: u16) -> Vec<u8> {
        let start: &[u8] = b"\xff\xd8\xff\xe0\0\x04ab\xff";
        [
            start,
            &[0xff, marker, 0, 17, 8],
            &height.to_be_bytes(),
            &width.to_be_bytes(),
        ]
        .concat()
    }

    fn drawing(inner: &str) -> Vec<u8> {
        format!("<?xml version='1.0'?>\n<svg xmlns='{SVG_NAMESPACE}'>{inner}</svg>")
            .into_bytes()
    }

    #[test]
    fn pictures_are_known_by_their_contents() {
        for (bytes, expected) in [
            (png(2048, 2048), Ok("image/png")),
            (jpeg(0xc0, 640, 480), Ok("image/jpeg")),
            (jpeg(0xc1, 640, 480), Ok("image/jpeg")),
            (jpeg(0xc2, 640, 480), Err(NO_IMAGE)),
            (
                drawing("<g><rect width='3' height='4'/><text>7</text></g>"),
                Ok("image/svg+xml;charset=utf-8"),
            ),
            (b"1234\n".to_vec(), Err(NO_IMAGE)),
            (vec![], Err(NO_IMAGE)),
            (b"<html/>".to_vec(), Err(NO_IMAGE)),
            (b"<svg><script/></svg>".to_vec(), Err(NO_IMAGE)),
            (PNG_START.to_vec(), Err(NO_IMAGE)),
            (b"\xff\xd8\xff\xe0\0\0\0".to_vec(), Err(NO_IMAGE)),
            (b"\xff\xd8\xff\xda\0\x02".to_vec(), Err(NO_IMAGE)),
        ] {
            assert_eq!(media_type(&bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_length_is_read_only_after_markers_that_have_one() {
        // As the length of TEM, the frame header of a picture of 65,500 pixels a side
        // would be skipped.
        for marker in [0x00, 0x01] {
            let hidden = [
                b"\xff\xd8\xff",
                &[marker][..],
                b"\xff\xc0\0\x11\x08\xff\xdc\xff\xdc",
            ]
            .concat();
            let padded = [hidden, vec![0; 0xffc0]].concat();
            let bytes = [&padded[..4 + 0xffc0], &jpeg(0xc0, 8, 8)[2..]].concat();
            assert_eq!(media_type(&bytes), Err(NO_IMAGE), "{marker:x}");
        }
    }

    #[test]
    fn a_small_file_that_keeps_a_browser_busy_is_refused() {
        let dtd = "<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>";
        for bytes in [
            png(65_535, 65_535),
            png(u32::MAX, u32::MAX),
            jpeg(0xc0, 65_535, 65_535),
        ] {
            assert_eq!(
                media_type(&bytes),
                Err("it has more than four million pixels")
            );
        }
        for bytes in [
            drawing("<script>alert(1)</script>"),
            drawing("<foreignObject/>"),
            drawing("<path d='M0 0 H900000' stroke-dasharray='1 0.9'/>"),
            drawing(
                "<rect style='background-image:url(data:image/png;base64,AAAA)'/>",
            ),
            drawing("<rect fill='url(#a)'/>"),
            drawing("<rect onload='alert(1)'/>"),
            drawing("<style>*{filter:blur(400px)}</style>"),
            drawing("<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>"),
            drawing("<?xml-stylesheet href='data:text/css,a'?>"),
            drawing("<g xml:base='http://example.org'/>"),
            drawing("<g id='a'/><use href='#a'/>"),
            drawing(&"<path/>".repeat(20_000)),
            drawing(&("<g>".repeat(40) + &"</g>".repeat(40))),
            drawing(&("<g>".repeat(9000) + &"</g>".repeat(9000))),
            dtd.as_bytes().to_vec(),
        ] {
            assert_eq!(
                media_type(&bytes),
                Err(TOO_MUCH),
                "{:.100}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
}
