//! Judges plans, one after another, with one sandbox, compiler and cache. Knows nothing
//! of sinks.

use std::collections::BTreeMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use gridjudge_sandbox::{Fault, LinuxSandbox, machine};

use crate::cache::{Cache, CacheKey, KeyHasher};
use crate::cli::{
    CancelGuard, CancelToken, CommandError, SandboxHandle, SandboxStartup, screen,
    startup,
};
use crate::compile::{
    BuildFolder, BuiltProgram, CachedCompiler, Compiler, PrepareFailure,
    ProgramSource, SubmissionRefusal,
};
use crate::model::{
    Activity, CheckerProgram, Event, LOG_VERSION, Program, SourceFile, SuiteStart,
    Tally, ToolSource, ToolVersion,
};
use crate::run::{self, JudgingOptions, JudgingProgram, Plan, PlanEntry, Suite};
use crate::spec::Config;

/// A sandbox, a compiler and a cache, to judge one or more plans with.
pub(crate) struct JudgeSession {
    /// The sandbox, which has been set up.
    startup: SandboxStartup,
    pub(crate) compiler: Compiler,
    cache: Option<Cache>,
    /// The notes at the start of the log: what this machine does not guarantee, and
    /// further remarks on the results.
    pub(crate) notes: Vec<String>,
    /// The folder to which paths in results are relative.
    root: PathBuf,
    /// What the judge is currently doing.
    pub(crate) activity: Arc<Activity>,
    /// Ends what it judges.
    pub(crate) cancel: CancelToken,
}

impl JudgeSession {
    /// Opens a session, and shows what the sandbox lacks on this machine. With 0
    /// `cache_bytes`, there is no cache.
    pub(crate) fn open(
        startup: SandboxStartup,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, CommandError> {
        let mut session = Self::open_silently(startup, config, cancel)?;
        let notes = report(session.sandbox(), config.cache_bytes > 0);
        let without_cache = mem::replace(&mut session.notes, notes);
        for why in without_cache {
            complain(why, &mut session.notes);
        }
        Ok(session)
    }

    /// Opens a session that only prepares something, and shows nothing. Its notes say
    /// why it cannot use the cache that it should use, if so.
    pub(crate) fn open_silently(
        startup: SandboxStartup,
        config: &Config,
        cancel: &CancelToken,
    ) -> Result<Self, Fault> {
        let sandbox = startup.sandbox().map_err(Fault::clone)?;
        let mut notes = vec![];
        let cache = match config.cache_bytes {
            0 => None,
            bytes => startup::open_cache(sandbox, bytes)
                .map_err(|why| notes.push(why))
                .ok(),
        };
        // Without a `judge.toml`, packages are named by paths relative to the current
        // folder.
        Ok(Self {
            compiler: Compiler::new(sandbox.programs()),
            startup,
            cache,
            notes,
            root: config.root.clone(),
            activity: Arc::default(),
            cancel: cancel.clone(),
        })
    }

    /// Judges a plan until it is done or cancelled, and passes every event to `report`.
    /// Returns the tally.
    pub(crate) fn judge(
        &self,
        plan: &Plan,
        options: JudgingOptions<'_>,
        report: &mut dyn FnMut(Event),
    ) -> Result<Tally, Fault> {
        let suite = Suite {
            plan,
            compiler: self.compiler(),
            jobs: self.jobs(),
            options,
            opening: SuiteStart {
                sandbox: self.sandbox().level().name().to_owned(),
                notes: self.notes.clone(),
                ..blank_opening()
            },
            root: &self.root,
            interrupted: self.cancel.flag(),
            is_expired: &|| self.startup.is_expired(),
            activity: &self.activity,
        };
        let _running = self.close_on_cancel();
        suite.judge(report)
    }

    /// The compiler with the cache and the sandbox.
    pub(crate) fn compiler(&self) -> CachedCompiler<'_> {
        CachedCompiler {
            compiler: &self.compiler,
            cache: self.cache.as_ref(),
            sandbox: self.sandbox(),
        }
    }

    /// Compiles a program that is no submission, unless its language does not work here.
    ///
    /// # Errors
    /// Returns why there is no program.
    pub(crate) fn compile_tool(
        &self,
        tool: &ToolSource,
    ) -> Result<MadeTool, PrepareFailure> {
        let BuiltProgram { program, folder } = self
            .compiler()
            .compile_program(ProgramSource::of_tool(tool))?;
        let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
        Ok(MadeTool {
            program: CheckerProgram {
                program,
                scratch,
                final_checker: None,
            },
            files: vec![],
            folder,
        })
    }

    /// The versions of the languages of submissions, as far as their tools tell.
    pub(crate) fn tool_versions(&self, entries: &[PlanEntry]) -> Vec<ToolVersion> {
        entries
            .iter()
            .filter_map(|entry| entry.language.as_ref())
            .map(|language| (&language.name, language))
            .collect::<BTreeMap<_, _>>()
            .into_values()
            .filter_map(|language| {
                Some(ToolVersion {
                    language: language.name.clone(),
                    version: self.compiler().version(language)?,
                })
            })
            .collect()
    }

    /// Compiles a submission, unless that is kept in the cache, and makes sure that its
    /// language works here. Returns why it is refused if it does not compile.
    pub(crate) fn prepare(
        &self,
        entry: PlanEntry,
    ) -> Result<Result<PreparedProgram, SubmissionRefusal>, Fault> {
        match self.compiler().compile_program(entry.program_source()) {
            Ok(BuiltProgram { program, folder }) => Ok(Ok(PreparedProgram {
                entry,
                program,
                folder,
            })),
            Err(PrepareFailure::Refused(refusal)) => Ok(Err(refusal)),
            Err(failure) => {
                let doing = format!("preparing {}", entry.submission.path.display());
                Err(failure.into_fault(doing))
            }
        }
    }

