//! Errors and notices on standard error, all in one manner.

use std::fmt::Display;
use std::io;
use std::io::ErrorKind;
use std::io::IsTerminal;
use std::io::Write;
use std::os::fd::AsFd;

use anstream::AutoStream;
use anstream::ColorChoice;
use anstream::adapter::StripBytes;
use anstream::stream::RawStream;
use anstyle::AnsiColor;
use anstyle::Style;
use clap::ColorChoice as ColorWhen;
use terminal_size::Height;
use terminal_size::Width;
use terminal_size::terminal_size_of;

use crate::cli::exit::CommandError;
use crate::report::LiveTerminal;
use crate::spec::Mistakes;
use crate::spec::SourceExcerpt;
use crate::text::hanging;
use crate::text::plural;
use crate::text::printable;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Stopwatch;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Columns of a terminal that does not say how many it has.
const USUAL_WIDTH: usize = 80;

/// Mistakes shown at once; the rest is counted.
const MOST_MISTAKES: usize = 50;

/// Decides about colours, for all that is written from now on. `auto` heeds `NO_COLOR` and whether it is a terminal.
pub(crate) fn choose_colour(color: ColorWhen) {
    match color {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Where results are shown: on standard error if standard output is taken.
pub(crate) fn results(stdout_is_taken: bool) -> Box<dyn Write + Send> {
    match stdout_is_taken {
        true => shown_on(io::stderr()),
        false => shown_on(io::stdout()),
    }
}

fn shown_on(target: impl RawStream + Send + 'static) -> Box<dyn Write + Send> {
    match AutoStream::choice(&target) {
        ColorChoice::Never => Box::new(ColorStripper { target, state: StripBytes::new() }),
        _ => Box::new(target),
    }
}

/// Takes the colours out. What is written at once goes on at once: `AutoStream` writes the pieces between colours one by
/// one, and a page of many submissions has many.
struct ColorStripper<W> {
    target: W,
    state: StripBytes,
}

impl<W: Write> Write for ColorStripper<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let plain = self.state.strip_next(bytes).collect::<Vec<_>>().concat();
        self.target.write_all(&plain)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

/// Whether lines can be drawn on standard error again and again: it is a terminal, and one that can go back.
pub(crate) fn can_draw() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// The terminal that standard error is, to draw lines at from now on.
pub(crate) fn foot() -> LiveTerminal {
    let watch = Stopwatch::start();
    LiveTerminal { target: Box::new(io::stderr()), size, elapsed: Box::new(move || watch.elapsed()) }
}

/// Columns and rows of the terminal that standard error is, at this moment.
fn size() -> (usize, usize) {
    let rows = terminal_size_of(io::stderr()).map(|(_, Height(rows))| usize::from(rows));
    (width_of(&io::stderr()).unwrap_or(USUAL_WIDTH), rows.filter(|rows| *rows > 0).unwrap_or(usize::MAX))
}

/// Columns that results have, where they go to a terminal.
pub(crate) fn width_of_results(stdout_is_taken: bool) -> Option<usize> {
    if stdout_is_taken { width_of(&io::stderr()) } else { width_of(&io::stdout()) }
}

fn width_of(target: &(impl IsTerminal + AsFd)) -> Option<usize> {
    // One that does not know its size says 0.
    let size =
        || terminal_size_of(target).map(|(Width(width), _)| usize::from(width)).filter(|width| *width > 0);
    target.is_terminal().then(|| size().unwrap_or(USUAL_WIDTH))
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|kind| kind == "dumb")
}

/// What is said while judging goes on and nothing can be drawn.
pub(crate) fn steps() -> Box<dyn Write> {
    shown_on(io::stderr())
}

/// Why a command did not run to its end.
pub(crate) fn command_error(error: &CommandError) {
    match error {
        CommandError::Mistakes(found) => mistakes(found),
        CommandError::Fault(found) => fault(found),
    }
}

/// What is wrong in the user's files.
pub(crate) fn mistakes(mistakes: &Mistakes) {
    for (number, mistake) in mistakes.0.iter().enumerate().take(MOST_MISTAKES) {
        // The same advice on many lines of a file is given once, after the last of them.
        let next = mistakes.0.get(number + 1).filter(|next| next.path == mistake.path);
        let is_next_shown = number + 1 < MOST_MISTAKES;
        let is_repeated = is_next_shown && next.is_some_and(|next| next.remedy == mistake.remedy);
        let remedy = mistake.remedy.as_deref().filter(|_| !is_repeated);
        told(mistake, mistake.line.zip(mistake.excerpt.as_deref()), remedy);
    }
    if mistakes.0.len() > MOST_MISTAKES {
        let rest = mistakes.0.len() - MOST_MISTAKES;
        remark(format_args!("and {rest} {} more", plural(rest, "mistake")));
    }
}

/// What the judge could not do.
pub(crate) fn fault(fault: &Fault) {
    error(fault, fault.remedy.as_deref());
}

/// An error and what to do about it.
pub(crate) fn error(error: impl Display, remedy: Option<&str>) {
    told(error, None, remedy);
}

/// An error, the line of the file that it is about, and what to do.
fn told(error: impl Display, excerpt: Option<(u64, &SourceExcerpt)>, remedy: Option<&str>) {
    // File names are in it, and they may be hostile.
    remark(format_args!("{ERROR}error{ERROR:#}: {}", printable(&error.to_string())));
    if let Some((number, excerpt)) = excerpt {
        let number = number.to_string();
        let margin = " ".repeat(number.len());
        for (line, start) in excerpt.to_string().lines().zip([&number, &margin]) {
            verbatim(format_args!("  {start} | {}", printable(line)));
        }
    }
    if let Some(remedy) = remedy {
        remark(format_args!("{HINT}hint{HINT:#}: {}", printable(remedy)));
    }
}

/// Something worth knowing. It may quote names of files and logs of unknown origin.
pub(crate) fn notice(text: impl Display) {
    remark(format_args!("{HINT}note{HINT:#}: {}", printable(&text.to_string())));
}

/// A line of a command's result.
///
/// # Errors
/// A [`Fault`] if standard output cannot take it. A closed pipe is none: the reader may stop early.
pub(crate) fn result(text: impl Display) -> Result<(), Fault> {
    unless_closed(writeln!(anstream::stdout(), "{text}"), "writing to standard output")
}

/// A sentence of a command's result, broken between words where the terminal would break it within one.
///
/// # Errors
/// As [`result`].
pub(crate) fn sentence(text: impl Display) -> Result<(), Fault> {
    result(hanging(&text.to_string(), width_of_results(false)))
}

/// A whole file on standard output, without a word more.
///
/// # Errors
/// As [`result`].
pub(crate) fn document(bytes: &[u8]) -> Result<(), Fault> {
    unless_closed(io::stdout().write_all(bytes), "writing to standard output")
}

/// The fault of what cannot be written. A closed pipe is none.
pub(crate) fn unless_closed(written: io::Result<()>, doing: &str) -> Result<(), Fault> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Fault::new(doing, error)),
        _ => Ok(()),
    }
}

/// Clears the screen, if standard output is a terminal: a file or a pipe keeps all that was written.
pub(crate) fn clear() {
    if io::stdout().is_terminal() && !is_dumb() {
        // Not through `anstream`, which would take this for a colour.
        let _ = io::stdout().write_all(b"\x1b[H\x1b[2J\x1b[3J");
    }
}

fn remark(text: impl Display) {
    verbatim(hanging(&text.to_string(), width_of(&io::stderr())));
}

fn verbatim(text: impl Display) {
    // Where standard error takes nothing there is nowhere left to say so.
    let _ = writeln!(anstream::stderr(), "{text}");
}
