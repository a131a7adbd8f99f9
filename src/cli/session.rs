//! What `grade` and `verify` share: the sandbox, the sinks, the signals, and a suite between them.

use std::fs::File;
use std::io;
use std::io::ErrorKind;
use std::io::IsTerminal;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use clap::Args;
use clap::ValueEnum;
use signal_hook::consts::SIGINT;
use signal_hook::consts::SIGTERM;
use signal_hook::iterator::Handle;
use signal_hook::iterator::Signals;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::opening::Opening;
use crate::cli::screen;
use crate::compile::Workshop;
use crate::model::Event;
use crate::model::Fault;
use crate::model::Tally;
use crate::report::Explain;
use crate::report::Log;
use crate::report::Matrix;
use crate::report::Progress;
use crate::report::Reasons;
use crate::report::Sink;
use crate::sandbox::Choice;
use crate::sandbox::Level;
use crate::sandbox::Linux;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::suite::Plan;
use crate::suite::Suite;

#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Runs at once; 0 for one on each core [default: one on each physical core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Write every event to FILE as JSON Lines; `-` for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Judge every case of every submission
    #[arg(long, conflicts_with = "first_failure")]
    all: bool,
    /// Stop judging a submission at its first case that is not accepted (the default)
    #[arg(long)]
    first_failure: bool,
    /// How submissions are kept apart from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: Wanted,
}

/// The levels there are, as the command line names them.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Wanted {
    /// The best that this machine gives
    Auto,
    /// Namespaces, control groups and a user of its own; needs root
    Full,
    /// Namespaces, by a user namespace; no rights needed
    User,
    /// Limits, a filter of system calls, and Landlock where the kernel has it
    Basic,
}

impl Wanted {
    pub(crate) fn choice(self) -> Choice {
        match self {
            Self::Auto => Choice::Best,
            Self::Full => Choice::Only(Level::Full),
            Self::User => Choice::Only(Level::User),
            Self::Basic => Choice::Only(Level::Basic),
        }
    }
}

impl Judging {
    /// Begins to set up what runs are to be in.
    pub(crate) fn open(&self, configured: Option<usize>) -> Opening {
        Opening::begin(self.jobs.or(configured), self.sandbox.choice())
    }
}

/// Judges a plan and reports on it; also says what it came to.
pub(crate) fn judge(
    plan: &Plan,
    opening: Opening,
    judging: &Judging,
    common: &Common,
) -> Result<(Ending, Tally), Stop> {
    judging.log.as_deref().map_or(Ok(()), overwrites_a_log_only)?;
    let jobs = opening.jobs;
    let sandbox = opening.finish()?;
    let mut notes = sandbox.guarantees().notes();
    // A level that nobody chose says why it is not a better one.
    if let Some((better, why)) = sandbox.declined().first() {
        let level = sandbox.level();
        notes
            .insert(0, format!("the sandbox is at level {level}, for {better} cannot be had: {}", why.cause));
    }
    if !common.quiet {
        notes.iter().for_each(screen::notice);
    }
    let workshop = Workshop::new(sandbox.programs());
    let interrupted = AtomicBool::new(false);
    let suite = Suite {
        plan,
        sandbox: &sandbox,
        workshop: &workshop,
        jobs,
        stop_at_first: !judging.all,
        level: sandbox.level().name(),
        notes: &notes,
        interrupted: &interrupted,
    };
    let mut audience = Audience::new(judging, common);
    let tally = std::thread::scope(|scope| {
        let _watch = Watch::start(scope, &interrupted, &sandbox)?;
        suite.judge(&mut |event| audience.tell(&event))
    })?;
    let ending =
        match (interrupted.load(Ordering::Relaxed), tally.faults > 0 || audience.failed, tally.surprising) {
            (true, ..) => Ending::Interrupted,
            (_, true, _) => Ending::Failed,
            (_, _, 1..) => Ending::Surprising,
            _ => Ending::AsExpected,
        };
    Ok((ending, tally))
}

