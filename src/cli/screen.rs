//! Writes results to standard output, and errors and notices to standard error, for all
//! commands in one style; and the ends of commands, which these are shown for. Uses no
//! other file of the command line, so that all of them can use this one.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::adapter::StripBytes;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ColorChoice as ColorWhen;
use gridjudge_sandbox::{Fault, Stopwatch};
use terminal_size::{Height, Width, terminal_size_of};

use crate::report::{LiveTerminal, Verbosity};
use crate::spec::{Mistake, Mistakes, SourceExcerpt};
use crate::text::{hanging, plural, printable};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// The assumed width of a terminal that does not report one.
const DEFAULT_WIDTH: usize = 80;

/// The most mistakes that are shown; the rest is counted.
const MOST_MISTAKES: usize = 50;

/// How much the whole process shows: set once its arguments are known.
static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Whether a report is written to standard output, so that results go to standard
/// error.
static STDOUT_IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Sets how much all later output says, and its use of colours. `auto` depends on
/// `NO_COLOR` and on whether the target is a terminal.
pub(crate) fn configure(quiet: bool, verbose: bool, color: ColorWhen) {
    VERBOSITY.get_or_init(|| {
        if quiet {
            Verbosity::Quiet
        } else if verbose {
            Verbosity::Verbose
        } else {
            Verbosity::Normal
        }
    });
    match color {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Whether only what is not as expected is shown.
pub(crate) fn is_quiet() -> bool {
    verbosity() == Verbosity::Quiet
}

/// Whether everything is shown that is known.
pub(crate) fn is_verbose() -> bool {
    verbosity() == Verbosity::Verbose
}

/// How much reports show.
pub(crate) fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal)
}

/// Sets where later results go: to standard error if a report is written to standard
/// output.
pub(crate) fn take_stdout(is_taken: bool) {
    STDOUT_IS_TAKEN.store(is_taken, Ordering::Relaxed);
}

pub(crate) fn stdout_is_taken() -> bool {
    STDOUT_IS_TAKEN.load(Ordering::Relaxed)
}

/// The stream for results: standard error if standard output is taken.
pub(crate) fn results() -> Box<dyn Write + Send> {
    if stdout_is_taken() {
        shown_on(io::stderr())
    } else {
        shown_on(io::stdout())
    }
}

fn shown_on(target: impl RawStream + Send + 'static) -> Box<dyn Write + Send> {
    match AutoStream::choice(&target) {
        ColorChoice::Never => Box::new(ColorStripper {
            target,
            state: StripBytes::new(),
        }),
        _ => Box::new(target),
    }
}

/// Removes colours from what is written. Each write is passed on as one write:
/// `AutoStream` would write each piece between two colours by itself, and a page of
/// many submissions has many pieces.
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

/// Whether lines on standard error can be redrawn: it is a terminal that can move the
/// cursor.
pub(crate) fn can_draw() -> bool {
    io::stderr().is_terminal() && !is_dumb()
}

/// The terminal on standard error, for lines that are redrawn; `None` if lines cannot be
/// redrawn, or with `--quiet`. Its clock starts now.
pub(crate) fn live_terminal() -> Option<LiveTerminal> {
    let watch = Stopwatch::start();
    (can_draw() && !is_quiet()).then(|| LiveTerminal {
        target: Box::new(io::stderr()),
        size,
        elapsed: Box::new(move || watch.elapsed()),
    })
}

/// The current columns and rows of the terminal on standard error.
fn size() -> (usize, usize) {
    let rows =
        terminal_size_of(io::stderr()).map(|(_, Height(rows))| usize::from(rows));
    (
        width_of(&io::stderr()).unwrap_or(DEFAULT_WIDTH),
        rows.filter(|rows| *rows > 0).unwrap_or(usize::MAX),
    )
}

/// The width of the terminal that results go to; `None` if they go elsewhere.
pub(crate) fn width_of_results() -> Option<usize> {
    if stdout_is_taken() {
        width_of(&io::stderr())
    } else {
        width()
    }
}

/// The width of the terminal on standard output; `None` if it is none.
pub(crate) fn width() -> Option<usize> {
    width_of(&io::stdout())
}

fn width_of(target: &(impl IsTerminal + AsFd)) -> Option<usize> {
    if !target.is_terminal() {
        return None;
    }
    let width = terminal_size_of(target).map(|(Width(width), _)| usize::from(width));
    // A terminal that does not know its size reports 0.
    width.filter(|width| *width > 0).or(Some(DEFAULT_WIDTH))
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|kind| kind.is_empty() || kind == "dumb")
}

/// The stream for progress messages if lines cannot be redrawn.
pub(crate) fn steps() -> Box<dyn Write> {
    shown_on(io::stderr())
}

/// Shows why a command did not run to its end.
pub(crate) fn command_error(error: &CommandError) {
    match error {
        CommandError::Mistakes(found) => mistakes(found),
        CommandError::Fault(found) => fault(found),
    }
}

/// Shows mistakes in the user's files.
pub(crate) fn mistakes(mistakes: &Mistakes) {
    let all = &mistakes.0;
    let shown = &all[..all.len().min(MOST_MISTAKES)];
    for (number, mistake) in shown.iter().enumerate() {
        // The same advice for consecutive mistakes in a file is given once, after the
        // last of them.
        let is_repeated = shown.get(number + 1).is_some_and(|next| {
            next.path == mistake.path && next.remedy == mistake.remedy
        });
        let remedy = mistake.remedy.as_deref().filter(|_| !is_repeated);
        error_with_excerpt(
            mistake,
            mistake.line.zip(mistake.excerpt.as_deref()),
            remedy,
        );
    }
    let rest = all.len() - shown.len();
    if rest > 0 {
        remark(format_args!("and {rest} more {}", plural(rest, "mistake")));
    }
}