    /// The key of everything in a hasher, and of all that the times of these
    /// submissions of one problem depend on besides the machine. Without a cache for
    /// results, too; `None` if there is no place for one.
    pub(crate) fn key_of_timed(
        &self,
        mut hasher: KeyHasher,
        entries: &[PlanEntry],
    ) -> Option<CacheKey> {
        let opened;
        let digests = if let Some(cache) = &self.cache {
            cache
        } else {
            let most_bytes = Config::DEFAULT_CACHE_BYTES;
            opened = startup::open_cache(self.sandbox(), most_bytes).ok()?;
            &opened
        };
        run::add_timed(&mut hasher, entries, &self.compiler, digests);
        Some(hasher.finish())
    }

    /// Compiles a checker and the checker that runs after it, if any. The program can
    /// be run as long as the folders exist.
    ///
    /// # Errors
    /// A [`Fault`] if one of them cannot be compiled.
    pub(crate) fn checker_program(
        &self,
        checker: &JudgingProgram,
    ) -> Result<(CheckerProgram, Vec<BuildFolder>), Fault> {
        self.compiler()
            .compile_judging_program(checker)
            .map_err(|failure| failure.into_fault("preparing the problem"))
    }

    pub(crate) fn sandbox(&self) -> &LinuxSandbox {
        self.startup
            .sandbox()
            .expect("a session is opened with its sandbox")
    }

    /// The number of runs at the same time.
    pub(crate) fn jobs(&self) -> usize {
        self.startup.jobs
    }

    /// Ends all runs in the sandbox when the token is cancelled, and what takes long to
    /// compute for the cache, as long as the returned guard lives.
    pub(crate) fn close_on_cancel(&self) -> CancelGuard {
        let sandbox = self
            .startup
            .sandbox()
            .map(SandboxHandle::downgrade)
            .unwrap_or_default();
        let stop_flag = self.cache.as_ref().map(Cache::stop_flag);
        self.cancel.on_cancel(move || {
            if let Some(flag) = &stop_flag {
                flag.store(true, Ordering::Relaxed);
            }
            let sandbox = sandbox.upgrade();
            sandbox.inspect(|sandbox| sandbox.close()).is_some()
        })
    }

    /// Closes the session, and shows problems with the cache.
    pub(crate) fn close(self) {
        self.close_silently()
            .iter()
            .for_each(screen::notice_unless_quiet);
    }

    /// Closes the session. Returns problems with the cache.
    pub(crate) fn close_silently(self) -> Vec<String> {
        self.cache.map(Cache::close).unwrap_or_default()
    }
}

/// The first event of a suite of which nothing is judged, because of mistakes in its
/// problems. No sandbox is set up for it.
pub(crate) fn unjudged_suite() -> Event {
    Event::SuiteStarted(Box::new(blank_opening()))
}

/// The start of a suite about which nothing is known but the judge, the machine and the
/// time.
fn blank_opening() -> SuiteStart {
    SuiteStart {
        log_version: LOG_VERSION,
        gridjudge: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine::processor_summary(),
        started: now(),
        ..SuiteStart::default()
    }
}

/// The time of day and the date, in the form `2026-11-27T03:00:00Z`.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

// Shows the user what the sandbox lacks on this machine, and which limits of the shell
// that started the judge are too low.

/// Shows what the sandbox lacks on this machine, and returns it for the log. If a
/// better level was tried and is not available, the first note says why.
///
/// The notes are the same in every run, and `doctor` and every log have them, so an
/// earlier run may have shown them. Without a cache, they are always shown, since there
/// is no record of that.
fn report(sandbox: &LinuxSandbox, has_cache: bool) -> Vec<String> {
    let mut notes = sandbox.guarantees().notes();
    if let Some((better, why)) = sandbox.declined().first() {
        let level = sandbox.level();
        let cause = &why.cause;
        let declined = format!(
            "the sandbox is at level {level}, because {better} is not available: {cause}"
        );
        notes.insert(0, declined);
    }
    let is_shown = !screen::is_quiet()
        && !notes.is_empty()
        && (screen::is_verbose()
            || !has_cache
            || startup::is_new_to_user(&notes.join("\n")));
    notes.iter().filter(|_| is_shown).for_each(screen::notice);
    // The next shell may have other limits, so these are shown in each run.
    for limit in gridjudge_sandbox::low_limits() {
        complain(limit, &mut notes);
    }
    notes
}

/// Shows a problem that can be fixed, in each run, and adds it to the notes.
fn complain(why: String, notes: &mut Vec<String>) {
    screen::notice_unless_quiet(&why);
    notes.push(why);
}

// Compiles a single program, for `stress` and for a model solution. Knows nothing of
// inputs.

/// A compiled program. Dropping it deletes the folder that it is in.
pub(crate) struct PreparedProgram {
    pub(crate) entry: PlanEntry,
    pub(crate) program: Program,
    pub(crate) folder: BuildFolder,
}

/// A program that is no submission and can be run. Dropping it removes its folder.
pub(crate) struct MadeTool {
    pub(crate) program: CheckerProgram,
    /// The files that it works among, if it is an input validator.
    pub(crate) files: Vec<SourceFile>,
    pub(crate) folder: BuildFolder,
}