/// Whether a new log may take the place of what is there: an older log, or nothing that anybody would miss. A
/// `--log` whose file was forgotten takes the submission after it.
fn overwrites_a_log_only(path: &Path) -> Result<(), Mistakes> {
    let mut start = Vec::new();
    let is_regular = path.metadata().is_ok_and(|found| found.is_file());
    if is_regular && let Ok(file) = File::open(path) {
        // What cannot be read will not be written either, and is then told.
        let _ = file.take(LOG_START.len() as u64).read_to_end(&mut start);
    }
    if start.is_empty() || start == LOG_START {
        return Ok(());
    }
    let mistake = Mistake::of(path, "is not a log, and the new log would overwrite it");
    Err(mistake.with_remedy("name another file for the log, or delete this one").into())
}

/// How every log starts.
const LOG_START: &[u8] = br#"{"event":"suite_started""#;

/// Everybody who listens to the events.
struct Audience {
    sinks: Vec<(String, Box<dyn Sink>)>,
    progress: Option<Progress>,
    /// Whether some sink could not be served.
    failed: bool,
}

impl Audience {
    fn new(judging: &Judging, common: &Common) -> Self {
        let mut audience = Self { sinks: Vec::new(), progress: None, failed: false };
        let log_on_stdout = judging.log.as_deref() == Some(Path::new("-"));
        // Results go to standard output, unless the log has taken it.
        let results = || -> Box<dyn Write> {
            if log_on_stdout { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) }
        };
        match judging.log.as_deref() {
            Some(_) if log_on_stdout => audience.add("standard output", Log::new(io::stdout())),
            Some(path) => match File::create(path) {
                Ok(file) => audience.add(&path.to_string_lossy(), Log::new(file)),
                Err(error) => audience.give_up(&path.to_string_lossy(), &error),
            },
            None => {}
        }
        let explain = if common.verbose { Explain::Everything } else { Explain::Surprises };
        audience.add("standard output", Reasons::new(results(), explain));
        audience.add("standard output", Matrix::new(results(), common.quiet));
        if io::stderr().is_terminal() && !common.quiet {
            audience.progress = Some(Progress::default());
        }
        audience
    }

    fn add(&mut self, name: &str, sink: impl Sink + 'static) {
        self.sinks.push((name.to_owned(), Box::new(sink)));
    }

    fn tell(&mut self, event: &Event) {
        // Trials are many and write nothing to the screen: the progress line need not make room for them.
        let writes = !matches!(event, Event::TrialFinished(_));
        match self.progress.take() {
            Some(mut progress) => {
                // The line is gone before the matrix is written.
                let _ = progress.take(event);
                if writes {
                    progress.suspend(|| self.tell_sinks(event))
                } else {
                    self.tell_sinks(event)
                }
                self.progress = Some(progress);
            }
            None => self.tell_sinks(event),
        }
    }

    fn tell_sinks(&mut self, event: &Event) {
        for (name, mut sink) in std::mem::take(&mut self.sinks) {
            match sink.take(event) {
                Ok(()) => self.sinks.push((name, sink)),
                // Who has heard enough may leave.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                Err(error) => self.give_up(&name, &error),
            }
        }
    }

    fn give_up(&mut self, name: &str, error: &io::Error) {
        self.failed = true;
        let remedy = "judging goes on, without it";
        screen::error(format!("{name}: cannot be written: {error}"), Some(remedy));
    }
}

/// Waits for signals, and ends the runs when one comes.
struct Watch {
    handle: Handle,
}

impl Watch {
    fn start<'scope, 'env>(
        scope: &'scope std::thread::Scope<'scope, 'env>,
        interrupted: &'env AtomicBool,
        sandbox: &'env Linux,
    ) -> Result<Self, Fault> {
        let mut signals =
            Signals::new([SIGINT, SIGTERM]).map_err(|error| Fault::new("watching for signals", error))?;
        let handle = signals.handle();
        scope.spawn(move || {
            for _ in &mut signals {
                if interrupted.swap(true, Ordering::Relaxed) {
                    // Asked twice: the launchers see that the judge is gone and clear away what runs.
                    std::process::exit(130);
                }
                sandbox.close();
            }
        });
        Ok(Self { handle })
    }
}

impl Drop for Watch {
    /// Ends the thread, also on the way out of a panic: the scope waits for it, and would for ever.
    fn drop(&mut self) {
        self.handle.close();
    }
}
