//! The file with the log of a shard. Its name tells the plan, the shard and the run, so that two
//! runs of a shard never meet on a shared disk; it ends in `.part` until everything was judged.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use gridjudge_sandbox::Fault;

use crate::cli::{CommandError, output};
use crate::model::{Event, ShardRecord};
use crate::report::{Log, Sink};

/// What is added to the name of a log that is not complete.
pub(crate) const PART: &str = ".part";

pub(crate) struct ResultFile {
    log: Log<File>,
    file: File,
    path: PathBuf,
}

impl ResultFile {
    /// Creates the file of a run in a folder, which is created, too.
    ///
    /// # Errors
    /// If that is not possible.
    pub(crate) fn create(folder: &Path, shard: &ShardRecord) -> Result<Self, CommandError> {
        output::refuse_leading_out(folder)?;
        let path = folder.join(format!(
            "{}-{}-of-{}-{}.jsonl",
            shard.plan.short_digest(),
            shard.index,
            shard.of,
            shard.short_run()
        ));
        let failed = |error| Fault::new(format!("creating {}{PART}", path.display()), error);
        fs::create_dir_all(folder).map_err(failed)?;
        let file = File::create_new(part_of(&path)).map_err(failed)?;
        let log = Log::new(file.try_clone().map_err(failed)?);
        Ok(Self { log, file, path })
    }

    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

/// The name of a log that is not complete.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PART);
    name.into()
}

impl Sink for ResultFile {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.log.take(event)?;
        if matches!(event, Event::SuiteFinished(_)) {
            // The name promises the contents, also after a power failure.
            self.file.sync_all()?;
            fs::rename(part_of(&self.path), &self.path)?;
        }
        Ok(())
    }
}