/// Shows a failure of the judge, and its remedy.
pub(crate) fn fault(fault: &Fault) {
    error(fault, fault.remedy.as_deref());
}

/// Shows an error and what to do about it.
pub(crate) fn error(error: impl Display, remedy: Option<&str>) {
    error_with_excerpt(error, None, remedy);
}

/// Shows an error, the line of the file that it is about, and what to do.
fn error_with_excerpt(
    error: impl Display,
    excerpt: Option<(u64, &SourceExcerpt)>,
    remedy: Option<&str>,
) {
    // The error may contain file names, which may be hostile.
    remark(format_args!(
        "{ERROR}error{ERROR:#}: {}",
        printable(&error.to_string())
    ));
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

/// Shows a note. The text may quote names of files and logs of unknown origin.
pub(crate) fn notice(text: impl Display) {
    remark(format_args!(
        "{HINT}note{HINT:#}: {}",
        printable(&text.to_string())
    ));
}

/// The text of a note about something, with what to do about it, if that is known.
pub(crate) fn with_remedy(text: impl Display, remedy: Option<&String>) -> String {
    match remedy {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text.to_string(),
    }
}

/// As [`notice`], but with `--quiet` nothing.
pub(crate) fn notice_unless_quiet(text: impl Display) {
    if !is_quiet() {
        notice(text);
    }
}

/// Shows a note about several things, the first of them each on a line of its own, and
/// how many more there are of `all`.
pub(crate) fn notice_of_each(
    text: impl Display,
    first: impl IntoIterator<Item = String>,
    all: usize,
) {
    notice(text);
    let mut more = all;
    for one in first {
        remark(format_args!("  {}", printable(&one)));
        more -= 1;
    }
    if more > 0 {
        remark(format_args!("  and {more} more"));
    }
}

/// Prints a line of a command's result.
///
/// # Errors
/// A [`Fault`] if standard output cannot be written. A closed pipe is no error: the
/// reader may stop early.
pub(crate) fn result(text: impl Display) -> Result<(), Fault> {
    unless_closed(
        writeln!(anstream::stdout(), "{text}"),
        "writing to standard output",
    )
}

/// Prints a sentence of a command's result, wrapped between words at the width of the
/// terminal.
///
/// # Errors
/// As [`result`].
pub(crate) fn sentence(text: impl Display) -> Result<(), Fault> {
    result(hanging(&text.to_string(), width()))
}

/// As [`result`], but with `--quiet` nothing.
pub(crate) fn result_unless_quiet(text: impl Display) -> Result<(), Fault> {
    if is_quiet() { Ok(()) } else { result(text) }
}

/// As [`sentence`], but with `--quiet` nothing.
pub(crate) fn sentence_unless_quiet(text: impl Display) -> Result<(), Fault> {
    if is_quiet() { Ok(()) } else { sentence(text) }
}

/// Says that a file was written, unless with `--quiet`.
pub(crate) fn wrote(path: &Path) -> Result<(), Fault> {
    result_unless_quiet(format_args!("wrote {}", path.display()))
}

/// Prints the content of a whole file to standard output, and nothing else.
///
/// # Errors
/// As [`result`].
pub(crate) fn document(bytes: &[u8]) -> Result<(), Fault> {
    unless_closed(io::stdout().write_all(bytes), "writing to standard output")
}

/// Converts a write error to a fault, except for a closed pipe, which is no error.
pub(crate) fn unless_closed(
    written: io::Result<()>,
    doing: &str,
) -> Result<(), Fault> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Fault::new(doing, error))
        }
        _ => Ok(()),
    }
}

/// Clears the screen if standard output is a terminal; a file or a pipe is left alone.
pub(crate) fn clear() {
    if io::stdout().is_terminal() && !is_dumb() {
        // `anstream` would remove these sequences as if they were colours.
        let _ = io::stdout().write_all(b"\x1b[H\x1b[2J\x1b[3J");
    }
}

fn remark(text: impl Display) {
    verbatim(hanging(&text.to_string(), width_of(&io::stderr())));
}

fn verbatim(text: impl Display) {
    // If standard error cannot be written to, there is nowhere left to report that.
    let _ = writeln!(anstream::stderr(), "{text}");
}

// How commands end, and their exit codes.

/// The exit code of a process that a signal interrupted, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// The result of a command that ran to its end. Of several results, the last in this
/// order counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandOutcome {
    #[default]
    AsExpected,
    Surprising,
    /// There are mistakes in files, beside which everything else was done.
    Mistaken,
    Failed,
    Interrupted,
}

impl CommandOutcome {
    /// This outcome if it applies, otherwise [`Self::AsExpected`].
    pub(crate) fn when(self, applies: bool) -> Self {
        if applies { self } else { Self::AsExpected }
    }

    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Surprising => 1,
            Self::Mistaken => 2,
            Self::Failed => 3,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

/// The reason why a command did not run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// How a command ends.
pub(crate) type CommandResult = Result<CommandOutcome, CommandError>;

impl From<Mistake> for CommandError {
    fn from(mistake: Mistake) -> Self {
        Self::Mistakes(mistake.into())
    }
}

impl CommandError {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Mistakes(_) => 2,
            Self::Fault(_) => 3,
        }
    }
}
